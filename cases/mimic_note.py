"""MIMIC-IV-Note: discharge notes joined to the hosp tables, one case an admission.

The notes are credentialed, and so is every case made from them. They are read one by one; the hosp tables, where they
are given, tell age, sex, race and chapter, which the notes themselves hide.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from bedside.cases.case import Case, Demographics, Diagnosis
from bedside.cases.discharge_note import DischargeNote, plan_of, read_note, record_of_note
from bedside.cases.dropped import Dropped, Remark
from bedside.cases.examination import questions_of
from bedside.cases.fact import Medication
from bedside.cases.jsonl import CaseError, first_problem
from bedside.cases.mimic_tables import MIMIC_LICENCE, Coded, HospitalTables
from bedside.cases.tables import Row, find_table, is_whole_number, read_table

__all__ = ["case_of_note", "read_mimic_notes"]

_SHORTEST = 200
"""Characters; what is shorter is no discharge note."""


def read_mimic_notes(place: Path) -> Iterator[Case | Dropped | Remark]:
    """Stream the cases of MIMIC-IV-Note.

    Args:
        place: A folder with ``discharge.csv`` or ``discharge.csv.gz`` anywhere in it and, where available, the tables
            ``patients``, ``admissions``, ``diagnoses_icd`` and ``d_icd_diagnoses``; or the notes' file itself. A file
            ``.txt`` is a single note, and a folder of such files is a note a file.

    Yields:
        Cases named after the admission, ``mimic-20000001``; what was left out; what was odd.

    Raises:
        CaseError: There are no notes here, or a file cannot be read.
    """
    if not place.exists():
        raise CaseError("No such file or directory", path=place)
    texts = [place] if place.suffix == ".txt" else sorted(place.glob("*.txt")) if place.is_dir() else []
    path = place if place.is_file() and not texts else find_table(place, "discharge")
    if path is not None:
        yield from _from_table(path, place)
    elif find_table(place, "admissions"):
        yield from _without_notes(place)
    elif texts:
        for text in texts:
            yield from _from_text(text)
    else:
        raise CaseError("no discharge.csv or discharge.csv.gz here, no .txt, and no hosp tables", path=place)


def _from_table(path: Path, place: Path) -> Iterator[Case | Dropped | Remark]:
    tables = HospitalTables()
    yield from tables.read(place)
    seen: set[int] = set()
    for row in read_table(path, ("hadm_id", "text")):
        if isinstance(row, Dropped):
            yield row
        elif not is_whole_number(row["hadm_id"]):
            yield Dropped(row.where, "a note without a whole number as admission id")
        else:
            yield from _admission(row, tables, seen)


def _admission(row: Row, tables: HospitalTables, seen: set[int]) -> Iterator[Case | Dropped]:
    """Yield the case of a row; the first full note of an admission counts."""
    stay = row["hadm_id"].removesuffix(".0")
    if row["note_type"].upper() == "AD":
        yield Dropped(row.where, "an addendum")
    elif int(stay) in seen:
        yield Dropped(row.where, "another note of an admission that has one", stay)
    else:
        item = _case(row["text"], stay, row.where, tables)
        if isinstance(item, Case):
            seen.add(int(stay))
        yield item


def _from_text(path: Path) -> Iterator[Case | Dropped]:
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise CaseError(error.strerror or str(error), path=path) from error
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", path.stem).strip("-._") or "note"
    yield _case(text, name, path.name, HospitalTables())


def _without_notes(place: Path) -> Iterator[Dropped | Remark]:
    """Read the tables alone, so that whoever has no notes yet learns how they are."""
    tables = HospitalTables()
    yield from tables.read(place)
    for stay in tables.admissions:
        yield Dropped(f"admission {stay}", "an admission without a note: there is no discharge.csv here")


def _case(text: str, stay: str, where: str, tables: HospitalTables) -> Case | Dropped:
    if len(text.strip()) < _SHORTEST:
        return Dropped(where, "a text too short to be a discharge note", f"{len(text.strip())} characters")
    note = read_note(text)
    admission = tables.admissions.get(stay)
    if note.addendum:
        return Dropped(where, "an addendum")
    if note.expired or (admission is not None and admission.expired):
        return Dropped(where, "the patient died")
    if not note.diagnoses:
        return Dropped(where, "no discharge diagnosis, or a redacted one")
    understood, title = tables.principal(stay)
    race = admission.race if admission else ""
    sex = tables.sexes.get(admission.subject) if admission else None
    who = Demographics(
        age=(tables.age(admission) if admission else None) or note.age,
        sex=sex or note.sex,
        race=None
        if race.upper() in ("", "UNKNOWN", "UNABLE TO OBTAIN", "OTHER", "PATIENT DECLINED TO ANSWER")
        else race,
    )
    return case_of_note(note, f"mimic-{stay}", where, demographics=who, understood=understood, title=title)


def case_of_note(
    note: DischargeNote,
    name: str,
    where: str,
    *,
    demographics: Demographics,
    understood: Coded,
    title: str | None = None,
) -> Case | Dropped:
    """Make the case of a note.

    Args:
        note: What it says.
        name: The case's id.
        where: Where it stands, for reports.
        demographics: Who the patient is.
        understood: The principal code.
        title: The code's name, a synonym of the diagnosis.

    Returns:
        The case, or why there is none. No text of the note is in the reason.
    """
    diagnosis = note.diagnoses[0]
    record = record_of_note(note, diagnosis)
    plan = plan_of(note, {fact.id for fact in record})
    if not any(isinstance(fact, Medication) for fact in plan) and not any(f.kind in _TAUGHT for f in plan):
        return Dropped(where, "a note without medications, instructions, return signs or visits")
    synonyms = (title,) if title and title != diagnosis else ()
    try:
        case = Case(
            id=name,
            source="mimic-note",
            licence=MIMIC_LICENCE,
            credentialed=True,
            chapter=understood.chapter,
            demographics=demographics,
            chief_complaint=note.chief_complaint or "I don't feel well",
            record=record,
            plan=plan,
            diagnosis=Diagnosis(text=diagnosis, icd10=understood.icd10, synonyms=synonyms),
            note=note.text,
        )
    except ValidationError as error:
        field, message = first_problem(error)
        return Dropped(where, "what was read does not make a case", f"{field}: {message}")
    return case.model_copy(update={"questions": questions_of(case)})


_TAUGHT = frozenset({"instruction", "return_sign", "follow_up"})
