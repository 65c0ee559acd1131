"""A table as data: figures with how sure they are, and what a reader must know to read them."""

from dataclasses import dataclass

from bedside.benchmarks.measures import measure_of
from bedside.benchmarks.stats.intervals import Interval

__all__ = ["MISSING", "Cell", "Column", "Table", "figure", "text"]

MISSING = "–"
"""What stands where there is no figure; a note of the table says why."""


@dataclass(frozen=True)
class Cell:
    """One figure, or words.

    Attributes:
        value: The figure; None if there is none.
        low: Lower end of its 95 % interval; None if it has none.
        high: Upper end.
        n: What it was counted over.
        text: Words in its place, or in a cell that never holds a figure; the empty string leaves it blank.
        mark: What stands behind the figure, such as the stars of a test.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    text: str | None = None
    mark: str = ""


@dataclass(frozen=True)
class Column:
    """How the cells of a column are told.

    Attributes:
        title: As in the paper, where it has the column.
        digits: After the decimal point.
        percent: Whether shares are told in hundredths.
        signed: Whether a plus is written: for differences.
        interval: Whether the interval is told where space is short; it is always in the data.
        better: ``↑`` if more is better, ``↓`` if less is; empty if neither.
    """

    title: str
    digits: int = 3
    percent: bool = False
    signed: bool = False
    interval: bool = True
    better: str = ""

    @classmethod
    def of(cls, score: str, **changes: object) -> "Column":
        """Return the column of a score; see :data:`~bedside.benchmarks.measures.MEASURES`."""
        measure = measure_of(score)
        given: dict[str, object] = {"title": measure.title, "digits": measure.digits, "better": measure.better}
        return cls(**(given | changes))  # type: ignore[arg-type]

    @property
    def heading(self) -> str:
        """The title with its arrow."""
        return f"{self.title} {self.better}".strip()

    def figure(self, cell: Cell) -> str:
        """Tell the figure of a cell, without its interval."""
        if cell.text is not None:
            return cell.text
        return MISSING if cell.value is None else self._number(cell.value) + cell.mark

    def ends(self, cell: Cell) -> str:
        """Tell the interval of a cell; empty if it has none or the column tells none.

        One without width is of a single case, or of cases that are all alike; it would only look like certainty.
        """
        if cell.text is not None or cell.low is None or cell.high is None or not self.interval:
            return ""
        low, high = self._number(cell.low), self._number(cell.high)
        return "" if low == high else f"[{low}, {high}]"

    def _number(self, value: float) -> str:
        shown = format(100 * value if self.percent else value, f"{'+' if self.signed else ''}.{self.digits}f")
        # No "-0.000": what rounds to nothing has no sign.
        return shown.replace("-", "").replace("+", "") if float(shown) == 0 else shown.replace("-", "−")


@dataclass(frozen=True)
class Table:
    """Figures in rows and columns.

    Attributes:
        name: For file names and links.
        title: What it shows.
        columns: The first holds the names of the rows.
        rows: Cells in the order of the columns.
        caption: How the figures came about: suite, cases, seed, engines, command.
        notes: What it does not show, and why a figure is missing.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    notes: tuple[str, ...] = ()

    def is_words(self, number: int) -> bool:
        """Return whether a column holds words: it is then set to the left."""
        return not number or all(row[number].text is not None and row[number].value is None for row in self.rows)

    def lacks(self, number: int) -> bool:
        """Return whether a column has no figure and no words at all."""
        return all(row[number].value is None and not (row[number].text or "").strip() for row in self.rows)

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.name}: a row of {len(row)} cells in {len(self.columns)} columns")


def figure(interval: Interval, mark: str = "") -> Cell:
    """Return a mean with its interval as a cell."""
    return Cell(interval.mean, interval.low, interval.high, interval.n, mark=mark)


def text(*words: str) -> tuple[Cell, ...]:
    """Return cells of words."""
    return tuple(Cell(text=word) for word in words)
