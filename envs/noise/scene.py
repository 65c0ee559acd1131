"""What every pillar may look at."""

from typing import NamedTuple

from bedside.cases.persona import Persona
from bedside.envs.intents import Intent
from bedside.envs.speech.record import Record
from bedside.envs.speech.state import State
from bedside.envs.speech.voice import Voice

__all__ = ["Scene"]


class Scene(NamedTuple):
    """One turn, before the answer.

    Attributes:
        record: The patient's facts.
        persona: The patient.
        state: What the talk has done so far, the doctor's present words included.
        intents: What these words want.
        voice: Source of words and dice.
        seed: The patient's seed, for what stays the same throughout.
    """

    record: Record
    persona: Persona
    state: State
    intents: tuple[Intent, ...]
    voice: Voice
    seed: int

    @property
    def asks(self) -> bool:
        """True when an answer is expected."""
        return any(intent.asked for intent in self.intents)

    def wants(self, *names: str) -> bool:
        """Return True when any of these is among the intents."""
        return any(intent.name in names for intent in self.intents)
