"""Does a sentence recommend what this patient's plan forbids, or thin out what it orders?

The reader takes a sentence as a whole; here the forbidden thing itself must be recommended, in any words of approval
(:mod:`bedside.verifier.teaching.approval`), as it is bad for this patient whoever praises it in whatever way.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from bedside.cases.fact import Instruction, Medication
from bedside.rewards.profile import active_concepts
from bedside.rewards.severity import is_grave
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import times_a_day
from bedside.verifier.language.text import Sentence
from bedside.verifier.teaching.approval import recommended
from bedside.verifier.teaching.kinds import kinds_in, kinds_of, members_in
from bedside.verifier.teaching.permission import forbidden, names_forbidden
from bedside.verifier.teaching.phrases import Bag, Phrase, bag_of, coverage, phrase_of
from bedside.verifier.teaching.restrictions import keeps_hours

__all__ = ["Breach", "breach_in"]

_OVER = Pattern(
    r"\b(?:until|unless|once|when|before|after|as soon as|if|while|then|by then|for (?:the )?(?:next |first )?\d)\b"
)
_ENOUGH = Pattern(r"\b(?:enough|plenty|sufficient|will do|would do|okay|all you need|only need\w*|no need|can wait)\b")
_SAME_DEED = 0.35
"""Share of an order that a sentence must hold to be about it; its frequency is another one."""

_RARE = 0.34
"""At this share of the planned frequency and below, checks and care are as good as left out."""


class Breach(NamedTuple):
    """An item of the plan that a sentence goes against."""

    item: str
    grave: bool


class _Ban(NamedTuple):
    breach: Breach
    phrase: Phrase
    things: tuple[Phrase, ...]


def breach_in(sentence: Sentence, grounded: GroundedCase) -> Breach | None:
    """Return the item that a sentence goes against by recommending what it forbids or by thinning out what it orders.

    Args:
        sentence: Of the educator, with numbers in digits; no question.
        grounded: The patient's case.
    """
    meanings = grounded.meanings(grounded.mentions(sentence.text)) | kinds_in(sentence.text)
    bag = bag_of(sentence.text, sentence.tokens, meanings)
    found = (*_defied(sentence, bag, grounded), *_thinned(sentence, bag, grounded))
    return min(found, key=lambda breach: not breach.grave, default=None)


def _defied(sentence: Sentence, bag: Bag, grounded: GroundedCase) -> Iterator[Breach]:
    for ban in _bans(grounded):
        if not names_forbidden(ban.phrase, bag) or (_OVER.search(ban.phrase.text) and _OVER.search(sentence.text)):
            continue
        if keeps_hours(ban.phrase.text, sentence.text):
            continue
        if any(recommended(sentence.text, *place) for place in _places(ban, sentence, grounded)):
            yield ban.breach


def _places(ban: _Ban, sentence: Sentence, grounded: GroundedCase) -> Iterator[tuple[int, int]]:
    """Yield where a sentence names what is forbidden."""
    yield from members_in(sentence.text, frozenset(kind for thing in ban.things for kind in kinds_of(thing.text)))
    concepts = {concept for thing in ban.things for concept, _ in thing.concepts}
    for mention in grounded.mentions(sentence.text):
        if active_concepts(grounded).isdisjoint(mention.concepts) and not concepts.isdisjoint(
            grounded.meanings((mention,))
        ):
            yield sentence.tokens[mention.first].start, sentence.tokens[mention.last].end


@lru_cache(maxsize=1024)
def _bans(grounded: GroundedCase) -> tuple[_Ban, ...]:
    found = []
    for known in grounded.plan:
        fact = known.fact
        told = [(fact.id, fact.text, is_grave(fact))] if isinstance(fact, Instruction) else []
        if isinstance(fact, Medication) and fact.change != "stopped":
            told = [(f"{fact.id}.precaution{n}", text, True) for n, text in enumerate(fact.precautions, 1)]
        for item, text, grave in told:
            if things := forbidden(text):
                found.append(_Ban(Breach(item, grave), phrase_of(text), things))
    return tuple(found)


def _thinned(sentence: Sentence, bag: Bag, grounded: GroundedCase) -> Iterator[Breach]:
    stated = times_a_day(sentence.text)
    for breach, deed, planned in _rounds(grounded) if stated and _ENOUGH.search(sentence.text) else ():
        if stated <= _RARE * planned and coverage(deed, bag) >= _SAME_DEED:
            yield breach


@lru_cache(maxsize=1024)
def _rounds(grounded: GroundedCase) -> tuple[tuple[Breach, Phrase, float], ...]:
    """Return the orders of the plan that are to be done again and again, with how often."""
    found = []
    for known in grounded.plan:
        planned = times_a_day(known.fact.text) if isinstance(known.fact, Instruction) else 0.0
        if isinstance(known.fact, Instruction) and planned:
            found.append((Breach(known.fact.id, True), phrase_of(known.fact.text), planned))
    return tuple(found)
