"""The table that an evaluation prints: a row a policy, what matters in each encounter, and how sure it is."""

from collections.abc import Mapping

from bedside.benchmarks.measures import measure_of
from bedside.benchmarks.tables.table import Cell, Column, Table

__all__ = ["HEADLINE", "MAIN_SCORES", "summary_table"]

MAIN_SCORES = {
    "discharge": ("exam", "scs", "tcs", "wrong_instruction", "unsafe_advice", "readability", "turns", "reward"),
    "diagnosis": ("accuracy", "turns", "fallback_rate", "reward"),
}
"""Columns by score name; all other scores stand in ``summary.json``."""

HEADLINE = {"discharge": "exam", "diagnosis": "accuracy"}
"""The score whose missing values the column "unscored" counts."""

BASELINE = {"exam": "exam_before", "scs": "scs_before"}

Scores = Mapping[str, Mapping[str, float | int | None]]


def summary_table(summary: Mapping[str, Scores], kind: str, *, differences: bool = False) -> Table:
    """Lay out a summary.

    Args:
        summary: Content of ``summary.json``.
        kind: ``discharge`` or ``diagnosis``.
        differences: The figures are differences: they get a sign, and there is no untaught patient to compare
            with.
    """
    names = [name for name in MAIN_SCORES[kind] if any(name in row for row in summary.values())]
    rows = [(Cell(text=policy), *_cells(scores, names), _unscored(scores, kind)) for policy, scores in summary.items()]
    baseline = _baseline(summary)
    if not differences and any(name in baseline for name in names):
        rows.insert(0, (Cell(text="(untaught patient)"), *_cells(baseline, names), Cell(text="")))
    return Table(
        name="differences" if differences else "summary",
        title="",
        columns=(
            Column("policy"),
            *(Column(measure_of(name).title, measure_of(name).digits, signed=differences) for name in names),
            Column("unscored", digits=0),
        ),
        rows=tuple(rows),
        caption=f"{'mean paired difference' if differences else 'mean'} [95 % interval over cases]",
    )


def _cells(scores: Scores, names: list[str]) -> tuple[Cell, ...]:
    return tuple(_cell(scores.get(name)) for name in names)


def _cell(score: Mapping[str, float | int | None] | None) -> Cell:
    if score is None:
        return Cell()
    n = score["n"]
    return Cell(score["mean"], score["low"], score["high"], None if n is None else int(n))


def _unscored(scores: Scores, kind: str) -> Cell:
    headline = scores.get(HEADLINE[kind])
    return Cell(text="all") if headline is None else Cell(headline["unscored"])


def _baseline(summary: Mapping[str, Scores]) -> Scores:
    """What the patient knew before anyone taught: the same for every policy, as seeds are."""
    first: Scores = next(iter(summary.values()), {})
    return {name: first[before] for name, before in BASELINE.items() if before in first}
