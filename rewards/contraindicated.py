"""Which drugs a patient must not get: for what they take, have and are allergic to, by the formulary."""

import re
from functools import lru_cache

from bedside.cases.fact import Allergy, Condition
from bedside.cases.formulary import Subjects, formulary
from bedside.rewards.profile import active_concepts, allergens
from bedside.verifier.grounding import GroundedCase, mentions_in

__all__ = ["contraindicated"]


def contraindicated(drug: str, grounded: GroundedCase) -> bool:
    """True when the formulary says that this patient must avoid a drug or class of drugs, given as a concept."""
    names = _names(drug, grounded)
    return not names.isdisjoint(allergens(grounded)) or any(barred.hold(names) for barred in _barred(grounded))


def _names(drug: str, grounded: GroundedCase) -> frozenset[str]:
    known = grounded.lexicon.concepts.get(drug)
    return grounded.lexicon.ancestors(drug) | ({known.name} if known else set())


@lru_cache(maxsize=1024)
def _barred(grounded: GroundedCase) -> tuple[Subjects, ...]:
    return (*_barred_by_drugs(grounded), *_barred_by_disease(grounded), *_barred_by_allergy(grounded))


def _barred_by_drugs(grounded: GroundedCase) -> list[Subjects]:
    taken = [_names(drug, grounded) for drug in active_concepts(grounded)]
    avoided = [rule for rule in formulary().interactions if rule.severity == "avoid"]
    return [
        other
        for rule in avoided
        for one, other in ((rule.drugs, rule.others), (rule.others, rule.drugs))
        if any(one.hold(names) for names in taken)
    ]


def _barred_by_disease(grounded: GroundedCase) -> list[Subjects]:
    codes, age = _codes(grounded), grounded.case.demographics.age or 0
    return [
        rule.drugs
        for rule in formulary().contraindications
        if rule.severity == "avoid"
        and (age >= rule.from_age if rule.from_age else any(code.startswith(rule.codes) for code in codes))
    ]


def _codes(grounded: GroundedCase) -> frozenset[str]:
    """Return the ICD-10-CM codes of what the patient has, from codes and from names."""
    codes = {grounded.case.diagnosis.icd10 or ""}
    for known in grounded.record:
        if isinstance(known.fact, Condition):
            codes.add(known.fact.code or "")
            for concept in mentions_in(grounded.lexicon, known.fact.text):
                codes.update(grounded.lexicon[concept].relations.get("icd10", ()))
    return frozenset(codes - {""})


def _barred_by_allergy(grounded: GroundedCase) -> list[Subjects]:
    texts = [known.fact.text.lower() for known in grounded.record if isinstance(known.fact, Allergy)]
    return [
        rule.drugs
        for rule in formulary().allergens
        if rule.severity == "avoid" and any(re.search(rf"\b{re.escape(rule.allergen)}s?\b", text) for text in texts)
    ]
