"""What a sentence says of a drug's precautions: side effects, limits, what goes with it and what does not."""

import re
from collections.abc import Iterator
from functools import lru_cache

from bedside.cases.fact import Medication
from bedside.verifier.grounding import GroundedFact
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import find_quantities
from bedside.verifier.teaching.alarms import puts_off
from bedside.verifier.teaching.kinds import kinds_of
from bedside.verifier.teaching.permission import defied
from bedside.verifier.teaching.phrases import LIGHT, Bag, Phrase, coverage, opposed, phrase_of

__all__ = ["OVER", "PRECAUTION", "VERBATIM", "WAIVED_DUTY", "ceiling_of", "plan_says_stop", "read_cautions"]

OVER = "as much as"
"""Begins what is stated of a drug beyond the most that its precautions allow."""

WAIVED_DUTY = "not needed"
"""What is stated of a caution that asks for something, and is said not to be needed."""

PRECAUTION = 0.55
"""Share of a precaution's meaning that a sentence must hold to state it."""

VERBATIM = 0.75
_AGAINST = 0.6
_WARNS_OF = 0.9
_SAME_CASE = 0.45
_PERMITS = Pattern(
    r"\b(?:can|may|okay|ok|fine|safe|go ahead|feel free|no problem|all right|harmless|won't hurt|"
    r"doesn't matter)\b(?! (?:cause|raise|make|lower))",
    re.IGNORECASE,
)
_STOPS_IF = re.compile(
    r"\b(?<!not )(?:stop|skip|hold|pause|leave (?:it )?out)\b[^.;]*?\b(?:if|when|while|before|until|on days with|"
    r"and call for)\b (?:you |your )?"
    r"(?:skip )?(.*)",
    re.IGNORECASE,
)
_HOLDS = Pattern(
    r"\b(?<!not )(?<!n't )(?<!never )(?:stop|skip|hold|pause|leave (?:it )?out)\b|"
    r"\b(?:do not|don't|never) (?:take|use)\b",
    re.IGNORECASE,
)
_CASE = Pattern(r"\b(?:the (?:day|moment)|if|when|while|before|until|once|as soon as|on days|for an?)\b", re.IGNORECASE)
_LEAVES = Pattern(
    r"\b(?:stop|quit|skip|hold|pause|drop|leave|come off|take a break from)\b(?! (?:suddenly|without))", re.IGNORECASE
)
_USES = re.compile(
    r"^(?:use|wear|carry|keep using|put on|bring|check|rinse|shake) (?:your |the |an? )?([a-z-]+)", re.IGNORECASE
)
_UNNEEDED = Pattern(
    r"\b(?:no (?:need|reason|call|point) (?:for|to|in)|(?:don't|do not|won't|doesn't|needn't) (?:\w+ )?"
    r"(?:need|have to|bother)|(?:isn't|aren't|not) (?:\w+ )?(?:needed|necessary|required)|"
    r"(?:can|could|may) (?:\w+ )?(?:skip|do without|drop|forget))\b",
    re.IGNORECASE,
)
_KEPT = re.compile(r"\b(?:never|not|don't)\W*$", re.IGNORECASE)
_SENDS = Pattern(r"\b(?:911|emergency|ambulance)\b", re.IGNORECASE)
_EFFECTS = Pattern(
    r"^\W*(?:it )?(?:can|may|might|could|will)? ?(?:also )?(?:cause|give|bring)s? (?:you )?", re.IGNORECASE
)
_FEELS = Pattern(
    r"\b(?:can|may|might|could|sometimes|(?:some|a few|many|most) (?:people|patients|folks)|some|"
    r"makes?|gives?|causes?|will|"
    r"watch (?:out )?for|"
    r"side effects?|happens?|possible|expect|notice|trouble|problem|nuisance|common|complaint)\b",
    re.IGNORECASE,
)
_AMOUNT = r"(\d+(?:\.\d+)? ?(?:mg|milligrams?|g|grams?|tablets?|pills?|puffs?|capsules?|units?)\b|\d{4})"
_A_DAY = (
    r"(?:(?:total )?(?:a|per|each|every|in (?:a|1|any)|over a|for the) (?:whole |single )?(?:day|24 hours)|"
    r"in 24 hours|daily)"
)
# "At most 3000 mg a day", "not above 3 grams", "never over 3000": the limit that a precaution names, or another one.
_LIMIT = Pattern(
    r"\b(?:(?:no|not|never|don't|do not)\b[^.;,]{0,30}?\b(?:more|over|above|exceed\w*|beyond|past)(?: than)?|at most|"
    r"under|below|less than|fewer than|max(?:imum|imal)?(?: of| is)?|limit (?:of|is)|up to|as (?:much|many|high) as|"
    r"stay(?:ing)? (?:under|below)|go (?:all the way |as high as )?to|"
    r"\b(?:the most|(?:limit|ceiling|max(?:imum)?|top|cap))\b[^.;]{0,50}?\b(?:is|at|of|:)|"
    rf"(?:limit|cap) (?:it|yourself|the \w+) (?:to|at))\W+(?:a total of |about )?{_AMOUNT}",
    re.IGNORECASE,
)
_LIMIT_AFTER = Pattern(
    rf"\b{_AMOUNT}(?: of (?:it|the \w+|[\w-]+))?(?: {_A_DAY})?\W*(?:(?:and )?(?:is|that's|that is|being|as)|'s)\W+"
    r"(?:(?:the|your) (?:\w+ )?(?:limit|ceiling|max(?:imum)?|most|top|cap)\b|as (?:much|high|far) as you)",
    re.IGNORECASE,
)
_IN_ALL = Pattern(rf"\b{_AMOUNT}(?: of (?:it|the \w+|[\w-]+))? {_A_DAY}\b", re.IGNORECASE)
"""So much in a day: no limit by itself, but it may be over one."""


def read_cautions(known: GroundedFact, bag: Bag, share: float) -> Iterator[tuple[str, bool, str]]:
    """Read what a sentence about a drug states of its precautions.

    Args:
        known: The drug.
        bag: The sentence.
        share: Of a precaution's meaning, to state it.

    Yields:
        Item id, whether it agrees with the plan, and what was said if not.
    """
    fact = known.fact
    if not isinstance(fact, Medication) or fact.change == "stopped":
        return
    # "Take naproxen with food" does not allow the other kinds of its class.
    # Nor does "to block the salt hormone" allow salt.
    phrases = [phrase_of(wording) for wording in (fact.text, *fact.lay, fact.purpose or "")]
    own = {word for phrase in phrases for word, _ in phrase.weights}
    named = kinds_of(fact.purpose or "") | {
        known.concept,
        *known.broader,
        *(concept for phrase in phrases for concept, _ in phrase.concepts),
    }
    others = bag._replace(stems=bag.stems - own, concepts=bag.concepts - named)
    for number, precaution in enumerate(fact.precautions, 1):
        item = f"{fact.id}.precaution{number}"
        fitting = max((phrase_of(part) for part in precaution.split(";")), key=lambda p: coverage(p, bag))
        if limit := _limit_in(precaution):
            if said := _limit_in(bag.text):
                yield item, said <= limit, f"{OVER} {said:g}" if said > limit else ""
                continue
            if (said := _milligrams(_IN_ALL.search(bag.text.lower()))) and said > limit:
                yield item, False, f"{OVER} {said:g}"
                continue
            if fitting.numbers:
                continue  # a dose is not its ceiling
        if _SENDS.search(precaution) and puts_off(bag.text) and not _SENDS.search(bag.text):
            yield item, False, "put off"
        elif not fitting.negative and _waives_duty(precaution, bag):
            yield item, False, WAIVED_DUTY
        elif fitting.negative and opposed(fitting, bag):
            if defied(fitting, others) or (coverage(fitting, others) >= _AGAINST and _PERMITS.search(bag.text)):
                yield item, False, "the opposite"
        elif (
            coverage(fitting, bag) >= share
            or _stops_in_that_case(precaution, bag)
            or _holds_a_part(precaution, bag)
            or (_FEELS.search(bag.text) and any(coverage(e, bag) >= _WARNS_OF for e in _effects(precaution)))
        ):
            yield item, True, ""


def _waives_duty(precaution: str, bag: Bag) -> bool:
    """True for "no need for condoms" against "use condoms too": the thing to be used is named, and not needed."""
    waived = _UNNEEDED.search(bag.text)
    duty = _USES.search(precaution)
    if waived is None or duty is None or _KEPT.search(bag.text[: waived.start()]):
        return False
    named = {word for word, _ in phrase_of(duty[1]).weights} - LIGHT
    return bool(named) and named <= bag.stems


def _stops_in_that_case(precaution: str, bag: Bag) -> bool:
    """True for "if the stools go loose you leave it", of a drug to be stopped then."""
    case = _STOPS_IF.search(precaution)
    if case is None or not (_LEAVES.search(bag.text) and _CASE.search(bag.text)):
        return False
    return coverage(phrase_of(case[1]), bag) >= _AGAINST


def _holds_a_part(precaution: str, bag: Bag) -> bool:
    """True for one of the orders that a precaution joins: "on an empty stomach, 4 hours apart from calcium"."""
    parts = precaution.split(", ")
    phrases = [phrase_of(part) for part in parts] if len(parts) == 2 else []
    return any(
        not p.negative and sum(word not in LIGHT for word, _ in p.weights) >= 2 and coverage(p, bag) >= _WARNS_OF
        for p in phrases
    )


@lru_cache(maxsize=4096)
def ceiling_of(fact: Medication) -> float | None:
    """Return the most of a drug that its precautions allow in a day, in milligrams or in its own unit."""
    return next((limit for precaution in fact.precautions if (limit := _limit_in(precaution))), None)


def _limit_in(text: str) -> float | None:
    """Return the most that a text allows of a drug, in milligrams or in its own unit."""
    return _milligrams(_LIMIT.search(text.lower()) or _LIMIT_AFTER.search(text.lower()))


def _milligrams(limit: re.Match[str] | None) -> float | None:
    if limit is None:
        return None
    if limit[1].isdigit():
        return float(limit[1])  # "no more than 3000": of milligrams, as nobody counts so many of anything else
    quantities = find_quantities(limit[1])
    doses = [q.value for q in quantities if q.kind == "dose"]
    return float(doses[0].split()[0]) if doses and "-" not in doses[0] else None


@lru_cache(maxsize=8192)
def _effects(precaution: str) -> tuple[Phrase, ...]:
    """Return the single effects that a precaution lists; each is a side effect by itself."""
    found = []
    for part in precaution.split(";"):
        if lead := _EFFECTS.match(part):
            found += re.split(r",? (?:and|or) |, ", part[lead.end() :].rstrip("."))
    phrases = [phrase_of(text) for text in found]
    return tuple(phrase for phrase in phrases if any(word not in LIGHT for word, _ in phrase.weights))


def plan_says_stop(fact: Medication, bag: Bag) -> bool:
    """True when the plan itself tells to stop or hold a drug in such a case: "stop it if your stools turn loose"."""
    own = [part for precaution in fact.precautions for part in precaution.split(";")]
    if any(_HOLDS.search(part) and coverage(phrase_of(part), bag) >= VERBATIM for part in own):
        return True
    cases = [found[1] for precaution in fact.precautions if (found := _STOPS_IF.search(precaution))]
    return bool(_CASE.search(bag.text)) and any(coverage(phrase_of(case), bag) >= _SAME_CASE for case in cases)
