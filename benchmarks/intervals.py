"""How sure a mean is: percentile bootstrap intervals that resample cases, not episodes.

Repeated runs of one case resemble each other, so they are not independent evidence. Drawing whole cases with
all their runs keeps an interval honest when a benchmark repeats few cases many times. Comparing two policies
or two conditions on the same cases is a question about differences within a case, and gets an interval of its
own: overlap of two separate intervals does not answer it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bedside.cases.seeds import derive_seed

__all__ = ["RESAMPLES", "Floats", "Interval", "difference_interval", "mean_interval"]

RESAMPLES = 10_000
CONFIDENCE = 0.95
# Cells of one block of resampled case numbers: bounds memory at about 32 MB however many cases there are.
BLOCK = 2_000_000

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """A mean over cases and the interval around it.

    Attributes:
        mean: None when nothing was scored.
        low: Lower end; equal to the mean when only one case was scored.
        high: Upper end.
        n: Episodes (for a difference: pairs of episodes) that were scored.
        unscored: Episodes (or pairs) that were not, and are left out.
    """

    mean: float | None
    low: float | None
    high: float | None
    n: int
    unscored: int


def mean_interval(values: ArrayLike, *seed: object, resamples: int = RESAMPLES) -> Interval:
    """Estimate the expected score of a case, with its 95 % case-bootstrap percentile interval.

    Every case weighs the same however many of its runs were scored: the mean is that of the cases' own means.

    Args:
        values: Shape (cases, runs), or (cases,) for single runs; NaN or None marks an unscored episode.
        *seed: Hashed into the seed of the resampling. The same seed and number of scored cases give the same
            resamples.
        resamples: How many case sets are drawn; B in the literature.

    Returns:
        The interval. A case with no scored run is not resampled; its runs are counted in ``unscored``.

    Raises:
        ValueError: ``values`` has more than two dimensions.
    """
    table = _table(values)
    scored = ~np.isnan(table)
    n = int(scored.sum())
    unscored = int(table.size) - n
    if n == 0:
        return Interval(None, None, None, 0, unscored)
    means = _case_means(table, scored)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(_resampled_means(means, resamples, seed), [tail, 1 - tail])
    return Interval(float(means.mean()), float(low), float(high), n, unscored)


def difference_interval(first: ArrayLike, second: ArrayLike, *seed: object, resamples: int = RESAMPLES) -> Interval:
    """Estimate how much higher ``first`` scores than ``second`` on the same cases and seeds.

    Args:
        first: Shape (cases, runs) or (cases,); NaN or None marks an unscored episode.
        second: The same shape; row by row the same case, column by column the same run.
        *seed: As in :func:`mean_interval`.
        resamples: As in :func:`mean_interval`.

    Returns:
        The interval of ``first - second``. A pair counts only when both its episodes were scored.

    Raises:
        ValueError: The shapes differ: the two are not paired.
    """
    a, b = _table(first), _table(second)
    if a.shape != b.shape:
        raise ValueError(f"not paired: shapes {a.shape} and {b.shape} differ")
    return mean_interval(a - b, *seed, resamples=resamples)


def _table(values: ArrayLike) -> Floats:
    table = np.asarray(values, dtype=np.float64)
    if table.ndim == 1:
        table = table[:, np.newaxis]
    if table.ndim != 2:
        raise ValueError(f"values must have shape (cases, runs), not {table.shape}")
    return table


def _case_means(table: Floats, scored: NDArray[np.bool_]) -> Floats:
    """Return the mean of each case that has a scored run; shape (scored cases,)."""
    some = scored.any(axis=1)
    sums = np.where(scored, table, 0.0)[some].sum(axis=1)
    means: Floats = sums / scored[some].sum(axis=1)
    return means


def _resampled_means(means: Floats, resamples: int, seed: tuple[object, ...]) -> Floats:
    """Draw case sets of the original size with replacement; shape (resamples,)."""
    generator = np.random.default_rng(derive_seed("case bootstrap", *seed))
    cases = len(means)
    block = max(1, BLOCK // cases)
    drawn = [
        means[generator.integers(cases, size=(min(block, resamples - start), cases))].mean(axis=1)
        for start in range(0, resamples, block)
    ]
    return np.concatenate(drawn)
