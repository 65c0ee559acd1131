"""How long an instruction of the plan holds, and until when a sentence says that it does.

"Do not drive for 2 weeks" is relayed by "you can drive after 2 weeks", cut short by "no driving for 3 days" or "you can
be back behind the wheel in a week", and drawn out by "no driving for a month". Whether cutting it short or drawing it
out is dangerous is decided in :mod:`bedside.rewards.severity`.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from bedside.cases.fact import AnyFact, Instruction
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import days, digits
from bedside.verifier.language.text import plain, stem, tokenize
from bedside.verifier.teaching.approval import allows
from bedside.verifier.teaching.fitting import STATED
from bedside.verifier.teaching.permission import names_forbidden
from bedside.verifier.teaching.phrases import LIGHT, Bag, Phrase, bag_of, coverage, phrase_of
from bedside.verifier.teaching.statement import wordings_of

__all__ = ["STRICTER", "as_term", "held_until", "keeps_hours", "kept_off", "lifted_as_planned", "upholds"]

LAXER = "only for"
STRICTER = "for as long as"
CLEARED = "without being cleared"

_LEAST, _MOST = 0.9, 1.15
"""Shares of a term between which another one is the same."""

_TELLING = 2
"""Words that an order needs to be told from others, if it forbids nothing."""

_SPAN = (
    r"(?:an?|half an?|\d+(?:\.\d+)?)(?: ?(?:-|to|or) ?\d+)?(?: more| full| whole)?[ -](?:hour|day|week|month|year)s?"
)
_ABOUT = r"(?:(?:about|around|only|just|another|roughly|maybe|the|next|first|at least|a good|some|another) ){0,3}"
_TERM = Pattern(rf"\b(?:for|over|during|in the first|the (?:first|next)) {_ABOUT}(?P<span>{_SPAN})\b", re.IGNORECASE)
_FREED_BY = Pattern(
    r"\buntil (?:(?:the|your|a|an) )?(?:\w+ ){0,4}(?:clears?|agrees?|says?|okays?|approves?|allows?|"
    r"has (?:seen|cleared))\b",
    re.IGNORECASE,
)
# "Until you have had no spell for 1 month": the time of something else, whose end nobody knows yet.
_ON_A_COURSE = re.compile(r"\b(?:until|unless|if)\b[^,;]*$", re.IGNORECASE)
_LIFTS = Pattern(
    rf"\b(?:(?:after|in|within|at|by|past|from) {_ABOUT}(?P<span>{_SPAN})\b|"
    rf"(?P<later>{_SPAN}) (?:from now|later|out)\b|(?P<since>{_SPAN}) (?:after|past|following)\b|"
    rf"(?:give (?:it|that|yourself)|wait|rest) {_ABOUT}(?P<given>{_SPAN})\b(?=[^.;]*\b(?:then|and you|before)\b)|"
    r"(?:in|from|at|by|after) week (?P<week>\d+))",
    re.IGNORECASE,
)
_KEEPS = Pattern(
    rf"\b(?:for|over|during|until) {_ABOUT}(?P<span>{_SPAN})\b|\b(?:the (?:next|first)|first|at least|"
    rf"(?:take|give it|need)) (?P<run>{_SPAN})\b|\b(?P<off>{_SPAN}) (?:off|of rest|without|away)\b",
    re.IGNORECASE,
)
_ANY_SPAN = re.compile(rf"\b{_SPAN}\b", re.IGNORECASE)
_RESUMES = Pattern(
    r"\b(?:again|back (?:to|on|in|at|into|behind)|return(?:ing)?|resum\w+|clears? you|cleared|restart\w*|goes? back|"
    r"(?:you(?:'ll| will|'re| are)|be) (?:fine|okay|good|able|ready|free)|you (?:can|may|could)|come off|comes off)\b",
    re.IGNORECASE,
)
_BARS = Pattern(
    r"\b(?:no|not|don't|never|avoid|stay (?:off|out|away)|stay clear|keep (?:off|out|away)|skip|without|hold off|wait|"
    r"nothing|off|rest|stop|cannot|can't|shouldn't|mustn't|won't)\b",
    re.IGNORECASE,
)
_LEAVES_OFF = Pattern(
    r"\b(?:take (?:it|them|that|this|the \w+) off|(?:take|leave|come|comes|be|get) (?:off|out of)|without|stop|"
    r"done with|no longer|finished with|out of|rid of|come off|comes off)\b",
    re.IGNORECASE,
)
_KEPT_OFF = re.compile(r"\W*(?:stay|keep) (?:off|out of|away from|home from)\b", re.IGNORECASE)
_BACK_TO = Pattern(
    r"\b(?:back (?:to|at|in|on)|return\w* to|go (?:in )?to|resum\w+|off(?: from)?|away from) ((?:\w+ ?){1,3})",
    re.IGNORECASE,
)
_STAGE = re.compile(r"\b(?:liquids?|pur[ée]ed?|soft|clear broth)\b", re.IGNORECASE)
_ADVANCES = Pattern(
    r"\b(?:move|moving|go|going|switch\w*|advanc\w+|step\w*|progress\w*|back|start\w*|begin\w*|try|add\w*|eat\w*|have) "
    r"(?:(?:on|up|back|in|to|with|eating|some|a|your|small|little|more) ){0,4}"
    r"(?:solids?|regular|normal|usual|real|everyday|whatever|anything|chicken|rice|meat|beef|pork|steak|fish|bread|toast|"
    r"pasta|salad|vegetables|burgers?|pizza|eggs?|meals|sandwich\w*)\b",
    re.IGNORECASE,
)
_FROM_THEN = re.compile(r"\bafter (?:\d|noon|lunch|supper|dinner|midnight)", re.IGNORECASE)
_BY_THEN = Pattern(
    r"\b(?:last|latest|final)\b[^.;]*\b(?:by|before|at)\b|\b(?:only|just) (?:before|until)\b", re.IGNORECASE
)
_CLAUSES = re.compile(r"; |,? but |, and (?=(?:no|not|do not|don't|you|never|avoid)\b)|\. ", re.IGNORECASE)
_ORDERS_APART = re.compile(
    r"; |,? (?:and|but|then) (?=(?:do not|never|no|take|see|keep|wash|pat|change|wear|use|soft|eat|go|start)\b)"
)
_AMOUNT = re.compile(
    r"\b(?:(?:no |not )?(?:more|heavier|longer)?(?: than)?|over|above|up to) ?\d+(?:\.\d+)? "
    r"(?:pounds?|lbs?|kilograms?)\b"
)
_WEIGHT = re.compile(r"\b\d+(?:\.\d+)? ?(?:pounds?|lbs?|kilograms?)\b", re.IGNORECASE)
_BY_SOMEONE = Pattern(
    r"\b(?:clear\w*|says?|said|agrees?|okays?|approv\w+|allows?|sees? you|check\w*|ask|until|unless)\b", re.IGNORECASE
)


class _Restriction(NamedTuple):
    """One order of an instruction with how long it holds.

    Attributes:
        deed: The order without its term.
        bars: True for a prohibition.
        term: In days; None if somebody is to end it.
        staged: True for a stage of a diet, which other food ends.
    """

    deed: Phrase
    bars: bool
    term: float | None
    staged: bool


@lru_cache(maxsize=4096)
def _restrictions(fact: Instruction) -> tuple[_Restriction, ...]:
    found = []
    for wording in wordings_of(fact):
        for part in _ORDERS_APART.split(digits(plain(wording))):
            term, freed = _TERM.search(part), _FREED_BY.search(part)
            if not (term or freed) or (term and _ON_A_COURSE.search(part[: term.start()])):
                continue
            deed = part[: term.start()] + part[term.end() :] if term else part[: freed.start()] if freed else part
            phrase = phrase_of(_AMOUNT.sub(" ", deed).strip(" ,."))
            if phrase.weights:
                bars = phrase.negative or bool(_BARS.match(deed))
                staged = not bars and fact.area == "diet" and bool(_STAGE.search(deed))
                found.append(_Restriction(phrase, bars, days(term["span"]) if term else None, staged))
    return tuple(found)


def held_until(fact: Instruction, bag: Bag) -> tuple[bool, str] | None:
    """Compare until when a sentence lets an instruction hold with the plan.

    Args:
        fact: The instruction.
        bag: The sentence.

    Returns:
        Whether they agree, and what was said if not; None if the sentence says nothing of when it ends.
    """
    if not (restrictions := _restrictions(fact)) or not (clauses := _clauses(bag)):
        return None
    told = [row for clause in clauses for r in restrictions if (row := _compared(r, clause))]
    return next((row for row in told if row[0]), told[0] if told else None)


def kept_off(order: str) -> frozenset[str]:
    """Return the stems of what a plan's order keeps the patient off: work, school; empty for any other order."""
    return frozenset(word for word, _ in phrase_of(order).weights) if _KEPT_OFF.match(order) else frozenset()


def as_term(fact: Instruction, clash: str) -> str:
    """Return another number than the plan's as a term that is longer, where both are times; else as it is.

    Args:
        fact: The instruction.
        clash: A number with its unit, as the sentence has it.
    """
    said, terms = days(clash.replace("daily", "day")), [r.term for r in _restrictions(fact) if r.term]
    return f"{STRICTER} {said:g} days" if said and terms and said > max(terms) else clash


def lifted_as_planned(bag: Bag, grounded: GroundedCase) -> bool:
    """True for a sentence that gives leave from the day on from which the plan gives it too, or from a later one."""
    if not _ANY_SPAN.search(bag.text) or not _LIFTS.search(bag.text):
        return False
    told = (known.fact for known in grounded.plan if isinstance(known.fact, Instruction))
    return any(_ends_in_time(fact, bag) for fact in told)


def upholds(fact: AnyFact, bag: Bag) -> bool:
    """True for a sentence that lets an instruction end no sooner than the plan, or keeps to its hours of the day."""
    return isinstance(fact, Instruction) and (keeps_hours(fact.text, bag.text) or _ends_in_time(fact, bag))


def _ends_in_time(fact: Instruction, bag: Bag) -> bool:
    end = held_until(fact, bag)
    return end is not None and (end[0] or end[1].startswith(STRICTER))


def keeps_hours(order: str, text: str) -> bool:
    """True for "your last coffee by 6", where the plan forbids it from then on."""
    return bool(_FROM_THEN.search(order) and _BY_THEN.search(text))


@lru_cache(maxsize=4096)
def _clauses(bag: Bag) -> tuple[Bag, ...]:
    """Return the clauses that hold one time span each, as bags of their own."""
    if not _ANY_SPAN.search(bag.text):
        return ()
    parts = _CLAUSES.split(bag.text)
    timed = [part for part in parts if len({span.lower() for span in _ANY_SPAN.findall(part)}) == 1]
    return tuple(bag if len(parts) == 1 else bag_of(part, tokenize(part), bag.concepts) for part in timed)


def _compared(restriction: _Restriction, clause: Bag) -> tuple[bool, str] | None:
    deed, text = restriction.deed, clause.text
    if restriction.staged and restriction.term and _ADVANCES.search(text) and (lifted := _LIFTS.search(text)):
        early = days(lifted[0]) or restriction.term
        return (False, f"{LAXER} {early:g} days") if early < _LEAST * restriction.term else None
    if not restriction.bars and sum(word not in LIGHT for word, _ in deed.weights) < _TELLING:
        return None  # "no fluid staying down for 12 hours" shares its word with "take liquids for 2 weeks"
    if not (coverage(deed, clause) >= STATED or (restriction.bars and _names_barred(deed, clause))):
        return None
    said = _end_told(text, bars=restriction.bars)
    if said is None:
        return None
    if restriction.term is None:
        return None if _BY_SOMEONE.search(text) or not restriction.bars or said[1] else (False, CLEARED)
    if _WEIGHT.search(text) and not said[1]:
        return None  # so much may be lifted in the meantime, too
    share = said[0] / restriction.term
    if share < _LEAST:
        return False, f"{LAXER} {said[0]:g} days"
    return (True, "") if share <= _MOST else (False, f"{STRICTER} {said[0]:g} days")


def _names_barred(deed: Phrase, clause: Bag) -> bool:
    """True when a clause names what is forbidden, or goes back to what the plan keeps the patient off: to work."""
    if names_forbidden(deed, clause):
        return True
    if not _KEPT_OFF.match(deed.text):
        return False
    words = {word for word, _ in deed.weights}
    return any(stem(place) in words for found in _BACK_TO.finditer(clause.text) for place in found[1].lower().split())


def _end_told(text: str, *, bars: bool) -> tuple[float, bool] | None:
    """Return after how many days a sentence lets an order end, and whether it upholds it until then."""
    lifted, kept = _LIFTS.search(text), _KEEPS.search(text)
    upholds = bool(_BARS.search(text)) if bars else not _LEAVES_OFF.search(text)
    if kept and upholds and not (lifted and lifted.start() < kept.start()):
        span = next(span for span in kept.groupdict().values() if span)
        length = days(span)
        return None if length is None else (length, True)
    frees = (allows(text) or bool(_RESUMES.search(text))) if bars else bool(_LEAVES_OFF.search(text))
    if lifted and frees and not (bars and _denied(text)):
        if lifted["week"]:
            return 7.0 * (float(lifted["week"]) - 1), False
        length = days(next(span for span in lifted.groupdict().values() if span))
        return None if length is None else (length, False)
    return None


_DENIED = re.compile(r"\b(?:not|never|cannot)\b|n't\b", re.IGNORECASE)


def _denied(text: str) -> bool:
    return bool(_DENIED.search(text)) and not allows(text)
