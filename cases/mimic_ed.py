"""MIMIC-IV-ED: emergency visits for diagnostic interviews, from the triage, diagnosis and medication tables.

A visit has a chief complaint in a few words, the drugs at home, and a coded diagnosis; it has no note and no plan. Its
symptoms are those of the chief complaint.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern
from typing import NamedTuple

from pydantic import ValidationError

from bedside.cases.case import Case, Demographics, Diagnosis
from bedside.cases.directions import BLANK
from bedside.cases.dropped import Dropped, Remark
from bedside.cases.drugs import read_drug
from bedside.cases.freetext import FactList, items
from bedside.cases.jsonl import CaseError, first_problem
from bedside.cases.mimic_tables import MIMIC_LICENCE, HospitalTables, coded, zeros_kept
from bedside.cases.tables import Row, find_table, is_whole_number, read_table

__all__ = ["read_mimic_ed"]

_SHORT = {
    "sob": "shortness of breath", "doe": "shortness of breath on exertion", "dyspnea": "shortness of breath",
    "abd pain": "abdominal pain", "cp": "chest pain", "ha": "headache", "n": "nausea", "v": "vomiting", "d": "diarrhea",
    "ams": "confusion", "altered mental status": "confusion", "brbpr": "bright red blood from the rectum",
    "loc": "loss of consciousness", "ruq abdominal pain": "right upper abdominal pain", "s": "", "p fall": "fall",
    "s/p fall": "fall", "lbp": "low back pain", "si": "thoughts of suicide", "etoh": "alcohol intoxication",
    "mvc": "car accident", "s/p mvc": "car accident", "b pedal edema": "swelling of both feet",
}  # fmt: skip
_SIDES = ((r"^l\b", "left"), (r"^r\b", "right"), (r"^b\b", "both"))
_WORST_PAIN = 10


@dataclass
class _Visits:
    """What the tables tell, by stay."""

    complaints: dict[str, tuple[str, str]] = field(default_factory=dict)
    diagnoses: dict[str, "_Named"] = field(default_factory=dict)
    drugs: dict[str, list[str]] = field(default_factory=dict)


class _Named(NamedTuple):
    icd10: str | None
    chapter: str | None
    title: str


def read_mimic_ed(place: Path) -> Iterator[Case | Dropped | Remark]:
    """Stream the cases of MIMIC-IV-ED.

    Args:
        place: A folder with ``edstays``, ``triage``, ``diagnosis`` and perhaps ``medrecon``, CSV, gzipped or not; and
            perhaps the hosp table ``patients``, for ages.

    Yields:
        Cases named after the stay, ``mimic-ed-30000001``; what was left out; what was odd.

    Raises:
        CaseError: A table is missing or cannot be read.
    """
    stays = find_table(place, "edstays")
    triage, diagnosis = find_table(place, "triage"), find_table(place, "diagnosis")
    if stays is None or triage is None or diagnosis is None:
        raise CaseError("edstays, triage and diagnosis must be here, as .csv or .csv.gz", path=place)
    tables, visits = HospitalTables(), _Visits()
    yield from tables.read(place)
    yield from _triage(triage, visits)
    yield from _diagnoses(diagnosis, visits)
    if medrecon := find_table(place, "medrecon"):
        yield from _drugs(medrecon, visits)
    for row in read_table(stays, ("subject_id", "stay_id", "gender")):
        yield row if isinstance(row, Dropped) else _visit(row, tables, visits)


def _triage(path: Path, visits: _Visits) -> Iterator[Dropped]:
    for row in read_table(path, ("stay_id", "chiefcomplaint")):
        if isinstance(row, Dropped):
            yield row
        else:
            visits.complaints[row["stay_id"]] = row["chiefcomplaint"], row["pain"]


def _diagnoses(path: Path, visits: _Visits) -> Iterator[Dropped | Remark]:
    kept = zeros_kept(path)
    for row in read_table(path, ("stay_id", "seq_num", "icd_code", "icd_version", "icd_title")):
        if isinstance(row, Dropped):
            yield row
        elif row["seq_num"].removesuffix(".0") == "1":
            understood = coded(row["icd_code"], row["icd_version"].removesuffix(".0"), zeros_kept=kept)
            if understood.remark:
                yield Remark(row.where, understood.remark, row["icd_code"])
            visits.diagnoses[row["stay_id"]] = _Named(understood.icd10, understood.chapter, intern(row["icd_title"]))


def _drugs(path: Path, visits: _Visits) -> Iterator[Dropped]:
    for row in read_table(path, ("stay_id", "name")):
        if isinstance(row, Dropped):
            yield row
        elif row["name"]:
            visits.drugs.setdefault(row["stay_id"], []).append(intern(row["name"]))


def _visit(row: Row, tables: HospitalTables, visits: _Visits) -> Case | Dropped:
    stay = row["stay_id"]
    if not is_whole_number(stay):
        return Dropped(row.where, "a stay without a whole number as id")
    complaint, pain = visits.complaints.get(stay, ("", ""))
    named = visits.diagnoses.get(stay)
    if row["disposition"].upper() == "EXPIRED":
        return Dropped(row.where, "the patient died")
    if not complaint or BLANK in complaint:
        return Dropped(row.where, "no chief complaint, or a redacted one")
    if named is None or not named.title:
        return Dropped(row.where, "no diagnosis")
    return _case(row, complaint, pain, named, visits.drugs.get(stay, []), tables)


def _case(
    row: Row, complaint: str, pain: str, named: _Named, drugs: list[str], tables: HospitalTables
) -> Case | Dropped:
    symptoms = _symptoms(complaint)
    facts = FactList()
    for symptom in symptoms:
        # Triage asks for the pain as a number; many write something else, which says nothing.
        severity = int(pain) if pain.isdigit() and int(pain) <= _WORST_PAIN and "pain" in symptom else None
        facts.add("symptom", symptom, severity=severity)
    for name in drugs:
        drug = read_drug(name)
        if drug.name:
            facts.add("medication", drug.name)
    sex = {"F": "female", "M": "male"}.get(row["gender"].upper())
    title = named.title.capitalize() if named.title.isupper() else named.title
    try:
        return Case.model_validate(
            {
                "id": f"mimic-ed-{row['stay_id'].removesuffix('.0')}",
                "source": "mimic-ed",
                "licence": MIMIC_LICENCE,
                "credentialed": True,
                "chapter": named.chapter,
                "demographics": Demographics.model_validate(
                    {
                        "age": tables.age_in_year(row["subject_id"], row["intime"]),
                        "sex": sex,
                        "race": row["race"] or None,
                    }
                ),
                "chief_complaint": ", ".join(symptoms) or complaint,
                "record": facts.facts(),
                "diagnosis": Diagnosis(text=title, icd10=named.icd10),
            }
        )
    except ValidationError as error:
        where, message = first_problem(error)
        return Dropped(row.where, "what was read does not make a case", f"{where}: {message}")


def _symptoms(complaint: str) -> list[str]:
    """Return a chief complaint in words: "N/V, ABD PAIN" is nausea, vomiting and abdominal pain."""
    found = []
    for item in items(complaint.lower(), split_and=False):
        parts = [item] if item in _SHORT else re.split(r"\s*/\s*", item)
        for part in parts:
            text = _SHORT.get(part, part)
            for short, side in _SIDES:
                text = re.sub(short, side, text)
            if text:
                found.append(text)
    return found
