"""What a patient knows, as data for a prompt: of itself, and of its plan before anybody taught it.

Written by picking what may be seen, rather than by leaving out what may not. Ids and codes stay out: they name
illnesses.
"""

from typing import Any

from bedside.cases.case import Case
from bedside.cases.fact import AnyFact, Medication
from bedside.envs.mind import Mind

__all__ = ["known_of_plan", "record"]

_SECTIONS = {
    "symptom": "complaints",
    "condition": "illnesses",
    "medication": "medicines",
    "allergy": "allergies",
    "procedure": "operations",
    "test": "tests",
    "treatment": "treatments",
    "family": "family",
    "social": "habits_and_life",
}
_UNSEEN = {"id", "kind", "code", "aspect"}


def record(case: Case) -> dict[str, Any]:
    """Return who the patient is and what is true of them, without the diagnosis and the plan."""
    known: dict[str, Any] = {
        "you": case.demographics.model_dump(exclude_none=True),
        "you_came_for": case.chief_complaint,
    }
    for kind, section in _SECTIONS.items():
        known[section] = [_entry(fact) for fact in case.record if fact.kind == kind]
    return known


def known_of_plan(mind: Mind) -> list[dict[str, str]]:
    """Return what the patient knew of its plan before the talk (DischargeSim, section 2.2: a partly masked copy).

    A detail counts only with the thing that it belongs to: its dose would give away a drug that is not known.
    """
    return [
        {"topic": item.topic.value.replace("_", " "), item.attribute or item.fact.kind: item.value}
        | ({"of": item.fact.text} if item.attribute else {})
        for item in mind.case.plan_items.values()
        if mind.traces[item.id].floor > 0 and mind.traces[item.fact.id].floor > 0
    ]


def _entry(fact: AnyFact) -> dict[str, Any]:
    seen = fact.model_dump(mode="json", exclude_none=True, exclude=_UNSEEN)
    return {_name(fact, name): value for name, value in seen.items() if value not in ([], "")}


def _name(fact: AnyFact, field: str) -> str:
    if field == "text":
        return {"allergy": "against", "family": "illness"}.get(fact.kind, "what")
    return (
        "in_your_words" if field == "lay" else "for" if isinstance(fact, Medication) and field == "purpose" else field
    )
