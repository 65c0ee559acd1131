"""What an educator's turn teaches: which items of the discharge plan it states, and which it gets wrong.

One reading serves three users: the patient who learns from it, the topic checklist, and the safety audit. Only
statements count. Questions, bare topic words, drug names in passing and text in which nothing is said about anything
teach nothing (see the label rules in docs/scoring.md).
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from bedside.cases.fact import Medication
from bedside.verifier.claims.extraction import normalise
from bedside.verifier.grounding import GroundedCase, GroundedFact
from bedside.verifier.language.context import Context, context_of, is_question
from bedside.verifier.language.lexicon import Mention
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import find_quantities
from bedside.verifier.language.text import Sentence, sentences, tokens_of
from bedside.verifier.teaching.assertion import is_asserted
from bedside.verifier.teaching.framing import frame_of, is_foreign, is_salad, spoken, takes_back_all
from bedside.verifier.teaching.phrases import Bag, bag_of, phrase_of
from bedside.verifier.teaching.points import read_fact
from bedside.verifier.teaching.regimen import Focus, NamedDrug, drugs_named, read_regimen
from bedside.verifier.teaching.statement import (
    addresses_patient,
    is_own_voice,
    is_verbatim,
    lists_keywords,
    says_something,
    wordings_of,
)

__all__ = ["Event", "Reading", "confirms", "read_teaching"]

_OPENING = 200
"""Characters of a turn in which a confirmation can stand."""
_RETURN = Pattern(
    r"\b(?:911|emergency|come back|come in|return to|go (?:straight |right |back )?to (?:the |your "
    r")?(?:nearest )?(?:hospital|er|ed)\b|"
    r"call (?:us|me|the|your|a|an|for|right|if|immediately|for help|and)\b|get (?:help|seen|checked|"
    r"medical)|seek|back to (?:the|us)|ER\b|ED\b|hospital|"
    r"right away|immediately|urgent\w*|ambulance|need to be seen|let us know|warning signs?|danger signs?|"
    r"red flags?|watch (?:out )?for)",
    re.IGNORECASE,
)
_CONFIRMS = Pattern(
    r"^\W*(?:(?:yes|yeah|yep|exactly|correct|right|perfect|that's (?:right|correct|it|exactly right)|"
    r"absolutely|great|excellent|very good|good)\b[\s,.!-]*)+",
    re.IGNORECASE,
)
_CORRECTS = Pattern(
    r"\b(?:not quite|almost|but|actually|no,|close|one correction|instead|except|wait)\b", re.IGNORECASE
)
_PASSING = Pattern(
    r"\b(?:on your list|on the list|in your (?:papers|packet|paperwork)|written down|see the (?:list|"
    r"sheet|handout))\b",
    re.IGNORECASE,
)

_MAY_DENY = Pattern(
    r"\b(?:no|not|never|without|ruled out|if|may|might|could|would|risk|prevent\w*|"
    r"mother|father|sister|brother|son|daughter|family)\b|n't\b",
    re.IGNORECASE,
)
_HAPPENED = ("condition", "test", "procedure", "treatment")
"""Kinds of fact that a sentence can deny."""


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
        return _read(text, grounded, "", in_talk=False)
    return _read(text, grounded, guess if confirms(text) else "", in_talk=True)


def confirms(text: str) -> bool:
    """True when a turn opens by confirming what the patient said, and does not go on to correct it."""
    if not _CONFIRMS.match(text):
        return False
    opening = sentences(normalise(spoken(text)))[:2]
    return not any(_CORRECTS.search(s.text[: max(0, _OPENING - s.start)]) for s in opening)


@lru_cache(maxsize=8192)
def _read(text: str, grounded: GroundedCase, guess: str, *, in_talk: bool) -> Reading:
    text = spoken(text)
    events: list[Event] = []
    if guess:
        # A guess is often put as a question; confirmed, it is as good as said, right or wrong.
        statement = guess.replace("?", ".")
        told = _read(spoken(statement, as_you=True), grounded, "", in_talk=False)
        sure = len(told.sentences) == 1  # in a long answer, what belongs to what is itself a guess
        events += [e._replace(sentence=0, said=guess) for e in told.events if e.right or sure]
    cut = sentences(normalise(text))
    focus, frame = Focus(), frame_of(cut)
    for sentence in cut:
        if sentence.number in frame.back:
            events = _taken_back(events, sentence, grounded, whole=frame.back[sentence.number])
        elif sentence.number < frame.void and not (in_talk and is_own_voice(sentence.text)):
            found = _events(sentence, grounded, focus)
            events += found if is_asserted(sentence.text) else (event for event in found if not event.right)
    return Reading(tuple(events), cut)


def _taken_back(events: list[Event], sentence: Sentence, grounded: GroundedCase, *, whole: bool) -> list[Event]:
    """Drop what a sentence takes back: "forget all that", or "no, that is not true" of the last point."""
    if takes_back_all(sentence.text):
        said = sentence.text.strip()
        return [Event(g.fact.id, False, sentence.number, said, "taken back") for g in grounded.plan]
    last = {e.item.partition(".")[0] for e in events if e.sentence == sentence.number - 1}
    return [] if whole else [event for event in events if event.item.partition(".")[0] not in last]


def _events(sentence: Sentence, grounded: GroundedCase, focus: Focus) -> Iterator[Event]:
    mentions, drugs, bag, near = _weighed(sentence.text, grounded)
    focus.advance(sentence, drugs)
    if is_question(sentence.text):
        return
    candidates, warns = _candidates(near, grounded, focus), bool(_RETURN.search(sentence.text))
    if not (candidates or warns or focus.named or focus.still(sentence.number)):
        return  # most of a talk is about nothing of the plan, and need not be weighed further
    if not _speaks(sentence):
        return
    if warns:
        focus.alarm = sentence.number
    quantities = find_quantities(sentence.text)
    if not (says_something(sentence, focus, quantities) or is_verbatim(sentence, bag, grounded)):
        return
    bare, uses = lists_keywords(sentence, quantities), _uses(sentence, mentions, candidates)
    for item, right, stated in () if bare else read_regimen(sentence, bag, quantities, focus):
        yield Event(item, right, sentence.number, sentence.text.strip(), stated)
    for known in candidates:
        # Warning signs are listed bare under their heading, and rightly so.
        if bare and known.fact.kind != "return_sign":
            continue
        if _denied(known, uses):
            yield Event(known.fact.id, False, sentence.number, sentence.text.strip(), "denied")
        elif not _of_others(known, uses):
            for item, right, stated in read_fact(known, sentence, bag, focus, grounded, quantities):
                yield Event(item, right, sentence.number, sentence.text.strip(), stated)


def _denied(known: GroundedFact, uses: dict[str, Context]) -> bool:
    """True for "you did not have a heart attack" of one who had."""
    use = uses.get(known.concept)
    return known.fact.kind in _HAPPENED and use is not None and use.denied and use.act == "statement"


def _of_others(known: GroundedFact, uses: dict[str, Context]) -> bool:
    """True for "your mother had a heart attack", and for one that is only supposed."""
    return known.fact.kind == "condition" and any(
        use.act != "statement" or use.experiencer != "patient"
        for concept, use in uses.items()
        if concept in known.broader
    )


def _speaks(sentence: Sentence) -> bool:
    """True when a sentence tells this patient something, in words that a patient can follow."""
    if _PASSING.search(sentence.text) or not addresses_patient(sentence.text):
        return False
    return not (is_foreign(sentence.text) or is_salad(sentence.text))


def _uses(sentence: Sentence, mentions: Sequence[Mention], candidates: list[GroundedFact]) -> dict[str, Context]:
    """How the sentence uses what it names of the facts: "you did not have a heart attack", "your mother had one"."""
    happened = {c for g in candidates if g.fact.kind in _HAPPENED for c in (g.concept, *g.broader)}
    if not (happened and _MAY_DENY.search(sentence.text)):
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
        for concept in happened.intersection(mention.concepts)
    }


class _Weighed(NamedTuple):
    """What a sentence holds, whatever was said before it; ``near`` are the places of plan facts that it may state."""

    mentions: tuple[Mention, ...]
    drugs: tuple[NamedDrug, ...]
    bag: Bag
    near: frozenset[int]


@lru_cache(maxsize=8192)
def _weighed(text: str, grounded: GroundedCase) -> _Weighed:
    # Praise, transitions and points taught again come back within a talk and in the next one.
    tokens, index = tokens_of(text), _telling_words(grounded)
    mentions = grounded.mentions(text)
    bag = bag_of(text, tokens, grounded.meanings(mentions))
    near = frozenset(number for word in (*bag.stems, *bag.concepts) for number in index.get(word, ()))
    return _Weighed(mentions, tuple(drugs_named(text, mentions, grounded)), bag, near)


def _candidates(near: frozenset[int], grounded: GroundedCase, focus: Focus) -> list[GroundedFact]:
    """The facts that a sentence shares a telling word or concept with, or that the talk is still about."""
    index = _telling_words(grounded)
    still = (*index.get(f"case:{focus.visit_id}", ()), *index.get(f"case:{focus.test_id}", ()))
    return [grounded.plan[number] for number in sorted(near.union(still))]


@lru_cache(maxsize=1024)
def _telling_words(grounded: GroundedCase) -> dict[str, tuple[int, ...]]:
    """Map stems, concepts and ``case:ID`` of the plan's facts to their positions; drugs are read by their regimen."""
    found: dict[str, set[int]] = {}
    for number, known in enumerate(grounded.plan):
        if isinstance(known.fact, Medication):
            continue
        words = {known.concept, f"case:{known.fact.id}"}
        for wording in wordings_of(known.fact):
            phrase = phrase_of(wording)
            heaviest = max((w for _, w in phrase.weights), default=0.0)
            words |= {s for s, w in phrase.weights if w >= 0.5 * heaviest} | {c for c, _ in phrase.concepts}
        for word in words:
            found.setdefault(word, set()).add(number)
    return {word: tuple(sorted(numbers)) for word, numbers in found.items()}
