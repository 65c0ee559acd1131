"""Communication style: tangents around the answer, then instead of it.

Level 1 adds a little context, 2 buries the answer, 3 and 4 talk past most questions, which must then be asked
again. The tangents are about everyday life; they hold nothing medical and no illness of anybody.
"""

from bedside.envs.noise.levels import STYLE
from bedside.envs.noise.scene import Scene, evadable, unanswered, yes_or_no
from bedside.envs.speech.plan import Plan, Say

__all__ = ["bend"]

_ROUTINE = ("greeting", "closing", "age")


def bend(plan: Plan, scene: Scene) -> Plan:
    """Put tangents before, after or in place of the answer."""
    level = scene.persona.noise.communication_style
    if scene.persona.personality == "deflective":
        level = max(level, 2)
    if not level or not scene.asks or scene.wants(*_ROUTINE):
        return plan
    tangent = Say("phrase", attribute="style.tangent", core=False)
    table = STYLE[level]
    if evadable(plan, scene) and scene.fails("style", plan, table.misses):
        return unanswered(plan, scene, "style.drift", tangent)
    if not yes_or_no(plan) and scene.voice.chance(table.before):
        plan = (tangent, Say("phrase", attribute="style.return", core=False), *plan)
    return (*plan, tangent) if scene.voice.chance(table.after) else plan
