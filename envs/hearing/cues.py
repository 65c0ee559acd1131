"""The cue table: which turns of phrase ask for what.

A pattern is only tried where one of its words occurs, so that a sentence costs a handful of searches, not fifty.
"""

import csv
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

__all__ = ["Cue", "cues", "match"]

_TABLE = Path(__file__).parent.parent / "data" / "cues.tsv"
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+")


class Cue(NamedTuple):
    """One row: ``group`` is ``ask``, ``topic`` (outside the usual history) or ``talk``."""

    group: str
    intent: str
    words: tuple[str, ...]
    pattern: re.Pattern[str]


@lru_cache(maxsize=1)
def cues() -> tuple[Cue, ...]:
    """Return the table, read once."""
    with _TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(
            Cue(row["group"], row["intent"], tuple(row["words"].split("|")), re.compile(row["pattern"]))
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        )


@lru_cache(maxsize=1)
def _by_word() -> dict[str, tuple[int, ...]]:
    index: dict[str, list[int]] = {}
    for number, cue in enumerate(cues()):
        for word in cue.words:
            index.setdefault(word, []).append(number)
    return {word: tuple(numbers) for word, numbers in index.items()}


def _candidates(words: Iterable[str]) -> Iterator[Cue]:
    index = _by_word()
    numbers = {number for word in words for part in (word, word.partition("'")[0]) for number in index.get(part, ())}
    table = cues()
    return (table[number] for number in sorted(numbers))


def match(text: str, group: str) -> dict[str, int]:
    """Find the cues of one group in lower-case text.

    Returns:
        Intent names with the offset of their first cue, in the order of the offsets.
    """
    found: dict[str, int] = {}
    for cue in _candidates(_WORD.findall(text)):
        if cue.group == group and (hit := cue.pattern.search(text)):
            found[cue.intent] = min(hit.start(), found.get(cue.intent, hit.start()))
    return dict(sorted(found.items(), key=lambda item: item[1]))
