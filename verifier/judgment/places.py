"""Whether a place that was named is one where the record knows of the complaint."""

import re
from collections.abc import Iterable
from functools import lru_cache

from bedside.cases.fact import AnyFact
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.judgment.ruling import words_of
from bedside.verifier.language.lexicon import Lexicon, core
from bedside.verifier.language.text import plain, tokenize

__all__ = ["elsewhere", "meets", "placed", "sites_in"]

# Neighbours that people do not tell apart.
_NEIGHBOURS = {
    "foot": "ankle lower-leg",
    "ankle": "lower-leg",
    "toe": "foot",
    "wrist": "hand",
    "finger": "hand",
    "rib": "flank chest epigastrium right-upper-quadrant left-upper-quadrant",
    "groin": "thigh testicle lower-abdomen genitals",
    "pelvis": "lower-abdomen",
    "flank": "back side-of-body",
    "kidney": "back flank",
    "buttock": "hip",
    "stomach": "abdomen",
    "heart": "chest",
    "lung": "chest",
    "epigastrium": "sternum chest",
    "tailbone": "buttock",
    "tooth": "jaw face",
    "gum": "jaw",
    "temple": "face",
    "forehead": "face",
    "vagina": "pelvis",
    "bladder": "lower-abdomen",
    "umbilicus": "epigastrium",
    "throat": "chest",
    "scalp": "temple",
    "spine": "back",
    "lumbar-spine": "lower-back",
    "kneecap": "knee",
    "side-of-chest": "rib",
    "limb": "arm leg",
    "urethra": "genitals",
    "anus": "rectum",
    "upper-back": "shoulder",
    "shoulder-blade": "shoulder",
    "collarbone": "chest",
}
_NEAR = frozenset(
    (f"site:{a}", f"site:{b}")
    for one, others in _NEIGHBOURS.items()
    for other in others.split()
    for a, b in ((one, other), (other, one))
)
# Too general to be anywhere else than what was meant.
_EVERYWHERE = frozenset(
    f"site:{name}"
    for name in ("whole-body", "skin", "muscle", "joint", "bone", "blood", "side-of-body", "nerve", "blood-vessel")
)


# "The back of my leg" is of the leg.
_FACE_OF = re.compile(
    r"\b(?:back|front|side|top|bottom) (?=of (?:my|the|his|her|both|each|one|that|this) )", re.IGNORECASE
)


@lru_cache(maxsize=1)
def _sites() -> Lexicon:
    return Lexicon(c for c in core().concepts.values() if c.kind == "site")


@lru_cache(maxsize=8192)
def sites_in(text: str) -> frozenset[str]:
    """Return the parts of the body that a text names, also inside the name of a complaint."""
    return frozenset(c for m in _sites().find(tokenize(_FACE_OF.sub("", plain(text)))) for c in m.concepts)


@lru_cache(maxsize=8192)
def _places(fact_words: str, concept: str) -> frozenset[str]:
    lexicon = core()
    found = set(sites_in(fact_words))
    if concept in lexicon:
        # A knee pain is a leg pain, but not of the hip.
        wider = {a for s in found for a in lexicon.ancestors(s)}
        found |= {s for c in lexicon.ancestors(concept) for s in lexicon[c].relations.get("site", ())} - wider
    return frozenset(found)


def elsewhere(stated: Iterable[str], fact: AnyFact, grounded: GroundedCase) -> bool:
    """True when the record tells where the complaint is, and it is none of the stated places.

    Args:
        stated: Sites, as concepts.
        fact: The complaint.
        grounded: Its record.
    """
    named = [s for s in stated if s not in _EVERYWHERE]
    told = _places(words_of(fact), grounded.facts[fact.id].concept)
    return bool(named and told - _EVERYWHERE) and "site:whole-body" not in told and not meets(named, told)


def placed(site: str, fact: AnyFact, grounded: GroundedCase) -> bool:
    """True when an entry's words or its concept name a part of the body, or a part of that, or its neighbour."""
    return meets((site,), _places(words_of(fact), grounded.facts[fact.id].concept))


def meets(stated: Iterable[str], told: Iterable[str]) -> bool:
    """True when a stated place is one of those told, a part of it, what it is a part of, or its neighbour."""
    told = frozenset(told) - _EVERYWHERE
    return any(_meet(a, b, core()) for a in stated for b in told)


def _meet(a: str, b: str, lexicon: Lexicon) -> bool:
    up, across = lexicon.ancestors(a), lexicon.ancestors(b)
    return (
        a in across
        or b in up
        or (a, b) in _NEAR
        or any((x, y) in _NEAR for x in up for y in across if x == a or y == b)
    )
