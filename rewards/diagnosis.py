"""Is the doctor's diagnosis the right one? (VeriSim, appendix F.5 and table A8).

A cascade that stops at the first stage that decides: the ICD-10-CM category of both, then a shared concept or synonym.
No model takes part; what the knowledge cannot resolve is not a match.
"""

import re
from typing import Literal, NamedTuple

from rapidfuzz import fuzz

from bedside.cases.case import Diagnosis
from bedside.rewards.committed import committed_answer
from bedside.rewards.disease_kinds import excluded_by
from bedside.rewards.disease_names import opposite
from bedside.rewards.resolution import (
    Resolved,
    diseases_in,
    exact_form,
    head_of,
    readings,
    related,
    resolve,
    resolve_reference,
)
from bedside.verifier.language.lexicon import core
from bedside.verifier.language.text import content_stems, key, plain, tokenize

__all__ = ["Match", "Rule", "match_diagnosis"]

Rule = Literal["exact", "icd10", "cascade"]
"""``exact``: the reference's own words. ``icd10``: the category alone. ``cascade``: the category, then concepts."""

_SEVERAL = re.compile(
    r"(?:(?<!\s)\s++)?,\s*(?:and\s+|or\s+)?|(?<!\s)\s++(?:and|plus)\s+|(?:(?<!\s)\s++)?[&+]\s*", re.IGNORECASE
)
_NON = re.compile(r"\bnon[- ]?", re.IGNORECASE)
_MISSPELT = 88.0


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
    wordings = tuple(dict.fromkeys(readings(_first_of_several(committed.answer, reference))))
    if _key(wordings[0]) == _key(reference.text):
        return Match(True, "exact", f"{wordings[0]!r} is the reference's own wording")
    if rule == "exact":
        return Match(False, "exact", f"{wordings[0]!r} is not the wording {reference.text!r}")
    said, true = resolve(wordings), resolve_reference(reference)
    names = _names(reference)
    if len(wordings) > 1 and "(" in wordings[0] and any(map(exact_form, wordings[:-1])):
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
    if exact_form(answer) or any(_key(answer) == _key(name) for name in _names(reference)):
        return answer
    parts = [part for part in _SEVERAL.split(answer) if part.strip()]
    if len(parts) < 2 or (len(parts) == 2 and exact_form(f"{parts[1]} {parts[0]}")):
        return answer
    first = diseases_in(parts[0])
    others = [diseases_in(part) for part in parts[1:]]
    apart = any(other and not related(first, other) for other in others)
    rest = {_key(part) for part in parts[1:]}
    named = any(_key(name) in rest for name in _names(reference))
    return (
        parts[0]
        if first and (apart or (named and not related(first, resolve_reference(reference).concepts)))
        else answer
    )


def _match_codes(wordings: tuple[str, ...], said: Resolved, true: Resolved, names: tuple[str, ...]) -> Match | None:
    if not said.codes or not true.codes:
        return None
    shared = sorted({code[:3] for code in said.codes} & {code[:3] for code in true.codes})
    if not shared:
        return Match(False, "icd10", f"{said.codes[0]} is not in the category of {true.codes[0]}")
    same = set(said.codes) & set(true.codes) or related(said.concepts, true.concepts) or _synonym(wordings, names)
    stage = "icd10" if same else "icd10-sibling"
    return Match(True, stage, f"both in category {shared[0]} ({said.codes[0]}, {true.codes[0]})")


def _match_names(wordings: tuple[str, ...], said: Resolved, true: Resolved, names: tuple[str, ...]) -> Match | None:
    if kinds := excluded_by(wordings[0], names[0]):
        return Match(False, "kind", f"{kinds[0]} is not {kinds[1]}")
    if name := _synonym(wordings, names):
        return Match(True, "synonym", f"{wordings[0]!r} means {name!r}")
    # "UTI" is what the reference calls a urinary tract infection, though its code is another.
    if name := _called(wordings, true, names):
        return Match(True, "synonym", f"{wordings[0]!r} means {name!r}")
    if shared := _shared(wordings, said, true, names):
        return Match(True, "concept", f"both are {core()[shared[0]].name}")
    if not said.concepts and (name := _misspelt(wordings[0], names)):
        return Match(True, "synonym", f"{wordings[0]!r} is {name!r} misspelt")
    return None


def _shared(wordings: tuple[str, ...], said: Resolved, true: Resolved, names: tuple[str, ...]) -> list[str]:
    """Return the concepts of both; where codes differ, only what both name as a whole, for "fracture" is in many."""
    shared = set(said.concepts) & set(true.concepts)
    if said.codes and true.codes:
        for phrases in (wordings, names):
            shared &= set().union(*map(exact_form, phrases))
    return sorted(shared)


def _called(wordings: tuple[str, ...], true: Resolved, names: tuple[str, ...]) -> str:
    """Return a synonym of the reference that is a wider name of it, and the very disease that was said."""
    exact = next((found for wording in wordings if (found := exact_form(wording))), ())
    # An abbreviation is the name that it stands for, however wide.
    if len(exact) != 1 or not (related(exact, true.concepts) or wordings[0].isupper()):
        return ""
    return next((name for name in names[1:] if exact_form(name) == exact), "")


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
            if len(name.split()) > 1 and len(_key(name).split()) > 1 and _key(name) in _key(head_of(wording)):
                return name
    return ""


def _misspelt(wording: str, names: tuple[str, ...]) -> str:
    low = wording.lower()
    for name in names:
        if len(name) > 5 and fuzz.ratio(low, name.lower()) >= _MISSPELT and not opposite(low, name.lower()):
            return name
    return ""
