"""Differences between two runs on the same cases: clean and noisy, one persona and another, old and new.

Scores are computed again from the episodes, so the two runs need no summary, only the same cases, runs and
seed.
"""

from dataclasses import asdict
from pathlib import Path

from bedside.benchmarks.evaluate import Summary, Tables, score_tables
from bedside.benchmarks.intervals import difference_interval
from bedside.benchmarks.plan import load_run_cases
from bedside.benchmarks.runs import SUMMARY, RunConfig, RunError, read_config
from bedside.benchmarks.transcript import read_episodes
from bedside.cases.case import Case
from bedside.rewards.scoring import score_episode

__all__ = ["compare_runs"]


def compare_runs(first: Path, second: Path) -> Summary:
    """Return ``first - second`` for every policy and score that both runs have, with paired intervals.

    Raises:
        RunError: A folder is not a finished run, or the two do not pair up.
        ValueError: The cases cannot be loaded, or have changed.
    """
    configs = read_config(first), read_config(second)
    for name in ("env", "case_hash", "limit", "runs", "seed"):
        ours, theirs = (getattr(config, name) for config in configs)
        if ours != theirs:
            raise RunError(f"{first} and {second} cannot be compared in pairs: {name} is {ours} and {theirs}")
    cases = {case.id: case for case in load_run_cases(configs[0])}
    a, b = (_values(run, config, cases) for run, config in zip((first, second), configs, strict=True))
    policies = [policy for policy in a if policy in b]
    if not policies:
        raise RunError(f"{first} and {second} have no policy in common")
    return {
        policy: {
            name: asdict(difference_interval(values, b[policy][name], configs[0].seed))
            for name, values in a[policy].items()
            if name in b[policy]
        }
        for policy in policies
    }


def _values(run: Path, config: RunConfig, cases: dict[str, Case]) -> Tables:
    if not (run / SUMMARY).exists():
        raise RunError(f"{run} is not finished; go on with it first (--resume)")
    records = []
    for episode in read_episodes(run):
        scores = score_episode(episode, cases[episode.case])
        records.append((episode.policy, {name: score.value for name, score in scores.items()}))
    return score_tables(records, config.runs)
