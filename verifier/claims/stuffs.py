"""Medicines that are called by their stuff, or the organ, where medicines are asked for: "Iron, three twenty-five"."""

import re
from collections.abc import Iterator, Sequence

from bedside.verifier.claims.focus import Focus
from bedside.verifier.language.lexicon import Mention
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence

__all__ = ["stuffs_of"]

_CLASSES = {"iron": "class:iron-supplement", "thyroid": "class:thyroid-hormone"}
_MEASURED = (
    r",? (?:\d|(?:once|twice|every (?:day|morning|night|other)|in the (?:morning|evening)|at (?:night|bedtime))\b)"
)
_STUFF = Pattern(
    rf"(?:^|[,;] |\b(?:and|plus|also) )(?:(?:the|my|some|just|only|yes|yeah|oh|well)\b,? )*"
    rf"(?:(?P<iron>iron)(?={_MEASURED}|[,.;]|\W*$)|"
    rf"(?P<thyroid>thyroid)(?={_MEASURED}))",
    re.IGNORECASE,
)


def stuffs_of(
    sentence: Sentence, focus: Focus, taken: Sequence[tuple[int, int]]
) -> Iterator[tuple[Mention, tuple[int, int]]]:
    """Find medicines that only the question makes medicines of.

    Args:
        sentence: A sentence of the answer.
        focus: What was asked.
        taken: Where other things are named.

    Yields:
        Mentions of their classes, with where they stand.
    """
    if "drugs" not in focus.topics or "allergy" in focus.topics:
        return
    for match in _STUFF.finditer(sentence.text):
        name = str(match.lastgroup)
        span = match.span(name)
        index = next((i for i, t in enumerate(sentence.tokens) if t.start - sentence.start == span[0]), None)
        if index is not None and not any(a < span[1] and span[0] < b for a, b in taken):
            yield Mention((_CLASSES[name],), index, index), span
