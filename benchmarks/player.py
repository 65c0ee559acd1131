"""Playing and scoring one episode: what a worker does, be it a process, a thread or an actor elsewhere.

An exception inside an episode becomes an episode that says so: it stops nothing and scores nothing, and is played again
when the run is resumed.
"""

import re
import threading
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bedside.benchmarks.folder import Task
from bedside.benchmarks.plan import Plan
from bedside.benchmarks.runs import RunConfig
from bedside.benchmarks.scores import Row
from bedside.cases.case import Case
from bedside.cases.persona import draw_persona, profiles
from bedside.chat.meter import METER, Traffic
from bedside.chat.model import ChatError
from bedside.chat.providers import configure
from bedside.clinicians.clinician import Clinician
from bedside.clinicians.registry import make_clinician
from bedside.clinicians.rollout import rollout
from bedside.envs.encounter import Encounter
from bedside.envs.episode import Episode, StopReason, Usage
from bedside.registry import make
from bedside.rewards.combined import EncounterReward
from bedside.rewards.judges import Judge, make_judge
from bedside.rewards.score import Score
from bedside.rewards.weights import RewardWeights
from bedside.verifier.language.lexicon import core

__all__ = ["Outcome", "Player"]


@dataclass(frozen=True)
class Outcome:
    """What a worker sends back.

    Attributes:
        line: The episode as it stands in ``episodes.jsonl``.
        row: What goes into ``scores.parquet``.
        fault: What broke, if the episode ended that way or could not be scored.
        seconds: That it took to play; None if it was given.
        traffic: What its process asked language models for since its last outcome.
    """

    line: bytes
    row: Row
    fault: str | None
    seconds: float | None
    traffic: Traffic


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
        core()  # read now, so that the first episode takes no longer than the others
        if plan.models_take_part and not plan.played:
            _warm_up(plan)

    def __call__(self, job: tuple[Task, bytes | None]) -> Outcome:
        """Play a task, unless its episode is given, and score it."""
        task, line = job
        # Scores are taken from the line, not from the live episode: what is reported is what the file gives.
        seconds = None
        if line is None:
            start = time.perf_counter()
            line = self._play(task).to_json()
            seconds = time.perf_counter() - start
        episode = Episode.from_json(line)
        case = self._cases[task.case]
        scores: dict[str, Score] = {}
        fault = episode.fault
        try:
            scores = self._scored(episode, case)
        except Exception as error:
            fault = fault or f"could not be scored: {_told(error)}"
        return Outcome(line, Row.of(episode, case, scores, fault), fault, seconds, METER.take())

    def _scored(self, episode: Episode, case: Case) -> dict[str, Score]:
        scores, weights = self._judge().score(episode, case), self._plan.config.reward
        # The judges weigh as the environments do by default.
        return (
            scores if weights == RewardWeights() else scores | {"reward": EncounterReward(weights).score(episode, case)}
        )

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
                    persona=profiles(config.persona)[0],
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
            options = {"case": task.case, "run": task.run, "persona": self._profile(task)}
            episode = rollout(stage.env, stage.clinicians[task.policy], task.seed, options)
            return episode.model_copy(update={"policy": task.policy})
        except Exception as error:
            return self._broken(task, _told(error))

    def _profile(self, task: Task) -> str:
        met = profiles(self._plan.config.persona)
        return met[task.run % len(met)]

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
        persona = draw_persona(self._profile(task), self._plan.config.noise, task.seed, task.case)
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
