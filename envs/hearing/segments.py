"""Utterances cut into segments: the stretches of speech that one question or statement rules.

Speech that was typed or recognised by a machine has few commas and no question marks, so a segment asks by how it
opens as well as by how it ends.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.context import is_question
from bedside.verifier.language.lexicon import Mention
from bedside.verifier.language.text import Sentence, sentences

__all__ = ["Named", "Segment", "segments"]

_OPENER = (
    r"(?:do|does|did|don't|doesn't|didn't|have|has|had|haven't|hasn't|are|is|was|were|aren't|isn't|"
    r"wasn't|any|what|whats|what's|when|when's|where|"
    r"where's|how|how's|hows|who|who's|which|why|can|could|would|will|tell|describe|whose|have|ever)"
)
_SPLIT = re.compile(
    rf"(?:\s*[,;:]\s*(?:and |but |or |also |so |now )*|\s+(?:and|but|or|so) (?:also |then )?|\s+-+\s+|"
    rf"\.\.\.\s*)(?={_OPENER}\b)|"
    # What is going to be done is a clause of its own after what was said: "you have gout, so I'll start you on this".
    r",? (?:and|so|but)(?: then)? "
    r"(?=(?:i'll|we'll|let's|i'm going to|we're going to|i'd like|i want|we need|we should)\b)"
)
_LEADING = re.compile(
    r"^[\W_]*(?:(?:so|and|okay|ok|now|well|alright|all right|right|um|uh|but|also|next|then|great|good|thanks?|"
    r"thank you|i see|first|finally|lastly|doctor|sure|yes|no worries|got it|let me ask|just|before that|"
    r"again|absolutely|wow|hey|yo|listen|mm-hmm|moving on|by the way|(?:mr|mrs|ms)\.? \w+)\b[\W_]*)*"
)
_ASKS = re.compile(
    rf"^(?!(?:do not|don't) (?!you\b(?! worry)|they\b|your\b)\w){_OPENER}\b"
    r"(?! (?:(?:this|that|it|these) means?\b(?!.*\?)|you for|you so|a (?:good|nice|great)|care|"
    r"you(?:'ve| have)(?: got)? (?:is|looks)))"
)
_WANTS = re.compile(
    r"\b(?:tell me|describe|walk me through|i(?:'d| would) like to (?:know|ask|hear|understand|learn|"
    r"talk|go over|discuss)|i (?:need|want|have) to (?:know|ask)|i (?:take it|gather|presume|assume|suppose|wonder)\b|"
    r"i(?:'m| am) (?:guessing|assuming|curious)|"
    r"i(?:'d| would) (?:love|be (?:interested|curious|keen|glad)) to (?:know|hear)|"
    r"would you mind (?:telling|saying|describing)|any (?:chance|idea)|"
    r"let'?s talk (?:a (?:little )?bit )?about|let me ask|talk to me about|i was wondering|i'm wondering|wondering if|"
    r"curious|can you|could you|i'm going to ask|let's (?:go over|discuss|review)|"
    r"please (?:list|name|describe|tell|rate|point|explain|share|go (?:on|ahead|over|through))|go (?:over|"
    r"through) (?:the|your)|"
    r"list|rate|point to|show me|explain how|give me|go on about|start from the beginning|more about|on a scale)\b"
)
# A question that begins in the midst of unpunctuated speech: "jerry came in with an ankle injury jerry what happened".
_MIDWAY = re.compile(
    r"(?<!\bus )(?<!\bme )(?<!\bsee )(?<!\bknow )(?<!\bunderstand )(?<!\bis )(?<!\bmeans )(?<!\bto )(?<!\bimagine )"
    r"\b(?:what happened|how long (?:have|has|did)|when did|(?<!let's )(?<!'ll )(?<!will )(?<!would )(?:do|did|have|"
    r"are|were) you|"
    r"how are you|what brings|what's going on|what can i|does it|how(?:'s| is| has) that)\b"
)
# "is that right" after a statement asks for its confirmation; a mere "okay?" does not.
_TAG = re.compile(
    r"(?<![\s,])[\s,]++(?:and )?(?:(?:is|was) (?:that|this) (?:right|correct|true|so|it|about right|accurate)|"
    r"am i right|"
    r"(?:did|have) i (?:get|got|understand|understood|have) (?:that|this|it)(?: right| correctly| straight)?|"
    r"(?<!the )(?<!your )(?<!or )(?<!on )right|correct|yes|"
    r"true|yeah|(?:is|are|was|were|do|does|did|have|has)(?:n't)? (?:you|it|he|she|they|there)|"
    r"if i'm not mistaken|i (?:hope|see|take it|believe|assume|presume))[\s?.!]*$"
)
_OKAY = re.compile(
    r"(?:\s*,\s*|(?<!\bbe)(?<!\bis)(?<!\bare)(?<!\bfeel)(?<!\byou)(?<!\bdoing)(?<!\bstairs)\s+)(?:okay|ok|alright|"
    r"all right)[\s?.!]*$"
)
_SUBORDINATE = re.compile(
    r"^(?:when|whenever|if|once|while|after|before|since|as|with|besides|other than|apart from|aside from|along with|"
    r"in addition to|(?:in|over|within|during|for|throughout) (?:the |these |those |your )?(?:last|past|previous))\b"
    r"(?! (?:did|do|does|was|were|is|are|have|has|had|exactly|will)\b)"
)
# "In the last week, have you been sick?" asks whether; the time is no part of what is asked.
_WITHIN = re.compile(
    r"^\W*(?:and |so )?(?:in|over|within|during|for|throughout) (?:the |these |those |your )?"
    r"(?:last|past|previous) [\w -]{2,25}?,\s*(?=(?:have|has|had|do|does|did|were|was|is|are|any|ever)\b)"
)
# "..., or has it been?" asks the same again.
_SAME_AGAIN = re.compile(
    r"^\W*(?:or )?(?:has|have|had|is|are|was|were|do|does|did|might|may|could|can|will)(?:n't| not)? "
    r"(?:it|you|they|that|there|he|she)(?: (?:ever|once|not))?(?: (?:been|be|have|had|done|do))?\W*$"
)
# What the question is about, put before it: "and your cough, when did that begin?"
_TOPIC = re.compile(
    r"^(?:(?:how|what) about |on )?(?:the|your|this|that|these|those|his|her) (?:[\w'-]+ ){0,2}[\w'-]+\s*,"
)
_CONFIRMS = re.compile(
    r"^(?:you(?:'re|'ve| are| have| had| said| mentioned|"
    r" told| feel| also| don't| haven't| do)?|it|it's|this|the|your|no|any|not|there|that|he|she|they|"
    r"(?:and )?i (?:see|hear|understand|notice|assume|guess|take it|imagine|suppose|think) (?:that )?(?:you|we|"
    r"there|it))\b"
)
_KIN = re.compile(
    r"\b(?:famil(?:y|ies)|relatives?|mother|father|mom|mum|dad|parents?|brothers?|sisters?|siblings?|"
    r"grand\w+|gran|granny|nana?|mam|folks|old man|uncles?|aunts?|cousins?|hereditary|blood relat\w+|"
    r"related to you|bloodlines?|relations)\b"
)
_OF_KIN = re.compile(r"\b(?:he|she|they|him|her)\b")
_FINDINGS = ("symptom", "condition")
_BLANK = "that thing"
_FEW = 6
# Names that are really a question's topic or a detail: their words are cues.
_COMMENTS = re.compile(
    r"(?:worse|better|relieved|hurts?(?! when you (?:pee|urinate|swallow|go))|it|drink\w*|smok\w*|sexual\w*|drug|"
    r"medical|health|family|past|"
    r"chronic|former|social|heavy|goes|problems with|feel like|worsen\w*)\b|.*\b(?:allerg(?:y|ies)|abuse|worse|"
    r"better)$|"
    r".*\ballerg\w+ (?:to|reaction)|\w+ use\b|"
    r".*\b(?:sex|intercourse|needles|menopause|just)\b|"
    r".*\b(?:radiat|spread|worst|shoots?\b|travel|drugs?$|on one side|lying flat|reactions?)|"
    r"(?:sharp|dull|burning|aching|achy|stabbing|throbbing|shooting|crushing|squeezing|severe|constant) (?:pain|"
    r"sensation|feeling)$"
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
        tagged: True when a tag ("is that right?") asks for the confirmation.
        named: What it names, in order.
        kin: True when relatives are spoken of.
    """

    text: str
    bare: str
    asked: bool
    confirms: bool
    tagged: bool
    named: tuple[Named, ...]
    kin: bool

    def of(self, *kinds: str) -> tuple[Named, ...]:
        """Return what is named of the given kinds."""
        return tuple(n for n in self.named if n.kind in kinds)


def segments(text: str, grounded: GroundedCase) -> Iterator[tuple[Segment, ...]]:
    """Cut an utterance into the segments of each sentence, in order; a mere "is that right?" is none."""
    for number, sentence in enumerate(sentences(text)):
        if number and _TAG.fullmatch(f" {sentence.text.lower()}"):
            continue
        if found := tuple(_segments(sentence, grounded)):
            yield found


def _segments(sentence: Sentence, grounded: GroundedCase) -> Iterator[Segment]:
    body, tagged = _untagged(sentence.text.lower())
    asks = is_question(sentence.text)
    named = [_named(sentence, mention, grounded) for mention in grounded.mentions(sentence.text)]
    opened = kin = False
    for start, end in pairwise(_bounds(body, [(at, name.surface) for at, name in named])):
        piece = _WITHIN.sub("", body[start:end])
        if not re.search(r"\w", piece) or (start and _SAME_AGAIN.match(piece)):
            continue
        clause = _led(piece)
        opens = bool(_ASKS.match(clause) or _WANTS.search(piece))
        here = tuple(name for position, name in named if start <= position < end)
        kin = bool(_KIN.search(piece) or (kin and _OF_KIN.search(piece)))
        yield Segment(
            text=piece,
            bare=_bare(piece, here),
            asked=opens or (asks and not tagged and (opened or end == len(body))),
            confirms=tagged or bool(_CONFIRMS.match(clause)) or len(sentence.tokens) <= _FEW,
            tagged=tagged,
            named=here,
            kin=kin,
        )
        opened = opened or opens


def _untagged(body: str) -> tuple[str, bool]:
    """Take the tag off a statement; a question keeps its words."""
    body = _OKAY.sub("", body) or body
    tag = _TAG.search(body)
    if tag is None or _ASKS.match(_led(body)) or len(body[: tag.start()].split()) < 2:
        return body, False
    return body[: tag.start()], True


def _led(text: str) -> str:
    leading = _LEADING.match(text)
    return text[leading.end() if leading else 0 :]


def _bounds(body: str, named: Sequence[tuple[int, str]]) -> list[int]:
    """Cut where a question opens, but not between "when you get the pain" and what is asked of it.

    A bare name before the first cut ("Warfarin, are you still on that?") belongs to what is asked of it too.
    """
    cuts = [match.end() for match in _SPLIT.finditer(body)]
    if "?" not in body and not _ASKS.match(_led(body)) and (midway := _MIDWAY.search(body)):
        cuts = sorted({*cuts, midway.start()})
    led = _led(body)
    topic = _TOPIC.match(led)
    opening = len(body) - len(led)
    if cuts and (
        any(at == opening and not body[at + len(name) : cuts[0]].strip(" ,") for at, name in named)
        or _SUBORDINATE.match(led)
        or (topic and opening + topic.end() in range(cuts[0] - 6, cuts[0] + 1))
    ):
        cuts = cuts[1:]
    return [0, *cuts, len(body)]


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
