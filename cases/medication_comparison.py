"""What discharge did to each drug: the list at discharge compared with the one at admission.

What a patient has to learn at discharge is mostly what changed, and no table says that: a drug is new if it is on the
discharge list alone, stopped if it is on the admission list alone. What the note itself says of a drug counts where the
lists leave it open. A redacted name or dose makes the comparison of that drug impossible, and then nothing is said.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from bedside.cases.drugs import Drug
from bedside.cases.ingredients import ingredient_of
from bedside.cases.list_items import Change
from bedside.cases.medication_list import MedicationList

__all__ = ["Compared", "compared"]


class Compared(NamedTuple):
    """A drug with what discharge did to it.

    Attributes:
        previous: What was taken before, if the dose or the frequency changed.
    """

    drug: Drug
    change: Change
    previous: str | None = None


def compared(home: MedicationList, discharge: MedicationList) -> Iterator[Compared]:
    """Compare a discharge list with the admission list.

    Args:
        home: What was taken before admission. If that is not known, no drug is called new or stopped.
        discharge: What is taken from now on.

    Yields:
        The drugs of the discharge list in its order, then those that were stopped.
    """
    before: dict[str, list[Drug]] = {}
    for drug in home.drugs:
        before.setdefault(_key(drug), []).append(drug)
    named = Counter(map(_key, discharge.drugs))
    stopped: dict[str, Drug] = {}
    for drug, stated in discharge.listed:
        key = _key(drug)
        if stated != "stopped":
            yield _compared(drug, stated, before.get(key, []), repeated=named[key] > 1, complete=home.complete)
        elif key not in named:
            stopped.setdefault(key, before.get(key, [drug])[0])
    if discharge.complete:
        for key, taken in before.items():
            if key not in named:
                stopped.setdefault(key, taken[0])
    for drug in stopped.values():
        yield Compared(drug, "stopped")


def _key(drug: Drug) -> str:
    return ingredient_of(drug.name, drug.brand)


def _compared(drug: Drug, stated: Change | None, taken: list[Drug], *, repeated: bool, complete: bool) -> Compared:
    """Compare a drug with what was taken of it; its list's own word counts where the lists leave it open."""
    if not taken:
        return Compared(drug, stated or ("new" if complete else "continued"))
    if repeated or len(taken) > 1:
        same = any(_difference(before, drug) is None for before in taken)
        return Compared(drug, "continued" if same else "changed")
    previous = _difference(taken[0], drug)
    if stated == "continued" and previous != taken[0].dose:
        # Only another dose gainsays "unchanged": a frequency may be the same in other words.
        previous = None
    return Compared(drug, "changed" if previous or stated == "changed" else "continued", previous)


_ESTER = re.compile(r"tartrate|succinate")
"""The two salts of metoprolol are taken differently; no other salt matters to a patient."""


def _difference(before: Drug, now: Drug) -> str | None:
    """Return what the dose or the frequency was, if both are known and differ; what is not known cannot differ."""
    dose = bool(before.dose and now.dose) and _mass(before.dose) != _mass(now.dose)
    often = bool(before.frequency and now.frequency) and _plain(before.frequency) != _plain(now.frequency)
    salts = [_ESTER.search(drug.name) for drug in (before, now)]
    if salts[0] and salts[1] and salts[0][0] != salts[1][0]:
        return " ".join(filter(None, (before.name, before.dose, before.frequency)))
    if dose and often:
        return f"{before.dose} {before.frequency}"
    if not dose and not often and before.route and now.route and before.route != now.route:
        return before.route
    return before.dose if dose else before.frequency if often else None


_SAME = {"every 24 hours": "once daily", "every 12 hours": "twice daily", "every 8 hours": "three times daily"}


def _plain(frequency: str | None) -> str:
    """Return a frequency with what makes no difference left out: "in the morning", "with meals"."""
    text = re.sub(r",? (?:in the (?:morning|evening)|at bedtime|with meals|as needed)\b", "", frequency or "")
    return _SAME.get(text, text)


def _mass(dose: str | None) -> str:
    """Return a dose so that "2 tablets of 25 mg" equals "50 mg"."""
    text = (dose or "").lower()
    match = re.fullmatch(r"([\d.]+) (?:tablet|capsule)s? of ([\d.]+) (\w+)", text)
    number, unit = (float(match[1]) * float(match[2]), match[3]) if match else (None, "")
    if number is None and (plain := re.fullmatch(r"([\d.]+) (mg|mcg|g)", text)):
        number, unit = float(plain[1]), plain[2]
    if number is None:
        return text
    milligrams = number * {"g": 1000.0, "mcg": 0.001}.get(unit, 1.0)
    return f"{milligrams:g} mg" if unit in ("mg", "mcg", "g") else f"{number:g} {unit}"
