"""Is a set of cases even: no two alike, no diagnosis too often, and how it is made up."""

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

import numpy as np
from rich.table import Table

from bedside.authoring.finding import Finding
from bedside.cases.case import CHAPTERS, Case
from bedside.cases.fact import Medication
from bedside.verifier.knowledge.encoder import Encoder
from bedside.verifier.language.readability import grade_level

__all__ = ["Pair", "closest_pairs", "balance_findings", "balance_table", "drugs_of"]

MOST_OF_A_DIAGNOSIS = 3
ALIKE = 0.95
"""Cosine of two notes from which they are one course told twice."""


class Pair(NamedTuple):
    """Two cases and the cosine of their notes."""

    first: Case
    second: Case
    cosine: float


def drugs_of(cases: Sequence[Case]) -> Counter[str]:
    """Count in how many plans each drug stands."""
    return Counter(name for case in cases for name in {f.text.lower() for f in case.plan if isinstance(f, Medication)})


def balance_findings(cases: Sequence[Case]) -> Iterator[tuple[Case, Finding]]:
    """Yield cases that come too often: more than three of a three-character category in a chapter with one text."""
    seen: Counter[tuple[str | None, str]] = Counter()
    for case in cases:
        key = (case.chapter, case.diagnosis.icd10 or case.diagnosis.text.lower())
        seen[key] += 1
        if seen[key] > MOST_OF_A_DIAGNOSIS:
            many = f"{seen[key]} cases of {key[1]} in a chapter; at most {MOST_OF_A_DIAGNOSIS}"
            yield case, Finding("diagnosis.icd10", many)


def closest_pairs(cases: Sequence[Case], count: int, encoder: Encoder) -> list[Pair]:
    """Return the pairs of cases whose notes are nearest in meaning, nearest first.

    Args:
        cases: Cases; those without a note are left out.
        count: How many pairs.
        encoder: Gives unit vectors.
    """
    noted = [case for case in cases if case.note]
    if len(noted) < 2:
        return []
    vectors = encoder.encode([_course(case) for case in noted])
    cosines = np.triu(vectors @ vectors.T, k=1)
    nearest = np.argsort(cosines, axis=None)[::-1][:count]
    rows, columns = np.unravel_index(nearest, cosines.shape)
    return [Pair(noted[i], noted[j], float(cosines[i, j])) for i, j in zip(rows, columns, strict=True) if i != j]


def _course(case: Case) -> str:
    """Return the part of a note that tells one patient from another, for the encoder reads only some 250 words."""
    start = case.note.find("Chief Complaint")
    return case.note[max(start, 0) :]


def balance_table(cases: Sequence[Case]) -> Table:
    """Return chapter by chapter: cases, diagnoses, drugs, questions, lengths and reading grades of the notes."""
    columns = ("chapter", "cases", "diagnoses", "drugs", "women", "age", "questions", "words", "grade")
    table = Table(*columns, title="Cases; length and reading grade are those of the notes")
    for chapter in (*CHAPTERS, None):
        members = [case for case in cases if case.chapter == chapter]
        if members:
            table.add_row(chapter or "-", *_row(members))
    table.add_section()
    table.add_row("all", *_row(cases))
    return table


def _row(cases: Sequence[Case]) -> tuple[str, ...]:
    words = sorted(len(case.note.split()) for case in cases)
    ages = sorted(case.demographics.age or 0 for case in cases)
    grades = [grade for case in cases if (grade := grade_level(case.note)) is not None]
    return (
        str(len(cases)),
        str(len({case.diagnosis.icd10 or case.diagnosis.text for case in cases})),
        str(len(drugs_of(cases))),
        str(sum(case.demographics.sex == "female" for case in cases)),
        f"{ages[0]}-{ages[-1]}",
        str(sum(len(case.questions) for case in cases)),
        f"{words[0]}-{words[-1]}",
        f"{median(grades):.1f}" if grades else "-",
    )
