"""How fast a patient answers: time per verified turn, of whole encounters, and of ``import bedside``.

An environment for reinforcement learning must not be what the learner waits for. This script measures on one
core with scripted clinicians and holds the figures against the budgets of the design. A plain text
environment of Gymnasium that does nothing is measured in the same minute: the ratio says what a verified
patient costs, on any machine. With ``--endpoint`` it measures instead how well encounters with a language model keep an
endpoint busy. Exit code 1 if a budget is missed.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import gymnasium
import numpy as np
import orjson
import typer
from gymnasium.spaces import Dict, Text
from rich import box
from rich.console import Console
from rich.table import Table

from bedside.benchmarks.command import console_width, invoke
from bedside.benchmarks.protocols import PROTOCOLS
from bedside.benchmarks.saturation import LATENCY_S, saturate
from bedside.cases.seeds import derive_seed
from bedside.cases.sources import load_cases
from bedside.clinicians.registry import make_clinician
from bedside.registry import make

__all__ = ["Figure", "app", "measure", "measure_endpoint"]

# What they say is what the patient has to understand: a plain educator, the one that talks most, and a doctor.
PAIRS = (("discharge", "checklist"), ("discharge", "teachback"), ("diagnosis", "infogain"))

TURNS_PER_SECOND = 500.0
P99_MS = 10.0
IMPORT_SECONDS = 0.5
SPEEDUP = 30.0
SHARE = 0.85

IMPORT_PROBE = "import sys, bedside; print('torch' in sys.modules)"


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


class PlainText(gymnasium.Env[dict[str, str], str]):
    """The least that a text environment does, as a yardstick."""

    def __init__(self) -> None:
        self.action_space = Text(1000)
        self.observation_space: Any = Dict({"patient": Text(1000)})

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, str], dict[str, Any]]:
        """Begin."""
        super().reset(seed=seed, options=options)
        return {"patient": "Hello"}, {}

    def step(self, action: str) -> tuple[dict[str, str], float, bool, bool, dict[str, Any]]:
        """Answer the same to everything."""
        return {"patient": "Yes"}, 0.0, not action, False, {}


def measure(seconds: float) -> list[Figure]:
    """Measure everything.

    Args:
        seconds: How long to play in each environment.
    """
    figures = []
    plain = _plain_steps_per_second()
    for kind, policy in PAIRS:
        steps, whole = _play(kind, policy, seconds, rewarded=False)
        rewarded, _ = _play(kind, policy, seconds, rewarded=True)
        rate = 1 / float(np.median(steps))
        p99 = 1000 * float(np.quantile(steps, 0.99))
        name = f"{kind}, {policy}"
        figures += [
            Figure(f"{name}: verified turns, median", rate, "turns/s", TURNS_PER_SECOND, at_least=True),
            Figure(f"{name}: time per turn, p99", p99, "ms", P99_MS),
            Figure(f"{name}: with the training reward at every step", 1 / float(np.median(rewarded)), "turns/s"),
            Figure(f"{name}: whole loop with clinician and reset", len(steps) / whole, "turns/s"),
            Figure(f"{name}: steps of a plain text environment per turn", plain / rate, "x"),
        ]
    took, torch = _import()
    figures.append(Figure("import bedside, fresh process", took, "s", IMPORT_SECONDS))
    figures.append(Figure("import bedside: torch imported", float(torch), "", 0.0))
    return figures


def _play(kind: str, policy: str, seconds: float, *, rewarded: bool) -> tuple[list[float], float]:
    """Play encounters for a while.

    Args:
        kind: Which encounter.
        policy: Who speaks.
        seconds: How long.
        rewarded: Whether the environment also computes the training reward.

    Returns:
        Seconds of every step, and seconds of the whole loop.
    """
    cases = tuple(load_cases("open"))
    env = make(PROTOCOLS[kind].env, cases=cases, reward="default" if rewarded else None)
    clinician = make_clinician(policy, cases=cases, source="open")
    rounds = _rounds([case.id for case in cases])
    # The first encounter with a case builds tables that all later ones share.
    for case in cases:
        env.reset(seed=0, options={"case": case.id})
        env.step("Hello, how are you?")
    steps: list[float] = []
    begin = time.perf_counter()
    while (whole := time.perf_counter() - begin) < seconds:
        steps += _encounter(env, clinician, *next(rounds))
    return steps, whole


def _rounds(cases: list[str]) -> Iterator[tuple[str, int]]:
    run = 0
    while True:
        yield from ((case, run) for case in cases)
        run += 1


def _encounter(env: Any, clinician: Any, case: str, run: int) -> list[float]:
    seed = derive_seed("throughput", case, run)
    observation, _ = env.reset(seed=seed, options={"case": case, "run": run})
    clinician.reset(seed)
    steps, done = [], False
    while not done:
        action = clinician.act(observation)
        begin = time.perf_counter()
        observation, _, terminated, truncated, _ = env.step(action)
        steps.append(time.perf_counter() - begin)
        done = terminated or truncated
    return steps


def _plain_steps_per_second(count: int = 50_000) -> float:
    env = PlainText()
    env.reset(seed=0)
    begin = time.perf_counter()
    for _ in range(count):
        env.step("How are you?")
    return count / (time.perf_counter() - begin)


def _import(tries: int = 3) -> tuple[float, bool]:
    """Return the least wall time of a process that imports bedside, less that of one that imports nothing."""
    command = [sys.executable, "-c"]
    empty, full, out = [], [], b""
    for _ in range(tries):
        begin = time.perf_counter()
        subprocess.run([*command, "import sys"], check=True)  # noqa: S603  # our own interpreter
        middle = time.perf_counter()
        out = subprocess.run([*command, IMPORT_PROBE], check=True, capture_output=True).stdout  # noqa: S603
        empty.append(middle - begin)
        full.append(time.perf_counter() - middle)
    return max(0.0, min(full) - min(empty)), out.strip() == b"True"


def _table(figures: list[Figure]) -> Table:
    table = Table("what", box=box.SIMPLE)
    for title in ("measured", "unit", "budget", ""):
        table.add_column(title, justify="left" if title == "unit" else "right")
    for figure in figures:
        bound = "" if figure.budget is None else f"{'>=' if figure.at_least else '<='} {figure.budget:g}"
        mark = "" if figure.budget is None else "pass" if figure.passed else "FAIL"
        table.add_row(figure.name, f"{figure.value:,.3g}", figure.unit, bound, mark)
    return table


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


def throughput(
    seconds: Annotated[float, typer.Option(help="How long to play in each environment.", min=0.1)] = 5.0,
    endpoint: Annotated[
        bool, typer.Option("--endpoint", help="Measure language models at a mock endpoint instead.")
    ] = False,
    episodes: Annotated[int, typer.Option(help="With --endpoint: how many.", min=1)] = 480,
    concurrency: Annotated[int, typer.Option(help="With --endpoint: most calls at once.", min=1)] = 64,
    workers: Annotated[int, typer.Option(help="With --endpoint: processes.", min=1)] = 2,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of the table.")] = False,
) -> None:
    """Measure turns per second on one core, and import time, against the budgets of the design."""
    if endpoint:
        figures = measure_endpoint(episodes, concurrency, workers)
    else:
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        figures = measure(seconds)
    if as_json:
        rows = [asdict(figure) | {"passed": figure.passed} for figure in figures]
        sys.stdout.write(orjson.dumps(rows, option=orjson.OPT_INDENT_2).decode() + "\n")
    else:
        Console(width=console_width()).print(_table(figures))
    if not all(figure.passed for figure in figures):
        raise typer.Exit(1)


app = typer.Typer(add_completion=False)
app.command()(throughput)

if __name__ == "__main__":
    sys.exit(invoke(app, sys.argv[1:], "throughput.py"))
