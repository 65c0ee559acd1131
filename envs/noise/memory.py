"""Memory noise: times go first, then doses and names, then the order of things.

Vague words come from :mod:`bedside.envs.speech.times`, whose rounding stays within what the verifier allows
to a memory of that level.
"""

from bedside.cases.fact import Symptom
from bedside.envs.noise.scene import Scene
from bedside.envs.speech.plan import Plan, Say

__all__ = ["bend"]

_OF_TIME = ("onset", "duration")
_LOST = (0.0, 0.0, 0.1, 0.3, 0.6)
_PREFACED = (0.0, 0.25, 0.4, 0.5, 0.5)


def bend(plan: Plan, scene: Scene) -> Plan:
    """Blur times, forget doses and some names."""
    level = scene.persona.noise.memory_recall
    if not level:
        return plan
    bent: list[Say] = []
    for say in plan:
        bent += _blur(say, scene, level)
    return tuple(bent)


def _blur(say: Say, scene: Scene, level: int) -> list[Say]:
    if say.move == "detail" and say.attribute in _OF_TIME and isinstance(say.fact, Symptom):
        if scene.voice.chance(_LOST[level]):
            return [say._replace(move="phrase", attribute=f"memory.lost.{say.attribute}", words="")]
        preface = (
            [Say("phrase", attribute="memory.preface", core=False)] if scene.voice.chance(_PREFACED[level]) else []
        )
        return [*preface, say._replace(vague=level)]
    if say.move in ("dose", "drugs", "social", "condition", "procedure"):
        return [say._replace(vague=level)]
    return [say]
