"""Which disease does a wording name? A diagnosis in free text in the knowledge's concepts and ICD-10-CM's codes."""

import csv
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from bedside.cases.case import Diagnosis
from bedside.rewards.disease_names import classified, name_key, named_within, respelt, spoken_code
from bedside.verifier.language.lexicon import core
from bedside.verifier.language.text import plain, tokenize

__all__ = ["Resolved", "diseases_in", "exact_form", "head_of", "readings", "related", "resolve", "resolve_reference"]

_SYMPTOM_CODES = Path(__file__).parent / "data" / "symptom_codes.tsv"
_KINDS = ("condition", "symptom")
_CODE = re.compile(r"\b([A-TV-Z][0-9][0-9A-Z])(?:\.[0-9A-Z]{1,4})?\b")
_TAIL = re.compile(
    r"(?<!\s)\s++(?:with|without|due to|secondary to|caused by|because of|from|following|complicated by|"
    r"associated with|mimicking|masquerading as|presenting (?:as|with)|on a background of|disguised as|"
    r"in the setting of|resulting (?:in|from)|leading to|after|involving|on top of|superimposed on|"
    r"in a|status post)\s+|(?:(?<!\s)\s++)?\(",
    re.IGNORECASE,
)
_CAUSE = re.compile(r"\b(?:due to|secondary to|caused by|because of|from|resulting from)\s+(.*)", re.IGNORECASE)
_QUALIFIER = re.compile(
    r"\b(?:severe|mild|moderate|new|left|right|bilateral|early|late|viral|bacterial|recurrent|advanced|classic|acute|"
    r"active|sudden|simple|uncomplicated)(?:ly)?\b[ -]?",
    re.IGNORECASE,
)
"""How bad, how new and on which side: what may stand before a name that the knowledge holds without it."""
_WITHOUT = re.compile(r"\bwithout\b[^,;(]*+", re.IGNORECASE)
_LIKE = re.compile(r"\b\w+-like\b", re.IGNORECASE)
_MANIFEST = re.compile("R|K92|N23")
"""Codes of what is a disease's sign and no disease: symptoms, a bleeding gut, a colic."""


class Resolved(NamedTuple):
    """A name in the knowledge's terms; ``codes`` are ICD-10-CM codes with their dots."""

    concepts: tuple[str, ...]
    codes: tuple[str, ...]


def readings(answer: str) -> Iterator[str]:
    """Yield the answer as it stands, then reordered and shortened to its head, most specific first."""
    yield answer
    head = head_of(answer)
    if "," in head:
        first, rest = (part.strip() for part in head.split(",", 1))
        # Registers put the noun first: "anemia, iron deficiency".
        yield f"{rest.split(',')[0].strip()} {first}"
        yield first
        head = first
    yield head
    if head.istitle() and head.isalpha() and not core().named(head):
        yield f"{head} disease"  # "Graves", "Behcet": an eponym goes without its noun
    if bracket := re.search(r"\(([^)]+)\)?", answer):
        yield bracket[1].strip()


def head_of(answer: str) -> str:
    """Return an answer without what only says more of the disease: cause, course, company."""
    return _TAIL.split(answer)[0].strip()


def resolve(wordings: tuple[str, ...]) -> Resolved:
    """Return the disease that the first wording names which names any.

    Args:
        wordings: Readings of one answer, most specific first.
    """
    wordings = tuple(map(respelt, wordings))
    # "Infection with C. difficile" is one name; "asthma with pneumonia" is not.
    if (whole := named_within(_WITHOUT.sub("", wordings[0]))) and name_key(head_of(wordings[0])) < whole.words:
        return Resolved((), (whole.icd10,))
    for wording in wordings:
        if named := _named(wording) or _named(_QUALIFIER.sub("", wording)):
            return _with_cause(wordings[0], named)
    for wording in (w.split(",")[0] for w in reversed(wordings)):
        if named := _within(head_of(wording)) or _within(wording):
            return _with_cause(wordings[0], named)
    if code_in := _CODE.search(wordings[0]):
        return Resolved((), (code_in.group(),))
    return Resolved((), ())


def _named(wording: str) -> Resolved | None:
    """Return what a wording is a name of as a whole, by the knowledge or else by the classification."""
    if found := exact_form(wording):
        return _coded(wording, found)
    code = classified(wording)
    return Resolved(_mentioned(wording)[0], (code,)) if code else None


def _coded(wording: str, concepts: tuple[str, ...]) -> Resolved:
    """Return a name of the knowledge, unless it is a kind of disease that a doctor tells from others of that name."""
    codes, code = _codes(concepts), spoken_code(wording)
    if code and codes and code[:3] not in {known[:3] for known in codes}:
        return Resolved((), (code,))
    return Resolved(concepts, codes)


def _within(phrase: str) -> Resolved | None:
    """Return the disease that most words of a phrase name, by the knowledge or else by the classification."""
    phrase = _LIKE.sub("", phrase)
    concepts, words = _mentioned(phrase)
    named = named_within(phrase)
    if named and len(named.words) > words:
        return Resolved((), (named.icd10,))
    return Resolved(concepts, _codes(concepts)) if concepts else None


def _with_cause(answer: str, found: Resolved) -> Resolved:
    """A symptom "due to" a disease commits to the disease."""
    symptom = all(core()[concept].kind == "symptom" for concept in found.concepts)
    sign = all(map(_MANIFEST.match, found.codes)) if found.codes else symptom
    if sign and (cause := _CAUSE.search(answer)):
        caused = resolve((cause[1],))
        return caused if caused.codes or caused.concepts else found
    return found


@lru_cache(maxsize=4096)
def resolve_reference(reference: Diagnosis) -> Resolved:
    """Return the disease that is the truth; its own code counts before that of its name."""
    resolved = resolve((reference.text,))
    if not resolved.concepts:
        named = [found for name in reference.synonyms if (found := exact_form(name))]
        resolved = Resolved(named[0], _codes(named[0])) if named else resolved
    return resolved._replace(codes=(reference.icd10,)) if reference.icd10 else resolved


def diseases_in(phrase: str) -> tuple[str, ...]:
    """Return the conditions that a phrase names, symptoms left out."""
    found = exact_form(phrase) or _mentioned(phrase)[0]
    return tuple(concept for concept in found if core()[concept].kind == "condition")


def related(said: tuple[str, ...], true: tuple[str, ...]) -> bool:
    """True when a concept of one is the same as one of the other, or a kind of it."""
    lexicon = core()
    return any(a == b or a in lexicon.ancestors(b) or b in lexicon.ancestors(a) for a in said for b in true)


def exact_form(wording: str) -> tuple[str, ...]:
    """Return the concepts that a whole wording names, conditions before symptoms."""
    named = tuple(c for c in core().named(wording) if core()[c].kind in _KINDS)
    diseases = tuple(c for c in named if core()[c].kind == "condition")
    return diseases or named


def _mentioned(wording: str) -> tuple[tuple[str, ...], int]:
    """Return the concepts of the longest disease name in a phrase and its words; of equals the last, the noun."""
    tokens = tokenize(plain(wording))
    best: tuple[tuple[bool, int, int], tuple[str, ...]] | None = None
    for mention in core().find(tokens):
        named = tuple(c for c in mention.concepts if core()[c].kind in _KINDS)
        if not named:
            continue
        disease = any(core()[c].kind == "condition" for c in named)
        rank = (disease, mention.last - mention.first, mention.first)
        if best is None or rank > best[0]:
            best = rank, named
    return (best[1], best[0][1] + 1) if best else ((), 0)


def _codes(concepts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(code for c in concepts for code in _codes_of(c)))


def _codes_of(concept: str) -> tuple[str, ...]:
    return core()[concept].relations.get("icd10", ()) or _symptom_codes().get(concept, ())


@lru_cache(maxsize=1)
def _symptom_codes() -> dict[str, tuple[str, ...]]:
    """Return the index defaults of symptoms, which can be a diagnosis of their own (ICD-10-CM, chapter R)."""
    with _SYMPTOM_CODES.open(encoding="utf-8", newline="") as file:
        return {row["concept"]: (row["icd10"],) for row in csv.DictReader(file, delimiter="\t")}
