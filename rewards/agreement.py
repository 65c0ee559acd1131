"""How far do two raters agree? Chance-corrected and plain statistics, with bootstrap intervals over the rated items.

A rater may be a person, a judge or a verifier. A statistic that is not defined for the ratings at hand, such as kappa
when both raters gave one and the same grade throughout, is None and not a number that looks like agreement.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "STATISTICS",
    "Interval",
    "average",
    "bootstrap",
    "cohen_kappa",
    "expand",
    "f1",
    "gwet_ac2",
    "percent_agreement",
    "relative_reduction",
    "spearman",
    "weighted_kappa",
]

Ratings = Sequence[float]
Matrix = NDArray[np.float64]
Statistic = Callable[[Ratings, Ratings], float | None]


class Interval(NamedTuple):
    """A statistic with its bootstrap interval; the bounds are None when too few resamples had a value."""

    value: float | None
    low: float | None
    high: float | None
    n: int


def _table(first: Ratings, second: Ratings, categories: Ratings | None = None) -> Matrix:
    """Return the joint distribution of two raters over the categories that were used, in their order."""
    if len(first) != len(second):
        raise ValueError(f"two raters of the same items are needed, not {len(first)} and {len(second)} ratings")
    if not len(first):
        raise ValueError("no items were rated by both")
    used = sorted(set(categories) if categories is not None else {*first, *second})
    place = {category: number for number, category in enumerate(used)}
    table = np.zeros((len(used), len(used)))
    for one, other in zip(first, second, strict=True):
        table[place[one], place[other]] += 1
    return table / len(first)


def _quadratic(categories: Ratings) -> Matrix:
    """Return weights that fall with the square of the distance of two grades; 1 for the same, 0 for the ends."""
    values = np.asarray(sorted(set(categories)), dtype=float)
    spread = float(values[-1] - values[0]) or 1.0
    weights: Matrix = 1.0 - ((values[:, None] - values[None, :]) / spread) ** 2
    return weights


def percent_agreement(first: Ratings, second: Ratings) -> float | None:
    """Return the share of items with the same rating."""
    return float(np.trace(_table(first, second)))


def cohen_kappa(first: Ratings, second: Ratings) -> float | None:
    """Return Cohen's kappa (Cohen 1960); None when chance alone would make the raters agree on everything."""
    table = _table(first, second)
    return _kappa(table, np.eye(len(table)))


def weighted_kappa(first: Ratings, second: Ratings, weights: Matrix | None = None) -> float | None:
    """Return Cohen's weighted kappa (Cohen 1968), by default with quadratic weights.

    Args:
        first: Ratings of one rater, numbers on an ordinal scale.
        second: Ratings of the other, item by item.
        weights: Weights of agreement for each pair of categories in ascending order.
    """
    table = _table(first, second)
    return _kappa(table, _quadratic([*first, *second]) if weights is None else weights)


def _kappa(table: Matrix, weights: Matrix) -> float | None:
    observed = float((weights * table).sum())
    chance = float((weights * np.outer(table.sum(axis=1), table.sum(axis=0))).sum())
    return None if np.isclose(chance, 1.0) else (observed - chance) / (1.0 - chance)


def gwet_ac2(first: Ratings, second: Ratings, scale: Ratings | None = None) -> float | None:
    """Return Gwet's AC2 with quadratic weights (Gwet 2014); with two categories it is his AC1.

    Args:
        first: Ratings of one rater.
        second: Ratings of the other, item by item.
        scale: All grades that could be given; by default those that were.

    Returns:
        The coefficient; None when only one grade exists.
    """
    grades = sorted({*first, *second, *(scale or ())})
    table = _table(first, second, grades)
    count = len(grades)
    if count < 2:
        return None
    weights = _quadratic(grades)
    shares = (table.sum(axis=1) + table.sum(axis=0)) / 2
    observed = float((weights * table).sum())
    chance = float(weights.sum() / (count * (count - 1)) * (shares * (1 - shares)).sum())
    return None if np.isclose(chance, 1.0) else (observed - chance) / (1.0 - chance)


def spearman(first: Ratings, second: Ratings) -> float | None:
    """Return Spearman's rank correlation, ties at their mean rank; None when a rater gave one grade only."""
    one, other = _ranks(first), _ranks(second)
    if len(one) != len(other):
        raise ValueError("two raters of the same items are needed")
    if one.size < 2 or not one.std() or not other.std():
        return None
    return float(np.corrcoef(one, other)[0, 1])


def _ranks(values: Ratings) -> Matrix:
    _, places, counts = np.unique(np.asarray(values, dtype=float), return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks: Matrix = ((ends - counts + 1 + ends) / 2)[places]
    return ranks


STATISTICS: dict[str, Statistic] = {
    "percent": percent_agreement,
    "kappa": cohen_kappa,
    "weighted_kappa": weighted_kappa,
    "ac2": gwet_ac2,
    "spearman": spearman,
}
"""All statistics of two raters, by the name that tables use."""


def bootstrap(
    statistic: Statistic, first: Ratings, second: Ratings, *, samples: int = 1000, level: float = 0.95, seed: int = 0
) -> Interval:
    """Return a statistic with its percentile interval over resampled items.

    Args:
        statistic: One of :data:`STATISTICS`, or any function of two raters.
        first: Ratings of one rater.
        second: Ratings of the other, item by item.
        samples: Resamples to draw.
        level: Coverage of the interval.
        seed: Of the resampling.
    """
    value = statistic(first, second)
    one, other = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(samples):
        drawn = rng.integers(len(one), size=len(one))
        again = statistic(one[drawn].tolist(), other[drawn].tolist())
        if again is not None:
            found.append(again)
    if value is None or len(found) < samples / 2:
        return Interval(value, None, None, len(one))
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2])
    return Interval(value, float(low), float(high), len(one))


def expand(*, tp: int, fp: int, fn: int, tn: int) -> tuple[list[float], list[float]]:
    """Return the two raters of a confusion matrix: predictions and labels, item by item."""
    predicted = [1.0] * (tp + fp) + [0.0] * (fn + tn)
    labelled = [1.0] * tp + [0.0] * fp + [1.0] * fn + [0.0] * tn
    return predicted, labelled


def f1(predicted: Ratings, labelled: Ratings) -> float | None:
    """Return the harmonic mean of precision and recall of the category 1; None when nobody used it."""
    both = sum(p == 1 and t == 1 for p, t in zip(predicted, labelled, strict=True))
    used = sum(p == 1 for p in predicted) + sum(t == 1 for t in labelled)
    return 2 * both / used if used else None


def relative_reduction(before: float, after: float) -> float:
    """Return the share by which a rate fell (VeriSim, table 4)."""
    if not before:
        raise ValueError("a rate of 0 cannot fall")
    return (before - after) / before


def average(values: Sequence[float | None]) -> float | None:
    """Return the mean of the dimensions that were scored, as in the "avg." columns of DischargeSim's tables 1 and 2."""
    scored = [value for value in values if value is not None]
    return sum(scored) / len(scored) if scored else None
