"""Which parts of the UMLS go into a pack (seed 001, appendix E.2): sources, term types, categories and relations.

One table for both ways in, the files of a release and the REST service, so that they cannot drift apart.
"""

import re

from bedside.verifier.knowledge.packs.pack import Source

__all__ = ["LICENCE", "RELATED_SOURCES", "TERM_TYPES", "category_of", "relation_name", "spoken", "wanted_term"]

TERM_TYPES = {
    "SNOMEDCT_US": frozenset(("FN", "PT", "SY")),
    "RXNORM": frozenset(("IN", "BN", "SCD", "SBD", "SY")),
    "CPT": frozenset(("PT", "SY", "ETCF", "ETCLIN")),
    "ICD10CM": frozenset(("PT", "HT", "ET")),
}
# MED-RT and ATC assert what drugs treat and which class they are of; they give relations, no names.
RELATED_SOURCES = frozenset((*TERM_TYPES, "MED-RT", "ATC"))
LICENCE = "UMLS Metathesaurus License Agreement; for the licensee only, not to be passed on"

_CATEGORIES = {
    "medication": ("T121", "T195", "T200", "T125", "T127", "T129"),
    "procedure": ("T058", "T059", "T060", "T061"),
    "condition": ("T019", "T020", "T037", "T046", "T047", "T048", "T049", "T190", "T191"),
    "symptom": ("T184", "T033", "T034"),
}
_CATEGORY_OF_SOURCE = {"RXNORM": "medication", "CPT": "procedure"}
_OF_FINDINGS = {
    "finding_site": "finding_site",
    "associated_morphology": "associated_morphology",
    "causative_agent": "causative_agent",
    "severity": "severity",
    "due_to": "due_to",
    "pathological_process": "pathological_process",
    "isa": "is_a",
}
_OF_DRUGS = {
    "ingredient": "has_ingredient",
    "dose_form": "has_dose_form",
    "therapeutic_class": "drug_class",
    "epc": "drug_class",
    "isa": "drug_class",
    "may_treat": "may_treat",
    "may_prevent": "may_prevent",
    "tradename_of": "tradename_of",
}
_OF_PROCEDURES = {
    "procedure_site": "procedure_site",
    "direct_procedure_site": "procedure_site",
    "indirect_procedure_site": "procedure_site",
    "method": "has_method",
    "approach": "has_approach",
    "surgical_approach": "has_approach",
    "intent": "has_intent",
    "route_of_administration": "has_route_of_administration",
    "procedure_device": "has_procedure_device",
    "direct_device": "has_procedure_device",
    "using_device": "has_procedure_device",
    "isa": "is_a",
}
_RELATIONS = {
    "symptom": _OF_FINDINGS,
    "condition": _OF_FINDINGS,
    "medication": _OF_DRUGS,
    "procedure": _OF_PROCEDURES,
}
_TAG = re.compile(r" \([a-z][a-z/ ,+-]*\)$")


def umls_source(version: str) -> Source:
    """Say where a pack comes from and that it must not be shared."""
    return Source(
        name="UMLS",
        version=version,
        licence=LICENCE,
        attribution="UMLS Metathesaurus, U.S. National Library of Medicine. SNOMED CT: SNOMED International. "
        "CPT: American Medical Association. RxNorm: U.S. National Library of Medicine. ICD-10-CM: NCHS and CMS.",
    )


def wanted_term(source: str, term_type: str) -> bool:
    """True for atoms whose names a pack takes."""
    return term_type in TERM_TYPES.get(source, ())


def category_of(source: str, semantic_types: frozenset[str]) -> str | None:
    """Return the category of an atom; None for what no claim is about (organisms, body parts, devices)."""
    if source in _CATEGORY_OF_SOURCE:
        return _CATEGORY_OF_SOURCE[source]
    return next((name for name, types in _CATEGORIES.items() if not semantic_types.isdisjoint(types)), None)


def relation_name(category: str, label: str) -> str | None:
    """Return the pack's name for a relation that a source asserts of a concept of a category; None if not wanted."""
    return _RELATIONS[category].get(label.lower().removeprefix("has_"))


def spoken(source: str, term_type: str, text: str) -> str:
    """Return a name as it would be said: SNOMED's fully specified names end in a tag, "(finding)"."""
    return _TAG.sub("", text) if source == "SNOMEDCT_US" and term_type == "FN" else text
