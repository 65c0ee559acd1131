"""The patient of a diagnostic interview: it understands, plans, bends the plan, and speaks.

It answers what was asked and nothing else, denies what its record does not hold, and remembers what it has told.
"""

from collections.abc import Sequence

from bedside.cases.persona import Persona
from bedside.envs.episode import Turn
from bedside.envs.speech.answers import Situation, answer
from bedside.envs.speech.plan import Plan, Say
from bedside.envs.speech.realise import realise
from bedside.envs.speech.record import record_of
from bedside.envs.speech.voice import Voice
from bedside.envs.understanding import understand
from bedside.verifier.grounding import GroundedCase

__all__ = ["InterviewPatient"]

MOST_WORDS = 50


class InterviewPatient:
    """The embedded patient of an interview; one instance serves one encounter.

    Args:
        grounded: The case.
        persona: Who speaks, and with what noise.
        seed: Every choice follows from it.
        disfluency: How much of the untidiness of real speech to add; 0 for none.
    """

    engine = "embedded"

    def __init__(self, grounded: GroundedCase, persona: Persona, seed: int, disfluency: float = 1.0) -> None:
        self._grounded = grounded
        self._record = record_of(grounded)
        self._persona = persona
        self._seed = seed
        self._disfluency = disfluency
        self._told: frozenset[str] = frozenset()
        self._focus: str | None = self._record.main.id if self._record.main else None
        self._drafts: dict[str, Plan] = {}

    def opening(self) -> str:
        """Return a greeting; the complaint is told when the doctor asks."""
        return Voice(self._seed, 0).pick("opening.hello")

    def draft(self, heard: str, turns: Sequence[Turn], attempt: int, feedback: str) -> str:
        """Return a candidate answer; see :class:`~bedside.envs.patient.Patient`."""
        voice = Voice(self._seed, len(turns) + 1, attempt)
        plan = self._plan(heard)
        text = " ".join(realise(say, voice) for say in plan)
        self._drafts[text] = plan
        return text

    def settle(self, heard: str, said: str) -> None:
        """Take note of what was said; what was drafted and rejected leaves no trace."""
        plan = self._drafts.get(said, ())
        self._drafts.clear()
        self._told |= {say.fact.id for say in plan if say.fact}
        symptoms = {s.id for s in self._record.symptoms}
        self._focus = next((s.fact.id for s in reversed(plan) if s.fact and s.fact.id in symptoms), self._focus)

    def _plan(self, heard: str) -> Plan:
        situation = Situation(self._told, self._focus, heard.lower())
        return answer(understand(heard, self._grounded), self._record, situation) or (Say("phrase", attribute="other.open"),)
