"""What a temper adds, beside the pillars: playing down, mistrust, exactness.

Anxious and deflective patients speak through the emotional and the style pillar.
"""

from bedside.cases.fact import Symptom
from bedside.envs.noise.scene import Scene
from bedside.envs.speech.plan import Plan, Say

__all__ = ["bend"]

_CURIOUS = {"anxious": 0.1, "high-conscientiousness": 0.08, "minimizer": 0.01, "deflective": 0.01}
"""Chance of an unprompted question in an answer; patients of recorded consultations ask in 6 % of turns."""

_BODILY = ("affirm", "complain", "detail")


def bend(plan: Plan, scene: Scene) -> Plan:
    """Add the remark that this temper would make here, now and then."""
    remark = _REMARKS.get(scene.persona.personality)
    return _asking(remark(plan, scene) if remark else plan, scene)


def _asking(plan: Plan, scene: Scene) -> Plan:
    """Let the patient ask something unprompted, after it has answered; some hardly ever do, some often."""
    if not scene.questions or any(say.move in ("evade", "withhold", "askback") for say in plan):
        return plan
    if not scene.voice.chance(_CURIOUS.get(scene.persona.personality, 0.03)):
        return plan
    return (*plan, Say("phrase", attribute="asks", core=False))


def _about_body(plan: Plan) -> bool:
    return any(say.move in _BODILY and isinstance(say.fact, Symptom) for say in plan)


def _minimizer(plan: Plan, scene: Scene) -> Plan:
    if _about_body(plan) and scene.voice.chance(0.35):
        return (*plan, Say("phrase", attribute="temper.minimizer", core=False))
    return plan


def _distrustful(plan: Plan, scene: Scene) -> Plan:
    wary = max(0.03, 0.18 - 0.05 * scene.state.rapport)
    if scene.wants("advice", "diagnosis_statement", "reassurance") and scene.voice.chance(wary + 0.3):
        return (Say("phrase", attribute="temper.distrustful.told", core=False),)
    if scene.asks and not scene.wants("greeting", "closing") and scene.voice.chance(wary):
        return (Say("phrase", attribute="temper.distrustful", core=False), *plan)
    return plan


def _conscientious(plan: Plan, scene: Scene) -> Plan:
    timed = any(say.move == "detail" and say.attribute in ("onset", "duration", "timing") for say in plan)
    if timed and not scene.persona.noise.memory_recall and scene.voice.chance(0.4):
        return (*plan, Say("phrase", attribute="temper.conscientious", core=False))
    return plan


_REMARKS = {
    "minimizer": _minimizer,
    "distrustful": _distrustful,
    "high-conscientiousness": _conscientious,
}
