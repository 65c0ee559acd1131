"""Claims that something is still done, such as a sport: "I still play soccer every Sunday"."""

import re
from collections.abc import Iterator

from bedside.verifier.claim import Claim
from bedside.verifier.claims.mentions import claim_of
from bedside.verifier.language.context import context_of
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence

__all__ = ["pursuits_of"]

_STILL = Pattern(r"\b(?:i still|i'm still|i am still) (?!have|get|feel|can't|don't|hurt)\w+[^,;.]*", re.IGNORECASE)


def pursuits_of(sentence: Sentence) -> Iterator[Claim]:
    """Find what a patient is said to do still.

    Args:
        sentence: A sentence of the patient.

    Yields:
        Claims of kind ``pursuit``.
    """
    for match in _STILL.finditer(sentence.text):
        yield claim_of("pursuit", "pursuit", sentence, match.span(), context_of(sentence.text, *match.span()), {})
