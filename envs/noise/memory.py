"""Memory noise: times go first, then doses and names, then whether something was there at all.

Vague words come from :mod:`bedside.envs.speech.times`, whose rounding stays within what the verifier allows
to a memory of that level. What does not come back is never denied: "I can't remember" is true.
"""

from bedside.cases.fact import Symptom
from bedside.envs.intents import ATTRIBUTES
from bedside.envs.noise.levels import MEMORY
from bedside.envs.noise.scene import OPEN, Scene, coloured, evadable, past, unanswered
from bedside.envs.speech.plan import Plan, Say

__all__ = ["bend"]

_OF_TIME = ("onset", "duration")
_BODY = 0.7
"""What one feels now is forgotten less than what was."""


def bend(plan: Plan, scene: Scene) -> Plan:
    """Blur times, forget doses and some names, lose some answers."""
    level = scene.persona.noise.memory_recall
    if not level:
        return plan
    table = MEMORY[level]
    if scene.wants(*OPEN):
        plan = _left_out(plan, scene, table.forgets)
    elif evadable(plan, scene) and not _timed(plan):
        chance = table.blank * (1.0 if past(plan) else _BODY)
        if scene.fails("memory", plan, chance):
            return unanswered(plan, scene, _lapse(plan, scene))
    bent: list[Say] = []
    for say in plan:
        bent += _blur(say, scene, level)
    return coloured(tuple(bent), scene, "memory", level, after=f"memory.hedge.{level}")


def _timed(plan: Plan) -> bool:
    return any(say.move == "detail" and say.attribute in _OF_TIME for say in plan)


def _lapse(plan: Plan, scene: Scene) -> str:
    """The words for what does not come: names of drugs and the past are forgotten, the body goes unnoticed."""
    if scene.wants("medications", "dose"):
        return "memory.blank.drug"
    return "memory.blank.past" if past(plan) and not scene.wants("symptom_presence", *ATTRIBUTES) else "memory.unsure"


def _left_out(plan: Plan, scene: Scene, chance: float) -> Plan:
    """Leave out of an open answer what does not come to mind; the complaint itself always does."""
    kept = tuple(
        say
        for say in plan
        if not (say.move == "affirm" and isinstance(say.fact, Symptom) and scene.fails("memory", (say,), chance))
    )
    return kept or (Say("phrase", attribute="memory.more", core=False),)


def _blur(say: Say, scene: Scene, level: int) -> list[Say]:
    table = MEMORY[level]
    if say.move == "detail" and say.attribute in _OF_TIME and isinstance(say.fact, Symptom):
        if scene.fails("memory", (say,), table.lost):
            return [say._replace(move="phrase", attribute=f"memory.lost.{say.attribute}", words="")]
        return [say._replace(vague=level)]
    if say.move in ("dose", "drugs", "social", "condition", "procedure"):
        return [say._replace(vague=level)]
    return [say]
