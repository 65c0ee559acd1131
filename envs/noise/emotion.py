"""Emotional noise: worry said aloud, symptoms made larger, worst cases imagined.

Level and distress together set how often; a severity is raised by no more than the verifier allows to that
level.
"""

from bedside.cases.fact import Symptom
from bedside.envs.noise.levels import EMOTION
from bedside.envs.noise.scene import OPEN, Scene, coloured, evadable, unanswered
from bedside.envs.speech.plan import Plan, Say

__all__ = ["bend"]

_SOOTHED = 0.4
"""Share of the chance that fear drowns an answer, left by a kind or calming word in the same breath."""

_ABOUT_ANYTHING = 3
"""Level from which worry follows answers about anything, and not just those about the body."""


def bend(plan: Plan, scene: Scene) -> Plan:
    """Raise severities, add amplifiers and worries."""
    base = scene.persona.noise.emotional_state
    level = max(base, 1 if scene.persona.personality == "anxious" else 0)
    if not level:
        return plan
    table = EMOTION[level]
    tone = min(4, level + (scene.state.distress >= 2))
    if evadable(plan, scene) and not scene.wants(*OPEN):
        calm = _SOOTHED if scene.wants("empathy", "reassurance") else 1.0
        if scene.fails("emotion", plan, table.drowns * calm):
            return unanswered(plan, scene, f"emotion.drown.{tone}")
    # A calmed patient feels it less: what emotion adds shrinks with trust.
    raised = max(0, EMOTION[base].raises - round(scene.state.rapport))
    bent = tuple(_raised(say, raised) for say in plan)
    bent = coloured(bent, scene, "emotion", base) if base else bent
    about_body = any(isinstance(say.fact, Symptom) and say.move in ("affirm", "complain", "detail") for say in plan)
    if about_body and scene.voice.chance(table.amplifies):
        bent = (*bent, Say("phrase", attribute=f"emotion.amplify.{tone}", core=False))
    often = table.worry + 0.1 * scene.state.distress
    if (
        about_body
        or (base >= _ABOUT_ANYTHING and scene.asks)
        or scene.wants("explanation", "advice", "diagnosis_statement", "empathy", "reassurance", "summary", "other")
    ) and scene.voice.chance(often):
        bent = (*bent, Say("phrase", attribute=f"emotion.worry.{tone}", core=False))
    return bent


def _raised(say: Say, points: int) -> Say:
    if (
        say.move == "detail"
        and say.attribute == "severity"
        and say.words != "effect"
        and isinstance(say.fact, Symptom)
        and say.fact.severity is not None
    ):
        raised = min(10, say.fact.severity + points) if say.fact.severity else 0
        return say._replace(words=str(raised))
    return say
