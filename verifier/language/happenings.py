"""What happened to a body, or at a birth, that no table of complaints has a name for: a table of such happenings."""

import csv
import re
from pathlib import Path
from typing import NamedTuple

from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import content_stems

__all__ = ["HAPPENINGS", "Happening"]

_TABLE = Path(__file__).parent.parent / "data" / "core" / "happenings.tsv"


class Happening(NamedTuple):
    """Something that happened: how it is said, and the stems of a record that tells of it."""

    said: Pattern
    recorded: frozenset[str]


def _rows() -> dict[str, Happening]:
    with _TABLE.open(encoding="utf-8", newline="") as file:
        return {
            row["happening"]: Happening(Pattern(row["said"], re.IGNORECASE), frozenset(content_stems(row["recorded"])))
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        }


HAPPENINGS = _rows()
"""All of the table, by name."""
