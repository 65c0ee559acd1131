"""People, animals and things that a sentence is about instead of the patient: "the lady next door had it too".

Who gives care is told of only by what is said to be theirs: a nurse who has a cough, not one who brought morphine.
"""

import csv
import re
from pathlib import Path

from bedside.verifier.language.pattern import Pattern

__all__ = ["other_in"]

_TABLE = Path(__file__).parent.parent / "data" / "core" / "others.tsv"


def _nouns() -> dict[str, str]:
    with _TABLE.open(encoding="utf-8", newline="") as file:
        return {row["kind"]: row["nouns"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}


_N = _nouns()
_PRONOUNS = "somebody|someone|anybody|anyone|everybody|everyone|people|folks"
_THE = (
    r"(?:the|an?|this|that|these|those|some|most|all|both|my|our|your|his|her|their|its|one of|\d+|every|another|any)"
)
_IS = r"(?: \w+){0,2}? (?:has|had|have|is|was|are|were|with|who|who's|died|looks?|looked|sounds?|sounded|got)\b"
_KIN = (
    r"(?:mother|mom|mum|mama|father|dad|daddy|papa|parents?|grand\w+|brother|sister|son|daughter|aunt|uncle|cousin|"
    r"wife|husband|niece|nephew)s?"
)
# Where one only is, and what one was as a child, is no subject.
_PREPOSITIONS = "in at on to from by for of into through under over behind with about near off was am i'm as like"
_NO_SUBJECT = "".join(rf"(?<!\b{word} )" for word in _PREPOSITIONS.split())
_OTHER = Pattern(
    rf"{_NO_SUBJECT}\b{_THE} (?:[\w'-]+ ){{0,3}}?(?:(?:{_N['person']}|{_N['animal']}|{_N['thing']})(?![\w'-])|"
    rf"(?:{_N['carer']})(?={_IS}))|\b{_THE} (?:[\w'-]+ ){{0,2}}?(?:{_N['person']})(?= (?:who|with|that)\b)|"
    rf"\b{_THE} (?:\w+ ){{0,2}}?(?!{_KIN})\w+'s (?:\w+ )?(?:{_KIN}|{_N['person']}|{_N['animal']})(?![\w'-])|"
    rf"{_NO_SUBJECT}\b(?:{_PRONOUNS})(?![\w'-])",
    re.IGNORECASE,
)
# "A lady I play cards with", "the man I work for": who is meant, and not what the patient has.
_KNOWN = Pattern(
    r"^ (?:who|that) \w+ (?:my|our|me|us) (?:\w+\b)?|^ (?:who(?:m)? |that )?(?:i|we|i've|we've)(?:'ve|"
    r"'d)? (?:\w+ ){1,3}?(?:with|for|to|from|at|by|next to|know|knew|"
    r"met)\b",
    re.IGNORECASE,
)


def other_in(before: str) -> int | None:
    """Return where the words after the last other that a text names begin, or None if it names none."""
    found = None
    for match in _OTHER.finditer(before):
        known = _KNOWN.match(before[match.end() :])
        found = match.end() + (known.end() if known else 0)
    return found
