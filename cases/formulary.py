"""What a strict pharmacist knows: usual regimens, what a drug must not meet, and what its taker must be told.

The tables in ``data/knowledge`` were written from knowledge and read twice. They serve writers and the checks of
cases; they are no source for treating anybody. Drugs bear the names of ``verifier/data/core/drugs.tsv``, and
``class:…`` its classes, so that neither names nor classes are kept twice.
"""

import csv
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

__all__ = ["Allergen", "Amount", "Contraindication", "Interaction", "Lesson", "Regimen", "Subjects", "formulary"]

_KNOWLEDGE = Path(__file__).parent / "data" / "knowledge"

Severity = Literal["avoid", "caution"]
Safety = Literal["ok", "caution", "avoid"]
Row = TypeVar("Row")
Word = TypeVar("Word", bound=str)


class Amount(NamedTuple):
    """A range of one unit; ``unit`` is singular or plural as written in the table."""

    low: float
    high: float
    unit: str


class Subjects(NamedTuple):
    """Which drugs a row is about: names and ``class:…`` ids, less those written with a minus."""

    names: frozenset[str]
    without: frozenset[str]

    def hold(self, names: frozenset[str]) -> bool:
        """Say whether a drug, given as its name and all its classes, is meant."""
        return not self.names.isdisjoint(names) and self.without.isdisjoint(names)


class Regimen(NamedTuple):
    """One usual way for adults to take a drug at home; a drug may have several.

    Attributes:
        doses: Usual amount each time, one entry a unit.
        most_a_day: Highest daily amount, one entry a unit.
        times_a_day: Fewest and most; 0.14 is weekly, 0.03 monthly.
    """

    drug: str
    route: str
    doses: tuple[Amount, ...]
    most_a_day: tuple[Amount, ...]
    times_a_day: tuple[float, float]
    pregnancy: Safety
    breastfeeding: Safety


class Contraindication(NamedTuple):
    """Drugs that a disease forbids or makes delicate.

    Attributes:
        everywhere: True if drops, creams and inhalers count too.
        codes: Prefixes of ICD-10-CM codes.
        from_age: The age from which it holds, instead of codes.
        below_clearance: The glomerular filtration rate or creatinine clearance, in mL/min, below which it holds.
    """

    drugs: Subjects
    everywhere: bool
    codes: tuple[str, ...]
    from_age: int | None
    below_clearance: int | None
    severity: Severity
    why: str


class Interaction(NamedTuple):
    """Two groups of drugs that must not meet, or only with care."""

    drugs: Subjects
    others: Subjects
    severity: Severity
    why: str


class Allergen(NamedTuple):
    """What somebody allergic to ``allergen`` (a word of the allergy's text) must not get."""

    allergen: str
    drugs: Subjects
    severity: Severity


class Lesson(NamedTuple):
    """What a patient with a new drug must be told.

    Attributes:
        words: Regular expression that a plan which teaches it matches.
        as_return_sign: True if it must be among the return signs too.
    """

    drugs: Subjects
    everywhere: bool
    words: str
    teach: str
    as_return_sign: bool


class Formulary(NamedTuple):
    """All tables."""

    regimens: dict[str, tuple[Regimen, ...]]
    contraindications: tuple[Contraindication, ...]
    interactions: tuple[Interaction, ...]
    allergens: tuple[Allergen, ...]
    lessons: tuple[Lesson, ...]


@lru_cache(maxsize=1)
def formulary() -> Formulary:
    """Return the tables, read once."""
    regimens: dict[str, tuple[Regimen, ...]] = {}
    for row in _rows("regimens"):
        regimen = Regimen(
            row["drug"],
            row["route"],
            _amounts(row["dose"]),
            _amounts(row["max_day"]),
            _range(row["times_a_day"]),
            _one_of(row["pregnancy"], "ok", "caution", "avoid"),
            _one_of(row["breastfeeding"], "ok", "caution", "avoid"),
        )
        regimens[regimen.drug] = (*regimens.get(regimen.drug, ()), regimen)
    return Formulary(
        regimens,
        _table("contraindications", _contraindication),
        _table("interactions", lambda r: Interaction(_subjects(r["drugs"]), _subjects(r["others"]), *_verdict(r))),
        _table("allergies", lambda r: Allergen(r["allergen"], _subjects(r["drugs"]), _severity(r))),
        _table("teaching", _lesson),
    )


def _table(name: str, read: Callable[[dict[str, str]], Row]) -> tuple[Row, ...]:
    return tuple(map(read, _rows(name)))


def _rows(name: str) -> Iterator[dict[str, str]]:
    with (_KNOWLEDGE / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def _contraindication(row: dict[str, str]) -> Contraindication:
    when = row["conditions"]
    age = int(when.removeprefix("age>=")) if when.startswith("age>=") else None
    clearance = int(when.removeprefix("egfr<")) if when.startswith("egfr<") else None
    codes = () if age or clearance else tuple(when.split("|"))
    return Contraindication(_subjects(row["drugs"]), row["scope"] == "any", codes, age, clearance, *_verdict(row))


def _lesson(row: dict[str, str]) -> Lesson:
    return Lesson(_subjects(row["drugs"]), row["scope"] == "any", row["words"], row["teach"], row["where"] == "both")


def _verdict(row: dict[str, str]) -> tuple[Severity, str]:
    return _severity(row), row["why"]


def _severity(row: dict[str, str]) -> Severity:
    return _one_of(row["severity"], "avoid", "caution")


def _one_of(cell: str, *words: Word) -> Word:
    for word in words:
        if cell == word:
            return word
    raise ValueError(f"{cell!r} is not one of {', '.join(words)}")


def _subjects(cell: str) -> Subjects:
    names = cell.split("|")
    return Subjects(
        frozenset(name for name in names if not name.startswith("-")),
        frozenset(name[1:] for name in names if name.startswith("-")),
    )


def _amounts(cell: str) -> tuple[Amount, ...]:
    amounts = []
    for part in cell.split("|"):
        numbers, unit = part.split(" ", 1)
        amounts.append(Amount(*_range(numbers), unit))
    return tuple(amounts)


def _range(cell: str) -> tuple[float, float]:
    low, _, high = cell.partition("-")
    return float(low), float(high or low)
