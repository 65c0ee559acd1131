"""Communication noise: six pillars, each a transformation of what is going to be said.

Noise changes how a fact is said, or whether; never what is true (VeriSim, tables 1
and A1).
"""

from bedside.envs.noise import cognitive, emotion, literacy, memory, personality, rewording, social, style
from bedside.envs.noise.scene import Scene
from bedside.envs.speech.plan import Plan

__all__ = ["Scene", "bend"]

# What is withheld must not be worried about or buried, so the order matters: first whether, then how, then
# around.
_PILLARS = (
    social.bend,
    memory.bend,
    literacy.bend,
    emotion.bend,
    personality.bend,
    cognitive.bend,
    style.bend,
    rewording.bend,
)


def bend(plan: Plan, scene: Scene) -> Plan:
    """Apply every pillar to an utterance plan.

    Args:
        plan: What an ideal patient would say.
        scene: Who speaks, to what, in which state.

    Returns:
        What this one is going to say.
    """
    for pillar in _PILLARS:
        plan = pillar(plan, scene)
    return plan
