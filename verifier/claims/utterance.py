"""Everything that a patient's utterance claims, in one call.

Besides what is named: what makes a complaint worse, habits, home, readings, and the hidden diagnosis however it is
put. At discharge the patient repeats a plan, in which "worse when lying down" is a warning and no complaint, so there
only names and the patient's own life are read.
"""

import re
from collections.abc import Iterator

from bedside.verifier.claim import Claim
from bedside.verifier.claims.answers import YES
from bedside.verifier.claims.apparitions import apparitions_of
from bedside.verifier.claims.assent import assented, statement_of
from bedside.verifier.claims.circumstances import circumstances_of
from bedside.verifier.claims.complaints import complaints_of
from bedside.verifier.claims.episodes import episodes_of
from bedside.verifier.claims.extraction import claim_of, extract_claims
from bedside.verifier.claims.findings import findings_of
from bedside.verifier.claims.focus import focus_of
from bedside.verifier.claims.forms import forms_of
from bedside.verifier.claims.habits import as_over, habits_of, left_open
from bedside.verifier.claims.homes import homes_of
from bedside.verifier.claims.particulars import particulars_of
from bedside.verifier.claims.pursuits import pursuits_of
from bedside.verifier.claims.wording import spoken
from bedside.verifier.claims.work import work_of
from bedside.verifier.grounding import IRREGULAR, GroundedCase
from bedside.verifier.language.context import context_of, is_question
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence

__all__ = ["claims_in"]

_CODE = Pattern(r"\b[A-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?\b")
_ALLERGIC = Pattern(r"\b(?:allerg\w*|reactions?|react)\b", re.IGNORECASE)
_ALCOHOL = ("sub:alcohol", "habit:alcohol")
_ALCOHOL_NAMED = Pattern(r"\b(?!drink|dr[au]nk)(?:alcohol\w*|booze\w*|liquor)", re.IGNORECASE)
_WINDOW = 4
_MEDICINES = ("medication", "drug_class", "regimen", "procedure", "substance", "allergy", "reaction")
_REGIMEN_ORDER = ("dose", "number", "frequency", "route")
_REGIMEN = frozenset(_REGIMEN_ORDER)


def claims_in(text: str, grounded: GroundedCase, question: str = "") -> list[Claim]:
    """Find every claim of an utterance.

    Args:
        text: What the patient said.
        grounded: The case.
        question: What it answers.

    Returns:
        Named claims first, then circumstances; offsets refer to :func:`~bedside.verifier.claims.wording.normalise`.
    """
    focus = focus_of(question, grounded)
    found = [part for claim in extract_claims(text, grounded, question) for part in _parts(claim)]
    if grounded.scope == "discharge":
        return found
    named = tuple(found)
    open_habits = left_open(focus, text)
    for sentence in spoken(text):
        found.extend(circumstances_of(sentence, grounded, focus))
        if not is_question(sentence.text):
            found.extend(habits_of(sentence, open_habits))
            found.extend(homes_of(sentence, focus))
            found.extend(work_of(sentence, focus))
            found.extend(pursuits_of(sentence))
            found.extend(apparitions_of(sentence, focus))
            found.extend(particulars_of(sentence, grounded, focus))
        found.extend(findings_of(sentence, focus))
        found.extend(episodes_of(sentence, focus))
        if not any(c.sentence == sentence.number and c.concept in grounded.diagnosis for c in found):
            found.extend(_leaks(sentence, grounded))
        taken = [(c.start - sentence.start, c.end - sentence.start) for c in named if c.sentence == sentence.number]
        if not _ALLERGIC.search(focus.spoken):  # what an allergen did is no complaint
            found.extend(complaints_of(sentence, grounded, focus, taken))
        drugs = [
            (c.start - sentence.start, c.end - sentence.start)
            for c in named
            if c.sentence == sentence.number and c.kind in _MEDICINES
        ]
        found.extend(forms_of(sentence, drugs))
    if question and (statement := statement_of(question)):
        found.extend(_by_assent(text, statement, found, grounded))
    if "fluids" in focus.topics:  # "hardly drinking" is said of water
        found = [c for c in found if c.concept not in _ALCOHOL or _ALCOHOL_NAMED.search(c.surface)]
    return as_over(found, spoken(text), grounded)


def _by_assent(text: str, statement: str, found: list[Claim], grounded: GroundedCase) -> list[Claim]:
    """What the first sentence affirms by a bare yes, unless it was found already."""
    answer = next((s for s in spoken(text) if s.number == 0), None)
    if answer is None or any("asked" in c.attributes for c in found) or not YES.match(answer.text):
        return []
    return assented(answer, statement, claims_in(statement, grounded), found, grounded)


def _parts(claim: Claim) -> Iterator[Claim]:
    """Tell that a drug is taken from how: "lisinopril, twenty milligrams" is two claims, and one may be right."""
    if claim.kind not in ("medication", "drug_class") or not claim.attributes.keys() & _REGIMEN:
        yield claim
        return
    if "carried" not in claim.attributes:
        yield claim.model_copy(update={"attributes": {k: v for k, v in claim.attributes.items() if k not in _REGIMEN}})
    stated = ", ".join(claim.attributes[name] for name in _REGIMEN_ORDER if name in claim.attributes)
    yield claim.model_copy(update={"kind": "regimen", "attributes": claim.attributes | {"stated": stated}})


def _leaks(sentence: Sentence, grounded: GroundedCase) -> Iterator[Claim]:
    code = grounded.case.diagnosis.icd10
    if code:
        for match in _CODE.finditer(sentence.text):
            if match.group()[:3] == code[:3]:
                yield _leak(sentence, match.span())
    if not grounded.secrets:
        return
    stems = [IRREGULAR.get(t.stem, t.stem) for t in sentence.tokens]
    said = set(stems)
    for secret in grounded.secrets:
        if not secret <= said:
            continue
        places = [i for i, s in enumerate(stems) if s in secret]
        first, last = sentence.tokens[places[0]], sentence.tokens[places[-1]]
        if places[-1] - places[0] <= len(secret) + _WINDOW:
            yield _leak(sentence, (first.start - sentence.start, last.end - sentence.start))
            return


def _leak(sentence: Sentence, span: tuple[int, int]) -> Claim:
    return claim_of("leak", "diagnosis", sentence, span, context_of(sentence.text, *span), {})
