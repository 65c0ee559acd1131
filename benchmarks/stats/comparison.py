"""Whether a difference can be chance: paired tests over cases, and corrections where many groups are compared."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtr

from bedside.benchmarks.stats.intervals import case_means
from bedside.benchmarks.stats.resampling import BLOCK, RESAMPLES, Floats
from bedside.cases.seeds import derive_seed

__all__ = ["Comparison", "benjamini_hochberg", "holm", "paired_test", "stars"]


class Comparison(NamedTuple):
    """A two-sided test of "no difference within cases".

    Attributes:
        p: Probability of a difference at least as large if there is none; None where no case has both values.
        method: ``McNemar, exact`` or ``sign-flip permutation``.
        n: Cases compared.
    """

    p: float | None
    method: str
    n: int


def paired_test(first: ArrayLike, second: ArrayLike, *seed: object, resamples: int = RESAMPLES) -> Comparison:
    """Test whether two policies, or two conditions, differ on the same cases.

    Right or wrong in single runs is tested by McNemar's test in its exact form, everything else by flipping the signs
    of the cases' differences at random: neither supposes a distribution.

    Args:
        first: Shape (cases, runs) or (cases,); NaN or None marks an unscored episode.
        second: The same shape.
        *seed: Hashed into the seed of the permutations.
        resamples: Permutations.
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.shape != b.shape:
        raise ValueError(f"not paired: shapes {a.shape} and {b.shape} differ")
    differences = case_means(a - b)
    differences = differences[~np.isnan(differences)]
    if not len(differences):
        return Comparison(None, "", 0)
    if np.isin(differences, (-1.0, 0.0, 1.0)).all():
        return Comparison(_mcnemar(differences), "McNemar, exact", len(differences))
    return Comparison(_sign_flip(differences, seed, resamples), "sign-flip permutation", len(differences))


def _mcnemar(differences: Floats) -> float:
    """Return the exact two-sided p of the cases that changed (McNemar 1947, by the binomial distribution)."""
    won, lost = int((differences > 0).sum()), int((differences < 0).sum())
    return min(1.0, 2 * float(bdtr(min(won, lost), won + lost, 0.5))) if won + lost else 1.0


def _sign_flip(differences: Floats, seed: tuple[object, ...], resamples: int) -> float:
    changed = differences[differences != 0]
    if not len(changed):
        return 1.0
    generator = np.random.default_rng(derive_seed("sign flips", *seed))
    # Sums that are equal but for the order of addition count as reached.
    seen = abs(float(changed.sum())) * (1 - 1e-12)
    reached = 0
    step = max(1, BLOCK // len(changed))
    for start in range(0, resamples, step):
        signs = generator.integers(2, size=(min(step, resamples - start), len(changed)), dtype=np.int8)
        sums = np.einsum("rn,n->r", signs * 2.0 - 1.0, changed)
        reached += int((np.abs(sums) >= seen).sum())
    # The data are one of the permutations, so p is never 0 (Phipson and Smyth 2010).
    return (reached + 1) / (resamples + 1)


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Adjust p values so that any false finding among all is as rare as one test allows (Holm 1979).

    Args:
        ps: Of one family of tests; None stays None and counts for nothing.
    """
    known = sorted((p, number) for number, p in enumerate(ps) if p is not None)
    adjusted: list[float | None] = [None] * len(ps)
    highest = 0.0
    for rank, (p, number) in enumerate(known):
        highest = max(highest, min(1.0, p * (len(known) - rank)))
        adjusted[number] = highest
    return adjusted


def benjamini_hochberg(ps: Sequence[float | None]) -> list[float | None]:
    """Adjust p values so that of all findings the share of false ones is held (Benjamini and Hochberg 1995).

    Args:
        ps: Of one family of tests; None stays None and counts for nothing.
    """
    known = [p for p in ps if p is not None]
    if not known:
        return list(ps)
    # Imported where used: it takes a second, and most evaluations compare nothing.
    from scipy.stats import false_discovery_control

    adjusted = iter(false_discovery_control(known).tolist())
    return [None if p is None else next(adjusted) for p in ps]


def stars(p: float | None) -> str:
    """Return the marks of VeriSim's table 2: ``***`` below 0.001, ``**`` below 0.01, ``*`` below 0.05."""
    return "" if p is None else "***" if p < 0.001 else "**" if p < 0.01 else "*" if p < 0.05 else ""
