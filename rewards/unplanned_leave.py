"""Leave that the plan does not give: to hang the urine bag higher, to go back to the bales, to let that scan go.

A plan says what this patient may not do and by which rules; whoever allows more than it does, or lets go of something
it orders, has to know better than those who wrote it. The deeds are without number, but what they are about is not: the
table (``data/leave_domains.tsv``) tells medicine from wounds, water, work and visits, when a plan limits a domain, and
what of it is no harm to anybody. What the plan itself says, or what waits for a clinician's word, is no such leave.
"""

import csv
import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from bedside.cases.fact import Instruction, Medication
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.context import is_question
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.teaching.approval import verdict_in, withholds
from bedside.verifier.teaching.phrases import FREELY
from bedside.verifier.teaching.verdicts import verdict

__all__ = ["unplanned_leave"]

_TABLE = Path(__file__).parent / "data" / "leave_domains.tsv"

_PERSON = r"(?:you|he|she|they|(?:your|his|her) \w+)(?:'re| are| is)?(?: \w+ly| just| always| still| even| also| then)*"
# What may happen to somebody is no leave: "you may feel dizzy", "you can become dehydrated".
_HAPPENS = (
    r"(?:\w+ly )?(?:want|need|feel|notice|get (?:an?|some|more|very|too|dizzy|sick|sleepy|constipated)|"
    r"have (?:an?|some|more|trouble|pain|questions)|expect|lose|gain|see|hear|find|bleed|bruise|be\b|become|develop|"
    r"tell|call|ask|reach|bring|write|not\b|still (?:have|feel)|also have|experience|wake|vomit|throw up|faint|fall|"
    r"stay (?:up|awake)|swell|itch|burn|hurt|talk|say|trust)"
)
_MAY = rf"{_PERSON} (?:can|may|could|might|free to|allowed to|welcome to|good to|okay to|fine to)\b(?! {_HAPPENS})"
_FINE = (
    r"(?:perfectly |totally |just |quite |absolutely |all |also )?(?:fine|okay|ok|all right|alright|safe|harmless|"
    r"no problem|plenty|enough|reasonable)\b(?! (?:but|until|unless|only))"
)
_GOOD = (
    r"(?:an? )?(?:good|nice|great|gentle|easy|natural|safe|fine|smart) (?:\w+ )?"
    r"(?:way|idea|choice|helper|option|remedy)\b"
)
_LEAVE = Pattern(
    rf"\b{_MAY}|\b(?:{FREELY}|{verdict('unharmed')}|{verdict('harmless')})\b|"
    rf"\b\w+(?:'s| is|'re| are| would be| will be) {_FINE}|\b{_GOOD}|"
    r"\b(?:feel free|go ahead|go for it|by all means|help yourself|why not)\b|"
    r"\bgive (?:it|that) (?:an?|another|\d|some|the)\b|\b(?:does|will do|do|did) the (?:trick|job)\b",
    re.IGNORECASE,
)
_WAIVES = Pattern(
    rf"\b(?:{verdict('waived')}|(?:won't|don't|do not|will not) need|can wait|can be (?:skipped|put off))\b",
    re.IGNORECASE,
)
_CONSENTS = Pattern(
    r"^\W*(?:(?:oh|well)\W+)?(?:sure|of course|absolutely|no problem|certainly|definitely)\b", re.IGNORECASE
)
_RESERVED = Pattern(
    r"\b(?:unless|only|until (?:your|the|we|he|she)|once (?:your|the|we)|(?:doctor|surgeon|team|clinic|nurse|therapist|"
    r"pharmacist|\w+ologist)s? (?:\w+ )?(?:says?|said|clears?|agrees?|okays?|allows?|decides?)|as long as (?:your|the)|"
    r"people (?:think|say|believe)|with (?:us|me)|answers?|own words|questions?|explain)\b",
    re.IGNORECASE,
)
_SHORTEST = 4


class _Domain(NamedTuple):
    name: str
    words: Pattern
    limits: Pattern | None
    deeds: Pattern | None
    harmless: Pattern


@lru_cache(maxsize=1)
def _domains() -> tuple[_Domain, ...]:
    with _TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(
            _Domain(
                row["domain"],
                Pattern(rf"\b(?:{row['words']})\b", re.IGNORECASE),
                Pattern(row["limits"], re.IGNORECASE) if row["limits"] else None,
                Pattern(rf"\b(?:{row['deeds']})\b", re.IGNORECASE) if row["deeds"] else None,
                Pattern(rf"\b(?:{row['harmless']})\b", re.IGNORECASE),
            )
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        )


@lru_cache(maxsize=16384)
def unplanned_leave(text: str, asked: str, grounded: GroundedCase) -> str:
    """Return the domain in which a sentence gives leave that the plan does not give; empty if it gives none.

    Args:
        text: A sentence of the educator of which the reader heard nothing in the plan.
        asked: What the patient had asked leave for, where the sentence answers it.
        grounded: The patient's case.
    """
    if is_question(text) or len(text.split()) < _SHORTEST or _RESERVED.search(text):
        return ""
    answer = verdict_in(text)
    waives = _WAIVES.search(answer)
    given = waives or _LEAVE.search(answer) or _CONSENTS.match(text)
    if not given or withholds(answer.replace(given[0], " ")):
        return ""
    about = asked if asked and not _is_any(text, grounded) else text
    return next((d.name for d in _limited(grounded) if _oversteps(d, text, about, grounded, waives=bool(waives))), "")


def _oversteps(domain: _Domain, text: str, about: str, grounded: GroundedCase, *, waives: bool) -> bool:
    """True when leave is given in a domain for something that is not harmless there."""
    if domain.deeds and not domain.deeds.search(text):
        return False
    return (waives or domain.name != "visit") and _is_about(domain, about, grounded)


def _is_about(domain: _Domain, text: str, grounded: GroundedCase) -> bool:
    if domain.harmless.search(text):
        return False
    return bool(domain.words.search(text)) or (domain.name == "medicine" and _names_drug(text, grounded))


def _is_any(text: str, grounded: GroundedCase) -> bool:
    return any(domain.words.search(text) for domain in _domains()) or _names_drug(text, grounded)


def _names_drug(text: str, grounded: GroundedCase) -> bool:
    return any(
        grounded.kind(concept) in ("medication", "drug_class")
        for mention in grounded.mentions(text)
        for concept in mention.concepts
    )


@lru_cache(maxsize=1024)
def _limited(grounded: GroundedCase) -> tuple[_Domain, ...]:
    """Return the domains in which this patient's plan sets limits."""
    told = [
        text
        for known in grounded.plan
        for text in (
            (known.fact.text,)
            if isinstance(known.fact, Instruction)
            else known.fact.precautions
            if isinstance(known.fact, Medication)
            else ()
        )
    ]
    return tuple(
        domain
        for domain in _domains()
        if domain.limits is None or any(domain.words.search(t) and domain.limits.search(t) for t in told)
    )
