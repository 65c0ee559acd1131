"""The table that an evaluation prints: a row a policy, what matters in each encounter, and how sure it is."""

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bedside.benchmarks.evaluate import Summary

__all__ = ["HEADLINE", "MAIN_SCORES", "summary_table"]

MAIN_SCORES = {
    "discharge": {
        "exam": "exam",
        "scs": "SCS",
        "tcs": "TCS",
        "wrong_instruction": "wrong instr.",
        "unsafe_advice": "unsafe",
        "readability": "FK grade",
        "turns": "turns",
        "reward": "reward",
    },
    "diagnosis": {
        "accuracy": "accuracy",
        "turns": "turns",
        "fallback_rate": "fallbacks",
        "reward": "reward",
    },
}
"""Columns by score name; all other scores stand in ``summary.json``."""

HEADLINE = {"discharge": "exam", "diagnosis": "accuracy"}
"""The score whose missing values the column "unscored" counts."""

# These are no rates: a third decimal would say nothing.
COARSE = {"turns", "readability"}

BASELINE = {"exam": "exam_before", "scs": "scs_before"}
ONE_LINE_WIDTH = 24


def summary_table(summary: Summary, kind: str, console: Console, *, differences: bool = False) -> Table:
    """Lay out a summary.

    Args:
        summary: Content of ``summary.json``.
        kind: ``discharge`` or ``diagnosis``.
        console: Where it will be printed; on a narrow one the interval goes below the mean.
        differences: The figures are differences: they get a sign, and there is no untaught patient to compare
            with.
    """
    columns = {name: title for name, title in MAIN_SCORES[kind].items() if any(name in row for row in summary.values())}
    gap = " " if console.width >= ONE_LINE_WIDTH * (len(columns) + 1) else "\n"
    figure = "mean paired difference" if differences else "mean"
    table = Table(box=box.SIMPLE, caption=f"{figure} \\[95 % interval over cases]", caption_justify="left")
    table.add_column("policy", no_wrap=True)
    for title in columns.values():
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("unscored", justify="right", no_wrap=True)
    sign = "+" if differences else ""
    forms = {name: f"{sign}.{1 if name in COARSE else 3}f" for name in columns}
    baseline = _baseline(summary)
    if not differences and any(name in baseline for name in columns):
        table.add_row("(untaught patient)", *(_cell(baseline.get(name), forms[name], gap) for name in columns), "")
    for policy, scores in summary.items():
        unscored = scores.get(HEADLINE[kind], {}).get("unscored", "all")
        table.add_row(Text(policy), *(_cell(scores.get(name), forms[name], gap) for name in columns), str(unscored))
    return table


def _baseline(summary: Summary) -> dict[str, dict[str, float | int | None]]:
    """What the patient knew before anyone taught: the same for every policy, as seeds are."""
    first = next(iter(summary.values()), {})
    return {name: first[before] for name, before in BASELINE.items() if before in first}


def _cell(score: dict[str, float | int | None] | None, form: str, gap: str) -> str:
    if score is None or score["mean"] is None:
        return "–"
    mean, low, high = (format(score[end], form) for end in ("mean", "low", "high"))
    return f"{mean}{gap}\\[{low}, {high}]"
