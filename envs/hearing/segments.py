"""Utterances cut into segments: the stretches of speech that one question or statement rules."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from bedside.verifier.context import is_question
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.lexicon import Mention
from bedside.verifier.text import Sentence, sentences

__all__ = ["Named", "Segment", "segments"]

_OPENER = (
    r"(?:do|does|did|don't|doesn't|didn't|have|has|had|haven't|hasn't|are|is|was|were|aren't|isn't|"
    r"wasn't|any|what|what's|when|when's|where|"
    r"where's|how|how's|who|who's|which|why|can|could|would|will|tell|describe|whose|have|ever)"
)
_SPLIT = re.compile(
    rf"(?:\s*[,;:]\s*(?:and |but |or |also |so )*|\s+(?:and|but|or|so) (?:also |then )?|\s+-+\s+|"
    rf"\.\.\.\s*)(?={_OPENER}\b)"
)
_LEADING = re.compile(
    r"^[\W_]*(?:(?:so|and|okay|ok|now|well|alright|right|um|uh|but|also|next|then|great|good|thanks?|"
    r"thank you|i see|first|finally|lastly|doctor|sure|yes|no worries|got it|let me ask|just|before that|"
    r"again)\b[\W_]*)*"
)
_ASKS = re.compile(rf"^{_OPENER}\b(?! (?:you for|you so|a (?:good|nice|great)|care))")
_WANTS = re.compile(
    r"\b(?:tell me|describe|walk me through|i(?:'d| would) like to (?:know|ask|hear|understand|learn|"
    r"talk|go over|discuss)|i (?:need|want|have) to (?:know|ask)|"
    r"let'?s talk about|let me ask|talk to me about|i was wondering|i'm wondering|wondering if|curious|"
    r"can you|could you|i'm going to ask|let's (?:go over|discuss|review)|"
    r"please (?:list|name|describe|tell|rate|point|explain|share|go)|go (?:over|through) (?:the|your)|"
    r"list|rate|point to|show me|explain|go on about|start from the beginning|more about|on a scale)\b"
)
_CONFIRMS = re.compile(
    r"^\W*(?:(?:so|and|okay|ok|right|alright)\b\W*)*(?:you(?:'re|'ve| are| have| had| said| mentioned|"
    r" told| feel| also| don't| haven't| do)?|it|it's|this|the|your|no|any|not|there|that)\b"
)
_KIN = re.compile(
    r"\b(?:famil(?:y|ies)|relatives?|mother|father|mom|mum|dad|parents?|brothers?|sisters?|siblings?|"
    r"grand\w+|uncles?|aunts?|cousins?|hereditary|blood relat\w+)\b"
)
_FINDINGS = ("symptom", "condition")


class Named(NamedTuple):
    """Something named in a segment: its words, concept and kind."""

    surface: str
    concept: str
    kind: str


class Segment(NamedTuple):
    """A stretch of speech.

    Attributes:
        text: Lower case.
        asked: True when it wants an answer.
        confirms: True for statements about the patient, which a doctor makes to have them confirmed.
        named: What it names, in order.
        kin: True when relatives are spoken of.
    """

    text: str
    asked: bool
    confirms: bool
    named: tuple[Named, ...]
    kin: bool

    def of(self, *kinds: str) -> tuple[Named, ...]:
        """Return what is named of the given kinds."""
        return tuple(n for n in self.named if n.kind in kinds)


def segments(text: str, grounded: GroundedCase) -> Iterator[Segment]:
    """Cut an utterance; offsets are dropped, order is kept."""
    for sentence in sentences(text):
        body = sentence.text.lower()
        asks = is_question(sentence.text)
        mentions = grounded.find(sentence.tokens)
        bounds = [0, *(m.end() for m in _SPLIT.finditer(body)), len(body)]
        previous = False
        for start, end in pairwise(bounds):
            piece = body[start:end]
            if not re.search(r"\w", piece):
                continue
            bare = piece[_LEADING.match(piece).end() :] if _LEADING.match(piece) else piece  # type: ignore[union-attr]
            opens = bool(_ASKS.match(bare)) or bool(_WANTS.search(piece))
            last = end == len(body)
            asked = opens or (asks and (previous or last))
            previous = previous or opens
            named = tuple(
                _named(sentence, m, grounded)
                for m in mentions
                if start <= sentence.tokens[m.first].start - sentence.start < end
            )
            yield Segment(
                piece,
                asked,
                bool(_CONFIRMS.match(piece)) or len(sentence.tokens) <= 6,
                named,
                bool(_KIN.search(piece)),
            )


def _named(sentence: Sentence, mention: Mention, grounded: GroundedCase) -> Named:
    first, last = sentence.tokens[mention.first], sentence.tokens[mention.last]
    surface = sentence.text[first.start - sentence.start : last.end - sentence.start].lower()
    concept = max(mention.concepts, key=lambda c: (grounded.kind(c) in _FINDINGS, c.startswith("case:")))
    return Named(surface, concept, grounded.kind(concept))
