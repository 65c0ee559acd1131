"""The cue table: which turns of phrase ask for what."""

import csv
import re
from functools import lru_cache
from pathlib import Path

from bedside.verifier.language.pattern import Pattern

__all__ = ["cue_words", "match"]

_TABLE = Path(__file__).parent.parent / "data" / "cues.tsv"


@lru_cache(maxsize=1)
def _cues() -> dict[str, tuple[tuple[str, Pattern], ...]]:
    """Return the table by group, read once: ``ask``, ``topic`` (outside the usual history) and ``talk``."""
    found: dict[str, list[tuple[str, Pattern]]] = {}
    with _TABLE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            found.setdefault(row["group"], []).append((row["intent"], Pattern(row["pattern"])))
    return {group: tuple(rows) for group, rows in found.items()}


def match(text: str, group: str) -> dict[str, int]:
    """Find the cues of one group in lower-case text.

    Returns:
        Intent names with the offset of their first cue, in the order of the offsets.
    """
    found: dict[str, int] = {}
    for intent, pattern in _cues()[group]:
        if hit := pattern.search(text):
            found[intent] = min(hit.start(), found.get(intent, hit.start()))
    return dict(sorted(found.items(), key=lambda item: item[1]))


@lru_cache(maxsize=1)
def cue_words() -> frozenset[str]:
    """Return the plain words in the patterns, which a misspelt word may stand for."""
    return frozenset(
        w for rows in _cues().values() for _, p in rows for w in re.findall(r"(?<![\\a-z])[a-z]{4,}", p.expression)
    )
