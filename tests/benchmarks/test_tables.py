"""Tables as data: what is written is what was measured, and text stays text."""

import csv
import io

import pytest
from rich.console import Console

from bedside.benchmarks.tables.formats import as_csv, as_latex, as_markdown, as_rich
from bedside.benchmarks.tables.summary import summary_table
from bedside.benchmarks.tables.table import Cell, Column, Table

HOSTILE = r"evil_model|<b>100%</b> & \input{x} [red]$^~#"


@pytest.fixture
def table():
    return Table(
        "demo",
        "A title & more",
        (Column("Model"), Column("TCS", better="↑"), Column("ΔAcc", 1, percent=True, signed=True), Column("Realism")),
        (
            (Cell(text=HOSTILE), Cell(0.5, 0.4, 0.6, 32), Cell(-0.15349, -0.2, -0.1, 32, mark="***"), Cell()),
            (Cell(text="other"), Cell(0.25), Cell(-0.0001), Cell()),
        ),
        "Suite demo.",
        ("A note.",),
    )


def test_markdown(table):
    lines = as_markdown(table).splitlines()
    assert lines[2] == "| Model | TCS ↑ | ΔAcc | Realism |"
    assert lines[3] == "|---|---:|---:|---:|"
    assert r"0.500 \[0.400, 0.600\] | −15.3\*\*\* \[−20.0, −10.0\] | – |" in lines[4]
    assert r"evil\_model\|\<b\>100%" in lines[4]
    assert lines[5] == "| other | 0.250 | 0.0 | – |"
    assert lines[-1] == "A note."


def test_latex_escapes_what_would_be_a_command(table):
    written = as_latex(table)
    assert r"evil\_model\textbar{}\textless{}b\textgreater{}100\%" in written
    assert r"\& \textbackslash{}input\{x\} [red]\$\textasciicircum{}\textasciitilde{}\#" in written
    assert r"\caption{A title \& more. Suite demo. A note.}" in written
    assert r"$-$15.3*** {\scriptsize [$-$20.0, $-$10.0]} & -- \\" in written
    assert written.count("{") == written.count("}") + written.count(r"\{") - written.count(r"\}")


def test_csv_has_full_precision_and_every_end(table):
    rows = list(csv.DictReader(io.StringIO(as_csv(table))))
    assert rows[0] == {
        "Model": HOSTILE,
        "TCS": "0.5",
        "TCS low": "0.4",
        "TCS high": "0.6",
        "TCS n": "32",
        "ΔAcc": "-0.15349",
        "ΔAcc low": "-0.2",
        "ΔAcc high": "-0.1",
        "ΔAcc n": "32",
        "Realism": "",
    }


@pytest.mark.parametrize("width", [60, 200])
def test_terminal_shows_every_figure_whole(table, width):
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(as_rich(table, console))
    shown = console.export_text()
    assert "evil_model" in shown
    assert "0.500" in shown
    assert "[0.400, 0.600]" in shown
    assert "…" not in shown
    assert "without figures: Realism" in shown


def test_rows_must_fit():
    with pytest.raises(ValueError, match="a row of 1 cells in 2 columns"):
        Table("x", "", (Column("a"), Column("b")), ((Cell(),),))


def test_summary_shows_the_untaught_patient_first_and_counts_unscored():
    score = {"mean": 0.5, "low": 0.4, "high": 0.6, "n": 3, "unscored": 1}
    summary = {"teachback": {"exam": score, "exam_before": score | {"mean": 0.3}}}
    table = summary_table(summary, "discharge")
    assert [cells[0].text for cells in table.rows] == ["(untaught patient)", "teachback"]
    assert table.rows[0][1].value == 0.3
    assert table.rows[1][-1].value == 1
    differences = summary_table(summary, "discharge", differences=True)
    assert [cells[0].text for cells in differences.rows] == ["teachback"]
    assert differences.columns[1].figure(Cell(0.5)) == "+0.500"
