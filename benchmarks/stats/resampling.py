"""Case sets drawn with replacement, as counts: one draw serves every score of the same cases.

A mean over a resampled set is a weighted mean with the counts as weights. Counts are drawn once for a seed and a number
of cases, so the dozens of scores of an evaluation cost little more than one, and are resampled alike.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

__all__ = ["RESAMPLES", "Counts", "Floats", "resampled_means"]

RESAMPLES = 10_000
"""Case sets drawn; B in the literature (DischargeBench, figures 4 to 6)."""

# Cells of one block of counts: bounds memory at about 64 MB while they are drawn, however many cases there are.
BLOCK = 4_000_000

Floats = NDArray[np.float64]
Counts = NDArray[np.float64]


def resampled_means(values: Floats, seed: int, resamples: int = RESAMPLES, strata: tuple[int, ...] = ()) -> Floats:
    """Return the means of resampled case sets.

    Args:
        values: Shape (cases,) or (cases, columns); all columns meet the same sets.
        seed: The same seed, number of cases and strata give the same sets.
        resamples: How many sets.
        strata: Sizes of groups of neighbouring cases that are resampled each for itself; empty for one group.

    Returns:
        Shape (resamples,) or (resamples, columns).
    """
    cases = len(values)
    step = max(1, min(resamples, BLOCK // cases))
    blocks = []
    for start in range(0, resamples, step):
        counts = _counts(cases, seed, start, min(step, resamples - start), strata)
        # Not a matrix product: that of a linear algebra library may depend on the number of threads.
        blocks.append(np.einsum("bn,n...->b...", counts, values) / cases)
    return np.concatenate(blocks)


@lru_cache(maxsize=4)
def _counts(cases: int, seed: int, start: int, resamples: int, strata: tuple[int, ...]) -> Counts:
    """Draw how often each case stands in each set; shape (resamples, cases)."""
    generator = np.random.default_rng((seed, start))
    counts = np.zeros((resamples, cases))
    first = 0
    for size in strata or (cases,):
        drawn = generator.integers(size, size=(resamples, size))
        drawn += size * np.arange(resamples)[:, np.newaxis]
        flat = np.bincount(drawn.ravel(), minlength=resamples * size)
        counts[:, first : first + size] = flat.reshape(resamples, size)
        first += size
    return counts
