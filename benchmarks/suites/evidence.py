"""The scores of one condition in arrays of cases and runs, and the figures that tables are made of."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bedside.benchmarks.measures import measure_of
from bedside.benchmarks.runs import RunConfig, read_config
from bedside.benchmarks.scores import read_scores
from bedside.benchmarks.stats.intervals import Interval, mean_interval
from bedside.benchmarks.stats.resampling import Floats
from bedside.benchmarks.tables.table import Cell, figure
from bedside.cases.case import Case

__all__ = ["NEEDS_JUDGE", "NOT_COMPARABLE", "Evidence", "is_share"]

NEEDS_JUDGE = "–: rated only by a judge; add --judge PROVIDER/MODEL."
"""Why a column of ratings is empty."""

NOT_COMPARABLE = "Printed: other clinicians, and a patient that is a language model; not comparable."
"""What stands under a table with values of a paper."""

Mask = NDArray[np.bool_]
Labels = NDArray[Any]


class Evidence:
    """A finished run, by policy and column.

    Attributes:
        run: Its folder.
        cases: In the order of the rows of every array.
        config: What was run.
        policies: In the order of the run.
    """

    def __init__(self, run: Path, cases: Sequence[Case]) -> None:
        """Read the scores of a run.

        Args:
            run: Its folder.
            cases: Those that were played, in order.

        Raises:
            RunError: It is not finished.
        """
        self.run = run
        self.cases = tuple(cases)
        self.config: RunConfig = read_config(run)
        self.policies = self.config.policies
        self._table = read_scores(run)
        self._shape = (self.config.case_count, self.config.runs)
        self._of = np.array(self._table["policy"].to_pylist(), dtype=object)

    @cached_property
    def judged(self) -> bool:
        """True if a language model scored."""
        return self.config.judge != "embedded"

    def has(self, column: str) -> bool:
        """Return whether anything was scored in a column."""
        return column in self._table.column_names and self._table[column].null_count < self._table.num_rows

    def first(self, *columns: str | None) -> str | None:
        """Return the first column in which anything was scored; None if there is none."""
        return next((column for column in columns if column and self.has(column)), None)

    def values(self, policy: str, column: str, where: Mask | None = None) -> Floats:
        """Return figures, shape (cases, runs); NaN where there is none, or where ``where`` does not hold."""
        if column not in self._table.column_names:
            return np.full(self._shape, np.nan)
        found = self._table[column].to_numpy().astype(np.float64)[self._of == policy].reshape(self._shape)
        return found if where is None else np.where(where, found, np.nan)

    def labels(self, policy: str, column: str) -> Labels:
        """Return words, such as the personality of the patient, shape (cases, runs)."""
        found: Labels = np.array(self._table[column].to_pylist(), dtype=object)[self._of == policy]
        return found.reshape(self._shape)

    def mean(self, policy: str, column: str, where: Mask | None = None) -> Interval:
        """Return the mean over cases with its interval."""
        return mean_interval(self.values(policy, column, where), self.config.seed, share=is_share(column))

    def cell(self, policy: str, column: str | None, where: Mask | None = None) -> Cell:
        """Return the same as a cell; an empty one without a column."""
        return Cell() if column is None else figure(self.mean(policy, column, where))

    def pooled(self, column: str, where: dict[str, Mask] | None = None) -> Floats:
        """Return the figures of all policies side by side, shape (cases, policies times runs)."""
        return np.hstack([self.values(policy, column, where[policy] if where else None) for policy in self.policies])


def is_share(column: str) -> bool:
    """Return whether a column lies between 0 and 1 by its definition; parts of a share are shares, unless counts."""
    kind, name, *part = column.split(".", 2)
    if name in ("wrong_instruction", "unsafe_advice", "readability", "jargon_load") and part:
        return False
    return kind in ("score", "part") and measure_of(name).share
