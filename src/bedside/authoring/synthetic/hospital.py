"""A folder shaped like MIMIC-IV-Note with its hosp tables, full of synthetic notes; and the answers beside it."""

import csv
import gzip
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import orjson

from bedside.authoring.synthetic.forms import draw_form, write_note
from bedside.authoring.synthetic.stays import draw_stay
from bedside.cases.case import Case
from bedside.cases.seeds import stream

__all__ = ["ANSWERS", "Answer", "read_answers", "write_hospital"]

ANSWERS = "answers.jsonl"
_FIRST_STAY = 20_000_001
_FIRST_PATIENT = 10_000_001
_YEAR = 2150
_TABLES = {
    "note/discharge": ("note_id", "subject_id", "hadm_id", "note_type", "note_seq", "charttime", "storetime", "text"),
    "hosp/patients": ("subject_id", "gender", "anchor_age", "anchor_year", "anchor_year_group", "dod"),
    "hosp/admissions": ("subject_id", "hadm_id", "admittime", "dischtime", "deathtime", "race", "hospital_expire_flag"),
    "hosp/diagnoses_icd": ("subject_id", "hadm_id", "seq_num", "icd_code", "icd_version"),
}


class Answer(NamedTuple):
    """What an import must make of a note.

    Attributes:
        stay: The admission id.
        form: The note's habits, for finding what is hard.
        dropped: Why there must be no case; empty if there must be one.
        fields: As :attr:`bedside.authoring.synthetic.forms.Note.fields`.
    """

    stay: str
    form: dict[str, object]
    dropped: str
    fields: frozenset[tuple[str, ...]]


def write_hospital(
    folder: Path, cases: Sequence[Case], number: int, seed: int, *, watch: Callable[[], None] = lambda: None
) -> None:
    """Write notes, tables and answers.

    Args:
        folder: Made if it is not there; ``note`` and ``hosp`` go into it, gzipped, and ``answers.jsonl``.
        cases: Open cases to retell.
        number: Of admissions; one note in fifty is of a patient who died, one more an addendum.
        seed: The same seed gives the same bytes.
        watch: Called at every note.
    """
    for name in ("note", "hosp"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        tables = {name: _Table(stack, folder / f"{name}.csv.gz", header) for name, header in _TABLES.items()}
        answers = stack.enter_context((folder / ANSWERS).open("wb"))
        for index in range(number):
            answer = _admit(tables, index, cases, stream(seed, "synthetic note", index))
            row = answer._asdict() | {"fields": sorted(answer.fields)}
            answers.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
            watch()


class _Table:
    """A gzipped CSV file that bears no time of writing, so that the same rows are the same bytes."""

    def __init__(self, stack: ExitStack, path: Path, header: Sequence[str]) -> None:
        raw = stack.enter_context(path.open("wb"))
        zipped = stack.enter_context(gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=1, mtime=0))
        self._zipped = zipped
        self.write(header)

    def write(self, row: Sequence[object]) -> None:
        """Add a row."""
        line = _Line()
        csv.writer(line, lineterminator="\n").writerow(row)
        self._zipped.write(line.text.encode())


class _Line:
    text = ""

    def write(self, text: str) -> None:
        self.text += text


def _admit(tables: dict[str, _Table], index: int, cases: Sequence[Case], rng: random.Random) -> Answer:
    case = rng.choice(cases)
    form = draw_form(rng)
    note = write_note(draw_stay(case, rng), form, rng)
    stay, patient = str(_FIRST_STAY + index), _FIRST_PATIENT + index
    died = rng.random() < 0.02
    year = _YEAR + rng.randint(-3, 3)
    age = case.demographics.age or 50
    tables["hosp/patients"].write(
        (patient, "F" if case.demographics.sex == "female" else "M", age, year, "2014 - 2016", "")
    )
    admitted = f"{year}-0{rng.randint(1, 9)}-1{rng.randint(0, 9)} 08:00:00"
    tables["hosp/admissions"].write(
        (patient, stay, admitted, admitted, admitted if died else "", case.demographics.race, int(died))
    )
    code = (case.diagnosis.icd10 or "").replace(".", "")
    tables["hosp/diagnoses_icd"].write((patient, stay, 1, code, 10))
    tables["note/discharge"].write((f"{patient}-DS-1", patient, stay, "DS", 1, admitted, admitted, note.text))
    if rng.random() < 0.02:
        tables["note/discharge"].write((f"{patient}-AD-2", patient, stay, "AD", 2, admitted, admitted, "Addendum: none."))
    who = {("age", str(age)), ("sex", case.demographics.sex or ""), ("chapter", (case.chapter or "").lower())}
    return Answer(stay, vars(form).copy(), "the patient died" if died else "", note.fields | who)


def read_answers(folder: Path) -> Iterator[Answer]:
    """Stream the answers of a folder that :func:`write_hospital` wrote."""
    with (folder / ANSWERS).open("rb") as rows:
        for row in map(orjson.loads, rows):
            yield Answer(row["stay"], row["form"], row["dropped"], frozenset(map(tuple, row["fields"])))
