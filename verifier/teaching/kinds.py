"""What a plan forbids by a general name, and what it is called when it is offered: sushi is raw fish.

The table (``data/core/kinds.tsv``) holds, for each kind, the names by which plans speak of it, what belongs to it, and
where the same words mean something else ("sponge bath", "flight bag"; ``<another>`` for what somebody else does). All
kinds are looked for in one pass.
"""

import csv
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.phrasebook import Found, Phrasebook

__all__ = ["kinds_in", "kinds_of", "members_in"]

# "Let your son clean the gutters", "your wife drives": what somebody else does; not "you and your son".
_OF_ANOTHER = (
    r"(?:(?:let|have|ask|get|needs?|with) )?(?<!and )(?<!and your )(?<!and the )(?:your |the |her |his |an? )?"
    r"(?:some(?:one|body)(?: else)?|others?|husband|wife|spouse|partner|(?:grand)?(?:son|daughter)s?|(?:grand)?kids|"
    r"(?:grand)?children|sister|brother|mother|mom|father|dad|parents?|cousin|niece|nephew|uncle|aunt|friends?|"
    r"neighbors?|room-?mate|boyfriend|girlfriend|handyman|coworkers?|aide|family|people)\b(?! and you)[^.;]*"
)
_TABLE = Path(__file__).parent.parent / "data" / "core" / "kinds.tsv"


@lru_cache(maxsize=1)
def _rows() -> tuple[dict[str, str], ...]:
    with _TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@lru_cache(maxsize=2)
def _book(*columns: str) -> Phrasebook:
    return Phrasebook(
        (f"kind:{row['kind']}", phrase) for row in _rows() for column in columns for phrase in row[column].split("|")
    )


@lru_cache(maxsize=1)
def _other_senses() -> dict[str, Pattern]:
    return {
        f"kind:{row['kind']}": Pattern(rf"\b(?:{row['but not'].replace('<another>', _OF_ANOTHER)})\b", re.IGNORECASE)
        for row in _rows()
        if row["but not"]
    }


def _found(book: Phrasebook, text: str) -> Iterator[Found]:
    for found in book.find(text):
        other = _other_senses().get(found.name)
        if other is None or not any(sense.start() <= found.start < sense.end() for sense in other.finditer(text)):
            yield found


@lru_cache(maxsize=16384)
def kinds_of(text: str) -> frozenset[str]:
    """Return the kinds that a phrase of a plan speaks of by their general names, as concepts."""
    return frozenset(found.name for found in _found(_book("named"), text))


@lru_cache(maxsize=16384)
def kinds_in(text: str) -> frozenset[str]:
    """Return the kinds of which a sentence names one, as concepts."""
    return frozenset(found.name for found in _members(text))


@lru_cache(maxsize=16384)
def _members(text: str) -> tuple[Found, ...]:
    return tuple(_found(_book("named", "members"), text))


def members_in(text: str, kinds: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Yield where a sentence names one of some kinds."""
    yield from ((found.start, found.end) for found in _members(text) if found.name in kinds)
