"""What a plan forbids by a general name, and what it is called when it is offered: sushi is raw fish."""

import csv
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from bedside.verifier.language.pattern import Pattern

__all__ = ["kinds_in", "kinds_of", "members_in"]

_TABLE = Path(__file__).parent.parent / "data" / "core" / "kinds.tsv"


@lru_cache(maxsize=1)
def _table() -> tuple[tuple[str, Pattern, Pattern], ...]:
    """Return, for each row, its name as a concept, the patterns of the general name and of the members."""
    with _TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(
            (f"kind:{row['kind']}", _words(row["kind"]), _words(f"{row['kind']}|{row['members']}"))
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        )


def _words(pattern: str) -> Pattern:
    return Pattern(rf"\b(?:{pattern})\b", re.IGNORECASE)


@lru_cache(maxsize=16384)
def kinds_of(text: str) -> frozenset[str]:
    """Return the kinds that a phrase of a plan speaks of by their general names, as concepts."""
    return frozenset(name for name, general, _ in _table() if general.search(text))


@lru_cache(maxsize=16384)
def kinds_in(text: str) -> frozenset[str]:
    """Return the kinds of which a sentence names one, as concepts."""
    return frozenset(name for name, _, members in _table() if members.search(text))


def members_in(text: str, kinds: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Yield where a sentence names one of some kinds."""
    for name, _, members in _table():
        if name in kinds:
            yield from (member.span() for member in members.finditer(text))
