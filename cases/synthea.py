"""Synthea: simulated patients as CSV tables, one case a visit in which a disorder was found.

Synthetic data without licence worries, and without symptoms, doses or instructions: they serve tests of scale and the
teaching of diagnoses, procedures and new drugs.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bedside.cases.case import Case
from bedside.cases.dropped import Dropped
from bedside.cases.health_record import Order, Visit, case_of_visit
from bedside.cases.jsonl import CaseError
from bedside.cases.tables import Row, find_table, read_table

__all__ = ["read_synthea"]

LICENCE = "Apache-2.0"
_MOST_BEFORE = 12
"""Conditions and procedures of the past that a patient tells of: the latest."""


@dataclass
class _Patients:
    """Rows by patient; a whole patient is needed to know what came before a visit."""

    rows: dict[str, dict[str, list[Row]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))
    who: dict[str, Row] = field(default_factory=dict)


def read_synthea(place: Path) -> Iterator[Case | Dropped]:
    """Stream the cases of a folder of Synthea CSV files.

    Args:
        place: Holds ``patients``, ``encounters`` and ``conditions``, and perhaps ``medications``, ``allergies``,
            ``procedures`` and ``careplans``, CSV, gzipped or not.

    Yields:
        Cases named after the start of the encounter's id, and what was left out.

    Raises:
        CaseError: A table is missing or cannot be read.
    """
    patients = _Patients()
    people, encounters = find_table(place, "patients"), find_table(place, "encounters")
    if people is None or encounters is None or find_table(place, "conditions") is None:
        raise CaseError("patients.csv, encounters.csv and conditions.csv must be here", path=place)
    for row in read_table(people, ("id", "birthdate", "gender")):
        if isinstance(row, Dropped):
            yield row
        else:
            patients.who[row["id"]] = row
    for name in ("conditions", "medications", "allergies", "procedures", "careplans"):
        if path := find_table(place, name):
            for row in read_table(path, ("patient", "encounter", "start", "description")):
                if isinstance(row, Dropped):
                    yield row
                else:
                    patients.rows[row["patient"]][name].append(row)
    for row in read_table(encounters, ("id", "start", "patient", "encounterclass")):
        yield row if isinstance(row, Dropped) else _visit(row, patients)


def _visit(row: Row, patients: _Patients) -> Case | Dropped:
    who = patients.who.get(row["patient"])
    if who is None:
        return Dropped(row.where, "an encounter of a patient who is not in patients.csv")
    tables = patients.rows[row["patient"]]
    here = {name: [r for r in rows if r["encounter"] == row["id"]] for name, rows in tables.items()}
    conditions = [r["description"] for r in here.get("conditions", ())]
    disorders = [text for text in conditions if not text.endswith(("(finding)", "(situation)"))]
    if not disorders:
        return Dropped(row.where, "an encounter in which no disorder was found")
    if who["deathdate"] and row["stop"].startswith(who["deathdate"]):
        return Dropped(row.where, "the patient died")
    start = row["start"]
    past = [
        r
        for r in tables.get("conditions", ())
        if r["start"] < start[:10] and (not r["stop"] or r["stop"] >= start[:10])
    ]
    taken = [r for r in tables.get("medications", ()) if r["start"] < start and (not r["stop"] or r["stop"] > start)]
    old = [r for r in tables.get("procedures", ()) if r["start"] < start and r["reasondescription"]]
    visit = Visit(
        id=f"synthea-{row['id'][:13]}",
        source="synthea",
        licence=LICENCE,
        demographics=_demographics(who, start),
        diagnosis=disorders[0],
        findings=[text for text in conditions if text != disorders[0]],
        before=[r["description"] for r in past][-_MOST_BEFORE:],
        taken=[Order(r["description"], r["reasondescription"]) for r in taken],
        ordered=[Order(r["description"], r["reasondescription"]) for r in here.get("medications", ())],
        allergies=[
            (r["description"], r["description1"]) for r in tables.get("allergies", ()) if r["start"] <= start[:10]
        ],
        procedures=[(r["description"], "") for r in here.get("procedures", ())],
        past_procedures=[(r["description"], r["start"][:4]) for r in old][-_MOST_BEFORE:],
        care=[r["description"] for r in here.get("careplans", ())],
    )
    return case_of_visit(visit, row.where)


def _demographics(who: Row, when: str) -> dict[str, Any]:
    found: dict[str, Any] = {"race": who["race"] or None, "sex": {"F": "female", "M": "male"}.get(who["gender"])}
    born, now = who["birthdate"][:10].split("-"), when[:10].split("-")
    if len(born) == len(now) == 3:
        found["age"] = int(now[0]) - int(born[0]) - (now[1:] < born[1:])
    return found
