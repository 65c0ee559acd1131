"""How far do judges agree with people, and people with each other? ``python benchmarks/agreement.py report FILE``.

A row is one rating: ``item,dimension,rater,role,rating`` with role ``human`` or ``judge``. Raters are compared in pairs
over the items that both rated; the figures of several pairs are averaged, as in DischargeBench's table 2.
"""

import csv
import sys
from collections.abc import Iterator
from functools import partial
from itertools import combinations, product
from pathlib import Path
from typing import Annotated, NamedTuple

import orjson
import typer
from rich.console import Console
from rich.table import Table

from bedside.benchmarks.command import complain, console_width, invoke
from bedside.rewards.agreement import STATISTICS, Interval, average, bootstrap, gwet_ac2

__all__ = ["COLUMNS", "Agreement", "Rating", "agreements", "read_ratings", "report"]

COLUMNS = ("item", "dimension", "rater", "role", "rating")
_ROLES = ("human", "judge")


class RatingsError(ValueError):
    """The file of ratings cannot be used."""


class Rating(NamedTuple):
    """One rating of one item by one rater."""

    item: str
    dimension: str
    rater: str
    role: str
    rating: float


class Agreement(NamedTuple):
    """Two kinds of raters on one dimension.

    Attributes:
        pair: ``human-human`` or ``judge-human``.
        figures: Every statistic, the mean over the pairs of raters.
    """

    dimension: str
    pair: str
    raters: int
    figures: dict[str, Interval]


def read_ratings(path: Path) -> list[Rating]:
    """Read ratings.

    Raises:
        RatingsError: The file cannot be used; the message names line and column.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return list(_rows(csv.DictReader(file), path))
    except (OSError, UnicodeDecodeError) as error:
        raise RatingsError(f"{path}: {getattr(error, 'strerror', None) or error}") from error


def _rows(reader: "csv.DictReader[str]", path: Path) -> Iterator[Rating]:
    if missing := [name for name in COLUMNS if name not in (reader.fieldnames or ())]:
        raise RatingsError(f"{path}, line 1: no column {missing[0]!r}; needed are {', '.join(COLUMNS)}")
    seen: set[tuple[str, ...]] = set()
    for row in reader:
        where = f"{path}, line {reader.line_num}"
        who = tuple((row[name] or "").strip() for name in COLUMNS[:4])
        if who[3] not in _ROLES:
            raise RatingsError(f"{where}, column 'role': {who[3]!r} is neither {' nor '.join(_ROLES)}")
        if who[:3] in seen:
            raise RatingsError(f"{where}: {who[2]!r} has rated {who[0]!r} on {who[1]!r} before")
        seen.add(who[:3])
        if not (row["rating"] or "").strip():
            continue  # not rated
        try:
            rating = float(row["rating"])
        except ValueError as error:
            raise RatingsError(f"{where}, column 'rating': {row['rating']!r} is no number") from error
        yield Rating(who[0], who[1], who[2], who[3], rating)


def agreements(ratings: list[Rating], *, samples: int = 1000, seed: int = 0) -> list[Agreement]:
    """Compare people with people and judges with people, dimension by dimension.

    Args:
        ratings: From :func:`read_ratings`.
        samples: Bootstrap resamples.
        seed: Of the bootstrap.
    """
    found = []
    for dimension in dict.fromkeys(r.dimension for r in ratings):
        by_rater: dict[tuple[str, str], dict[str, float]] = {}
        for r in ratings:
            if r.dimension == dimension:
                by_rater.setdefault((r.role, r.rater), {})[r.item] = r.rating
        humans = [rated for (role, _), rated in by_rater.items() if role == "human"]
        judges = [rated for (role, _), rated in by_rater.items() if role == "judge"]
        for name, pairs in (
            ("human-human", list(combinations(humans, 2))),
            ("judge-human", list(product(judges, humans))),
        ):
            common = [(a, b, [item for item in a if item in b]) for a, b in pairs]
            columns = [([a[i] for i in items], [b[i] for i in items]) for a, b, items in common if items]
            if columns:
                figures = {key: _pooled(key, columns, samples, seed) for key in STATISTICS}
                found.append(Agreement(dimension, name, len(columns), figures))
    return found


def _pooled(key: str, columns: list[tuple[list[float], list[float]]], samples: int, seed: int) -> Interval:
    statistic = STATISTICS[key]
    if key == "ac2":  # the scale is that of all raters, also where a resample misses one of its ends
        statistic = partial(gwet_ac2, scale=sorted({grade for pair in columns for column in pair for grade in column}))
    intervals = [bootstrap(statistic, one, other, samples=samples, seed=seed) for one, other in columns]
    value = average([interval.value for interval in intervals])
    bounded = all(interval.low is not None for interval in intervals)
    low = average([interval.low for interval in intervals]) if bounded else None
    high = average([interval.high for interval in intervals]) if bounded else None
    return Interval(value, low, high, max(interval.n for interval in intervals))


def report(
    source: Annotated[Path, typer.Argument(metavar="RATINGS.csv", help=f"Columns: {', '.join(COLUMNS)}.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    samples: Annotated[int, typer.Option(min=100, help="Bootstrap resamples.")] = 1000,
    seed: Annotated[int, typer.Option(help="Of the bootstrap.")] = 0,
) -> None:
    """Print agreement of judges with people and of people with each other, per dimension, with 95 % intervals."""
    try:
        found = agreements(read_ratings(source), samples=samples, seed=seed)
    except RatingsError as error:
        raise typer.Exit(complain(str(error), 2)) from error
    if not found:
        raise typer.Exit(complain(f"{source}: no item was rated by two raters of whom one is human", 2))
    if as_json:
        rows = [{**a._asdict(), "figures": {k: i._asdict() for k, i in a.figures.items()}} for a in found]
        sys.stdout.write(orjson.dumps(rows, option=orjson.OPT_INDENT_2).decode() + "\n")
        return
    Console(width=console_width()).print(_table(found))


def _table(found: list[Agreement]) -> Table:
    table = Table()
    for column in ("dimension", "raters", "pairs", "items", *STATISTICS):
        table.add_column(column)
    for row in found:
        items = max(interval.n for interval in row.figures.values())
        table.add_row(row.dimension, row.pair, str(row.raters), str(items), *map(_shown, row.figures.values()))
    return table


def _shown(interval: Interval) -> str:
    if interval.value is None:
        return "–"
    bounds = "" if interval.low is None or interval.high is None else f" [{interval.low:.2f}, {interval.high:.2f}]"
    return f"{interval.value:.3f}{bounds}"


if __name__ == "__main__":
    from bedside.benchmarks.annotate import build_app

    # The table of a file of ratings is what is asked for most: it needs no word before the file.
    arguments = sys.argv[1:]
    if arguments and arguments[0].endswith(".csv"):
        arguments = ["report", *arguments]
    sys.exit(invoke(build_app(), arguments, "agreement.py"))
