"""FHIR R4: bundles of patients, one case a patient, of their latest encounter that has a diagnosis.

Read are Patient, Encounter, Condition, MedicationRequest with its dosage instruction, AllergyIntolerance, Procedure and
CarePlan. References are followed within the file.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from bedside.cases.case import Case
from bedside.cases.directions import find_frequency, find_route
from bedside.cases.dropped import Dropped
from bedside.cases.health_record import Order, Visit, case_of_visit, plain_name
from bedside.cases.jsonl import CaseError

__all__ = ["read_fhir"]

_ICD10 = "http://hl7.org/fhir/sid/icd-10"
_PERIODS = {"h": "hour", "d": "day", "wk": "week", "mo": "month"}
_OFTEN = {1: "once", 2: "twice", 3: "three times", 4: "four times"}
_EXTENSION_RACE = "us-core-race"

Resource = Mapping[str, Any]


def read_fhir(place: Path) -> Iterator[Case | Dropped]:
    """Stream the cases of FHIR files.

    Args:
        place: A ``.json`` file with a Bundle, a folder of such files, or a folder of ``.ndjson`` bulk exports.

    Yields:
        Cases named after the patient's id, and what was left out.

    Raises:
        CaseError: There is no such file, or one is not JSON.
    """
    if not place.exists():
        raise CaseError("No such file or directory", path=place)
    bulk = sorted(place.glob("*.ndjson")) if place.is_dir() else []
    bundles = sorted(place.glob("*.json")) if place.is_dir() else [place]
    if bulk:
        yield from _patients([resource for path in bulk for resource in _lines(path)], place.name)
    elif not bundles:
        raise CaseError("no .json bundles and no .ndjson here", path=place)
    for path in () if bulk else bundles:
        content = _loaded(path.read_bytes(), path)
        if not isinstance(content, dict) or content.get("resourceType") != "Bundle":
            yield Dropped(path.name, "a file that is no Bundle")
            continue
        entries = content.get("entry") or []
        resources = [e["resource"] for e in entries if isinstance(e, dict) and isinstance(e.get("resource"), dict)]
        yield from _patients(resources, path.name)


def _lines(path: Path) -> Iterator[Any]:
    with path.open("rb") as file:
        for raw in file:
            if raw.strip():
                yield _loaded(raw, path)


def _loaded(raw: bytes, path: Path) -> Any:
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise CaseError(f"not JSON ({error})", path=path) from error


def _patients(resources: list[Resource], where: str) -> Iterator[Case | Dropped]:
    """Group resources by patient and make a case of each."""
    by_patient: dict[str, dict[str, list[Resource]]] = defaultdict(lambda: defaultdict(list))
    people: dict[str, Resource] = {}
    for resource in resources:
        kind = str(resource.get("resourceType"))
        if kind == "Patient":
            people[str(resource.get("id"))] = resource
        else:
            by_patient[_reference(resource.get("subject") or resource.get("patient"))][kind].append(resource)
    if not people:
        yield Dropped(where, "a file without a Patient")
    for name, patient in people.items():
        yield _case(name, patient, by_patient[name], f"{where}, Patient {name}")


def _reference(value: Any) -> str:
    text = str((value or {}).get("reference", "")) if isinstance(value, Mapping) else ""
    return text.removeprefix("urn:uuid:").rsplit("/", 1)[-1]


def _text(concept: Any) -> str:
    if not isinstance(concept, Mapping):
        return ""
    codings = concept.get("coding") or [{}]
    return str(concept.get("text") or codings[0].get("display") or "").strip()


def _case(name: str, patient: Resource, found: Mapping[str, list[Resource]], where: str) -> Case | Dropped:
    encounters = {str(e.get("id")): e for e in found.get("Encounter", ())}
    conditions = sorted(found.get("Condition", ()), key=_onset)
    disorders = [c for c in conditions if _text(c.get("code")) and not _text(c.get("code")).endswith(_NO_DISORDER)]
    if not disorders:
        return Dropped(where, "a patient without a condition")
    main = disorders[-1]
    stay = _reference(main.get("encounter"))
    start = str((encounters.get(stay, {}).get("period") or {}).get("start") or _onset(main))
    here = {kind: [r for r in rows if stay and _reference(r.get("encounter")) == stay] for kind, rows in found.items()}
    ordered = here.get("MedicationRequest", [])
    taken = [r for r in found.get("MedicationRequest", ()) if r.get("status") == "active" and r not in ordered]
    visit = Visit(
        id=f"fhir-{name}",
        source="fhir",
        licence="as its file says",
        demographics=_demographics(patient, start),
        diagnosis=_text(main.get("code")),
        code=_icd10(main.get("code")),
        findings=[
            _text(c.get("code"))
            for c in conditions
            if c is not main and stay and _reference(c.get("encounter")) == stay
        ],
        before=[_text(c.get("code")) for c in disorders if c is not main and _active(c)],
        taken=[_order(r) for r in taken],
        ordered=[_order(r) for r in ordered],
        allergies=[
            (_text(a.get("code")), _reaction(a)) for a in found.get("AllergyIntolerance", ()) if _text(a.get("code"))
        ],
        procedures=[
            (_text(p.get("code")), "")
            for p in found.get("Procedure", ())
            if stay and _reference(p.get("encounter")) == stay
        ],
        care=[
            text
            for c in found.get("CarePlan", ())
            if stay and _reference(c.get("encounter")) == stay
            for text in _care(c)
        ],
    )
    return case_of_visit(visit, where)


_NO_DISORDER = ("(finding)", "(situation)")


def _onset(condition: Resource) -> str:
    return str(condition.get("onsetDateTime") or condition.get("recordedDate") or "")


def _active(condition: Resource) -> bool:
    status = ((condition.get("clinicalStatus") or {}).get("coding") or [{}])[0].get("code", "active")
    return bool(status == "active")


def _icd10(concept: Any) -> str:
    codings = (concept or {}).get("coding") or []
    return next((str(c.get("code", "")) for c in codings if str(c.get("system", "")).startswith(_ICD10)), "")


def _reaction(allergy: Resource) -> str:
    for reaction in allergy.get("reaction") or []:
        for manifestation in reaction.get("manifestation") or []:
            return _text(manifestation)
    return ""


def _care(plan: Resource) -> Iterator[str]:
    for activity in plan.get("activity") or []:
        if text := _text((activity.get("detail") or {}).get("code")):
            yield plain_name(text)


def _order(request: Resource) -> Order:
    instruction = (request.get("dosageInstruction") or [{}])[0]
    told = str(instruction.get("text") or "")
    amount = ((instruction.get("doseAndRate") or [{}])[0] or {}).get("doseQuantity") or {}
    dose = f"{amount['value']:g} {amount['unit']}" if amount.get("value") and amount.get("unit") else None
    route, often = find_route(_text(instruction.get("route")) or told), find_frequency(told)
    reasons = request.get("reasonCode") or [{}]
    return Order(
        _text(request.get("medicationCodeableConcept")),
        _text(reasons[0]),
        dose,
        route and route.words,
        _timing(instruction) or (often and often.words),
    )


def _timing(instruction: Resource) -> str | None:
    repeat = ((instruction.get("timing") or {}).get("repeat")) or {}
    frequency, period = repeat.get("frequency"), repeat.get("period")
    unit = _PERIODS.get(str(repeat.get("periodUnit")))
    if not frequency or not period or unit is None:
        return "as needed" if instruction.get("asNeededBoolean") else None
    if period == 1 and unit == "day":
        often = f"{_OFTEN.get(frequency, f'{frequency} times')} daily"
    elif frequency == 1:
        often = f"every {unit}" if period == 1 else f"every {period:g} {unit}s"
    else:
        return None
    return f"{often} as needed" if instruction.get("asNeededBoolean") else often


def _demographics(patient: Resource, when: str) -> dict[str, Any]:
    sex = patient.get("gender")
    found: dict[str, Any] = {"sex": sex if sex in ("female", "male") else None}
    born, now = str(patient.get("birthDate", "")).split("-"), when[:10].split("-")
    if len(born) == len(now) == 3:
        found["age"] = int(now[0]) - int(born[0]) - (now[1:] < born[1:])
    for extension in patient.get("extension") or []:
        if _EXTENSION_RACE in str(extension.get("url")):
            found["race"] = next(
                (e["valueString"] for e in extension.get("extension", ()) if e.get("url") == "text"), None
            )
    return found
