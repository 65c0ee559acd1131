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
from bedside.rewards.profile import drugs_of
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.context import is_question
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.teaching.approval import verdict_in, withholds
from bedside.verifier.teaching.phrases import FREELY
from bedside.verifier.teaching.verdicts import verdict

__all__ = ["unplanned_leave"]

_TABLE = Path(__file__).parent / "data" / "leave_domains.tsv"

# What may happen to somebody is no leave ("you may feel dizzy"), and an order is none either.
_LEAVE = Pattern(
    rf"\b(?:{verdict('granted')})|\b(?:{FREELY}|{verdict('unharmed')}|{verdict('harmless')})\b", re.IGNORECASE
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
    return any(drugs_of(mention, grounded) for mention in grounded.mentions(text))


@lru_cache(maxsize=1024)
def _limited(grounded: GroundedCase) -> tuple[_Domain, ...]:
    """Return the domains in which this patient's plan sets limits."""
    facts = [known.fact for known in grounded.plan]
    told = [fact.text for fact in facts if isinstance(fact, Instruction)]
    told += [text for fact in facts if isinstance(fact, Medication) for text in fact.precautions]
    return tuple(
        domain
        for domain in _domains()
        if domain.limits is None or any(domain.words.search(t) and domain.limits.search(t) for t in told)
    )
