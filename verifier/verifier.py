"""The verifier: every utterance of the patient, whoever made it, is checked here before a clinician hears it."""

from collections.abc import Sequence
from typing import Protocol

from bedside.cases.noise import NoiseProfile
from bedside.verifier.claims.utterance import claims_in
from bedside.verifier.feedback import feedback
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.judgment.history import contradicts
from bedside.verifier.judgment.rules import judge
from bedside.verifier.manner import manner
from bedside.verifier.verdict import Verdict, Violation

__all__ = ["RulesVerifier", "Verifier"]


class Verifier(Protocol):
    """Judges what a patient is about to say."""

    engine: str

    def verify(
        self,
        utterance: str,
        grounded: GroundedCase,
        noise: NoiseProfile,
        history: Sequence[str] = (),
        question: str = "",
    ) -> Verdict:
        """Judge an utterance against the case.

        Args:
            utterance: What the patient is about to say.
            grounded: The case.
            noise: What the patient is allowed to bend.
            history: What the patient has said so far, in order.
            question: What the clinician has just said; bare answers are completed from it.

        Returns:
            The verdict; anything that cannot be judged with confidence of its format is ``regenerate``.
        """


class RulesVerifier:
    """Grammar and rules; no model, no network, the same verdict for the same words."""

    engine = "rules"

    def verify(
        self,
        utterance: str,
        grounded: GroundedCase,
        noise: NoiseProfile,
        history: Sequence[str] = (),
        question: str = "",
    ) -> Verdict:
        """Judge an utterance; see :class:`Verifier`."""
        rulings = [judge(claim, grounded, noise) for claim in claims_in(utterance, grounded, question)]
        violations: list[Violation] = [r.violation for r in rulings if r.violation]
        if history and contradicts(rulings, history, grounded):
            violations.append("contradiction")
        violations += manner(utterance)
        return Verdict(
            overall="regenerate" if violations else "pass",
            judgments=tuple(r.judgment for r in rulings),
            violations=tuple(dict.fromkeys(violations)),
            feedback=feedback([r.judgment for r in rulings], violations, grounded, reasons=True),
            engine=self.engine,
        )
