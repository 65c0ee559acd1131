"""From the lists of an electronic health record to a case: one visit, what was known before, what was ordered in it.

Synthea's tables and FHIR bundles tell the same things in two forms. Each loader fills a :class:`Visit`; what it means
is said here once. Orders name a product and its strength; a dose is only what a dosage instruction says.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from bedside.cases.case import Case
from bedside.cases.chapters import chapter_of
from bedside.cases.dropped import Dropped
from bedside.cases.examination import questions_of
from bedside.cases.freetext import FactList, lower_first
from bedside.cases.jsonl import first_problem

__all__ = ["Order", "Visit", "case_of_visit", "plain_name"]

_KIND = re.compile(
    r"\s*\((?P<kind>disorder|finding|procedure|situation|regime/therapy|substance|organism|event|"
    r"morphologic abnormality)\)\s*$"
)
_PRODUCT = re.compile(
    r"^(?:NDA\d+\s+)?(?:(?:\d+\s+(?:ACTUAT|HR)|[\d.]+\s+ML)\s+)*(?P<name>.+?)\s+(?=[\d.,]+\s*(?:MG|MCG|ML|UNT|MEQ|"
    r"%|G|ACTUAT|HR|BAU|MMOL)\b|$)",
    re.IGNORECASE,
)
_CIRCUMSTANCE = re.compile(
    r"employ|education|school|labor force|contact|housing|transport|stress|isolation|refugee|criminal|military|"
    r"income|reports of violence|"
    r"medication review|social|unhealthy|limited|insurance|risk activity|victim|served in|has (?:a )?care",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Order:
    """A drug as it was ordered."""

    name: str
    reason: str = ""
    dose: str | None = None
    route: str | None = None
    frequency: str | None = None


@dataclass
class Visit:
    """One visit.

    Attributes:
        diagnosis: The first disorder that was found in it, with its kind, as in "Gout (disorder)".
        code: An ICD-10-CM code, where the source has one.
        findings: Other conditions and findings of the visit.
        before: Conditions that the patient had.
        taken: Drugs that the patient took when they came.
        ordered: Drugs that the visit ordered.
    """

    id: str
    source: str
    licence: str
    demographics: dict[str, Any]
    diagnosis: str = ""
    code: str = ""
    reason: str = ""
    findings: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    taken: list[Order] = field(default_factory=list)
    ordered: list[Order] = field(default_factory=list)
    allergies: list[tuple[str, str]] = field(default_factory=list)
    procedures: list[tuple[str, str]] = field(default_factory=list)
    past_procedures: list[tuple[str, str]] = field(default_factory=list)
    care: list[str] = field(default_factory=list)


def plain_name(text: str) -> str:
    """Return a name without its SNOMED CT kind."""
    return _KIND.sub("", text).strip()


def case_of_visit(visit: Visit, where: str) -> Case | Dropped:
    """Make the case of a visit; the conditions of a patient's circumstances ("unemployed") are left out."""
    diagnosis = plain_name(visit.diagnosis)
    record = FactList()
    for text in visit.findings:
        if not _CIRCUMSTANCE.search(text):
            record.add("symptom" if text.endswith("(finding)") else "condition", lower_first(plain_name(text)))
    symptoms = [row["text"] for row in record.rows("symptom")]
    for text in visit.before:
        if not _CIRCUMSTANCE.search(text) and plain_name(text).lower() != diagnosis.lower():
            record.add("condition", lower_first(plain_name(text)))
    for order in visit.taken:
        record.add("medication", drug_name(order.name), purpose=lower_first(plain_name(order.reason)))
    for substance, reaction in visit.allergies:
        record.add("allergy", lower_first(plain_name(substance)), reaction=lower_first(plain_name(reaction)))
    for name, when in visit.past_procedures:
        record.add("procedure", lower_first(plain_name(name)), when=when)
    plan = FactList(fact.id for fact in record.facts())
    plan.add("condition", lower_first(diagnosis))
    for name, when in visit.procedures:
        plan.add("procedure", lower_first(plain_name(name)), when=when)
    for text in visit.care:
        plan.add("treatment", lower_first(plain_name(text)))
    _add_orders(plan, visit)
    complaint = ", ".join(symptoms) or "I don't feel well"
    try:
        case = Case.model_validate(
            {
                "id": visit.id,
                "source": visit.source,
                "licence": visit.licence,
                "chapter": chapter_of(visit.code),
                "demographics": visit.demographics,
                "chief_complaint": complaint[:1].upper() + complaint[1:],
                "record": record.facts(),
                "plan": plan.facts(),
                "diagnosis": {"text": diagnosis} | ({"icd10": visit.code} if chapter_of(visit.code) else {}),
            }
        )
    except ValidationError as error:
        name, message = first_problem(error)
        return Dropped(where, "what was read does not make a case", f"{name}: {message}")
    return case.model_copy(update={"questions": questions_of(case)})


def _add_orders(plan: FactList, visit: Visit) -> None:
    taken = {drug_name(order.name) for order in visit.taken}
    for order in visit.ordered:
        name = drug_name(order.name)
        plan.add(
            "medication",
            name,
            change="continued" if name in taken else "new",
            dose=order.dose,
            route=order.route,
            frequency=order.frequency,
            purpose=lower_first(plain_name(order.reason)),
        )


def drug_name(product: str) -> str:
    """Return the substance of a product: "Loratadine 5 MG Chewable Tablet" is loratadine."""
    parts = []
    for part in product.split(" / "):
        match = _PRODUCT.match(part.strip())
        parts.append((match["name"] if match else part).strip(" {").lower())
    return "-".join(dict.fromkeys(parts))
