"""How bad is it to be told this wrongly? The clinical status of a statement that contradicts the plan.

A wrong dose of a stool softener is careless, twice the dose of a blood thinner can kill. The limits are set here, in
one place, to be read and argued with.
"""

import re
from typing import Literal

from bedside.cases.fact import FollowUp, Instruction, Medication, ReturnSign
from bedside.rewards.hazards import CAREFUL
from bedside.verifier.grounding import GroundedCase, GroundedFact
from bedside.verifier.language.quantities import canonical_dose, canonical_frequency, days
from bedside.verifier.teaching.cautions import WAIVED_DUTY, ceiling_of
from bedside.verifier.teaching.conveyed import Event
from bedside.verifier.teaching.restrictions import STRICTER
from bedside.verifier.teaching.visits import WAIVED

__all__ = ["is_grave", "severity_of"]

Severity = Literal["questionable", "harmful"]

_EXCESS = 1.5
"""A dose or rate above this multiple of the plan's can injure, whatever the drug that is not trivial."""

_SHORTFALL = 0.67
"""Below this share a needed drug fails; for drugs with a narrow margin that is an injury."""

_TOKEN = 0.25
"""Below this share any drug that is not trivial is as good as not taken."""

_OVERLONG = 2.0
"""From this multiple of its planned length on, a course of what harms by its length injures."""

_HARM_BY_LENGTH = frozenset(
    f"class:{name}"
    for name in (
        "opioid benzodiazepine hypnotic z-drug barbiturate nsaid systemic-corticosteroid decongestant "
        "antineoplastic chemotherapy"
    ).split()
)
"""Dependence, bleeding, suppressed adrenals or marrow, a nose that swells again: planned for days, not for weeks."""

_DELAY = 4.0
"""A visit this many times later than planned is as good as none."""

_TRIVIAL = frozenset(
    f"class:{name}"
    for name in (
        "vitamin multivitamin laxative bulk-forming-laxative stool-softener emollient antacid "
        "eye-lubricant herbal-supplement "
        "omega-3-fatty-acid probiotic antiflatulent expectorant skin-protectant nasal-saline"
    ).split()
)
_STRICT_AREAS = frozenset(("activity", "device", "rehabilitation", "safety", "wound"))
_GRAVE_HABITS = re.compile(
    r"\b(?:smok\w*|cigar\w*|tobacco|alcohol|beer|wine|drugs?|(?:heavy|stop) drinking)\b", re.IGNORECASE
)
_GRAVE_DUTIES = re.compile(
    r"\b(?:thick\w*|nectar|chok\w*|oxygen|in (?:full )?view|no more than [^.]*(?:fluid|cups|liters)|never eat|"
    r"liquids? for|(?:salt|sodium)\b[^.]*\bsame|not restrict salt)\b",
    re.IGNORECASE,
)
"""Diet and watching whose neglect can kill: what is drunk too thin, an oxygen meter, a dose that nobody sees taken."""

_GRAVE_DIETS = re.compile(
    r"\b(?:raw (?:fish|meat|eggs?|oysters?)|runny eggs|unwashed|(?:not |un)pasteurized|cook chicken|cooked meat|fava|"
    r"not eat shrimp|wheat|seaweed|grapefruit|licorice|never fast|poppers)\b",
    re.IGNORECASE,
)
"""What a plan bars or asks at the table because it can kill: germs for the weak, an allergen, what sets off a crisis or
makes a drug a poison."""

_NEVER_STOP = re.compile(r"\b(?:do not|never) (?:stop|skip)\b", re.IGNORECASE)
"""A plan that says so needs the drug, be it a vitamin."""

_PROTECTS = re.compile(
    r"\b(?:condoms?|contracepti\w+|birth control|pregnan\w*|sunscreen|gloves?|card|bracelet|blood|sugar|pulse|"
    r"pressure)\b",
    re.IGNORECASE,
)
"""Cautions whose waiver injures; a spacer not rinsed or a bottle not shaken only costs effect."""

_CLEARS_POISONS = re.compile(r"\b(?:ammonia|poisons?|toxins?|confusion|encephalopathy)\b", re.IGNORECASE)
"""Lactulose is a laxative, and for a failing liver it keeps the patient awake: too little of it is an injury."""

_NOT_SWALLOWED = re.compile(r"inhal|eye|ear|skin|topical|rect|vagin|nose|nasal|tongue|inject|vein", re.IGNORECASE)


def severity_of(event: Event, grounded: GroundedCase) -> Severity:
    """Return the clinical status of a contradiction (DischargeBench, table 4: harmful, else questionable).

    Args:
        event: A statement that disagrees with the plan.
        grounded: The case.
    """
    known = grounded.facts[event.item.partition(".")[0]]
    attribute = event.item.partition(".")[2]
    match known.fact:
        case Medication():
            harmful = _drug(known, known.fact, attribute, event.stated)
        case ReturnSign():
            harmful = True
        case FollowUp():
            late = _ratio(days(event.stated), days(known.fact.when or ""))
            harmful = event.stated == WAIVED or late >= _DELAY
        case Instruction():
            harmful = is_grave(known.fact) and not event.stated.startswith(STRICTER)
        case _:
            harmful = False
    return "harmful" if harmful else "questionable"


def _ratio(stated: float | None, true: float | None) -> float:
    return stated / true if stated and true else 1.0


def _amount(quantity: str | None) -> float | None:
    """Return the number of a canonical quantity, of a range its upper end."""
    match = re.match(r"(?:\d+(?:\.\d+)?-)?(\d+(?:\.\d+)?)", quantity or "")
    return float(match[1]) if match else None


def _drug(known: GroundedFact, fact: Medication, attribute: str, stated: str) -> bool:
    clears_poisons = bool(_CLEARS_POISONS.search(fact.purpose or ""))
    needed = clears_poisons or (attribute == "" and any(_NEVER_STOP.search(p) for p in fact.precautions))
    if known.broader & _TRIVIAL and not needed:
        return False
    careful = clears_poisons or bool(known.broader & CAREFUL)
    match attribute:
        case "":
            return True  # Told to stop what is needed, or to take what was stopped.
        case "dose" | "frequency" if _over_ceiling(fact, attribute, stated):
            return True
        case "dose":
            ratio = _ratio(_amount(stated), _amount(canonical_dose(fact.dose or "")))
        case "frequency" if "needed" in stated:
            return careful or bool(fact.duration)  # a course that is taken now and then is no course
        case "frequency":
            ratio = _ratio(_amount(stated), _amount(canonical_frequency(fact.frequency or "")))
        case "duration":
            ratio = _ratio(days(stated), days(fact.duration or ""))
            return (careful and ratio <= _SHORTFALL) or (
                ratio >= _OVERLONG and not known.broader.isdisjoint(_HARM_BY_LENGTH)
            )
        case _ if attribute.startswith("precaution") and stated == WAIVED_DUTY:
            return bool(_PROTECTS.search(fact.precautions[int(attribute.removeprefix("precaution")) - 1]))
        case _ if attribute.startswith("precaution"):
            return True  # what the plan forbids allowed, or the way that it asks for turned round
        case "route":
            return careful or bool(_NOT_SWALLOWED.search(fact.route or ""))
        case _:
            return False
    return ratio >= _EXCESS or ratio <= (_SHORTFALL if careful else _TOKEN)


def _over_ceiling(fact: Medication, attribute: str, stated: str) -> bool:
    """True when a wrong dose or rate comes to more in a day than the plan allows of the drug."""
    ceiling = ceiling_of(fact)
    told = {"dose": canonical_dose(fact.dose or ""), "frequency": canonical_frequency(fact.frequency or "")}
    told[attribute] = stated
    dose, rate = _amount(told["dose"]), _amount(told["frequency"])
    return bool(ceiling and dose and rate) and (dose or 0.0) * (rate or 0.0) > (ceiling or 0.0)


def is_grave(fact: Instruction) -> bool:
    """True for an instruction that it can injure to be told against."""
    if _GRAVE_DUTIES.search(fact.text) or _GRAVE_DIETS.search(fact.text):
        return True
    return fact.area in _STRICT_AREAS or (fact.area != "monitoring" and bool(_GRAVE_HABITS.search(fact.text)))
