"""How well does a sentence fit a fact of the plan, in whichever of its wordings?"""

from functools import lru_cache

from bedside.cases.fact import AnyFact, Instruction
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.teaching.phrases import Bag, coverage, opposed, phrase_of
from bedside.verifier.teaching.statement import wordings_of

__all__ = ["RELAYED", "STATED", "best_coverage", "relays", "told_apart"]

STATED = 0.6
"""Share of a phrase's meaning that a sentence must hold to state it."""

RELAYED = 0.85
"""Share of it that is next to the phrase's own words."""


def best_coverage(fact: AnyFact, bag: Bag) -> float:
    """Return how much of the best-fitting wording of a fact a sentence holds."""
    return max(coverage(phrase_of(w), bag) for w in wordings_of(fact))


def told_apart(fact: AnyFact, bag: Bag, grounded: GroundedCase) -> bool:
    """True when a sentence holds a word of the fact that the name of the illness does not hold as well.

    "Cellulitis of the leg" is no advice to keep the leg up.
    """
    own = _own_words(fact, grounded)
    return not (own and own.isdisjoint(bag.stems) and own.isdisjoint(bag.concepts))


@lru_cache(maxsize=8192)
def _own_words(fact: AnyFact, grounded: GroundedCase) -> frozenset[str]:
    """Return stems and concepts of a fact that the illness lacks; none if the illness has all its words."""
    illness = _illness_words(grounded)
    phrases = [phrase_of(wording) for wording in wordings_of(fact)]
    words = {word for phrase in phrases for word, _ in phrase.weights}
    concepts = {concept for phrase in phrases for concept, _ in phrase.concepts}
    return frozenset((words | concepts) - illness if words - illness else ())


@lru_cache(maxsize=1024)
def _illness_words(grounded: GroundedCase) -> frozenset[str]:
    """Return stems and concepts of the case's diagnoses."""
    found: set[str] = set()
    for known in grounded.plan:
        if known.fact.kind == "condition":
            found |= {known.concept, *known.broader}
            for wording in wordings_of(known.fact):
                found |= {word for word, _ in phrase_of(wording).weights}
    return frozenset(found)


def relays(bag: Bag, grounded: GroundedCase, apart_from: str = "") -> bool:
    """True when a sentence is next to an instruction's own words; it cannot defy another.

    Args:
        bag: The sentence.
        grounded: The case.
        apart_from: Id of an instruction that is left out: a sentence that breaks its limit has all its words.
    """
    told = (g.fact for g in grounded.plan if isinstance(g.fact, Instruction) and g.fact.id != apart_from)
    wordings = (part for fact in told for wording in wordings_of(fact) for part in wording.split(";"))
    phrases = map(phrase_of, wordings)
    return any(coverage(phrase, bag) >= RELAYED and not opposed(phrase, bag) for phrase in phrases)
