"""No verification: what table 4 compares the verifier with, and of no other use.

``off`` checks nothing. ``prompt`` checks nothing either; there the generator's prompt asks it to stay with the record.
The embedded generator has no prompt, so for it both are the same.
"""

from collections.abc import Sequence

from bedside.cases.noise import NoiseProfile
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.verdict import Verdict

__all__ = ["Unverified"]


class Unverified:
    """Lets everything pass, and says so in every verdict."""

    def __init__(self, engine: str) -> None:
        self.engine = engine

    def verify(
        self,
        utterance: str,  # noqa: ARG002 - the signature of Verifier
        grounded: GroundedCase,  # noqa: ARG002
        noise: NoiseProfile,  # noqa: ARG002
        history: Sequence[str] = (),  # noqa: ARG002
        question: str = "",  # noqa: ARG002
    ) -> Verdict:
        """Return a pass."""
        return Verdict(overall="pass", engine=self.engine)
