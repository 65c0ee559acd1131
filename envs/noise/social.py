"""Social-cultural noise: what people hide for shame, until they are met with understanding.

Level 1 hesitates, 2 plays down or puts off, 3 denies, 4 denies until trust has grown. Only stigmatised facts
are denied. Other questions may be put off ("share minimal information", level 3 of table A1), which says
nothing false and ends as trust grows.
"""

from bedside.cases.fact import SocialHistory
from bedside.envs.intents import ATTRIBUTES
from bedside.envs.noise.levels import SOCIAL
from bedside.envs.noise.scene import OPEN, Scene, coloured, evadable, unanswered
from bedside.envs.speech.plan import Plan, Say
from bedside.verifier.judgment.rules import stigmatised

__all__ = ["bend", "withheld"]

_DENIED = frozenset({"alcohol", "tobacco", "drugs", "sexual", "living"})
"""Aspects of a life whose denial has words of its own in the table."""

_TRUST = 0.5
"""Share of the reserve that an empathic turn leaves."""

_BODY = ("symptom_presence", *ATTRIBUTES)
_FACTUAL = ("affirm", "drugs", "condition", "social", "drug", "dose", "relative", "procedure", "detail")


def withheld(say: Say, scene: Scene) -> bool:
    """Return True while the patient is not ready to tell this."""
    level = scene.persona.noise.social_cultural
    fact = say.fact
    if level < 2 or fact is None or say.move not in _FACTUAL:
        return False
    if fact == scene.record.main or fact.id in scene.state.opened or not _shameful(say, scene):
        return False
    gentle = scene.wants("empathy")
    probes = scene.state.probes(fact.id) + (1 if gentle else 0)
    return not (scene.state.rapport >= SOCIAL[level].rapport and probes >= SOCIAL[level].probes)


def _shameful(say: Say, scene: Scene) -> bool:
    fact = say.fact
    if fact is None or not stigmatised(fact, scene.record.grounded):
        return False
    return not (isinstance(fact, SocialHistory) and scene.record.abstains(fact))


def bend(plan: Plan, scene: Scene) -> Plan:
    """Withhold, play down or deny; confess what has become tellable; hesitate."""
    level = scene.persona.noise.social_cultural
    if not level:
        return plan
    bent: list[Say] = []
    for say in plan:
        if withheld(say, scene):
            bent += _hide(say, level, alone=len(plan) == 1)
        elif say.fact is not None and say.move in _FACTUAL and _shameful(say, scene):
            bent += _tell(say, scene, level)
        else:
            bent.append(say)
    if bent == list(plan) and evadable(plan, scene) and not scene.wants(*OPEN):
        reserve = SOCIAL[level].guarded * _TRUST**scene.state.rapport
        if scene.fails("social", plan, reserve):
            return unanswered(plan, scene, f"social.guarded.{'body' if scene.wants(*_BODY) else 'life'}")
    unease = _TRUST**scene.state.rapport
    bent = list(coloured(tuple(bent), scene, "social", level, after=f"social.reserve.{level}", share=unease))
    spoken = any(s.move not in ("omit",) for s in bent)
    return tuple(bent) if spoken else (*bent, Say("phrase", attribute="social.nothing"))


def _hide(say: Say, level: int, *, alone: bool) -> list[Say]:
    listed = say.move in ("drugs", "condition", "procedure", "relative") and not alone
    if say.move == "drugs" or listed or say.attribute == "more" or say.words == "volunteered":
        return [Say("omit", say.fact)]
    if level == 2:
        return [Say("withhold", say.fact, "social.putoff")]
    aspect = say.fact.aspect if isinstance(say.fact, SocialHistory) else "fact"
    if aspect not in _DENIED:
        aspect = "other" if isinstance(say.fact, SocialHistory) else "fact"
    # Beside another answer a bare "no" would leave open to what.
    named = ".named" if not alone and aspect in ("alcohol", "tobacco", "drugs") else ""
    return [Say("withhold", say.fact, f"social.deny.{aspect}{named}")]


def _tell(say: Say, scene: Scene, level: int) -> list[Say]:
    assert say.fact is not None
    if say.fact.id in scene.state.opened or say.fact.id in scene.state.told:
        return [say]
    if level >= 2:
        return [Say("confess", say.fact, "social.confess", core=False), say]
    return [Say("phrase", attribute="social.hesitate", core=False), say] if scene.voice.chance(0.6) else [say]
