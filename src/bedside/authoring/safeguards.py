"""What must stand beside a drug (a strength, a limit that the dose keeps, an antidote, a rescue) or an operation.

A second reading of the open set found these faults, none of which shows in a drug, a disease or a pair alone.
"""

import re
from collections.abc import Iterator

from bedside.authoring.finding import Finding
from bedside.authoring.prescribing import Drug, amounts_of, drugs_taken, times_a_day
from bedside.cases.case import Case
from bedside.cases.fact import Instruction, Medication, Procedure, ReturnSign
from bedside.cases.formulary import formulary
from bedside.verifier.language.quantities import canonical_route, digits

__all__ = ["safeguards"]

_LIMIT = re.compile(r"\b(?:more than|at most|up to) ([\d.]+) ?(mg|g|grams?)\b[^.;]*?\b(?:day|24 hours)\b")
_WHOLE_UNITS = {"pills", "patches"}
_STRENGTH = re.compile(
    r"\d(?:\.\d+)?(?:[-/]\d+(?:\.\d+)?)+|\d ?(?:mg|mcg)\b|\b(?:double|single)[ -]strength\b|\b(?:DS|SS)\b", re.IGNORECASE
)
_NEAR = 48
_MORPHINE = {
    "acetaminophen-codeine": 0.15, "codeine": 0.15, "hydrocodone-acetaminophen": 1.0, "hydromorphone": 5.0,
    "methadone": 4.7, "morphine": 1.0, "oxycodone": 1.5, "oxycodone-acetaminophen": 1.5, "oxymorphone": 3.0,
    "tapentadol": 0.4, "tramadol": 0.2,
}  # fmt: skip
"""Milligrams of morphine by mouth in one milligram (CDC guideline for prescribing opioids, 2022, table)."""
_MUCH_MORPHINE = 50.0
"""Milligrams of morphine a day from which naloxone is offered (the same guideline, recommendation 8)."""
_MARGIN = 1.001
_OPERATION = re.compile(
    r"\b(?:surgery|surgical|operations?|fixation|nailing|replacement|grafts?|decompression|repair|extraction|drainage"
    r"|bypass|cesarean|resection|dissection|shunt|transplant|laparoscop\w+|removal of|\w{4,}ectomy|craniotomy)\b",
    re.IGNORECASE,
)
_INFECTION = re.compile(r"\b(?:fever|temperature|chills|pus|infect\w+|redness)\b", re.IGNORECASE)


def safeguards(case: Case) -> Iterator[Finding]:
    """Check what the drugs and operations of a plan need beside them.

    Args:
        case: A case with a plan.

    Yields:
        Doses above the daily limit that their own precautions tell, tablets whose strength neither plan nor note
        says, much opioid without naloxone, adrenal hormone without an emergency injection, and operations after which
        no return sign tells of infection.
    """
    drugs = drugs_taken(case)
    for drug in drugs:
        yield from _limit(drug.fact)
        yield from _strength(drug, case.note)
    yield from _naloxone(drugs, case)
    yield from _rescue(drugs, case)
    yield from _infection(case)


def _limit(fact: Medication) -> Iterator[Finding]:
    given = [amount for amount, unit in amounts_of((fact.dose or "").lower()) if unit == "mg"]
    times = times_a_day(fact.frequency or "")
    for position, precaution in enumerate(fact.precautions, 1):
        told = _LIMIT.search(digits(precaution.lower().replace(",", "")))
        if not (told and given and times):
            continue
        limit = float(told[1]) * (1 if told[2] == "mg" else 1000)
        if max(given) * max(times, 1.0) > limit * _MARGIN:
            total = f"{max(given) * max(times, 1.0):g} mg a day"
            yield Finding(f"plan.{fact.id}.dose", f"{total}, but precaution {position} says {precaution!r}")


def _strength(drug: Drug, note: str) -> Iterator[Finding]:
    """Find tablets of a drug that is sold in several strengths; of vitamins none is dangerous."""
    fact = drug.fact
    units = {unit for _, unit in amounts_of((fact.dose or "").lower())}
    regimens = formulary().regimens.get(drug.name, ())
    several = any(
        one.unit in ("mg", "mcg") and one.low < one.high
        for regimen in regimens
        if canonical_route(regimen.route) == canonical_route(fact.route or "")
        for one in regimen.doses
    )
    if not note or not several or not units or not units <= _WHOLE_UNITS or "class:vitamin" in drug.names:
        return
    for name in re.finditer(re.escape(fact.text), note, re.IGNORECASE):
        if _STRENGTH.search(note, max(name.start() - _NEAR, 0), name.end() + _NEAR):
            return
    yield Finding(f"plan.{fact.id}.dose", f"{fact.text} comes in several strengths: the note does not say which")


def _naloxone(drugs: list[Drug], case: Case) -> Iterator[Finding]:
    morphine = 0.0
    for drug in drugs:
        amounts = [amount for amount, unit in amounts_of((drug.fact.dose or "").lower()) if unit == "mg"]
        if drug.name in _MORPHINE and amounts:
            times = max(times_a_day(drug.fact.frequency or "") or 1.0, 1.0)
            morphine += min(amounts) * times * _MORPHINE[drug.name]
    if morphine >= _MUCH_MORPHINE and not _told(case, drugs, "naloxone"):
        yield Finding("plan", f"opioids like {morphine:g} mg of morphine a day: add naloxone")


def _rescue(drugs: list[Drug], case: Case) -> Iterator[Finding]:
    """Find hydrocortisone by mouth, which is given at home to replace cortisol, without an injection for a crisis."""
    routes = {canonical_route(drug.fact.route or "") for drug in drugs if drug.name == "hydrocortisone"}
    if routes == {canonical_route("by mouth")} and not _told(case, drugs, "injection"):
        yield Finding("plan", "hydrocortisone replaces cortisol: add an emergency injection for vomiting or collapse")


def _infection(case: Case) -> Iterator[Finding]:
    signs = [fact for fact in case.plan if isinstance(fact, ReturnSign)]
    if any(_INFECTION.search(text) for sign in signs for text in (sign.text, *sign.lay)):
        return
    for fact in case.plan:
        if isinstance(fact, Procedure) and _OPERATION.search(fact.text):
            yield Finding(f"plan.{fact.id}", "no return sign tells of infection after it: add a fever or pus")
            return


def _told(case: Case, drugs: list[Drug], word: str) -> bool:
    """Say whether a plan speaks of a thing, as a drug or in an instruction."""
    texts = (fact.text for fact in case.plan if isinstance(fact, Instruction))
    return any(drug.name == word for drug in drugs) or any(word in text.lower() for text in texts)
