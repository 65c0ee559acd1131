"""Tables written down: Markdown, LaTeX, CSV and for the terminal. What stands in a cell is data, never markup."""

import csv
import io
import re
from collections.abc import Sequence

from rich import box
from rich.console import Console, Group
from rich.table import Table as RichTable
from rich.text import Text

from bedside.benchmarks.tables.table import Cell, Column, Table

__all__ = ["FORMATS", "as_csv", "as_latex", "as_markdown", "as_rich"]

_WIDE = 24
"""Characters that a column with its interval on one line takes."""

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>|#~])")
_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "−": "$-$",
    "–": "--",
    "Δ": r"$\Delta$",
    "ρ": r"$\rho$",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "…": r"\ldots{}",
    "\n": " ",
}


def as_markdown(table: Table) -> str:
    """Return a table of GitHub's Markdown, with its title, caption and notes."""
    lines = [f"### {_inert(table.title)}", ""]
    lines.append("| " + " | ".join(_inert(column.heading) for column in table.columns) + " |")
    lines.append("|" + "".join("---|" if table.is_words(number) else "---:|" for number in range(len(table.columns))))
    for row in table.rows:
        cells = (
            " ".join(filter(None, (column.figure(cell), column.ends(cell))))
            for column, cell in zip(table.columns, row, strict=True)
        )
        lines.append("| " + " | ".join(map(_inert, cells)) + " |")
    lines += ["", *(_inert(line) for line in (table.caption, *table.notes) if line), ""]
    return "\n\n".join(_paragraphs(lines)) + "\n"


def _paragraphs(lines: Sequence[str]) -> list[str]:
    """Put the lines of a table together and everything else apart."""
    found: list[str] = []
    for line in filter(None, lines):
        if line.startswith("|") and found and found[-1].startswith("|"):
            found[-1] += "\n" + line
        else:
            found.append(line)
    return found


def _inert(words: str) -> str:
    return _MARKDOWN.sub(r"\\\1", " ".join(words.split()))


def as_latex(table: Table) -> str:
    """Return a LaTeX table with the rules of the package ``booktabs``."""
    ends = any(column.ends(cell) for row in table.rows for column, cell in zip(table.columns, row, strict=True))
    columns = "".join("l" if table.is_words(number) else "r" for number in range(len(table.columns)))
    body = [" & ".join(_escaped(column.heading) for column in table.columns) + r" \\", r"\midrule"]
    for row in table.rows:
        cells = (
            _latex_cell(column.figure(cell), column.ends(cell)) for column, cell in zip(table.columns, row, strict=True)
        )
        body.append(" & ".join(cells) + r" \\")
    caption = ". ".join(part.rstrip(".") for part in (table.title, table.caption, *table.notes) if part) + "."
    return "\n".join(
        [
            r"% needs \usepackage{booktabs}; " + ("brackets: 95 % intervals over cases" if ends else "no intervals"),
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{_escaped(caption)}}}",
            rf"\label{{tab:{table.name}}}",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _latex_cell(figure: str, ends: str) -> str:
    return _escaped(figure) + (rf" {{\scriptsize {_escaped(ends)}}}" if ends else "")


def _escaped(words: str) -> str:
    return "".join(_LATEX.get(character, character) for character in words)


def as_csv(table: Table) -> str:
    """Return all figures at full precision: of each column the figure, and where any has them its ends and count."""
    headings: list[str] = []
    fields: list[list[str]] = [[] for _ in table.rows]
    for number, column in enumerate(table.columns):
        cells = [row[number] for row in table.rows]
        parts = {"": [(cell.text or "") if cell.value is None else repr(cell.value) for cell in cells]}
        for part in ("low", "high", "n"):
            values = [getattr(cell, part) for cell in cells]
            if any(value is not None for value in values):
                parts[f" {part}"] = ["" if value is None else repr(value) for value in values]
        for part, values in parts.items():
            headings.append(column.title + part)
            for row, value in zip(fields, values, strict=True):
                row.append(value)
    sink = io.StringIO()
    csv.writer(sink, lineterminator="\n").writerows([headings, *fields])
    return sink.getvalue()


def as_rich(table: Table, console: Console) -> Group:
    """Return a table for the terminal.

    On a narrow one intervals go below their figures; columns without any figure are only named.
    """
    told = [number for number in range(len(table.columns)) if not number or not table.lacks(number)]
    gap = " " if console.width >= _WIDE * len(told) else "\n"
    shown = RichTable(box=box.SIMPLE, title=Text(table.title) if table.title else None, title_justify="left")
    for number in told:
        heading = Text(table.columns[number].heading.replace(" ", gap))
        shown.add_column(
            heading, justify="left" if table.is_words(number) else "right", no_wrap=number > 0, overflow="fold"
        )
    for row in table.rows:
        shown.add_row(*(_told(table.columns[number], row[number], gap) for number in told))
    left_out = [column.title for number, column in enumerate(table.columns) if number not in told]
    empty = f"without figures: {', '.join(left_out)}" if left_out else ""
    return Group(shown, *(Text(line) for line in (empty, table.caption, *table.notes) if line))


def _told(column: Column, cell: Cell, gap: str) -> Text:
    return Text(gap.join(filter(None, (column.figure(cell), column.ends(cell)))))


FORMATS = {"md": as_markdown, "tex": as_latex, "csv": as_csv}
"""Writers by the ending of their files."""
