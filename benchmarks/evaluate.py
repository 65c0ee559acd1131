"""The evaluation: every policy with every case, every run with the same seed, and what it all comes to.

One episode is one task; playing it and scoring it happen in the same worker. An episode that was kept from an
earlier try takes the same way without being played, so that a resumed run cannot differ from one that was
never interrupted. An exception inside an episode becomes an episode that says so: it stops nothing and scores
nothing.
"""

import os
import re
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from bedside.benchmarks.crew import ordered_map
from bedside.benchmarks.intervals import Floats, mean_interval
from bedside.benchmarks.plan import Plan
from bedside.benchmarks.runs import RunFolder, Task
from bedside.cases.case import Case
from bedside.cases.persona import draw_persona
from bedside.clinicians.clinician import Clinician
from bedside.clinicians.registry import make_clinician
from bedside.clinicians.rollout import rollout
from bedside.envs.encounter import Encounter
from bedside.envs.episode import Episode, StopReason
from bedside.registry import make
from bedside.rewards.scoring import score_episode

__all__ = ["Outcome", "Player", "Progress", "Report", "Summary", "Tables", "evaluate", "score_tables"]

Summary = dict[str, dict[str, dict[str, float | int | None]]]
Tables = dict[str, dict[str, Floats]]
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Outcome:
    """What a worker sends back.

    Attributes:
        line: The episode as it stands in ``episodes.jsonl``.
        values: Score by name; None is unscored.
        engines: Who scored.
        fault: What broke, if the episode ended that way or could not be scored.
    """

    line: bytes
    values: dict[str, float | None]
    engines: frozenset[str]
    fault: str | None


@dataclass
class Report:
    """What an evaluation came to.

    Attributes:
        summary: What ``summary.json`` holds.
        engines: Who scored; more than one means that figures cannot be compared with each other.
        faults: For each policy that had any, what broke, once an episode.
        failed: Policies of which every episode broke.
    """

    summary: Summary = field(default_factory=dict)
    engines: set[str] = field(default_factory=set)
    faults: dict[str, list[str]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)


class Player:
    """Plays and scores tasks in one process; environment and clinicians are built once and used again."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._cases: dict[str, Case] = {case.id: case for case in plan.cases}
        self._env: Encounter | None = None
        self._clinicians: dict[str, Clinician] = {}

    def __call__(self, job: tuple[Task, bytes | None]) -> Outcome:
        """Play a task, unless its episode is given, and score it."""
        task, line = job
        # Scores are taken from the line, not from the live episode: what is reported is what the file gives.
        line = line or self._play(task).to_json()
        episode = Episode.from_json(line)
        try:
            scores = score_episode(episode, self._cases[task.case])
            values = {name: score.value for name, score in scores.items()}
            engines = frozenset(score.engine for score in scores.values())
            return Outcome(line, values, engines, episode.fault)
        except Exception as error:
            return Outcome(line, {}, frozenset(), episode.fault or f"could not be scored: {_told(error)}")

    def _play(self, task: Task) -> Episode:
        config = self._plan.config
        try:
            if self._env is None:
                self._env = make(
                    config.env,
                    cases=self._plan.cases,
                    persona=config.persona,
                    noise=config.noise,
                    verifier=config.verifier,
                    reward=None,  # scores are taken from the record, at the end
                )
            if task.policy not in self._clinicians:
                self._clinicians[task.policy] = make_clinician(task.policy, cases=self._plan.known, source=config.cases)
            options = {"case": task.case, "run": task.run}
            episode = rollout(self._env, self._clinicians[task.policy], task.seed, options)
            return episode.model_copy(update={"policy": task.policy})
        except Exception as error:
            return self._broken(task, _told(error))

    def _broken(self, task: Task, fault: str) -> Episode:
        """Keep what was said until it broke; for the next episode build anew, as this state is unknown."""
        env, self._env = self._env, None
        self._clinicians.pop(task.policy, None)
        known: dict[str, Any] = {
            "env": self._plan.config.env,
            "case": task.case,
            "policy": task.policy,
            "seed": task.seed,
            "run": task.run,
            "stop": StopReason.FAULT,
            "fault": fault,
        }
        try:
            # A finished one is still the episode before: reset itself failed.
            if env is not None and env.episode.stop is None and env.episode.case == task.case:
                return env.episode.model_copy(update=known)
        except Exception:  # noqa: S110  # an encounter that broke early has no episode to give
            pass
        persona = draw_persona(self._plan.config.persona, self._plan.config.noise, task.seed, task.case)
        return Episode(persona=persona, **known)


def _told(error: Exception) -> str:
    """Describe an exception in one line that is the same on every machine and in every process."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    text = re.sub(r"0x[0-9a-f]+", "0x…", " ".join(str(error).split()))
    return f"{type(error).__name__}: {text}{place}"


def evaluate(
    plan: Plan,
    out: Path,
    *,
    workers: int = 1,
    resume: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Run a plan, or the rest of it, and write the run folder.

    Args:
        plan: What to run.
        out: The run folder.
        workers: Processes; the result does not depend on it.
        resume: Go on with what the folder holds.
        progress: Called with episodes done, episodes in all and the policy, once before and after each
            episode.

    Returns:
        The summary, which also stands in the folder, and what went wrong.

    Raises:
        RunError: The folder cannot be used or written.
        WorkerError: A worker process died.
    """
    # Workers are the parallelism; numeric libraries that start threads besides only get in their way.
    for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "TOKENIZERS_PARALLELISM"):
        os.environ.setdefault(variable, "false" if variable.startswith("TOK") else "1")
    outcomes: list[tuple[Task, Outcome]] = []
    with RunFolder.open(out, plan.config, plan.tasks, resume=resume) as folder:
        total = len(plan.tasks)
        if progress:
            progress(0, total, plan.tasks[0].policy)
        jobs = _jobs(plan, folder)
        with closing(ordered_map(partial(Player, plan), jobs, min(workers, total))) as results:
            for number, (task, outcome) in enumerate(zip(plan.tasks, results, strict=True), 1):
                if number > folder.kept:
                    folder.append(outcome.line)
                outcomes.append((task, replace(outcome, line=b"")))
                if progress:
                    progress(number, total, task.policy)
        report = _report(plan, outcomes)
        folder.write_summary(orjson.dumps(report.summary, option=orjson.OPT_INDENT_2) + b"\n")
    return report


def _jobs(plan: Plan, folder: RunFolder) -> Iterator[tuple[Task, bytes | None]]:
    lines: Iterator[bytes | None] = chain(folder.kept_lines(), repeat(None))
    # Tasks come first: zip then stops before it would take a line that no task belongs to.
    return zip(plan.tasks, lines, strict=False)


def score_tables(records: Iterable[tuple[str, dict[str, float | None]]], runs: int) -> Tables:
    """Arrange the values of episodes in task order for the intervals.

    Args:
        records: Policy and score values, an episode each.
        runs: Episodes that stand next to each other for one case.

    Returns:
        By policy and score an array of shape (cases, runs); NaN where unscored.
    """
    by_policy: dict[str, list[dict[str, float | None]]] = {}
    for policy, values in records:
        by_policy.setdefault(policy, []).append(values)
    # The same scores for all policies: one whose episodes all broke has them too, all unscored.
    names = list(dict.fromkeys(name for episodes in by_policy.values() for values in episodes for name in values))
    return {
        policy: {
            name: np.array([values.get(name) for values in episodes], dtype=np.float64).reshape(-1, runs)
            for name in names
        }
        for policy, episodes in by_policy.items()
    }


def _report(plan: Plan, outcomes: list[tuple[Task, Outcome]]) -> Report:
    report = Report()
    tables = score_tables(((task.policy, outcome.values) for task, outcome in outcomes), plan.config.runs)
    for policy, scores in tables.items():
        report.summary[policy] = {
            name: asdict(mean_interval(values, plan.config.seed)) for name, values in scores.items()
        }
    for task, outcome in outcomes:
        report.engines |= outcome.engines
        if outcome.fault:
            report.faults.setdefault(task.policy, []).append(f"{task.case} run {task.run}: {outcome.fault}")
    each = len(plan.cases) * plan.config.runs
    report.failed = [policy for policy, faults in report.faults.items() if len(faults) == each]
    return report
