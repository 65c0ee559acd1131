"""Patients played by a chat model; they go through the same verifier, limits and record as the embedded ones."""

from collections.abc import Sequence

from bedside.cases.persona import Persona
from bedside.chat.model import ChatModel, Sampling
from bedside.chat.privacy import keep_local
from bedside.chat.structured import Tally
from bedside.envs.audible import hear
from bedside.envs.episode import Answer, Recollection, Turn
from bedside.envs.learner import LearningPatient
from bedside.envs.llm.actor import Actor, system_message
from bedside.envs.llm.exam import ExamTaker, Taught
from bedside.envs.llm.knowledge import known_of_plan, record
from bedside.envs.mind import Mind
from bedside.envs.speech.voice import Voice
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.teaching.conveyed import Reading

__all__ = ["SAMPLING", "LLMDischargePatient", "LLMInterviewPatient", "LLMPatients"]

SAMPLING = Sampling(temperature=0.7, top_p=0.95, max_tokens=256)
"""VeriSim, table A5."""


class LLMPatients:
    """The patients of one model.

    Attributes:
        name: ``llm:`` and the model's name.
        most_words: Longer answers are cut.
        usage: What the model was asked for so far, by all patients.
    """

    def __init__(self, model: ChatModel, sampling: Sampling = SAMPLING, *, guided: bool = True) -> None:
        """Make the engine.

        Args:
            model: Who plays.
            sampling: How it speaks.
            guided: Whether its prompt asks it to stay with the record; only the ablation leaves that out.
        """
        self.name = f"llm:{model.name}"
        self.most_words: int | None = 50
        self.usage = Tally()
        self._model, self._sampling, self._guided = model, sampling, guided

    def for_interview(self, grounded: GroundedCase, persona: Persona, seed: int) -> "LLMInterviewPatient":
        """Return the patient of a diagnostic interview.

        Raises:
            ValueError: The case is credentialed and the model is not on this machine.
        """
        keep_local(self._model, (grounded.case,))
        system = system_message("interview", persona, record(grounded.case), guided=self._guided)
        opening = Voice(seed, 0).pick("opening.hello")
        return LLMInterviewPatient(Actor(self._model, self._sampling, self.usage, system, opening, seed))

    def for_discharge(self, grounded: GroundedCase, persona: Persona, seed: int) -> "LLMDischargePatient":
        """Return the patient of a discharge talk.

        Raises:
            ValueError: The case is credentialed and the model is not on this machine.
        """
        keep_local(self._model, (grounded.case,))
        listener = LearningPatient(grounded, persona, seed)
        known = record(grounded.case) | {"known_of_plan": known_of_plan(listener.mind)}
        system = system_message("discharge", persona, known, guided=self._guided)
        actor = Actor(self._model, self._sampling, self.usage, system, listener.opening(), seed)
        return LLMDischargePatient(
            actor, listener, ExamTaker(self._model, self.usage, grounded.case, persona, known, seed)
        )


class LLMInterviewPatient:
    """Answers a doctor from its record."""

    def __init__(self, actor: Actor) -> None:
        self._actor = actor

    def opening(self) -> str:
        """Return a greeting of ours: what is said before the first turn passes no verifier."""
        return self._actor.opening

    def draft(self, heard: str, turns: Sequence[Turn], attempt: int, feedback: str) -> str:
        """Return a candidate answer; see :class:`~bedside.envs.patient.Patient`."""
        return self._actor.line(heard, turns, attempt, feedback)

    def settle(self, heard: str, said: str) -> None:
        """Nothing to note: the next prompt holds the whole talk."""


class LLMDischargePatient(LLMInterviewPatient):
    """Is taught a plan, and answers questions on it.

    An embedded patient listens along. Its words are not used; what it has been taught and how it feels are what the
    orchestrator goes by, so that a talk ends for the same reasons whoever plays.
    """

    def __init__(self, actor: Actor, listener: LearningPatient, taker: ExamTaker) -> None:
        super().__init__(actor)
        self._listener, self._taker = listener, taker
        self._talk: list[dict[str, str]] = []
        self._document = ""

    def draft(self, heard: str, turns: Sequence[Turn], attempt: int, feedback: str) -> str:
        """Return a candidate answer; see :class:`~bedside.envs.patient.Patient`."""
        if attempt == 0:
            self._listener.draft(heard, turns, 0, "")
        return super().draft(heard, turns, attempt, feedback)

    def settle(self, heard: str, said: str) -> None:
        """Take note of what was finally said."""
        self._listener.settle(heard, said)
        self._talk.append({"clinician": heard, "you": said})

    @property
    def mind(self) -> Mind:
        """What was taught so far, as the listener takes it."""
        return self._listener.mind

    @property
    def reading(self) -> Reading:
        """The educator's latest turn, read as teaching."""
        return self._listener.reading

    @property
    def engaged(self) -> bool:
        """True when the educator's latest turn asked the patient something or met a feeling."""
        return self._listener.engaged

    @property
    def wants_more(self) -> bool:
        """True while a patient of this nature would not let the educator go."""
        return self._listener.wants_more

    def on_subject(self, heard: str) -> bool:
        """True when words are about health at all."""
        return self._listener.on_subject(heard)

    def read(self, document: str) -> None:
        """Keep a document to answer from."""
        self._document = hear(document)

    def examine(self) -> tuple[Answer, ...]:
        """Let the model sit the exam from what was said or read so far."""
        return self._taker.examine(Taught(self._talk, self._document))

    def recollect(self) -> tuple[Recollection, ...]:
        """Let the model tell what it remembers."""
        return self._taker.recollect(Taught(self._talk, self._document))
