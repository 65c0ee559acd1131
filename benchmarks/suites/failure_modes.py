"""Why a doctor was wrong with a noisy patient: VeriSim's three modes, told apart by rules (its "Limitations").

The paper's authors read the dialogues. Here each noisy interview is laid beside the clean one of the same case, doctor
and run, and what counts is how much of the record that the clean patient told was also told by the noisy one:

- ``ambiguity``: at least four fifths of it was told, so what was needed was said, in words that were not understood;
- ``premature``: less was told, and the doctor did not ask longer than with the clean patient;
- ``misdirection``: less was told although the doctor asked longer: the talk went elsewhere.

A doctor who was wrong with the clean patient too did not fail because of the noise, and one who named no diagnosis
failed in another way; both are counted apart.
"""

from collections.abc import Mapping
from typing import Literal

from bedside.benchmarks.suites.conversations import Conversation

__all__ = ["MODES", "Mode", "failure_mode"]

Mode = Literal["misdirection", "ambiguity", "premature"]
MODES: Mapping[Mode, str] = {
    "misdirection": "Noise-induced misdirection",
    "ambiguity": "Semantic ambiguity",
    "premature": "Premature commitment",
}
"""Modes and their names in the paper."""

ENOUGH = 0.8
"""Share of what the clean patient told from which on a noisy one is taken to have told what was needed."""


def failure_mode(noisy: Conversation, clean: Conversation) -> Mode:
    """Classify an interview that ended in a wrong diagnosis.

    Args:
        noisy: That interview.
        clean: The same doctor with the same patient, speaking clearly.
    """
    told = len(noisy.told & clean.told) / len(clean.told) if clean.told else 1.0
    if told >= ENOUGH:
        return "ambiguity"
    return "premature" if noisy.turns <= clean.turns else "misdirection"
