"""Our effects beside the printed ones: ``python benchmarks/calibration.py``.

The table says where the embedded patient stands. Parameters are chosen on the even half of the cases, those of
memory by ``--fit``, those of noise by hand; the odd half is reported. Rows come as soon as they are known.
"""

import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Annotated, Protocol

import orjson
import typer

from bedside.benchmarks.command import complain, invoke
from bedside.benchmarks.crew import WorkerError, as_completed
from bedside.benchmarks.effect_rows import ROWS, Row
from bedside.benchmarks.effects import EFFECTS, Effect, Effects, Found, Job, half, jobs_of
from bedside.benchmarks.fitting import FREE, fit
from bedside.benchmarks.options import Workers
from bedside.benchmarks.progress import Count, show_count
from bedside.cases.case import Case
from bedside.cases.sources import load_cases
from bedside.envs.mind import LEARNING, Learning

__all__ = ["app", "calibration"]

MOST = 1000
"""Patients of each half that are interviewed unless told otherwise: some sources hold a hundred thousand."""


def calibration(
    cases: Annotated[
        str,
        typer.Option(help="Whom the doctor interviews: ddxplus:DIR as in the paper, or open.", metavar="SOURCE"),
    ] = "open",
    limit: Annotated[
        int | None,
        typer.Option(
            help="Only so many cases of each half, for a quick look.",
            show_default=f"all, and at most {MOST} to interview",
            metavar="N",
        ),
    ] = None,
    even: Annotated[bool, typer.Option("--even", help="Report the half that parameters were chosen on.")] = False,
    fitted: Annotated[
        bool, typer.Option("--fit", help="First fit the free parameters of memory on the even half, and report those.")
    ] = False,
    workers: Workers = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print rows as JSON instead of the table.")] = False,
) -> None:
    """Report what noise and teaching do, side by side with the papers' values, with 95 % intervals."""
    for name, number in (("limit", limit), ("workers", workers)):
        if number is not None and number < 1:
            raise typer.Exit(complain(f"--{name} must be at least 1, not {number}", 2))
    try:
        known, taught = tuple(load_cases(cases)), tuple(load_cases("open"))
    except (ValueError, OSError) as error:
        raise typer.Exit(complain(str(error), 2)) from error
    asked = half(known, odd=not even)[: limit or MOST]
    talked = half(taught, odd=not even)[:limit]
    if not asked or not talked:
        raise typer.Exit(complain(f"{cases} holds too few cases to report on a half of them", 2))
    try:
        learning = _fitted(half(taught, odd=False)[:limit], workers) if fitted else LEARNING
        _report(cases, asked, talked, learning, workers, _Json() if as_json else _Table())
    except WorkerError as error:
        raise typer.Exit(complain(str(error), 1)) from error
    if not as_json:
        typer.echo(f"{len(asked)} interview cases ({cases}), {len(talked)} discharge cases, engine embedded")


def _fitted(cases: Sequence[Case], workers: int) -> Learning:
    """Fit, telling each improvement on the standard error."""
    learning = LEARNING
    for learning, loss in fit(cases, workers=workers):
        found = learning.model_dump(include=set(FREE))
        typer.echo(f"misfit {loss:.3f} with {', '.join(f'{k} {v}' for k, v in found.items())}", err=True)
    return learning


def _report(
    source: str, asked: Sequence[Case], talked: Sequence[Case], learning: Learning, workers: int, paper: "_Paper"
) -> None:
    jobs = [job for effect in EFFECTS for job in jobs_of(effect, asked if effect == "interviews" else talked)]
    build = partial(Effects, source, learning)
    with show_count(len(jobs), "measurements") as count, closing(as_completed(build, jobs, workers)) as results:
        paper.begin()
        for effect, found in _finished(jobs, results, count):
            with count.aside():
                paper.write(ROWS[effect](found))
        paper.end()


def _finished(
    jobs: Sequence[Job], results: Generator[tuple[int, Found], None, None], count: Count
) -> Iterator[tuple[Effect, list[Found]]]:
    """Yield each effect with what its cases came to, in the order of the table, once all of it is there."""
    there: dict[int, Found] = {}
    waiting = [(effect, [n for n, job in enumerate(jobs) if job.effect == effect]) for effect in EFFECTS]
    for number, found in results:
        there[number] = found
        count.tick(jobs[number].effect)
        while waiting and there.keys() >= set(waiting[0][1]):
            effect, numbers = waiting.pop(0)
            yield effect, [there[n] for n in numbers]


class _Paper(Protocol):
    """What rows are written on, some at a time."""

    def begin(self) -> None: ...

    def write(self, rows: Sequence[Row]) -> None: ...

    def end(self) -> None: ...


class _Json:
    """One JSON array, a row a line."""

    _written = 0

    def begin(self) -> None:
        sys.stdout.write("[")

    def write(self, rows: Sequence[Row]) -> None:
        for row in rows:
            sys.stdout.write((",\n " if self._written else "\n ") + orjson.dumps(_plain(row)).decode())
            self._written += 1
        sys.stdout.flush()

    def end(self) -> None:
        sys.stdout.write("\n]\n")


class _Table:
    """Columns of one width from the first row on, as nobody knows the rows to come."""

    _LINE = "{:<48} {:>8} {:>8}  {:<18} {:>6}  {}"

    def begin(self) -> None:
        self._put("what", "printed", "ours", "95 % interval", "n", "within")

    def write(self, rows: Sequence[Row]) -> None:
        for row in rows:
            ours = row.ours
            printed = f"{row.printed:g}" if row.printed is not None else "lower" if row.judged else ""
            interval = f"{_short(ours.low)} to {_short(ours.high)}"
            within = ("yes" if row.within else "no") if row.judged else ""
            self._put(row.name, printed, _short(ours.mean), interval, str(ours.n), within)

    def end(self) -> None:
        pass

    def _put(self, *columns: str) -> None:
        sys.stdout.write(self._LINE.format(*columns).rstrip() + "\n")
        sys.stdout.flush()


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
        "within": row.within if row.judged else None,
    }


def _short(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}" if abs(value) < 2 else f"{value:.1f}"


app = typer.Typer(add_completion=False)
app.command()(calibration)

if __name__ == "__main__":
    sys.exit(invoke(app, sys.argv[1:], "calibration.py"))
