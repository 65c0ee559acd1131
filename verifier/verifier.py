"""The verifier: every utterance of the patient, whoever made it, is checked here before a clinician hears it."""

import re
from typing import Protocol

from bedside.cases.fact import AnyFact
from bedside.cases.noise import NoiseProfile
from bedside.verifier.claims import extract_claims
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.judgment import Ruling, judge
from bedside.verifier.verdict import Verdict, Violation

__all__ = ["RulesVerifier", "Verifier"]

_AI = re.compile(
    r"\b(?:as an? (?:ai|artificial|language model|assistant|virtual)|i(?:'m| am) an? (?:ai|language model|virtual|artificial|chat ?bot|assistant)|"
    r"language model|i (?:cannot|can't) (?:roleplay|role-play|provide medical)|openai|my training data|simulated patient|as the patient,)\b",
    re.IGNORECASE,
)
_CLINICIAN = re.compile(
    r"^\W*(?:doctor|dr|physician|nurse|clinician|educator)\s*:|\b(?:i(?:'d| would) (?:recommend|prescribe|advise)|i(?:'m| am) going to (?:prescribe|order|refer)|"
    r"let me (?:examine|check your|order|prescribe)|how can i (?:help|assist) you|your test results show|i(?:'m| am) your (?:doctor|nurse|physician)|final diagnosis)\b",
    re.IGNORECASE,
)


class Verifier(Protocol):
    """Judges what a patient is about to say."""

    engine: str

    def verify(self, utterance: str, grounded: GroundedCase, noise: NoiseProfile) -> Verdict:
        """Judge an utterance against the case.

        Returns:
            The verdict; anything that cannot be judged with confidence of its format is ``regenerate``.
        """


class RulesVerifier:
    """Grammar and rules; no model, no network, the same verdict for the same words."""

    engine = "rules"

    def verify(self, utterance: str, grounded: GroundedCase, noise: NoiseProfile) -> Verdict:
        """Judge an utterance; see :class:`Verifier`."""
        rulings = [judge(claim, grounded, noise) for claim in extract_claims(utterance, grounded)]
        violations: list[Violation] = [r.violation for r in rulings if r.violation]
        if _AI.search(utterance):
            violations.append("ai_disclosure")
        if _CLINICIAN.search(utterance):
            violations.append("role_reversal")
        if not utterance.strip():
            violations.append("unreadable")
        return Verdict(
            overall="regenerate" if violations else "pass",
            judgments=tuple(r.judgment for r in rulings),
            violations=tuple(dict.fromkeys(violations)),
            feedback=_feedback(rulings, violations, grounded),
            engine=self.engine,
        )


def _feedback(rulings: list[Ruling], violations: list[Violation], grounded: GroundedCase) -> str:
    """Name what is wrong and what the record holds instead (VeriSim, E.9)."""
    parts = []
    for ruling in rulings:
        if ruling.judgment.label != "fabricated":
            continue
        claim = ruling.judgment.claim
        kind = "medication" if claim.kind == "drug_class" else claim.kind
        known = ", ".join(_name(g.fact) for g in grounded.record if g.fact.kind == kind) or "nothing of the kind"
        parts.append(f'"{claim.surface}": {ruling.judgment.reason}; recorded {kind}: {known}.')
    if "ai_disclosure" in violations:
        parts.append("Stay the patient; never speak of being a model.")
    if "role_reversal" in violations:
        parts.append("You are the patient; do not speak as the clinician.")
    return " ".join(parts)


def _name(fact: AnyFact) -> str:
    return fact.text
