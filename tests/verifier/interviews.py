"""Answers to a question about an open case, judged without noise."""

from functools import lru_cache

from bedside.cases.noise import NoiseProfile
from bedside.cases.sources import load_cases
from bedside.verifier.grounding import GroundedCase, ground
from bedside.verifier.verifier import RulesVerifier


@lru_cache(maxsize=1)
def interviews() -> dict[str, GroundedCase]:
    return {case.id: ground(case, "interview") for case in load_cases("open")}


def overall(case_id: str, question: str, utterance: str) -> str:
    return RulesVerifier().verify(utterance, interviews()[case_id], NoiseProfile(), (), question).overall
