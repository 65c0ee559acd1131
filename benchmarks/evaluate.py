"""The evaluation: every policy with every case, every run with the same seed, and what it all comes to.

One episode is one task; playing it and scoring it happen in the same worker. An episode that was kept from an
earlier try takes the same way without being played, so that a resumed run cannot differ from one that was
never interrupted, nor one that is scored again from one that is played.

Scripted clinicians and embedded patients keep a core busy, so processes play them side by side. Where language models
take part, an episode mostly waits: then each process plays many, in threads that share the models.
"""

import os
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any

import orjson

from bedside.benchmarks.crew import as_completed
from bedside.benchmarks.folder import FinishedRun, RunFolder, Task
from bedside.benchmarks.measures import measure_of
from bedside.benchmarks.plan import Plan
from bedside.benchmarks.player import Outcome, Player
from bedside.benchmarks.runs import SCORES, SUMMARY, RunConfig
from bedside.benchmarks.scores import ScoreColumns, score_tables, to_parquet
from bedside.benchmarks.stats.intervals import mean_interval
from bedside.benchmarks.timing import Timed, Timing, add_up, read_timing, timing_file
from bedside.chat.meter import Traffic

__all__ = ["ENGINES", "Progress", "Report", "State", "Summary", "Workforce", "evaluate", "score_again"]

Summary = dict[str, dict[str, dict[str, float | int | None]]]


@dataclass
class State:
    """How far an evaluation is.

    Attributes:
        total: Episodes in all.
        done: Those that are over, or were there before.
        faults: Those of them that broke.
        policy: Whose episode came last.
        traffic: What language models were asked for; kept episodes ask for nothing.
        timing: What those took that were played.
    """

    total: int
    done: int = 0
    faults: int = 0
    policy: str = ""
    traffic: Traffic = field(default_factory=Traffic)
    timing: Timing = field(default_factory=dict)

    def add(self, task: Task, outcome: Outcome) -> None:
        """Count an episode."""
        self.done += 1
        self.faults += outcome.fault is not None
        self.policy = task.policy
        self.traffic.add(outcome.traffic)
        if outcome.seconds is not None:
            self.timing = add_up((self.timing, {task.policy: Timed(1, outcome.seconds)}))


_SURPLUS = 1.25

Progress = Callable[[State], None]


@dataclass(frozen=True)
class Report:
    """What an evaluation came to.

    Attributes:
        config: What was evaluated.
        scores: What ``scores.parquet`` holds.
        summary: What ``summary.json`` holds.
        traffic: What language models were asked for.
    """

    config: RunConfig
    scores: Any
    summary: Summary
    traffic: Traffic = field(default_factory=Traffic)

    @classmethod
    def of(cls, config: RunConfig, scores: Any, traffic: Traffic | None = None) -> "Report":
        """Sum up the scores of a run.

        Args:
            config: What was evaluated.
            scores: As of :func:`~bedside.benchmarks.scores.read_scores`.
            traffic: What language models were asked for.
        """
        summary = {
            policy: {
                name: asdict(mean_interval(values, config.seed, share=measure_of(name).share))
                for name, values in tables.items()
            }
            for policy, tables in score_tables(scores, config.runs).items()
        }
        return cls(config, scores, summary, traffic or Traffic())

    @property
    def engines(self) -> set[str]:
        """Who scored; more than one means that figures cannot be compared with each other."""
        told = self.scores["engine.scores"].unique().drop_null().to_pylist()
        return {engine for engines in told for engine in engines.split(",")}

    @property
    def faults(self) -> dict[str, list[str]]:
        """For each policy that had any, what broke, once an episode."""
        broken = self.scores.select(["policy", "case", "run", "fault"]).filter(self.scores["fault"].is_valid())
        found: dict[str, list[str]] = {}
        for row in broken.to_pylist():
            found.setdefault(row["policy"], []).append(f"{row['case']} run {row['run']}: {row['fault']}")
        return found

    @property
    def failed(self) -> list[str]:
        """Policies of which every episode broke."""
        each = self.config.case_count * self.config.runs
        return [policy for policy, faults in self.faults.items() if len(faults) == each]

    @property
    def files(self) -> dict[str, bytes]:
        """The files of results; the summary comes last: where it stands, a run is finished."""
        return {
            SCORES: to_parquet(self.scores),
            SUMMARY: orjson.dumps(self.summary, option=orjson.OPT_INDENT_2) + b"\n",
        }


ENGINES = ("local", "ray")


@dataclass(frozen=True)
class Workforce:
    """Who does the work; the result does not depend on it.

    Attributes:
        workers: Processes.
        concurrency: Most calls at once to one endpoint, if language models take part. Some more episodes than that are
            played at once, so that the endpoint need not wait for them.
        engine: Where the processes are: one of :data:`ENGINES`, this machine or a Ray cluster.
    """

    workers: int = 1
    concurrency: int = 1
    engine: str = "local"


def evaluate(
    plan: Plan,
    out: Path,
    force: Workforce = Workforce(),  # frozen
    *,
    resume: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Run a plan, or the rest of it, and write the run folder.

    Args:
        plan: What to run.
        out: The run folder.
        force: Who does it.
        resume: Go on with what the folder holds.
        progress: Called once before the first episode and after each.

    Returns:
        The summary, which also stands in the folder, and what went wrong.

    Raises:
        RunError: The folder cannot be used or written.
        WorkerError: A worker process died.
    """
    with RunFolder.open(out, plan.config, plan.tasks, resume=resume) as folder:
        return _complete(plan, folder, folder.kept, force, progress)


def score_again(
    plan: Plan,
    run: Path,
    out: Path,
    force: Workforce = Workforce(),  # frozen
    *,
    progress: Progress | None = None,
) -> Report:
    """Score the episodes of a finished run and write them with their scores to another folder; nothing is played.

    What an interrupted try has left in ``out`` is gone on with.

    Args:
        plan: See :func:`~bedside.benchmarks.plan.make_scoring_plan`.
        run: The run.
        out: The new run folder.
        force: Who does it.
        progress: As in :func:`evaluate`.

    Raises:
        RunError: The run is not finished, or ``out`` cannot be used or written.
        WorkerError: A worker process died.
    """
    with (
        FinishedRun.open(run, plan.tasks) as source,
        RunFolder.open(out, plan.config, plan.tasks, resume=True) as folder,
    ):
        return _complete(plan, folder, source.line, force, progress)


def _complete(
    plan: Plan,
    folder: RunFolder,
    given: Callable[[Task], bytes | None],
    force: Workforce,
    progress: Progress | None,
) -> Report:
    """Play what is not given, score all, and finish the folder."""
    # Workers are the parallelism; numeric libraries that start threads besides only get in their way.
    for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "TOKENIZERS_PARALLELISM"):
        os.environ.setdefault(variable, "false" if variable.startswith("TOK") else "1")
    columns = ScoreColumns(len(plan.tasks))
    state = State(len(plan.tasks))
    if progress:
        progress(state)
    order = _order(plan, force.workers)
    jobs = ((plan.tasks[number], given(plan.tasks[number])) for number in order)
    with closing(_outcomes(plan, jobs, force)) as outcomes:
        for place, outcome in outcomes:
            number = order[place]
            task = plan.tasks[number]
            if not folder.keeps(task):
                folder.append(outcome.line)
            columns.add(number, outcome.row)
            state.add(task, outcome)
            if progress:
                progress(state)
    report = Report.of(plan.config, columns.table(), state.traffic)
    folder.finish(timing_file(add_up((read_timing(folder.path), state.timing))) | report.files)
    return report


def _order(plan: Plan, workers: int) -> list[int]:
    """Return the numbers of the tasks in the order in which they are begun.

    What is read of a case is read once where its episodes are played one after the other. One process alone keeps to
    the order of the file, so that a run which breaks off leaves the beginning of it.
    """
    numbers = list(range(len(plan.tasks)))
    rank = {case.id: number for number, case in enumerate(plan.cases)}
    return numbers if workers == 1 else sorted(numbers, key=lambda number: rank[plan.tasks[number].case])


def _outcomes(
    plan: Plan, jobs: Iterable[tuple[Task, bytes | None]], force: Workforce
) -> Generator[tuple[int, Outcome], None, None]:
    total = len(plan.tasks)
    workers = min(force.workers, total)
    threads = 1
    if plan.models_take_part:
        calls = force.concurrency
        plan = replace(plan, models=replace(plan.models, concurrency=ceil(calls / workers)))
        threads = ceil(min(calls if calls == 1 else _SURPLUS * calls, total) / workers)
    # Workers are handed their tasks one by one.
    build = partial(Player, replace(plan, tasks=()))
    if force.engine == "ray":
        # Imported where used: an extra.
        from bedside.benchmarks.ray_crew import as_completed_on_ray

        return as_completed_on_ray(build, jobs, workers, threads, _case_of)
    return as_completed(build, jobs, workers, threads, _case_of)


def _case_of(job: tuple[Task, bytes | None]) -> str:
    return job[0].case
