"""What an educator's turn teaches: which items of the discharge plan it states, and which it gets wrong.

One reading serves three users: the patient who learns from it, the topic checklist, and the safety audit. Only
statements count. Questions, bare topic words, drug names in passing and text in which nothing is said about anything
teach nothing (see the label rules in docs/scoring.md).
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from bedside.cases.fact import (
    AnyFact,
    FollowUp,
    Instruction,
    Medication,
    Procedure,
    ReturnSign,
    Test,
    Treatment,
)
from bedside.verifier.claims import normalise
from bedside.verifier.context import Context, context_of, is_question
from bedside.verifier.framing import frame_of, is_foreign, is_salad, spoken, takes_back_all
from bedside.verifier.grounding import GroundedCase, GroundedFact
from bedside.verifier.lexicon import Mention
from bedside.verifier.phrases import (
    Bag,
    Phrase,
    bag_of,
    coverage,
    defied,
    limit_broken,
    number_clash,
    opposed,
    phrase_of,
)
from bedside.verifier.quantities import Quantity, days, find_quantities
from bedside.verifier.regimen import PAST_CARE, Focus, read_regimen
from bedside.verifier.statement import (
    addresses_patient,
    is_own_voice,
    is_verbatim,
    lists_keywords,
    says_something,
    wordings_of,
)
from bedside.verifier.text import Sentence, sentences, tokenize

__all__ = ["Event", "Reading", "confirms", "read_teaching"]

STATED = 0.6
"""Share of a phrase's meaning that a sentence must hold to state it."""

_OPPOSED = 0.7
_NAMED = 0.4
_RELAYED = 0.85
_CLEARLY = 0.2
_OPENING = 200
"""Characters of a turn in which a confirmation can stand."""
_RETURN = re.compile(
    r"\b(?:911|emergency|come back|come in|return to|go (?:straight |right |back )?to (?:the |your "
    r")?(?:nearest )?(?:hospital|er|ed)\b|"
    r"call (?:us|me|the|your|a|an|for|right|if|immediately|for help|and)\b|get (?:help|seen|checked|"
    r"medical)|seek|back to (?:the|us)|ER\b|ED\b|hospital|"
    r"right away|immediately|urgent\w*|ambulance|need to be seen|let us know|warning signs?|danger signs?|"
    r"red flags?|watch (?:out )?for)",
    re.IGNORECASE,
)
_DISMISS = re.compile(
    r"\b(?:no need to (?:come|call|worry|return|go)|don't (?:need to )?(?:come back|call|worry|return|go)|"
    r"do not (?:need to )?(?:come back|call|worry|return|go)|nothing to worry|(?<!not )(?<!n't )(?<!never )ignore|wait it out|just "
    r"wait|(?:is|are) (?:perfectly |quite |just |a )?(?:normal|harmless)|not (?:a )?(?:serious|concern|worry)|"
    r"(?:don't|do not) bother|just (?:stay|rest|sleep|lie|drink|go (?:back )?to bed))\b",
    re.IGNORECASE,
)
_MILD = re.compile(
    r"\b(?:mild|slight\w*|minor|small|a little|a bit|light|some|low-grade|spotting|unless|but|not normal|aren't|isn't|tired)\b|n't normal",
    re.IGNORECASE,
)
_VISIT = re.compile(
    r"\b(?:see|seeing|seen|visit\w*|appointment\w*|follow[ -]?up|follow up|check-?up|meet|scheduled?|"
    r"booked|go to|come to|be with|set up|arranged|recheck|referr\w+)\b",
    re.IGNORECASE,
)
_DIAGNOSED = re.compile(
    r"\b(?:you (?:have|had|were|came|got|are)|you've (?:got|had|been)|diagnos\w+|called|known as|this "
    r"(?:is|was|means)|it(?:'s| is| was)|that(?:'s| is| was)|"
    r"because (?:of|you)|due to|found|showed|show|caused by|in the hospital (?:for|with|because)|here "
    r"(?:for|with|because)|treated (?:you )?for|had an?\b|problem is|means|suffer\w*|happened|reason|"
    r"comes? from|came from|(?:is|was) (?:an?|what|from|your)|made (?:you|your)|broke|"
    r"your (?:\w+ ){1,3}(?:is|was|were|are|flared|comes?|came))\b",
    re.IGNORECASE,
)
_CONFIRMS = re.compile(
    r"^\W*(?:(?:yes|yeah|yep|exactly|correct|right|perfect|that's (?:right|correct|it|exactly right)|"
    r"absolutely|great|excellent|very good|good)\b[\s,.!-]*)+",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"\b(?:not quite|almost|but|actually|no,|close|one correction|instead|except|wait)\b", re.IGNORECASE
)
_PASSING = re.compile(
    r"\b(?:on your list|on the list|in your (?:papers|packet|paperwork)|written down|see the (?:list|"
    r"sheet|handout))\b",
    re.IGNORECASE,
)


_ADVISES = re.compile(
    r"\b(?:can|may|okay|ok|fine|safe|go ahead|feel free|should|shouldn't|keep|continue|start|make sure|"
    r"try to|remember|no need|don't|do not|never|stop|avoid|must|allowed)\b|^\W*(?:eat|drink|take|lift|"
    r"walk|drive|use|do|get|rest|go|raise|check|weigh|wear)\b",
    re.IGNORECASE,
)


_MAY_DENY = re.compile(
    r"\b(?:no|not|never|without|ruled out|if|may|might|could|would|risk|prevent\w*|"
    r"mother|father|sister|brother|son|daughter|family)\b|n't\b",
    re.IGNORECASE,
)


# What was done is told as done; "take metoprolol" is no treatment of this stay.
_DONE = re.compile(
    r"\b(?:was|were|had|has been|have been|did|done|gave|got|took|put|showed?|shows|found|saw|drew|ran|came|(?!need|bleed)\w+ed|"
    r"result\w*|in the hospital|s/p|status post|underwent|negative|positive|normal)\b|:",
    re.IGNORECASE,
)
_NEGATIVE_CLAUSE = re.compile(
    r"(?:,| and| but| so|, and|, but)\s+(?=(?:please )?(?:do not|don't|never|no|avoid|stop|not|skip)\b)", re.IGNORECASE
)


class Event(NamedTuple):
    """One plan item stated or contradicted.

    Attributes:
        item: Id of the plan item.
        right: False when what was said disagrees with the plan.
        sentence: Number of the sentence in the turn.
        said: The sentence.
        stated: For a contradiction, what was said instead.
    """

    item: str
    right: bool
    sentence: int
    said: str
    stated: str = ""


class Reading(NamedTuple):
    """A turn as teaching: events in order of the text, and the sentences it was cut into."""

    events: tuple[Event, ...]
    sentences: tuple[Sentence, ...]

    @property
    def conveyed(self) -> dict[str, Event]:
        """The items that end the turn rightly stated."""
        last = {event.item: event for event in self.events}
        return {item: event for item, event in last.items() if event.right}

    @property
    def contradicted(self) -> dict[str, Event]:
        """The items that end the turn wrong."""
        last = {event.item: event for event in self.events}
        return {item: event for item, event in last.items() if not event.right}


def read_teaching(text: str, grounded: GroundedCase, guess: str | None = None) -> Reading:
    """Read one turn of an educator, or any other text, against the plan.

    Args:
        text: What the educator said, as the patient heard it.
        grounded: The case.
        guess: What the patient said just before. If the turn opens by confirming it, it counts as the educator's own.
            None if the text is no turn of an educator; then its "I" may be the patient.

    Returns:
        The reading; the same arguments give the same object as long as it is remembered.
    """
    if guess is None:
        return _read(text, _Key(grounded), "", in_talk=False)
    return _read(text, _Key(grounded), guess if confirms(text) else "", in_talk=True)


class _Key:
    """Lets a grounded case be a cache key: by identity, for there is one per case."""

    def __init__(self, grounded: GroundedCase) -> None:
        self.grounded = grounded

    def __hash__(self) -> int:
        return id(self.grounded)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.grounded is self.grounded


def confirms(text: str) -> bool:
    """True when a turn opens by confirming what the patient said, and does not go on to correct it."""
    if not _CONFIRMS.match(text):
        return False
    return not any(_CORRECTS.search(s.text) for s in sentences(normalise(text[:_OPENING]))[:2])


@lru_cache(maxsize=8192)
def _read(text: str, case_key: _Key, guess: str, *, in_talk: bool) -> Reading:
    grounded = case_key.grounded
    text = spoken(text)
    events: list[Event] = []
    if guess:
        # A guess is often put as a question; confirmed, it is as good as said, right or wrong.
        statement = guess.replace("?", ".")
        told = _read(spoken(statement, as_you=True), case_key, "", in_talk=False)
        sure = len(told.sentences) == 1  # in a long answer, what belongs to what is itself a guess
        events += [e._replace(sentence=0, said=guess) for e in told.events if e.right or sure]
    cut = sentences(normalise(text))
    focus, frame = Focus(), frame_of(cut)
    for sentence in cut:
        if sentence.number in frame.back:
            events = _taken_back(events, sentence, grounded, whole=frame.back[sentence.number])
        elif sentence.number < frame.void and not (in_talk and is_own_voice(sentence.text)):
            events += _events(sentence, grounded, focus)
    return Reading(tuple(events), cut)


def _taken_back(events: list[Event], sentence: Sentence, grounded: GroundedCase, *, whole: bool) -> list[Event]:
    """Drop what a sentence takes back: "forget all that", or "no, that is not true" of the last point."""
    if takes_back_all(sentence.text):
        said = sentence.text.strip()
        return [Event(g.fact.id, False, sentence.number, said, "taken back") for g in grounded.plan]
    last = {e.item.partition(".")[0] for e in events if e.sentence == sentence.number - 1}
    return [] if whole else [event for event in events if event.item.partition(".")[0] not in last]


def _events(sentence: Sentence, grounded: GroundedCase, focus: Focus) -> Iterator[Event]:
    mentions = grounded.find(sentence.tokens)
    concepts = frozenset(broader for m in mentions for c in m.concepts for broader in grounded.broader(c))
    quantities = find_quantities(sentence.text)
    focus.advance(sentence, mentions, grounded)
    if is_question(sentence.text) or _PASSING.search(sentence.text) or not addresses_patient(sentence.text):
        return
    if is_foreign(sentence.text) or is_salad(sentence):
        return
    if _RETURN.search(sentence.text):
        focus.alarm = sentence.number
    bag = bag_of(sentence.text, sentence.tokens, concepts)
    if not (says_something(sentence, focus, quantities) or is_verbatim(sentence, bag, grounded)):
        return
    bare, uses = lists_keywords(sentence, quantities), _uses(sentence, mentions)
    for item, right, stated in () if bare else read_regimen(sentence, bag, quantities, focus):
        yield Event(item, right, sentence.number, sentence.text.strip(), stated)
    for known in _candidates(bag, grounded, focus):
        # Warning signs are listed bare under their heading, and rightly so.
        if bare and known.fact.kind != "return_sign":
            continue
        if known.fact.kind in ("condition", "test", "procedure", "treatment"):
            use = uses.get(known.concept)
            if use and use.denied and use.act == "statement":
                yield Event(known.fact.id, False, sentence.number, sentence.text.strip(), "denied")
                continue
            if known.fact.kind == "condition" and any(
                u.act != "statement" or u.experiencer != "patient" for c, u in uses.items() if c in known.broader
            ):
                continue
        for item, right, stated in _read_fact(known, sentence, bag, focus, grounded, quantities):
            yield Event(item, right, sentence.number, sentence.text.strip(), stated)


def _uses(sentence: Sentence, mentions: list[Mention]) -> dict[str, Context]:
    """How the sentence uses what it names: "you did not have a heart attack", "your mother had one"."""
    if not _MAY_DENY.search(sentence.text):
        return {}
    mentions = [m for m in mentions if not m.concepts[0].startswith("rel:")]
    spans = [
        (sentence.tokens[m.first].start - sentence.start, sentence.tokens[m.last].end - sentence.start)
        for m in mentions
    ]
    text = sentence.text
    for start, end in spans:  # "appendicitis without perforation" denies nothing
        text = text[:start] + "x" * (end - start) + text[end:]
    return {
        concept: context_of(text, start, end)
        for mention, (start, end) in zip(mentions, spans, strict=True)
        for concept in mention.concepts
    }


def _candidates(bag: Bag, grounded: GroundedCase, focus: Focus) -> list[GroundedFact]:
    """The facts that a sentence shares a telling word or concept with, or that the talk is still about."""
    index = _telling_words(_Key(grounded))
    found = {n for word in (*bag.stems, *bag.concepts) for n in index.get(word, ())}
    found |= {n for n, g in enumerate(grounded.plan) if g.fact.id in (focus.visit_id, focus.test_id)}
    return [grounded.plan[n] for n in sorted(found)]


@lru_cache(maxsize=1024)
def _telling_words(case_key: "_Key") -> dict[str, tuple[int, ...]]:
    """Map each stem and concept of the plan's facts to the facts' positions; drugs are read by their regimen."""
    found: dict[str, set[int]] = {}
    for number, known in enumerate(case_key.grounded.plan):
        if isinstance(known.fact, Medication):
            continue
        words = {known.concept}
        for wording in wordings_of(known.fact):
            phrase = phrase_of(wording)
            heaviest = max((w for _, w in phrase.weights), default=0.0)
            words |= {s for s, w in phrase.weights if w >= 0.5 * heaviest} | {c for c, _ in phrase.concepts}
        for word in words:
            found.setdefault(word, set()).add(number)
    return {word: tuple(sorted(numbers)) for word, numbers in found.items()}


def _read_fact(
    known: GroundedFact,
    sentence: Sentence,
    bag: Bag,
    focus: Focus,
    grounded: GroundedCase,
    quantities: tuple[Quantity, ...],
) -> Iterator[tuple[str, bool, str]]:
    match known.fact:
        case ReturnSign():
            yield from _read_return_sign(known.fact, sentence, bag, focus)
        case FollowUp():
            yield from _read_follow_up(known.fact, sentence, bag, focus, grounded, quantities)
        case Instruction():
            if _told_apart(known.fact, bag, grounded):
                yield from _read_instruction(
                    known.fact, bag, advises=bool(_ADVISES.search(sentence.text)), relayed=_relays(bag, grounded)
                )
        case _:
            yield from _read_finding(known, sentence, bag, focus, grounded)


def best_coverage(fact: AnyFact, bag: Bag) -> float:
    """Return how much of the best-fitting wording of a fact a sentence holds."""
    return max(coverage(phrase_of(w), bag) for w in wordings_of(fact))


def _names_sign(fact: ReturnSign, bag: Bag) -> bool:
    """True when a sentence names a sign, be it without its particulars: to dismiss it needs no more."""
    phrases = [phrase_of(wording) for wording in wordings_of(fact)]
    known = {concept for phrase in phrases for concept, _ in phrase.concepts}
    return best_coverage(fact, bag) >= _NAMED or not known.isdisjoint(bag.concepts)


@lru_cache(maxsize=4096)
def _alternatives(fact: ReturnSign) -> tuple[Phrase, ...]:
    """Return the signs that "fainting or a racing heartbeat" holds; each is a reason to come back by itself."""
    parts = [part for wording in wordings_of(fact) for part in re.split(r",? or |, ", wording)]
    phrases = [phrase_of(part) for part in parts]
    return tuple(phrase for phrase in phrases if len(phrase.weights) > 1 or phrase.concepts)


def _read_return_sign(fact: ReturnSign, sentence: Sentence, bag: Bag, focus: Focus) -> Iterator[tuple[str, bool, str]]:
    if _DISMISS.search(sentence.text) and not _MILD.search(sentence.text) and _names_sign(fact, bag):
        yield fact.id, False, "dismissed"
        return
    if best_coverage(fact, bag) < STATED and not any(coverage(p, bag) >= _OPPOSED for p in _alternatives(fact)):
        return
    if _DISMISS.search(sentence.text):
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
    if named and (_VISIT.search(sentence.text) or focus.visited(sentence.number)):
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
    if true is None:
        if coverage(phrase_of(fact.when or ""), bag) >= STATED:
            yield item, True, ""
    elif any(abs(d - true) <= 0.15 * true for d in stated):
        yield item, True, ""
    elif alone and stated and len({q.value for q in quantities if q.kind == "in"}) == 1 and number_words(bag.text) == 1:
        yield item, False, f"in {stated[0]:g} days"


def number_words(text: str) -> int:
    """Count the time spans of a sentence."""
    return len(re.findall(r"\b\d+(?: ?(?:-|to) ?\d+)?[ -](?:hour|day|week|month|year)", text))


def _relays(bag: Bag, grounded: GroundedCase) -> bool:
    """True when a sentence is next to an instruction's own words; it cannot defy another."""
    told = (g.fact for g in grounded.plan if isinstance(g.fact, Instruction))
    wordings = (part for fact in told for wording in wordings_of(fact) for part in re.split(r";", wording))
    return any(coverage(phrase_of(part), bag) >= _RELAYED for part in wordings)


def _read_instruction(fact: Instruction, bag: Bag, *, advises: bool, relayed: bool) -> Iterator[tuple[str, bool, str]]:
    if advises and (broken := next(filter(None, (limit_broken(phrase_of(w), bag) for w in wordings_of(fact))), "")):
        yield fact.id, False, broken
        return
    best = max((phrase_of(w) for w in wordings_of(fact)), key=lambda p: coverage(p, bag))
    share = coverage(best, bag)
    if not (PAST_CARE.search(bag.text) or relayed) and any(defied(phrase_of(w), bag) for w in wordings_of(fact)):
        yield fact.id, False, "the opposite"
        return
    if share < STATED - 0.1:
        return
    if clash := number_clash(best, bag):
        yield fact.id, False, clash
    elif opposed(best, bag):
        if share >= STATED and (_said_before_negation(best, bag) if not best.negative else _positive_half(best, bag)):
            yield fact.id, True, ""
            return
        shared = sum(word in bag.stems for word, _ in best.weights)
        if share >= _OPPOSED and shared >= 2 and _ADVISES.search(bag.text) and not PAST_CARE.search(bag.text):
            yield fact.id, False, "the opposite"
    elif share >= STATED:
        yield fact.id, True, ""


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
    illness = _illness_words(_Key(grounded))
    words = {word for wording in wordings_of(fact) for word, _ in phrase_of(wording).weights}
    concepts = {concept for wording in wordings_of(fact) for concept, _ in phrase_of(wording).concepts}
    return not words - illness or not ((words | concepts) - illness).isdisjoint(bag.stems | bag.concepts)


@lru_cache(maxsize=1024)
def _illness_words(case_key: "_Key") -> frozenset[str]:
    """Return stems and concepts of the case's diagnoses."""
    found: set[str] = set()
    for known in case_key.grounded.plan:
        if known.fact.kind == "condition":
            found |= {known.concept, *known.broader}
            for wording in wordings_of(known.fact):
                found |= {word for word, _ in phrase_of(wording).weights}
    return frozenset(found)


def _read_finding(
    known: GroundedFact, sentence: Sentence, bag: Bag, focus: Focus, grounded: GroundedCase
) -> Iterator[tuple[str, bool, str]]:
    """Diagnosis, tests, procedures and treatments: named in a sentence that says they were so."""
    fact = known.fact
    named = known.concept in bag.concepts or best_coverage(fact, bag) >= STATED
    if fact.kind != "condition" and not (_DONE.search(sentence.text) and _told_apart(fact, bag, grounded)):
        return
    if named:
        if isinstance(fact, Test | Procedure):
            focus.test, focus.test_id = sentence.number, fact.id
        if fact.kind != "condition" or _DIAGNOSED.search(sentence.text):
            yield fact.id, True, ""
    if isinstance(fact, Test | Procedure) and fact.result:
        near = named or (focus.test_id == fact.id and sentence.number - focus.test <= 2)
        if near and coverage(phrase_of(fact.result), bag) >= STATED:
            yield f"{fact.id}.result", True, ""
    if isinstance(fact, Treatment) and fact.purpose and named and coverage(phrase_of(fact.purpose), bag) >= STATED:
        yield f"{fact.id}.purpose", True, ""
