"""The free parameters of the patient's memory, fitted to the printed effects: a coordinate search on half of the cases.

Few numbers are free (:data:`FREE`); the others come from the literature named in :mod:`bedside.envs.mind`. What is
found here is reported on the other half, and written into the table by hand, so that a default never moves unseen.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from bedside.benchmarks.crew import as_completed
from bedside.benchmarks.effect_rows import ROWS, Row
from bedside.benchmarks.effects import Effects, jobs_of
from bedside.cases.case import Case
from bedside.cases.persona import PROFILES_OF_DISCHARGESIM
from bedside.envs.mind import LEARNING, Learning

__all__ = ["FREE", "fit", "misfit"]

FREE = {
    "gain": (0.4, 0.8, 0.06),
    "distress": (0.2, 0.7, 0.1),
    "distrust": (0.2, 0.7, 0.1),
    "demand": (0.7, 1.0, 0.05),
    "recall_demand": (0.45, 1.0, 0.1),
}
"""Lowest and highest value and first step of each; of the two demands, the upper end of the range."""

_ROUNDS = 2
_PROFILES = PROFILES_OF_DISCHARGESIM[::4]
"""Some of the exam's patients, of every literacy, schooling and temper: a fit asks for the talks dozens of times."""


def misfit(rows: Sequence[Row]) -> float:
    """Return the sum of squared distances to the printed values, each in units of its tolerance."""
    return sum(
        ((row.ours.mean - row.printed) / row.tolerance) ** 2
        for row in rows
        if row.printed is not None and row.tolerance and row.ours.mean is not None
    )


def fit(
    cases: Sequence[Case],
    start: Learning = LEARNING,
    loss: Callable[[Learning], float] | None = None,
    rounds: int = _ROUNDS,
    workers: int = 1,
) -> Iterator[tuple[Learning, float]]:
    """Search one parameter at a time, with steps that halve each round.

    Args:
        cases: The half to fit on.
        start: Where to begin.
        loss: What to make small; by default the misfit of the discharge rows on these cases.
        rounds: Passes over all parameters.
        workers: Processes; the result is the same.

    Yields:
        Parameters and their loss: the start, then each improvement.
    """
    measured = loss or (lambda learning: _misfit_of(learning, cases, workers))
    best, least = start, measured(start)
    yield best, least
    for number in range(rounds):
        for name, (low, high, step) in FREE.items():
            for change in (step / 2**number, -step / 2**number):
                tried = _moved(best, name, change, low, high)
                found = measured(tried)
                if found < least:
                    best, least = tried, found
                    yield best, least
                    break


def _misfit_of(learning: Learning, cases: Sequence[Case], workers: int) -> float:
    build = partial(Effects, learning=learning, profiles=_PROFILES)
    found = dict(as_completed(build, jobs_of("talks", cases), workers))
    return misfit(ROWS["talks"]([found[number] for number in sorted(found)]))


def _moved(learning: Learning, name: str, change: float, low: float, high: float) -> Learning:
    value = getattr(learning, name)
    if isinstance(value, tuple):
        return learning.model_copy(update={name: (value[0], _within(value[1] + change, low, high))})
    return learning.model_copy(update={name: _within(value + change, low, high)})


def _within(value: float, low: float, high: float) -> float:
    return round(min(high, max(low, value)), 3)
