"""One stay in hospital, drawn from an open case: what its note is going to say, and so what a reader must find."""

import random
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeVar

from bedside.cases.case import Case
from bedside.cases.fact import Medication

__all__ = ["FREQUENCIES", "ROUTES", "UNITS", "Frequency", "Order", "Stay", "draw_stay"]

Change = Literal["new", "changed", "continued", "stopped"]
Hidden = Literal["", "dose", "frequency"]
Item = TypeVar("Item")


class Frequency(NamedTuple):
    """One frequency in three hands: orders of a computer, the pharmacy's long form, and words to a patient."""

    code: str
    long: str
    words: str


FREQUENCIES = {
    "once daily": Frequency("DAILY", "DAILY (Daily)", "once a day"),
    "twice daily": Frequency("BID", "BID (2 times a day)", "twice a day"),
    "three times daily": Frequency("TID", "TID (3 times a day)", "three times a day"),
    "four times daily": Frequency("QID", "QID (4 times a day)", "four times a day"),
    "once daily at bedtime": Frequency("QHS", "HS (at bedtime)", "at bedtime"),
    "once daily in the morning": Frequency("QAM", "QAM (once a day (in the morning))", "every morning"),
    "once daily in the evening": Frequency("QPM", "QPM (once a day (in the evening))", "every evening"),
    "every 4 hours": Frequency("Q4H", "Q4H (every 4 hours)", "every 4 hours"),
    "every 6 hours": Frequency("Q6H", "Q6H (every 6 hours)", "every 6 hours"),
    "every 8 hours": Frequency("Q8H", "Q8H (every 8 hours)", "every 8 hours"),
    "every 12 hours": Frequency("Q12H", "Q12H (every 12 hours)", "every 12 hours"),
    "twice daily with meals": Frequency("BID W/MEALS", "BID (2 times a day) with meals", "twice a day with meals"),
    "three times daily with meals": Frequency("TID W/MEALS", "TID W/MEALS", "three times a day with meals"),
    "every other day": Frequency("EVERY OTHER DAY", "EVERY OTHER DAY (Every Other Day)", "every other day"),
    "once a week": Frequency("1X/WEEK", "once a week", "once a week"),
}
"""Frequencies in the words of an imported case; one of them as needed adds to these."""

_SAME = {"once weekly": "once a week", "twice daily with food": "twice daily with meals"}

ROUTES = {
    "by mouth": ("PO", "PO", "by mouth"),
    "under the skin": ("SC", "Subcutaneous", "under the skin"),
    "under the tongue": ("SL", "Sublingual", "under the tongue"),
    "into a muscle": ("IM", "Intramuscular", "into a muscle"),
    "on the skin": ("TP", "Topical", "on the skin"),
    "in the nose": ("NU", "Nasal", "in the nose"),
    "in the right eye": ("RIGHT EYE", "in the right eye", "in the right eye"),
    "rectally": ("PR", "Rectal", "rectally"),
    "inhaled": ("IH", "Inhalation", "inhaled"),
}
"""Routes in three hands, as :data:`FREQUENCIES`."""

UNITS = {
    "tablet": "TAB",
    "capsule": "CAP",
    "puff": "PUFF",
    "spray": "SPRY",
    "drop": "DROP",
    "patch": "PTCH",
    "unit": "UNIT",
}
"""How a computer's orders shorten what is counted; other units stay."""

_DOSE = re.compile(r"(?P<number>\d[\d.]*(?:-\d[\d.]*)?) (?P<unit>mg|mcg|g|mEq|mL|units?|tablets?|capsules?|puffs?|sprays?|drops?)")
_NAME = re.compile(r"[a-z][a-z-]{3,}(?: [a-z-]{3,})?")
_PLAIN = re.compile(r"[^,;:()]+")
_OTHER_ORDER = re.compile(r";|\bcall\b|\bmg\b|^(?:tell|return|come)\b", re.IGNORECASE)
"""Orders that may as well be read as two, as warnings, or as a dose."""
_ROUTED = re.compile(r"\b(?:ophthalmic|nasal|oral|vaginal|rectal|topical|otic|inhaled)\b")
_AND = re.compile(r"\b(?:and|or|with|if|your)\b")
_MOST_SIGNS = 5


@dataclass(frozen=True)
class Order:
    """A drug of the stay.

    Attributes:
        dose: Number and unit, singular or plural as people say it.
        frequency: A key of :data:`FREQUENCIES`.
        needed: True for "as needed".
        before: Dose before admission, of a changed drug.
        hidden: What is redacted on the discharge list.
    """

    name: str
    dose: str
    route: str
    frequency: str
    needed: bool
    purpose: str | None
    change: Change
    before: str | None = None
    hidden: Hidden = ""


@dataclass(frozen=True)
class Stay:
    """What a note tells; the lists are in the note's order."""

    case: Case
    orders: tuple[Order, ...]
    diagnoses: tuple[str, ...]
    procedures: tuple[str, ...]
    allergies: tuple[tuple[str, str | None], ...]
    instructions: tuple[str, ...]
    signs: tuple[str, ...]
    visits: tuple[tuple[str, str], ...]


def draw_stay(case: Case, rng: random.Random) -> Stay:
    """Draw a stay: some of the case's drugs, signs, visits and instructions, in an order of its own.

    Args:
        case: An open case.
        rng: Decides what is kept and what is redacted.
    """
    texts = {kind: [fact.text for fact in case.plan if fact.kind == kind] for kind in _KINDS}
    signs = [text for text in texts["return_sign"] if _PLAIN.fullmatch(text) and not _AND.search(text)]
    visits = [(f.text.removeprefix("your "), f.when or "") for f in case.plan if f.kind == "follow_up"]
    allergies = [(f.text, f.reaction) for f in case.record if f.kind == "allergy"]
    return Stay(
        case=case,
        orders=tuple(_orders(case, rng)),
        diagnoses=tuple(texts["condition"]),
        procedures=tuple(texts["procedure"]),
        allergies=tuple((name, what) for name, what in allergies if not _AND.search(name) and _PLAIN.fullmatch(name)),
        instructions=tuple(_some((text for text in texts["instruction"] if not _OTHER_ORDER.search(text)), rng)),
        signs=tuple(_some(signs, rng)[:_MOST_SIGNS]),
        visits=tuple(v for v in _some(visits, rng) if v[1].startswith("in ") and _PLAIN.fullmatch(v[0])),
    )


_KINDS = ("condition", "procedure", "instruction", "return_sign")


def _some(items: Iterable[Item], rng: random.Random) -> list[Item]:
    """Keep most of the items, shuffled."""
    kept = [item for item in items if rng.random() < 0.8]
    rng.shuffle(kept)
    return kept


def _orders(case: Case, rng: random.Random) -> Iterable[Order]:
    home = {fact.text: fact for fact in case.record if isinstance(fact, Medication)}
    seen: set[str] = set()
    for fact in _some((fact for fact in case.plan if isinstance(fact, Medication)), rng):
        taken = home.get(fact.text) if fact.change == "stopped" else fact
        if taken is None or fact.text in seen or (order := _order(taken, fact)) is None:
            continue
        seen.add(fact.text)
        draw = rng.random()
        hidden: Hidden = "dose" if draw < 0.04 else "frequency" if draw < 0.06 else ""
        yield replace(order, hidden=hidden) if order.change != "stopped" else order


def _order(taken: Medication, fact: Medication) -> Order | None:
    """Return a drug if every form can write it: not all of what the open set says has a shorthand."""
    often = taken.frequency or ""
    needed = often.endswith(" as needed")
    often = often.removesuffix(" as needed")
    often = _SAME.get(often, often)
    dose = (taken.dose or "").replace(",", "")
    before = fact.previous if fact.change == "changed" else None
    named = _NAME.fullmatch(fact.text) and not _ROUTED.search(fact.text)
    writable = named and _DOSE.fullmatch(dose) and often in FREQUENCIES and taken.route in ROUTES
    if not writable or (fact.change == "changed" and not _DOSE.fullmatch(before or "")):
        return None
    return Order(
        name=fact.text,
        dose=dose,
        route=taken.route or "",
        frequency=often,
        needed=needed,
        purpose=taken.purpose if needed and re.fullmatch(r"[a-z ]{3,30}", taken.purpose or "") else None,
        change=fact.change or "continued",
        before=before,
    )
