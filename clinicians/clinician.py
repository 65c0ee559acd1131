"""The policy under test: what sees an observation and answers with text."""

from typing import Protocol

__all__ = ["Clinician"]


class Clinician(Protocol):
    """An educator or a doctor.

    One instance plays one episode after another; ``reset`` forgets the last one. It sees only observations, so that a
    scripted clinician, a language model and a policy in training are interchangeable.
    """

    name: str

    def reset(self, seed: int) -> None:
        """Begin a new encounter; all the clinician's random choices derive from ``seed``."""

    def act(self, observation: dict[str, str]) -> str:
        """Answer an observation (``briefing``, ``patient``, ``request``) with the text to say or to hand in."""
