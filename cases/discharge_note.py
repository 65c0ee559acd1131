"""A discharge note read: sections, medication lists, and the facts of a case.

The note is the only source of what a patient is taught: no table of a hospital has the take-home drugs, the signs on
which to return, or the visits. Rules are general and conservative; what is redacted stays unknown.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from bedside.cases.directions import BLANK
from bedside.cases.fact import AnyFact, Medication
from bedside.cases.freetext import (
    FactList,
    age_in,
    is_uninformative,
    items,
    lower_first,
    outside_parentheses,
    sentences,
    sex_in,
)
from bedside.cases.history import add_allergies, add_family, add_past, add_review, add_social
from bedside.cases.instructions import add_instructions, add_issues, add_visits
from bedside.cases.medication_comparison import compared
from bedside.cases.medication_list import MedicationList, read_medications
from bedside.cases.note_sections import read_sections, unredacted, unwrapped
from bedside.cases.short_lists import diagnoses_in, lines_of_list, procedures_in, says_nothing

__all__ = ["DischargeNote", "plan_of", "read_note", "record_of_note"]


class DischargeNote(NamedTuple):
    """What a note says.

    Attributes:
        text: The note with one mark of redaction, ``___``.
        sections: Text by section; see :func:`bedside.cases.note_sections.read_sections`.
        age: In years; None if it is redacted or not stated.
        sex: ``female``, ``male`` or None.
        chief_complaint: Empty if it is not stated.
        diagnoses: Discharge diagnoses, the primary ones first.
        procedures: Operations and invasive procedures of the stay.
        home: The admission list.
        discharge: The discharge list.
        disposition: Where the patient goes; empty if it is not stated.
        expired: True if the patient died.
        addendum: True if the text only adds to another note.
    """

    text: str
    sections: Mapping[str, str]
    age: int | None
    sex: str | None
    chief_complaint: str
    diagnoses: tuple[str, ...]
    procedures: tuple[str, ...]
    home: MedicationList
    discharge: MedicationList
    disposition: str
    expired: bool
    addendum: bool


_ADDENDUM = re.compile(
    r"\A(?:\W*+(?:name|unit no|admission date|discharge date|date of birth|sex|service)\b[^\n]*+\n)*+"
    r"\W*+addendum\b",
    re.IGNORECASE,
)
_EXPIRED = re.compile(r"\b(?:expired|deceased|died|death|passed away|comfort measures.*expired)\b", re.IGNORECASE)
_NOT_EXPIRED = re.compile(r"\b(?:not|never) expired|\bfamily|hospice", re.IGNORECASE)
_TREATED = re.compile(
    r"\b(?:(?:was|were|been) (?:treated|managed|given|started|placed|diuresed|maintained|resuscitated|transitioned|"
    r"bridged)|received|treated)\s+"
    r"(?:with|on|to)?\s*(?:an? |the )?(?P<what>[a-z][a-z0-9 /-]{3,60}?)(?=[.;,(]|\s(?:with|for|and|which|to|in|on|"
    r"until|after|x|during|at|while|due|given|as|but|prior|then|per|from|by|overnight|over)\b)",
    re.IGNORECASE,
)
_NO_TREATMENT = re.compile(
    r"\b(?:plan|home|outpatient|pcp|follow|discharge|monitor|conservativ|him|her|his|them|medically|appropriate|"
    r"floor|icu|same|regular|diet|"
    r"history|well|this|that|these|some|any)\b",
    re.IGNORECASE,
)
_MOST_TREATMENTS = 5


# Wider than any column of a table: so many blanks, or empty lines, tell no more than these do.
_WIDE = re.compile(r"((\s)\2{39})\2++")


def read_note(text: str) -> DischargeNote:
    """Read a discharge note in any of the forms described in ``docs/data.md``."""
    text = unredacted(_WIDE.sub(r"\1", text))
    sections = read_sections(unwrapped(text))
    story = " ".join((sections.get("hpi", ""), sections.get("course", ""))).strip()
    head = text[:600]
    sex = re.match(r"\W*(female|male|f|m)\b", sections.get("sex", ""), re.IGNORECASE)
    disposition = " ".join(sections.get("disposition", "").split("\n\n")[0].split())
    condition = sections.get("condition", "")[:80]
    return DischargeNote(
        text=text,
        sections=sections,
        age=_age(story or text) or _stated_age(head),
        sex={"f": "female", "m": "male"}[sex[1][0].lower()] if sex else sex_in(story[:200], story) or sex_in(head, ""),
        chief_complaint=_plain_line(sections.get("chief_complaint", "")),
        diagnoses=tuple(diagnoses_in(sections)),
        procedures=tuple(procedures_in(sections.get("procedures", ""))),
        home=read_medications(sections.get("home_medications")),
        discharge=read_medications(sections.get("discharge_medications")),
        disposition="" if disposition.strip("_ .") == "" else disposition,
        expired=any(_EXPIRED.search(part) and not _NOT_EXPIRED.search(part) for part in (disposition, condition)),
        addendum=_ADDENDUM.match(text) is not None,
    )


_AGE = re.compile(
    r"(?:^|\W)(?P<age>\d{1,3})\s*-?\s*(?:y(?:ea)?rs?|y/?o\b|y\.o\.|"
    r"yo[mfw]?\b)[- ]?(?:old)?",
    re.IGNORECASE,
)
_AGE_SEX = re.compile(
    r"^\W*(?:(?:mr|ms|mrs|patient|pt|this|is|a|an|the)\b\W*|"
    r"_{3}\W*)*(?P<age>\d{1,3})\s?-?(?:[MF]\b|year)",
    re.IGNORECASE,
)


def _age(story: str) -> int | None:
    """Return the age that the story begins with; ages of relatives come later, and a redacted one is not known."""
    story = re.sub(r"\b(Dr|Mr|Mrs|Ms|Pt)\.", r"\1", " ".join(story.split()))
    opening = re.split(r"(?<=[.!?])\s", story)[0][:300]
    if match := _AGE_SEX.match(opening) or _AGE.search(opening):
        age = int(match["age"])
        return (
            age
            if age <= _OLDEST and BLANK not in opening[max(0, match.start("age") - 4) : match.start("age")]
            else None
        )
    if match := re.search(r"\bage[d:]?\s*(?P<age>\d{1,3})\b", opening, re.IGNORECASE):
        return int(match["age"])
    return age_in(opening) if re.search(r"\d+[- ](?:month|week|day)s?[- ]old", opening) else None


def _stated_age(head: str) -> int | None:
    stated = re.search(r"\bAge(?: ?/ ?Sex)?:\s*(\d{1,3})\b", head, re.IGNORECASE)
    return int(stated[1]) if stated and int(stated[1]) <= _OLDEST else None


_OLDEST = 120


def _plain_line(text: str) -> str:
    line = " ".join(text.split("\n\n")[0].split()).strip(" .:-*\"'")
    return "" if (BLANK in line and len(line.strip("_ .,")) < 4) or is_uninformative(line) else line


def record_of_note(note: DischargeNote, diagnosis: str) -> tuple[AnyFact, ...]:
    """Return what the patient can be asked about.

    Args:
        note: The note.
        diagnosis: The hidden answer of an interview; a condition of that name stays out.
    """
    facts = FactList()
    for complaint in _complaints(note.chief_complaint):
        if complaint.lower() != diagnosis.lower():
            facts.add("symptom", lower_first(complaint))
    opening = _prose(note.sections.get("hpi", ""))
    add_review(facts, opening)
    add_past(facts, _listed(note.sections.get("past", "")))
    add_past(facts, _listed(note.sections.get("past_surgical", "")))
    add_allergies(facts, _allergies(note.sections.get("allergies", "")))
    add_family(facts, _listed(note.sections.get("family", "")))
    add_social(facts, _prose(note.sections.get("social", "")))
    for drug in note.home.drugs:
        facts.add("medication", drug.name, **drug.attributes() | _lay(drug.brand))
    kept = (fact for fact in facts.facts() if BLANK not in fact.text)
    return tuple(fact for fact in kept if fact.kind != "condition" or fact.text.lower() != diagnosis.lower())


def _complaints(text: str) -> list[str]:
    return [
        part
        for item in items(text.replace("/", ", "))
        if (part := item.strip()) and BLANK not in part and len(part) > 2
    ]


def _prose(text: str) -> list[str]:
    return [s for s in sentences(" ".join(text.split())) if BLANK not in s]


def _listed(text: str) -> list[str]:
    """Return the items of a history, without the headings that some problems get."""
    lines = (re.sub(r"^(?:PMH|PSH|Past [\w ]+ History)\s*:\s*", "", line) for line in lines_of_list(text))
    return [line for line in lines if BLANK not in line and not line.endswith(":") and not says_nothing(line)]


def _allergies(text: str) -> list[str]:
    text = _NONE_KNOWN.sub("", " ".join(_ROW.sub(_as_reaction, text).split()))
    text = _AKA.sub(lambda m: m[0] if _REACTION.search(m[0]) else "", text)
    text = _DASHED.sub(r"\1 (\2)", text)
    parts = outside_parentheses(r"\s*[/;,]\s*(?:and )?|\s+and\s+", text)
    return [
        part
        for part in parts
        if BLANK not in part
        and not re.match(
            r"no known|nkd?a\b|none\b|"
            r"patient\b",
            part,
            re.IGNORECASE,
        )
    ]


def _as_reaction(row: re.Match[str]) -> str:
    """Put a row of a table, "• Penicillin<tab>Hives", as a list would; its header is nobody's allergy."""
    return "" if _ALLERGY_COLUMN.match(row["name"]) else f"{row['name']} ({row['reaction']});"


_CELL = r"[^\s|]++(?:[^\S\t\n]++[^\s|]++)*+"
_ROW = re.compile(
    rf"^[^\S\n]*+(?:[-*•|]\s*+)?(?P<name>{_CELL})\s*[\t|]+\s*+(?P<reaction>{_CELL})\s*(?:\|\s*)?$", re.MULTILINE
)
_ALLERGY_COLUMN = re.compile(r"\W*(?:allergen|allergy|agent|substance|drug|medication)s?\W*$|-+$", re.IGNORECASE)
_NONE_KNOWN = re.compile(
    r"(?:^patient recorded as having |^allergic to )|\b(?:no known|"
    r"nkd?a\b)(?: drug)?(?: allergies)?(?: to (?:drugs|medications))?"
    r"(?:\s*(?:/|or|and)\s*adverse (?:drug )?reactions)?",
    re.IGNORECASE,
)
# "Sulfa (Sulfonamide Antibiotics)" says what sulfa is; "Sulfa (rash)" what it does.
_REACTION = re.compile(
    r"rash|hives|itch|prurit|anaphyl|swell|edema|nausea|vomit|diarrhea|cough|breath|urticaria|throat|gi upset|"
    r"upset|bleed|confus|hallucin|"
    r"unknown|angio|wheez|fever|dizz|headache|failure|pain|syndrome|stevens|blister|muscle|cramps?|palpit|hypotens|"
    r"flush|shock|toler",
    re.IGNORECASE,
)
_AKA = re.compile(r"\s*\([^)]*\)")
_DASHED = re.compile(
    rf"([A-Za-z]\w*+(?: ++\w++)*?)\s*+(?:[-–:=]+>?|\bcauses\b)\s*+((?:{_REACTION.pattern})[\w ]*)", re.IGNORECASE
)


def plan_of(note: DischargeNote, taken: set[str]) -> tuple[AnyFact, ...]:
    """Return what the patient has to learn: diagnoses, what was done, drugs, instructions, return signs, visits.

    Args:
        note: The note.
        taken: Ids that the record uses.
    """
    plan = FactList(taken)
    for name in note.diagnoses:
        plan.add("condition", lower_first(name))
    for name in note.procedures:
        plan.add("procedure", lower_first(name))
    for name in _treatments(note.sections.get("course", "")):
        plan.add("treatment", name)
    for name in ("instructions", "regimen", "follow_up"):
        read = add_visits if name == "follow_up" else add_instructions
        read(plan, note.sections.get(name, ""))
    if not plan.rows("follow_up"):
        add_issues(plan, note.sections.get("transitional", ""))
    told = plan.facts()
    before = [fact for fact in told if fact.kind in _BEFORE_DRUGS]
    after = [fact for fact in told if fact.kind not in _BEFORE_DRUGS]
    return (*before, *_medications(note, taken | {fact.id for fact in told}), *after)


_BEFORE_DRUGS = frozenset({"condition", "procedure", "treatment"})


def _treatments(course: str) -> list[str]:
    found: list[str] = []
    for match in _TREATED.finditer(" ".join(course.split())):
        name = lower_first(match["what"].strip())
        if BLANK not in name and not _NO_TREATMENT.search(name) and len(name.split()) <= 5 and name not in found:
            found.append(name)
    return found[:_MOST_TREATMENTS]


def _medications(note: DischargeNote, used: set[str]) -> Iterator[Medication]:
    """Yield the drugs; one that is taken at two doses is two facts, which a list of distinct words would not hold."""
    for found in compared(note.home, note.discharge):
        drug = found.drug
        stem = re.sub(r"[^a-z0-9]+", "-", drug.name.lower()).strip("-")[:40].strip("-")
        number = next(n for n in range(1, len(used) + 2) if (stem if n == 1 else f"{stem}-{n}") not in used)
        used.add(name := stem if number == 1 else f"{stem}-{number}")
        given: dict[str, Any] = {} if found.change == "stopped" else drug.attributes()
        given |= {"change": found.change, "previous": found.previous} | _lay(drug.brand)
        yield Medication(id=name, text=drug.name, **given)


def _lay(brand: str | None) -> dict[str, tuple[str, ...]]:
    return {"lay": (brand,)} if brand else {}
