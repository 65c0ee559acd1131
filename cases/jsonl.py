"""Cases on disk: one JSON object a line, and errors that say where.

A malformed row must be findable: every failure names file, line and field, whichever loader met it.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import orjson
from pydantic import ValidationError

from bedside.cases.case import Case

__all__ = ["CaseError", "first_problem", "read_cases", "write_cases"]


class CaseError(ValueError):
    """A case source that cannot be used; the message says what is wrong, where, and what to do."""

    def __init__(self, message: str, *, path: Path | str, line: int | None = None, field: str | None = None) -> None:
        place = str(path) + (f", line {line}" if line is not None else "") + (f", field {field}" if field else "")
        super().__init__(f"{place}: {message}")


def first_problem(error: ValidationError) -> tuple[str, str]:
    """Return the field path and the message of the first problem that pydantic found."""
    problem = error.errors()[0]
    return ".".join(map(str, problem["loc"])), problem["msg"].removeprefix("Value error, ")


def read_cases(path: Path) -> Iterator[Case]:
    """Stream the cases of a file.

    Args:
        path: ``.jsonl``, one case a line, blank lines skipped; or ``.json``, one case or a list of them, laid out for
            people.

    Yields:
        Cases in file order.

    Raises:
        CaseError: The file is missing or unreadable, a row is not a valid case, or an id comes twice.
    """
    seen: dict[str, int] = {}
    try:
        for number, row in _pretty(path) if path.suffix == ".json" else _lines(path):
            case = _parsed(row, path, number)
            if case.id in seen:
                first = f"id {case.id!r} was used in line {seen[case.id]}"
                raise CaseError(first, path=path, line=number, field="id")
            seen[case.id] = number
            yield case
    except OSError as error:
        raise CaseError(error.strerror or str(error), path=path) from error


def _lines(path: Path) -> Iterator[tuple[int, object]]:
    with path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            if raw.strip():
                try:
                    yield number, orjson.loads(raw)
                except orjson.JSONDecodeError as error:
                    raise CaseError(f"not JSON ({error})", path=path, line=number) from error


def _pretty(path: Path) -> Iterator[tuple[int, object]]:
    """Yield the objects of a JSON file with the line in which each begins."""
    text = path.read_text(encoding="utf-8")
    decoder = json.JSONDecoder()
    position = _skipped(text, 0, "[")
    while position < len(text) and text[position] != "]":
        line = text.count("\n", 0, position) + 1
        try:
            row, position = decoder.raw_decode(text, position)
        except json.JSONDecodeError as error:
            raise CaseError(f"not JSON ({error.msg})", path=path, line=error.lineno) from error
        yield line, row
        position = _skipped(text, position, ",")


def _skipped(text: str, position: int, mark: str) -> int:
    while position < len(text) and (text[position].isspace() or text[position] == mark):
        position += 1
    return position


def _parsed(row: object, path: Path, number: int) -> Case:
    try:
        return Case.model_validate(row)
    except ValidationError as error:
        field, message = first_problem(error)
        raise CaseError(message, path=path, line=number, field=field) from error


def write_cases(cases: Iterable[Case], path: Path) -> int:
    """Write cases as JSONL and return how many; the file appears whole or not at all.

    Raises:
        CaseError: The file cannot be written.
    """
    part = path.with_name(path.name + ".part")
    count = 0
    try:
        with part.open("wb") as file:
            for case in cases:
                file.write(orjson.dumps(case.model_dump(mode="json", exclude_none=True)) + b"\n")
                count += 1
        part.replace(path)
    except OSError as error:
        raise CaseError(error.strerror or str(error), path=path) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return count
