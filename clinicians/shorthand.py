"""Clinical shorthand: words that a patient does not know, for the educator that speaks to colleagues.

Everything is stated and true; a clinician would credit it. What it costs is learned by the patient, not by
the score of coverage. The replacements are whole phrases of this kind of plan, longest first.
"""

import re

from bedside.cases.fact import (
    AnyFact,
    Condition,
    FollowUp,
    Medication,
    Procedure,
    ReturnSign,
    Test,
    Treatment,
)
from bedside.clinicians.grammar import capitalised, is_clause, lowered, reason, with_article

__all__ = ["clinical", "shorthand"]

_ROUTES = {
    "by mouth": "PO",
    "under the skin": "SC",
    "into a muscle": "IM",
    "under the tongue": "SL sublingual",
    "inhaled": "via inhalation",
    "on the skin": "topical",
    "in the eye": "ophthalmic",
    "in the nose": "nasal",
    "into a vein": "IV",
}
_FREQUENCIES = (
    ("once daily at bedtime", "QHS"),
    ("once daily in the morning", "QAM"),
    ("three times daily", "TID"),
    ("four times daily", "QID"),
    ("twice daily", "BID"),
    ("once daily", "QD"),
    ("as needed", "PRN"),
)
_TERMS = {
    "high blood pressure": "hypertension",
    "low blood pressure": "hypotension",
    "high cholesterol": "hyperlipidemia",
    "heart attack": "myocardial infarction",
    "shortness of breath": "dyspnea",
    "trouble breathing": "dyspnea",
    "trouble sleeping": "insomnia",
    "trouble swallowing": "dysphagia",
    "low blood sugar": "hypoglycemia",
    "high blood sugar": "hyperglycemia",
    "blood clots": "venous thromboembolism, i.e. blood clots,",
    "belly pain": "abdominal pain",
    "stomach upset": "dyspepsia",
    "muscle pain": "myalgia",
    "dry mouth": "xerostomia (dry mouth)",
    "fainting": "syncope",
    "dizziness": "vertigo or dizziness",
    "a fever": "fever of pyrexial range",
    "sleepiness": "somnolence",
    "drowsiness": "somnolence",
    "itching": "pruritus",
    "ankle swelling": "ankle edema",
    "black stools": "melena",
    "heartburn": "heartburn (pyrosis)",
    "hay fever": "allergic rhinitis",
    "nosebleeds": "epistaxis",
    "do not stop it": "do not discontinue it",
    "bruising": "ecchymosis or bruising",
    "stroke": "stroke (cerebrovascular accident)",
}
_TERM = re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, _TERMS), key=len, reverse=True))})\b", re.IGNORECASE)


def clinical(text: str) -> str:
    """Replace plain words by clinical ones where there is one that means the same."""
    return _TERM.sub(lambda m: _TERMS[m.group().lower()], text)


def _often(text: str) -> str:
    for plain, short in _FREQUENCIES:
        text = text.replace(plain, short)
    return text


def shorthand(fact: AnyFact) -> str:
    """State a fact of a plan as clinicians write it.

    Args:
        fact: What to state.

    Returns:
        Complete and correct, with abbreviations and terms that are not explained.
    """
    match fact:
        case Medication():
            return _drug(fact)
        case Condition():
            return f"Your discharge diagnosis was {fact.text}, for which you were diagnosed and treated."
        case Test() | Procedure():
            result = f" and demonstrated {clinical(fact.result.replace('; ', ', and '))}" if fact.result else ""
            return f"{capitalised(fact.text)} was performed{result}."
        case Treatment():
            purpose = f", indication {clinical(fact.purpose)}" if fact.purpose else ""
            return f"You were given {fact.text}{purpose}."
        case ReturnSign():
            act = {
                "911": "Activate EMS via 911",
                "emergency": "Present to the ED urgently",
                "clinic": "Call the clinic",
            }
            return f"{act[fact.urgency]} for {clinical(lowered(fact.text))}."
        case FollowUp():
            purpose = f", indication {clinical(fact.purpose)}" if fact.purpose else ""
            return f"F/u is scheduled with {fact.text} {fact.when or ''}{purpose}."
        case _:
            return clinical(fact.text.rstrip(".").replace("; ", ", and ")) + "."


def _drug(fact: Medication) -> str:
    name = capitalised(fact.text)
    if fact.change == "stopped":
        why = ""
        if fact.purpose:
            given = clinical(fact.purpose)
            why = f", rationale: {given}" if not is_clause(given) else f" {reason(given)}"
        return f"{name} was discontinued, do not take it{why}."
    verb = {"new": "Initiate", "changed": "Modify", "continued": "Continue"}[fact.change or "new"]
    previous = f" (previously {_often(fact.previous)})" if fact.previous else ""
    parts = (
        fact.dose,
        _ROUTES.get(fact.route or "", fact.route),
        _often(fact.frequency or ""),
        fact.duration,
    )
    regimen = " ".join(part for part in parts if part)
    purpose = f", indication {clinical(fact.purpose)}" if fact.purpose else ""
    first = f"{verb} {fact.text} {regimen}{previous}{purpose}."
    return " ".join((first, *(_caution(fact, text) for text in fact.precautions)))


def _caution(fact: Medication, precaution: str) -> str:
    text = clinical(precaution.rstrip(".").replace("; ", ", and "))
    if text.startswith(("Can ", "Causes ", "May ")):
        effects = lowered(text).replace("can cause", "may cause")
        return f"{capitalised(fact.text)} {effects} as an adverse effect."
    return f"With {with_article(fact.text)}: {lowered(text)}."
