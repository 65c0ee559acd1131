"""Judging what is said to be done still against entries that tell of its end."""

import re

from bedside.cases.fact import SocialHistory
from bedside.cases.noise import NoiseProfile
from bedside.verifier.claim import Claim
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.judgment.ruling import Ruling, rule
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import content_stems

__all__ = ["judge_pursuit"]

_ENDED = Pattern(r"\b(?:until|used to|stopped|gave up|given up|quit|no longer|had to give up)\b", re.IGNORECASE)
# Words that many pursuits share.
_COMMON = frozenset(
    content_stems("still play do go take make work live like use get have year week month day last time every home")
)


def judge_pursuit(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:  # noqa: ARG001
    """Judge a pursuit: what the record tells the end of is not done still; of others it is silent."""
    said = set(content_stems(claim.surface)) - _COMMON
    for known in grounded.record:
        told = known.fact
        if isinstance(told, SocialHistory) and said & (set(content_stems(told.text)) - _COMMON):
            if _ENDED.search(told.text) and not claim.denied:
                return rule(claim, "fabricated", f"the record says {told.text}", (told,))
            return rule(claim, "unverifiable", "a circumstance of life", (told,))
    return rule(claim, "unverifiable", "a circumstance of life")
