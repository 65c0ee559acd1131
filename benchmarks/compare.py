"""Differences between two runs on the same cases: clean and noisy, one persona and another, old and new.

The two must have the same cases, runs and seed.
"""

from dataclasses import asdict
from pathlib import Path

from bedside.benchmarks.evaluate import Summary
from bedside.benchmarks.measures import measure_of
from bedside.benchmarks.runs import RunError, read_config
from bedside.benchmarks.scores import read_scores, score_tables
from bedside.benchmarks.stats.intervals import difference_interval

__all__ = ["compare_runs"]


def compare_runs(first: Path, second: Path) -> Summary:
    """Return ``first - second`` for every policy and score that both runs have, with paired intervals.

    Raises:
        RunError: A folder is not a finished run, or the two do not pair up.
    """
    configs = read_config(first), read_config(second)
    for name in ("env", "case_hash", "limit", "spread", "runs", "seed"):
        ours, theirs = (getattr(config, name) for config in configs)
        if ours != theirs:
            raise RunError(f"{first} and {second} cannot be compared in pairs: {name} is {ours} and {theirs}")
    a, b = (score_tables(read_scores(run), configs[0].runs) for run in (first, second))
    policies = [policy for policy in a if policy in b]
    if not policies:
        raise RunError(f"{first} and {second} have no policy in common")
    return {
        policy: {
            name: asdict(difference_interval(values, b[policy][name], configs[0].seed, share=measure_of(name).share))
            for name, values in a[policy].items()
            if name in b[policy]
        }
        for policy in policies
    }
