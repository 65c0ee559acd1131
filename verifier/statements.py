"""Claims that somebody else has written down: "patient takes a diabetes medication", judged like the patient's own.

Other extractors, people included, write about the patient in the third person and repeat what an utterance left out.
Turned into the first person, their sentences are read by the same grammar and judged by the same rules.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from bedside.cases.noise import NoiseProfile
from bedside.verifier.claim import Claim
from bedside.verifier.claims.complaints import complaint_in
from bedside.verifier.claims.utterance import claims_in
from bedside.verifier.claims.wording import normalise, spoken
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.judgment.rules import Ruling, judge
from bedside.verifier.language.text import content_stems
from bedside.verifier.manner import breaks_character
from bedside.verifier.verdict import Label

__all__ = ["Opinion", "first_person", "judge_claims"]

_SHARED = 0.6
# "It gave her hives" says of the claim before what it did.
_POINTS_BACK = re.compile(
    r"(?:it|they|these|those|this|that|the (?:dose|reaction|pills?|tablets?))\b",
    re.IGNORECASE,
)
_THE_PATIENT = r"(?:the |this )?(?:patient|pt|speaker)"
_VERBS = (
    "take|use|work|live|drink|smoke|drive|feel|get|need|want|see|hear|cough|vape|chew|eat|sleep|wake|"
    "give|run|own|teach|notice|deny|inject|snort|wear|carry"
)
_CONTRACTIONS = (
    (rf"\b{_THE_PATIENT}'s (?=(?:been|had|got|never|not|taking|having|feeling)\b)", "i've "),
    (rf"\b{_THE_PATIENT}(?:'s|s') ", "my "),
    (rf"\b{_THE_PATIENT} is\b", "i'm"),
    (rf"\b{_THE_PATIENT} (?:has|have) (?=\w+(?:ed|en)\b|had\b|been\b|never\b|lost\b)", "i've "),
    (rf"\b{_THE_PATIENT} has\b", "i have"),
    (rf"\b{_THE_PATIENT} does(?: not|n't)\b", "i don't"),
    (
        rf"\b{_THE_PATIENT} (?:reports?|states?|says|said|mentions?|describes|complains of|"
        rf"endorses)(?: that)?\b",
        "i have",
    ),
    (rf"\b{_THE_PATIENT}\b", "i"),
    (r"\b(says?|said|saw|noticed|thinks?|told \w+|tells \w+|reports)( that)? (?:he|she|they)\b", r"\1\2 i"),
    # "The patient's mother had her gallbladder out": what is the mother's does not become the patient's.
    (
        r"\b(my (?:mother|father|sister|brother|son|daughter|aunt|uncle|cousin|grand\w+|wife|husband|partner) "
        r"(?:has|had|lost|broke|needed|needs|takes?|took)) (?:his|her|their)\b",
        r"\1 the",
    ),
    (r"\b(?:his|her|their)\b", "my"),
    (rf"\bi ((?:also|never|only|still|usually|always|often|sometimes) )?({_VERBS})s\b", r"i \1\2"),
    (r"\b(?:himself|herself|themselves)\b", "myself"),
)
_FIRST_PERSON = tuple((re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in _CONTRACTIONS)
_WORST_FIRST: tuple[Label, ...] = ("fabricated", "supported", "unverifiable")


class Opinion(NamedTuple):
    """What is held of one given claim.

    Attributes:
        text: The claim as it was given.
        label: The verdict.
        reason: Why, for a reader of the transcript.
        evidence: Ids of the facts that decided it.
        ruling: The ruling that decided it; None when nothing checkable was found in the text.
    """

    text: str
    label: Label
    reason: str
    evidence: tuple[str, ...] = ()
    ruling: Ruling | None = None


@lru_cache(maxsize=4096)
def first_person(text: str) -> str:
    """Return a statement about the patient as the patient would make it."""
    for pattern, instead in _FIRST_PERSON:
        text = pattern.sub(instead, text)
    return text


def judge_claims(
    texts: Sequence[str],
    grounded: GroundedCase,
    noise: NoiseProfile,
    utterance: str = "",
    question: str = "",
) -> tuple[Opinion, ...]:
    """Judge claims that are given as texts.

    Args:
        texts: One statement each, in the third person or the first.
        grounded: The record.
        noise: What the patient is allowed to bend.
        utterance: The words the claims were taken from; what is only a belief there is no fact in a claim.
        question: What the clinician had asked.

    Returns:
        One opinion for each text, in order.
    """
    said = [judge(c, grounded, noise) for c in claims_in(utterance, grounded, question)] if utterance else []
    opinions, whole = [], ""
    for text in texts:
        pointing = bool(_POINTS_BACK.match(text))
        opinions.append(_judge(text, whole if pointing else "", grounded, noise, said))
        whole = whole if pointing else text
    return tuple(opinions)


def _judge(text: str, before: str, grounded: GroundedCase, noise: NoiseProfile, said: Sequence[Ruling]) -> Opinion:
    if breaks_character(first_person(text)):
        return Opinion(text, "fabricated", "says that a model speaks")
    rulings = [judge(c, grounded, noise) for c in _claims(text, before, grounded)]
    rulings = [_as_held(ruling, said) for ruling in rulings] or _about(text, said)
    if not rulings and (unknown := complaint_in(first_person(text), grounded)):
        rulings = [judge(unknown, grounded, noise)]
    if not rulings:
        return Opinion(text, "unverifiable", "holds nothing that a record could tell")
    ruling = min(rulings, key=lambda r: _WORST_FIRST.index(r.judgment.label))
    return Opinion(text, ruling.judgment.label, ruling.judgment.reason, ruling.judgment.evidence, ruling)


def _claims(text: str, before: str, grounded: GroundedCase) -> list[Claim]:
    """The claims of a text; "it" is what the text before it named."""
    if not before:
        return claims_in(first_person(text), grounded)
    antecedent = first_person(before)
    first = len(spoken(antecedent))
    told = [c for c in claims_in(f"{antecedent} {first_person(text)}", grounded) if c.sentence >= first]
    return told or claims_in(first_person(text), grounded)


def _as_held(ruling: Ruling, said: Sequence[Ruling]) -> Ruling:
    """Soften a claim that the utterance itself only believes, asks or supposes."""
    claim = ruling.judgment.claim
    if ruling.judgment.label != "fabricated" or claim.kind not in ("condition", "leak"):
        return ruling
    same = [r for r in said if r.judgment.claim.kind == claim.kind and r.judgment.claim.concept == claim.concept]
    softened = [r for r in same if r.judgment.label == "unverifiable"]
    return softened[0] if same and len(softened) == len(same) else ruling


def _about(text: str, said: Sequence[Ruling]) -> list[Ruling]:
    """Rulings on those words of the utterance that a claim repeats; for claims that name nothing by themselves."""
    words = set(content_stems(normalise(text)))
    found = []
    for ruling in said:
        surface = set(content_stems(ruling.judgment.claim.surface))
        if surface and len(surface & words) >= _SHARED * len(surface):
            found.append(ruling)
    return found
