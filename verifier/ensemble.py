"""Two verifiers at once: nothing is said to which either of them objects.

Rules and model fail in different ways. The rules cannot be talked into anything but know only their tables; a model
understands what no table holds but can be steered, or be unreadable.
"""

from collections.abc import Sequence

from bedside.cases.noise import NoiseProfile
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.verdict import Judgment, Verdict
from bedside.verifier.verifier import Verifier

__all__ = ["EnsembleVerifier"]


class EnsembleVerifier:
    """Asks both, keeps the judgments of both, and rejects when either does."""

    def __init__(self, rules: Verifier, llm: Verifier) -> None:
        """Make a verifier of two.

        Args:
            rules: Asked first.
            llm: Asked in any case, so that every record holds both opinions.
        """
        self.engine = f"ensemble:{rules.engine}+{llm.engine}"
        self.members = (rules, llm)

    def verify(
        self,
        utterance: str,
        grounded: GroundedCase,
        noise: NoiseProfile,
        history: Sequence[str] = (),
        question: str = "",
    ) -> Verdict:
        """Judge an utterance; see :class:`~bedside.verifier.verifier.Verifier`.

        Returns:
            The judgments of both, each with the engine's name before the reason, and the violations of both.
        """
        verdicts = [member.verify(utterance, grounded, noise, history, question) for member in self.members]
        return Verdict(
            overall="regenerate" if any(v.overall == "regenerate" for v in verdicts) else "pass",
            judgments=tuple(_signed(j, v.engine) for v in verdicts for j in v.judgments),
            violations=tuple(dict.fromkeys(violation for v in verdicts for violation in v.violations)),
            feedback=" ".join(dict.fromkeys(v.feedback for v in verdicts if v.feedback)),
            engine=self.engine,
        )


def _signed(judgment: Judgment, engine: str) -> Judgment:
    return judgment.model_copy(update={"reason": f"{engine}: {judgment.reason}"})
