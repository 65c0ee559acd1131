"""What a sentence holds, whatever was said before it, and which facts of the plan it may state."""

from functools import lru_cache
from typing import NamedTuple

from bedside.cases.fact import FollowUp, Medication
from bedside.verifier.grounding import GroundedCase, GroundedFact
from bedside.verifier.language.lexicon import Mention
from bedside.verifier.language.text import tokens_of
from bedside.verifier.teaching.focus import Focus, NamedDrug, drugs_named
from bedside.verifier.teaching.kinds import kinds_in, kinds_of
from bedside.verifier.teaching.phrases import Bag, bag_of, phrase_of
from bedside.verifier.teaching.restrictions import kept_off
from bedside.verifier.teaching.statement import wordings_of

__all__ = ["Weighed", "candidates_of", "near_of", "weighed"]


class Weighed(NamedTuple):
    """What a sentence holds, whatever was said before it; ``near`` are the places of plan facts that it may state."""

    mentions: tuple[Mention, ...]
    drugs: tuple[NamedDrug, ...]
    bag: Bag
    near: frozenset[int]


@lru_cache(maxsize=8192)
def weighed(text: str, grounded: GroundedCase) -> Weighed:
    """Return what a sentence holds of a case."""
    # Praise, transitions and points taught again come back within a talk and in the next one.
    mentions = grounded.mentions(text)
    bag = bag_of(text, tokens_of(text), grounded.meanings(mentions) | kinds_in(text))
    return Weighed(mentions, tuple(drugs_named(text, mentions, grounded)), bag, near_of(bag, grounded))


def near_of(bag: Bag, grounded: GroundedCase) -> frozenset[int]:
    """Return the positions of the facts that words share a telling word or concept with."""
    index = _telling_words(grounded)
    return frozenset(number for word in (*bag.stems, *bag.concepts) for number in index.get(word, ()))


def candidates_of(near: frozenset[int], grounded: GroundedCase, focus: Focus) -> list[GroundedFact]:
    """The facts that a sentence shares a telling word or concept with, or that the talk is still about."""
    index = _telling_words(grounded)
    still = (*index.get(f"case:{focus.visit_id}", ()), *index.get(f"case:{focus.test_id}", ()))
    return [grounded.plan[number] for number in sorted(near.union(still))]


@lru_cache(maxsize=1024)
def _telling_words(grounded: GroundedCase) -> dict[str, tuple[int, ...]]:
    """Map stems, concepts and ``case:ID`` of the plan's facts to their positions; drugs are read by their regimen."""
    found: dict[str, set[int]] = {}
    for number, known in enumerate(grounded.plan):
        if isinstance(known.fact, Medication):
            continue
        words = {known.concept, f"case:{known.fact.id}"}
        purpose = (known.fact.purpose,) if isinstance(known.fact, FollowUp) and known.fact.purpose else ()
        for wording in (*wordings_of(known.fact), *purpose):
            words |= kinds_of(wording)
            phrase = phrase_of(wording)
            heaviest = max((w for _, w in phrase.weights), default=0.0)
            words |= {s for s, w in phrase.weights if w >= 0.5 * heaviest} | {c for c, _ in phrase.concepts}
            words |= kept_off(wording)
        for word in words:
            found.setdefault(word, set()).add(number)
    return {word: tuple(sorted(numbers)) for word, numbers in found.items()}
