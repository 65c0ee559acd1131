"""How often a closed question gets the bare answer and nothing else: "Yeah", "Two weeks", "No, never".

A third of the patient's turns in recorded consultations have at most three words. Who has little trust or plays things
down says less, who is exact or wanders says more.
"""

from bedside.cases.persona import Persona
from bedside.envs.speech.voice import habits_of

__all__ = ["curtness"]

_CURT = {"distrustful": 0.65, "minimizer": 0.65, "anxious": 0.4, "deflective": 0.3, "high-conscientiousness": 0.25}
_USUAL = 0.5
_BY_LENGTH = 0.25
"""How much less often for somebody of many words, more for somebody of few."""
_WANDERING = 0.5
"""Factor for each level of the pillar of communication style from the second."""


def curtness(persona: Persona, seed: int) -> float:
    """Return the chance that a closed question gets its bare answer."""
    usual = _CURT.get(persona.personality, _USUAL) - _BY_LENGTH * habits_of(seed).length
    wanders = max(0, persona.noise.communication_style - 1)
    return min(0.9, max(0.0, usual)) * _WANDERING**wanders
