"""What a sentence states of the facts of a plan other than drugs: care and alarm here, the others in their own rooms.

Each reader gets one fact and one sentence and says which items of the fact were stated, rightly or wrongly.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from bedside.cases.fact import FollowUp, Instruction, ReturnSign
from bedside.verifier.grounding import GroundedCase, GroundedFact
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import Quantity, times_a_day
from bedside.verifier.language.text import Sentence, tokenize
from bedside.verifier.teaching.alarms import read_return_sign
from bedside.verifier.teaching.approval import verdict_in
from bedside.verifier.teaching.details import PAST_CARE
from bedside.verifier.teaching.findings import read_finding
from bedside.verifier.teaching.fitting import RELAYED, STATED, relays, told_apart
from bedside.verifier.teaching.focus import Focus
from bedside.verifier.teaching.kinds import kinds_of
from bedside.verifier.teaching.permission import defied
from bedside.verifier.teaching.phrases import (
    LIGHT,
    Bag,
    Phrase,
    bag_of,
    coverage,
    limit_broken,
    number_clash,
    opposed,
    phrase_of,
)
from bedside.verifier.teaching.restrictions import as_term, held_until, keeps_hours
from bedside.verifier.teaching.statement import wordings_of
from bedside.verifier.teaching.verdicts import verdict
from bedside.verifier.teaching.visits import VISIT, read_follow_up

__all__ = ["PART", "read_fact"]

PART = ".part"
"""Ends the id of an instruction of which one order was stated, of two that it joins."""

_OPPOSED = 0.7
_WAIVED = 0.5
_WAIVES = Pattern(
    r"\b(?:(?:don't|do not) (?:really )?(?:(?:have|need) to|need (?:the|your|an?|any))|"
    r"no need to|needn't|(?:isn't|is not) (?:really )?necessary|"
    r"(?:can|may) (?:skip|forget about|do without|stop)|optional|not worth|don't bother|waste of time)\b",
    re.IGNORECASE,
)
# The numbers of such a sentence are those of a drug: "1 mg twice daily for 11 weeks, to quit smoking".
_DOSED = Pattern(r"\d ?(?:mg|mcg|units?|puffs?|tablets?|milligrams?)\b", re.IGNORECASE)
_ADVISES = Pattern(
    r"\b(?:you can|you may|okay|ok|fine|safe|go ahead|feel free|should|shouldn't|keep|continue|start|make sure|"
    r"try to|remember|no need|don't|do not|never|stop|avoid|must|allowed)\b|^\W*(?:eat|drink|take|lift|"
    r"walk|drive|use|do|get|rest|go|raise|check|weigh|wear)\b",
    re.IGNORECASE,
)

_KEPT = re.compile(r"(?:\b(?:not|never|cannot|nor)|n't)(?: (?:ever|just|please|want to|you))?\W*$", re.IGNORECASE)
_SENDS = Pattern(r"\b(?:call|911|emergency|come (?:right |straight )?(?:back|in))\b", re.IGNORECASE)
_DAILY = Pattern(
    r"\b(?:(?:every|each) (?:day|morning|evening|night|meal|\d+ hours)|daily|"
    r"(?:once|twice|\w+ times) (?:a|each|every) day|before (?:every|each) meal)\b",
    re.IGNORECASE,
)
_WAIVED_THING = Pattern(rf"\b(?:{verdict('waived')})\b", re.IGNORECASE)
# "Use your walker indoors", "wear a mask in shared rooms": the thing, up to where or when.
_USES = re.compile(
    r"\b(?:use|wear|carry|bring|check|measure|weigh|keep using|take|sleep with)\b (?:your|the|a|an|all|both)? ?"
    r"((?:(?!for\b|in\b|on\b|at\b|when\b|while\b|every\b|each\b|until\b|even\b|during\b|to\b|and\b|if\b|twice\b|once\b|with\b|"
    r"near\b|daily\b|as\b|whenever\b|before\b|after\b)[a-z-]+ ?){1,4})",
    re.IGNORECASE,
)

_ORDERS_APART = re.compile(
    r"; |,? (?:and|but) (?=(?:do not|never|no|take|see|check|drink|eat|walk|rest|keep|wash|pat|change|wear|use|"
    r"cover|write|call|avoid|bring|sit|stay|sleep|carry|tell|shower|raise|count|look|let|get|have|put|leave|ask|stop|limit|"
    r"recheck)\b)"
)
_NEGATIVE_CLAUSE = Pattern(
    r"(?:,| and| but| so|, and|, but)\s+(?=(?:please )?(?:do not|don't|never|no|avoid|stop|not|skip)\b)", re.IGNORECASE
)

# "Don't pick your nose, and sneeze with your mouth open": what stands after the negation is asked for.
_LAST_CLAUSE = re.compile(r",? (?:and|but) (?!(?:do not|don't|never|no|not|avoid|or)\b)|; ", re.IGNORECASE)


def read_fact(
    known: GroundedFact,
    sentence: Sentence,
    bag: Bag,
    focus: Focus,
    grounded: GroundedCase,
    quantities: tuple[Quantity, ...],
) -> Iterator[tuple[str, bool, str]]:
    """Read what a sentence states of one fact.

    Args:
        known: The fact.
        sentence: The sentence.
        bag: The same as words, concepts and numbers.
        focus: What the turn is about; a visit or test that is named becomes its subject.
        grounded: The case.
        quantities: Of the sentence.

    Yields:
        Item id, whether it agrees with the plan, and what was said if not.
    """
    match known.fact:
        case ReturnSign():
            yield from read_return_sign(known.fact, sentence, bag, focus, grounded)
        case FollowUp():
            yield from read_follow_up(known.fact, sentence, bag, focus, grounded, quantities)
        case Instruction():
            if told_apart(known.fact, bag, grounded) or not kinds_of(known.fact.text).isdisjoint(bag.concepts):
                # "In 10 days for a wound check": the time of a visit is not that of an instruction.
                timed = bool(VISIT.search(sentence.text)) and any(q.kind == "in" for q in quantities)
                timed = timed or bool(_SENDS.search(sentence.text))  # nor is how long a sign lasts
                yield from _read_instruction(known.fact, bag, grounded, of_visit=timed)
        case _:
            yield from read_finding(known, sentence, bag, focus, grounded)


def _read_instruction(
    fact: Instruction, bag: Bag, grounded: GroundedCase, *, of_visit: bool
) -> Iterator[tuple[str, bool, str]]:
    phrases = [phrase_of(wording) for wording in wordings_of(fact)]
    dosed = bool(_DOSED.search(bag.text))
    advises, past = bool(_ADVISES.search(bag.text)), dosed or bool(PAST_CARE.search(bag.text))
    verdict = bag._replace(text=verdict_in(bag.text))
    broken = next(filter(None, (limit_broken(phrase, verdict) for phrase in phrases)), "") if advises else ""
    if broken and not relays(bag, grounded, apart_from=fact.id):
        yield fact.id, False, broken
        return
    ended = None if dosed or of_visit else held_until(fact, bag)
    if ended and (ended[0] or not relays(bag, grounded)):
        yield fact.id, *ended
        return
    if not (past or of_visit) and _waives(bag.text) and _names_object(fact, bag):
        yield fact.id, False, "waived"
        return
    excused = past or of_visit or keeps_hours(fact.text, bag.text)
    if not excused and any(defied(phrase, bag) for phrase in phrases) and not relays(bag, grounded):
        yield fact.id, False, "the opposite"
        return
    yield from _read_order(fact, phrases, bag, timed=dosed or of_visit, past=past)


def _read_order(
    fact: Instruction, phrases: list[Phrase], bag: Bag, *, timed: bool, past: bool
) -> Iterator[tuple[str, bool, str]]:
    """Read how far a sentence holds the words of an instruction, and whether it says the same or the opposite.

    Args:
        fact: The instruction.
        phrases: Its wordings.
        bag: The sentence.
        timed: The numbers of the sentence are those of a dose or a visit.
        past: The sentence tells what was done.
    """
    share, best = max(((coverage(phrase, bag), phrase) for phrase in phrases), key=lambda pair: pair[0])
    if share < _WAIVED:
        if any(coverage(part, bag) >= RELAYED and not opposed(part, bag) for part in _parts(fact)):
            yield f"{fact.id}{PART}", True, ""
        return
    if clash := _done_seldom(fact, bag) or ("" if timed else number_clash(best, bag)):
        yield fact.id, False, as_term(fact, clash)
    elif opposed(best, bag):
        if share >= STATED and (_said_apart(best, bag) if not best.negative else _positive_half(best, bag)):
            yield fact.id, True, ""
            return
        heaviest = max(weight for _, weight in best.weights)
        shared = sum(word in bag.stems for word, weight in best.weights if weight >= 0.5 * heaviest)
        waived = share >= _WAIVED and bool(_WAIVES.search(bag.text))
        if (share >= _OPPOSED or waived) and shared >= 2 and not past and _ADVISES.search(bag.text):
            yield fact.id, False, "the opposite"
    elif share >= STATED:
        yield fact.id, True, ""
    elif any(coverage(part, bag) >= RELAYED and not opposed(part, bag) for part in _parts(fact)):
        yield f"{fact.id}{PART}", True, ""


def _done_seldom(fact: Instruction, bag: Bag) -> str:
    """Return how often a sentence asks for what the plan asks for every day, if that is not even daily; else empty."""
    stated = times_a_day(bag.text)
    return f"{stated:.2g} times a day" if 0 < stated < 1 and _DAILY.search(fact.text) else ""


def _waives(text: str) -> bool:
    """True for "you can skip the walker"; "don't forget the walker" and "never skip it" waive nothing."""
    return any(not _KEPT.search(text[: match.start()]) for match in _WAIVED_THING.finditer(text))


def _names_object(fact: Instruction, bag: Bag) -> bool:
    """True when a sentence names what an instruction tells to use, wear, carry or check: the walker, the mask."""
    return not _objects(fact).isdisjoint(bag.stems)


@lru_cache(maxsize=4096)
def _objects(fact: Instruction) -> frozenset[str]:
    """Return the stems of the things that an instruction tells to use, wear, carry or check."""
    heads = (found[1].split()[-1] for wording in wordings_of(fact) for found in _USES.finditer(wording))
    words = (word for head in heads for word, _ in phrase_of(head).weights)
    return frozenset(words) - LIGHT


@lru_cache(maxsize=4096)
def _parts(fact: Instruction) -> tuple[Phrase, ...]:
    """Return the orders that "brush twice a day and see a dentist" holds; each is an instruction by itself."""
    found = []
    for wording in wordings_of(fact):
        parts = _ORDERS_APART.split(wording)
        if len(parts) > 1:
            found += [phrase_of(part) for part in parts]
    return tuple(phrase for phrase in found if sum(word not in LIGHT for word, _ in phrase.weights) >= 2)


def _said_apart(phrase: Phrase, bag: Bag) -> bool:
    """True for "drink plenty of water and don't hold your urine": the negation belongs to another clause."""
    parts = _NEGATIVE_CLAUSE.split(bag.text)
    parts += _LAST_CLAUSE.split(bag.text)[1:]
    bags = [bag_of(part, tokenize(part), bag.concepts) for part in parts if part != bag.text]
    return any(coverage(phrase, part) >= STATED and not opposed(phrase, part) for part in bags)


def _positive_half(phrase: Phrase, bag: Bag) -> bool:
    """True for the first half of "go to bed at the same hour; no caffeine": only the other half forbids."""
    halves = [phrase_of(half) for half in re.split(r";|,? and (?=(?:do not|never|no|avoid)\b)", phrase.text)]
    nearest_half = max(halves, key=lambda half: coverage(half, bag))
    return len(halves) > 1 and not nearest_half.negative and coverage(nearest_half, bag) >= STATED
