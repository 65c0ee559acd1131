"""Would a strict pharmacist sign this plan: doses, diseases, pairs, allergies, and what is taught of each drug."""

import re
from collections.abc import Iterator
from itertools import combinations
from typing import Literal, NamedTuple

from bedside.authoring.finding import Finding
from bedside.cases.case import Case
from bedside.cases.fact import AnyFact, Condition, FollowUp, Instruction, Medication, ReturnSign, SocialHistory
from bedside.cases.formulary import Amount, Regimen, Subjects, formulary
from bedside.verifier.grounding import mentions_in
from bedside.verifier.language.lexicon import core
from bedside.verifier.language.quantities import canonical_frequency, canonical_route, digits, find_quantities

__all__ = ["Drug", "amounts_of", "drugs_taken", "prescribing", "times_a_day"]

_LOCAL = frozenset(("topical", "ophthalmic", "otic", "nasal", "inhaled", "vaginal"))
_SYSTEMIC_UNITS = ("mg", "mcg", "patches", "units")
_UNITS = {
    "tablet": "pills", "tablets": "pills", "capsule": "pills", "capsules": "pills", "liters": "l", "patch": "patches",
    "puff": "puffs", "drop": "drops", "spray": "sprays", "packet": "packets", "suppository": "suppositories",
}  # fmt: skip
_SCALE = {"mcg": ("mg", 0.001), "g": ("mg", 1000.0)}
_LAYER = re.compile(r"\b(?:thin|light|small|pea-sized|layer|film|ribbon|apply|application|amount|coat|inch)\b")
_PER_DAY = re.compile(r"(\d+(?:\.\d+)?)(?:-\d+(?:\.\d+)?)?/day")
_APPLIED = ("application", "%")
_MARGIN = 1.001
_FREQUENCY_MARGIN = 1.35
"""Every 4 hours is six times a day or, awake, four; weekly is 0.143."""
_CLEARANCE = re.compile(r"\b(?:e?GFR|CrCl|creatinine clearance)[^\d\n<>]{0,12}(?:<\s*)?(\d+)", re.IGNORECASE)
_PREVENTIVE = re.compile(r"(?:preventing|protecting|avoiding|birth control|contraception)\b", re.IGNORECASE)
_PREGNANT = re.compile(r"\b(?:is |now |currently )?\d+ weeks pregnant\b|\b(?:is|currently) pregnant\b", re.IGNORECASE)
_BREASTFEEDING = re.compile(r"\b(?:is|are|currently) (?:breast-?feeding|nursing)\b|^breast-?feeds\b", re.IGNORECASE)


class Drug(NamedTuple):
    """A drug of the plan with all that the tables may call it."""

    fact: Medication
    name: str
    names: frozenset[str]
    local: bool


def prescribing(case: Case) -> Iterator[Finding]:
    """Check the medicines of a plan against the formulary.

    Args:
        case: A case with a plan.

    Yields:
        Doses and frequencies out of the usual adult range, diseases and pairs to avoid, allergies not respected,
        dangers in pregnancy and while breastfeeding, and new drugs whose main danger is not taught.
    """
    drugs = drugs_taken(case)
    known = formulary()
    for drug in drugs:
        yield from _regimen(drug, known.regimens.get(drug.name, ()))
        yield from _life(drug, case, known.regimens.get(drug.name, ()))
    yield from _diseases(drugs, case)
    yield from _pairs(drugs)
    yield from _allergies(drugs, case)
    yield from _lessons(drugs, case)
    yield from _reasons(drugs, case)


def drugs_taken(case: Case) -> list[Drug]:
    """Return the drugs that the plan tells the patient to take, as far as the lexicon knows them."""
    taken = (fact for fact in case.plan if isinstance(fact, Medication) and fact.change != "stopped")
    return [drug for fact in taken for drug in _named(fact)]


def _named(fact: Medication) -> Iterator[Drug]:
    lexicon = core()
    concepts = [c for c in lexicon.named(fact.text) if lexicon[c].kind == "medication"]
    concepts = concepts or [c for c in mentions_in(lexicon, fact.text) if lexicon[c].kind == "medication"]
    if concepts:
        name = lexicon[concepts[0]].name
        yield Drug(fact, name, lexicon.ancestors(concepts[0]) | {name}, _is_local(fact))


def _is_local(fact: Medication) -> bool:
    units = {quantity.value.split()[-1] for quantity in find_quantities((fact.dose or "").lower())}
    return canonical_route(fact.route or "") in _LOCAL and units.isdisjoint(_SYSTEMIC_UNITS)


def _regimen(drug: Drug, regimens: tuple[Regimen, ...]) -> Iterator[Finding]:
    field = f"plan.{drug.fact.id}"
    if not regimens:
        yield Finding(f"{field}.dose", f"no usual regimen of {drug.name} is known; check the dose by hand", "caution")
        return
    route = canonical_route(drug.fact.route or "")
    fitting = [regimen for regimen in regimens if canonical_route(regimen.route) == route]
    if not fitting:
        usual = " or ".join(sorted({regimen.route for regimen in regimens}))
        yield Finding(f"{field}.route", f"{drug.name} is usually taken {usual}, not {drug.fact.route}")
        return
    misfits = [misfit for regimen in fitting if (misfit := _misfit(drug.fact, regimen))]
    if len(misfits) == len(fitting):
        yield misfits[0]


def _misfit(fact: Medication, regimen: Regimen) -> Finding | None:
    """Say how a prescription departs from one regimen; None if it does not."""
    field = f"plan.{fact.id}"
    unusual = Finding(f"{field}.dose", f"{fact.dose!r} of {fact.text}: usual is {_shown(regimen.doses)}")
    amounts = amounts_of((fact.dose or "").lower())
    usual = {unit: limits for one in regimen.doses for unit, limits in (_scaled(one),)}
    given = {unit: [n for n, of in amounts if of == unit] for unit in usual}
    given = {unit: values for unit, values in given.items() if values}
    if not given:
        layer = _LAYER.search((fact.dose or "").lower()) and any(one.unit in _APPLIED for one in regimen.doses)
        return None if layer else unusual
    # "5 mg-325 mg" of a combination names the other drug too; of one drug, "2 tablets of 5 mg", the total counts.
    chosen = {unit: min(values) if "-" in regimen.drug else max(values) for unit, values in given.items()}
    for unit, amount in chosen.items():
        low, high = usual[unit]
        if not low / _MARGIN <= amount <= high * _MARGIN:
            return unusual
    times = times_a_day(fact.frequency or "")
    if times is None:
        return None
    fewest, most = regimen.times_a_day
    as_needed = "as needed" in (fact.frequency or "")
    if times > most * _FREQUENCY_MARGIN or (times < fewest / _FREQUENCY_MARGIN and not as_needed):
        shown = f"{fewest:g}" if fewest == most else f"{fewest:g} to {most:g}"
        return Finding(f"{field}.frequency", f"{fact.frequency} is unusual for {fact.text}: {shown} times a day")
    for one in regimen.most_a_day:
        unit, (_, most_a_day) = _scaled(one)
        total = chosen.get(unit, 0.0) * max(times, 1.0)
        if total > most_a_day * _MARGIN:
            told = f"{total:g} {unit} of {fact.text} a day: at most {_shown(regimen.most_a_day)}"
            return Finding(f"{field}.dose", told)
    return None


def amounts_of(dose: str) -> list[tuple[float, str]]:
    """Return the amounts in a dose with their units; of "875-125 mg" the larger."""
    found = []
    for quantity in find_quantities(digits(dose)):
        if quantity.kind == "dose":
            numbers, unit = quantity.value.rsplit(" ", 1)
            unit, factor = _SCALE.get(unit, (unit, 1.0))
            found.append((max(map(float, numbers.split("-"))) * factor, unit))
    return found


def _scaled(amount: Amount) -> tuple[str, tuple[float, float]]:
    """Return an amount of the tables in the units of :func:`find_quantities`, micrograms as milligrams."""
    unit = _UNITS.get(amount.unit.lower(), amount.unit.lower())
    unit, factor = _SCALE.get(unit, (unit, 1.0))
    return unit, (amount.low * factor, amount.high * factor)


def _shown(amounts: tuple[Amount, ...]) -> str:
    return " or ".join(
        f"{one.low:g} {one.unit}" if one.low == one.high else f"{one.low:g} to {one.high:g} {one.unit}"
        for one in amounts
    )


def times_a_day(frequency: str) -> float | None:
    """Return how often a day a frequency allows, "every 8 hours as needed" three times; None if it does not say."""
    match = _PER_DAY.match(canonical_frequency(digits(frequency.lower())) or "")
    return float(match[1]) if match else None


def _life(drug: Drug, case: Case, regimens: tuple[Regimen, ...]) -> Iterator[Finding]:
    """Check pregnancy and breastfeeding, where the record says so."""
    told = [f.text for f in case.record if isinstance(f, Condition | SocialHistory)]
    told += [f.text for f in case.plan if isinstance(f, Condition)]
    route = canonical_route(drug.fact.route or "")
    for regimen in regimens:
        if canonical_route(regimen.route) != route:
            continue
        for pattern, verdict, state in (
            (_PREGNANT, regimen.pregnancy, "in pregnancy"),
            (_BREASTFEEDING, regimen.breastfeeding, "while breastfeeding"),
        ):
            if verdict != "ok" and any(pattern.search(text) for text in told):
                weight: Literal["problem", "caution"] = "problem" if verdict == "avoid" else "caution"
                yield Finding(f"plan.{drug.fact.id}", f"{drug.name} {state}: {verdict}", weight)
        return


def _codes(case: Case) -> set[str]:
    """Return the ICD-10-CM codes of what the patient has, from codes and from names, kinds of illness included."""
    lexicon = core()
    codes = {case.diagnosis.icd10 or ""}
    for fact in (*case.record, *case.plan):
        if not isinstance(fact, Condition):
            continue
        codes.add(fact.code or "")
        if fact.text.lower().startswith(("history of", "resolved", "no ")):
            continue
        for concept in mentions_in(lexicon, fact.text):
            codes.update(lexicon[concept].relations.get("icd10", ()))
    return codes - {""}


def _diseases(drugs: list[Drug], case: Case) -> Iterator[Finding]:
    codes, age, clearance = _codes(case), case.demographics.age or 0, _clearance(case.note)
    told: set[tuple[str, str]] = set()
    for rule in formulary().contraindications:
        if rule.from_age:
            applies = age >= rule.from_age
        elif rule.below_clearance:
            applies = clearance is not None and clearance < rule.below_clearance
        else:
            applies = any(code.startswith(rule.codes) for code in codes)
        for drug in drugs if applies else ():
            if rule.drugs.hold(drug.names) and (rule.everywhere or not drug.local):
                found = _weighed(drug, f"{drug.name}: {rule.why}", rule.severity)
                if (found.field, found.message) not in told:
                    told.add((found.field, found.message))
                    yield found


def _clearance(note: str) -> float | None:
    """Return the last filtration rate or clearance that a note states: the one that the patient leaves with."""
    stated = _CLEARANCE.findall(note)
    return float(stated[-1]) if stated else None


def _pairs(drugs: list[Drug]) -> Iterator[Finding]:
    # Two inhalers of one class are a doubling too; a cream or an eye drop meets nothing.
    meeting = [drug for drug in drugs if not drug.local or canonical_route(drug.fact.route or "") == "inhaled"]
    for one, two in combinations(meeting, 2):
        if one.name == two.name:
            continue
        for rule in formulary().interactions:
            if _meet(rule.drugs, rule.others, one, two):
                yield _weighed(two, f"{two.name} with {one.name}: {rule.why}", rule.severity)


def _meet(drugs: Subjects, others: Subjects, one: Drug, two: Drug) -> bool:
    return (drugs.hold(one.names) and others.hold(two.names)) or (drugs.hold(two.names) and others.hold(one.names))


def _allergies(drugs: list[Drug], case: Case) -> Iterator[Finding]:
    lexicon = core()
    for fact in case.record:
        if fact.kind != "allergy":
            continue
        text = fact.text.lower()
        concepts = {c for c in mentions_in(lexicon, fact.text) if lexicon[c].kind in ("medication", "drug_class")}
        for drug in drugs:
            if concepts & drug.names:
                yield _weighed(drug, f"{drug.name} for a patient allergic to {fact.text}", "avoid")
                continue
            for rule in formulary().allergens:
                if re.search(rf"\b{re.escape(rule.allergen)}s?\b", text) and rule.drugs.hold(drug.names):
                    yield _weighed(drug, f"{drug.name} for a patient allergic to {fact.text}", rule.severity)


def _weighed(drug: Drug, message: str, severity: Literal["avoid", "caution"]) -> Finding:
    return Finding(f"plan.{drug.fact.id}", message, "problem" if severity == "avoid" else "caution")


def _lessons(drugs: list[Drug], case: Case) -> Iterator[Finding]:
    general = " ".join(_taught(f) for f in case.plan if isinstance(f, Medication | Instruction | ReturnSign | FollowUp))
    precautions: dict[str, str] = {}
    for drug in drugs:
        precautions[drug.name] = " ".join((precautions.get(drug.name, ""), *drug.fact.precautions))
    signs = " ".join(_taught(fact) for fact in case.plan if isinstance(fact, ReturnSign))
    for drug in drugs:
        if drug.fact.change not in ("new", "changed"):
            continue
        told = f"{precautions[drug.name]} {general}"
        for lesson in formulary().lessons:
            if not lesson.drugs.hold(drug.names) or (drug.local and not lesson.everywhere):
                continue
            pattern = re.compile(lesson.words, re.IGNORECASE)
            if not pattern.search(told):
                yield Finding(f"plan.{drug.fact.id}.precautions", f"{drug.name}: teach {lesson.teach}")
            if lesson.as_return_sign and not pattern.search(signs):
                yield Finding("plan", f"{drug.name}: no return sign says it: {lesson.teach}")


def _taught(fact: AnyFact) -> str:
    """Return what a fact says beside its precautions, which speak of one drug; a laxative is a bowel plan."""
    return " ".join((fact.text, *fact.lay, getattr(fact, "purpose", None) or ""))


def _reasons(drugs: list[Drug], case: Case) -> Iterator[Finding]:
    """Find drugs that go on although the record tells no illness for which they are given."""
    lexicon = core()
    told = (text for fact in case.record for text in (fact.text, *fact.lay) if fact.kind in ("condition", "symptom"))
    ill = {broader for text in told for concept in mentions_in(lexicon, text) for broader in lexicon.ancestors(concept)}
    for drug in drugs:
        targets = {target for name in drug.names if name in lexicon for target in lexicon.treats(name)}
        if drug.fact.change != "continued" or _PREVENTIVE.match(drug.fact.purpose or ""):
            continue
        if targets and targets.isdisjoint(ill):
            told_for = f"{drug.name} goes on for {drug.fact.purpose}, of which the record tells nothing"
            yield Finding(f"plan.{drug.fact.id}", told_for, "caution")
