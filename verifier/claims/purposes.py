"""Drugs that are named by what they are for: "a little white pill for my pressure", "something for my nerves".

The tables know "blood pressure pill" and its like; the words in between, and whatever else a record treats, they
do not.
"""

import re
from collections.abc import Iterator, Sequence

from bedside.verifier.claim import Claim
from bedside.verifier.claims.mentions import claim_of
from bedside.verifier.language.context import context_of
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence

__all__ = ["purposes_in"]

_THING = (
    r"(?:pills?|tablets?|capsules?|medicines?|medications?|meds?|drugs?|shots?|injections?|drops|spray|cream|ointment|"
    r"inhaler|puffer|patch(?:es)?|stuff|something|one)"
)
_FOR = Pattern(
    rf"\b({_THING}(?: \w+){{0,3}}? (?:for|to (?:help|lower|treat|control|thin|calm|settle|prevent)(?: with)?)) "
    r"(?:my |the |this |that |all |high |low |bad )*([a-z]+(?: [a-z]+)?)",
    re.IGNORECASE,
)
# Sentences about giving a drug to somebody, or how long: no purpose.
_NO_PURPOSE = Pattern(
    r"^(?:now|it|that|this|me|you|him|her|them|years?|weeks?|months?|days?|a|an|about|some|any|ever|over|sale|free|"
    r"sure|"
    r"example|real|good|\w+ (?:years?|weeks?|months?|days?))\b",
    re.IGNORECASE,
)
_HAS = Pattern(
    r"\b(?:i(?:'m| am)? (?:\w+ )?(?:take|on|use|taking|using|get|got|have|had|pop|swallow)|they (?:have|put|"
    r"got) me on|gave me|gives me|"
    r"i've got|there's|also|and|plus|just|only|my)\b|^\W*(?:an?|some|the|one|two|\d|little|" + _THING + r")\b",
    re.IGNORECASE,
)


def purposes_in(sentence: Sentence, named: Sequence[tuple[int, int]]) -> Iterator[Claim]:
    """Find drugs that are named by their purpose and no otherwise.

    Args:
        sentence: A sentence of the patient.
        named: Where drugs are named in it; what lies in one of these spans is known already.

    Yields:
        Claims of kind ``purpose``.
    """
    body = sentence.text
    if not _HAS.search(body):
        return
    for match in _FOR.finditer(body):
        start, end = match.span()
        if _NO_PURPOSE.search(match[2]) or any(a < end and start < b for a, b in named):
            continue
        yield claim_of(
            "purpose", "purpose", sentence, match.span(), context_of(body, start, start), {"for": match[2].lower()}
        )
