"""Medication lists of notes: cut into drugs, read, and the list at discharge compared with the one at admission.

What a patient has to learn at discharge is mostly what changed, and no table says that: a drug is new if it is on the
discharge list alone, stopped if it is on the admission list alone. A redacted name or dose makes the comparison of that
drug impossible, and then nothing is said.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Literal, NamedTuple

from bedside.cases.directions import BLANK, amounts, find_frequency, find_route, starts_direction
from bedside.cases.drugs import Drug, read_drug

__all__ = ["Change", "MedicationList", "compared", "read_medications"]

Change = Literal["new", "changed", "continued", "stopped"]


class MedicationList(NamedTuple):
    """What a section lists.

    Attributes:
        drugs: Drugs with a name, in order.
        held: Those that are listed as held: not to be taken for now.
        hidden: Number of items whose name is redacted.
        other: Items that are no drugs: a walker, test strips, laboratory work.
        stated: False if the note has no such list, or nothing but a redaction: then nothing is known.
    """

    drugs: tuple[Drug, ...] = ()
    held: tuple[Drug, ...] = ()
    hidden: int = 0
    other: tuple[str, ...] = ()
    stated: bool = False

    @property
    def complete(self) -> bool:
        """True if a drug that is not here is not taken."""
        return self.stated and not self.hidden


_ACCURACY = re.compile(
    r"^\W*the (?:pre-?admission|admission|home)? ?medication list (?:is|may be|was)\b[^.]{0,120}?(?:\.|(?=\n\s*\d|"
    r"\n\s*\n|\Z))",
    re.IGNORECASE,
)
_PHARMACY = re.compile(
    r"\bRX\s+\*(?P<order>.*?)(?:Refills?:\s*\*?\s*(?:\d+|_+)|(?=\n\s*\d{1,2}[.)]\s)|(?=\n\s*\n)|$)", re.DOTALL
)
_DISPENSED = re.compile(
    r"\bDisp(?:ense)?[:\s]*[*#].*?(?=Refills?|\n\s*\d{1,2}[.)]\s|$)|"
    r"\bRefills?:?\s*\*?\s*(?:\d+|_+)\*?",
    re.DOTALL,
)
_LINE_NUMBER = re.compile(r"^[ \t]*\d{1,2}[.)](?!\d)[ \t]*", re.MULTILINE)
_BULLET = re.compile(r"^[ \t]*(?:[-*•·–+>]|o(?= ))[ \t]+|^[ \t]*[•·](?=\w)", re.MULTILINE)
_INLINE_NUMBER = re.compile(r"(?:^|(?<=[\s,]))(\d{1,2})[.)]\s+(?=[A-Za-z_*])")
_HEADING = re.compile(
    r"^[^\d\n]{3,60}:\s*$|^[\s=_*-]+$|^\W*(?:new|changed|continued?|stopped|discontinued|"
    r"unchanged)\W*$",
    re.IGNORECASE,
)
_STOPPED = re.compile(r"\b(?:stop(?:ped)?|discontinued?|d/c'?e?d|held|hold|do not take)\b", re.IGNORECASE)
_STOP_LEAD = re.compile(
    r"^\W*(?:HELD\b\W*|(?:stop(?:ped)?|discontinued?|hold|do not take|held)(?: taking)?(?: your)?:?\s+)", re.IGNORECASE
)
_HELD_AFTER = re.compile(
    r"\bthis medication was (?:held|stopped)|\bdo not restart\b|\(\s*(?:held|stopped|"
    r"discontinued)\s*\)",
    re.IGNORECASE,
)
_KEEP_LEAD = re.compile(
    r"^\W*(?:(?:new|changed?|continued?|start(?:ed)?|increased?|decreased?|restart(?:ed)?|resume|unchanged)"
    r"(?: (?:taking|to take|medication|dose|of))*:?\s+)(?=\w)|^\W*\((?:new|changed|continued?)\)\s*",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"^\W*(?:none|nil|n/?a|no (?:home |regular |current |known )?(?:medications?|meds)|nothing|not (?:taking|on) any.*|"
    r"no medications? (?:on|at|prior).*|denies.*|unknown|unable to obtain.*)\b[^\n]{0,40}$",
    re.IGNORECASE,
)
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
_NEEDS_COMPANION = frozenset({"sodium", "calcium", "potassium", "magnesium", "ferrous", "zinc", "iron", "lithium"})
_SALTS = frozenset(
    "sodium hydrochloride hcl sulfate sulphate tartrate succinate besylate maleate fumarate mesylate potassium "
    "calcium acetate citrate "
    "phosphate bromide chloride propionate furoate gluconate monohydrate xinafoate bitartrate hydrobromide "
    "mononitrate dinitrate "
    "disoproxil dihydrate pamoate hyclate nitrate lactate carbonate trihydrate medoxomil etexilate palmitate "
    "valerate".split()
)
_FORMS = re.compile(
    r"\b(?:xl|xr|er|ec|sr|cr|dr|la|cd|ir|hfa|odt|inhaler|neb(?:ulizer)?|patch|cream|ointment|gel|nasal|spray|oral|"
    r"ophth\w*|drops?|"
    r"solution|suspension|liquid|powder|extended|delayed|immediate|release|enteric[- ]coated|coated|chewable|"
    r"tablets?|capsules?|"
    r"human|recombinant|injection|kwikpen|flexpen|pen|with|w/)\b\.?",
    re.IGNORECASE,
)


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
    drugs: list[Drug] = []
    held: list[Drug] = []
    hidden, other = 0, []
    stopping = False
    for item in _items(text):
        if _HEADING.match(item):
            stopping = _STOPPED.search(item) is not None
            continue
        ordered = _DISPENSED.sub(" ", re.split(r"\bSig\b", item)[0])
        if _NO_DRUG.search(ordered) and not any(not amount.counted for amount in amounts(ordered)):
            other.append(item)
            continue
        stopped = stopping or bool(_STOP_LEAD.match(item) or _HELD_AFTER.search(item))
        drug = _drug(_KEEP_LEAD.sub("", _STOP_LEAD.sub("", item, count=1), count=1))
        if drug is not None:
            (held if stopped else drugs).append(drug)
        elif re.match(rf"\W*{BLANK}", item):
            hidden += 1
    return MedicationList(tuple(drugs), tuple(held), hidden, tuple(other), bool(drugs or held or hidden or other))


def _drug(item: str) -> Drug | None:
    """Read one item; None if it does not begin with a name."""
    order = _PHARMACY.search(item)
    line = _DISPENSED.sub(" ", _PHARMACY.sub(" ", item)) if order else _DISPENSED.sub(" ", item)
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


def _items(text: str) -> Iterator[str]:
    """Cut a list at its numbers, else at its bullets, else at its lines; join what was wrapped."""
    text = _PHARMACY.sub(lambda order: " ".join(order[0].split()), text)
    for marks in ([m.span() for m in _LINE_NUMBER.finditer(text)], [m.span() for m in _BULLET.finditer(text)]):
        if len(marks) > 1 or (marks and marks[0][0] == 0):
            inline = _counted(text)
            yield from _between(text, marks if len(marks) >= len(inline) else inline)
            return
    if inline := _counted(text):
        yield from _between(text, inline)
        return
    for line in _joined(text.splitlines()):
        yield from _enumerated(line)


# A sliding scale stands below the insulin that has a number.
_ENDS_ITEM = re.compile(r"\n\s*\n|\n(?=\s*[^\n]{3,60}:\s*(?:\n|$))|\n(?=\s*insulin sc\b)", re.IGNORECASE)


def _between(text: str, marks: list[tuple[int, int]]) -> Iterator[str]:
    head = text[: marks[0][0]]
    yield from _joined(head.splitlines())
    ends = [start for start, _ in marks[1:]] + [len(text)]
    for (_, begin), end in zip(marks, ends, strict=True):
        item, *more = _ENDS_ITEM.split(text[begin:end].strip())
        numbers = _counted(item)
        yield from [" ".join(item.split())] if len(numbers) < 2 else _between(item, numbers)
        for rest in more:
            yield from _joined(rest.splitlines())


def _counted(text: str) -> list[tuple[int, int]]:
    """Find "1. ", "2. ", "3. " … within a text, where newlines were lost; other numbers do not count on."""
    found: list[tuple[int, int]] = []
    for match in _INLINE_NUMBER.finditer(text):
        if int(match[1]) == len(found) + 1:
            found.append(match.span())
    return found


def _joined(lines: Sequence[str]) -> Iterator[str]:
    """Join the lines of an unnumbered list that a narrow page broke."""
    item = ""
    for raw in lines:
        line = " ".join(raw.split())
        if not line:
            if item:
                yield item
            item = ""
        elif item and not _HEADING.match(item) and not _HEADING.match(line) and _continues(item, line):
            item = f"{item} {line}"
        else:
            if item:
                yield item
            item = line
    if item:
        yield item


def _continues(item: str, line: str) -> bool:
    if item.endswith((",", "-", "(", "/")) or item.count("(") > item.count(")") or starts_direction(line):
        return True
    # In a list whose items begin with capitals, a line in lower case goes on with the one before.
    return line[0].islower() and item[0].isupper() and not any(amounts(line))


def _enumerated(line: str) -> Iterator[str]:
    """Cut "aspirin 81 mg daily, metformin 500 mg BID and lisinopril" into drugs."""
    if _HEADING.match(line) or re.search(r"\bSig\b", line):
        yield line
        return
    parts: list[str] = []
    for part in re.split(r"\s*[;,]\s+(?:and\s+)?|\s+and\s+(?=[A-Za-z-]+(?: [A-Za-z]+)? \d)", line):
        if parts and (starts_direction(part) or not re.search(r"[A-Za-z]{3}", part)):
            parts[-1] += f", {part}"
        elif part.strip():
            parts.append(part)
    yield from parts if len(parts) < 2 or all(len(re.split(r"\d", p)[0].split()) <= 5 for p in parts) else [line]


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
        before.setdefault(ingredient(drug), []).append(drug)
    held = {ingredient(drug): drug for drug in discharge.held}
    named = {ingredient(drug) for drug in discharge.drugs}
    repeated = {key for key in named if sum(ingredient(drug) == key for drug in discharge.drugs) > 1}
    for drug in discharge.drugs:
        key = ingredient(drug)
        if key not in before:
            yield Compared(drug, "new" if home.complete else "continued")
        elif key in repeated or len(before[key]) > 1:
            same = any(_difference(taken, drug) is None for taken in before[key])
            yield Compared(drug, "continued" if same else "changed")
        else:
            previous = _difference(before[key][0], drug)
            yield Compared(drug, "changed" if previous else "continued", previous)
    for key, drug in held.items():
        if key not in named:
            yield Compared(before.get(key, [drug])[0], "stopped")
    if discharge.complete:
        for key, taken in before.items():
            if key not in named and key not in held:
                yield Compared(taken[0], "stopped")


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


def ingredient(drug: Drug) -> str:
    """Return what a drug is, whatever its brand, salt and form, so that two lists can be compared."""
    for name in filter(None, (drug.name, drug.brand)):
        bare = _bare(name)
        bare = _ABBREVIATED.get(bare, bare)
        if known := _generic_names().get(bare):
            return known
    return _bare(drug.name)


_ABBREVIATED = {
    "asa": "aspirin",
    "apap": "acetaminophen",
    "hctz": "hydrochlorothiazide",
    "ntg": "nitroglycerin",
    "mvi": "multivitamin",
    "kcl": "potassium chloride",
}


def _bare(name: str) -> str:
    words = re.sub(r"[^a-z0-9 -]", " ", _FORMS.sub(" ", name.lower())).split()
    while len(words) > 1 and words[-1] in _SALTS and words[0] not in _NEEDS_COMPANION:
        words.pop()
    return " ".join(words)


@lru_cache(maxsize=1)
def _generic_names() -> dict[str, str]:
    """Return the generic name by brand and by generic, from the table of drugs that ships with the project."""
    names: dict[str, str] = {}
    # The table is the verifier's and only data here; a second list of brands would soon say something else.
    table = files("bedside").joinpath("verifier/data/core/drugs.tsv").read_text(encoding="utf-8")
    header, *rows = (line.split("\t") for line in table.splitlines())
    name, brands = header.index("name"), header.index("brands")
    for row in rows:
        for brand in (row[name], *row[brands].split("|")):
            if brand:
                names.setdefault(_bare(brand), _bare(row[name]))
    return names
