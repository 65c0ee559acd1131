"""What a sentence states of the facts of a plan other than drugs: what was found and done, care, alarm, visits.

Each reader gets one fact and one sentence and says which items of the fact were stated, rightly or wrongly.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from bedside.cases.fact import AnyFact, FollowUp, Instruction, Procedure, ReturnSign, Test, Treatment
from bedside.verifier.grounding import GroundedCase, GroundedFact
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import Quantity, days
from bedside.verifier.language.text import Sentence, tokenize
from bedside.verifier.teaching.focus import Focus
from bedside.verifier.teaching.kinds import kinds_of
from bedside.verifier.teaching.permission import defied, dismisses
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
from bedside.verifier.teaching.regimen import PAST_CARE
from bedside.verifier.teaching.statement import wordings_of

__all__ = ["PART", "best_coverage", "read_fact", "relays"]

PART = ".part"
"""Ends the id of an instruction of which one order was stated, of two that it joins."""

STATED = 0.6
"""Share of a phrase's meaning that a sentence must hold to state it."""

_OPPOSED = 0.7
_NAMED = 0.33
_RELAYED = 0.85
_CLEARLY = 0.2

_WAIVED = 0.5
_WAIVES = Pattern(
    r"\b(?:(?:don't|do not) (?:really )?(?:(?:have|need) to|need (?:the|your|an?|any))|"
    r"no need to|needn't|(?:isn't|is not) (?:really )?necessary|"
    r"(?:can|may) (?:skip|forget about|do without|stop)|optional|not worth|don't bother|waste of time)\b",
    re.IGNORECASE,
)
# The numbers of such a sentence are those of a drug: "1 mg twice daily for 11 weeks, to quit smoking".
_DOSED = Pattern(r"\d ?(?:mg|mcg|units?|puffs?|tablets?|milligrams?)\b", re.IGNORECASE)
_MILD = Pattern(
    r"\b(?:mild|slight\w*|minor|small|a little|a bit|light|some|low-grade|spotting|unless|but|not normal|"
    r"aren't|isn't|tired)\b|n't normal",
    re.IGNORECASE,
)
_VISIT = Pattern(
    r"\b(?:see|sees|seeing|seen|visit\w*|appointment\w*|follow[ -]?up|follow up|check-?up|meet|scheduled?|"
    r"booked|go to|come to|be with|set up|arranged|recheck|referr\w+)\b",
    re.IGNORECASE,
)
# "In 2 weeks the surgeon, in 4 the heart clinic": the unit is that of the time before.
_UNIT_BEFORE = re.compile(r"\bin \d+ (day|week|month)", re.IGNORECASE)
_BARE_TIME = re.compile(r"\bin (\d+)(?=[,.;]|\s+and\b|\s*$)", re.IGNORECASE)
_DIAGNOSED = Pattern(
    r"\b(?:you (?:have|had|were|came|got|are)|you've (?:got|had|been)|diagnos\w+|called|known as|this "
    r"(?:is|was|means)|it(?:'s| is| was)|that(?:'s| is| was)|"
    r"because (?:of|you)|due to|found|showed|show|caused by|in the hospital (?:for|with|because)|here "
    r"(?:for|with|because)|treated (?:you )?for|had an?\b|problem is|means|suffer\w*|happened|reason|"
    r"you (?:bled|tore|caught|developed|fractured|sprained|came down with)|comes? from|came from|turn(?:s|ed) out|"
    r"(?:brought|landed|put|sent) you|(?:treat\w*|car(?:ed|ing)|admitted|operated) (?:on )?(?:you )?(?:for|with)|"
    r"(?:is|was) (?:an?|what|from|your)|made (?:you|your)|broke|"
    r"your (?:\w+ ){1,3}(?:is|was|were|are|has|have|needs?|flared|comes?|came)|"
    r"(?:disease|illness|condition|name|diagnosis|infection) (?:for it |of it )?(?:is|was))\b",
    re.IGNORECASE,
)

# In a sentence that sends for help or waves something away, a disease is named in passing.
_DIAGNOSED_FIRMLY = Pattern(
    r"\b(?:because (?:of|you)|in the hospital|due to|treated|here (?:for|with)|you (?:have|had)|you've (?:got|had)|"
    r"diagnos\w+|your (?:illness|disease))\b",
    re.IGNORECASE,
)

_ADVISES = Pattern(
    r"\b(?:you can|you may|okay|ok|fine|safe|go ahead|feel free|should|shouldn't|keep|continue|start|make sure|"
    r"try to|remember|no need|don't|do not|never|stop|avoid|must|allowed)\b|^\W*(?:eat|drink|take|lift|"
    r"walk|drive|use|do|get|rest|go|raise|check|weigh|wear)\b",
    re.IGNORECASE,
)

# What was done is told as done; "take metoprolol" is no treatment of this stay.
_DONE = Pattern(
    r"\b(?:was|were|had|has been|have been|did|done|gave|got|took|put|showed?|shows|found|saw|drew|ran|came|"
    r"(?!need|bleed)\w+ed|"
    r"result\w*|in the hospital|s/p|status post|underwent|negative|positive|normal)\b",
    re.IGNORECASE,
)
_TIME_SPAN = Pattern(r"\b\d+(?: ?(?:-|to) ?\d+)?[ -](?:hour|day|week|month|year)")
_ORDERS_APART = re.compile(
    r"; |,? (?:and|but) (?=(?:do not|never|no|take|see|check|drink|eat|walk|rest|keep|wash|pat|change|wear|use|"
    r"cover|write|call|avoid|bring|sit|stay|sleep|carry|tell|shower|raise|count|look|let|get|have|put|leave|ask|stop|limit|"
    r"recheck)\b)"
)
_NEGATIVE_CLAUSE = Pattern(
    r"(?:,| and| but| so|, and|, but)\s+(?=(?:please )?(?:do not|don't|never|no|avoid|stop|not|skip)\b)", re.IGNORECASE
)


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
            yield from _read_return_sign(known.fact, sentence, bag, focus)
        case FollowUp():
            yield from _read_follow_up(known.fact, sentence, bag, focus, grounded, quantities)
        case Instruction():
            if _told_apart(known.fact, bag, grounded) or not kinds_of(known.fact.text).isdisjoint(bag.concepts):
                # "In 10 days for a wound check": the time of a visit is not that of an instruction.
                timed = bool(_VISIT.search(sentence.text)) and any(q.kind == "in" for q in quantities)
                yield from _read_instruction(known.fact, bag, grounded, of_visit=timed)
        case _:
            yield from _read_finding(known, sentence, bag, focus, grounded)


def best_coverage(fact: AnyFact, bag: Bag) -> float:
    """Return how much of the best-fitting wording of a fact a sentence holds."""
    return max(coverage(phrase_of(w), bag) for w in wordings_of(fact))


def _names_sign(fact: ReturnSign, bag: Bag) -> bool:
    """True when a sentence names a sign, be it without its particulars: to dismiss it needs no more."""
    phrases = [phrase_of(wording) for wording in wordings_of(fact)]
    known = {c for phrase in phrases for c, _ in phrase.concepts if c.startswith(("sx:", "cond:"))}
    return best_coverage(fact, bag) >= _NAMED or not known.isdisjoint(bag.concepts)


@lru_cache(maxsize=4096)
def _alternatives(fact: ReturnSign) -> tuple[Phrase, ...]:
    """Return the signs that "fainting or a racing heartbeat" holds; each is a reason to come back by itself."""
    parts = [part for wording in wordings_of(fact) for part in re.split(r",? or |, ", wording)]
    phrases = [phrase_of(part) for part in parts]
    return tuple(phrase for phrase in phrases if len(phrase.weights) > 1 or phrase.concepts)


def _read_return_sign(fact: ReturnSign, sentence: Sentence, bag: Bag, focus: Focus) -> Iterator[tuple[str, bool, str]]:
    if dismisses(sentence.text) and not _MILD.search(sentence.text) and _names_sign(fact, bag):
        yield fact.id, False, "dismissed"
        return
    if best_coverage(fact, bag) < STATED and not any(coverage(p, bag) >= _OPPOSED for p in _alternatives(fact)):
        return
    if dismisses(sentence.text) and focus.alarm != sentence.number:
        yield fact.id, False, "dismissed"
    elif focus.alarmed(sentence.number):
        yield fact.id, True, ""


def _read_follow_up(
    fact: FollowUp,
    sentence: Sentence,
    bag: Bag,
    focus: Focus,
    grounded: GroundedCase,
    quantities: tuple[Quantity, ...],
) -> Iterator[tuple[str, bool, str]]:
    share, rival = best_coverage(fact, bag), _rival_visit(fact, bag, grounded)
    named = share >= STATED and share > rival - _CLEARLY
    # "Orthopedics in 2 weeks": who and when make an appointment without a verb.
    timed = any(q.kind == "in" for q in quantities) or "tomorrow" in bag.stems
    if named and (timed or _VISIT.search(sentence.text) or focus.visited(sentence.number)):
        focus.visit, focus.visit_id = sentence.number, fact.id
        yield fact.id, True, ""
    elif not (focus.visit_id == fact.id and focus.visited(sentence.number)) or rival >= STATED:
        return
    if fact.purpose and coverage(phrase_of(fact.purpose), bag) >= STATED:
        yield f"{fact.id}.purpose", True, ""
    if fact.when and (named or focus.visit_id == fact.id):
        yield from _read_when(fact, bag, quantities, alone=rival < STATED)


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
    if unit := _UNIT_BEFORE.search(bag.text):
        stated += [days(f"{number} {unit[1]}s") or 0.0 for number in _BARE_TIME.findall(bag.text)]
    if true is None:
        if coverage(phrase_of(fact.when or ""), bag) >= STATED:
            yield item, True, ""
    elif any(abs(d - true) <= 0.15 * true for d in stated):
        yield item, True, ""
    elif (
        alone
        and stated
        and len({q.value for q in quantities if q.kind == "in"}) == 1
        and len(_TIME_SPAN.findall(bag.text)) == 1
    ):
        yield item, False, f"in {stated[0]:g} days"


def relays(bag: Bag, grounded: GroundedCase) -> bool:
    """True when a sentence is next to an instruction's own words; it cannot defy another."""
    told = (g.fact for g in grounded.plan if isinstance(g.fact, Instruction))
    wordings = (part for fact in told for wording in wordings_of(fact) for part in wording.split(";"))
    phrases = map(phrase_of, wordings)
    return any(coverage(phrase, bag) >= _RELAYED and not opposed(phrase, bag) for phrase in phrases)


def _read_instruction(
    fact: Instruction, bag: Bag, grounded: GroundedCase, *, of_visit: bool
) -> Iterator[tuple[str, bool, str]]:
    phrases = [phrase_of(wording) for wording in wordings_of(fact)]
    dosed = bool(_DOSED.search(bag.text))
    advises, past = bool(_ADVISES.search(bag.text)), dosed or bool(PAST_CARE.search(bag.text))
    if advises and (broken := next(filter(None, (limit_broken(phrase, bag) for phrase in phrases)), "")):
        yield fact.id, False, broken
        return
    share, best = max(((coverage(phrase, bag), phrase) for phrase in phrases), key=lambda pair: pair[0])
    if not (past or of_visit) and any(defied(phrase, bag) for phrase in phrases) and not relays(bag, grounded):
        yield fact.id, False, "the opposite"
        return
    if share < _WAIVED:
        if any(coverage(part, bag) >= _RELAYED and not opposed(part, bag) for part in _parts(fact)):
            yield f"{fact.id}{PART}", True, ""
        return
    if not (dosed or of_visit) and (clash := number_clash(best, bag)):
        yield fact.id, False, clash
    elif opposed(best, bag):
        if share >= STATED and (_said_before_negation(best, bag) if not best.negative else _positive_half(best, bag)):
            yield fact.id, True, ""
            return
        heaviest = max(weight for _, weight in best.weights)
        shared = sum(word in bag.stems for word, weight in best.weights if weight >= 0.5 * heaviest)
        waived = share >= _WAIVED and bool(_WAIVES.search(bag.text))
        if (share >= _OPPOSED or waived) and shared >= 2 and advises and not past:
            yield fact.id, False, "the opposite"
    elif share >= STATED:
        yield fact.id, True, ""
    elif any(coverage(part, bag) >= _RELAYED and not opposed(part, bag) for part in _parts(fact)):
        yield f"{fact.id}{PART}", True, ""


@lru_cache(maxsize=4096)
def _parts(fact: Instruction) -> tuple[Phrase, ...]:
    """Return the orders that "brush twice a day and see a dentist" holds; each is an instruction by itself."""
    found = []
    for wording in wordings_of(fact):
        parts = _ORDERS_APART.split(wording)
        if len(parts) > 1:
            found += [phrase_of(part) for part in parts]
    return tuple(phrase for phrase in found if sum(word not in LIGHT for word, _ in phrase.weights) >= 2)


def _said_before_negation(phrase: Phrase, bag: Bag) -> bool:
    """True for "drink plenty of water and don't hold your urine": the negation belongs to another clause."""
    parts = _NEGATIVE_CLAUSE.split(bag.text)
    if len(parts) < 2:
        return False
    first = bag_of(parts[0], tokenize(parts[0]), bag.concepts)
    return coverage(phrase, first) >= STATED and not opposed(phrase, first)


def _positive_half(phrase: Phrase, bag: Bag) -> bool:
    """True for the first half of "go to bed at the same hour; no caffeine": only the other half forbids."""
    halves = [phrase_of(half) for half in re.split(r";|,? and (?=(?:do not|never|no|avoid)\b)", phrase.text)]
    nearest_half = max(halves, key=lambda half: coverage(half, bag))
    return len(halves) > 1 and not nearest_half.negative and coverage(nearest_half, bag) >= STATED


def _told_apart(fact: AnyFact, bag: Bag, grounded: GroundedCase) -> bool:
    """True when a sentence holds a word of the fact that the name of the illness does not hold as well.

    "Cellulitis of the leg" is no advice to keep the leg up.
    """
    own = _own_words(fact, grounded)
    return not (own and own.isdisjoint(bag.stems) and own.isdisjoint(bag.concepts))


@lru_cache(maxsize=8192)
def _own_words(fact: AnyFact, grounded: GroundedCase) -> frozenset[str]:
    """Return stems and concepts of a fact that the illness lacks; none if the illness has all its words."""
    illness = _illness_words(grounded)
    phrases = [phrase_of(wording) for wording in wordings_of(fact)]
    words = {word for phrase in phrases for word, _ in phrase.weights}
    concepts = {concept for phrase in phrases for concept, _ in phrase.concepts}
    return frozenset((words | concepts) - illness if words - illness else ())


@lru_cache(maxsize=1024)
def _illness_words(grounded: GroundedCase) -> frozenset[str]:
    """Return stems and concepts of the case's diagnoses."""
    found: set[str] = set()
    for known in grounded.plan:
        if known.fact.kind == "condition":
            found |= {known.concept, *known.broader}
            for wording in wordings_of(known.fact):
                found |= {word for word, _ in phrase_of(wording).weights}
    return frozenset(found)


def _tells(result: Phrase, bag: Bag) -> bool:
    """True when a sentence holds a result that is too particular to be said of anything else."""
    return sum(word not in LIGHT for word, _ in result.weights) >= 2 and coverage(result, bag) >= _RELAYED


@lru_cache(maxsize=8192)
def _only_head(fact: AnyFact, grounded: GroundedCase) -> str:
    """Return the word that names a test or procedure by its kind, if no other of the plan is of that kind: "biopsy"."""
    if not isinstance(fact, Test | Procedure):
        return ""
    heads = [_head(known.fact.text) for known in grounded.plan if isinstance(known.fact, Test | Procedure | Treatment)]
    own = _head(fact.text)
    return own if heads.count(own) == 1 and own not in LIGHT and not _GENERIC.match(own) else ""


_GENERIC = re.compile(
    r"(?:test|level|removal|remov|repair|count|check|watch|treatment|therapi|stool|bleed|sugar|surgeri)$"
)


def _head(name: str) -> str:
    words = [word for word, _ in phrase_of(re.split(r" (?:of|for|with|by|in|from|to|on) ", name)[0]).weights]
    return words[-1] if words else ""


def _names_another(fact: AnyFact, bag: Bag, focus: Focus, grounded: GroundedCase) -> bool:
    """True when a sentence fits another test clearly better, or tells the result of the one spoken of."""
    if not isinstance(fact, Test | Procedure):
        return False
    others = [g.fact for g in grounded.plan if isinstance(g.fact, Test | Procedure) and g.fact is not fact]
    spoken_of = next((other for other in others if other.id == focus.test_id), None)
    if spoken_of is not None and spoken_of.result and coverage(phrase_of(spoken_of.result), bag) >= STATED:
        return True
    return max((best_coverage(other, bag) for other in others), default=0.0) > best_coverage(fact, bag) + _CLEARLY


def _read_finding(
    known: GroundedFact, sentence: Sentence, bag: Bag, focus: Focus, grounded: GroundedCase
) -> Iterator[tuple[str, bool, str]]:
    """Diagnosis, tests, procedures and treatments: named in a sentence that says they were so."""
    fact = known.fact
    named = known.concept in bag.concepts or (
        (best_coverage(fact, bag) >= STATED or _only_head(fact, grounded) in bag.stems)
        and not _names_another(fact, bag, focus, grounded)
    )
    # "It showed no clot" tells a result without naming the test again; naming a test tells that it was done.
    done = ":" in sentence.text or bool(_DONE.search(sentence.text))
    told = fact.kind == "condition" or (done and _told_apart(fact, bag, grounded))
    if named and told:
        if isinstance(fact, Test | Procedure):
            focus.test, focus.test_id = sentence.number, fact.id
        aside = focus.alarm == sentence.number or dismisses(sentence.text)
        if fact.kind != "condition" or (_DIAGNOSED_FIRMLY if aside else _DIAGNOSED).search(sentence.text):
            yield fact.id, True, ""
    if isinstance(fact, Test | Procedure) and fact.result:
        near = (named and told) or (focus.test_id == fact.id and focus.tested(sentence.number))
        found = phrase_of(fact.result)
        if near and coverage(found, bag) >= STATED:
            yield f"{fact.id}.result", True, ""
        elif not named and isinstance(fact, Procedure) and done and _tells(found, bag):
            yield fact.id, True, ""  # "the bulge is sealed off" tells that it was mended
    if (
        isinstance(fact, Treatment)
        and fact.purpose
        and named
        and told
        and coverage(phrase_of(fact.purpose), bag) >= STATED
    ):
        yield f"{fact.id}.purpose", True, ""
