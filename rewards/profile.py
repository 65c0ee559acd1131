"""What makes advice dangerous for one patient and not for another: drugs, allergies, illnesses and restrictions."""

import re
from functools import lru_cache

from bedside.cases.fact import Allergy, Condition, Instruction, Medication
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.lexicon import Mention

__all__ = ["active_concepts", "active_drugs", "allergens", "drugs_of", "profile_of", "stopped_concepts"]

_CROSS_CLASSES = {
    "penicillin": ("class:penicillin-class", "class:beta-lactamase-inhibitor-combination"),
    "cillin": ("class:penicillin-class", "class:beta-lactamase-inhibitor-combination"),
    "sulfa": ("class:sulfonamide", "class:sulfonamide-antibiotic"),
    "cephalosporin": ("class:cephalosporin",),
    "nsaid": ("class:nsaid", "class:salicylate"),
    "aspirin": ("class:nsaid", "class:salicylate"),
    "ibuprofen": ("class:nsaid",),
    "codeine": ("class:opioid",),
    "morphine": ("class:opioid",),
}
"""Allergies that extend to relatives of the drug, by the words of the record."""


def active_drugs(grounded: GroundedCase) -> tuple[Medication, ...]:
    """Return the drugs of the plan that the patient is to take."""
    return tuple(g.fact for g in grounded.plan if isinstance(g.fact, Medication) and g.fact.change != "stopped")


@lru_cache(maxsize=1024)
def active_concepts(grounded: GroundedCase) -> frozenset[str]:
    """Return the concepts of the drugs that the patient is to take."""
    active = {fact.id for fact in active_drugs(grounded)}
    return frozenset(known.concept for known in grounded.plan if known.fact.id in active)


@lru_cache(maxsize=1024)
def stopped_concepts(grounded: GroundedCase) -> frozenset[str]:
    """Return the concepts of the drugs that the plan stops."""
    return frozenset(g.concept for g in grounded.plan if isinstance(g.fact, Medication) and g.fact.change == "stopped")


def drugs_of(mention: Mention, grounded: GroundedCase) -> list[str]:
    """Return the concepts of a mention that are drugs or classes of drugs."""
    return [c for c in mention.concepts if grounded.kind(c) in ("medication", "drug_class")]


@lru_cache(maxsize=1024)
def profile_of(grounded: GroundedCase) -> str:
    """Return what rules may need of a patient: illnesses, drugs with their classes, allergies, restrictions."""
    case = grounded.case
    stopped = stopped_concepts(grounded)
    lines = [
        f"age {case.demographics.age}",
        f"has {case.diagnosis.text}",
        *(f"has {s}" for s in case.diagnosis.synonyms),
    ]
    for known in grounded.record:
        fact = known.fact
        classes = ", ".join(grounded.lexicon[c].name for c in known.broader if c in grounded.lexicon)
        if isinstance(fact, Medication) and known.concept not in stopped:
            lines.append(f"takes {fact.text} {' '.join(fact.lay)} ({classes})")
        elif isinstance(fact, Allergy):
            lines.append(f"allergic to {fact.text}")
        elif isinstance(fact, Condition) or fact.kind == "procedure":
            lines.append(f"has {fact.text} {' '.join(fact.lay)} ({classes})")
        elif isinstance(fact, Instruction) and re.search(r"\b(?:driv|lift|activity)", fact.text, re.IGNORECASE):
            lines.append(f"told: {fact.text}")
    return "; ".join(lines).lower()


@lru_cache(maxsize=1024)
def allergens(grounded: GroundedCase) -> frozenset[str]:
    """Return the concepts of what the patient is allergic to, with the classes that it extends to."""
    found: set[str] = set()
    for known in grounded.record:
        if isinstance(known.fact, Allergy):
            found.add(known.concept)
            text = known.fact.text.lower()
            found.update(c for word, classes in _CROSS_CLASSES.items() if word in text for c in classes)
    return frozenset(found)
