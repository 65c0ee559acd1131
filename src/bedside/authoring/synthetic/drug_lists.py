"""Medication lists in the hands of different hospitals, from a computer's orders to a letter's sentences."""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from bedside.authoring.synthetic.stays import FREQUENCIES, ROUTES, UNITS, Order

__all__ = ["HANDS", "Hand", "Written"]

BLANK = "___"
_COUNTS = {1: "One", 2: "Two", 3: "Three", 4: "Four"}
_TITLES = {"new": "START taking", "changed": "CHANGE how you take", "continued": "CONTINUE taking", "stopped": "STOP taking"}
_STATUS = {"new": "NEW", "changed": "CHANGED", "continued": "CONTINUE", "stopped": "STOP"}
_COUNTED = re.compile(r"(?P<number>[\d.-]+) (?P<unit>[a-z]+?)s?$", re.IGNORECASE)


class Written(NamedTuple):
    """One drug as a form writes it.

    Attributes:
        dose: What a reader is to find; None if the form does not say.
        route: The same.
    """

    text: str
    dose: str | None
    route: str | None


def _blanked(order: Order, dose: str, often: str) -> tuple[str, str]:
    """Put the redaction where the order has one."""
    return (BLANK if order.hidden == "dose" else dose), (BLANK if order.hidden == "frequency" else often)


def _titled(name: str) -> str:
    return " ".join(word.capitalize() for word in name.split(" "))


def _needed(order: Order, joint: str) -> str:
    return f"{joint}{' for ' * (joint != ':PRN') or ' '}{order.purpose}" if order.purpose else joint


def _ordered(order: Order, rng: random.Random) -> Written:
    """Write "Metoprolol 25 mg PO BID", often with the order to the pharmacy below it."""
    number, _, unit = order.dose.rpartition(" ")
    short = UNITS.get(unit.removesuffix("s"), unit)
    dose, often = _blanked(order, f"{number} {short}", FREQUENCIES[order.frequency].code)
    often += _needed(order, ":PRN") if order.needed else ""
    text = f"{_titled(order.name)} {dose} {ROUTES[order.route][0]} {often}  "
    if order.change in ("new", "changed") and not order.hidden and unit == "mg" and rng.random() < 0.6:
        words = FREQUENCIES[order.frequency].words
        text += (
            f"\nRX *{order.name} {order.dose} 1 tablet(s) by mouth {words} Disp #*{rng.randint(10, 90)} "
            f"Tablet Refills:*{rng.randint(0, 3)}"
        )
    return Written(text, order.dose, order.route)


def _dispensed(order: Order, rng: random.Random) -> Written:
    """Write "Metoprolol 25 mg Tablet Sig: Two (2) Tablet PO BID (2 times a day)."."""
    often = FREQUENCIES[order.frequency].long + (_needed(order, " as needed") if order.needed else "")
    number, unit = order.dose.rsplit(" ", 1)
    if order.route != "by mouth" or unit != "mg" or "-" in number:
        dose, often = _blanked(order, order.dose, often)
        return Written(f"{_titled(order.name)} Sig: {dose} {ROUTES[order.route][1]} {often}.", order.dose, order.route)
    count = rng.choice((1, 1, 2))
    strength = f"{float(number) / count:g} mg"
    form = rng.choice(("Tablet", "Capsule"))
    sig, often = _blanked(order, f"{_COUNTS[count]} ({count}) {form}", often)
    text = f"{_titled(order.name)} {strength} {form} Sig: {sig} PO {often}."
    if rng.random() < 0.6:
        text += f"\nDisp:*{rng.randint(10, 90)} {form}(s)* Refills:*{rng.randint(0, 3)}*"
    return Written(text, strength if count == 1 else f"{count} {form.lower()}s of {strength}", order.route)


def _told(order: Order, rng: random.Random) -> Written:
    """Write "metoprolol 25 mg by mouth twice a day"."""
    often = FREQUENCIES[order.frequency].words + (_needed(order, " as needed") if order.needed else "")
    dose, often = _blanked(order, order.dose, often)
    comma = rng.choice((",", ""))
    return Written(f"{order.name} {dose}{comma} {ROUTES[order.route][2]} {often}", order.dose, order.route)


def _enumerable(order: Order, rng: random.Random) -> Written:
    """Write "metoprolol 25 mg twice a day", to stand between commas."""
    often = FREQUENCIES[order.frequency].words + (" as needed" if order.needed else "")
    dose, often = _blanked(order, order.dose, often)
    return Written(f"{order.name} {dose} {often}", order.dose, None)


def _labelled(order: Order, rng: random.Random) -> Written:
    """Write a drug on three lines, as a sheet for the patient does."""
    often = FREQUENCIES[order.frequency].words + (_needed(order, " as needed") if order.needed else "")
    match = _COUNTED.match(order.dose)
    if match is None or match["unit"] != "mg" or order.route != "by mouth" or "-" in match["number"]:
        dose, often = _blanked(order, order.dose, often)
        return Written(f"{order.name}\nUse {dose} {ROUTES[order.route][2]} {often}.", order.dose, order.route)
    count = rng.choice((1, 2))
    strength = f"{float(match['number']) / count:g} mg"
    taken = f"{count} tablet{'s' * (count > 1)} ({order.dose} total)"
    taken, often = _blanked(order, taken, often)
    dose = strength if count == 1 else f"{count} tablets of {strength}"
    return Written(f"{order.name} {strength} tablet\nTake {taken} by mouth {often}.", dose, order.route)


class Hand(NamedTuple):
    """How lists are written.

    Attributes:
        stated: True if the discharge list itself says what changed, and names what was stopped.
        flat: True if the list can be told without line breaks.
    """

    write: Callable[[Order, random.Random], Written]
    join: Callable[[Sequence[tuple[Order, str]], bool], str]
    stated: bool = False
    flat: bool = False


def _numbered(items: Sequence[tuple[Order, str]], _: bool) -> str:
    return "\n".join(f"{number}. {text}" for number, (_order, text) in enumerate(items, 1))


def _bulleted(items: Sequence[tuple[Order, str]], _: bool) -> str:
    return "\n".join(f"- {text}" for _order, text in items)


def _in_a_row(items: Sequence[tuple[Order, str]], _: bool) -> str:
    return ", ".join(text for _order, text in items) + "."


def _under_titles(items: Sequence[tuple[Order, str]], discharge: bool) -> str:
    if not discharge:
        return "\n\n".join(text for _order, text in items)
    groups = {title: [text for order, text in items if order.change == change] for change, title in _TITLES.items()}
    return "\n\n".join(
        "\n\n".join((f"{title} these medications", *texts)) for title, texts in groups.items() if texts
    )


def _tabled(items: Sequence[tuple[Order, str]], discharge: bool) -> str:
    cells = ("Medication", "Dose", "Route", "Frequency")
    rows: list[tuple[str, ...]] = [(*cells, "Status") if discharge else cells]
    rows += [(text, _STATUS[order.change]) if discharge else (text,) for order, text in items]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _celled(order: Order, rng: random.Random) -> Written:
    """Write a drug as cells: name, dose, route, frequency."""
    often = FREQUENCIES[order.frequency].words + (" as needed" if order.needed else "")
    dose, often = _blanked(order, order.dose, often)
    return Written(f"{_titled(order.name)} | {dose} | {order.route} | {often}", order.dose, order.route)


HANDS: Mapping[str, Hand] = MappingProxyType(
    {
        "ordered": Hand(_ordered, _numbered, flat=True),
        "dispensed": Hand(_dispensed, _numbered, flat=True),
        "told": Hand(_told, _bulleted),
        "enumerated": Hand(_enumerable, _in_a_row, flat=True),
        "sheet": Hand(_labelled, _under_titles, stated=True),
        "table": Hand(_celled, _tabled, stated=True),
    }
)
"""The hands by name."""
