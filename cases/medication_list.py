"""Medication lists of notes read: the drugs, those that are stopped, and how much is hidden."""

import re
from typing import NamedTuple

from bedside.cases.directions import BLANK, amounts, find_frequency, find_route
from bedside.cases.drugs import Drug, read_drug
from bedside.cases.list_items import PHARMACY, Change, items_of

__all__ = ["Listed", "MedicationList", "read_medications"]


class Listed(NamedTuple):
    """A drug on a list.

    Attributes:
        change: What the list says was done to it; None if it says nothing.
    """

    drug: Drug
    change: Change | None = None


class MedicationList(NamedTuple):
    """What a section lists.

    Attributes:
        listed: Drugs with a name, in order, also those that are listed as stopped or held.
        hidden: Number of items whose name is redacted.
        other: Items that are no drugs: a walker, test strips, laboratory work.
        stated: False if the note has no such list, or nothing but a redaction: then nothing is known.
    """

    listed: tuple[Listed, ...] = ()
    hidden: int = 0
    other: tuple[str, ...] = ()
    stated: bool = False

    @property
    def drugs(self) -> tuple[Drug, ...]:
        """Those to be taken."""
        return tuple(drug for drug, change in self.listed if change != "stopped")

    @property
    def complete(self) -> bool:
        """True if a drug that is not here is not taken."""
        return self.stated and not self.hidden


_ACCURACY = re.compile(
    r"^\W*the (?:pre-?admission|admission|home)? ?medication list (?:is|may be|was)\b[^.]{0,120}?(?:\.|(?=\n\s*\d|"
    r"\n\s*\n|\Z))",
    re.IGNORECASE,
)
_DISPENSED = re.compile(
    r"\bDisp(?:ense)?[:\s]*[*#].*?(?=Refills?|\n\s*\d{1,2}[.)]\s|$)|"
    r"\bRefills?:?\s*\*?\s*(?:\d+|_+)\*?",
    re.DOTALL,
)
_NOTHING = re.compile(
    r"^\W*(?:none|nil|n/?a|no (?:home |regular |current |known )?(?:medications?|meds)|nothing|not (?:taking|on) any.*|"
    r"no medications? (?:on|at|prior).*|denies.*|unknown|unable to obtain.*)\b[^\n]{0,40}$",
    re.IGNORECASE,
)
_NONE_OF = re.compile(r"^[A-Za-z /-]{3,30}:\s*(?:none|nil|n/?a)\W*$", re.IGNORECASE)
"""An entry under which nothing is taken: "Contraception: none"."""
_UNKNOWN = re.compile(r"unknown|unable|not (?:available|obtained)", re.IGNORECASE)
_NO_DRUG = re.compile(
    r"\b(?:walker|commode|cane|crutch\w*|wheel ?chair|hospital bed|shower (?:chair|bench)|(?:home|portable|continuous) "
    r"oxygen|oxygen (?:tank|concentrator)|o2|glucometer|(?:test|glucose) strips?|lancets?|pen needles?|syringes|"
    r"(?:blood pressure|bp) cuff|brace|sling|splint|boot|stockings?|nebulizer machine|spacer|cpap|bipap|"
    r"(?:out-?patient|lab(?:oratory)?) (?:lab(?:oratory)?|work|physical|occupational|labs)\b.*|physical therapy|"
    r"occupational therapy|gauze|dressing|(?<!sliding )scale|pull-?ups|supplies|ostomy|tube feed\w*|catheter|bandages?|"
    r"(?:ace|elastic) wrap|compression|raised toilet seat|grab bars?|hospital equipment|dme)\b",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"^\W*(?:this is dose|tapered dose|please |reason for|last (?:taken|dose)|per |see |patient |pt |you |she |he |"
    r"note|"
    r"will |to be |confirmed|pharmacy|follow|disp|refills|sig\b|rx\b|attention|all other|the following|your |"
    r"after |until )",
    re.IGNORECASE,
)
_LABELS = re.compile(
    r"\b(?:commonly|also|generally) known as:?\s+[A-Z][\w-]*(?: [A-Z]{2})?|\b(?:quantity|qty):\s*\d+(?: \w+)?|"
    r"\bwhat changed:.*",
    re.IGNORECASE,
)
"""What stands below a drug on a sheet for the patient and is no part of how it is taken."""


def read_medications(section: str | None) -> MedicationList:
    """Read a medication section.

    Args:
        section: Its text, redactions as ``___``; None if the note has none.
    """
    if section is None or not section.strip(" \n_.:*"):
        return MedicationList()
    text = _ACCURACY.sub("", section).strip()
    if _NOTHING.match(text):
        return MedicationList(stated=not _UNKNOWN.search(text))
    listed: list[Listed] = []
    hidden, other = 0, []
    for item, change in items_of(text):
        ordered = _DISPENSED.sub(" ", re.split(r"\bSig\b", item)[0])
        if _NONE_OF.search(item):
            continue
        if _NO_DRUG.search(ordered) and not any(not amount.counted for amount in amounts(ordered)):
            other.append(item)
        elif (drug := _drug(_LABELS.sub(" ", item))) is not None:
            listed.append(Listed(drug, change))
        elif re.match(rf"\W*{BLANK}", item):
            hidden += 1
    return MedicationList(tuple(listed), hidden, tuple(other), bool(listed or hidden or other))


def _drug(item: str) -> Drug | None:
    """Read one item; None if it does not begin with a name."""
    order = PHARMACY.search(item)
    line = _DISPENSED.sub(" ", PHARMACY.sub(" ", item)) if order else _DISPENSED.sub(" ", item)
    drug = read_drug(line)
    if not re.search(r"[A-Za-z]{3}", drug.name) or len(drug.name.split()) > 6 or _REMARK.match(drug.name + " "):
        return None
    if order is not None:
        # The order to the pharmacy repeats what the list says; it serves where the list says nothing at all.
        text = " ".join(order["order"].split())
        route, often = find_route(text), find_frequency(text)
        tail = line[len(drug.name) :]
        if drug.route is None and route:
            drug = drug._replace(route=route.words)
        if drug.frequency is None and often and BLANK not in tail:
            drug = drug._replace(frequency=often.words)
    return drug
