"""The diagnostic interview: question a patient and name the diagnosis (VeriSim)."""

from collections.abc import Sequence
from typing import Any

from rapidfuzz import fuzz

from bedside.cases.case import Case
from bedside.cases.persona import Persona
from bedside.envs.audible import closes
from bedside.envs.briefing import diagnosis_briefing
from bedside.envs.commitment import committed_diagnosis
from bedside.envs.encounter import Encounter
from bedside.envs.engines import EmbeddedPatients
from bedside.envs.episode import StopReason, Turn
from bedside.envs.intents import Intent
from bedside.envs.orchestrator import SAME, Observed
from bedside.envs.patient import Patient, PatientEngine
from bedside.envs.understanding import understand
from bedside.verifier.grounding import GroundedCase

__all__ = ["DiagnosisEnv"]

_SMALL_TALK = ("greeting", "closing")


class DiagnosisEnv(Encounter):
    """Question a patient and commit to one diagnosis.

    ## Description
    The patient answers in its own words what it is asked, and nothing else, as its record and its communication noise
    allow. Every answer was checked against the record before it is shown.

    ## Action Space
    Text of at most 65,536 characters. "Final Diagnosis: NAME" ends the interview.

    ## Observation Space
    ``Dict(briefing, patient, request)`` of text: the task and the patient's age and sex; the patient's last words;
    ``ask``, at the last turn ``diagnose``, and ``done`` at the end.

    ## Starting State
    The patient has said what brings them. Case, persona and noise follow from the seed or from ``options``.

    ## Rewards
    Injected; see ``bedside.rewards``.

    ## Episode End
    Terminated when the doctor commits to a diagnosis (``diagnosed``), takes leave without one (``closed_early``), or
    the interview stalls or derails; truncated at ``max_turns``.

    ## Arguments
    ``cases``, ``persona``, ``noise``, ``reward``, ``verifier``, ``max_turns`` (40, VeriSim's table A5),
    ``patient`` (embedded), and of the embedded patient ``disfluency`` (1.0; 0 for fluent speech).

    ## Version History
    v0: first version.
    """

    env_id = "bedside/Diagnosis-v0"
    scope = "interview"
    first_request = "ask"

    def __init__(
        self, cases: Sequence[Case], *, patient: PatientEngine | None = None, disfluency: float = 1.0, **kwargs: Any
    ) -> None:
        super().__init__(cases, patient=patient or EmbeddedPatients(disfluency=disfluency), **kwargs)

    def _meet(self, grounded: GroundedCase, persona: Persona, seed: int) -> Patient:
        return self.patient.for_interview(grounded, persona, seed)

    def _brief(self, case: Case) -> str:
        return diagnosis_briefing(case)

    def _request(self) -> str:
        return "diagnose" if len(self.episode.turns) >= self.max_turns - 1 else self.first_request

    def _conclude(self, turn: Turn) -> tuple[StopReason | None, str]:
        asked = len(self.episode.turns) >= self.max_turns
        heard = turn.heard
        if name := committed_diagnosis(heard, asked=asked):
            self._episode = self.episode.model_copy(update={"diagnosis": name})
            return StopReason.DIAGNOSED, "the doctor commits to a diagnosis"
        return self._overseer.judge(
            Observed(
                heard=heard,
                progress=self._is_new(heard),
                medical=bool(self._wanted(heard)),
                closing=closes(heard),
                said=turn.patient,
            )
        )

    def _wanted(self, heard: str) -> list[Intent]:
        """What of a doctor's words has to do with the interview; small talk has nothing."""
        intents = understand(heard, self._grounded)
        return [i for i in intents if i.name not in _SMALL_TALK and (i.name != "other" or i.concept)]

    def _is_new(self, heard: str) -> bool:
        """True for words that were not said before, so that a circle of questions is found out too."""
        earlier = (turn.heard for turn in self.episode.turns[:-1])
        return bool(heard) and all(fuzz.ratio(heard, words) < SAME for words in earlier)
