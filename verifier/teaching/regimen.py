"""What a sentence says about the drugs of a plan: which, how much, how, how often, what for, with what care."""

import re
from collections.abc import Iterator

from bedside.cases.fact import Medication
from bedside.verifier.claims.extraction import nearest
from bedside.verifier.grounding import GroundedFact
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import (
    Quantity,
    days,
)
from bedside.verifier.language.text import Sentence
from bedside.verifier.teaching.amounts import gives_amount, is_labelled
from bedside.verifier.teaching.cautions import PRECAUTION, VERBATIM, plan_says_stop, read_cautions
from bedside.verifier.teaching.contraries import cautions_contraried, tells_why_stopped
from bedside.verifier.teaching.details import ENOUGH, PAST_CARE, read_details, read_uncountable
from bedside.verifier.teaching.focus import Focus
from bedside.verifier.teaching.phrases import Bag, coverage, phrase_of
from bedside.verifier.teaching.stopping import told_to_keep, told_to_stop

__all__ = ["STOP_IT", "read_regimen"]


_PURPOSE = 0.5
_ABOUT = 0.2
"""Share of a caution that a sentence must hold to be about it, if it names no drug."""

STOP_IT = "told to stop it"

_TAKING = Pattern(
    r"\b(?:take|takes|taking|took|use|using|start\w*|begin\w*|continu\w+|keep|inject\w*|inhale\w*|swallow|"
    r"apply|prescri\w+|giv\w+|gave|new|"
    r"medicines?|medications?|pills?|tablets?|need|get|going home (?:on|with)|on|called|named|add\w*|"
    r"chang\w+|increas\w+|lower\w*|rais\w+|helps?|for|is|are|will)\b",
    re.IGNORECASE,
)
_DOSE_MOVES = Pattern(
    r"\b(?:go(?:es)?|bump\w*|step\w*|move\w*|rais\w+|increas\w+|lower\w*|drop\w*|cut|make it|"
    r"put in)\b[^.;,]{0,15}\b(?:to|by|in|it) \d",
    re.IGNORECASE,
)
# "Aspirin, clopidogrel and atorvastatin, each of them once a day": how all of them are taken.
_EACH = Pattern(
    r"\b(?:each|all|both|every one)\b(?: (?:of (?:them|these|those)|(?:two|three|four|2|3|4)|are|is|taken|"
    r"come|go|and)\b)*",
    re.IGNORECASE,
)
# "You might still take one when your shoes get tight": of a drug that is to be stopped.
_TAKES_ONE = Pattern(
    r"\b(?:can|could|may|might|i'd|go ahead and|feel free to|just|and|so|fine to|okay to) "
    r"(?:still |also |always |even |well )?"
    r"(?:(?:take|use|have|finish|try|start|restart|begin|resume|hang on to|go back to) "
    r"(?:it|them|1|one|some|a few|another|half)|"
    r"(?:give|hand|slip|bring) (?:you|him|her|them) (?:it|1|one|some|a few|another|half)|"
    r"keep (?:it|them|a few) (?:around|going|on hand|up))\b",
    re.IGNORECASE,
)
_JOINS = re.compile(
    r"\b(?:overlap|combine|alternate|pair)\w* (?:it |them )?with|\balongside|\bon top of", re.IGNORECASE
)
_SPARES = Pattern(
    r"\b(?:not|never|no|without|instead|until|if the|acetaminophen|tylenol)\b(?! every day)|n't\b", re.IGNORECASE
)
_CLAUSE_BREAK = re.compile(r"\b(?:and|but|then)\b|[,;]")


def read_regimen(
    sentence: Sentence,
    bag: Bag,
    quantities: tuple[Quantity, ...],
    focus: Focus,
) -> Iterator[tuple[str, bool, str]]:
    """Read what a sentence states of the plan's medications.

    Yields:
        Item id, whether it agrees with the plan, and what was said if not.
    """
    text = sentence.text
    for known, at in focus.asides_at:
        if (
            _is_stopped(known) and _JOINS.search(text[: at[0]]) and told_to_keep(text, at)
        ):  # "you can overlap with oxybutynin"
            yield known.fact.id, False, "told to take it"
    if _takes_stopped(sentence, focus):
        yield focus.drugs[0].fact.id, False, "told to take it"
        return
    for known in focus.asides:  # "do not take aspirin with enoxaparin" is a caution about the latter
        yield from read_cautions(known, bag, PRECAUTION)
    if focus.named:
        spans = focus.all_spans
    elif focus.meant(sentence, bag) or (
        focus.still(sentence.number) and focus.one_taken and _goes_on(text, bag, quantities)
    ):
        spans = []
        focus.drugs = focus.one_taken or focus.drugs
        focus.since = sentence.number  # as good as named again
    else:
        # A caution needs no "it" when it follows the drug and is next to the plan's own words.
        for known in focus.drugs if focus.still(sentence.number) else ():
            yield from ((item, False, "the contrary") for item in _contraried_unnamed(known, text, bag))
            yield from read_cautions(known, bag, PRECAUTION if sentence.number == focus.since + 1 else VERBATIM)
        return
    for known in focus.drugs:
        fact = known.fact
        assert isinstance(fact, Medication)
        own = focus.spans.get(fact.id, [])
        span = next((s for s in own if told_to_stop(text, s)), own[0] if own else None)
        mine = tuple(
            q for q in quantities if len(spans) < 2 or _owner(text, q, quantities, spans) in own or _shared(text, q)
        )
        part = _part_about(text, span, spans)
        for row in _read_drug(known, fact, text, span, part, bag, mine, named=focus.named and span is not None):
            yield row
            if row[2] == STOP_IT:
                focus.drugs = ()  # no amount that follows is of a drug to be stopped


def _contraried_unnamed(known: GroundedFact, text: str, bag: Bag) -> Iterator[str]:
    """Yield the cautions of the drug spoken of that a sentence without its name is about, and contrary to."""
    assert isinstance(known.fact, Medication)
    about = {
        f"{known.fact.id}.precaution{number}"
        for number, caution in enumerate(known.fact.precautions, 1)
        if coverage(phrase_of(caution), bag) >= _ABOUT
    }
    yield from (item for item in cautions_contraried(known.fact, text) if item in about)


def _takes_stopped(sentence: Sentence, focus: Focus) -> bool:
    """True for "you might still take one", of the one drug spoken of, which is to be stopped."""
    if focus.named or not focus.still(sentence.number) or [_is_stopped(drug) for drug in focus.drugs] != [True]:
        return False
    if (taken := _TAKES_ONE.search(sentence.text)) is None:
        return False
    # "That is no daily medicine anymore, but your daughter can give you one": what stands before "but" spares nothing.
    clause = sentence.text.rfind(", but ", 0, taken.start()) + 1
    return not _SPARES.search(sentence.text[clause:])


def _is_stopped(known: GroundedFact) -> bool:
    return isinstance(known.fact, Medication) and known.fact.change == "stopped"


def _goes_on(text: str, bag: Bag, quantities: tuple[Quantity, ...]) -> bool:
    """True for "after 2 days you go up to 50 mg": it must be of the drug spoken of, though no word says so."""
    if any(concept.startswith(("drug:", "class:")) for concept in bag.concepts):
        return False
    if is_labelled(text) or gives_amount(text, quantities):
        return True
    kinds = {q.kind for q in quantities}
    return bool("dose" in kinds and _DOSE_MOVES.search(text)) or bool(
        quantities and "route" not in kinds and ENOUGH.search(text)
    )


def _owner(
    text: str, quantity: Quantity, quantities: tuple[Quantity, ...], spans: list[tuple[int, int]]
) -> tuple[int, int] | None:
    """Return the drug that an amount is of: in "folic acid 1 mg daily, thiamine 100 mg", the one named before it."""
    ordered = sorted(spans)
    of_drugs = [q.start for q in quantities if q.kind in ("dose", "frequency", "route")]
    if of_drugs and ordered[0][1] <= min(of_drugs) and max(of_drugs) > ordered[-1][0]:
        return next((span for span in reversed(ordered) if span[0] <= quantity.start), ordered[0])
    return nearest(text, quantity, spans)


def _shared(text: str, quantity: Quantity) -> bool:
    """True for a rate or route that a sentence gives for all the drugs it names."""
    return quantity.kind in ("frequency", "route") and any(
        0 <= quantity.start - match.end() <= 20 for match in _EACH.finditer(text)
    )


def _part_about(text: str, span: tuple[int, int] | None, spans: list[tuple[int, int]]) -> str:
    """Return the words of a sentence that speak of one of several drugs."""
    if span is None or len(spans) < 2:
        return text
    ordered = sorted(spans)
    index = ordered.index(span)
    start = 0 if index == 0 else _boundary(text, ordered[index - 1][1], span[0])
    end = len(text) if index == len(ordered) - 1 else _boundary(text, span[1], ordered[index + 1][0])
    return text[start:end]


def _boundary(text: str, left: int, right: int) -> int:
    breaks = [m.start() for m in _CLAUSE_BREAK.finditer(text, left, right)]
    return breaks[-1] if breaks else right


def _read_drug(
    known: GroundedFact,
    fact: Medication,
    text: str,
    span: tuple[int, int] | None,
    part: str,
    bag: Bag,
    quantities: tuple[Quantity, ...],
    *,
    named: bool,
) -> Iterator[tuple[str, bool, str]]:
    stopping = told_to_stop(text, span)
    if fact.change == "stopped":
        if stopping:
            yield fact.id, True, ""
        elif span is not None and told_to_keep(text, span):
            yield fact.id, False, "told to take it"
        if fact.purpose and coverage(phrase_of(fact.purpose), bag) >= _PURPOSE:
            yield f"{fact.id}.purpose", True, ""
        return
    if stopping and _ends_as_planned(fact, quantities):
        yield f"{fact.id}.duration", True, ""
    elif stopping and not plan_says_stop(fact, bag):
        yield fact.id, False, STOP_IT
        return
    measured = any(q.kind in ("dose", "frequency") for q in quantities)
    if (named and _TAKING.search(text)) or (measured and (named or not PAST_CARE.search(text))):
        yield fact.id, True, ""
    yield from read_details(fact, part, text, quantities)
    yield from read_uncountable(fact, bag)
    if fact.purpose and (coverage(phrase_of(fact.purpose), bag) >= _PURPOSE):
        yield f"{fact.id}.purpose", True, ""
    defied = () if tells_why_stopped(text) else tuple(cautions_contraried(fact, part))
    yield from ((item, False, "the contrary") for item in defied)
    yield from (row for row in read_cautions(known, bag, PRECAUTION) if row[0] not in defied)


def _ends_as_planned(fact: Medication, quantities: tuple[Quantity, ...]) -> bool:
    """True when a drug is told to stop once its course is over: "stop it after 8 weeks"."""
    course = days(fact.duration or "")
    return course is not None and any(abs(float(q.value) - course) < 0.1 * course for q in quantities if q.kind == "in")
