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
from bedside.verifier.grounding import GroundedCase, GroundedFact
from bedside.verifier.language.context import Context, context_of, is_question
from bedside.verifier.language.lexicon import Mention
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import find_quantities
from bedside.verifier.language.text import Sentence, tokens_of
from bedside.verifier.teaching.address import is_said_to_another
from bedside.verifier.teaching.amounts import gives_amount, is_labelled
from bedside.verifier.teaching.answering import LEANING, confirms, leans, lent_by
from bedside.verifier.teaching.approval import allows
from bedside.verifier.teaching.assertion import concerns_listener, continues_another, is_asserted, is_of_another
from bedside.verifier.teaching.contraries import instructions_contraried
from bedside.verifier.teaching.courtesies import told_sentences
from bedside.verifier.teaching.event import Event
from bedside.verifier.teaching.fitting import best_coverage, relays
from bedside.verifier.teaching.focus import REACH, Focus, Memory
from bedside.verifier.teaching.framing import Reach, frame_of, spoken
from bedside.verifier.teaching.phrases import Bag
from bedside.verifier.teaching.points import PART, read_fact
from bedside.verifier.teaching.prohibitions import cautions_defied
from bedside.verifier.teaching.records import stated_parts
from bedside.verifier.teaching.regimen import read_regimen
from bedside.verifier.teaching.replies import (
    RETURN,
    answers,
    bag_before,
    brought_to,
    leave_given,
    of_the_last,
    speaks,
    stops_in_case,
)
from bedside.verifier.teaching.restrictions import lifted_as_planned, upholds
from bedside.verifier.teaching.statement import (
    is_own_voice,
    is_verbatim,
    lists_keywords,
    says_something,
)
from bedside.verifier.teaching.weighing import candidates_of, weighed

__all__ = ["TAKEN_BACK", "Event", "Reading", "read_teaching"]

TAKEN_BACK = "taken back"
"""What is stated of an item by words that take the whole talk back."""


_MAY_DENY = Pattern(
    r"\b(?:no|not|never|without|ruled out|if|may|might|could|would|risk|prevent\w*|"
    r"mother|father|sister|brother|son|daughter|family)\b|n't\b",
    re.IGNORECASE,
)


_SAME = 0.4
"""Share of an instruction that a sentence must hold to be about the same thing."""

_GOES_ON = Pattern(r"\?|\b(?:it|them|those|that (?:one|pill|shot)|the (?:pills?|tablets?|shots?))\b", re.IGNORECASE)
"""What a patient says who stays with the drug that was spoken of."""


_HAPPENED = ("condition", "test", "procedure", "treatment")
"""Kinds of fact that a sentence can deny."""


class Reading(NamedTuple):
    """A turn as teaching.

    Attributes:
        events: In order of the text.
        sentences: That it was cut into.
        about: Id of the drug that "it" would mean if the talk went on; empty if none or several.
        aside: True when the turn ends in words that are not meant for this patient, and the next one goes on in them.
    """

    events: tuple[Event, ...]
    sentences: tuple[Sentence, ...]
    about: str = ""
    aside: bool = False

    @property
    def conveyed(self) -> dict[str, Event]:
        """The items that end the turn rightly stated; a part of an instruction is not yet the instruction."""
        last = {event.item: event for event in self.events if not event.item.endswith(PART)}
        return {item: event for item, event in last.items() if event.right}

    @property
    def contradicted(self) -> dict[str, Event]:
        """The items that end the turn wrong."""
        last = {event.item: event for event in self.events}
        return {item: event for item, event in last.items() if not event.right}


def read_teaching(
    text: str, grounded: GroundedCase, guess: str | None = None, about: str = "", *, aside: bool = False
) -> Reading:
    """Read one turn of an educator, or any other text, against the plan.

    Args:
        text: What the educator said, as the patient heard it.
        grounded: The case.
        guess: What the patient said just before. If the turn opens by confirming it, it counts as the educator's own.
            None if the text is no turn of an educator; then its "I" may be the patient.
        about: The drug that the educator's last turn was about, from its reading.
        aside: True when the last turn ended in words that were not meant for the patient, from its reading.

    Returns:
        The reading; the same arguments give the same object as long as it is remembered.
    """
    if guess is None:
        return _read(text, grounded, "", "", "", in_talk=False)
    # Only what is needed of the patient's words, so that a turn heard before is found again.
    head = told_sentences(spoken(text))[:LEANING]
    lent = lent_by(guess) if any(leans(sentence) for sentence in head) else ""
    brought, complaint = brought_to(guess, text)
    if not ((lent and _GOES_ON.search(guess)) or any(gives_amount(s.text, find_quantities(s.text)) for s in head)):
        about = ""
    return _read(
        text,
        grounded,
        guess if confirms(text) else "",
        lent,
        about,
        in_talk=True,
        aside=aside,
        brought=brought,
        complaint=complaint,
    )


@lru_cache(maxsize=8192)
def _read(
    text: str,
    grounded: GroundedCase,
    guess: str,
    lent: str,
    about: str,
    *,
    in_talk: bool,
    aside: bool = False,
    brought: str = "",
    complaint: str = "",
) -> Reading:
    text = spoken(text)
    events: list[Event] = []
    if guess:
        # A guess is often put as a question; confirmed, it is as good as said, right or wrong.
        statement = guess.replace("?", ".")
        told = _read(spoken(statement, as_you=True), grounded, "", "", "", in_talk=False)
        sure = len(told.sentences) == 1  # in a long answer, what belongs to what is itself a guess
        events += [e._replace(sentence=0, said=guess) for e in told.events if e.right or sure]
    cut = told_sentences(text)
    focus, frame = Focus(), frame_of(text, cut, aside=aside)
    if about:
        focus.drugs, focus.since = (grounded.facts[about],), LEANING - 1 - REACH
    before = bag_before(lent, grounded, focus) if lent else None
    of_another, previous = False, None
    sex = grounded.case.demographics.sex
    for sentence in cut:
        of_another = (
            is_of_another(sentence.text)
            or is_said_to_another(sentence.text, sex)
            or (of_another and continues_another(sentence.text))
        )
        if sentence.number in frame.back:
            events = _taken_back(events, sentence, grounded, frame.back[sentence.number])
        elif sentence.number not in frame.void and not (in_talk and is_own_voice(sentence.text)):
            stated, own = _stated(sentence.text, grounded, focus.memory(sentence.number))
            found = [event._replace(sentence=sentence.number) for event in stated]
            focus = focus.after(own, sentence.number)
            if before is not None:
                found = [event for event in found if not stops_in_case(event, sentence, before, grounded)]
            if before is not None and leans(sentence):
                found += answers(sentence, before, grounded, focus, {event.item for event in found})
            if previous is not None:
                found += of_the_last(sentence, previous, grounded, focus)
            if of_another and not concerns_listener(sentence.text):
                found = []
            asserted = is_asserted(sentence.text) and not of_another
            events += found if asserted else (event for event in found if not event.right)
            previous = sentence
        if sentence.number in frame.kinds:
            events += _denied_kinds(sentence, grounded, frame.kinds[sentence.number])
    events += leave_given(cut, brought, complaint, grounded, {event.item for event in events})
    last = focus.drugs if cut and focus.still(cut[-1].number + 1) else ()
    return Reading(tuple(events), cut, last[0].fact.id if len(last) == 1 else "", frame.aside)


def _taken_back(events: list[Event], sentence: Sentence, grounded: GroundedCase, reach: Reach) -> list[Event]:
    """Drop what a sentence takes back: "forget all that", or "no, that is not true" of the last point."""
    if reach == "all" or (reach == "talk" and not events):
        said = sentence.text.strip()
        return [Event(item, False, sentence.number, said, TAKEN_BACK) for item in grounded.case.plan_items]
    if reach in ("turn", "talk"):
        return []
    last = {e.item.partition(".")[0] for e in events if e.sentence == sentence.number - 1}
    return [event for event in events if event.item.partition(".")[0] not in last]


def _denied_kinds(sentence: Sentence, grounded: GroundedCase, kinds: tuple[str, ...]) -> Iterator[Event]:
    """Read "those drugs are not yours", "you were never sick": all facts of a kind are said not to be so."""
    for known in grounded.plan:
        if known.fact.kind in kinds and not (isinstance(known.fact, Medication) and known.fact.change == "stopped"):
            yield Event(known.fact.id, False, sentence.number, sentence.text.strip(), "denied")


@lru_cache(maxsize=16384)
def _stated(text: str, grounded: GroundedCase, memory: Memory) -> tuple[tuple[Event, ...], Focus]:
    """Read a sentence as the first of a turn; one that comes back in the same situation says the same.

    Returns:
        What it states, and what the turn is about after it.
    """
    sentence, focus = Sentence(0, text, 0, len(text), tokens_of(text)), Focus.of(memory)
    found = tuple(event for part in stated_parts(sentence) for event in _events(part, grounded, focus))
    return found, focus


def _events(sentence: Sentence, grounded: GroundedCase, focus: Focus) -> Iterator[Event]:
    mentions, drugs, bag, near = weighed(sentence.text, grounded)
    focus.advance(sentence, drugs)
    if is_question(sentence.text) and not is_labelled(sentence.text):
        return
    candidates, warns = candidates_of(near, grounded, focus), bool(RETURN.search(sentence.text))
    same = frozenset(g.fact.id for g in candidates if best_coverage(g.fact, bag) >= _SAME)
    contrary = tuple(instructions_contraried(sentence.text, frozenset(g.fact.id for g in candidates), grounded, same))
    if not (candidates or warns or contrary or focus.named or focus.still(sentence.number) or allows(sentence.text)):
        return  # most of a talk is about nothing of the plan, and need not be weighed further
    if not speaks(sentence):
        return
    if warns:
        focus.alarm = sentence.number
    quantities = find_quantities(sentence.text)
    if contrary and relays(bag, grounded):
        contrary = ()
    for item in (name for name in contrary if not upholds(grounded.facts[name].fact, bag)):
        yield Event(item, False, sentence.number, sentence.text.strip(), "the contrary")
    if says_something(sentence, focus, quantities) or is_verbatim(sentence, bag, grounded):
        uses = _uses(sentence, mentions, candidates)
        for item, right, stated in _read_items(sentence, bag, candidates, uses, focus, grounded):
            yield Event(item, right, sentence.number, sentence.text.strip(), stated)


def _read_items(
    sentence: Sentence,
    bag: Bag,
    candidates: list[GroundedFact],
    uses: dict[str, Context],
    focus: Focus,
    grounded: GroundedCase,
) -> Iterator[tuple[str, bool, str]]:
    """Read a sentence that says something: of drugs, of what they forbid, and of each other fact that it may state."""
    quantities = find_quantities(sentence.text)
    bare = lists_keywords(sentence, quantities)
    for item, right, stated in () if bare else read_regimen(sentence, bag, quantities, focus):
        if right or not relays(bag, grounded):  # "pause ramipril on days of vomiting" stands in the plan itself
            yield item, right, stated
    if allows(sentence.text) and not lifted_as_planned(bag, grounded):
        for item in cautions_defied(bag, grounded):
            yield item, False, "the opposite"
    for known in candidates:
        # Warning signs are listed bare under their heading, and rightly so.
        if bare and known.fact.kind != "return_sign":
            continue
        if _denied(known, uses):
            yield known.fact.id, False, "denied"
        elif not _of_others(known, uses):
            yield from read_fact(known, sentence, bag, focus, grounded, quantities)


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
