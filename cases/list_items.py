"""A medication section cut into its drugs, whatever its layout: numbers, bullets, lines, tables, fields, sentences.

What the list itself says of a drug, "NEW", "STOP taking these", "(increased)", goes with it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from bedside.cases.directions import BLANK, amounts, find_frequency, starts_direction
from bedside.cases.freetext import outside_parentheses
from bedside.cases.ingredients import is_known

__all__ = ["PHARMACY", "Change", "Item", "items_of"]

Change = Literal["new", "changed", "continued", "stopped"]


class Item(NamedTuple):
    """One entry of a list.

    Attributes:
        text: In one line, without its number.
        change: What the list says was done to it, if it says so.
    """

    text: str
    change: Change | None = None


PHARMACY = re.compile(
    r"\bRX\s+\*(?P<order>.*?)(?:Refills?:\s*\*?\s*(?:\d+|_+)|(?=\n\s*\d{1,2}[.)]\s)|(?=\n\s*\n)|$)", re.DOTALL
)
"""The order to the pharmacy that stands below a drug."""

_LINE_NUMBER = re.compile(r"^[ \t]*\d{1,2}[.)](?!\d)[ \t]*", re.MULTILINE)
_BULLET = re.compile(r"^[ \t]*(?:[-*•·–+>]|o(?= )|\[[ xX✓]?\])[ \t]+|^[ \t]*[•·](?=\w)", re.MULTILINE)
_INLINE_NUMBER = re.compile(r"(?:^|(?<=[\s,]))(\d{1,2})[.)]\s+(?=[A-Za-z_*])")

_STOP = r"stop(?:ped)?|discontinued?|d/?c'?e?d|do not take(?: anymore)?|no longer take|not to take|on hold|held|hold"
_CHANGES: tuple[tuple[Change, str], ...] = (
    ("continued", r"no changes?|unchanged|(?:the )?same"),
    ("stopped", _STOP),
    ("changed", r"chang(?:ed?|es)|increased?|decreased?|adjusted|reduced|lowered|raised"),
    ("new", r"new|start(?:ed)?|begin|begun|added|initiated"),
    ("continued", r"continued?|continuing|resumed?|keep|restart(?:ed)?"),
)
_WORD = "|".join(words for _, words in _CHANGES)
_MEANINGS = tuple((change, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for change, words in _CHANGES)
_MEDICINES = r"medications?|medicines?|meds|drugs|prescriptions"
_TITLE = re.compile(
    rf"^(?:[^\d\n]{{3,60}}:|[\s=_*-]+|\W*(?:{_WORD})\W*|"
    rf"\W*(?:{_WORD})\b[^\d\n.]{{0,40}}\b(?:{_MEDICINES})|[^\d\n.]{{0,40}}\b(?:{_MEDICINES})\W+(?:{_WORD})\W*)\s*$",
    re.IGNORECASE,
)
_LEAD = re.compile(
    rf"^\W*(?:\[[ xX✓]?\]\s*)?(?:\(\s*(?P<marked>{_WORD})\s*\)|(?P<word>{_WORD})"
    r"(?: (?:taking|to take|medications?|medicines?|dose|of|your|home))*)(?:\s*[:–-]+\s*|\s+)(?=[\w*])",
    re.IGNORECASE,
)
# "hold for low pressure" and "start tomorrow" are directions, and say nothing of the list before.
_NO_ORDER = r"(?! (?:for|if|on|to|with|taking|tomorrow|today|it)\b)"
_BRACKET = re.compile(
    rf"\s*[(\[]\s*(?:(?:this|dose|was|is) )*(?P<word>{_WORD})\b{_NO_ORDER}[^()\[\]]{{0,60}}[)\]]", re.IGNORECASE
)
_TAIL = re.compile(
    rf"(?:\s[-–]+\s*(?P<word>{_WORD})\b{_NO_ORDER}[^()\[\]\d.;]{{0,40}}|[.;,:]\s*(?P<only>{_WORD})|"
    rf"\b(?:was|is|were|has been)\s+(?P<verb>{_STOP})\b[^\d]{{0,60}})\W*$",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"^(?P<name>[^\d:;(]{{3,40}}?)\s*(?::|\s[-–]+)\s*(?P<word>{_STOP})\b{_NO_ORDER}.*$", re.IGNORECASE)
_RAISED = re.compile(r"[(,;]\s*(?:was|from|previously)\s+\d[\d.,]*(?: \w+)?\)?|[↑↓]|\binstead of \d", re.IGNORECASE)
_HELD_AFTER = re.compile(r"\bthis medication was (?:held|stopped)|\bdo not restart\b", re.IGNORECASE)

_SUBJECT = r"^(?:he|she|they|you|(?:the )?(?:patient|pt)|his|her|their|your)\b[^.;:]*?\b"
_FORBIDS = re.compile(rf"{_SUBJECT}(?:not (?:to )?take|stop(?:ped)? taking|no longer take)\s+", re.IGNORECASE)
_TELLS = re.compile(
    rf"{_SUBJECT}(?P<verb>continue|resume|remain|start|begin|take|complete|finish|receive|use|go home|"
    r"were|was|are|is|includes?|included)\b(?:\s+(?:to|taking|take|on|with|a|an|the|course|of|his|her|your|home|"
    r"following|medications?))*:?\s+",
    re.IGNORECASE,
)
_PASSIVE = re.compile(
    rf"^(?!this )(?P<what>[a-z][^.;:\d]{{2,80}}?)\s+(?:was|were|is|are|has been|have been)\s+(?P<verb>{_STOP})\b",
    re.IGNORECASE,
)
_ADJUSTED = re.compile(
    r"^(?:(?:your|his|her|the) )?(?P<what>[a-z][a-z -]{2,60}?) (?:was|were|is|has been|have been) (?P<verb>changed|"
    r"increased|decreased|reduced|lowered|raised|adjusted|started|added|continued|resumed|restarted)(?: from [^,;]*?)?"
    r"(?: to| at| on)? (?=\d)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[a-z)]{2})\.\s+(?=[A-Z])|(?<=\d)\.\s+(?=[A-Z][a-z-]+ (?:is|was|were|has been)\b)")
_ANY_LONGER = re.compile(r"\s*\b(?:any ?(?:longer|more)|for now|because|due to|until)\b.*$", re.IGNORECASE)


def items_of(text: str) -> Iterator[Item]:
    """Yield the entries of a medication section in order; a title such as "STOP taking:" speaks for those below it."""
    rows = list(_rows(text)) or list(_records(text))
    if rows:
        yield from rows
        return
    under: Change | None = None
    for piece in _pieces(text):
        if _TITLE.match(piece):
            under = _meaning(piece)
            continue
        for part, told in _told(piece):
            item = _marked(part)
            yield item._replace(change=item.change or told or under)


def _meaning(words: str) -> Change | None:
    return next((change for change, pattern in _MEANINGS if pattern.search(words)), None)


def _marked(text: str) -> Item:
    """Take the mark of change off an entry: "NEW …", "… (increased from 5 mg)", "… - no change"."""
    change: Change | None = "stopped" if _HELD_AFTER.search(text) else "changed" if _RAISED.search(text) else None
    text = _RAISED.sub("", text)
    if lead := _LEAD.match(text):
        text = text[lead.end() :]
        change = change or _meaning(lead["marked"] or lead["word"])
    label = _LABELLED.match(text)
    if label and not is_known(label["label"]) and _begins_with_drug(text[label.end() :]):
        text = text[label.end() :]
    if named := _NAMED.match(text):
        return Item(named["name"], "stopped")
    if mark := _BRACKET.search(text) or _TAIL.search(text):
        text = f"{text[: mark.start()]} {text[mark.end() :]}".strip()
        change = change if change == "stopped" else _meaning(next(filter(None, mark.groups())))
    return Item(_REASON_OF_STOP.sub("", text) if change == "stopped" else text, change)


# "Migraine: topiramate 50 mg BID"
_LABELLED = re.compile(r"^(?P<label>[A-Za-z][A-Za-z /-]{2,30}):\s+")
# "Glipizide: together with insulin it can make the sugar fall too low"
_REASON_OF_STOP = re.compile(r"(?<=\w)\s*(?::|\s[-–]+\s|\bbecause\b).*$", re.IGNORECASE)


def _told(piece: str) -> Iterator[tuple[str, Change | None]]:
    """Cut an enumeration or sentences into drugs, with what the verb says was done to them."""
    sentences = _SENTENCE.split(piece)
    if not any(form.match(sentence) for sentence in sentences for form in (_FORBIDS, _TELLS, _PASSIVE, _ADJUSTED)):
        lead = _LEAD.match(piece)
        change = _meaning(lead["marked"] or lead["word"]) if lead else None
        names = _names(piece[lead.end() :]) if lead and change == "stopped" else []
        yield from ((name, change) for name in names) if len(names) > 1 else ((p, None) for p in _enumerated(piece))
        return
    for sentence in sentences:
        tells, passive = _TELLS.match(sentence), _PASSIVE.match(sentence)
        if forbids := _FORBIDS.match(sentence):
            yield from ((name, "stopped") for name in _names(sentence[forbids.end() :]))
        elif adjusted := _ADJUSTED.match(sentence):
            yield f"{adjusted['what']} {sentence[adjusted.end() :]}", _meaning(adjusted["verb"])
        elif passive:
            yield from ((name, "stopped") for name in _names(passive["what"]))
        elif tells:
            yield from ((part, _meaning(tells["verb"])) for part in _enumerated(sentence[tells.end() :]))
        else:
            yield from ((part, None) for part in _enumerated(sentence))


def _names(text: str) -> list[str]:
    """Cut "lasix, lisinopril and aspirin" into names; nothing, if there is a dose among them."""
    text = _ANY_LONGER.sub("", text).strip(" .")
    names = re.split(r"\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+", text)
    return names if all(0 < len(name.split()) <= 3 and not re.search(r"\d", name) for name in names) else [text]


_CELLS = re.compile(r"\s*\|\s*|\t+")
_COLUMNS = {
    "name": re.compile(r"medications?|drugs?|medicines?|name", re.IGNORECASE),
    "dose": re.compile(r"dos(?:e|age)|strength|amount|how much", re.IGNORECASE),
    "route": re.compile(r"route|how", re.IGNORECASE),
    "frequency": re.compile(r"frequency|how often|when|schedule|times", re.IGNORECASE),
    "duration": re.compile(r"duration|how long|length", re.IGNORECASE),
    "purpose": re.compile(r"indication|reason|purpose|for|what for|why", re.IGNORECASE),
    "change": re.compile(r"status|changes?|action|plan|comments?|notes?", re.IGNORECASE),
}
_PARTS = ("name", "dose", "route", "frequency", "duration")


def _column(title: str) -> str | None:
    return next((name for name, pattern in _COLUMNS.items() if pattern.fullmatch(title.strip(" *:"))), None)


def _rows(text: str) -> Iterator[Item]:
    """Yield the rows of a table whose header names its columns; the rest of the text is none of it."""
    columns: list[str | None] = []
    for line in text.splitlines():
        cells = [cell.strip(" *") for cell in _CELLS.split(line.strip().strip("|"))]
        if len(cells) < 2 or not re.search(r"\w", line):
            continue
        titles = [_column(cell) for cell in cells]
        if titles[0] == "name" and all(titles):
            columns = titles
        elif columns:
            yield _assembled({name: cell for name, cell in zip(columns, cells, strict=False) if name and cell})


_FIELD = re.compile(r"^\s*(?:[-*•]\s*|\d{1,2}[.)]\s*)?(?P<title>[A-Za-z ]{3,20}?)\s*:\s*(?P<value>\S.*)$")


def _records(text: str) -> Iterator[Item]:
    """Yield drugs that have a line for the name, one for the dose, and so on."""
    fields: dict[str, str] = {}
    for line in text.splitlines():
        match = _FIELD.match(line)
        column = _column(match["title"]) if match else None
        if match is None or column is None:
            continue
        if column == "name" and len(fields) > 1:
            yield _assembled(fields)
        fields = {"name": match["value"]} if column == "name" else fields | {column: match["value"]}
    if len(fields) > 1 and "name" in fields:
        yield _assembled(fields)


def _assembled(fields: dict[str, str]) -> Item:
    """Put what stands in fields on one line, as a list would."""
    line = " ".join(filter(None, (fields.get(part) for part in _PARTS[:4])))
    line += f" for {fields['duration']}" if "duration" in fields else ""
    line += f" for {fields['purpose']}" if "purpose" in fields else ""
    return Item(line, _meaning(fields.get("change", "")))


def _pieces(text: str) -> Iterator[str]:
    """Cut a list at its numbers, else at its bullets, else at its lines; join what was wrapped."""
    text = PHARMACY.sub(lambda order: " ".join(order[0].split()), text)
    for marks in ([m.span() for m in _LINE_NUMBER.finditer(text)], [m.span() for m in _BULLET.finditer(text)]):
        if len(marks) > 1 or (marks and marks[0][0] == 0):
            inline = _counted(text)
            yield from _between(text, marks if len(marks) >= len(inline) else inline)
            return
    inline = _counted(text)
    yield from _between(text, inline) if inline else _joined(text.splitlines())


# Below a numbered drug may stand its sliding scale, the insulin of another meal, a title, or a sentence about the list.
_ENDS_ITEM = re.compile(
    r"\n\s*\n|\n(?=\s*[^\n]{3,60}:\s*(?:\n|$))|\n(?=\s*insulin sc\b)|"
    r"\n(?=[ \t]*[A-Za-z][A-Za-z /-]{2,20} (?:\d+|_{3}) units? (?:breakfast|lunch|dinner|bedtime|q\w+)\b)|"
    r"\n(?=(?:the patient|he|she|you) )|"
    rf"\n(?=\W*(?:{_WORD})\b[^\n\d.]{{0,30}}\b(?:{_MEDICINES})\b)|\n(?=\W*(?:{_STOP})\s*:)|"
    rf"\n(?=\W*(?:{_WORD})\W*(?:\n|$))",
    re.IGNORECASE,
)


def _between(text: str, marks: list[tuple[int, int]]) -> Iterator[str]:
    yield from _joined(text[: marks[0][0]].splitlines())
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


_LABEL = re.compile(
    r"\s*(?:(?:commonly|also|generally) known as|brand|generic|quantity|qty|refills?|disp\w*|what changed|reason|"
    r"indication|last (?:time )?taken|next dose|pharmacy)\b[^:]{0,20}:",
    re.IGNORECASE,
)


def _joined(lines: Sequence[str]) -> Iterator[str]:
    """Join the lines of an unnumbered list that a narrow page broke, or that give a drug's directions below it."""
    item = ""
    for raw in lines:
        line = " ".join(raw.split())
        if item and line and not _TITLE.match(item) and not _TITLE.match(line) and _continues(item, line):
            item = f"{item} {line}"
            continue
        if item:
            yield item
        item = line
    if item:
        yield item


def _continues(item: str, line: str) -> bool:
    if item.endswith((",", "-", "(", "/")) or item.count("(") > item.count(")"):
        return True
    if _LABEL.match(line):
        return True
    label = _LABELLED.match(line)
    if label and _begins_with_drug(line[label.end() :]):
        return False
    if starts_direction(line):
        return True
    # In a list whose items begin with capitals, a line in lower case goes on with the one before.
    return line[0].islower() and item[0].isupper() and not any(amounts(line))


def _enumerated(line: str) -> Iterator[str]:
    """Cut "aspirin 81 mg daily, metformin 500 mg BID and lisinopril" into drugs."""
    if re.search(r"\bSig\b", line):
        yield line
        return
    parts: list[str] = []
    remarked = False
    for part in outside_parentheses(_BETWEEN_DRUGS, line):
        if parts and (starts_direction(part) or not re.search(r"[A-Za-z]{3}", part)):
            parts[-1] += f", {part}"
        elif parts and not _is_drug(part, strictly=remarked):
            # What is no drug begins a remark: "preventing clots; bruising, bleeding".
            parts[-1] += f", {part}"
            remarked = True
        elif part.strip():
            parts.append(part)
    yield from parts


_BETWEEN_DRUGS = r"\s*[;,]\s+(?:and\s+)?|\s+and\s+(?=[A-Za-z-]+(?: [A-Za-z]+)? \d)"


def _is_drug(part: str, *, strictly: bool) -> bool:
    known = _begins_with_drug(part)
    taken = any(amounts(part)) or find_frequency(part) is not None or (known and re.search(r"\d", part) is not None)
    short = len(re.split(rf"\d|{BLANK}", part)[0].split()) <= _LONGEST_NAME
    return known and (taken or (not strictly and is_known(part))) if strictly or not taken else short


_LONGEST_NAME = 5


def _begins_with_drug(text: str) -> bool:
    words = text.strip(" .,;").split()
    return any(is_known(" ".join(words[:count]).strip(",;:.")) for count in (3, 2, 1))
