"""What ICD-10-CM itself calls diseases, for diagnoses that the hand-written knowledge does not name.

The knowledge holds what the cases need and how people put it; a doctor may name any disease there is. The names are
titles and inclusion terms of the classification, which is in the public domain (``scripts/build_icd_terms.py``).
"""

import csv
import re
from functools import lru_cache
from pathlib import Path
from unicodedata import normalize

__all__ = ["classified"]

_TABLE = Path(__file__).parent / "data" / "icd_terms.tsv"
_WORD = re.compile(r"[a-z0-9]+")
_ACCENTS = re.compile(r"[\u0300-\u036f]")
_LINKS = frozenset("of the in to and with by due an on at from for".split())
# How bad, how new and on which side does not change the category, but for what the titles themselves say of it.
_QUALIFIERS = frozenset("severe mild moderate new left right bilateral early viral bacterial".split())
# "Hepatitis A" is listed as "acute hepatitis A", "Cushing syndrome" has its noun, and "Meniere" goes without.
_ADDED: tuple[frozenset[str], ...] = tuple(map(frozenset, ((), ("acute",), ("disease",), ("syndrome",))))


def classified(name: str) -> str:
    """Return the ICD-10-CM code of a disease by the classification's own names.

    The order of words does not count. A name is tried as it stands, without what does not change the category, and with
    a word that doctors leave out.

    Args:
        name: A diagnosis in free text.

    Returns:
        The code with its dot; empty if no name fits.
    """
    words = _words(name)
    for wanted in dict.fromkeys((words, *(words - _QUALIFIERS | added for added in _ADDED))):
        if code := _codes().get(wanted):
            return code
    return ""


def _words(name: str) -> frozenset[str]:
    # Plural or not: "gallstones", "kidney stone".
    words = _WORD.findall(_ACCENTS.sub("", normalize("NFKD", name.lower())).replace("'s", ""))
    return frozenset(word.removesuffix("s") for word in words) - _LINKS


@lru_cache(maxsize=1)
def _codes() -> dict[frozenset[str], str]:
    found: dict[frozenset[str], str] = {}
    with _TABLE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            words = _words(row["name"])
            kept = found.setdefault(words, row["icd10"])
            if kept[:3] != row["icd10"][:3]:
                found[words] = ""  # the same words in another order name something else
    return found
