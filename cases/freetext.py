"""Clinical prose in small pieces.

Sources written as sentences (AgentClinic, DischargeSim) share the same few needs: take nested JSON apart,
cut sentences and lists, tell statements of absence and of ignorance from statements of fact, find times and
people. The rules are conservative: what is not clearly said yields nothing, for a wrong fact is worse than
a missing one.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from bedside.cases.fact import AnyFact

__all__ = [
    "FactList",
    "Time",
    "age_in",
    "find_time",
    "is_absence",
    "is_uninformative",
    "items",
    "lower_first",
    "outside_parentheses",
    "sentences",
    "sex_in",
    "strings",
]

NUMBER = (
    r"(?:\d+(?:[.–-]\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|a few|several|"
    r"a couple of)"
)
UNIT = r"(?:minute|hour|day|night|week|month|year|decade)"
APPROXIMATELY = r"(?:about |approximately |around |over |more than |nearly |almost |at least )?"
_AGO = re.compile(
    rf"(?:{APPROXIMATELY}{NUMBER} {UNIT}s? (?:ago|prior|earlier|previously)|since yesterday|yesterday"
    r"|(?:since |earlier )?this (?:morning|evening|afternoon)|since birth|(?:last|the previous) week)",
    re.IGNORECASE,
)
_FOR = re.compile(
    rf"\b(?:for|over|within|during|since) (?:the |these )?(?:past |last |previous "
    rf")?({APPROXIMATELY}{NUMBER} {UNIT}s?)\b"
    rf"|\b(?:for|over|in) the (?:past|last) ({UNIT}|few {UNIT}s)\b",
    re.IGNORECASE,
)
_HISTORY = re.compile(rf"\b({NUMBER})[- ]({UNIT})s?(?:[- ]long)? history of\b", re.IGNORECASE)

_UNINFORMATIVE = re.compile(
    r"^(?:n/?a\b|none\b|nil\b|unknown\b|unremarkable\b|not (?:applicable|provided|specified|available|"
    r"reported))"
    r"|\bnot (?:applicable|provided|specified|available|mentioned|recorded)\b|information not|\bno mention\b"
    r"|\b(?:didn't|did not|does not|do not) (?:provide|specify|mention|report)\b"
    r"|\bno (?:\w+ ){0,3}(?:information|details|history) (?:\w+ ){0,3}(?:provided|given|mentioned|"
    r"available|related)\b"
    r"|^no (?:other |additional |relevant |pertinent |significant )*(?:social|systemic|additional|"
    r"information)\b",
    re.IGNORECASE,
)
_ABSENCE = re.compile(
    r"^(?:(?:the |his |her )?(?:patient|child|infant|baby|newborn|boy|girl|she|he|mother|parents?|"
    r"family)\s+)?"
    r"(?:also |currently |specifically,? |otherwise )*"
    r"(?:no|not|without|den(?:y|ies|ied)|never|nor|neither|absen(?:ce|t)|negative for|free of|unaware|none"
    r"|(?:does|do|did|has|have|is|was) (?:not|n't|no|never)|takes no|normal|unremarkable|painless"
    r"|(?:is |has been )?(?:previously |generally |otherwise )?healthy|uncomplicated|asymptomatic)\b"
    r"|\b(?:is|are) (?:asymptomatic|painless|normal|negative)\b|\bunremarkable$",
    re.IGNORECASE,
)
# A missing effect, memory or orientation is something that the patient has, not an absent symptom.
_PRESENT_LACK = re.compile(
    r"^(?:no (?:relief|recollection|improvement|response|memory|appetite)|not (?:oriented|improving|"
    r"able|sleeping))\b",
    re.IGNORECASE,
)
_AGES = (
    re.compile(r"(?P<number>\d+)\s*-?\s*(?P<unit>hour|day|week|month|year)s?[- ]?old", re.IGNORECASE),
    re.compile(r"(?P<number>\d+)\s*-?\s*(?P<unit>y/?o|yrs?|years?)\b", re.IGNORECASE),
    re.compile(r"\b(?P<unit>age)[d:]?\s*(?P<number>\d+)\b", re.IGNORECASE),
    re.compile(r"^\s*(?P<number>\d{1,3})(?P<unit>)\b(?!-g)"),
)
_NEWBORN = re.compile(r"\b(?:newborn|neonate|infant|baby)\b", re.IGNORECASE)
_FEMALE = re.compile(r"(?<![A-Za-z])(?:(?i:female|woman|girl|lady|nulliparous|gravida)|F)\b")
_MALE = re.compile(r"(?<![A-Za-z])(?:(?i:male|man|boy|gentleman)|M)\b")
_SHE = re.compile(r"\b(?:she|her|hers|herself|daughter)\b", re.IGNORECASE)
_HE = re.compile(r"\b(?:he|him|his|himself|son)\b", re.IGNORECASE)
_EPONYMS = frozenset({"Crohn", "Lyme", "Hodgkin", "Parkinson", "Alzheimer", "Down", "Turner", "Graves", "English", "I"})
_FACT: TypeAdapter[AnyFact] = TypeAdapter(AnyFact)


class Time(NamedTuple):
    """A time phrase: its words and the attribute that it fills, ``onset`` or ``duration``."""

    name: str
    words: str
    start: int
    end: int


class FactList:
    """Facts in the making: gives each a readable id that is neither used nor taken, and drops repetitions."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._rows: list[dict[str, Any]] = []
        self._ids: set[str] = set(taken)

    def add(self, kind: str, text: str, **attributes: object) -> None:
        """Add a fact unless its words are there already, of the same kind or told as a symptom before."""
        text = text.strip(" .,;:")
        if not text or any(self._repeats(row, kind, text, attributes) for row in self._rows):
            return
        if kind == "instruction":
            text = f"{text}."
        stem = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40].rstrip("-") or kind
        number = next(n for n in range(1, len(self._ids) + 2) if self._numbered(stem, n) not in self._ids)
        self._ids.add(self._numbered(stem, number))
        given = {name: value for name, value in attributes.items() if value not in (None, "", ())}
        self._rows.append({"kind": kind, "id": self._numbered(stem, number), "text": text} | given)

    @staticmethod
    def _repeats(row: dict[str, Any], kind: str, text: str, attributes: dict[str, object]) -> bool:
        if kind not in (row["kind"], "condition") or not same_words(row["text"], text):
            return False
        # Two visits to one clinic are two.
        return kind != "follow_up" or attributes.get("when") in (None, row.get("when"))

    @staticmethod
    def _numbered(stem: str, number: int) -> str:
        return stem if number == 1 else f"{stem}-{number}"

    def rows(self, kind: str) -> list[dict[str, Any]]:
        """Return the facts of a kind, still open to change."""
        return [row for row in self._rows if row["kind"] == kind]

    def facts(self) -> tuple[AnyFact, ...]:
        """Return all facts, checked."""
        return tuple(_FACT.validate_python(row) for row in self._rows)


def same_words(one: str, other: str) -> bool:
    """Say whether two phrases differ in case, punctuation and abbreviations in parentheses only."""
    first, second = (re.sub(r"\W+", " ", re.sub(r"\([^)]*\)", "", text)).strip().lower() for text in (one, other))
    return first == second


def strings(value: object) -> Iterator[str]:
    """Yield the texts in a JSON value, however it is nested."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)
    elif isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip():
        yield str(value).strip()


def sentences(value: object) -> Iterator[str]:
    """Yield the sentences in a JSON value; semicolons end one too."""
    for text in strings(value):
        yield from (part.strip() for part in re.split(r"(?<=[.!?;])\s+(?=[A-Z\"'0-9a-z])", text) if part.strip(" .;"))


def outside_parentheses(separator: str, text: str) -> list[str]:
    """Split at a pattern, but never inside parentheses."""
    parts, depth, start = [], 0, 0
    for match in re.finditer(rf"[()]|{separator}", text):
        if match[0] in "()":
            depth += 1 if match[0] == "(" else -1
        elif depth <= 0:
            parts.append(text[start : match.start()])
            start = match.end()
    parts.append(text[start:])
    return [part.strip(" .,;") for part in parts if part.strip(" .,;")]


def items(text: str, *, split_and: bool = True) -> list[str]:
    """Split an enumeration: commas, semicolons and, unless told otherwise, "and"."""
    separator = r"\s*[,;]\s*(?:and\s+|or\s+)?" + (r"|\s+and\s+" if split_and else "")
    return outside_parentheses(separator, text)


def lower_first(text: str) -> str:
    """Lower the first letter of a sentence unless an abbreviation or a name with digits stands there."""
    first = text.split(" ", 1)[0]
    proper = first[1:] != first[1:].lower() or first in _EPONYMS or re.search(r"['’]s?$", first)
    return text if proper or (len(first) == 1 and first != "A") else text[:1].lower() + text[1:]


def is_uninformative(text: str) -> bool:
    """Say whether a text only tells that nothing is told."""
    return _UNINFORMATIVE.search(text) is not None


def is_absence(text: str) -> bool:
    """Say whether a phrase states that something is not there."""
    return _ABSENCE.search(text) is not None and _PRESENT_LACK.search(text) is None


def find_time(text: str) -> Time | None:
    """Find the first statement of when something began, or how long it has lasted."""
    if match := _HISTORY.search(text):
        number, unit = match.groups()
        singular = number.lower() in ("a", "an", "one", "1")
        return Time("duration", f"{number} {unit}" + ("" if singular else "s"), match.start(), match.end())
    if match := _AGO.search(text):
        return Time("onset", match[0], match.start(), match.end())
    if match := _FOR.search(text):
        return Time("duration", match[1] or f"the past {match[2]}", match.start(), match.end())
    return None


def age_in(text: str) -> int | None:
    """Return the age in completed years, 0 for infants, or None."""
    for pattern in _AGES:
        if match := pattern.search(text):
            number = int(match["number"])
            return {"hour": 0, "day": 0, "week": number // 52, "month": number // 12}.get(match["unit"].lower(), number)
    return 0 if _NEWBORN.search(text) else None


def sex_in(demographics: str, story: str) -> str | None:
    """Return female or male from words for the patient or, failing those, from the pronouns of the story."""
    female, male = _FEMALE.search(demographics), _MALE.search(demographics)
    if female or male:
        return "female" if female and (not male or female.start() < male.start()) else "male"
    she, he = len(_SHE.findall(story)), len(_HE.findall(story))
    if she != he:
        return "female" if she > he else "male"
    return None
