"""Judging times, places and manner of a circumstance that an entry tells of too."""

from bedside.cases.fact import AnyFact, Medication, SocialHistory
from bedside.cases.noise import NoiseProfile
from bedside.verifier.claim import Claim
from bedside.verifier.claims.particulars import fed_in, places_in
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.judgment.attributes import wrong_time
from bedside.verifier.judgment.ruling import Ruling, rule

__all__ = ["judge_particular"]


def judge_particular(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:
    """Judge what is told of a circumstance against the entry that tells of it."""
    if claim.denied or claim.act != "statement" or claim.experiencer != "patient" or claim.time == "past":
        return rule(claim, "unverifiable", "no circumstance that is stated")
    if "fed" in claim.attributes:
        return _with_food(claim, grounded)
    fact = grounded.facts[claim.concept.removeprefix("case:")].fact
    recorded = places_in(fact.text)
    stated = set(claim.attributes.get("places", "").split())
    if recorded and stated and not recorded & stated:
        return rule(claim, "fabricated", f"the record says {fact.text}", (fact,))
    ago = claim.attributes.get("ago")
    if ago and (wrong := wrong_time(float(ago), fact, noise, vague="vague" in claim.attributes)):
        return rule(
            claim,
            "fabricated",
            wrong if len(wrong) > len("the record says ") else f"the record says {fact.text}",
            (fact,),
        )
    return rule(claim, "unverifiable", "a circumstance of life", (fact,))


def _with_food(claim: Claim, grounded: GroundedCase) -> Ruling:
    told: list[tuple[AnyFact, str]] = []
    for known in grounded.record:
        fact = known.fact
        if isinstance(fact, Medication) and (fed := fed_in(fact.frequency or "")):
            told.append((fact, fed))
            if known.concept == claim.attributes.get("drug"):
                told = [(fact, fed)]
                break
        if isinstance(fact, SocialHistory) and fact.aspect in ("diet", "other") and (fed := fed_in(fact.text)):
            told = [(fact, fed)]  # how the pills are taken, told of all of them
            break
    if agreeing := tuple(fact for fact, fed in told if fed == claim.attributes["fed"]):
        return rule(claim, "supported", f"recorded: {agreeing[0].text}", agreeing[:1])
    if told:
        return rule(claim, "fabricated", f"the record says {told[0][0].text}", (told[0][0],))
    return rule(claim, "unverifiable", "the record does not say how it is taken")
