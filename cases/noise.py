"""The six pillars of communication noise (VeriSim, table 1) at five levels (table A1)."""

import re
from typing import Annotated, Self

from pydantic import Field

from bedside.cases.fact import Frozen
from bedside.cases.seeds import stream

__all__ = ["PILLARS", "NoiseProfile", "draw_noise"]

Level = Annotated[int, Field(ge=0, le=4)]


class NoiseProfile(Frozen):
    """How strongly each pillar bends the way a patient speaks: 0 ideal, 4 extreme."""

    memory_recall: Level = 0
    health_literacy: Level = 0
    emotional_state: Level = 0
    communication_style: Level = 0
    social_cultural: Level = 0
    cognitive_processing: Level = 0

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``pillar=level,…``; ``none`` and the empty string mean no noise.

        Raises:
            ValueError: A pillar is unknown, given twice or its level is not 0–4.
        """
        levels: dict[str, int] = {}
        for part in filter(None, (p.strip() for p in text.split(","))):
            if part == "none":
                continue
            name, _, level = part.partition("=")
            if name not in PILLARS:
                raise ValueError(f"unknown noise pillar {name!r}; the pillars are {', '.join(PILLARS)}")
            if name in levels:
                raise ValueError(f"noise pillar {name} is given twice")
            if not re.fullmatch(r"[0-4]", level):
                raise ValueError(f"noise pillar {name} needs a level from 0 to 4, as in {name}=2")
            levels[name] = int(level)
        return cls(**levels)

    @property
    def active(self) -> dict[str, int]:
        """The pillars above level 0."""
        return {name: level for name in PILLARS if (level := getattr(self, name))}


PILLARS = tuple(NoiseProfile.model_fields)


def draw_noise(spec: str, *seed: object) -> NoiseProfile:
    """Resolve a noise specification for one case.

    Args:
        spec: ``none``; ``pillar=level,…``; or ``random[:COUNT[@LOW-HIGH]]``. Plain ``random`` is VeriSim's
            protocol (section 3.3): two pillars, levels drawn from 1 to 3.
        *seed: What the draw depends on, usually run seed and case id.

    Raises:
        ValueError: The specification cannot be read.
    """
    if not spec.startswith("random"):
        return NoiseProfile.parse(spec)
    match = re.fullmatch(r"random(?::([1-6])(?:@([0-4])-([0-4]))?)?", spec)
    if not match or int(match[2] or 1) > int(match[3] or 3):
        raise ValueError(f"noise {spec!r}: write random, random:3 or random:3@1-4")
    rng = stream("noise", spec, *seed)
    count, low, high = int(match[1] or 2), int(match[2] or 1), int(match[3] or 3)
    return NoiseProfile(**{name: rng.randint(low, high) for name in rng.sample(PILLARS, count)})
