"""The patient as the environment sees it, and the loop that lets nothing unverified out.

Generate, verify, refine at most twice, else fall back to words that hold no medical content (VeriSim, sections 3.2
and E.9). Every engine goes through the same loop; a generator cannot skip it.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from bedside.cases.persona import Persona
from bedside.cases.seeds import stream
from bedside.envs.delivery import spoken
from bedside.envs.episode import Answer, Attempt, Recollection, Repair, Turn
from bedside.envs.mind import Mind
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.teaching.conveyed import Reading
from bedside.verifier.verdict import Verdict

__all__ = ["FALLBACKS", "REFINEMENTS", "DischargePatient", "Patient", "PatientEngine", "Utterance", "speak"]

REFINEMENTS = 2
"""Regenerations after a first rejected attempt (VeriSim, table A5)."""

FALLBACKS = (
    "I'm not sure. Could you ask me something else?",
    "I don't really know how to answer that.",
    "I can't say for certain. Can we come back to that?",
    "I'm not sure what to say to that, to be honest.",
)


class Patient(Protocol):
    """Something that answers a clinician in character; one instance serves one encounter."""

    def opening(self) -> str:
        """Return what the patient says before the clinician's first turn."""

    def draft(self, heard: str, turns: Sequence[Turn], attempt: int, feedback: str) -> str:
        """Return a candidate answer.

        Args:
            heard: What of the clinician's words reached the patient.
            turns: The encounter so far, without this turn.
            attempt: 0 for the first candidate, higher after rejections; a later attempt should say less.
            feedback: What was wrong with the last candidate; empty at first.
        """

    def settle(self, heard: str, said: str) -> None:
        """Take note of what was finally said, so that state follows the accepted answer only."""


class DischargePatient(Patient, Protocol):
    """A patient who is taught, and can be examined on it."""

    @property
    def mind(self) -> Mind:
        """What was taught so far, by item, and how the patient feels; the orchestrator watches both."""

    @property
    def reading(self) -> Reading:
        """The educator's latest turn, read as teaching."""

    @property
    def engaged(self) -> bool:
        """True when the educator's latest turn asked the patient something or met a feeling."""

    @property
    def wants_more(self) -> bool:
        """True while the patient would not let the educator go."""

    def on_subject(self, heard: str) -> bool:
        """True when words are about health at all."""

    def read(self, document: str) -> None:
        """Read what the educator has written, alone and at leisure."""

    def examine(self) -> tuple[Answer, ...]:
        """Sit the multiple-choice exam."""

    def recollect(self) -> tuple[Recollection, ...]:
        """Answer the six recall questions freely, as far as the case has something to recall."""


class PatientEngine(Protocol):
    """Whatever plays the patients of an environment; it brings a fresh one to every encounter.

    Attributes:
        name: As it stands in the record: ``embedded``, or ``llm:`` and the model.
        most_words: How long an answer may be; None where the engine itself keeps a measure.
    """

    name: str
    most_words: int | None

    def for_interview(self, grounded: GroundedCase, persona: Persona, seed: int) -> Patient:
        """Return the patient of a diagnostic interview."""

    def for_discharge(self, grounded: GroundedCase, persona: Persona, seed: int) -> DischargePatient:
        """Return the patient of a discharge talk, not yet taught anything."""


class Utterance(NamedTuple):
    """What came out of the loop."""

    text: str
    verdict: Verdict
    rejected: tuple[Attempt, ...]
    fallback: bool
    repairs: tuple[Repair, ...] = ()


def speak(
    draft: Callable[[int, str], str],
    verify: Callable[[str], Verdict],
    *seed: object,
    most_words: int | None = None,
) -> Utterance:
    """Draw candidates until one passes; give up on content after the second refinement.

    Args:
        draft: Takes attempt number and feedback, returns a candidate; see :func:`~bedside.envs.delivery.spoken`.
        verify: Judges a candidate. A verdict that cannot be read counts as a rejection.
        *seed: Chooses the wording of the fallback.
        most_words: How long an answer may be; longer ones are cut, and that is counted.

    Returns:
        The answer that may be shown, and every attempt that may not.
    """
    rejected: list[Attempt] = []
    feedback = ""
    for attempt in range(1 + REFINEMENTS):
        text, repairs = spoken(draft(attempt, feedback), most_words)
        verdict = verify(text)
        if text and verdict.overall == "pass":
            return Utterance(text, verdict, tuple(rejected), fallback=False, repairs=repairs)
        rejected.append(Attempt(text=text, verdict=verdict))
        feedback = verdict.feedback
    # Words without content need no judge; one that cannot be read must not hold them back too.
    fallback = stream("fallback", *seed).choice(FALLBACKS)
    return Utterance(fallback, Verdict(overall="pass", engine="fallback"), tuple(rejected), fallback=True)
