"""The patient files of DDXPlus as people have them.

The release comes as ZIP archives that hold one CSV file without an extension; people keep them so, unpack
them, give the file a ``.csv``, or pool the three splits into one table with a SPLIT column. All of these
are read here, as rows that know their file, line and split.
"""

import csv
import gzip
import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TextIO

from bedside.cases.jsonl import CaseError

__all__ = ["REQUIRED", "Row", "Table", "find_tables", "has_test_rows", "read_rows"]

REQUIRED = ("AGE", "SEX", "PATHOLOGY", "EVIDENCES")
_OFFICIAL = re.compile(r"release_(?:train|validate|test)_patients(\.csv|\.zip|\.csv\.gz|\.gz)?", re.IGNORECASE)
_SPLIT = re.compile(r"(?<![a-z])(train|valid|test)(?:ate|ation|ing)?(?![a-z])", re.IGNORECASE)
_PREFERENCE = (".csv", "", ".csv.gz", ".gz", ".zip")


class Table(NamedTuple):
    """A patient file and the split that its name tells, or an empty string."""

    path: Path
    split: str


class Row(NamedTuple):
    """One patient: cells by column, and where they stand (``number`` counts patients)."""

    path: Path
    line: int
    number: int
    split: str
    cells: dict[str, str]


def find_tables(directory: Path) -> list[Table]:
    """Return the patient files of a directory, sorted by name.

    Release files are taken if there are any, the unpacked one where a file is there twice; else every CSV
    file that has the columns.

    Raises:
        CaseError: The directory cannot be read or holds no patient file.
    """
    try:
        files = sorted(path for path in directory.iterdir() if path.is_file())
    except OSError as error:
        raise CaseError(error.strerror or str(error), path=directory) from error
    official: dict[str, Path] = {}
    for path in files:
        if _OFFICIAL.fullmatch(path.name):
            stem = path.name.split(".")[0].lower()
            official[stem] = min(official.get(stem, path), path, key=_preference)
    chosen = [official[stem] for stem in sorted(official)] or [path for path in files if _looks_like_patients(path)]
    if not chosen:
        wanted = "release_test_patients.zip, or CSV files with the columns " + ", ".join(REQUIRED)
        raise CaseError(f"no DDXPlus patients here; expected {wanted}", path=directory)
    return [Table(path, split_of(path.name.split(".")[0])) for path in chosen]


def _preference(path: Path) -> int:
    return _PREFERENCE.index("".join(path.suffixes).lower())


def split_of(word: str) -> str:
    """Return train, validate or test if a file name or cell names one, else the empty string."""
    match = _SPLIT.search(word)
    return "" if match is None else match[1].lower().replace("valid", "validate")


def _looks_like_patients(path: Path) -> bool:
    if path.suffix.lower() != ".csv":
        return False
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        return set(REQUIRED) <= set(next(csv.reader(file), ()))


def has_test_rows(tables: Sequence[Table]) -> bool:
    """Say whether any row is marked as test; reads files only if their names do not tell."""
    if any(table.split == "test" for table in tables):
        return True
    return any(row.split == "test" for row in read_rows([table for table in tables if not table.split]))


def read_rows(tables: Sequence[Table]) -> Iterator[Row]:
    """Stream the rows of patient files.

    Raises:
        CaseError: A file cannot be read, lacks a column, or has a row of another length than its header.
    """
    for table in tables:
        try:
            with _open(table.path) as file:
                yield from _rows(table, csv.DictReader(file, strict=True))
        except (OSError, UnicodeDecodeError, zipfile.BadZipFile, csv.Error, EOFError) as error:
            raise CaseError(f"cannot be read as CSV ({error})", path=table.path) from error


def _rows(table: Table, reader: "csv.DictReader[str]") -> Iterator[Row]:
    if missing := [name for name in REQUIRED if name not in (reader.fieldnames or ())]:
        raise CaseError("no such column", path=table.path, line=1, field=missing[0])
    for number, cells in enumerate(reader, 1):
        # DictReader files surplus cells under None and fills missing ones with None.
        if None in cells or None in cells.values():
            raise CaseError("more or fewer cells than the header", path=table.path, line=reader.line_num)
        split = split_of(cells.get("SPLIT", "")) or table.split
        yield Row(table.path, reader.line_num, number, split, cells)


@contextmanager
def _open(path: Path) -> Iterator[TextIO]:
    suffix = path.suffix.lower()
    if suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if not name.endswith("/") and not name.startswith("__MACOSX")]
            if len(names) != 1:
                raise CaseError(f"holds {len(names)} files instead of one", path=path)
            with archive.open(names[0]) as member:
                yield io.TextIOWrapper(member, encoding="utf-8-sig", newline="")
    elif suffix == ".gz":
        with gzip.open(path, "rt", encoding="utf-8-sig", newline="") as file:
            yield file
    else:
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield file
