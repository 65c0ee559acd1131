"""All rules for one case, in the order in which a writer would mend them."""

import re
from collections.abc import Iterator

from bedside.authoring import structure
from bedside.authoring.finding import Finding
from bedside.authoring.prescribing import prescribing
from bedside.authoring.safeguards import safeguards
from bedside.authoring.scaffold import BLANK
from bedside.cases.case import Case

__all__ = ["LEAST_TCS", "check_case"]

LEAST_TCS = 0.95
"""What an educator who states the whole plan must score, or the plan cannot be taught."""
_OPEN_ID = re.compile(r"[a-z]{3}-\d{2}")


def check_case(case: Case, *, open_set: bool = False) -> Iterator[Finding]:
    """Check one case.

    Args:
        case: Any case with a plan.
        open_set: Also ask what only the open set promises: opaque ids, its licence, a coded diagnosis with synonyms,
            an adult, a plan, a note and questions. Otherwise what is not given is not checked.

    Yields:
        Problems, and cautions that a clinician should look at.
    """
    blanks = list(_blanks(case.model_dump(mode="json")))
    yield from blanks
    if blanks:
        return
    yield from structure.identity(case)
    if case.note or open_set:
        yield from structure.note(case)
    if case.questions or open_set:
        yield from structure.questions(case)
    yield from structure.secrecy(case)
    yield from structure.wording(case)
    if case.plan:
        yield from structure.reconciliation(case)
        yield from prescribing(case)
        yield from safeguards(case)
        yield from _teachable(case)
    if open_set:
        yield from _promises(case)


def _blanks(value: object, field: str = "") -> Iterator[Finding]:
    """Find what a scaffold left to be written; until then nothing else is worth saying."""
    if isinstance(value, str) and BLANK in value:
        yield Finding(field, f"write it: {value.replace(BLANK, '').strip(' :')}")
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _blanks(part, f"{field}.{key}".lstrip("."))
    elif isinstance(value, list):
        for number, part in enumerate(value):
            name = part.get("id", number) if isinstance(part, dict) else number
            yield from _blanks(part, f"{field}.{name}")


def _teachable(case: Case) -> Iterator[Finding]:
    from bedside.clinicians.educators import Checklist
    from bedside.clinicians.rollout import rollout
    from bedside.envs.discharge import DischargeEnv
    from bedside.rewards.coverage import score_coverage
    from bedside.rewards.lesson import lesson_of

    score = score_coverage(lesson_of(rollout(DischargeEnv([case]), Checklist(), 0), case))
    if score.value is None or score.value < LEAST_TCS:
        lost = ", ".join(name for name, value in score.parts.items() if value is not None and value < 1)
        told = f"an educator who states everything gets a TCS of {score.value}, not {LEAST_TCS}; lost: {lost}"
        yield Finding("plan", told)


def _promises(case: Case) -> Iterator[Finding]:
    if not _OPEN_ID.fullmatch(case.id) or not case.id.startswith((case.chapter or "").lower()):
        yield Finding("id", f"{case.id!r} must be the chapter and a number, as in cir-04")
    if (case.source, case.licence, case.credentialed) != ("open", "CC-BY-4.0", False):
        yield Finding("licence", "source must be open, licence CC-BY-4.0, credentialed false")
    if case.chapter is None or case.diagnosis.icd10 is None:
        yield Finding("diagnosis.icd10", "chapter and code are needed")
    if len(case.diagnosis.synonyms) < 2:
        yield Finding("diagnosis.synonyms", "give at least two")
    if (case.demographics.age or 0) < 18 or case.demographics.sex is None:
        yield Finding("demographics", "the open set is of adults; age and sex are needed")
    if not case.plan:
        yield Finding("plan", "is missing")
