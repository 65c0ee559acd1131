"""DischargeSim: hospital stays from MIMIC-IV as OSCE objects, for discharge teaching.

The data are credentialed and none is shipped or was read in writing this. What is known of their form
comes from the released program: ``OSCE-format.jsonl`` holds one ``OSCE_Examination`` a line, with
``Objective_for_Doctor``, ``Patient_Actor``, ``Physical_Examination_Findings``, ``Test_Results`` and
``Correct_Diagnosis``; ``original-notes.txt`` holds one note a line, perhaps in quotes, in the same order.
Where inside the objects the plan stands is not known, so that it is looked for by meaning, in any
spelling and at any depth:

========================================  ==================================================
a key that contains                       becomes
========================================  ==================================================
discharge diagnosis (else the answer)     conditions of the plan, the first one the diagnosis
discharge medication, medication plan     medications (list, object, or text of numbered lines)
admission or home medication              home medications; what is on this list is not new
test result, lab, imaging                 tests with their results
treatment, intervention, procedure        treatments and procedures of the stay
return, warning, red flag, seek           return signs
follow up, appointment                    follow-up visits
instruction, activity, diet, wound        instructions, sorted by what each sentence says
========================================  ==================================================

MIMIC notes have ages removed; such an age stays unknown. A file of notes may be missing or shorter than the cases, as
users without a credential have it; the note is then empty.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from bedside.cases.case import Case, Diagnosis
from bedside.cases.drugs import read_drug
from bedside.cases.fact import AnyFact
from bedside.cases.freetext import (
    FactList,
    is_absence,
    is_uninformative,
    items,
    lower_first,
    sentences,
    strings,
)
from bedside.cases.instructions import add_instructions
from bedside.cases.jsonl import CaseError, first_problem
from bedside.cases.osce import demographics_of, diagnosis_of, get, key_of, read_objects, record_of
from bedside.cases.return_signs import add_return_signs
from bedside.cases.visits import add_visit

__all__ = ["read_dischargesim"]

REDACTED = "___"
LICENCE = "PhysioNet Credentialed Health Data License 1.5.0"
_DIAGNOSES = re.compile("dischargediagnos")
_DRUGS = re.compile("dischargemed|medicationsatdischarge|medicationplan|postdischargemed")
_HOME_DRUGS = re.compile("admissionmed|medicationsonadmission|homemed|preadmission")
_TESTS = re.compile("testresult|labresult|laborator|imaging")
_TREATMENTS = re.compile("treatment(?!plan)|intervention|procedure")
_RETURN = re.compile("return|warning|redflag|seek")
_FOLLOW_UP = re.compile("followup|appointment")
_INSTRUCTIONS = re.compile("instruction|activit|diet|wound|restriction|exercise")
_FINDING = frozenset({"findings", "finding", "result", "results", "impression", "interpretation", "comments", "value"})


def read_dischargesim(directory: Path) -> Iterator[Case]:
    """Stream the cases of DischargeSim, all marked as credentialed.

    Args:
        directory: Holds ``OSCE-format.jsonl`` and ``original-notes.txt``, in any case.

    Yields:
        Cases named after their line: ``dischargesim-7``.

    Raises:
        CaseError: The cases are missing or damaged.
    """
    path = _find(directory, "osce-format.jsonl")
    if path is None:
        raise CaseError("no OSCE-format.jsonl here", path=directory)
    notes_path = _find(directory, "original-notes.txt")
    notes = [] if notes_path is None else _notes(notes_path)
    for index, (line, osce) in enumerate(read_objects(path)):
        yield _case(osce, notes[index] if index < len(notes) else "", path, line)


def _find(directory: Path, name: str) -> Path | None:
    try:
        return next((file for file in sorted(directory.iterdir()) if file.name.lower() == name), None)
    except OSError as error:
        raise CaseError(error.strerror or str(error), path=directory) from error


def _notes(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CaseError(f"cannot be read ({error})", path=path) from error
    return [line.strip().strip('"').replace("\\n", "\n") for line in lines if line.strip()]


def _case(osce: dict[str, Any], note: str, path: Path, line: int) -> Case:
    stated = next((value for _, value in _search(osce, _DIAGNOSES)), None)
    names = _lines(stated)
    answer = get(osce, "correctdiagnosis")
    diagnosis = Diagnosis(text=names[0]) if names and not answer else diagnosis_of(answer, path, line)
    sex = re.search(r"\bSex:\s*([FM])\b", note)
    complaint, record = record_of(osce, path, line, fallback="I don't feel well")
    try:
        return Case(
            id=f"dischargesim-{line}",
            source="dischargesim",
            licence=LICENCE,
            credentialed=True,
            demographics=demographics_of(osce, path, line, hint=f"Sex: {sex[1]}" if sex else ""),
            chief_complaint=complaint,
            record=record,
            plan=_plan(osce, names or [diagnosis.text], taken={fact.id for fact in record}),
            diagnosis=diagnosis,
            note=note,
        )
    except ValidationError as error:
        field, message = first_problem(error)
        raise CaseError(message, path=path, line=line, field=field) from error


def _search(value: object, wanted: re.Pattern[str]) -> Iterator[tuple[str, Any]]:
    """Yield all entries whose key is wanted, not looking inside them again."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if wanted.search(key_of(str(key))):
                yield str(key), inner
            else:
                yield from _search(inner, wanted)
    elif isinstance(value, list):
        for inner in value:
            yield from _search(inner, wanted)


def _lines(value: object) -> list[str]:
    """Take lists apart that are written as text: lines, bullets, numbers, semicolons."""
    found = []
    for text in strings(value):
        for part in re.split(r"\n|;|(?:^|\s)(?:\d{1,2}[.)]|[-*•#])\s+", text):
            name = re.sub(r"^(?:primary|secondary)(?: diagnos[ie]s)?\s*:?", "", part.strip(" .=-"), flags=re.IGNORECASE)
            if name.strip(" :_") and not is_absence(name) and not is_uninformative(name):
                found.append(name.strip(" :"))
    return found


def _plan(osce: Mapping[str, Any], diagnoses: list[str], taken: set[str]) -> tuple[AnyFact, ...]:
    plan = FactList(taken)
    for name in diagnoses:
        plan.add("condition", lower_first(name))
    for _, value in _search(osce, _TESTS):
        for name, result in _results(value, ""):
            plan.add("test", name, result=result)
    for key, value in _search(osce, _TREATMENTS):
        kind = "procedure" if "procedure" in key_of(key) else "treatment"
        for name in _lines(value):
            plan.add(kind, lower_first(name))
    _add_medications(plan, osce)
    for _, value in _search(osce, _RETURN):
        for sentence in sentences(value):
            add_return_signs(plan, sentence)
    for _, value in _search(osce, _FOLLOW_UP):
        for text in _lines(value):
            add_visit(plan, text)
    for key, value in _search(osce, _INSTRUCTIONS):
        if not (_FOLLOW_UP.search(key_of(key)) or _RETURN.search(key_of(key))):
            add_instructions(plan, "\n\n".join(sentences(value)))
    return plan.facts()


def _results(value: object, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        plain = all(key_of(str(key)) in _FINDING for key in value)
        if plain and name:
            yield name, "; ".join(strings(value))
            return
        for key, inner in value.items():
            label = str(key).replace("_", " ").strip()
            yield from _results(inner, name if key_of(label) in _FINDING and name else label)
    elif name:
        result = "; ".join(strings(value))
        if result and not is_uninformative(result) and result != REDACTED:
            yield name, result
    else:
        for text in _lines(value):
            name, _, result = text.partition(":")
            yield name, result.strip()


def _add_medications(plan: FactList, osce: Mapping[str, Any]) -> None:
    home = {read_drug(text).name for _, value in _search(osce, _HOME_DRUGS) for text in _drug_lines(value)}
    for _, value in _search(osce, _DRUGS):
        for text in _drug_lines(value):
            drug = read_drug(text)
            if re.search(r"[A-Za-z]{3}", drug.name):
                change = "continued" if drug.name in home else "new"
                plan.add("medication", drug.name, change=change, **drug.attributes())


def _drug_lines(value: object) -> Iterator[str]:
    """Yield one line a drug from text, from a list, or from objects with a field for each attribute."""
    if isinstance(value, Mapping):
        name = get(value, "name", "medication", "drug", "medicationname")
        if isinstance(name, str):
            reason = get(value, "reason", "purpose", "indication")
            others = (inner for inner in value.values() if inner not in (name, reason))
            yield ", ".join([name, *strings(list(others)), *([f"for {reason}"] if reason else [])])
            return
        for key, inner in value.items():
            if isinstance(inner, str):
                yield f"{key} {inner}"
            else:
                yield from _drug_lines(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _drug_lines(inner)
    else:
        for text in strings(value):
            lines = (
                re.split(r"(?:^|\s)\d{1,2}\.\s+", text) if re.search(r"(?:^|\s)\d{1,2}\.\s+\D", text) else items(text)
            )
            yield from (" ".join(line.split()) for line in lines if line.strip(" _"))
