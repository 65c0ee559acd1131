"""Judging how long a spell lasts, and whether it was there before."""

import re

from bedside.cases.fact import Condition, Symptom
from bedside.cases.noise import NoiseProfile
from bedside.verifier.claim import Claim
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.judgment.ruling import Ruling, rule, words_of
from bedside.verifier.judgment.tolerance import near
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import all_days

__all__ = ["judge_earlier", "judge_lasting"]

_OFTEN = Pattern(
    r"\b(?:earlier|previous\w*|prior|before|second|third|fourth|again|recurr\w*|repeated\w*|chronic|every|times|twice|"
    r"comes? and goes?|on and off|spells|episodes|attacks|last (?:year|winter|summer)|years?|once a|a month|a week)\b",
    re.IGNORECASE,
)
_A_SPELL = 2.0


def judge_lasting(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:
    """Judge how long a spell is said to last."""
    if claim.denied or claim.act != "statement":
        return rule(claim, "unverifiable", "no length that is stated")
    stated = float(claim.attributes["days"])
    timed = [
        (g.fact, lengths)
        for g in grounded.record
        if isinstance(g.fact, Symptom)
        and (lengths := [d for text in (g.fact.duration, g.fact.timing) if text for d in all_days(text)])
    ]
    for fact, lengths in timed:
        if any(near(stated, true, noise, vague=True) for true in lengths):
            return rule(claim, "supported", f"recorded of {fact.text}: {fact.duration or fact.timing}", (fact,))
    spells = [fact for fact, lengths in timed if min(lengths) < _A_SPELL]
    if spells:
        return rule(claim, "fabricated", f"the record says {spells[0].duration or spells[0].timing}", tuple(spells[:1]))
    return rule(claim, "unverifiable", "the record tells no length")


def judge_earlier(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:  # noqa: ARG001
    """Judge whether there was such a spell before."""
    told = tuple(
        g.fact
        for g in grounded.record
        if (
            isinstance(g.fact, Symptom)
            and _OFTEN.search(f"{words_of(g.fact)} | {g.fact.onset or ''} | {g.fact.duration or ''}")
        )
        or isinstance(g.fact, Condition)
    )
    spells = tuple(f for f in told if isinstance(f, Symptom))
    if claim.denied and spells:
        earlier = tuple(
            f
            for f in spells
            if re.search(r"\b(?:earlier|previous|(?:second|third|fourth) time|similar)\b", words_of(f))
        )
        if earlier:
            return rule(
                claim, "fabricated", f"denies what the record holds: {earlier[0].text}", earlier, "unjustified_denial"
            )
        return rule(claim, "unverifiable", "the record does not say how often", spells)
    if claim.denied:
        return rule(claim, "supported", "the record tells of no earlier spell")
    if told:
        return rule(claim, "supported", f"recorded: {told[0].text}", told[:1])
    return rule(claim, "fabricated", "the record tells of no earlier spell")
