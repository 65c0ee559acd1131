"""Expressions of the safety tables, in which ``<RED_FLAG>`` and its kin stand for what a table of terms says."""

import csv
import re
from functools import lru_cache
from pathlib import Path

from bedside.verifier.language.pattern import Pattern

__all__ = ["compiled"]

_TABLE = Path(__file__).parent / "data" / "safety_terms.tsv"


def compiled(pattern: str) -> Pattern:
    """Return an expression of a safety table with its terms written out."""
    return Pattern(re.sub(r"<([A-Z_]{4,})>", lambda term: _terms()[term[1]], pattern), re.IGNORECASE)


@lru_cache(maxsize=1)
def _terms() -> dict[str, str]:
    with _TABLE.open(encoding="utf-8", newline="") as file:
        return {row["term"]: row["pattern"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}
