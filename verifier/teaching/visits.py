"""Which visits of the plan a sentence names, and when it says that they are."""

import re
from collections.abc import Iterator
from functools import lru_cache

from bedside.cases.fact import FollowUp
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import Quantity, days, find_quantities
from bedside.verifier.language.text import Sentence
from bedside.verifier.teaching.appointments import lists_visits, timed_parts
from bedside.verifier.teaching.fitting import STATED, best_coverage
from bedside.verifier.teaching.focus import Focus
from bedside.verifier.teaching.kinds import kinds_of
from bedside.verifier.teaching.phrases import LIGHT, Bag, coverage, phrase_of
from bedside.verifier.teaching.verdicts import verdict
from bedside.verifier.teaching.weighing import weighed

__all__ = ["VISIT", "WAIVED", "read_follow_up"]

WAIVED = "waived"
"""What is stated of a visit that is said not to be needed."""

_CLEARLY = 0.2
"""By how much another visit must fit better to be the one that is meant."""

_SLIGHT = 0.3
"""Share of a visit's name below which a part is not of it."""

VISIT = Pattern(
    r"\b(?:see|sees|seeing|seen|visit\w*|appointment\w*|follow[ -]?up|follow up|check-?up|meet|scheduled?|"
    r"booked|go to|come to|be with|set up|arranged|recheck|referr\w+)\b",
    re.IGNORECASE,
)
"""Words by which a sentence is about being seen."""

_WAIVES = Pattern(rf"\b(?:{verdict('unneeded')})\b", re.IGNORECASE)
# "Don't skip it", "not before your visit", "if you cannot make it": the visit stands.
_NOT_WAIVED = Pattern(rf"\b(?:{verdict('needed')})\b", re.IGNORECASE)
_TESTS = Pattern(
    r"\b(?:tests?|scans?|checks?|checked|imaging|x-?rays?|ultrasounds?|counts?|levels?|draws?|biops\w+)\b",
    re.IGNORECASE,
)
_PARTICULAR = 2
"""Words that a purpose needs to stand for its visit: "an ultrasound of the liver", and not "asthma"."""

# "No better after 4 weeks" is how long something lasts, and no appointment.
_AFTER = re.compile(r"\bafter \d")
_TIME_SPAN = Pattern(r"\b\d+(?: ?(?:-|to) ?\d+)?[ -](?:hour|day|week|month|year)")


def read_follow_up(
    fact: FollowUp,
    sentence: Sentence,
    bag: Bag,
    focus: Focus,
    grounded: GroundedCase,
    quantities: tuple[Quantity, ...],
) -> Iterator[tuple[str, bool, str]]:
    """Read what a sentence states of one visit.

    Yields:
        Item id, whether it agrees with the plan, and what was said if not.
    """
    share, rival = best_coverage(fact, bag), _rival_visit(fact, bag, grounded)
    own = "" if focus.alarm == sentence.number else _own_part(fact, sentence.text, grounded)
    named = bool(own) or (share >= STATED and share > rival - _CLEARLY)
    # "Orthopedics in 2 weeks": who and when make an appointment without a verb.
    if _is_waived(fact, sentence.text, bag, grounded, named=named):
        yield fact.id, False, WAIVED
        return
    timed = any(q.kind == "in" for q in quantities) or "tomorrow" in bag.stems
    if named and (timed or VISIT.search(sentence.text) or focus.visited(sentence.number)):
        focus.visit, focus.visit_id = sentence.number, fact.id
        yield fact.id, True, ""
    elif not (focus.visit_id == fact.id and focus.visited(sentence.number)) or rival >= STATED:
        return
    if fact.purpose and coverage(phrase_of(fact.purpose), bag) >= STATED:
        yield f"{fact.id}.purpose", True, ""
    if fact.when and own:
        yield from _read_when(fact, weighed(own, grounded).bag, find_quantities(own), alone=True)
    elif fact.when and (named or focus.visit_id == fact.id):
        yield from _read_when(fact, bag, quantities, alone=rival < STATED)


def _is_waived(fact: FollowUp, text: str, bag: Bag, grounded: GroundedCase, *, named: bool) -> bool:
    """True when a sentence says that a visit, or what it is for, is not needed."""
    if not _WAIVES.search(text) or _NOT_WAIVED.search(text):
        return False
    if named or _same_kind(fact, bag):
        return True
    purpose = phrase_of(fact.purpose or "")
    if _TESTS.search(text) and sum(word not in LIGHT for word, _ in purpose.weights) >= _PARTICULAR:
        scanned = not kinds_of(purpose.text).isdisjoint(bag.concepts) and coverage(purpose, bag) >= _SLIGHT
        return scanned or coverage(purpose, bag) >= STATED
    return bool(VISIT.search(text)) and not _own_words(fact, grounded, purpose=False).isdisjoint(bag.stems)


def _own_part(fact: FollowUp, text: str, grounded: GroundedCase) -> str:
    """Return the part of a sentence that names a visit and no other, and one time; empty if there is none."""
    own = _own_words(fact, grounded, purpose=lists_visits(text))
    for part in timed_parts(text):
        bag = weighed(part, grounded).bag
        share, rival = best_coverage(fact, bag), _rival_visit(fact, bag, grounded)
        if rival < STATED and (share >= STATED or _same_kind(fact, bag)):
            return part
        if rival < _SLIGHT and not _AFTER.search(part) and not own.isdisjoint(bag.stems):
            return part
    return ""


@lru_cache(maxsize=4096)
def _own_words(fact: FollowUp, grounded: GroundedCase, *, purpose: bool) -> frozenset[str]:
    """Return the words by which a visit is told from all others of the plan: "spine", of the spine surgery clinic.

    Args:
        fact: The visit.
        grounded: The case.
        purpose: What it is for may name it, too: "the x-ray in 6 weeks".
    """
    others = (g.fact for g in grounded.plan if isinstance(g.fact, FollowUp) and g.fact is not fact)
    taken = {word for other in others for word in _named_by(other, purpose=True)}
    return _named_by(fact, purpose=purpose) - taken - LIGHT


def _named_by(fact: FollowUp, *, purpose: bool) -> frozenset[str]:
    texts = (fact.text, fact.purpose or "") if purpose else (fact.text,)
    return frozenset(word for text in texts for word, _ in phrase_of(text).weights)


def _same_kind(fact: FollowUp, bag: Bag) -> bool:
    """True for "your own doctor", who is the one of primary care."""
    return not kinds_of(fact.text).isdisjoint(bag.concepts)


def _rival_visit(fact: FollowUp, bag: Bag, grounded: GroundedCase) -> float:
    """Return how well a sentence fits the best of the other appointments, whose time it may be."""
    others = (g.fact for g in grounded.plan if isinstance(g.fact, FollowUp) and g.fact is not fact)
    return max((best_coverage(other, bag) for other in others), default=0.0)


def _read_when(
    fact: FollowUp, bag: Bag, quantities: tuple[Quantity, ...], *, alone: bool
) -> Iterator[tuple[str, bool, str]]:
    item = f"{fact.id}.when"
    true = days(fact.when or "")
    stated = [float(q.value) for q in quantities if q.kind == "in"] or [
        d for d in (days(bag.text),) if d is not None and true is not None
    ]
    if true is None:
        if coverage(phrase_of(fact.when or ""), bag) >= STATED:
            yield item, True, ""
    elif any(abs(d - true) <= 0.15 * true for d in stated):
        yield item, True, ""
    elif (
        alone
        and stated
        and len({q.value for q in quantities if q.kind == "in"}) == 1
        and len(_TIME_SPAN.findall(bag.text)) <= 1
    ):
        yield item, False, f"in {stated[0]:g} days"
