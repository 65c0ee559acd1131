"""The cue table: which turns of phrase ask for what.

One turn of phrase a row. A word in braces, as in ``{part}``, stands for a class of words; classes are rows of the
table too.
"""

import csv
import re
from functools import lru_cache
from pathlib import Path

from bedside.verifier.language.pattern import Pattern

__all__ = ["alternatives", "cue_words", "match"]

_TABLE = Path(__file__).parent.parent / "data" / "cues.tsv"
_CLASS = re.compile(r"\{([a-z]+)\}")


@lru_cache(maxsize=1)
def _cues() -> dict[str, dict[str, Pattern]]:
    """Return one pattern an intent, by group: ``ask``, ``topic`` (outside the usual history), ``talk``, ``aside``."""
    with _TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    classes = {row["intent"]: f"(?:{row['pattern']})" for row in rows if row["group"] == "class"}
    found: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        if row["group"] != "class":
            pattern = _CLASS.sub(lambda word: classes[word[1]], row["pattern"])
            found.setdefault(row["group"], {}).setdefault(row["intent"], []).append(pattern)
    return {
        group: {intent: Pattern("|".join(patterns)) for intent, patterns in intents.items()}
        for group, intents in found.items()
    }


def alternatives(group: str, intent: str) -> str:
    """Return all turns of phrase of an intent as one expression, to be built into a larger one."""
    return f"(?:{_cues()[group][intent].expression})"


def match(text: str, group: str) -> dict[str, int]:
    """Find the cues of one group in lower-case text.

    Returns:
        Intent names with the offset of their first cue, in the order of the offsets.
    """
    found = {intent: hit.start() for intent, pattern in _cues()[group].items() if (hit := pattern.search(text))}
    return dict(sorted(found.items(), key=lambda item: item[1]))


@lru_cache(maxsize=1)
def cue_words() -> frozenset[str]:
    """Return the plain words in the patterns, which a misspelt word may stand for."""
    return frozenset(
        word
        for intents in _cues().values()
        for pattern in intents.values()
        for word in re.findall(r"(?<![\\a-z])[a-z]{4,}", pattern.expression)
    )
