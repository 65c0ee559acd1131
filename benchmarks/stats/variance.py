"""What varies when a benchmark is run several times: the cases, or the same case from run to run."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["Variance", "variance_components"]


class Variance(NamedTuple):
    """Standard deviations of a score.

    Attributes:
        between: Of the cases' own expectations, runs averaged out.
        within: Of the runs of one case; None with single runs.
        intraclass: Share of the variance that the cases account for: how alike the runs of a case are; None with
            single runs or without variance.
    """

    between: float
    within: float | None
    intraclass: float | None


def variance_components(values: ArrayLike) -> Variance | None:
    """Split the variance of a score (one-way random effects, by the analysis of variance).

    Args:
        values: Shape (cases, runs) or (cases,); NaN marks an unscored episode.

    Returns:
        The two standard deviations; None for fewer than two scored cases.
    """
    table = np.asarray(values, dtype=np.float64)
    table = table[:, np.newaxis] if table.ndim == 1 else table
    scored = ~np.isnan(table)
    table, scored = table[scored.any(axis=1)], scored[scored.any(axis=1)]
    cases, runs = len(table), scored.sum(axis=1)
    if cases < 2:
        return None
    means = np.where(scored, table, 0.0).sum(axis=1) / runs
    total = int(runs.sum())
    if total == cases:
        return Variance(float(means.std(ddof=1)), None, None)
    grand = np.where(scored, table, 0.0).sum() / total
    inside = float((np.where(scored, table - means[:, np.newaxis], 0.0) ** 2).sum()) / (total - cases)
    outside = float((runs * (means - grand) ** 2).sum()) / (cases - 1)
    # Runs a case; the usual correction when some are missing (Searle 1971).
    each = (total - float((runs**2).sum()) / total) / (cases - 1)
    between = max(0.0, (outside - inside) / each)
    whole = between + inside
    return Variance(float(np.sqrt(between)), float(np.sqrt(inside)), between / whole if whole > 0 else None)
