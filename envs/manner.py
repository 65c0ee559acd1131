"""How a persona behaves, in words: what a language model is told that plays it, or that judges how it was played.

The six pillars at five levels mean what table A1 of VeriSim says, the personalities what DischargeBench and
DischargeSim say. The numbers by which the embedded patient does the same stand in :mod:`bedside.envs.noise.levels`;
whoever changes the sense of a level changes both.
"""

import csv
from functools import cache
from pathlib import Path

from bedside.cases.noise import PILLARS
from bedside.cases.persona import Persona

__all__ = ["described", "manner"]

_TABLE = Path(__file__).parent / "data" / "manner.tsv"
_TRAITS = ("personality", "education", "literacy", "recall")
_NEUTRAL = Persona()
# A trait that departs from the neutral persona speaks for the pillar, whose level 0 would contradict it.
_SPOKEN_FOR = {
    "health_literacy": ("literacy",),
    "memory_recall": ("recall",),
    "emotional_state": ("personality",),
    "communication_style": ("personality",),
    "social_cultural": ("personality",),
    "cognitive_processing": (),
}


def described(axis: str, value: object) -> str:
    """Return one sentence on what a value of an axis means, e.g. of ``memory_recall`` at 2.

    Raises:
        KeyError: There is no such axis or value.
    """
    return _texts()[axis, str(value)]


def manner(persona: Persona, *, ideal: bool = False) -> tuple[str, ...]:
    """Return how a persona behaves, one sentence for each trait and each pillar of noise.

    Args:
        persona: The patient.
        ideal: Whether to say too what level 0 of a pillar means, unless a trait departs from it.
    """
    lines = [described(trait, getattr(persona, trait)) for trait in _TRAITS]
    for pillar in PILLARS:
        level = getattr(persona.noise, pillar)
        neutral = all(getattr(persona, trait) == getattr(_NEUTRAL, trait) for trait in _SPOKEN_FOR[pillar])
        if level or (ideal and neutral):
            lines.append(described(pillar, level))
    return tuple(lines)


@cache
def _texts() -> dict[tuple[str, str], str]:
    with _TABLE.open(encoding="utf-8", newline="") as file:
        return {
            (row["axis"], row["value"]): row["text"]
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        }
