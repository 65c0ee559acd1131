"""VeriSim patients: structured profiles with UMLS codes, and the noise that each was meant to speak with.

The profiles carry no diagnosis, for VeriSim scores truthfulness rather than doctors. A profile without one
loads with the diagnosis ``(not given)``: it serves every purpose but the diagnostic benchmark.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson
from pydantic import TypeAdapter, ValidationError

from bedside.cases.case import NOT_GIVEN, Case
from bedside.cases.chapters import chapter_of
from bedside.cases.fact import AnyFact
from bedside.cases.jsonl import CaseError, first_problem
from bedside.cases.noise import PILLARS

__all__ = ["noise_profiles", "read_verisim"]

SEVERITY = {"none": 0, "mild": 3, "moderate": 5, "severe": 8}
SEXES = {"f": "female", "female": "female", "m": "male", "male": "male"}
KINDS = {
    "symptoms": "symptom",
    "medications": "medication",
    "conditions": "condition",
    "procedures": "procedure",
    "allergies": "allergy",
    "family_history": "family",
    "social_history": "social",
}
# What VeriSim calls an attribute, by kind, and what it is called here.
ATTRIBUTES: Mapping[str, Mapping[str, str]] = {
    "symptom": {name: name for name in ("onset", "duration", "site", "character", "radiation", "timing", "setting")}
    | {"severity": "severity", "location": "site", "quality": "character"},
    "medication": {name: name for name in ("dose", "route", "frequency", "duration")}
    | {"dosage": "dose", "indication": "purpose", "purpose": "purpose"},
    "condition": {"diagnosed_year": "since", "year": "since", "since": "since"},
    "procedure": {"year": "when", "date": "when", "when": "when", "result": "result", "outcome": "result"},
    "allergy": {"reaction": "reaction"},
    "family": {"relative": "relative", "relation": "relative", "relationship": "relative"},
    "social": {"aspect": "aspect"},
}
_FACT: TypeAdapter[AnyFact] = TypeAdapter(AnyFact)
MAX_LEVEL = 4


def read_verisim(path: Path) -> Iterator[Case]:
    """Stream the patients of a VeriSim file.

    Args:
        path: A JSON list of patients, an object with a list ``patients``, or one patient.

    Yields:
        Cases named after ``patient_id``: ``verisim-P001``.

    Raises:
        CaseError: The file or a patient cannot be used.
    """
    seen: set[str] = set()
    for number, patient in _patients(path):
        case = _case(patient, number, path)
        if case.id in seen:
            raise CaseError(f"{case.id!r} comes twice", path=path, field=f"[{number}].patient_id")
        seen.add(case.id)
        yield case


def noise_profiles(path: Path) -> dict[str, dict[str, int]]:
    """Return the noise that the file asks for: case id -> pillar -> level.

    Raises:
        CaseError: A pillar is unknown or a level is not 0 to 4.
    """
    profiles = {}
    for number, patient in _patients(path):
        levels: dict[str, int] = {}
        field = f"[{number}].noise_profile"
        rows = patient.get("noise_profile") or []
        if isinstance(rows, dict):
            rows = [{"type": name, "level": level} for name, level in rows.items()]
        for row in rows:
            pillar, level = (row.get("type"), row.get("level")) if isinstance(row, dict) else (row, None)
            if pillar not in PILLARS:
                message = f"unknown noise {pillar!r}; known: {', '.join(PILLARS)}"
                raise CaseError(message, path=path, field=field)
            if not isinstance(level, int) or isinstance(level, bool) or not 0 <= level <= MAX_LEVEL:
                raise CaseError(f"level {level!r} of {pillar} is not 0 to {MAX_LEVEL}", path=path, field=field)
            levels[pillar] = level
        profiles[_case_id(patient, number, path)] = levels
    return profiles


def _patients(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        content = orjson.loads(path.read_bytes())
    except OSError as error:
        raise CaseError(error.strerror or str(error), path=path) from error
    except orjson.JSONDecodeError as error:
        line = getattr(error, "lineno", None)
        raise CaseError(f"not JSON ({error})", path=path, line=line) from error
    if isinstance(content, dict):
        content = content.get("patients", [content])
    if not isinstance(content, list):
        raise CaseError("expected a list of patients, an object with 'patients', or one patient", path=path)
    for number, patient in enumerate(content):
        if not isinstance(patient, dict):
            raise CaseError("a patient must be an object", path=path, field=f"[{number}]")
        yield number, patient


def _case_id(patient: Mapping[str, Any], number: int, path: Path) -> str:
    given = str(patient.get("patient_id") or "").strip()
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", given).strip("-")
    if not name:
        raise CaseError("missing", path=path, field=f"[{number}].patient_id")
    return f"verisim-{name}"


def _case(patient: Mapping[str, Any], number: int, path: Path) -> Case:
    who = patient.get("demographics") or {}
    if not isinstance(who, dict):
        raise CaseError("must be an object with age and sex", path=path, field=f"[{number}].demographics")
    sex = str(who.get("sex", who.get("gender", ""))).strip()
    demographics = {name: who[name] for name in ("age", "race", "occupation") if who.get(name) is not None}
    answer = _diagnosis(patient.get("diagnosis"))
    fields = {
        "id": _case_id(patient, number, path),
        "source": "verisim",
        "licence": "MIT",
        "chapter": chapter_of(answer.get("icd10")),
        "demographics": demographics | {"sex": SEXES.get(sex.lower(), sex)},
        "chief_complaint": patient.get("chief_complaint"),
        "record": _record(patient, number, path),
        "diagnosis": answer,
    }
    try:
        return Case.model_validate(fields)
    except ValidationError as error:
        field, message = first_problem(error)
        raise CaseError(message, path=path, field=f"[{number}].{field}") from error


def _diagnosis(given: object) -> dict[str, Any]:
    if isinstance(given, dict):
        found = {name: given[name] for name in ("text", "icd10", "synonyms") if given.get(name)}
        return found if "text" in found else found | {"text": given.get("name") or NOT_GIVEN}
    return {"text": given or NOT_GIVEN}


def _record(patient: Mapping[str, Any], number: int, path: Path) -> tuple[AnyFact, ...]:
    facts: list[AnyFact] = []
    ids: set[str] = set()
    for section, kind in KINDS.items():
        rows = patient.get(section) or []
        if not isinstance(rows, list):
            raise CaseError("must be a list", path=path, field=f"[{number}].{section}")
        for place, row in enumerate(rows):
            try:
                fact = _fact(row, kind, ids)
            except (ValidationError, ValueError, TypeError) as error:
                message = first_problem(error)[1] if isinstance(error, ValidationError) else str(error)
                raise CaseError(message, path=path, field=f"[{number}].{section}[{place}]") from error
            ids.add(fact.id)
            facts.append(fact)
    return tuple(facts)


def _fact(row: object, kind: str, ids: Iterable[str]) -> AnyFact:
    given = row if isinstance(row, dict) else {"text": row}
    text = given.get("text")
    if not isinstance(text, str) or not text.strip():
        raise ValueError("needs a text")
    fields: dict[str, Any] = {
        "kind": kind,
        "id": _unique(text, set(ids)),
        "text": text,
        "code": given.get("cui"),
    }
    for name, ours in ATTRIBUTES[kind].items():
        if given.get(name) not in (None, ""):
            fields[ours] = _severity(given[name]) if ours == "severity" else str(given[name])
    if kind == "procedure" and given.get("indication"):
        fields["lay"] = [f"{text} for {given['indication']}"]  # a procedure has no attribute for its reason
    if kind == "social":
        fields.setdefault("aspect", "other")
    return _FACT.validate_python(fields)


def _severity(given: object) -> object:
    if isinstance(given, str) and not given.isdigit():
        if given.lower() not in SEVERITY:
            raise ValueError(f"severity {given!r} is not {', '.join(SEVERITY)} or a number from 0 to 10")
        return SEVERITY[given.lower()]
    return given


def _unique(text: str, ids: set[str]) -> str:
    stem = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "fact"
    if stem not in ids:
        return stem
    return next(name for number in range(2, len(ids) + 3) if (name := f"{stem}-{number}") not in ids)
