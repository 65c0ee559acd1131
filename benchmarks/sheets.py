"""Annotation sheets as files: CSV for a spreadsheet, JSON for an annotation tool; the same content either way.

In CSV a row is one question about one item, the encounter standing in the item's first row, and highlighted words are
separated by two bars. What a rater filled in wrongly is told with file, item and column.
"""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from bedside.benchmarks.annotation import FORMS, Answer, Filled, Key, Sheet, Span, locate, numbered
from bedside.cases.jsonl import first_problem

__all__ = ["SheetError", "read_filled", "read_key", "sheet_bytes"]

_COLUMNS = ("item", "about", "A", "B", "dimension", "question", "rating", "green", "red", "comment")
_BARS = "||"


class SheetError(ValueError):
    """A sheet or key cannot be used; the message names file, item and column."""


def sheet_bytes(sheet: Sheet, *, as_json: bool) -> bytes:
    """Return a sheet as the content of a file."""
    if as_json:
        return sheet.model_dump_json(indent=1).encode() + b"\n"
    text = io.StringIO()
    writer = csv.DictWriter(text, _COLUMNS)
    writer.writeheader()
    for page in sheet.pages:
        shown = {"about": page.about, "A": page.A, "B": page.B}
        for answer in page.answers:
            row = answer.model_dump() | {"green": _joined(answer.green), "red": _joined(answer.red)}
            # A cell that starts like a formula would be run by the spreadsheet; a blank in front stops it.
            writer.writerow({name: _inert(value) for name, value in ({"item": page.item} | shown | row).items()})
            shown = {}
    return text.getvalue().encode("utf-8-sig")


def _joined(quotes: tuple[str, ...]) -> str:
    return f" {_BARS} ".join(quotes)


def _inert(value: str) -> str:
    return f" {value}" if value.startswith(("=", "+", "-", "@")) else value


def read_key(path: Path) -> Key:
    """Read a key.

    Raises:
        SheetError: It cannot be used.
    """
    try:
        return Key.model_validate_json(path.read_bytes())
    except OSError as error:
        raise SheetError(f"{path}: {error.strerror or error}") from error
    except ValidationError as error:
        field, message = first_problem(error)
        raise SheetError(f"{path}, field {field!r}: {message}") from error


def read_filled(path: Path, key: Key) -> tuple[list[Filled], list[Span]]:
    """Read a sheet that a rater has filled in; questions without a rating are skipped.

    Args:
        path: CSV, or JSON by its ending.
        key: Of the sheet.

    Returns:
        Ratings, and the highlighted words where they stand.

    Raises:
        SheetError: The file is not a sheet, or an answer cannot be used.
    """
    items = {item.id: item for item in key.items}
    allowed = FORMS[key.form].answers
    filled: dict[tuple[str, str], Filled] = {}
    spans: list[Span] = []
    for item_id, answer in _answers(path):
        where = f"{path}, item {item_id!r}, {answer.dimension}"
        if item_id not in items:
            raise SheetError(f"{path}: item {item_id!r} is not in the key; is it the key of this sheet?")
        if answer.dimension not in allowed:
            raise SheetError(f"{path}, item {item_id!r}: the form {key.form} has no dimension {answer.dimension!r}")
        rating = answer.rating.strip()
        if rating and rating not in allowed[answer.dimension]:
            choices = ", ".join(allowed[answer.dimension])
            raise SheetError(f"{where}, column 'rating': {rating!r} is not one of {choices}")
        if (item_id, answer.dimension) in filled:
            raise SheetError(f"{where}: rated twice")
        if rating:
            value = numbered(rating, items[item_id], key.form)
            filled[item_id, answer.dimension] = Filled(item_id, answer.dimension, value)
        for sign, quotes in (("green", answer.green), ("red", answer.red)):
            for quote in quotes:
                span = locate(quote, sign, items[item_id], answer.dimension)
                if span is None:
                    raise SheetError(f"{where}, column {sign!r}: {quote!r} does not stand in the encounter")
                spans.append(span)
    return list(filled.values()), spans


def _answers(path: Path) -> Iterator[tuple[str, Answer]]:
    try:
        if path.suffix == ".json":
            pages = Sheet.model_validate_json(path.read_bytes()).pages
            yield from ((page.item, answer) for page in pages for answer in page.answers)
            return
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield from _rows(csv.DictReader(file), path)
    except (OSError, UnicodeDecodeError) as error:
        raise SheetError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    except ValidationError as error:
        field, message = first_problem(error)
        raise SheetError(f"{path}, field {field!r}: {message}") from error


def _rows(reader: "csv.DictReader[str]", path: Path) -> Iterator[tuple[str, Answer]]:
    needed = ("item", "dimension", "rating")
    if missing := [name for name in needed if name not in (reader.fieldnames or ())]:
        raise SheetError(f"{path}, line 1: no column {missing[0]!r}; needed are {', '.join(needed)}")
    for row in reader:
        text = {name: (row.get(name) or "").strip() for name in _COLUMNS}
        yield (
            text["item"],
            Answer(
                dimension=text["dimension"],
                rating=text["rating"],
                green=_quotes(text["green"]),
                red=_quotes(text["red"]),
                comment=text["comment"],
            ),
        )


def _quotes(cell: str) -> tuple[str, ...]:
    return tuple(quote.strip() for quote in cell.split(_BARS) if quote.strip())
