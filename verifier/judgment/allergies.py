"""Judging allergies, and what an allergen is said to do."""

import re

from bedside.cases.fact import Allergy, AnyFact
from bedside.cases.noise import NoiseProfile
from bedside.verifier.claim import Claim, concepts_of
from bedside.verifier.claims.extraction import ANY_ALLERGY
from bedside.verifier.grounding import GroundedCase, GroundedFact, mentions_in
from bedside.verifier.judgment.bodily import judge_denial, matching
from bedside.verifier.judgment.ruling import Ruling, in_line, rule
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import content_stems

__all__ = ["judge_allergy", "judge_reaction"]

_SHELLFISH = frozenset(("sub:shellfish", "sub:shrimp", "sub:crab", "sub:lobster", "sub:crustaceans"))
_NO_FOOD = Pattern(
    r"\b(?:latex|rubber|gloves?|tape|adhesive|plasters?|bees?|wasps?|stings?|insects?|pollen|grass|hay|ragweed|dust|mites?|"
    r"dander|cats?|dogs?|horses?|mou?ld|nickel|metal|jewelry|contrast|dye|ivy|oak|plants?|perfumes?|soaps?|detergents?|"
    r"wool|chlorine|sun(?:light|screen)?)\b",
    re.IGNORECASE,
)
_PAIN = "sx:pain"
# Who says the one has told of the other: hives itch.
_GOES_WITH = {
    "cond:urticaria": ("sx:itching", "sx:rash", "cond:urticaria"),
    "sx:hives": ("sx:itching", "sx:rash"),
    "sx:rash": ("sx:skin-redness",),
    "cond:anaphylaxis": ("sx:throat-swelling", "sx:shortness-of-breath", "sx:facial-swelling"),
}


def judge_allergy(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:
    """Judge an allergy."""
    if claim.concept == ANY_ALLERGY:
        if "others" in claim.attributes:
            return rule(claim, "supported", "denies others than those that are recorded")
        denied = [g for g in grounded.record if isinstance(g.fact, Allergy)]
        if claim.attributes.get("only") == "drugs":
            denied = [g for g in denied if not g.concept.startswith("sub:")]
        if kinds := claim.attributes.get("of", "").split():
            denied = [g for g in denied if _kind_of(g, grounded) in kinds]
        return judge_none(claim, tuple(g.fact for g in denied))
    facts = tuple(g.fact for g in matching(claim, grounded, (Allergy,)))
    if not facts and _SHELLFISH & set(concepts_of(claim)):
        facts = tuple(g.fact for g in grounded.record if isinstance(g.fact, Allergy) and g.concept in _SHELLFISH)
    if claim.denied:
        return judge_denial(claim, grounded, facts, noise)
    if facts:
        return rule(claim, "supported", "a recorded allergy", facts)
    return rule(claim, "fabricated", f"no allergy to {claim.surface} in the record")


def _kind_of(known: GroundedFact, grounded: GroundedCase) -> str:
    if known.concept.startswith(("drug:", "class:")) or grounded.kind(known.concept) in ("medication", "drug_class"):
        return "drug"
    return "thing" if _NO_FOOD.search(known.fact.text) else "food"


def judge_none(claim: Claim, facts: tuple[AnyFact, ...]) -> Ruling:
    """Judge the denial of everything of a kind."""
    if facts:
        return rule(claim, "fabricated", f"denies what the record holds: {facts[0].text}", facts, "unjustified_denial")
    return rule(claim, "supported", "the record holds none")


def judge_reaction(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:  # noqa: ARG001
    """Judge what an allergen is said to do."""
    allergen = claim.attributes["allergen"]
    known = [(g, g.fact) for g in grounded.record if isinstance(g.fact, Allergy)]
    allergies = [fact for g, fact in known if allergen == ANY_ALLERGY or in_line(allergen, g, grounded)]
    if not allergies and allergen in _SHELLFISH:
        allergies = [g.fact for g in grounded.record if isinstance(g.fact, Allergy) and g.concept in _SHELLFISH]
    facts = tuple(allergies)
    if claim.denied:
        return rule(claim, "unverifiable", "says what an allergen does not do", facts)
    if not allergies:
        return rule(claim, "fabricated", f"the record holds no such reaction: {claim.surface}")
    for fact in allergies:
        words = f"{fact.reaction or ''}"
        recorded = {b for c in mentions_in(grounded.lexicon, words) for b in grounded.lexicon.ancestors(c)}
        same_words = set(content_stems(claim.surface)) & set(content_stems(words))
        said = set(concepts_of(claim))
        if any(_PAIN in grounded.broader(c) for c in said):
            said.add(_PAIN)  # "my ankles hurt" of tendon pain
        if (recorded | {c for r in recorded for c in _GOES_WITH.get(r, ())}) & said or same_words:
            return rule(claim, "supported", f"the recorded reaction: {words}", (fact,))
    told = allergies[0].reaction
    return rule(claim, "fabricated", f"the record says {told}" if told else "the record tells no reaction", facts)
