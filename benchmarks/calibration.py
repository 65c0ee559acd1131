"""Our effects beside the printed ones: ``python benchmarks/calibration.py``.

The table says where the embedded patient stands. Parameters are chosen on the even half of the cases, those of
memory by ``--fit``, those of noise by hand; the odd half is reported.
"""

import sys
from collections.abc import Sequence
from typing import Annotated

import orjson
import typer
from rich.console import Console
from rich.table import Table

from bedside.benchmarks.command import complain, console_width, invoke
from bedside.benchmarks.effects import Row, discharge_rows, half, noise_rows, surface_rows
from bedside.benchmarks.fitting import FREE, fit
from bedside.cases.case import Case
from bedside.cases.sources import load_cases
from bedside.envs.mind import LEARNING, Learning

__all__ = ["app", "calibration"]


def calibration(
    cases: Annotated[
        str,
        typer.Option(help="Whom the doctor interviews: ddxplus:DIR as in the paper, or open.", metavar="SOURCE"),
    ] = "open",
    limit: Annotated[int | None, typer.Option(help="Only so many cases of each half.", metavar="N")] = None,
    even: Annotated[bool, typer.Option("--even", help="Report the half that parameters were chosen on.")] = False,
    fitted: Annotated[
        bool, typer.Option("--fit", help="First fit the free parameters of memory on the even half, and report those.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print rows as JSON instead of the table.")] = False,
) -> None:
    """Report what noise and teaching do, side by side with the papers' values, with 95 % intervals."""
    if limit is not None and limit < 1:
        raise typer.Exit(complain(f"--limit must be at least 1, not {limit}", 2))
    try:
        known, taught = tuple(load_cases(cases)), tuple(load_cases("open"))
    except (ValueError, OSError) as error:
        raise typer.Exit(complain(str(error), 2)) from error
    asked = half(known, odd=not even)[:limit]
    talked = half(taught, odd=not even)[:limit]
    if not asked or not talked:
        raise typer.Exit(complain(f"{cases} holds too few cases to report on a half of them", 2))
    learning = _fitted(half(taught, odd=False)[:limit]) if fitted else LEARNING
    rows = [*noise_rows(asked, known, cases), *surface_rows(talked), *discharge_rows(talked, learning)]
    if as_json:
        sys.stdout.write(orjson.dumps([_plain(row) for row in rows], option=orjson.OPT_INDENT_2).decode() + "\n")
        return
    Console(width=console_width()).print(_table(rows))
    typer.echo(f"{len(asked)} interview cases ({cases}), {len(talked)} discharge cases, engine embedded")


def _fitted(cases: Sequence[Case]) -> Learning:
    """Fit, telling each improvement on the standard error."""
    learning = LEARNING
    for learning, loss in fit(cases):
        found = learning.model_dump(include=set(FREE))
        typer.echo(f"misfit {loss:.3f} with {', '.join(f'{k} {v}' for k, v in found.items())}", err=True)
    return learning


def _plain(row: Row) -> dict[str, object]:
    ours = row.ours
    return {
        "name": row.name,
        "printed": row.printed,
        "mean": ours.mean,
        "low": ours.low,
        "high": ours.high,
        "n": ours.n,
        "tolerance": row.tolerance,
        "within": row.within if _judged(row) else None,
    }


def _judged(row: Row) -> bool:
    """False for rows that are shown for orientation only: a clean doctor need not be the paper's."""
    return "no noise" not in row.name


def _table(rows: list[Row]) -> Table:
    table = Table("what", "printed", "ours", "95 % interval", "n", "within")
    for row in rows:
        ours = row.ours
        printed = "lower" if row.printed is None and _judged(row) else "" if row.printed is None else f"{row.printed:g}"
        table.add_row(
            row.name,
            printed,
            _short(ours.mean),
            f"{_short(ours.low)} to {_short(ours.high)}",
            str(ours.n),
            ("yes" if row.within else "no") if _judged(row) else "",
        )
    return table


def _short(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}" if abs(value) < 2 else f"{value:.1f}"


app = typer.Typer(add_completion=False)
app.command()(calibration)

if __name__ == "__main__":
    sys.exit(invoke(app, sys.argv[1:], "calibration.py"))
