"""Judging operations that are told by the organ alone."""

from bedside.cases.fact import AnyFact, Condition
from bedside.cases.noise import NoiseProfile
from bedside.verifier.claim import Claim
from bedside.verifier.claims.details import side_in
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.judgment.places import placed
from bedside.verifier.judgment.ruling import Ruling, rule, words_of
from bedside.verifier.judgment.tolerance import YEARS_OFF, year_of

__all__ = ["judge_operation"]

_DONE = ("procedure", "test", "treatment")
_VEILED = frozenset(("down there", "down below", "private parts", "privates", "undercarriage"))


def judge_operation(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:
    """Judge whether anything was done to the organ, on which side and in which year."""
    if claim.denied or claim.act != "statement":
        return rule(claim, "unverifiable", "no operation that is stated")
    site = claim.attributes["site"]
    here = tuple(
        g.fact
        for g in grounded.record
        if (g.fact.kind in _DONE or isinstance(g.fact, Condition)) and placed(site, g.fact, grounded)
    )
    done = tuple(f for f in here if f.kind in _DONE) or here
    if not done and claim.surface.lower() in _VEILED:
        return rule(claim, "unverifiable", "too vague to check")
    if not done:
        return rule(claim, "fabricated", f"the record tells of no operation there: {claim.surface}")
    problem = ""
    for fact in done:
        problem = _wrong(claim, fact, noise)
        if not problem:
            return rule(claim, "supported", f"recorded: {fact.text}", (fact,))
    return rule(claim, "fabricated", problem, done)


def _wrong(claim: Claim, fact: AnyFact, noise: NoiseProfile) -> str:
    year, true = claim.attributes.get("year"), year_of(fact)
    if year and true is not None and abs(int(year) - true) > YEARS_OFF[noise.memory_recall]:
        return f"the record says {true}"
    side, recorded = claim.attributes.get("side"), side_in(words_of(fact))
    if side in ("left", "right") and recorded in ("left", "right") and side != recorded:
        return f"the record says {recorded}"
    return ""
