"""What a sentence says together with what stands before it: the patient's line, or the educator's last sentence."""

import re
from collections.abc import Iterable, Iterator

from bedside.cases.fact import Medication
from bedside.verifier.claims.wording import normalise
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.context import is_question
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import find_quantities
from bedside.verifier.language.text import Sentence, sentences
from bedside.verifier.teaching.alarms import puts_off
from bedside.verifier.teaching.answering import refuses
from bedside.verifier.teaching.approval import allows, withholds
from bedside.verifier.teaching.assertion import is_asserted
from bedside.verifier.teaching.cautions import PRECAUTION, plan_says_stop, read_cautions
from bedside.verifier.teaching.event import Event
from bedside.verifier.teaching.fitting import best_coverage
from bedside.verifier.teaching.focus import Focus
from bedside.verifier.teaching.framing import is_foreign, is_salad, spoken
from bedside.verifier.teaching.leave import given_away, signs_waved_off
from bedside.verifier.teaching.letting import brought_up, let_be, letting, stems_of
from bedside.verifier.teaching.permission import dismisses
from bedside.verifier.teaching.phrases import Bag
from bedside.verifier.teaching.points import read_fact
from bedside.verifier.teaching.prohibitions import cautions_defied
from bedside.verifier.teaching.regimen import STOP_IT
from bedside.verifier.teaching.statement import addresses_patient, lists_keywords
from bedside.verifier.teaching.taking_up import is_topic, takes_up, times, waves_off
from bedside.verifier.teaching.weighing import candidates_of, near_of, weighed

__all__ = ["RETURN", "answers", "bag_before", "brought_to", "leave_given", "of_the_last", "speaks", "stops_in_case"]

RETURN = Pattern(
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
    r"\b(?:on (?:your|the) list(?! (?:is|are) to\b)|in your (?:papers|packet|paperwork)|written down|see the (?:list|"
    r"sheet|handout))\b",
    re.IGNORECASE,
)
_DENIES = Pattern(r"\b(?:not|no|never|avoid|stay away|quit|stop|without)\b|n't\b", re.IGNORECASE)
_IN_ALL = 0.5
"""Share of an item that a question and its answer must hold together."""
_OWN_PART = 0.25
"""Share of an instruction that an answer must hold by itself, the question holding the rest."""


def brought_to(line: str, text: str) -> tuple[str, str]:
    """Return what a patient asked leave for, and complained of, if the turn after it may let it be."""
    if not line:
        return "", ""
    turn = sentences(normalise(spoken(text)))
    mild = not any(withholds(sentence.text) for sentence in turn)
    return brought_up(line) if let_be(turn) else "", brought_up(line, sign=True) if mild else ""


def leave_given(
    turn: tuple[Sentence, ...], brought: str, complaint: str, grounded: GroundedCase, read: set[str]
) -> Iterator[Event]:
    """Read an answer that gives leave by withholding nothing: "And if I have a beer?" - "Everybody does."."""
    rows: list[tuple[str, str]] = []
    if brought and (sentence := letting(turn, stems_of(brought))):
        rows = list(given_away(brought, weighed(sentence.text, grounded).bag, grounded))
        yield from _wrong(rows, sentence, read)
    if complaint and (sentence := letting(turn, stems_of(complaint))):
        yield from _wrong(signs_waved_off(complaint, grounded), sentence, read.union(item for item, _ in rows))


def _wrong(rows: Iterable[tuple[str, str]], sentence: Sentence, read: set[str]) -> Iterator[Event]:
    for item, stated in rows:
        if item not in read:
            yield Event(item, False, sentence.number, sentence.text.strip(), stated)


def bag_before(lent: str, grounded: GroundedCase, focus: Focus) -> Bag | None:
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


def answers(sentence: Sentence, before: Bag, grounded: GroundedCase, focus: Focus, read: set[str]) -> Iterator[Event]:
    """Read a sentence once more with the words that the patient lends it, as in "Can I drive?", "Not for a week".

    What is wrong may rest on the patient's words ("sure, go ahead"); of what is right, the answer must say a part.
    """
    if is_question(sentence.text) or not speaks(sentence):
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
        if known.fact.kind not in ("instruction", "return_sign"):
            continue
        whole = best_coverage(known.fact, both) >= _IN_ALL
        for item, right, stated in read_fact(known, sentence, both, focus, grounded, quantities):
            if not (whole or stated in ("the opposite", "waived") or (right and known.fact.kind == "return_sign")):
                continue
            sent = known.fact.kind == "return_sign" and focus.alarm == sentence.number
            if item not in read and (not right or sent or best_coverage(known.fact, own) >= _OWN_PART):
                yield Event(item, right, sentence.number, sentence.text.strip(), stated)


def stops_in_case(event: Event, sentence: Sentence, before: Bag, grounded: GroundedCase) -> bool:
    """True for "leave out the losartan until you eat", said to one who vomits, if the plan says so too."""
    known = grounded.facts[event.item.partition(".")[0]]
    if event.stated != STOP_IT or not isinstance(known.fact, Medication):
        return False
    return plan_says_stop(known.fact, weighed(sentence.text, grounded).bag.joined(before))


def of_the_last(sentence: Sentence, last: Sentence, grounded: GroundedCase, focus: Focus) -> Iterator[Event]:
    """Read what a sentence says of what the one before it names: "if that happens, call 911", "that is in 1 week"."""
    if (
        not (takes_up(sentence.text, last.text) or waves_off(sentence.text))
        or is_question(sentence.text)
        or not speaks(sentence)
    ):
        return
    if not is_topic(last.text) and not (speaks(last) and is_asserted(last.text) and not dismisses(last.text)):
        return
    named = weighed(last.text, grounded)
    both = weighed(sentence.text, grounded).bag.joined(named.bag)
    found: list[tuple[str, bool, str]] = []
    timed, topic, kind = times(sentence.text), is_topic(last.text), ""
    if timed:
        kind = "follow_up"
    elif (focus.alarm == sentence.number and _sends(sentence.text)) or (
        dismisses(sentence.text) or puts_off(sentence.text)
    ):
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
    return any(not _DENIES.search(text[: call.start()].rpartition(",")[2]) for call in RETURN.finditer(text))


def speaks(sentence: Sentence) -> bool:
    """True when a sentence tells this patient something, in words that a patient can follow."""
    if _PASSING.search(sentence.text) or not addresses_patient(sentence.text):
        return False
    return not (is_foreign(sentence.text) or is_salad(sentence.text))
