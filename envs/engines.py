"""Patients and orchestrators by name, so that a command line, a configuration and a record can say who it was."""

from collections.abc import Iterable

from bedside.cases.persona import Persona
from bedside.chat.model import ChatModel, Sampling
from bedside.chat.privacy import Licensed, keep_local
from bedside.envs.interview import InterviewPatient
from bedside.envs.learner import LearningPatient
from bedside.envs.mind import LEARNING, Learning
from bedside.envs.orchestrator import EmbeddedOrchestrators, OrchestratorEngine
from bedside.envs.patient import PatientEngine
from bedside.verifier.grounding import GroundedCase

__all__ = ["EmbeddedPatients", "make_orchestrator", "make_patient"]


class EmbeddedPatients:
    """The deterministic patients: no model, no network, thousands of turns a second."""

    name = "embedded"
    most_words: int | None = None

    def __init__(self, learning: Learning = LEARNING, disfluency: float = 1.0) -> None:
        """Make the engine.

        Args:
            learning: The parameters of memory at discharge.
            disfluency: How much of the untidiness of real speech to add; 1 as recorded, 0 none.
        """
        self._learning = learning
        self._disfluency = disfluency

    def for_interview(self, grounded: GroundedCase, persona: Persona, seed: int) -> InterviewPatient:
        """Return the patient of a diagnostic interview."""
        return InterviewPatient(grounded, persona, seed, self._disfluency)

    def for_discharge(self, grounded: GroundedCase, persona: Persona, seed: int) -> LearningPatient:
        """Return the patient of a discharge talk."""
        return LearningPatient(grounded, persona, seed, self._learning, self._disfluency)


def make_patient(
    name: str, *, cases: Iterable[Licensed] = (), guided: bool = True, sampling: Sampling | None = None
) -> PatientEngine:
    """Build the engine that plays the patients.

    Args:
        name: ``embedded``, or a language model as ``PROVIDER/MODEL``.
        cases: Whom it will play; see :func:`~bedside.chat.privacy.keep_local`.
        guided: Whether a model's prompt asks it to stay with the record; only the ablation leaves that out.
        sampling: How a model speaks; by default as in VeriSim's table A5.

    Raises:
        ValueError: There is no such engine or model, or credentialed cases would leave this machine.
    """
    if name == "embedded":
        return EmbeddedPatients()
    from bedside.envs.llm.patient import SAMPLING, LLMPatients

    return LLMPatients(_model("patient", name, cases), sampling or SAMPLING, guided=guided)


def make_orchestrator(name: str, *, cases: Iterable[Licensed] = ()) -> OrchestratorEngine:
    """Build the engine that watches over encounters.

    Args:
        name: ``embedded``, or a language model as ``PROVIDER/MODEL``.
        cases: What it will see; see :func:`~bedside.chat.privacy.keep_local`.

    Raises:
        ValueError: There is no such engine or model, or credentialed cases would leave this machine.
    """
    if name == "embedded":
        return EmbeddedOrchestrators()
    from bedside.envs.llm.orchestrator import LLMOrchestrators

    return LLMOrchestrators(_model("orchestrator", name, cases))


def _model(role: str, name: str, cases: Iterable[Licensed]) -> ChatModel:
    # Imported where used, as are the engines of models: most runs need none.
    from bedside.chat.providers import chat_model

    try:
        model = chat_model(name)
    except ValueError as error:
        raise ValueError(f"{role}: {error}; or embedded") from error
    keep_local(model, cases)
    return model
