"""Is the doctor's diagnosis the right one? (VeriSim, appendix F.5 and table A8).

A cascade that stops at the first stage that decides: the ICD-10-CM category of both, then a shared concept or synonym.
No model takes part; what the knowledge cannot resolve is not a match.
"""

import csv
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from rapidfuzz import fuzz, process

from bedside.cases.case import Diagnosis
from bedside.rewards.committed import committed_answer
from bedside.rewards.disease_kinds import excluded_by
from bedside.rewards.icd_terms import classified
from bedside.verifier.language.lexicon import core
from bedside.verifier.language.text import content_stems, key, plain, tokenize

__all__ = ["Match", "Rule", "match_diagnosis"]

Rule = Literal["exact", "icd10", "cascade"]
"""``exact``: the reference's own words. ``icd10``: the category alone. ``cascade``: the category, then concepts."""

_SYMPTOM_CODES = Path(__file__).parent / "data" / "symptom_codes.tsv"
_KINDS = ("condition", "symptom")
_CODE = re.compile(r"\b([A-TV-Z][0-9][0-9A-Z])(?:\.[0-9A-Z]{1,4})?\b")
_TAIL = re.compile(
    r"(?<!\s)\s++(?:with|without|due to|secondary to|caused by|because of|from|following|complicated by|"
    r"associated with|"
    r"in the setting of|resulting (?:in|from)|leading to|after|involving|on top of|superimposed on|"
    r"in a|status post)\s+|(?:(?<!\s)\s++)?\(",
    re.IGNORECASE,
)
_CAUSE = re.compile(r"\b(?:due to|secondary to|caused by|because of|from|resulting from)\s+(.*)", re.IGNORECASE)
_SEVERAL = re.compile(
    r"(?:(?<!\s)\s++)?,\s*(?:and\s+|or\s+)?|(?<!\s)\s++(?:and|plus)\s+|(?:(?<!\s)\s++)?[&+]\s*", re.IGNORECASE
)
_NON = re.compile(r"\bnon[- ]?", re.IGNORECASE)
_MISSPELT = 88.0
_OPPOSITES = (("hyper", "hypo"), ("macro", "micro"), ("brady", "tachy"), ("intra", "extra"))


class Match(NamedTuple):
    """The outcome.

    Attributes:
        matched: True when prediction and reference are the same diagnosis.
        stage: What decided: ``exact``, ``icd10``, ``icd10-sibling`` (the same category, another disease), ``concept``,
            ``synonym``, ``kind`` (kinds of one disease that exclude each other), ``none`` (unresolved) or
            ``unanswered``.
        why: In words.
    """

    matched: bool
    stage: str
    why: str


class _Resolved(NamedTuple):
    """A name in the knowledge's terms; ``codes`` are ICD-10-CM codes with their dots."""

    concepts: tuple[str, ...]
    codes: tuple[str, ...]


def match_diagnosis(prediction: str, reference: Diagnosis, rule: Rule = "cascade") -> Match:
    """Compare a free-text diagnosis with the true one (VeriSim, appendix F.5).

    Args:
        prediction: What the doctor handed in.
        reference: The case's diagnosis.
        rule: How strict to be (VeriSim, table A8).

    Returns:
        Whether they match, which stage decided, and why.
    """
    committed = committed_answer(prediction)
    if not committed.answer:
        return Match(False, "unanswered", committed.why)
    wordings = tuple(dict.fromkeys(_readings(_first_of_several(committed.answer, reference))))
    if _key(wordings[0]) == _key(reference.text):
        return Match(True, "exact", f"{wordings[0]!r} is the reference's own wording")
    if rule == "exact":
        return Match(False, "exact", f"{wordings[0]!r} is not the wording {reference.text!r}")
    said, true = _resolve_first(wordings), _resolve_reference(reference)
    names = _names(reference)
    if len(wordings) > 1 and "(" in wordings[0] and any(map(_exact_form, wordings[:-1])):
        # What stands before the bracket is a disease of its own; the bracket cannot stand in for it.
        wordings = wordings[:-1]
    by_code = _match_codes(wordings, said, true, names)
    if by_code is not None and (by_code.matched or rule == "icd10"):
        return by_code
    if rule == "icd10":
        return Match(
            False,
            "none",
            f"no ICD-10 code for {wordings[0]!r}" if not said.codes else "no code for the reference",
        )
    return (
        _match_names(wordings, said, true, names)
        or by_code
        or Match(False, "none", f"{wordings[0]!r} was not resolved")
    )


def _first_of_several(answer: str, reference: Diagnosis) -> str:
    """Return the first of several diseases; what is one name with "and" or a comma in it stays whole."""
    if _exact_form(answer) or any(_key(answer) == _key(name) for name in _names(reference)):
        return answer
    parts = [part for part in _SEVERAL.split(answer) if part.strip()]
    if len(parts) < 2 or (len(parts) == 2 and _exact_form(f"{parts[1]} {parts[0]}")):
        return answer
    first = _diseases(parts[0])
    others = [_diseases(part) for part in parts[1:]]
    apart = any(other and not _related(first, other) for other in others)
    rest = {_key(part) for part in parts[1:]}
    named = any(_key(name) in rest for name in _names(reference))
    return (
        parts[0]
        if first and (apart or (named and not _related(first, _resolve_reference(reference).concepts)))
        else answer
    )


def _diseases(phrase: str) -> tuple[str, ...]:
    found = _exact_form(phrase) or _mentioned(phrase)
    return tuple(concept for concept in found if core()[concept].kind == "condition")


def _match_codes(wordings: tuple[str, ...], said: _Resolved, true: _Resolved, names: tuple[str, ...]) -> Match | None:
    if not said.codes or not true.codes:
        return None
    shared = sorted({code[:3] for code in said.codes} & {code[:3] for code in true.codes})
    if not shared:
        return Match(False, "icd10", f"{said.codes[0]} is not in the category of {true.codes[0]}")
    same = set(said.codes) & set(true.codes) or _related(said.concepts, true.concepts) or _synonym(wordings, names)
    stage = "icd10" if same else "icd10-sibling"
    return Match(True, stage, f"both in category {shared[0]} ({said.codes[0]}, {true.codes[0]})")


def _match_names(wordings: tuple[str, ...], said: _Resolved, true: _Resolved, names: tuple[str, ...]) -> Match | None:
    if kinds := excluded_by(wordings[0], names[0]):
        return Match(False, "kind", f"{kinds[0]} is not {kinds[1]}")
    if name := _synonym(wordings, names):
        return Match(True, "synonym", f"{wordings[0]!r} means {name!r}")
    # "UTI" is what the reference calls a urinary tract infection, though its code is another.
    if name := _called(wordings, true, names):
        return Match(True, "synonym", f"{wordings[0]!r} means {name!r}")
    if shared := sorted(set(said.concepts) & set(true.concepts)):
        return Match(True, "concept", f"both are {core()[shared[0]].name}")
    if not said.concepts and (name := _misspelt(wordings[0], names)):
        return Match(True, "synonym", f"{wordings[0]!r} is {name!r} misspelt")
    return None


def _called(wordings: tuple[str, ...], true: _Resolved, names: tuple[str, ...]) -> str:
    """Return a synonym of the reference that is a wider name of it, and the very disease that was said."""
    exact = next((found for wording in wordings if (found := _exact_form(wording))), ())
    # An abbreviation is the name that it stands for, however wide.
    if len(exact) != 1 or not (_related(exact, true.concepts) or wordings[0].isupper()):
        return ""
    return next((name for name in names[1:] if _exact_form(name) == exact), "")


def _related(said: tuple[str, ...], true: tuple[str, ...]) -> bool:
    lexicon = core()
    return any(a == b or a in lexicon.ancestors(b) or b in lexicon.ancestors(a) for a in said for b in true)


def _names(reference: Diagnosis) -> tuple[str, ...]:
    return (reference.text, *reference.synonyms)


def _key(name: str) -> str:
    return key(tokenize(plain(name)))


def _synonym(wordings: tuple[str, ...], names: tuple[str, ...]) -> str:
    """Return the name of the reference that a wording equals, also in another order of words."""
    for wording in wordings:
        for name in names:
            if len(_NON.findall(wording)) != len(_NON.findall(name)):
                continue  # "non-Hodgkin lymphoma" holds the words of "Hodgkin lymphoma"
            if _key(wording) == _key(name) or (
                content_stems(name) and set(content_stems(wording)) == set(content_stems(name))
            ):
                return name
            # "C. diff colitis" holds the synonym "C. diff"; single words hold too little to decide.
            if len(name.split()) > 1 and len(_key(name).split()) > 1 and _key(name) in _key(_TAIL.split(wording)[0]):
                return name
    return ""


def _misspelt(wording: str, names: tuple[str, ...]) -> str:
    low = wording.lower()
    for name in names:
        if len(name) > 5 and fuzz.ratio(low, name.lower()) >= _MISSPELT and not _opposite(low, name.lower()):
            return name
    return ""


def _opposite(one: str, other: str) -> bool:
    """True when two look-alikes mean different things: hyper- and hypo-, type 1 and type 2, left and right."""
    if re.findall(r"\d+", one) != re.findall(r"\d+", other):
        return True
    return any((a in one) != (a in other) or (b in one) != (b in other) for a, b in _OPPOSITES)


def _readings(answer: str) -> Iterator[str]:
    """Yield the answer as it stands, then reordered and shortened to its head, most specific first."""
    yield answer
    head = _TAIL.split(answer)[0].strip()
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


def _resolve_first(wordings: tuple[str, ...]) -> _Resolved:
    for wording in wordings:
        if found := _exact_form(wording):
            return _with_cause(wordings[0], found)
    for wording in wordings:
        if category := classified(wording):
            return _Resolved(_mentioned(wording), (category,))
    for wording in (w.split(",")[0] for w in reversed(wordings[:1] + wordings[1:])):
        head = _TAIL.split(wording)[0]
        if found := _mentioned(head) or _mentioned(wording):
            return _with_cause(wordings[0], found)
    if code := _CODE.search(wordings[0]):
        return _Resolved((), (code.group(),))
    return _resolve_misspelt(wordings[0])


def _with_cause(answer: str, found: tuple[str, ...]) -> _Resolved:
    """A symptom "due to" a disease commits to the disease."""
    if all(core()[c].kind == "symptom" for c in found) and (cause := _CAUSE.search(answer)):
        found = _exact_form(cause[1]) or _mentioned(cause[1]) or found
    return _Resolved(found, _codes(found))


def _exact_form(wording: str) -> tuple[str, ...]:
    named = tuple(c for c in core().named(wording) if core()[c].kind in _KINDS)
    diseases = tuple(c for c in named if core()[c].kind == "condition")
    return diseases or named


def _mentioned(wording: str) -> tuple[str, ...]:
    """Return the concepts of the longest disease name in a phrase; the last of equals, where English puts the noun."""
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
    return best[1] if best else ()


def _codes(concepts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(code for c in concepts for code in _codes_of(c)))


def _codes_of(concept: str) -> tuple[str, ...]:
    return core()[concept].relations.get("icd10", ()) or _symptom_codes().get(concept, ())


@lru_cache(maxsize=1)
def _symptom_codes() -> dict[str, tuple[str, ...]]:
    """Return the index defaults of symptoms, which can be a diagnosis of their own (ICD-10-CM, chapter R)."""
    with _SYMPTOM_CODES.open(encoding="utf-8", newline="") as file:
        return {row["concept"]: (row["icd10"],) for row in csv.DictReader(file, delimiter="\t")}


@lru_cache(maxsize=1)
def _forms() -> dict[str, tuple[str, ...]]:
    """Return every disease name of the knowledge in lower case, with its concepts."""
    found: dict[str, tuple[str, ...]] = {}
    for concept in core().concepts.values():
        if concept.kind == "condition":
            for form in concept.forms:
                if len(form) > 6:
                    found[form.lower()] = (*found.get(form.lower(), ()), concept.id)
    return found


@lru_cache(maxsize=4096)
def _resolve_misspelt(wording: str) -> _Resolved:
    low = _TAIL.split(wording.lower())[0]
    found = process.extractOne(low, _forms().keys(), scorer=fuzz.ratio, score_cutoff=_MISSPELT)
    if found is None or _opposite(low, found[0]):
        return _Resolved((), ())
    concepts = _forms()[found[0]]
    return _Resolved(concepts, _codes(concepts))


@lru_cache(maxsize=4096)
def _resolve_reference(reference: Diagnosis) -> _Resolved:
    resolved = _resolve_first((reference.text,))
    if not resolved.concepts:
        named = [found for name in reference.synonyms if (found := _exact_form(name))]
        resolved = _Resolved(named[0], _codes(named[0])) if named else resolved
    return resolved._replace(codes=(reference.icd10,)) if reference.icd10 else resolved
