"""What every pillar may look at."""

from typing import NamedTuple

from bedside.cases.fact import Symptom
from bedside.cases.persona import Persona
from bedside.cases.seeds import derive_seed
from bedside.envs.intents import TALK, Intent
from bedside.envs.noise.levels import AGAIN, CROWDED, TELLING
from bedside.envs.speech.plan import Plan, Say
from bedside.envs.speech.record import Record
from bedside.envs.speech.state import State
from bedside.envs.speech.voice import Voice

__all__ = ["OPEN", "Scene", "coloured", "evadable", "past", "unanswered", "yes_or_no"]

OPEN = ("chief_complaint", "associated", "anything_else")
"""Questions that leave it to the patient what to tell."""

_ROUTINE = ("greeting", "closing", "age", "chief_complaint", *TALK)


class Scene(NamedTuple):
    """One turn, before the answer.

    Attributes:
        record: The patient's facts.
        persona: The patient.
        state: What the talk has done so far, the doctor's present words included.
        intents: What these words want.
        voice: Source of words and dice.
        seed: The patient's seed, for what stays the same throughout.
    """

    record: Record
    persona: Persona
    state: State
    intents: tuple[Intent, ...]
    voice: Voice
    seed: int

    @property
    def asks(self) -> bool:
        """True when an answer is expected."""
        return any(intent.asked for intent in self.intents)

    @property
    def questions(self) -> tuple[Intent, ...]:
        """What is asked, beyond the courtesies and the first question, which everybody answers."""
        return tuple(intent for intent in self.intents if intent.asked and intent.name not in _ROUTINE)

    def wants(self, *names: str) -> bool:
        """Return True when any of these is among the intents."""
        return any(intent.name in names for intent in self.intents)

    def topic(self, plan: Plan) -> str:
        """Name what a question is about, the same for its repetition in other words."""
        fact = next((say for say in plan if say.fact is not None), None)
        if fact is not None and fact.fact is not None:
            return f"{fact.fact.id}.{fact.attribute if fact.move == 'detail' else ''}"
        asked = self.questions
        return f"{asked[0].name}.{asked[0].concept or asked[0].target or ''}" if asked else ""

    def fails(self, pillar: str, plan: Plan, chance: float) -> bool:
        """Return True when a pillar keeps the answer from coming.

        Drawn once a topic, so that a gap is the same gap when it is asked for again; each repetition makes it
        smaller.
        """
        topic = self.topic(plan)
        if not topic or chance <= 0.0:
            return False
        drawn = derive_seed(self.seed, "fails", pillar, topic) / 2**63
        room = CROWDED[len(self.persona.noise.active)]
        return drawn < chance * room * AGAIN[pillar] ** self.state.times_unanswered(topic)


_MOST_REMARKS = 4


def coloured(plan: Plan, scene: Scene, pillar: str, level: int, *, after: str = "", share: float = 1.0) -> Plan:
    """Return the plan with remarks before and after, where something is told.

    This is what moves the wording of a fact away from how the ideal patient puts it without touching the fact.

    Args:
        plan: What is going to be said.
        scene: The turn.
        pillar: Whose remarks; ``PILLAR.lead.LEVEL`` come before.
        level: Of that pillar.
        after: Key of the remarks that come after; nothing for none.
        share: Factor on both chances.
    """
    tells = any(say.fact is not None and say.core and say.move not in ("phrase", "omit") for say in plan)
    tells = tells and not any(say.move == "withhold" for say in plan)
    if not tells or not scene.asks:
        return plan
    telling = TELLING[level]
    said = sum(not say.core for say in plan)
    if said < _MOST_REMARKS and plan[0].core and not yes_or_no(plan) and scene.voice.chance(telling.before * share):
        plan, said = (Say("phrase", attribute=f"{pillar}.lead.{level}", core=False), *plan), said + 1
    if after and said < _MOST_REMARKS and scene.voice.chance(telling.after * share):
        plan, said = (*plan, Say("phrase", attribute=after, core=False)), said + 1
        if said < _MOST_REMARKS and scene.voice.chance(telling.again * share):
            plan = (*plan, Say("phrase", attribute=after, core=False))
    return plan


def yes_or_no(plan: Plan) -> bool:
    """True for an answer that begins with yes or no, which people say first."""
    first = next((say for say in plan if say.core), None)
    return first is not None and (
        (first.move == "affirm" and first.attribute == "" and first.words in ("", "yes", "named"))
        or (first.move == "social" and first.words == "yes")
        or first.attribute in ("condition.yes", "drug.yes")
        or first.attribute.startswith(("deny", "none.", "drug.no"))
    )


def unanswered(plan: Plan, scene: Scene, key: str, *after: Say) -> Plan:
    """Return a plan that says something else than what was asked for."""
    return (Say("evade", attribute=key, words=scene.topic(plan), core=False), *after)


def evadable(plan: Plan, scene: Scene) -> bool:
    """Return True for an answer that may fail: a reply to a question, and not what brought the patient.

    What a patient came for is on its mind; and what another pillar took away already cannot fail again.
    """
    if not scene.questions or any(say.move in ("evade", "askback", "withhold", "confess") for say in plan):
        return False
    main = scene.record.main
    return not any(say.fact is not None and say.fact == main and say.move in ("affirm", "complain") for say in plan)


def past(plan: Plan) -> bool:
    """Return True when the answer is about the past, which memory keeps less well than the body."""
    return not any(isinstance(say.fact, Symptom) for say in plan)
