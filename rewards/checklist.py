"""Accuracy of the discharge checklist, field by field (the "AHRQ ACC" of DischargeSim, table 1).

A field is right as far as its lines state what the plan holds there. Blanks cost, contradictions cost, and so do drugs
that nobody prescribed; other additions that do not contradict the plan are let pass.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bedside.cases.case import Case
from bedside.cases.fact import AnyFact, Condition, FollowUp, Instruction, Medication, ReturnSign
from bedside.envs.checklist import Checklist, MedicineEntry, forbids, periods_of, read_checklist, section_of
from bedside.rewards.recall import hear_answer
from bedside.rewards.score import Score
from bedside.verifier.grounding import GroundedCase, ground, mentions_in
from bedside.verifier.teaching.conveyed import read_teaching

__all__ = ["FIELDS", "applicable_fields", "score_checklist"]

MEDICINE_FIELDS = ("medicine_name", "medicine_dose", "medicine_reason", "medicine_how", "medicine_time")
FIELDS = (
    "diagnosis",
    "treatments",
    *MEDICINE_FIELDS,
    "exercises",
    "activities_to_avoid",
    "food",
    "food_to_avoid",
    "after_discharge",
    "return_signs",
    "follow_up",
)
"""What is scored; every field that applies counts the same."""

_SECTIONS = ("exercises", "activities_to_avoid", "food", "food_to_avoid")
_AVOIDED = ("activities_to_avoid", "food_to_avoid")
_ASKED_AS = dict.fromkeys((*_SECTIONS, "after_discharge"), "post_discharge")
"""Fields whose lines are read as answers to another field's question; the rest have their own."""


class _Listed(NamedTuple):
    """One entry of the medicines: where it stands, which drug it names, and what it states rightly or wrongly."""

    period: str
    drug: str
    right: frozenset[str]
    wrong: frozenset[str]


def score_checklist(text: str | None, case: Case) -> Score:
    """Score a checklist against the plan (DischargeSim, section 2.3 and table 1).

    Args:
        text: What the clinician handed in; None if nothing was.
        case: Whose plan it should tell.

    Returns:
        Mean accuracy of the fields that apply to the case, from 0 to 1; parts hold each of :data:`FIELDS`. Unscored if
        it is not JSON of the published form.
    """
    if text is None:
        return Score(value=None, reason="no checklist was handed in")
    if not case.plan:
        return Score(value=None, reason="the case has no discharge plan")
    try:
        checklist = read_checklist(text)
    except ValueError as error:
        return Score(value=None, reason=f"the checklist could not be read: {error}")
    grounded = ground(case, "discharge")
    found = {**_lists(checklist, grounded), **_medicines(checklist, grounded)}
    applicable = applicable_fields(case)
    parts: dict[str, float | None] = {name: found[name] if name in applicable else None for name in FIELDS}
    return Score(value=sum(found[name] for name in applicable) / len(applicable), parts=parts)


def applicable_fields(case: Case) -> tuple[str, ...]:
    """Return the fields that a case's plan has something for."""
    return tuple(name for name in FIELDS if _drugs_with(name, case) or _expected(name, case))


def _expected(field: str, case: Case) -> Sequence[AnyFact]:
    plan = case.plan
    match field:
        case "diagnosis":
            return [fact for fact in plan if isinstance(fact, Condition)][:1]
        case "treatments":
            return [fact for fact in plan if fact.kind in ("procedure", "treatment", "test")]
        case "after_discharge":
            return [fact for fact in plan if isinstance(fact, Instruction)]
        case "return_signs":
            return [fact for fact in plan if isinstance(fact, ReturnSign)]
        case "follow_up":
            return [fact for fact in plan if isinstance(fact, FollowUp)]
        case _:
            return [fact for fact in plan if isinstance(fact, Instruction) and section_of(fact.text) == field]


def _lists(checklist: Checklist, grounded: GroundedCase) -> dict[str, float]:
    found = {}
    for field in FIELDS:
        if field in MEDICINE_FIELDS:
            continue
        lines = _lines(checklist, field)
        if field == "after_discharge":
            # What already stands in its own list need not be written twice.
            lines += [line for section in _SECTIONS for line in _lines(checklist, section)]
        heard = hear_answer(_ASKED_AS.get(field, field), "\n".join(lines), grounded)
        expected = _expected(field, grounded.case)
        right = sum(fact.id in heard.right and not _spoilt(fact, heard.wrong) for fact in expected)
        found[field] = right / len(expected) if expected else 0.0
    return found


def _lines(checklist: Checklist, field: str) -> list[str]:
    """Return the lines of a field as statements: in a list of what to avoid, "driving" means not to drive."""
    lines = [checklist.diagnosis] if field == "diagnosis" else list(getattr(checklist, field))
    if field in _AVOIDED:
        return [line if forbids(line) or not line else f"Avoid {line[0].lower()}{line[1:]}" for line in lines]
    return lines


def _spoilt(fact: AnyFact, wrong: Iterable[str]) -> bool:
    return any(item.partition(".")[0] == fact.id for item in wrong)


def _drugs_with(field: str, case: Case) -> list[Medication]:
    """Return the drugs to be taken for which the plan says what a field of the medicines asks."""
    drugs = [fact for fact in case.plan if isinstance(fact, Medication) and fact.change != "stopped"]
    match field:
        case "medicine_name":
            return drugs
        case "medicine_dose":
            return [drug for drug in drugs if drug.dose]
        case "medicine_reason":
            return [drug for drug in drugs if drug.purpose]
        case "medicine_how":
            return [drug for drug in drugs if drug.route or drug.precautions]
        case "medicine_time":
            return [drug for drug in drugs if drug.frequency]
        case _:
            return []


def _medicines(checklist: Checklist, grounded: GroundedCase) -> dict[str, float]:
    listed = [_read(period, entry, grounded) for period, entry in checklist.medicines.entries()]
    # One that the plan does not have, or has stopped, is worse than a gap: it counts like a drug that is wrong.
    active = {drug.id for drug in _drugs_with("medicine_name", grounded.case)}
    strange = len({entry.drug for entry in listed} - active)
    found = {}
    for field in MEDICINE_FIELDS:
        drugs = _drugs_with(field, grounded.case)
        right = sum(_told(field, drug, [e for e in listed if e.drug == drug.id]) for drug in drugs)
        expected = len(drugs) + (strange if field == "medicine_name" else 0)
        found[field] = right / expected if expected else 0.0
    return found


def _read(period: str, entry: MedicineEntry, grounded: GroundedCase) -> _Listed:
    name = entry.name.strip().rstrip(".")
    told = f"Take {name} {entry.dose} {entry.how_to_take.strip().rstrip('.')}."
    told += f"\n{name} is for {entry.reason.rstrip('.')}." if entry.reason else ""
    reading = read_teaching(told, grounded)
    drug = _drug_named(name, grounded)
    drug = drug or next((event.item.partition(".")[0] for event in reading.events if event.right), f"unknown {name}")
    return _Listed(period, drug, frozenset(reading.conveyed), frozenset(reading.contradicted))


def _drug_named(name: str, grounded: GroundedCase) -> str:
    """Return the id of the plan's drug of that name; of two forms of one drug the one that is called so."""
    concepts = mentions_in(grounded.lexicon, name)
    meant = [known.fact for known in grounded.plan if isinstance(known.fact, Medication) and known.concept in concepts]
    exact = [fact for fact in meant if name.casefold() in {w.casefold() for w in (fact.text, *fact.lay)}]
    return next((fact.id for fact in (*exact, *meant)), "")


def _told(field: str, drug: Medication, entries: list[_Listed]) -> bool:
    """True when every entry of a drug tells what a field asks, and none tells it wrongly."""
    if not entries:
        return False
    match field:
        case "medicine_name":
            return True
        case "medicine_time":
            return {entry.period for entry in entries} == set(periods_of(drug.frequency or ""))
        case "medicine_dose":
            wanted: tuple[str, ...] = (f"{drug.id}.dose",)
        case "medicine_reason":
            wanted = (f"{drug.id}.purpose",)
        case _:
            wanted = (f"{drug.id}.route", *(f"{drug.id}.precaution{n}" for n, _ in enumerate(drug.precautions, 1)))
    spoilt = any(not entry.wrong.isdisjoint(wanted) for entry in entries)
    return not spoilt and any(not entry.right.isdisjoint(wanted) for entry in entries)
