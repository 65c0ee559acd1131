"""Communication style: tangents around the answer, then instead of it.

Level 1 adds a little context, 2 buries the answer, 3 and 4 talk past questions, which must then be asked
again. The tangents are about everyday life; they hold nothing medical and no illness of anybody.
"""

from bedside.envs.noise.scene import Scene
from bedside.envs.speech.plan import Plan, Say

__all__ = ["bend"]

_AFTER = (0.0, 0.3, 0.35, 0.35, 0.4)
_BEFORE = (0.0, 0.0, 0.3, 0.35, 0.4)
_MISSES = (0.0, 0.0, 0.0, 0.35, 0.5)
_ROUTINE = ("greeting", "closing", "age")


def bend(plan: Plan, scene: Scene) -> Plan:
    """Put tangents before, after or in place of the answer."""
    level = scene.persona.noise.communication_style
    if scene.persona.personality == "deflective":
        level = max(level, 2)
    if not level or not scene.asks or scene.wants(*_ROUTINE):
        return plan
    tangent = Say("phrase", attribute="style.tangent", core=False)
    # Whoever is asked again, or led back, comes nearer to the point.
    misses = _MISSES[level] * 0.3**scene.state.missed
    if scene.voice.chance(misses):
        return (Say("miss", attribute="style.drift", core=False), tangent)
    if scene.voice.chance(_BEFORE[level]):
        return (tangent, Say("phrase", attribute="style.return", core=False), *plan)
    if scene.voice.chance(_AFTER[level]):
        return (*plan, tangent)
    return plan
