"""Tables as their users have them: CSV, gzipped or not, columns in any order, and damaged here and there.

Rows stream one by one, so that a table of gigabytes needs no memory. A row that cannot be read is reported with its
line and skipped; it is never repaired by guessing.
"""

import csv
import gzip
import io
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bedside.cases.dropped import Dropped
from bedside.cases.jsonl import CaseError

__all__ = ["Row", "find_table", "is_whole_number", "read_table"]

_LONGEST_FIELD = 16_000_000
_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Row:
    """One row; a column that is not there is empty.

    Attributes:
        where: File and line, for reports.
        cells: Stripped text by column name in lower case; empty if nothing is there.
    """

    where: str
    cells: dict[str, str]

    def __getitem__(self, column: str) -> str:
        """Return the cell of a column."""
        return self.cells.get(column, "")


def find_table(place: Path, name: str) -> Path | None:
    """Find ``name.csv`` or ``name.csv.gz`` in a folder or the folders in it, the shallowest first.

    Args:
        place: A folder; or a file, whose folder is searched.
        name: Without extension, in any case.
    """
    folder = place if place.is_dir() else place.parent
    level = [folder]
    for _ in range(_DEEPEST):
        below: list[Path] = []
        for directory in level:
            try:
                entries = sorted(directory.iterdir())
            except OSError:
                continue
            for entry in entries:
                if entry.name.lower() in (f"{name}.csv", f"{name}.csv.gz") and entry.is_file():
                    return entry
            below += [entry for entry in entries if entry.is_dir() and not entry.name.startswith(".")]
        level = below
    return None


def read_table(path: Path, columns: Sequence[str]) -> Iterator[Row | Dropped]:
    """Stream a table.

    Args:
        path: CSV with a header, gzipped if its name or its first bytes say so; comma, tab or semicolon.
        columns: Names that must be there, in lower case; others are read too.

    Yields:
        Rows; a dropped one where the number of cells is wrong.

    Raises:
        CaseError: The file cannot be read, breaks off, or lacks a column.
    """
    csv.field_size_limit(_LONGEST_FIELD)
    try:
        with _opened(path) as text:
            first = text.readline()
            reader = csv.reader(text, delimiter=_delimiter(first))
            header = [
                cell.strip().strip("\ufeff").lower()
                for cell in next(csv.reader([first], delimiter=_delimiter(first)), [])
            ]
            if missing := [name for name in columns if name not in header]:
                there = f"it has {', '.join(filter(None, header))}" if any(header) else "it is empty"
                raise CaseError(f"no column {', '.join(missing)}; {there}", path=path, line=1)
            for cells in reader:
                where = f"{path.name}, line {reader.line_num + 1}"
                if not any(cells):
                    continue
                if len(cells) != len(header):
                    yield Dropped(
                        where, "the row does not have as many cells as the header", f"{len(cells)} for {len(header)}"
                    )
                    continue
                yield Row(where, {name: cell.strip() for name, cell in zip(header, cells, strict=True)})
    except (OSError, EOFError, UnicodeDecodeError, csv.Error, zlib.error) as error:
        raise CaseError(
            getattr(error, "strerror", None) or f"cannot be read to its end ({error})", path=path
        ) from error


@contextmanager
def _opened(path: Path) -> Iterator[io.TextIOWrapper]:
    with path.open("rb") as raw:
        gzipped = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        binary: gzip.GzipFile | io.BufferedReader = gzip.GzipFile(fileobj=raw) if gzipped else raw
        with binary, io.TextIOWrapper(binary, encoding="utf-8-sig", errors="replace", newline="") as text:
            yield text


def _delimiter(header: str) -> str:
    return max(",\t;", key=header.count)


def is_whole_number(cell: str) -> bool:
    """Say whether a cell holds an id; a spreadsheet's ``1.00043E+07`` or ``#####`` is none."""
    return cell.removesuffix(".0").isdigit()
