"""Utterances cut into segments: the stretches of speech that one question or statement rules."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.context import is_question
from bedside.verifier.language.lexicon import Mention
from bedside.verifier.language.text import Sentence, sentences

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
_ASKS = re.compile(
    rf"^{_OPENER}\b(?! (?:(?:this|that|it|these) means?\b(?!.*\?)|you for|you so|a (?:good|nice|great)|care))"
)
_WANTS = re.compile(
    r"\b(?:tell me|describe|walk me through|i(?:'d| would) like to (?:know|ask|hear|understand|learn|"
    r"talk|go over|discuss)|i (?:need|want|have) to (?:know|ask)|"
    r"let'?s talk about|let me ask|talk to me about|i was wondering|i'm wondering|wondering if|curious|"
    r"can you|could you|i'm going to ask|let's (?:go over|discuss|review)|"
    r"please (?:list|name|describe|tell|rate|point|explain|share|go)|go (?:over|through) (?:the|your)|"
    r"list|rate|point to|show me|explain how|give me|go on about|start from the beginning|more about|on a scale)\b"
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
_BLANK = "that thing"
_FEW = 6
# Names that are really a question's topic or a detail: their words are cues.
_COMMENTS = re.compile(
    r"(?:worse|better|relieved|hurts?|it|drink\w*|smok\w*|sexual\w*|drug|medical|health|family|past|"
    r"chronic)\b|.*\b(?:allerg(?:y|ies)|abuse|worse|better)$|.*\ballerg\w+ (?:to|reaction)|\w+ use\b|"
    r".*\b(?:radiat|spread|worst|shoots?\b|drugs?$)"
)


class Named(NamedTuple):
    """Something named in a segment: its words, concept and kind."""

    surface: str
    concept: str
    kind: str


class Segment(NamedTuple):
    """A stretch of speech.

    Attributes:
        text: Lower case.
        bare: The same without the names of symptoms and conditions, so that cues are not sought in these.
        asked: True when it wants an answer.
        confirms: True for statements about the patient, which a doctor makes to have them confirmed.
        named: What it names, in order.
        kin: True when relatives are spoken of.
    """

    text: str
    bare: str
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
        named = [_named(sentence, mention, grounded) for mention in grounded.find(sentence.tokens)]
        bounds = [0, *(m.end() for m in _SPLIT.finditer(body)), len(body)]
        opened = False
        for start, end in pairwise(bounds):
            piece = body[start:end]
            if not re.search(r"\w", piece):
                continue
            leading = _LEADING.match(piece)
            opens = bool(_ASKS.match(piece[leading.end() if leading else 0 :]) or _WANTS.search(piece))
            here = tuple(name for position, name in named if start <= position < end)
            yield Segment(
                text=piece,
                bare=_bare(piece, here),
                asked=opens or (asks and (opened or end == len(body))),
                confirms=bool(_CONFIRMS.match(piece)) or len(sentence.tokens) <= _FEW,
                named=here,
                kin=bool(_KIN.search(piece)),
            )
            opened = opened or opens


def _bare(piece: str, named: tuple[Named, ...]) -> str:
    """Blank out the names of findings: in "tired all the time" nobody asks about the time."""
    for name in named:
        if name.kind not in _FINDINGS or " " not in name.surface or f"which {name.surface}" in piece:
            continue
        if name.concept.startswith("case:") or not _COMMENTS.match(name.surface):
            piece = piece.replace(name.surface, _BLANK)
    return piece


def _named(sentence: Sentence, mention: Mention, grounded: GroundedCase) -> tuple[int, Named]:
    start, end = sentence.tokens[mention.first].start, sentence.tokens[mention.last].end
    surface = sentence.text[start - sentence.start : end - sentence.start].lower()
    concept = max(mention.concepts, key=lambda c: (grounded.kind(c) in _FINDINGS, c.startswith("case:")))
    return start - sentence.start, Named(surface, concept, grounded.kind(concept))
