"""How often, when a question asked it: "Five, six." to "How many times do you get up at night?"."""

import re
from collections.abc import Iterator

from bedside.verifier.claim import Claim
from bedside.verifier.claims.focus import Focus
from bedside.verifier.claims.mentions import claim_of
from bedside.verifier.language.context import context_of, is_question
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import find_quantities
from bedside.verifier.language.text import Sentence, content_stems

__all__ = ["counts_of"]

_HOW_OFTEN = Pattern(r"\bhow (?:often|many|frequent\w*|regular\w*)\b", re.IGNORECASE)
_COUNT = Pattern(
    r"^\W*(?:(?:oh|uh|um|well|maybe|about|around|roughly|like|i'd say|say|at least|up to|only|just|it's|i|get|got|go|"
    r"use|used|had|have|i've|up|been|probably|yeah|yes|every|a good)\b\W*)*(\d+)(?:\W{1,3}(?:(?:or|to|"
    r"maybe)\W)?(\d+))?\b"
    r"(?! ?(?:mg|milligrams|hours?|minutes?|days?|weeks?|months?|years?|pounds|%|mcg|units|am\b|pm\b))",
    re.IGNORECASE,
)
_ALONE = Pattern(r"^\W*(?:$|times|of (?:them|those|'em)|in (?:the|a|\d|about)\b|this|last)|^,", re.IGNORECASE)
_WORDS = {"once": "1", "twice": "2", "thrice": "3"}
_WORD = Pattern(r"^\W*(?:(?:oh|uh|um|well|maybe|about|like|just|only)\b\W*)*(once|twice|thrice)\b", re.IGNORECASE)
_TIMES = Pattern(
    r"^\W*(?:(?:oh|uh|um|well|maybe|about|like|just|only|at least)\b\W*)*(?:\d+ times|once|twice)\b", re.IGNORECASE
)
_UNASKED = frozenset("often mani time day week month ani use take go do you your have had been get ever".split())


def counts_of(sentence: Sentence, focus: Focus) -> Iterator[Claim]:
    """Find how often something is said to happen.

    Args:
        sentence: A sentence of the patient, numbers in digits.
        focus: What the question was about.

    Yields:
        A claim of kind ``often``; ``of`` holds the stems that tell what was asked after.
    """
    body = sentence.text
    asked = bool(_HOW_OFTEN.search(focus.spoken))
    if sentence.number != 0 or not (asked or focus.presence or _TIMES.match(body)) or is_question(body):
        return
    about = [s for s in content_stems(focus.spoken) if s not in _UNASKED]
    if not about:
        return
    details = {"of": " ".join(about)}
    often = asked and next((q for q in find_quantities(body) if q.kind == "frequency" and "/" in q.value), None)
    if often:
        details["rate"] = often.value.split("/")[0]
        span = (often.start, often.end)
    elif (count := _COUNT.match(body)) and (asked or _ALONE.match(body[count.end(1) :])):
        details["count"] = " ".join(g for g in count.groups() if g)
        span = count.span(1)
    elif (word := _WORD.match(body)) and (asked or "before" not in focus.topics):
        details["count"] = _WORDS[word[1].lower()]
        span = word.span(1)
    else:
        return
    yield claim_of("often", "often", sentence, span, context_of(body, *span), details)
