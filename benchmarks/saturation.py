"""How well an evaluation keeps an endpoint busy: calls a second, one at a time and many, at a latency of 200 ms.

A language model is slow and its endpoint serves many at once, so a loop that asks one thing at a time leaves nearly all
of it unused. The endpoint here is a mock in a process of its own, and counts for itself.
"""

import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from bedside.benchmarks.evaluate import Workforce, evaluate
from bedside.benchmarks.plan import Settings, make_plan
from bedside.chat import mock_endpoint

__all__ = ["LATENCY_S", "Saturation", "saturate"]

LATENCY_S = 0.2


@dataclass(frozen=True)
class Saturation:
    """What the endpoint saw.

    Attributes:
        rate: Calls a second, begin and end of the run left out.
        calls: In all.
        peak: Most at once.
        cpu_s: Processor time of a call in all processes of the evaluation, their start included.
    """

    rate: float
    calls: int
    peak: int
    cpu_s: float


def saturate(kind: str, episodes: int, concurrency: int, workers: int) -> Saturation:
    """Let a model behind an endpoint play.

    Args:
        kind: ``discharge`` or ``diagnosis``.
        episodes: About how many; each is nine calls.
        concurrency: Most calls at once.
        workers: Processes.
    """
    with _endpoint() as seen, TemporaryDirectory() as folder:
        before = _cpu_s()
        settings = Settings(kind, policies=(f"openai/mock?base_url={seen.url}",))
        cases = make_plan(settings).config.case_count
        runs = max(1, round(episodes / cases))
        plan = make_plan(Settings(kind, policies=settings.policies, runs=runs, limit=min(cases, episodes)))
        evaluate(plan, Path(folder) / "run", Workforce(workers, concurrency))
        used = _cpu_s() - before
    calls = sum(seen.told["served"].values())
    return Saturation(seen.told["rate"], calls, seen.told["peak"], used / calls)


@dataclass
class _Seen:
    url: str
    told: dict[str, Any] = field(default_factory=dict)


@contextmanager
def _endpoint() -> Iterator[_Seen]:
    command = [sys.executable, "-m", mock_endpoint.__name__, "--latency", str(LATENCY_S)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603  # our own interpreter
    assert process.stdout is not None
    seen = _Seen(process.stdout.readline().strip())
    try:
        yield seen
    finally:
        process.terminate()
        seen.told |= orjson.loads(process.communicate()[0])


def _cpu_s() -> float:
    """Return the processor time of this process and of its children that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)
