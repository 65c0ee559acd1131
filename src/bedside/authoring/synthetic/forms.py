"""Forms of a discharge note: how headings, lists and letters look, and a stay written in one of them."""

import random
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from bedside.authoring.synthetic.drug_lists import HANDS, Written
from bedside.authoring.synthetic.stays import Order, Stay

__all__ = ["Form", "Note", "draw_form", "write_note"]

_LONG = {
    "complaint": "Chief Complaint",
    "procedures": "Major Surgical or Invasive Procedure",
    "hpi": "History of Present Illness",
    "past": "Past Medical History",
    "social": "Social History",
    "family": "Family History",
    "exam": "Physical Exam",
    "results": "Pertinent Results",
    "course": "Brief Hospital Course",
    "home": "Medications on Admission",
    "drugs": "Discharge Medications",
    "disposition": "Discharge Disposition",
    "diagnosis": "Discharge Diagnosis",
    "condition": "Discharge Condition",
    "instructions": "Discharge Instructions",
    "visits": "Followup Instructions",
}
_SHORT = _LONG | {
    "complaint": "CC",
    "hpi": "HPI",
    "past": "PMH",
    "procedures": "Procedures",
    "course": "Hospital Course",
    "home": "Home Medications",
    "drugs": "D/C Meds",
    "diagnosis": "Final Diagnosis",
    "condition": "Condition at Discharge",
    "instructions": "Patient Instructions",
    "visits": "Follow-up",
}
_LABS = ("WBC", "Hgb", "Plt Ct", "Na", "K", "Cl", "HCO3", "UreaN", "Creat", "Glucose", "Calcium", "Mg", "ALT", "AST")
_NARROW = 72


@dataclass(frozen=True)
class Form:
    """The habits of one note.

    Attributes:
        headings: ``title``, ``capitals``, ``tags``, ``short``, ``flat`` or ``commas``.
        hand: A key of :data:`~bedside.authoring.synthetic.drug_lists.HANDS`.
        diagnoses: ``lines``, ``numbers``, ``ranks``, ``rules`` or ``marks``.
        letter: ``sentences``, ``bullets`` or ``questions``.
        visits: ``sentences``, ``lines``, ``fields``, or ``letter`` where the follow-up section is redacted.
        masks: True for ``[**…**]`` instead of ``___``.
        narrow: True if lines are broken at a width.
    """

    headings: str
    hand: str
    diagnoses: str
    letter: str
    visits: str
    masks: bool
    narrow: bool


@dataclass(frozen=True)
class Note:
    """A note and what a reader must find in it.

    Attributes:
        fields: One tuple a field: kind, drug or visit if it belongs to one, value; all lower case.
    """

    text: str
    fields: frozenset[tuple[str, ...]]


def draw_form(rng: random.Random) -> Form:
    """Draw a form; what cannot stand in one, such as a table in a text without newlines, is not drawn."""
    headings = rng.choice(("title", "title", "title", "capitals", "tags", "short", "flat", "commas"))
    flat = headings in ("flat", "commas")
    hand = rng.choice([name for name, hand in HANDS.items() if hand.flat or not flat])
    return Form(
        headings=headings,
        hand=hand,
        diagnoses="numbers" if flat else rng.choice(("lines", "numbers", "ranks", "rules", "marks")),
        letter="sentences" if flat else rng.choice(("sentences", "bullets", "questions")),
        visits="sentences" if flat else rng.choice(("sentences", "lines", "fields", "letter")),
        masks=rng.random() < 0.2,
        narrow=not flat and hand != "table" and rng.random() < 0.5,
    )


def write_note(stay: Stay, form: Form, rng: random.Random) -> Note:
    """Write a stay in a form, with its answers."""
    home, drugs, fields = _lists(stay, form, rng)
    letter, visits = _letter(stay, form)
    sections = {
        "complaint": stay.case.chief_complaint,
        "procedures": _stacked(stay.procedures, form) or "None",
        "hpi": _story(stay, rng),
        "past": "\n".join(f"# {f.text}: stable" for f in stay.case.record if f.kind == "condition" and "allerg" not in f.text) or "None",
        "social": "___",
        "family": "Noncontributory.",
        "exam": "Vitals on discharge: stable. Alert, in no distress. Wound and extremities unremarkable.",
        "results": _results(rng),
        "course": "\n".join(f"# {name}: see above, now improved." for name in stay.diagnoses),
        "home": home,
        "drugs": drugs,
        "disposition": "Home",
        "diagnosis": _diagnoses(stay.diagnoses, form),
        "condition": "Mental Status: Clear and coherent.\nActivity Status: Ambulatory - Independent.",
        "instructions": letter,
        "visits": visits,
    }
    text = _laid_out(stay, sections, form)
    if form.masks:
        text = re.sub(r"___", lambda _: f"[**{rng.choice(('Name', 'Date', 'Hospital'))} {rng.randint(1, 999)}**]", text)
    told: set[tuple[str, ...]] = {("diagnoses", name) for name in stay.diagnoses} | {("procedures", name) for name in stay.procedures}
    told |= {("allergies", name) for name, _ in stay.allergies} | {("sign", _bare(sign)) for sign in stay.signs}
    told |= {("do", text.rstrip(".")) for text in stay.instructions} | {("visit", _bare(whom)) for whom, _ in stay.visits}
    told |= {("visit when", _bare(whom), when) for whom, when in stay.visits}
    return Note(text, frozenset(tuple(part.lower() for part in field) for field in (*told, *fields)))


def _bare(text: str) -> str:
    """Return a noun without its article, as cases have it."""
    return re.sub(r"^(?:an?|any|the) ", "", text)


def _lists(stay: Stay, form: Form, rng: random.Random) -> tuple[str, str, set[tuple[str, ...]]]:
    """Write both medication lists, and what a reader must find in them."""
    hand = HANDS[form.hand]
    fields: set[tuple[str, ...]] = set()
    home: list[tuple[Order, str]] = []
    drugs: list[tuple[Order, str]] = []
    for order in stay.orders:
        if order.change != "new":
            home.append((order, hand.write(replace(order, dose=order.before or order.dose, hidden=""), rng).text))
        written = hand.write(order, rng)
        fields |= {("drug", order.name), ("drug change", order.name, _change(order))}
        if order.change != "stopped":
            fields |= set(_regimen(order, written))
        if order.change != "stopped" or hand.stated:
            drugs.append((order, written.text))
    join = hand.join
    return join(home, False) if home else "None", join(drugs, True) if drugs else "None", fields


def _change(order: Order) -> str:
    """Return what two lists tell: a changed dose that is redacted cannot be seen to have changed."""
    return "continued" if order.change == "changed" and order.hidden == "dose" else order.change


def _regimen(order: Order, written: Written) -> Iterator[tuple[str, ...]]:
    if written.dose and order.hidden != "dose":
        yield "drug dose", order.name, written.dose
    if written.route:
        yield "drug route", order.name, written.route
    needed = " as needed" if order.needed else ""
    if order.hidden != "frequency":
        yield "drug frequency", order.name, order.frequency + needed


def _story(stay: Stay, rng: random.Random) -> str:
    complaints = [f.text for f in stay.case.record if f.kind == "symptom"]
    noun = "woman" if stay.case.demographics.sex == "female" else "man"
    return (
        f"Patient is a ___ year old {noun} who presents with {', '.join(complaints[:4])}. "
        f"{rng.choice(('In the ED vitals were stable.', 'Denies sick contacts.', 'No recent travel.'))}"
    )


def _results(rng: random.Random) -> str:
    """Write laboratory results, which make up most of a real note."""
    days = (f"___ 0{rng.randint(5, 9)}:{rng.randint(10, 59)}AM BLOOD " for _ in range(rng.randint(10, 30)))
    return "\n".join(
        day + " ".join(f"{lab}-{rng.uniform(1, 300):.1f}{'*' * (rng.random() < 0.2)}" for lab in rng.sample(_LABS, 6))
        for day in days
    )


def _stacked(names: Sequence[str], form: Form) -> str:
    return ("; " if form.headings in ("flat", "commas") else "\n").join(names)


def _diagnoses(names: Sequence[str], form: Form) -> str:
    if form.diagnoses == "numbers":
        return "\n".join(f"{number}. {name}" for number, name in enumerate(names, 1))
    if form.diagnoses == "marks":
        return "\n".join(f"# {name}" for name in names)
    ranks = {"ranks": ("Primary:\n", "Secondary:\n"), "rules": ("PRIMARY DIAGNOSIS\n===\n", "SECONDARY DIAGNOSIS\n===\n")}
    first, second = ranks.get(form.diagnoses, ("", ""))
    return first + "\n".join(names[:1]) + (f"\n\n{second}" + "\n".join(names[1:]) if names[1:] else "")


def _letter(stay: Stay, form: Form) -> tuple[str, str]:
    """Write the letter and the follow-up section."""
    orders, visits = list(stay.instructions), _visits(stay.visits, form)
    parts: list[str] = ["Dear ___,\n\nYou were in the hospital because you were ill. We found the cause."]
    if form.letter == "sentences":
        parts += [" ".join(orders), f"Call your doctor if you have {_listed(stay.signs)}." if stay.signs else ""]
    else:
        marks = {"bullets": ("At home:", "Call your doctor or return to the emergency room for any of the following:")}
        what, when = marks.get(form.letter, ("WHAT SHOULD I DO AT HOME?", "WHEN SHOULD I CALL?"))
        parts += ["\n".join((what, *(f"- {text}" for text in orders))) if orders else ""]
        parts += ["\n".join((when, *(f"- {sign}" for sign in stay.signs))) if stay.signs else ""]
    if form.visits == "letter" and visits:
        parts.append(visits)
        visits = "___"
    return "\n\n".join(filter(None, (*parts, "It was a pleasure taking care of you.\nYour ___ Team"))), visits


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])}{',' * (len(words) > 2)} or {words[-1]}"


def _visits(visits: Sequence[tuple[str, str]], form: Form) -> str:
    if form.visits == "fields":
        return "\n\n".join(f"Department: {whom.upper()}\nWhen: {when}\nWith: ___, MD\nBuilding: ___" for whom, when in visits)
    if form.visits == "lines":
        return "\n".join(f"{whom[:1].upper()}{whom[1:]} {when}" for whom, when in visits)
    return " ".join(f"Please follow up with the {_bare(whom)} {when}." for whom, when in visits)


def _laid_out(stay: Stay, sections: Mapping[str, str], form: Form) -> str:
    allergies = " / ".join(f"{name} ({what})" if what else name for name, what in stay.allergies)
    sex = "F" if stay.case.demographics.sex == "female" else "M"
    head = [("Name", "___"), ("Sex", sex), ("Service", "MEDICINE"), ("Allergies", allergies or "No Known Allergies")]
    names = _SHORT if form.headings == "short" else _LONG
    write = _HEADINGS[form.headings]
    parts = [write(name, text) for name, text in (*head, *((names[key], text) for key, text in sections.items()))]
    if form.headings == "flat":
        return " ".join(" ".join(part.split()) for part in parts)
    if form.headings == "commas":
        return ",".join(",".join(line.strip() for line in part.splitlines() if line.strip()) for part in parts)
    text = "\n \n".join(parts)
    if form.narrow:
        text = "\n".join(wrapped for line in text.split("\n") for wrapped in textwrap.wrap(line, _NARROW) or [line])
    return text


_HEADINGS: Mapping[str, Callable[[str, str], str]] = MappingProxyType(
    {
        "title": lambda name, text: f"{name}:\n{text}",
        "capitals": lambda name, text: f"{name.upper()}: {text}",
        "tags": lambda name, text: f"<{name.upper()}>\n{text}",
        "short": lambda name, text: f"{name}: {text}" if len(text) < _NARROW else f"{name}:\n{text}",
        "flat": lambda name, text: f"{name}: {text}",
        "commas": lambda name, text: f"{name.upper()}:,{text}",
    }
)
