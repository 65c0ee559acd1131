"""What an interview has done to the patient so far: what was told, trust, distress, what was probed.

The state is a value. A draft reads it, only an accepted answer makes a new one; so a rejected attempt leaves
no trace.
"""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from bedside.cases.persona import Persona
from bedside.envs.intents import Intent
from bedside.envs.speech.plan import Plan

__all__ = ["State"]

_MOST_DISTRESS = 3.0
_CALM = 1.0
_RISE = 0.12


class State(NamedTuple):
    """Where the talk stands.

    Attributes:
        turns: Answers given.
        told: Ids of facts already told.
        focus: Id of the symptom under discussion.
        rapport: Empathic turns heard; reassurance counts half.
        distress: How far worry has grown beyond its level, 0 to 3.
        probed: How often each fact that is hard to tell has been asked for.
        opened: Ids of such facts that the patient has owned up to.
        missed: Questions in a row that were talked past.
        asked_back: Words that the patient has had explained or has asked about.
        beliefs: How often the patient has voiced its own theory.
        unanswered: How often each topic was asked for in vain.
        phrases: How often each phrase of the table was used.
    """

    turns: int = 0
    told: frozenset[str] = frozenset()
    focus: str | None = None
    rapport: float = 0.0
    distress: float = 0.0
    probed: tuple[tuple[str, int], ...] = ()
    opened: frozenset[str] = frozenset()
    missed: int = 0
    asked_back: frozenset[str] = frozenset()
    beliefs: int = 0
    unanswered: tuple[tuple[str, int], ...] = ()
    phrases: tuple[tuple[str, int], ...] = ()

    def times_unanswered(self, topic: str) -> int:
        """Return how often a topic was asked for in vain."""
        return dict(self.unanswered).get(topic, 0)

    def probes(self, fact_id: str) -> int:
        """Return how often a fact has been asked for."""
        return dict(self.probed).get(fact_id, 0)

    def heard(self, intents: tuple[Intent, ...], persona: Persona) -> "State":
        """Return the state after the doctor's words: kindness builds trust and calms, its absence wears."""
        names = {intent.name for intent in intents}
        kind, calming = "empathy" in names, "reassurance" in names
        rapport = self.rapport + (1.0 if kind else 0.0) + (0.5 if calming else 0.0)
        level = max(persona.noise.emotional_state, 1 if persona.personality == "anxious" else 0)
        change = -_CALM if kind or calming else _RISE * level
        distress = min(_MOST_DISTRESS, max(0.0, self.distress + change))
        return self._replace(rapport=rapport, distress=distress)

    def answered(self, plan: Plan, symptoms: frozenset[str], used: Mapping[str, int]) -> "State":
        """Return the state after an answer.

        Args:
            plan: What was said.
            symptoms: Ids of the facts that later questions may be about.
            used: How often each phrase of the table was used for it.
        """
        facts = [say.fact.id for say in plan if say.fact and say.move not in ("withhold", "omit")]
        withheld = [say.fact.id for say in plan if say.fact and say.move in ("withhold", "omit")]
        complained = next((say.fact.id for say in plan if say.fact and say.move == "complain"), None)
        probed = dict(self.probed)
        for fact_id in withheld:
            probed[fact_id] = probed.get(fact_id, 0) + 1
        unanswered = dict(self.unanswered)
        for say in plan:
            if say.move == "evade":
                unanswered[say.words] = unanswered.get(say.words, 0) + 1
        told = [
            say.fact.id
            for say in plan
            if say.fact and say.move not in ("withhold", "omit", "askback") and say.attribute[:5] != "none."
        ]
        return self._replace(
            turns=self.turns + 1,
            told=self.told.union(
                told, (f"{say.fact.id}.{say.attribute}" for say in plan if say.fact and say.move == "detail")
            ),
            focus=complained or next((i for i in reversed(facts) if i in symptoms), self.focus),
            probed=tuple(sorted(probed.items())),
            opened=self.opened.union(say.fact.id for say in plan if say.fact and say.move == "confess"),
            missed=self.missed + 1 if any(say.move == "evade" for say in plan) else 0,
            asked_back=self.asked_back.union(say.words for say in plan if say.move == "askback"),
            unanswered=tuple(sorted(unanswered.items())),
            beliefs=self.beliefs + sum(say.move == "believe" for say in plan),
            phrases=tuple(sorted((Counter(dict(self.phrases)) + Counter(used)).items())),
        )
