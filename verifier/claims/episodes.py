"""How long a spell lasts, and whether there was one before: said of what comes and goes, hardly ever with its name."""

import re
from collections.abc import Iterator

from bedside.verifier.claim import Claim
from bedside.verifier.claims.answers import NO
from bedside.verifier.claims.focus import Focus
from bedside.verifier.claims.mentions import claim_of
from bedside.verifier.language.context import Context, context_of, is_question
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import days
from bedside.verifier.language.text import Sentence

__all__ = ["episodes_of"]

_LASTS = Pattern(
    r"\b(?:it|they|each|that|this|spells?|blackout|pain|attack|episode)s? (?:\w+ )?last(?:s|ed|ing)?\b", re.IGNORECASE
)
_SPAN = Pattern(
    r"\b(?:less than |about |maybe |around |almost |nearly |over )?(?:\d+(?:\.\d+)?|an?|few|several)(?: (?:or|"
    r"to) \d+)? "
    r"(?:second|minute|hour|day)s?\b",
    re.IGNORECASE,
)
_ALL_DAY = Pattern(r"\ball (?:day|night|morning|afternoon)\b", re.IGNORECASE)
_FIRST = Pattern(
    r"\b(?:first time(?! (?:in|she|he|they|since|i (?!had\b|felt\b|got\b|ever (?:had|felt|got))))|never (?:had|"
    r"happened|been like) (?:this|it|that)|never before)\b",
    re.IGNORECASE,
)
_AGAIN = Pattern(
    r"\b(?:(?:second|third|fourth|fifth|\d+(?:st|nd|rd|th)) time|(?:had|happened|felt|got) (?:this|it|that|"
    r"the same)(?: thing)? before|"
    r"same thing (?:last|\d|a|two|years|when|back)|(?:it|this|that) happened (?:last|\d|a couple|once|twice|years))\b",
    re.IGNORECASE,
)
_YES = Pattern(
    r"^\W*(?:(?:uh|um|well|oh)\b\W*)*(?:yes|yeah|yep|once|twice|\d+ times|a (?:few|couple)|sure|last|back in)\b",
    re.IGNORECASE,
)
_WHOLE_DAY = "1"


def episodes_of(sentence: Sentence, focus: Focus) -> Iterator[Claim]:
    """Find claims about how long something lasts and whether it was there before.

    Args:
        sentence: A sentence of the patient, numbers in digits.
        focus: What the question was about.

    Yields:
        Claims of kind ``lasting`` and ``earlier``.
    """
    body = sentence.text
    if is_question(body):
        return
    asked = sentence.number == 0
    if _LASTS.search(body) or (asked and "lasts" in focus.topics):
        span = _SPAN.search(body) or _ALL_DAY.search(body)
        length = days(span.group()) if span else None
        if span:
            yield _claim("lasting", sentence, span.span(), {"days": f"{length:g}" if length else _WHOLE_DAY})
    first = _FIRST.search(body) or (NO.match(body) if asked and "before" in focus.topics else None)
    again = _AGAIN.search(body) or (_YES.match(body) if asked and "before" in focus.topics else None)
    if first or again:
        match = first or again
        assert match is not None
        context = Context(bool(first), "certain", "patient", "present", "statement")
        yield claim_of("earlier", "earlier", sentence, match.span(), context, {})


def _claim(kind: str, sentence: Sentence, span: tuple[int, int], details: dict[str, str]) -> Claim:
    return claim_of(kind, kind, sentence, span, context_of(sentence.text, *span), details)
