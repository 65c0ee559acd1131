"""Rows of the calibration table: one printed value of the papers beside ours, with its interval."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bedside.benchmarks.effects import LEVELS, NOISES, TURN_LIMIT, Effect, Found, measure_wording
from bedside.benchmarks.stats.intervals import Interval, difference_interval, mean_interval
from bedside.cases.case import Case
from bedside.cases.persona import PERSONALITIES_OF_DISCHARGEBENCH
from bedside.verifier.knowledge.encoder import SentenceEncoder

__all__ = ["ROWS", "Row", "surface_rows", "talk_rows"]

_COSTS = ((-9.7, 19.0), (-15.3, 34.5), (-18.0, 52.0))
"""Points of accuracy and per cent of turns that one, two and three pillars cost (VeriSim, table A7)."""

_SWEEP = ((0.12, 99.6), (0.34, 95.1), (0.51, 94.0), (0.63, 93.3))
"""Surface variation and preservation by level (VeriSim, table A2)."""


class Row(NamedTuple):
    """One printed value beside ours.

    Attributes:
        name: What it is.
        printed: The paper's value; None where it gives only a direction.
        ours: Our value with its interval.
        tolerance: How far ours may be away; None where it must not be lower.
        judged: False for rows that are shown for orientation: a clean doctor need not be the paper's.
    """

    name: str
    printed: float | None
    ours: Interval
    tolerance: float | None
    judged: bool = True

    @property
    def within(self) -> bool:
        """True when ours is where it should be; without a printed value, when the whole interval is below 0."""
        if self.ours.mean is None or self.ours.high is None:
            return False
        if self.printed is None:
            return self.ours.high < 0
        if self.tolerance is None:
            return self.ours.mean >= self.printed
        return abs(self.ours.mean - self.printed) <= self.tolerance


def interview_rows(found: Sequence[Found]) -> list[Row]:
    """Say what noise costs the information-gain doctor in accuracy and turns (VeriSim, table A7)."""
    accuracy, turns = 100 * _table(found, "accuracy"), _table(found, "turns")
    clean = turns[:, 0]
    rows = [
        Row("accuracy of infogain, no noise (%)", 84.5, mean_interval(accuracy[:, 0], "clean"), None, judged=False),
        Row("turns of infogain, no noise", None, mean_interval(clean, "clean"), None, judged=False),
    ]
    for column, (noise, (lost, longer)) in enumerate(zip(NOISES[1:], _COSTS, strict=True), 1):
        change = difference_interval(accuracy[:, column], accuracy[:, 0], noise)
        more = mean_interval(100 * (turns[:, column] - clean) / clean.mean(), noise)
        rows += [
            Row(f"accuracy change, {noise} (points)", lost, change, 4.0),
            Row(f"turns, {noise} (%)", longer, more, 10.0),
        ]
    return rows


def wording_rows(found: Sequence[Found]) -> list[Row]:
    """Say how far wording moves, and how much of it stays true, as two pillars rise (VeriSim, table A2).

    Distance is in units of that between answers about different things, the mean of all cases: 1 is "as far apart as
    answers to different questions".
    """
    distance, preserved = _table(found, "distance"), 100 * _table(found, "preserved")
    distance = distance / _table(found, "apart").mean()
    rows = []
    for number, (level, (variation, true)) in enumerate(zip(LEVELS, _SWEEP, strict=True)):
        moved, kept = mean_interval(distance[:, number], "surface"), mean_interval(preserved[:, number], "surface")
        rows += [
            Row(f"surface variation, two pillars at {level}", variation, moved, 0.08),
            Row(f"first drafts true, two pillars at {level} (%)", true, kept, None),
        ]
    return rows


def surface_rows(cases: Sequence[Case]) -> list[Row]:
    """Measure these cases here and now; see :func:`wording_rows`."""
    encoder = SentenceEncoder()
    return wording_rows([measure_wording(case, encoder) for case in cases])


def talk_rows(found: Sequence[Found]) -> list[Row]:
    """Say what teaching is worth (DischargeSim, DischargeBench).

    The exam is averaged over the profiles of DischargeSim; poor is the mean of the silent and the keyword-spam
    educator, excellent the teach-back expert without a limit but the environment's. TCS and SCS are the teach-back
    expert's within :data:`TURN_LIMIT` turns over the tempers of DischargeBench.
    """
    poor, excellent = 100 * _table(found, "poor"), 100 * _table(found, "excellent")
    rows = [
        Row("exam, poor educators (%)", 53.0, mean_interval(poor, "poor"), 6.0),
        Row("exam, excellent educator (%)", 85.0, mean_interval(excellent, "best"), 5.0),
    ]
    for name, printed in (("tcs", 0.70), ("scs", 0.72)):
        ours = mean_interval(_table(found, name), name)
        rows.append(Row(f"{name.upper()}, teachback, {TURN_LIMIT} turns", printed, ours, 0.07))
    scs = dict(zip(PERSONALITIES_OF_DISCHARGEBENCH, _table(found, "scs").T, strict=True))
    for temper in ("anxious", "distrustful"):
        lower = difference_interval(scs[temper], scs["neutral"], temper)
        rows.append(Row(f"SCS, {temper} minus neutral", None, lower, None))
    return rows


ROWS: Mapping[Effect, Callable[[Sequence[Found]], list[Row]]] = {
    "interviews": interview_rows,
    "wordings": wording_rows,
    "talks": talk_rows,
}
"""What becomes of the cases that an effect was measured on."""


def _table(found: Sequence[Found], name: str) -> NDArray[np.float64]:
    """Return a measure with one row a case."""
    return np.stack([one[name] for one in found])
