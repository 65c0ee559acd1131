"""The opening in other words: with noise, what brought the patient is told by its name, not in its set sentence.

A patient at ease has a sentence ready. One who gropes for words, is afraid or ashamed says the main thing and stops.
"""

from bedside.envs.noise.scene import Scene
from bedside.envs.speech.plan import Plan

__all__ = ["bend"]

_OTHERWISE = (0.0, 0.25, 0.9, 1.0, 1.0)
"""Chance by the highest level at work."""


def bend(plan: Plan, scene: Scene) -> Plan:
    """Replace the set sentence of the complaint by the patient's words for its main symptom."""
    level = max(scene.persona.noise.active.values(), default=0)
    return tuple(
        say._replace(words="") if say.move == "complain" and say.fact and scene.voice.chance(_OTHERWISE[level]) else say
        for say in plan
    )
