"""How fast a patient answers, and all that follows from it: every budget of the design in one table.

An environment for reinforcement learning must not be what the learner waits for. Turns are measured on one core with
scripted clinicians. A plain text environment of Gymnasium that does nothing is measured in the same minute: the ratio
says what a verified patient costs, on any machine; :data:`LIMITS` holds it, so that a change that makes turns slow is
found by the tests. Exit code 1 if a budget is missed.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Annotated, Any

import gymnasium
import numpy as np
import orjson
import typer
from gymnasium.spaces import Dict, Text
from rich import box
from rich.console import Console
from rich.table import Table

from bedside.benchmarks.budgets import (
    Figure,
    measure_endpoint,
    measure_evaluation,
    measure_retrieval,
    measure_training,
)
from bedside.benchmarks.command import complain, console_width, invoke
from bedside.benchmarks.protocols import PROTOCOLS
from bedside.cases.case import Case
from bedside.cases.seeds import derive_seed
from bedside.cases.sources import load_cases
from bedside.clinicians.registry import make_clinician
from bedside.collector import settle_collector
from bedside.registry import make

__all__ = ["LIMITS", "SECTIONS", "app", "measure_import", "measure_turns", "turn_ratios"]

# What they say is what the patient has to understand: a plain educator, the one that talks most, and a doctor.
PAIRS = (("discharge", "checklist"), ("discharge", "teachback"), ("diagnosis", "infogain"))

SECTIONS = ("turns", "import", "evaluation", "retrieval", "endpoint", "training")

LIMITS = {"discharge, checklist": 10_000, "discharge, teachback": 25_000, "diagnosis, infogain": 25_000}
"""Most steps of a plain text environment that a verified turn may cost: some twice what it does."""

TURNS_PER_SECOND = 500.0
P99_MS = 10.0
IMPORT_SECONDS = 0.5

IMPORT_PROBE = "import sys, bedside; print('torch' in sys.modules)"


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


def measure_turns(seconds: float) -> list[Figure]:
    """Measure turns on one core.

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
    return figures


def turn_ratios(rounds: int = 3, turns: int = 30) -> dict[str, float]:
    """Measure what a verified turn costs in steps of a plain text environment, cheaply and whatever the load.

    Args:
        rounds: Both are measured that often, in turn, by the time of the processor, and the best of each counts: what
            else the machine does can only add.
        turns: Of the encounters of one round.
    """
    return {f"{kind}, {policy}": _ratio(kind, policy, rounds, turns) for kind, policy in PAIRS}


def _ratio(kind: str, policy: str, rounds: int, turns: int) -> float:
    cases = tuple(load_cases("open"))[::80]
    env = make(PROTOCOLS[kind].env, cases=cases, reward=None)
    clinician = make_clinician(policy, cases=cases, source="open")
    _warm(env, cases)
    plain, verified = [], []
    for _ in range(rounds):
        plain.append(1 / _plain_steps_per_second(20_000, time.process_time))
        encounters = _rounds([case.id for case in cases])
        steps: list[float] = []
        while len(steps) < turns:
            steps += _encounter(env, clinician, *next(encounters), time.process_time)
        verified.append(float(np.mean(steps)))
    return min(verified) / min(plain)


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
    cases = tuple(load_cases("open"))[::5]
    env = make(PROTOCOLS[kind].env, cases=cases, reward="default" if rewarded else None)
    clinician = make_clinician(policy, cases=cases, source="open")
    rounds = _rounds([case.id for case in cases])
    _warm(env, cases)
    steps: list[float] = []
    begin = time.perf_counter()
    while (whole := time.perf_counter() - begin) < seconds:
        steps += _encounter(env, clinician, *next(rounds))
    return steps, whole


def _warm(env: Any, cases: tuple[Case, ...]) -> None:
    """Build the tables of each case, which all later encounters with it share."""
    for case in cases:
        env.reset(seed=0, options={"case": case.id})
        env.step("Hello, how are you?")
    settle_collector()  # as in a worker


def _rounds(cases: list[str]) -> Iterator[tuple[str, int]]:
    run = 0
    while True:
        yield from ((case, run) for case in cases)
        run += 1


def _encounter(
    env: Any, clinician: Any, case: str, run: int, clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    seed = derive_seed("throughput", case, run)
    observation, _ = env.reset(seed=seed, options={"case": case, "run": run})
    clinician.reset(seed)
    steps, done = [], False
    while not done:
        action = clinician.act(observation)
        begin = clock()
        observation, _, terminated, truncated, _ = env.step(action)
        steps.append(clock() - begin)
        done = terminated or truncated
    return steps


def _plain_steps_per_second(count: int = 50_000, clock: Callable[[], float] = time.perf_counter) -> float:
    env = PlainText()
    env.reset(seed=0)
    begin = clock()
    for _ in range(count):
        env.step("How are you?")
    return count / (clock() - begin)


def measure_import(tries: int = 3) -> list[Figure]:
    """Measure the least wall time of a process that imports bedside, less that of one that imports nothing.

    Args:
        tries: How many processes of each kind.
    """
    command = [sys.executable, "-c"]
    empty, full, out = [], [], b""
    for _ in range(tries):
        begin = time.perf_counter()
        subprocess.run([*command, "import sys"], check=True)  # noqa: S603  # our own interpreter
        middle = time.perf_counter()
        out = subprocess.run([*command, IMPORT_PROBE], check=True, capture_output=True).stdout  # noqa: S603
        empty.append(middle - begin)
        full.append(time.perf_counter() - middle)
    return [
        Figure("import bedside, fresh process", max(0.0, min(full) - min(empty)), "s", IMPORT_SECONDS),
        Figure("import bedside: torch imported", float(out.strip() == b"True"), "", 0.0),
    ]


def _table(figures: list[Figure]) -> Table:
    table = Table("what", box=box.SIMPLE)
    for title in ("measured", "unit", "budget", ""):
        table.add_column(title, justify="left" if title == "unit" else "right")
    for figure in figures:
        bound = "" if figure.budget is None else f"{'>=' if figure.at_least else '<='} {figure.budget:g}"
        mark = "" if figure.budget is None else "pass" if figure.passed else "FAIL"
        table.add_row(figure.name, f"{figure.value:,.3g}", figure.unit, bound, mark)
    return table


@contextmanager
def _one_core() -> Iterator[None]:
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def throughput(
    only: Annotated[
        str, typer.Option(help=f"Which: {', '.join(SECTIONS)}; left out: all.", metavar="NAME[,NAME…]")
    ] = "",
    seconds: Annotated[float, typer.Option(help="Turns: how long to play in each environment.", min=0.1)] = 5.0,
    episodes: Annotated[
        int,
        typer.Option(
            help="Endpoint: how many episodes; of few, the start of the processes is what is measured.", min=1
        ),
    ] = 2880,
    concurrency: Annotated[int, typer.Option(help="Endpoint: most calls at once.", min=1)] = 64,
    workers: Annotated[int, typer.Option(help="Evaluation and endpoint: processes.", min=1)] = 2,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of the table.")] = False,
) -> None:
    """Measure every budget of the design: turns, import, evaluation, retrieval, endpoint, training."""
    wanted = [name.strip() for name in only.split(",") if name.strip()] or list(SECTIONS)
    if unknown := [name for name in wanted if name not in SECTIONS]:
        raise typer.Exit(complain(f"unknown section {unknown[0]!r}; there are {', '.join(SECTIONS)}", 2))
    figures: list[Figure] = []
    for name in wanted:
        match name:
            case "turns":
                with _one_core():
                    figures += measure_turns(seconds)
            case "import":
                figures += measure_import()
            case "evaluation":
                figures += measure_evaluation(workers)
            case "retrieval":
                figures += measure_retrieval()
            case "endpoint":
                figures += measure_endpoint(episodes, concurrency, workers)
            case "training":
                figures += measure_training()
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
