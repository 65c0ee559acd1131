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
from bedside.verifier.teaching.address import is_said_to_another
from bedside.verifier.teaching.amounts import gives_amount, is_labelled
from bedside.verifier.teaching.answering import LEANING, confirms, leans, lent_by, refuses
from bedside.verifier.teaching.assertion import concerns_listener, continues_another, is_asserted, is_of_another
from bedside.verifier.teaching.cautions import PRECAUTION, read_cautions
from bedside.verifier.teaching.focus import REACH, Focus, Memory
from bedside.verifier.teaching.framing import Reach, frame_of, is_foreign, is_salad, spoken
from bedside.verifier.teaching.permission import allows, dismisses
from bedside.verifier.teaching.phrases import Bag
from bedside.verifier.teaching.points import PART, best_coverage, read_fact, relays
from bedside.verifier.teaching.prohibitions import cautions_defied
from bedside.verifier.teaching.records import stated_parts
from bedside.verifier.teaching.regimen import read_regimen
from bedside.verifier.teaching.statement import (
    addresses_patient,
    is_own_voice,
    is_verbatim,
    lists_keywords,
    says_something,
)
from bedside.verifier.teaching.taking_up import is_topic, takes_up, times
from bedside.verifier.teaching.weighing import candidates_of, near_of, weighed

__all__ = ["TAKEN_BACK", "Event", "Reading", "read_teaching"]

TAKEN_BACK = "taken back"
"""What is stated of an item by words that take the whole talk back."""

_RETURN = Pattern(
    r"\b(?:911|emergency|come (?:right |straight |on )?(?:back|in)|return to|go (?:straight |right |back )?to "
    r"(?:the |your )?(?:nearest )?(?:hospital|er|ed)\b|"
    r"call (?:us|me|the|your|a|an|for|right|if|immediately|for help|and)\b|phone call|a call to|"
    r"pick up the phone|get (?:help|seen|checked|"
    r"medical)|seek|back to (?:the|us)|ER\b|ED\b|hospital|"
    r"right away|immediately|urgent\w*|ambulance|need to be seen|let us know|warning signs?|danger signs?|"
    r"red flags?|watch (?:out )?for)",
    re.IGNORECASE,
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
_DENIES = Pattern(r"\b(?:not|no|never|avoid|stay away|quit|stop|without)\b|n't\b", re.IGNORECASE)

_IN_ALL = 0.5
"""Share of an item that a question and its answer must hold together."""

_GOES_ON = Pattern(r"\?|\b(?:it|them|those|that (?:one|pill|shot)|the (?:pills?|tablets?|shots?))\b", re.IGNORECASE)
"""What a patient says who stays with the drug that was spoken of."""

_OWN_PART = 0.25
"""Share of an instruction that an answer must hold by itself, the question holding the rest."""

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
    head = sentences(normalise(spoken(text)))[:LEANING]
    lent = lent_by(guess) if any(leans(sentence) for sentence in head) else ""
    if not ((lent and _GOES_ON.search(guess)) or any(gives_amount(s.text, find_quantities(s.text)) for s in head)):
        about = ""
    return _read(text, grounded, guess if confirms(text) else "", lent, about, in_talk=True, aside=aside)


@lru_cache(maxsize=8192)
def _read(
    text: str, grounded: GroundedCase, guess: str, lent: str, about: str, *, in_talk: bool, aside: bool = False
) -> Reading:
    text = spoken(text)
    events: list[Event] = []
    if guess:
        # A guess is often put as a question; confirmed, it is as good as said, right or wrong.
        statement = guess.replace("?", ".")
        told = _read(spoken(statement, as_you=True), grounded, "", "", "", in_talk=False)
        sure = len(told.sentences) == 1  # in a long answer, what belongs to what is itself a guess
        events += [e._replace(sentence=0, said=guess) for e in told.events if e.right or sure]
    cut = sentences(normalise(text))
    focus, frame = Focus(), frame_of(text, cut, aside=aside)
    if about:
        focus.drugs, focus.since = (grounded.facts[about],), LEANING - 1 - REACH
    before = _bag_before(lent, grounded, focus) if lent else None
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
            if before is not None and leans(sentence):
                found += _answers(sentence, before, grounded, focus, {event.item for event in found})
            if previous is not None:
                found += _of_the_last(sentence, previous, grounded, focus)
            if of_another and not concerns_listener(sentence.text):
                found = []
            asserted = is_asserted(sentence.text) and not of_another
            events += found if asserted else (event for event in found if not event.right)
            previous = sentence
        if sentence.number in frame.kinds:
            events += _denied_kinds(sentence, grounded, frame.kinds[sentence.number])
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
    candidates, warns = candidates_of(near, grounded, focus), bool(_RETURN.search(sentence.text))
    if not (candidates or warns or focus.named or focus.still(sentence.number) or allows(sentence.text)):
        return  # most of a talk is about nothing of the plan, and need not be weighed further
    if not _speaks(sentence):
        return
    if warns:
        focus.alarm = sentence.number
    quantities = find_quantities(sentence.text)
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
    if allows(sentence.text):
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


def _bag_before(lent: str, grounded: GroundedCase, focus: Focus) -> Bag | None:
    """Return the words that a patient lends, and let "it" mean the drug they named; None for what they deny."""
    said = sentences(normalise(lent))
    if not said:
        return None
    last = said[-1]._replace(number=-1)
    focus.advance(last, weighed(last.text, grounded).drugs)
    if any(_DENIES.search(sentence.text) for sentence in said):
        return None
    bags = [weighed(sentence.text, grounded).bag for sentence in said]
    stems, concepts = (
        frozenset[str]().union(*words) for words in zip(*((b.stems, b.concepts) for b in bags), strict=True)
    )
    return Bag(lent, stems, concepts, frozenset())


def _answers(sentence: Sentence, before: Bag, grounded: GroundedCase, focus: Focus, read: set[str]) -> Iterator[Event]:
    """Read a sentence once more with the words that the patient lends it, as in "Can I drive?", "Not for a week".

    What is wrong may rest on the patient's words ("sure, go ahead"); of what is right, the answer must say a part.
    """
    if is_question(sentence.text) or not _speaks(sentence):
        return
    quantities = find_quantities(sentence.text)
    if lists_keywords(sentence, quantities):
        return
    own = weighed(sentence.text, grounded).bag
    both = own.joined(before)
    if allows(sentence.text):
        for item in sorted(set(cautions_defied(both, grounded)) - read):
            yield Event(item, False, sentence.number, sentence.text.strip(), "the opposite")
    for known in candidates_of(near_of(both, grounded), grounded, focus):
        if known.fact.kind not in ("instruction", "return_sign") or best_coverage(known.fact, both) < _IN_ALL:
            continue
        for item, right, stated in read_fact(known, sentence, both, focus, grounded, quantities):
            if item not in read and (not right or best_coverage(known.fact, own) >= _OWN_PART):
                yield Event(item, right, sentence.number, sentence.text.strip(), stated)


def _of_the_last(sentence: Sentence, last: Sentence, grounded: GroundedCase, focus: Focus) -> Iterator[Event]:
    """Read what a sentence says of what the one before it names: "if that happens, call 911", "that is in 1 week"."""
    if not takes_up(sentence.text, last.text) or is_question(sentence.text) or not _speaks(sentence):
        return
    if not is_topic(last.text) and not (_speaks(last) and is_asserted(last.text) and not dismisses(last.text)):
        return
    named = weighed(last.text, grounded)
    both = weighed(sentence.text, grounded).bag.joined(named.bag)
    found: list[tuple[str, bool, str]] = []
    timed, topic, kind = times(sentence.text), is_topic(last.text), ""
    if timed:
        kind = "follow_up"
    elif (focus.alarm == sentence.number and _sends(sentence.text)) or (topic and dismisses(sentence.text)):
        kind = "return_sign"
    if kind:
        for known in candidates_of(named.near, grounded, focus):
            if known.fact.kind == kind:
                found += read_fact(known, sentence, both, focus, grounded, timed)
    elif topic and focus.still(sentence.number) and not refuses(sentence.text):
        found += [row for known in focus.drugs for row in read_cautions(known, both, PRECAUTION)]
    for item, right, stated in found:
        yield Event(item, right, sentence.number, sentence.text.strip(), stated)


def _sends(text: str) -> bool:
    """True for "if it will not stop, call 911", but not for "never call 911"."""
    return any(not _DENIES.search(text[: call.start()].rpartition(",")[2]) for call in _RETURN.finditer(text))


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
