"""The evaluation: every policy with every case, every run with the same seed, and what it all comes to.

One episode is one task; playing it and scoring it happen in the same worker. An episode that was kept from an
earlier try takes the same way without being played, so that a resumed run cannot differ from one that was
never interrupted. An exception inside an episode becomes an episode that says so: it stops nothing and scores
nothing, and is played again when the run is resumed.

Scripted clinicians and embedded patients keep a core busy, so processes play them side by side. Where language models
take part, an episode mostly waits: then each process plays many, in threads that share the models.
"""

import os
import re
import threading
import traceback
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any

import orjson

from bedside.benchmarks.crew import as_completed
from bedside.benchmarks.intervals import mean_interval
from bedside.benchmarks.plan import Plan
from bedside.benchmarks.runs import SCORES, SUMMARY, RunConfig, RunFolder, Task
from bedside.benchmarks.scores import Row, ScoreColumns, Tables, score_tables, to_parquet
from bedside.cases.case import Case
from bedside.cases.persona import draw_persona
from bedside.chat.meter import METER, Traffic
from bedside.chat.model import ChatError
from bedside.chat.providers import configure
from bedside.clinicians.clinician import Clinician
from bedside.clinicians.registry import make_clinician
from bedside.clinicians.rollout import rollout
from bedside.envs.encounter import Encounter
from bedside.envs.episode import Episode, StopReason, Usage
from bedside.registry import make
from bedside.rewards.judges import Judge, make_judge

__all__ = ["Outcome", "Player", "Progress", "Report", "State", "Summary", "evaluate"]

Summary = dict[str, dict[str, dict[str, float | int | None]]]


@dataclass(frozen=True)
class Outcome:
    """What a worker sends back.

    Attributes:
        line: The episode as it stands in ``episodes.jsonl``.
        row: What goes into ``scores.parquet``.
        engines: Who scored.
        fault: What broke, if the episode ended that way or could not be scored.
        traffic: What its process asked language models for since its last outcome.
    """

    line: bytes
    row: Row
    engines: frozenset[str]
    fault: str | None
    traffic: Traffic


@dataclass
class State:
    """How far an evaluation is.

    Attributes:
        total: Episodes in all.
        done: Those that are over, or were there before.
        faults: Those of them that broke.
        policy: Whose episode came last.
        traffic: What language models were asked for; kept episodes ask for nothing.
    """

    total: int
    done: int = 0
    faults: int = 0
    policy: str = ""
    traffic: Traffic = field(default_factory=Traffic)

    def add(self, task: Task, outcome: Outcome) -> None:
        """Count an episode."""
        self.done += 1
        self.faults += outcome.fault is not None
        self.policy = task.policy
        self.traffic.add(outcome.traffic)


_SURPLUS = 1.25

Progress = Callable[[State], None]


@dataclass
class Report:
    """What an evaluation came to.

    Attributes:
        summary: What ``summary.json`` holds.
        engines: Who scored; more than one means that figures cannot be compared with each other.
        faults: For each policy that had any, what broke, once an episode.
        failed: Policies of which every episode broke.
        traffic: What language models were asked for.
    """

    summary: Summary = field(default_factory=dict)
    engines: set[str] = field(default_factory=set)
    faults: dict[str, list[str]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    traffic: Traffic = field(default_factory=Traffic)


class _Stage(threading.local):
    """What one thread plays with; built once and used again."""

    env: Encounter | None = None
    judge: Judge | None = None

    def __init__(self) -> None:
        self.clinicians: dict[str, Clinician] = {}


class Player:
    """Plays and scores tasks in one process, for any number of threads."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._cases: dict[str, Case] = {case.id: case for case in plan.cases}
        self._stage = _Stage()
        configure(plan.models)
        if plan.models_play:
            _warm_up(plan)

    def __call__(self, job: tuple[Task, bytes | None]) -> Outcome:
        """Play a task, unless its episode is given, and score it."""
        task, line = job
        # Scores are taken from the line, not from the live episode: what is reported is what the file gives.
        line = line or self._play(task).to_json()
        episode = Episode.from_json(line)
        case = self._cases[task.case]
        scores, fault = {}, episode.fault
        try:
            scores = self._judge().score(episode, case)
        except Exception as error:
            fault = fault or f"could not be scored: {_told(error)}"
        engines = frozenset(score.engine for score in scores.values())
        return Outcome(line, Row.of(episode, case, scores, fault), engines, fault, METER.take())

    def _judge(self) -> Judge:
        if self._stage.judge is None:
            self._stage.judge = make_judge(self._plan.config.judge, cases=self._plan.cases)
        return self._stage.judge

    def _play(self, task: Task) -> Episode:
        config, stage = self._plan.config, self._stage
        try:
            if stage.env is None:
                stage.env = make(
                    config.env,
                    cases=self._plan.cases,
                    persona=config.persona,
                    noise=config.noise,
                    verifier=config.verifier,
                    patient=config.patient,
                    orchestrator=config.orchestrator,
                    **({"documents": True} if config.documents else {}),
                    reward=None,  # scores are taken from the record, at the end
                    **_particular(config),
                )
            if task.policy not in stage.clinicians:
                stage.clinicians[task.policy] = make_clinician(
                    task.policy, cases=self._plan.known, source=config.cases, sampling=self._plan.sampling
                )
            options = {"case": task.case, "run": task.run}
            episode = rollout(stage.env, stage.clinicians[task.policy], task.seed, options)
            return episode.model_copy(update={"policy": task.policy})
        except Exception as error:
            return self._broken(task, _told(error))

    def _broken(self, task: Task, fault: str) -> Episode:
        """Keep what was said until it broke; for the next episode build anew, as this state is unknown."""
        stage = self._stage
        env, stage.env = stage.env, None
        clinician = stage.clinicians.pop(task.policy, None)
        known: dict[str, Any] = {
            "env": self._plan.config.env,
            "scope": "interview" if self._plan.kind == "diagnosis" else "discharge",
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
                usage = env.episode.usage + getattr(clinician, "usage", Usage())
                return env.episode.model_copy(update=known | {"usage": usage})
        except Exception:  # noqa: S110  # an encounter that broke early has no episode to give
            pass
        persona = draw_persona(self._plan.config.persona, self._plan.config.noise, task.seed, task.case)
        return Episode(persona=persona, **known)


def _particular(config: RunConfig) -> dict[str, Any]:
    """What only one encounter takes, or has a default of its own."""
    particular: dict[str, Any] = {} if config.max_turns is None else {"max_turns": config.max_turns}
    return particular if config.briefing == "full" else particular | {"briefing": config.briefing}


def _warm_up(plan: Plan) -> None:
    """Load lexicons and tables once: threads that begin together would each load them."""
    with suppress(Exception):  # what is wrong is told by the episodes
        env = make(plan.config.env, cases=plan.cases, reward=None)
        env.reset(seed=0)
        env.step("Hello, how are you?")


def _told(error: Exception) -> str:
    """Describe an exception in one line that is the same on every machine and in every process."""
    if isinstance(error, ChatError):
        return f"{type(error).__name__}: {' '.join(str(error).split())}"
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    text = re.sub(r"0x[0-9a-f]+", "0x…", " ".join(str(error).split()))
    return f"{type(error).__name__}: {text}{place}"


def evaluate(
    plan: Plan,
    out: Path,
    *,
    workers: int = 1,
    concurrency: int = 1,
    resume: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Run a plan, or the rest of it, and write the run folder.

    Args:
        plan: What to run.
        out: The run folder.
        workers: Processes; the result does not depend on it.
        concurrency: Most calls at once to one endpoint, if language models take part; nor on this. Some more episodes
            than that are played at once, so that the endpoint need not wait for them.
        resume: Go on with what the folder holds.
        progress: Called once before the first episode and after each.

    Returns:
        The summary, which also stands in the folder, and what went wrong.

    Raises:
        RunError: The folder cannot be used or written.
        WorkerError: A worker process died.
    """
    # Workers are the parallelism; numeric libraries that start threads besides only get in their way.
    for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "TOKENIZERS_PARALLELISM"):
        os.environ.setdefault(variable, "false" if variable.startswith("TOK") else "1")
    total = len(plan.tasks)
    workers = min(workers, total)
    threads = 1
    if plan.models_play:
        plan = replace(plan, models=replace(plan.models, concurrency=ceil(concurrency / workers)))
        threads = ceil(min(concurrency if concurrency == 1 else _SURPLUS * concurrency, total) / workers)
    columns = ScoreColumns(total)
    state, report = State(total), Report()
    with RunFolder.open(out, plan.config, plan.tasks, resume=resume) as folder:
        if progress:
            progress(state)
        jobs = ((task, folder.kept(task)) for task in plan.tasks)
        faults: dict[int, str] = {}
        with closing(as_completed(partial(Player, plan), jobs, workers, threads)) as results:
            for number, outcome in results:
                task = plan.tasks[number]
                if folder.kept(task) is None:
                    folder.append(outcome.line)
                columns.add(number, outcome.row)
                report.engines |= outcome.engines
                if outcome.fault:
                    faults[number] = outcome.fault
                state.add(task, outcome)
                if progress:
                    progress(state)
        scores = columns.table()
        report.summary = _summary(score_tables(scores, plan.config.runs), plan.config.seed)
        _tell_faults(report, plan, faults)
        report.traffic = state.traffic
        # The summary comes last: where it stands, the run is finished.
        folder.finish(
            {SCORES: to_parquet(scores), SUMMARY: orjson.dumps(report.summary, option=orjson.OPT_INDENT_2) + b"\n"}
        )
    return report


def _summary(tables: Tables, seed: int) -> Summary:
    return {
        policy: {name: asdict(mean_interval(values, seed)) for name, values in scores.items()}
        for policy, scores in tables.items()
    }


def _tell_faults(report: Report, plan: Plan, faults: dict[int, str]) -> None:
    """Enter what broke, in the order of the tasks."""
    for number, fault in sorted(faults.items()):
        task = plan.tasks[number]
        report.faults.setdefault(task.policy, []).append(f"{task.case} run {task.run}: {fault}")
    each = len(plan.cases) * plan.config.runs
    report.failed = [policy for policy, faults in report.faults.items() if len(faults) == each]
