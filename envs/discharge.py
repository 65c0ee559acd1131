"""The discharge encounter: teach a patient their plan (DischargeSim, DischargeBench)."""

from collections.abc import Callable, Sequence
from typing import Any

from bedside.cases.case import Case
from bedside.cases.persona import Persona
from bedside.envs.audible import closes
from bedside.envs.briefing import compact_briefing, discharge_briefing
from bedside.envs.checklist import read_checklist
from bedside.envs.encounter import Encounter
from bedside.envs.engines import EmbeddedPatients
from bedside.envs.episode import Episode, StopReason, Turn
from bedside.envs.mind import LEARNING, Learning
from bedside.envs.orchestrator import Observed
from bedside.envs.patient import DischargePatient, PatientEngine
from bedside.verifier.grounding import GroundedCase

__all__ = ["DischargeEnv"]

BRIEFINGS: dict[str, Callable[[Case], str]] = {"full": discharge_briefing, "compact": compact_briefing}
"""What an educator can be told: everything, or only what the Topic Checklist asks of it."""

_TRUST_LOST = 0.05


class DischargeEnv(Encounter):
    """Teach a patient what they must know when they leave hospital.

    ## Description
    The clinician sees the whole discharge note and plan and talks with a patient of a given persona. The patient
    learns what is said plainly, in small portions and checked by teach-back, asks about what it did not understand,
    and forgets. Afterwards it sits the comprehension exam and six free-recall questions, as it did before the talk.

    ## Action Space
    Text of at most 65,536 characters. Reasoning blocks, tool markup and control tokens are not heard.

    ## Observation Space
    ``Dict(briefing, patient, request)`` of text: the task with plan and note; the patient's last words; ``talk``, or,
    with ``documents=True`` after the talk, ``summary`` and then ``checklist``; ``done`` at the end. The checklist is
    JSON (``docs/checklist.schema.json``); one that cannot be read is asked for once more, ``patient`` telling why.

    ## Starting State
    The patient has said an opening sentence. Case and persona follow from the seed or from ``options``.

    ## Rewards
    Injected; see ``bedside.rewards``. Step rewards are differences of a potential and sum to the final reward.

    ## Episode End
    Terminated when the clinician takes leave (``complete`` or ``closed_early``), when nothing new has been said for
    six turns (``stalled``), when the talk has left the subject (``derailed``) or the patient walks out; truncated at
    ``max_turns``.

    ## Arguments
    ``cases``, ``persona``, ``noise``, ``reward``, ``verifier``, ``max_turns`` (40), ``documents`` (False),
    ``briefing`` (``full``; ``compact`` is for small models), ``patient`` (embedded), and of the embedded patient
    ``learning`` (the parameters of its memory) and ``disfluency`` (1.0; 0 for fluent speech).

    ## Version History
    v0: first version.
    """

    env_id = "bedside/Discharge-v0"
    scope = "discharge"
    first_request = "talk"
    _patient: DischargePatient

    def __init__(
        self,
        cases: Sequence[Case],
        *,
        documents: bool = False,
        patient: PatientEngine | None = None,
        briefing: str = "full",
        learning: Learning = LEARNING,
        disfluency: float = 1.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(cases, patient=patient or EmbeddedPatients(learning, disfluency), **kwargs)
        if briefing not in BRIEFINGS:
            raise ValueError(f"unknown briefing {briefing!r}; there are {', '.join(BRIEFINGS)}")
        self._briefed = BRIEFINGS[briefing]
        lacking = next((case.id for case in self.cases if not case.plan), None)
        if lacking is not None:
            raise ValueError(f"case {lacking!r} has no discharge plan; use cases with a plan, or bedside/Diagnosis-v0")
        self._documents = documents
        self._due: list[str] = []
        self._problem = ""

    def _meet(self, grounded: GroundedCase, persona: Persona, seed: int) -> DischargePatient:
        self._due = []
        self._problem, self._asked_again = "", False
        self._talked: StopReason | None = None
        return self.patient.for_discharge(grounded, persona, seed)

    def _brief(self, case: Case) -> str:
        return self._briefed(case)

    def _begin(self, episode: Episode) -> Episode:
        return episode.model_copy(
            update={"exam_before": self._patient.examine(), "recall_before": self._patient.recollect()}
        )

    def _request(self) -> str:
        return self._due[0] if self._due else self.first_request

    def _exchange(self, action: str) -> tuple[str, StopReason | None]:
        if self._due:
            return self._hand_in(action)
        said, stop = super()._exchange(action)
        if stop is not None and self._documents and stop is not StopReason.FAULT:
            self._talked, self._due = stop, ["summary", "checklist"]
            return said, None
        return said, stop

    def _hand_in(self, document: str) -> tuple[str, StopReason | None]:
        """Take a document; a checklist that cannot be read is asked for once more, with what is wrong with it."""
        name = self._due[0]
        self._episode = self.episode.model_copy(update={name: document})
        self._problem = _problem_of(document) if name == "checklist" else ""
        if self._problem and not self._asked_again:
            self._asked_again = True
            return f"(The checklist cannot be read. {self._problem} Write it again, as one JSON object.)", None
        self._due.pop(0)
        return "", None if self._due else self._talked

    def _info(self) -> dict[str, Any]:
        return super()._info() | ({"document_problem": self._problem} if self._problem else {})

    def _conclude(self, turn: Turn) -> tuple[StopReason | None, str]:
        patient, mind = self._patient, self._patient.mind
        reading = patient.reading
        fresh = any(mind.traces[item].exposures == 1 for item in reading.conveyed)
        engaged = patient.engaged
        untouched = self._untouched()
        return self._overseer.judge(
            Observed(
                heard=turn.heard,
                progress=fresh or engaged,
                medical=engaged or bool(reading.events) or patient.on_subject(turn.heard),
                leaves=mind.trust <= _TRUST_LOST,
                closing=closes(turn.heard),
                wants_more=patient.wants_more,
                complete=not untouched,
                said=turn.patient,
                untouched=untouched,
            )
        )

    def _untouched(self) -> tuple[str, ...]:
        """Topics of the plan of which nothing was said yet."""
        traces, items = self._patient.mind.traces, self.case.plan_items
        touched = {items[item].topic for item, trace in traces.items() if trace.exposures}
        return tuple(dict.fromkeys(item.topic.value for item in items.values() if item.topic not in touched))

    def _finish(self, episode: Episode) -> Episode:
        update: dict[str, Any] = {"exam": self._patient.examine(), "recall": self._patient.recollect()}
        if episode.summary is not None:
            # DischargeSim's second condition: the same patient knows nothing of the talk and reads the summary.
            reader = self.patient.for_discharge(self._grounded, episode.persona, episode.seed)
            reader.read(episode.summary)
            update["exam_summary"] = reader.examine()
        return episode.model_copy(update=update)


def _problem_of(checklist: str) -> str:
    """Return what keeps a checklist from being read; empty if nothing does."""
    try:
        read_checklist(checklist)
    except ValueError as error:
        return str(error)
    return ""
