"""What MIMIC's hosp tables add to a note: age, sex, race, principal code, and whether the stay ended in death.

Each table is read once, and a few bytes of each admission are kept, so that notes can then stream past. Spreadsheets
that cut centuries and zeros are undone where only one reading is possible, and reported.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern
from typing import NamedTuple

from bedside.cases.chapters import chapter_of
from bedside.cases.dropped import Dropped, Remark
from bedside.cases.icd9 import category_of_icd9, chapter_of_icd9, readings_of_icd9
from bedside.cases.tables import Row, find_table, is_whole_number, read_table

__all__ = ["MIMIC_LICENCE", "Admission", "Coded", "HospitalTables", "coded", "dotted", "zeros_kept"]

MIMIC_LICENCE = "PhysioNet Credentialed Health Data License 1.5.0"
OVER_89 = 91
"""MIMIC's age of everybody above 89; it is no age."""
_HALF_A_CENTURY = 50


class Coded(NamedTuple):
    """A diagnosis code understood.

    Attributes:
        icd10: Dotted ICD-10-CM code or category; None if an ICD-9 code has no single counterpart.
        chapter: Key of the merged chapter.
        remark: What was odd with it, or empty.
        whole: The code without dot and with its zeros; empty if it could not be understood.
    """

    icd10: str | None
    chapter: str | None
    remark: str = ""
    whole: str = ""


class Admission(NamedTuple):
    """What the admissions table tells of a stay."""

    subject: str
    year: int | None
    race: str
    expired: bool


@dataclass
class HospitalTables:
    """The tables that were found; whatever is missing tells nothing.

    Attributes:
        sexes: By patient.
        anchors: Age and year to which it belongs, by patient.
        admissions: By admission id.
        codes: Principal code and its version, by admission id.
        titles: Names by version and code.
    """

    sexes: dict[str, str] = field(default_factory=dict)
    anchors: dict[str, tuple[int, int]] = field(default_factory=dict)
    admissions: dict[str, Admission] = field(default_factory=dict)
    codes: dict[str, tuple[str, str]] = field(default_factory=dict)
    titles: dict[tuple[str, str], str] = field(default_factory=dict)
    _zeros_kept: bool = True

    def read(self, place: Path) -> Iterator[Dropped | Remark]:
        """Read the tables in a folder, reporting what is damaged."""
        for name, columns, keep in (
            ("patients", ("subject_id", "gender", "anchor_age", "anchor_year"), self._patient),
            ("admissions", ("subject_id", "hadm_id", "admittime"), self._admission),
            ("diagnoses_icd", ("hadm_id", "seq_num", "icd_code", "icd_version"), self._code),
            ("d_icd_diagnoses", ("icd_code", "icd_version", "long_title"), self._title),
        ):
            if path := find_table(place, name):
                if name == "diagnoses_icd":
                    self._zeros_kept = zeros_kept(path)
                for row in read_table(path, columns):
                    yield from (row,) if isinstance(row, Dropped) else keep(row)

    def age(self, admission: Admission) -> int | None:
        """Return the age at a stay; None above 89, where MIMIC hides it."""
        return self._aged(admission.subject, admission.year)

    def age_in_year(self, subject: str, when: str) -> int | None:
        """Return a patient's age at a time as the tables write it."""
        return self._aged(subject, self._year(when, subject)[0])

    def _aged(self, subject: str, year: int | None) -> int | None:
        anchor = self.anchors.get(subject)
        if anchor is None or anchor[0] >= OVER_89 or year is None:
            return None
        age = anchor[0] + year - anchor[1]
        return age if 0 <= age < OVER_89 else None

    def _patient(self, row: Row) -> Iterator[Dropped | Remark]:
        subject = row["subject_id"]
        if not (
            is_whole_number(subject) and is_whole_number(row["anchor_age"]) and is_whole_number(row["anchor_year"])
        ):
            yield Dropped(row.where, "a patient without a whole number as id, age or year")
            return
        self.anchors[subject] = int(row["anchor_age"]), int(row["anchor_year"])
        if row["gender"] in ("F", "M"):
            self.sexes[subject] = "female" if row["gender"] == "F" else "male"

    def _admission(self, row: Row) -> Iterator[Dropped | Remark]:
        subject, stay = row["subject_id"], row["hadm_id"]
        if not (is_whole_number(subject) and is_whole_number(stay)):
            yield Dropped(row.where, "an admission without a whole number as id")
            return
        year, odd = self._year(row["admittime"], subject)
        if odd:
            yield Remark(row.where, odd, row["admittime"])
        died = row["hospital_expire_flag"] == "1" or bool(row["deathtime"])
        self.admissions[stay] = Admission(intern(subject), year, intern(row["race"]), died)

    def _year(self, when: str, subject: str) -> tuple[int | None, str]:
        """Return the year of a time; a two-digit one is the one near the patient's anchor year."""
        if match := re.match(r"(\d{4})-\d\d?-\d\d?", when):
            return int(match[1]), ""
        anchor = self.anchors.get(subject)
        if (match := re.match(r"\d\d?/\d\d?/(\d\d)(\d\d)?\b", when)) and match[2]:
            return int(match[1] + match[2]), ""
        if match is None or anchor is None:
            return None, "a time of admission that cannot be read; the age is not known"
        century = anchor[1] - anchor[1] % 100
        years = (century + int(match[1]) + shift for shift in (-100, 0, 100))
        year = min(years, key=lambda y: abs(y - anchor[1]))
        if abs(year - anchor[1]) >= _HALF_A_CENTURY:
            return None, "a time of admission that cannot be read; the age is not known"
        return year, "a time without its century, which the patient's anchor year gives"

    def _code(self, row: Row) -> Iterator[Dropped | Remark]:
        stay, version = row["hadm_id"], row["icd_version"].removesuffix(".0")
        if not is_whole_number(stay) or version not in ("9", "10") or not row["icd_code"]:
            yield Dropped(row.where, "a diagnosis without admission, code or version")
            return
        understood = coded(row["icd_code"], version, zeros_kept=self._zeros_kept)
        if understood.remark:
            now = f"{row['icd_code']} is {understood.whole}" if understood.whole else row["icd_code"]
            yield Remark(row.where, understood.remark, now)
        if row["seq_num"].removesuffix(".0") == "1" and understood.whole:
            self.codes[stay] = intern(understood.whole), version

    def _title(self, row: Row) -> Iterator[Dropped | Remark]:
        self.titles[row["icd_version"], row["icd_code"]] = row["long_title"]
        yield from ()

    def principal(self, stay: str) -> tuple[Coded, str | None]:
        """Return the principal code of a stay and its name."""
        code, version = self.codes.get(stay, ("", ""))
        if not code:
            return Coded(None, None), None
        # The code was completed when it was read.
        return coded(code, version, zeros_kept=True), self.titles.get((version, code))


def zeros_kept(path: Path) -> bool:
    """Say whether a table of codes has one that begins with zero; in whole tables it comes within a few rows."""
    rows = read_table(path, ("icd_code", "icd_version"))
    return any(isinstance(row, Row) and row["icd_version"] == "9" and row["icd_code"].startswith("0") for row in rows)


def coded(code: str, version: str, *, zeros_kept: bool) -> Coded:
    """Understand a diagnosis code.

    Args:
        code: As in the table, without dot.
        version: ``9`` or ``10``.
        zeros_kept: True if the table has codes that begin with zero, so that no other code can have lost one.
    """
    plain = code.strip().upper().replace(".", "")
    if version == "10":
        chapter = chapter_of(plain)
        return Coded(dotted(plain), chapter, "", plain) if chapter else Coded(None, None, "no ICD-10-CM code; not used")
    readings = readings_of_icd9(plain)
    if zeros_kept:
        readings = [reading for reading in readings if reading == plain]
    if len(readings) != 1:
        return Coded(None, None, _AMBIGUOUS if readings else "no ICD-9-CM code; not used")
    (whole,) = readings
    return Coded(category_of_icd9(whole), chapter_of_icd9(whole), "" if whole == plain else _RESTORED, whole)


_AMBIGUOUS = "an ICD-9 code that is valid with and without a leading zero; not used"
_RESTORED = "an ICD-9 code without its leading zeros, which were restored"


def dotted(code: str) -> str:
    """Return an ICD-10-CM code with its dot."""
    return code if len(code) <= 3 else f"{code[:3]}.{code[3:]}"
