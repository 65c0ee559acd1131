"""What is wrong with a part of the body, by its nature: swollen, numb, weak, leaking.

Who calls an ankle "blown up" and whose record calls it swollen have said the same; the table holds the words of both.
"""

import csv
import re
from functools import lru_cache
from pathlib import Path

from bedside.verifier.language.pattern import Pattern

__all__ = ["SAID", "natures_in"]

_TABLE = Path(__file__).parent.parent / "data" / "core" / "natures.tsv"


def _rows() -> tuple[dict[str, str], ...]:
    with _TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


SAID = "|".join(row["said"] for row in _rows())
"""An expression for the words that patients say of a part gone wrong."""
_RECORDED = {row["nature"]: Pattern(rf"\b(?:{row['recorded']})", re.IGNORECASE) for row in _rows()}


@lru_cache(maxsize=8192)
def natures_in(text: str) -> frozenset[str]:
    """Return the natures that a text names, of a patient or of a record."""
    return frozenset(nature for nature, pattern in _RECORDED.items() if pattern.search(text))
