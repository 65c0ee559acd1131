"""Verdicts: what the verifier found in one utterance, and whether it may be said."""

from typing import Literal

from bedside.cases.fact import Frozen
from bedside.verifier.claim import Claim

__all__ = ["Judgment", "Label", "Verdict", "Violation"]

Label = Literal["supported", "fabricated", "unverifiable"]
Violation = Literal[
    "fabrication",
    "unjustified_denial",
    "demographic_drift",
    "contradiction",
    "diagnosis_leak",
    "ai_disclosure",
    "role_reversal",
    "helper_voice",
    "unreadable",
]


class Judgment(Frozen):
    """One claim against the record.

    Attributes:
        reason: Why, in words that a reader of the transcript understands.
        evidence: Ids of the facts that decided it.
    """

    claim: Claim
    label: Label
    reason: str
    evidence: tuple[str, ...] = ()


class Verdict(Frozen):
    """The whole utterance.

    Attributes:
        overall: ``regenerate`` when anything must not reach the clinician.
        feedback: What the generator is told: the wrong claim and what the record holds instead.
        engine: Who judged.
    """

    overall: Literal["pass", "regenerate"]
    judgments: tuple[Judgment, ...] = ()
    violations: tuple[Violation, ...] = ()
    feedback: str = ""
    engine: str = "rules"
