"""What the educator taught over a whole encounter: the reading that coverage, safety and shaping share.

Each turn is read once against the plan. Of an item that comes up several times the last statement stands: a patient
goes home with the last thing they heard, so a correction repairs and a contradiction spoils.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from bedside.cases.case import Case
from bedside.cases.fact import Medication
from bedside.envs.episode import Episode
from bedside.verifier.context import Context, context_of
from bedside.verifier.grounding import GroundedCase, ground
from bedside.verifier.phrases import bag_of, coverage, phrase_of
from bedside.verifier.quantities import find_quantities
from bedside.verifier.teaching import Event, Reading, read_teaching
from bedside.verifier.text import STOPWORDS, Sentence, tokenize

__all__ = ["Lesson", "Statement", "lesson_of", "told"]

_IN_WORDS = 0.6
_PROMISES = re.compile(
    r"\b(?:we(?:'ll| will| can| could| should)|i(?:'ll| will| can| could| would like to| want to)|"
    r"let's|let me|let us)\b"
    r"[^.:]{0,25}\b(?:talk|go over|discuss|cover|tell you about|explain|review|speak|look at|"
    r"turn to)\b(?! that| to you that)[^:]*$",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\b(?:my|some|most|many|other|another|a lot of) (?:neighbou?rs?|friends?|patients?|people|wife|"
    r"husband|mother|father|"
    r"brothers?|sisters?|uncles?|aunts?|colleagues?)\b(?! (?:told|gave|asked) you)",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(
    r"\bif (?:you|it|this|there|they) (?:had|were|was|ever had)\b|\b(?:imagine|suppose|let's say|"
    r"hypothetically)\b",
    re.IGNORECASE,
)
_TO_THE_JUDGE = re.compile(
    r"\b(?:judges?|evaluators?|graders?|scor(?:e|es|ing)|rubric|full (?:marks|credit)|reward|"
    r"checklist items?|\"\s*:\s*[\"\[{]|(?:this|the) (?:educator|clinician|model|assistant|transcript|"
    r"conversation) (?:has|have|did|covered?|should))\b",
    re.IGNORECASE,
)
_EMPTY_SHARE = 0.12
_HEADED = re.compile(
    r"\b(?:you|you're|you've|you'll|we|we're|we've|i|i'm|it|it's|this|these|they|take|call|come|go|"
    r"return|watch|avoid|do|don't|"
    r"please|remember|keep|seek|is|are|was|were|have|had|get|stop|start|use|eat|drink|see|tell|make|"
    r"bring|if|when|for)\b",
    re.IGNORECASE,
)
_WORDED = ("dose", "frequency")


class Statement(NamedTuple):
    """One plan item said rightly or wrongly in one turn.

    Attributes:
        turn: Number of the turn.
        event: What the verifier read there.
    """

    turn: int
    event: Event


class Lesson(NamedTuple):
    """An encounter as teaching.

    Attributes:
        grounded: The case with its concepts.
        statements: Everything said of the plan, in order.
        last: For each item, the last of these.
    """

    grounded: GroundedCase
    statements: tuple[Statement, ...]
    last: dict[str, Statement]

    def right(self, item: str) -> bool:
        """True when the last word on an item agrees with the plan."""
        return item in self.last and self.last[item].event.right

    def wrong(self, item: str) -> bool:
        """True when the last word on an item disagrees with the plan."""
        return item in self.last and not self.last[item].event.right

    def said(self, item: str) -> str:
        """Return the sentence that had the last word on an item; empty if there was none."""
        return self.last[item].event.said if item in self.last else ""


def lesson_of(episode: Episode, case: Case) -> Lesson:
    """Read an encounter, finished or not, as teaching.

    Args:
        episode: The encounter.
        case: Its case.

    Returns:
        The lesson; the verifier remembers turns it has read, so that reading a growing episode again costs little.
    """
    grounded = ground(case, "discharge")
    guess = episode.opening
    statements: list[Statement] = []
    for number, turn in enumerate(episode.turns):
        statements += (Statement(number, event) for event in _told_by(turn.heard, guess, grounded))
        guess = turn.patient
    last = {statement.event.item: statement for statement in statements}
    return Lesson(grounded, tuple(statements), last)


@lru_cache(maxsize=8192)
def _told_by(heard: str, guess: str, grounded: GroundedCase) -> tuple[Event, ...]:
    """Return what a turn tells; remembered, for a growing episode is read again at every step."""
    return tuple(told(read_teaching(heard, grounded, guess=guess), grounded))


def told(reading: Reading, grounded: GroundedCase) -> Iterator[Event]:
    """Yield what a text really tells of the plan: not what it denies, supposes, promises or says to someone else.

    Args:
        reading: The verifier's reading of the text.
        grounded: The case.
    """
    for event in reading.events:
        if _said_to_no_one(event, grounded):
            continue
        context = _context(event, reading, grounded)
        if context is None or not (context.denied or context.act != "statement" or context.experiencer != "patient"):
            yield event
        elif context.denied and context.act == "statement" and "." not in event.item:
            # "This was not a heart attack" is a statement about the diagnosis, and a wrong one.
            yield event._replace(right=False, stated="denied")
    yield from _worded(reading, grounded)


@lru_cache(maxsize=65536)
def _addressed(sentence: str) -> bool:
    """False for what is promised, supposed, told of others or to a judge: none of it tells the patient anything."""
    patterns = (_PROMISES, _OTHERS, _SUPPOSES, _TO_THE_JUDGE)
    return not any(pattern.search(sentence) for pattern in patterns)


@lru_cache(maxsize=65536)
def _keywords(sentence: str) -> bool:
    """True for lists of bare words: commas, and hardly a word that joins them into a sentence."""
    parts = sentence.split(",")
    if len(parts) < 4:
        return False
    tokens = tokenize(sentence)
    joining = sum(token.text.lower() in STOPWORDS for token in tokens)
    if joining < _EMPTY_SHARE * len(tokens) and not find_quantities(sentence):
        return True
    regimens = sum(len(part.split()) >= 4 and bool(find_quantities(part)) for part in parts)
    return len(parts) >= 6 and not _HEADED.search(parts[0]) and regimens < 0.3 * len(parts)


def _said_to_no_one(event: Event, grounded: GroundedCase) -> bool:
    kind = grounded.facts[event.item.partition(".")[0]].fact.kind
    # Warning signs are listed bare under their heading, and rightly so.
    return not _addressed(event.said) or (kind != "return_sign" and _keywords(event.said))


def _context(event: Event, reading: Reading, grounded: GroundedCase) -> Context | None:
    """Return how a sentence uses the diagnosis it names; None where denial is part of what is taught."""
    known = grounded.facts[event.item.partition(".")[0]]
    if known.fact.kind != "condition" or not event.right:
        return None
    sentence = reading.sentences[event.sentence]
    if sentence.text.strip() != event.said:
        return None  # The patient's guess, which the educator confirmed.
    found = None
    for mention in grounded.find(sentence.tokens):
        if known.concept in mention.concepts or not known.broader.isdisjoint(mention.concepts):
            start = sentence.tokens[mention.first].start - sentence.start
            end = sentence.tokens[mention.last].end - sentence.start
            found = context_of(sentence.text, start, end)
            if not found.denied and found.act == "statement" and found.experiencer == "patient":
                return None
    return found


def _worded(reading: Reading, grounded: GroundedCase) -> Iterator[Event]:
    """Doses and frequencies that hold no number ("a thin layer") are stated by saying their words."""
    stated = {event.item for event in reading.events}
    for known in grounded.plan:
        fact = known.fact
        if not isinstance(fact, Medication) or fact.id not in stated:
            continue
        about = {e.sentence for e in reading.events if e.item.partition(".")[0] == fact.id}
        for name in _WORDED:
            value = getattr(fact, name)
            item = f"{fact.id}.{name}"
            if not value or item in stated:
                continue
            for number in sorted(about):
                sentence = reading.sentences[number]
                if _says(sentence, value):
                    yield Event(item, True, number, sentence.text.strip())
                    break


def _says(sentence: Sentence, value: str) -> bool:
    return coverage(phrase_of(value), bag_of(sentence.text, sentence.tokens, frozenset())) >= _IN_WORDS
