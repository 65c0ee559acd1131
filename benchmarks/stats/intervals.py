"""How sure a mean is: 95 % intervals that resample cases, not episodes.

Repeated runs of one case resemble each other, so they are not independent evidence. Drawing whole cases with
all their runs keeps an interval honest when a benchmark repeats few cases many times. Comparing two policies
or two conditions on the same cases is a question about differences within a case, and gets an interval of its
own: overlap of two separate intervals does not answer it.

The percentile bootstrap of the papers is a little too narrow: it takes the variance with n in the denominator, and
normal tails. Its quantiles are moved out to those of Student's t (Hesterberg 2015, section 5.3, "expanded
percentile"). A proportion, and a share that nearly all cases have at 0 or at 1, is beyond it: a bootstrap then draws
the same few cases again and again. There Wilson's score interval is used, with the sample size that would give a
proportion the variance seen (Korn and Graubard 1998 do the same for surveys). ``docs/benchmark.md`` shows how often
these intervals hold the truth.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, stdtrit

from bedside.benchmarks.stats.resampling import RESAMPLES, Floats, resampled_means
from bedside.cases.seeds import derive_seed

__all__ = ["CONFIDENCE", "Interval", "case_means", "difference_interval", "mean_interval", "relative_interval"]

CONFIDENCE = 0.95
FEW = 20
"""With fewer cases off one bound than this a share counts as sparse; found by the coverage study."""


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


def mean_interval(
    values: ArrayLike,
    *seed: object,
    share: bool = False,
    strata: Sequence[object] | None = None,
    resamples: int = RESAMPLES,
) -> Interval:
    """Estimate the expected score of a case, with its 95 % interval over cases.

    Every case weighs the same however many of its runs were scored: the mean is that of the cases' own means.

    Args:
        values: Shape (cases, runs), or (cases,) for single runs; NaN or None marks an unscored episode.
        *seed: Hashed into the seed of the resampling. The same seed and number of scored cases give the same
            resamples.
        share: Whether the score lies between 0 and 1 by its definition.
        strata: A key for each case, such as its chapter: then cases are drawn within their stratum, and the interval
            is about these strata, not about others that they might stand for.
        resamples: How many case sets are drawn; B in the literature.

    Returns:
        The interval. A case with no scored run is not resampled; its runs are counted in ``unscored``.

    Raises:
        ValueError: ``values`` has more than two dimensions, or a stratum is missing.
    """
    means, n, unscored, kept = _scored(values)
    if not len(means):
        return Interval(None, None, None, 0, unscored)
    mean = float(means.mean())
    if len(means) == 1:
        return Interval(mean, mean, mean, n, unscored)
    if share and _wants_wilson(means):
        return Interval(mean, *_wilson(means), n, unscored)
    means, sizes = _by_stratum(means, strata, kept)
    drawn = resampled_means(means, derive_seed("case bootstrap", *seed), resamples, sizes)
    low, high = np.quantile(drawn, _tails(means, sizes))
    return Interval(mean, float(low), float(high), n, unscored)


def difference_interval(
    first: ArrayLike, second: ArrayLike, *seed: object, share: bool = False, resamples: int = RESAMPLES
) -> Interval:
    """Estimate how much higher ``first`` scores than ``second`` on the same cases and seeds.

    Args:
        first: Shape (cases, runs) or (cases,); NaN or None marks an unscored episode.
        second: The same shape; row by row the same case, column by column the same run.
        *seed: As in :func:`mean_interval`.
        share: As in :func:`mean_interval`, of both.
        resamples: As in :func:`mean_interval`.

    Returns:
        The interval of ``first - second``. A pair counts only when both its episodes were scored.

    Raises:
        ValueError: The shapes differ: the two are not paired.
    """
    a, b = _paired(first, second)
    if share:
        means, n, unscored, _ = _scored(a - b)
        if len(means) > 1 and np.count_nonzero(means) < FEW:
            return Interval(float(means.mean()), *_sparse_difference(means), n, unscored)
    return mean_interval(a - b, *seed, resamples=resamples)


def relative_interval(first: ArrayLike, second: ArrayLike, *seed: object, resamples: int = RESAMPLES) -> Interval:
    """Estimate ``(first - second) / second``, a ratio of means over the same cases (DischargeSim, section 5).

    Args:
        first: As in :func:`difference_interval`.
        second: Likewise.
        *seed: As in :func:`mean_interval`.
        resamples: As in :func:`mean_interval`.

    Returns:
        The interval; without mean and ends where the mean of ``second`` is not clearly above zero, as the ratio then
        has no finite interval (Fieller 1954).

    Raises:
        ValueError: The shapes differ.
    """
    a, b = _paired(first, second)
    missing = np.isnan(a) | np.isnan(b)
    upper, n, unscored, _ = _scored(np.where(missing, np.nan, a))
    lower, *_ = _scored(np.where(missing, np.nan, b))
    if len(lower) < 2:
        return Interval(None, None, None, n, unscored)
    drawn = resampled_means(np.stack([upper, lower], axis=1), derive_seed("case bootstrap", *seed), resamples)
    tails = _tails(lower, ())
    if np.quantile(drawn[:, 1], tails[0]) <= 0:
        return Interval(None, None, None, n, unscored)
    low, high = np.quantile(drawn[:, 0] / drawn[:, 1] - 1, tails)
    return Interval(float(upper.mean() / lower.mean() - 1), float(low), float(high), n, unscored)


def case_means(values: ArrayLike) -> Floats:
    """Return the mean of each case over its scored runs; NaN for a case without any.

    Args:
        values: Shape (cases, runs) or (cases,).
    """
    table = _table(values)
    scored = ~np.isnan(table)
    counts = scored.sum(axis=1)
    means: Floats = np.where(scored, table, 0.0).sum(axis=1) / np.where(counts, counts, 1)
    return np.where(counts > 0, means, np.nan)


def _scored(values: ArrayLike) -> tuple[Floats, int, int, NDArray[np.bool_]]:
    """Return the means of the cases that were scored, episodes scored and not, and which cases they are."""
    table = _table(values)
    n = int((~np.isnan(table)).sum())
    means = case_means(table)
    kept = ~np.isnan(means)
    return means[kept], n, int(table.size) - n, kept


def _paired(first: ArrayLike, second: ArrayLike) -> tuple[Floats, Floats]:
    a, b = _table(first), _table(second)
    if a.shape != b.shape:
        raise ValueError(f"not paired: shapes {a.shape} and {b.shape} differ")
    return a, b


def _table(values: ArrayLike) -> Floats:
    table = np.asarray(values, dtype=np.float64)
    if table.ndim == 1:
        table = table[:, np.newaxis]
    if table.ndim != 2:
        raise ValueError(f"values must have shape (cases, runs), not {table.shape}")
    return table


def _by_stratum(
    means: Floats, strata: Sequence[object] | None, kept: NDArray[np.bool_]
) -> tuple[Floats, tuple[int, ...]]:
    """Put the cases of a stratum side by side; a stratum of one case has no spread and joins the others of its kind."""
    if strata is None:
        return means, ()
    if len(strata) != len(kept):
        raise ValueError(f"{len(strata)} strata for {len(kept)} cases")
    names = [str(name) for name, keep in zip(strata, kept, strict=True) if keep]
    single = {name for name in names if names.count(name) == 1}
    names = ["" if name in single else name for name in names]
    order = sorted(range(len(names)), key=lambda number: (names[number], number))
    sizes = tuple(len(list(group)) for _, group in groupby(order, key=lambda number: names[number]))
    return means[order], sizes


def _tails(means: Floats, sizes: tuple[int, ...]) -> tuple[float, float]:
    """Return the quantiles of the bootstrap distribution that make a Student interval of it."""
    groups = np.split(means, np.cumsum(sizes)[:-1]) if sizes else [means]
    narrow = sum(float(((group - group.mean()) ** 2).sum()) for group in groups)
    unbiased = sum(
        float(((group - group.mean()) ** 2).sum()) * len(group) / (len(group) - 1) for group in groups if len(group) > 1
    )
    wider = np.sqrt(unbiased / narrow) if narrow > 0 else 1.0
    student = stdtrit(max(1, len(means) - len(groups)), (1 + CONFIDENCE) / 2)
    tail = float(ndtr(-wider * student))
    return tail, 1 - tail


def _wants_wilson(means: Floats) -> bool:
    if np.isin(means, (0.0, 1.0)).all():
        return True  # a proportion, of which Wilson's interval is better than any bootstrap at every value
    return min(int((means > 0).sum()), int((means < 1).sum())) < FEW


def _wilson(means: Floats) -> tuple[float, float]:
    """Return Wilson's score interval of a mean of shares, at its effective sample size."""
    n = len(means)
    mean, variance = float(means.mean()), float(means.var())
    size = max(1.0, n * mean * (1 - mean) / variance) if variance > 0 else float(n)
    z = float(stdtrit(n - 1, (1 + CONFIDENCE) / 2))
    centre = (mean + z * z / (2 * size)) / (1 + z * z / size)
    half = z * np.sqrt(mean * (1 - mean) / size + z * z / (4 * size * size)) / (1 + z * z / size)
    return float(min(mean, max(0.0, centre - half))), float(max(mean, min(1.0, centre + half)))


def _sparse_difference(differences: Floats) -> tuple[float, float]:
    """Return the interval of a mean difference of shares that few cases have.

    What was gained and what was lost are two shares; their intervals are put together with the correlation of the two
    (Newcombe 1998, method 10, for paired proportions).
    """
    gained, lost = np.maximum(differences, 0), np.maximum(-differences, 0)
    a, b = float(gained.mean()), float(lost.mean())
    (a_low, a_high), (b_low, b_high) = _wilson(gained), _wilson(lost)
    spread = float(gained.std() * lost.std())
    together = -a * b / spread if spread > 0 else 0.0

    def reach(one: float, other: float) -> float:
        return float(np.sqrt(one**2 + other**2 - 2 * together * one * other))

    return a - b - reach(a - a_low, b_high - b), a - b + reach(a_high - a, b - b_low)
