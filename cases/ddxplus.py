"""DDXPlus: synthetic patients with coded evidences, the largest open test bed of diagnostic interviews.

The release speaks in codes (``E_54_@_V_161``) whose English is partly a machine's. Three hand-written
tables beside this module give every evidence, value and condition the words of a clinician and of a
patient, so that a code becomes a fact that can be asked about, answered and checked. Attributes of a pain,
a rash or a swelling become attributes of that symptom. Values that deny ("nowhere", "NA", "N", 0) become
nothing: what a record does not list is absent.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import orjson
from pydantic import TypeAdapter, ValidationError

from bedside.cases.case import Case, Demographics, Diagnosis
from bedside.cases.chapters import chapter_of
from bedside.cases.ddxplus_files import Row, find_tables, has_test_rows, read_rows
from bedside.cases.fact import AnyFact, Symptom
from bedside.cases.jsonl import CaseError, first_problem

__all__ = [
    "ConditionEntry",
    "Evidence",
    "condition_profiles",
    "conditions",
    "evidences",
    "facts_of",
    "read_ddxplus",
    "training_rows",
    "values",
]

DATA = Path(__file__).parent / "data"
LICENCE = "CC-BY-4.0"
SEPARATOR = "_@_"
NOTHING = frozenset({"V_10", "V_11", "V_123", "0"})  # N, NA, nowhere, and the lower end of every scale
SCALES = frozenset({"E_56", "E_134"})  # answered by a number that stays one: Symptom.severity
SEXES: Mapping[str, str] = MappingProxyType({"F": "female", "M": "male"})
PLACED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"E_53": ("pain", "in"), "E_129": ("a rash", "on"), "E_151": ("swelling", "of")}
)
FACT: TypeAdapter[AnyFact] = TypeAdapter(AnyFact)


class Evidence(NamedTuple):
    """One of the 223 evidences, in words.

    Attributes:
        code: ``E_91``.
        kind: The kind of fact it becomes, or ``attribute``.
        text: Clinical noun phrase (for social facts, a phrase after "the patient").
        lay: Noun phrases that fit after "I have had".
        detail: Aspect of a social fact, relative of a family fact.
        parent: Symptom that it describes, if any.
        attributes: What it says of the parent, or of itself without one; of an ``attribute`` the name only.
        question: How a doctor asks for it.
    """

    code: str
    kind: str
    text: str
    lay: tuple[str, ...]
    detail: str
    parent: str
    attributes: Mapping[str, str]
    question: str


class ConditionEntry(NamedTuple):
    """One of the 49 conditions: its name in the release, corrected ICD-10-CM code, and other names."""

    name: str
    icd10: str
    synonyms: tuple[str, ...]


def _table(name: str) -> list[list[str]]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines[1:]]


def _several(cell: str) -> tuple[str, ...]:
    return tuple(part for part in cell.split("|") if part)


@cache
def evidences() -> Mapping[str, Evidence]:
    """Return all 223 evidences by code."""
    found = {}
    for code, kind, text, lay, detail, parent, attribute, question in _table("ddxplus_evidences.tsv"):
        name, _, value = attribute.partition("=")
        attributes = {name: value} if name else {}
        found[code] = Evidence(code, kind, text, _several(lay), detail, parent, attributes, question)
    return MappingProxyType(found)


@cache
def values() -> Mapping[str, tuple[str, str]]:
    """Return clinical and lay wording of values, by value code or, where that is not enough, full code."""
    return MappingProxyType({code: (text, lay) for code, text, lay in _table("ddxplus_values.tsv")})


@cache
def conditions() -> Mapping[str, ConditionEntry]:
    """Return the 49 conditions by the name that PATHOLOGY cells use."""
    rows = _table("ddxplus_conditions.tsv")
    return MappingProxyType({name: ConditionEntry(name, icd, _several(others)) for name, icd, others in rows})


def read_ddxplus(directory: Path) -> Iterator[Case]:
    """Stream the test patients of a directory, or all patients if none is marked as test.

    Args:
        directory: Holds ``release_*_patients`` (CSV, ZIP or no extension) or CSV files with their columns.

    Yields:
        Cases named ``ddxplus-<split>-<row number in its file>``.

    Raises:
        CaseError: There is no patient file, or a row is damaged.
    """
    tables = find_tables(directory)
    only_test = has_test_rows(tables)
    seen: set[str] = set()
    for row in read_rows(tables):
        if only_test and row.split != "test":
            continue
        case = _case(row)
        if case.id in seen:
            raise CaseError(f"id {case.id!r} comes twice; keep one of the files", path=row.path, line=row.line)
        seen.add(case.id)
        yield case


def training_rows(directory: Path) -> Iterator[tuple[str, list[str]]]:
    """Stream condition and evidences of all rows that are marked as something else than test.

    Rows without any mark are left out: :func:`read_ddxplus` gives those out as cases.
    """
    for row in read_rows(find_tables(directory)):
        if row.split not in ("test", ""):
            yield _condition(row).name, _codes(row)


def condition_profiles(directory: Path) -> dict[str, frozenset[str]]:
    """Return the evidences that the release lists for each condition (``release_conditions.json``)."""
    path = directory / "release_conditions.json"
    try:
        release = orjson.loads(path.read_bytes())
        return {name: frozenset((*entry["symptoms"], *entry["antecedents"])) for name, entry in release.items()}
    except OSError as error:
        raise CaseError(error.strerror or str(error), path=path) from error
    except (orjson.JSONDecodeError, AttributeError, KeyError, TypeError) as error:
        raise CaseError(f"not the conditions of a DDXPlus release ({error!r})", path=path) from error


def facts_of(codes: Iterable[str]) -> tuple[AnyFact, ...]:
    """Turn coded evidences into facts.

    Args:
        codes: ``E_91`` or ``E_55_@_V_109``, in any order.

    Returns:
        One fact an evidence, in order of appearance; an attribute without its symptom implies the symptom.

    Raises:
        ValueError: A code or value is unknown, or one lacks the other.
    """
    present: dict[str, str] = {}
    said: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for item in codes:
        evidence, value = _parse(item)
        if evidence.kind == "attribute":
            if value in NOTHING:
                continue
            present.setdefault(evidence.parent, "")
            said[evidence.parent][next(iter(evidence.attributes))].append(item)
        elif value not in NOTHING:
            present.setdefault(evidence.code, value)
    for code in present:
        evidence = evidences()[code]
        if evidence.parent in present:
            for name, value in evidence.attributes.items():
                said[evidence.parent][name].append(value)
    return tuple(
        _fact(code, value, said[code]) if code in said or value else _plain(code) for code, value in present.items()
    )


def _parse(item: str) -> tuple[Evidence, str]:
    code, _, value = item.partition(SEPARATOR)
    evidence = evidences().get(code)
    if evidence is None:
        raise ValueError(f"unknown evidence {item!r} (only the English release, with E_ codes, can be read)")
    valued = evidence.kind == "attribute" or "{value}" in evidence.text
    if valued != bool(value):
        raise ValueError(f"evidence {item!r} must {'' if valued else 'not '}have a value")
    number = code in SCALES and value.isascii() and value.isdigit() and int(value) <= 10
    if value and value not in NOTHING and not number and item not in values() and value not in values():
        raise ValueError(f"unknown value in {item!r}")
    return evidence, value


def _words(item: str) -> tuple[str, str]:
    """Clinical and lay words for the value of an item; plain words stand for themselves."""
    value = item.partition(SEPARATOR)[2]
    return values().get(item) or values().get(value) or (value or item, value or item)


@cache
def _plain(code: str) -> AnyFact:
    """Return the fact of an evidence without attributes; shared, for there may be 134,529 cases."""
    return _fact(code, "", {})


def _fact(code: str, value: str, said: Mapping[str, Sequence[str]]) -> AnyFact:
    evidence = evidences()[code]
    text, lay = values()[value] if value else ("", "")
    fields: dict[str, Any] = {
        "kind": evidence.kind,
        "id": code,
        "code": code,
        "text": evidence.text.format(value=text),
    }
    fields["lay"] = (
        *_sited(code, said.get("site", ())),
        *(wording.format(value=lay) for wording in evidence.lay),
    )
    if evidence.detail:
        fields["aspect" if evidence.kind == "social" else "relative"] = evidence.detail
    if not evidence.parent:
        fields |= evidence.attributes
    for name, items in said.items():
        fields[name] = _attribute(name, items)
    return FACT.validate_python(fields)


def _attribute(name: str, items: Sequence[str]) -> str | int | tuple[str, ...]:
    words = [_words(item)[0] for item in items]
    if name == "severity":
        return max(map(int, words))
    return tuple(words) if name in ("aggravating", "relieving") else ", ".join(dict.fromkeys(words))


def _sited(code: str, items: Iterable[str]) -> Iterator[str]:
    for item in items:
        site = _words(item)[1]
        thing, preposition = PLACED[code]
        yield f"{thing} {site}" if site.startswith("under ") else f"{thing} {preposition} the {site}"


def _case(row: Row) -> Case:
    condition = _condition(row)
    codes = _codes(row)
    initial = row.cells.get("INITIAL_EVIDENCE", "").strip()
    try:
        record = facts_of(codes)
    except ValueError as error:
        raise CaseError(str(error), path=row.path, line=row.line, field="EVIDENCES") from error
    if initial and initial not in {fact.id for fact in record}:
        raise CaseError(
            f"{initial!r} is not among the evidences", path=row.path, line=row.line, field="INITIAL_EVIDENCE"
        )
    return Case(
        id=f"ddxplus-{row.split or 'row'}-{row.number}",
        source="ddxplus",
        licence=LICENCE,
        chapter=chapter_of(condition.icd10),
        demographics=_demographics(row, asian="E_17" in codes),
        chief_complaint=_complaint(record, initial, row),
        record=record,
        diagnosis=Diagnosis(text=condition.name, icd10=condition.icd10 or None, synonyms=condition.synonyms),
    )


def _condition(row: Row) -> ConditionEntry:
    name = row.cells["PATHOLOGY"].strip()
    condition = conditions().get(name)
    if condition is None:
        raise CaseError(f"unknown condition {name!r}", path=row.path, line=row.line, field="PATHOLOGY")
    return condition


def _codes(row: Row) -> list[str]:
    try:
        found = ast.literal_eval(row.cells["EVIDENCES"])
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise CaseError("not a Python list of strings", path=row.path, line=row.line, field="EVIDENCES") from error
    if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
        raise CaseError("not a Python list of strings", path=row.path, line=row.line, field="EVIDENCES")
    return found


def _demographics(row: Row, *, asian: bool) -> Demographics:
    sex = row.cells["SEX"].strip().upper()
    fields = {"age": row.cells["AGE"].strip(), "sex": SEXES.get(sex, sex)}
    try:
        return Demographics.model_validate(fields | ({"race": "Asian"} if asian else {}))
    except ValidationError as error:
        field = first_problem(error)[0].upper()
        wanted = "F or M" if field == "SEX" else "a whole number of years from 0 to 120"
        message = f"{row.cells[field]!r} is not {wanted}"
        raise CaseError(message, path=row.path, line=row.line, field=field) from error


def _complaint(record: Sequence[AnyFact], initial: str, row: Row) -> str:
    """Word the first thing that this patient says, at most three places long."""
    chosen = next((fact for fact in record if (fact.id == initial if initial else isinstance(fact, Symptom))), None)
    if chosen is None:
        raise CaseError("no symptom to complain of", path=row.path, line=row.line, field="EVIDENCES")
    places = [text for text in chosen.lay if text not in evidences()[chosen.id].lay]
    if chosen.id not in PLACED or not places:
        return chosen.lay[0]
    thing, preposition = PLACED[chosen.id]
    first, *others = places[:3]
    others = [text.removeprefix(f"{thing} ").removeprefix(f"{preposition} ") for text in others]
    return " and ".join([", ".join([first, *others[:-1]]), *others[-1:]])
