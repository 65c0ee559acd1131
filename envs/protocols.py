"""The protocols of the three papers: the two encounters with each paper's rules and defaults."""

from collections.abc import Sequence
from typing import Any

from bedside.cases.case import Case
from bedside.cases.fact import Topic
from bedside.cases.persona import Persona
from bedside.envs.diagnosis import DiagnosisEnv
from bedside.envs.discharge import DischargeEnv
from bedside.envs.episode import StopReason, Turn
from bedside.envs.patient import DischargePatient
from bedside.envs.stages import STAGES, Stage, moves_on, request_for
from bedside.verifier.grounding import GroundedCase

__all__ = ["DischargeBenchEnv", "DischargeSimEnv", "VeriSimEnv"]

_ROOM = 120
"""Turns after which an open-ended talk is cut off; well above the longest that ends by itself."""

_STAGED = (
    "The talk has stages, in this order: {stages}. Each has at most 5 turns, except medicines, which has no limit. The "
    "request says which stage is on; go on to the next one by teaching it or by saying so."
)


class DischargeSimEnv(DischargeEnv):
    """Teach a discharge plan in six ordered stages, then write the summary and the checklist (DischargeSim).

    ## Description
    The educator goes through return signs, medicines, diagnosis, care at home, hospital stay and follow-up with a
    patient of some education, health literacy and emotional state (section 2.3 of the paper). After the talk it hands
    in a personal summary and a structured checklist, and the patient sits its exam twice: after the talk and, in a
    second condition, after reading the summary only.

    ## Action Space
    Text of at most 65,536 characters. Reasoning blocks, tool markup and control tokens are not heard.

    ## Observation Space
    ``Dict(briefing, patient, request)`` of text: the stages, the task, plan and note; the patient's last words;
    ``stage 2 of 6: medicines`` and so on while the talk lasts, then ``summary``, ``checklist`` and ``done``.

    ## Starting State
    The patient has said an opening sentence; the first stage is on. A topic that the plan says nothing about has no
    stage. Case and persona follow from the seed or from ``options``.

    ## Rewards
    Injected; see ``bedside.rewards``. Step rewards are differences of a potential and sum to the final reward.

    ## Episode End
    A stage ends when the educator teaches the next one or says that it is due, and after 5 turns; that of medicines has
    no cap. Once the last has ended the documents are due, and then it is over: ``complete`` when every topic was
    spoken of, else truncated with ``turn_limit``. Otherwise as in ``bedside/Discharge-v0``.

    ## Arguments
    As of ``bedside/Discharge-v0``, with ``persona="dischargesim:random"`` and ``documents=True`` by default.

    ## Version History
    v0: first version.
    """

    env_id = "bedside/DischargeSim-v0"

    def __init__(
        self, cases: Sequence[Case], *, persona: str = "dischargesim:random", documents: bool = True, **kwargs: Any
    ) -> None:
        super().__init__(cases, persona=persona, documents=documents, **kwargs)

    def _meet(self, grounded: GroundedCase, persona: Persona, seed: int) -> DischargePatient:
        taught = {item.topic for item in grounded.case.plan_items.values()}
        self._stages: tuple[Stage, ...] = tuple(stage for stage in STAGES if stage.topic in taught)
        self._stage, self._turns_in_stage = 0, 0
        return super()._meet(grounded, persona, seed)

    def _brief(self, case: Case) -> str:
        stages = ", ".join(stage.title for stage in self._stages)
        return f"{_STAGED.format(stages=stages)}\n\n{super()._brief(case)}"

    def _request(self) -> str:
        if self._due:
            return super()._request()
        return request_for(self._stages[self._stage], self._stage + 1, len(self._stages))

    def _conclude(self, turn: Turn) -> tuple[StopReason | None, str]:
        stop, remark = super()._conclude(turn)
        if stop is not None:
            return stop, remark
        self._advance(turn)
        if self._stage < len(self._stages):
            return None, remark
        return StopReason.TURN_LIMIT if self._untouched() else StopReason.COMPLETE, "the last stage is over"

    def _advance(self, turn: Turn) -> None:
        """Count a turn for the stage that it belongs to, and go on to the next when the stage has ended with it."""
        here = self._stages[self._stage]
        taught = self._topics_taught()
        self._turns_in_stage += 1
        later = self._next_taught(taught) if here.topic not in taught else None
        capped = here.most_turns is not None and self._turns_in_stage >= here.most_turns
        if later is not None:
            self._stage, self._turns_in_stage = later, 1  # the turn is the first of that stage
        elif capped or (here.topic not in taught and moves_on(turn.heard)):
            self._stage, self._turns_in_stage = self._stage + 1, 0

    def _topics_taught(self) -> set[Topic]:
        """Topics of what was said for the first time; a correction of what was taught before moves nothing."""
        traces, items = self._patient.mind.traces, self.case.plan_items
        return {items[item].topic for item in self._patient.reading.conveyed if traces[item].exposures == 1}

    def _next_taught(self, taught: set[Topic]) -> int | None:
        """The stage that the educator has gone on to; none is passed over unless the one before it was held."""
        held = self._stages[self._stage].topic.value not in self._untouched()
        ahead = range(self._stage + 1, len(self._stages) if held else min(self._stage + 2, len(self._stages)))
        return next((n for n in ahead if self._stages[n].topic in taught), None)


class DischargeBenchEnv(DischargeEnv):
    """Teach a discharge plan in an open-ended talk that the orchestrator ends (DischargeBench).

    ## Description
    Educator and patient talk for as long as it is of use. The patient's personality, education, literacy and recall
    are drawn as in table 1 of the paper. The orchestrator judges every turn (figure 2): it ends a talk that is
    complete, stalled, derailed or abandoned, and nothing else does.

    ## Action Space
    Text of at most 65,536 characters. Reasoning blocks, tool markup and control tokens are not heard.

    ## Observation Space
    ``Dict(briefing, patient, request)`` of text: the task, plan and note; the patient's last words; ``talk``, and
    ``done`` at the end. ``info["orchestrator"]`` is its verdict on the turn: ``continue``, ``intervene`` (why is in
    ``info["oversight"]``) or ``end``.

    ## Starting State
    The patient has said an opening sentence. Case and persona follow from the seed or from ``options``.

    ## Rewards
    Injected; see ``bedside.rewards``. Step rewards are differences of a potential and sum to the final reward.

    ## Episode End
    Terminated as in ``bedside/Discharge-v0``; truncated only after 120 turns, which no talk should reach.

    ## Arguments
    As of ``bedside/Discharge-v0``, with ``persona="dischargebench:random"`` and ``max_turns=120`` by default.

    ## Version History
    v0: first version.
    """

    env_id = "bedside/DischargeBench-v0"

    def __init__(
        self, cases: Sequence[Case], *, persona: str = "dischargebench:random", max_turns: int = _ROOM, **kwargs: Any
    ) -> None:
        super().__init__(cases, persona=persona, max_turns=max_turns, **kwargs)


class VeriSimEnv(DiagnosisEnv):
    """Diagnose a patient who speaks under two pillars of noise, in at most 40 turns (VeriSim).

    ## Description
    The doctor questions a patient whose record is fixed and whose speech is bent by two of six pillars of noise at
    levels 1 to 3, drawn anew for every episode. Every answer was checked against the record before it is shown.

    ## Action Space
    Text of at most 65,536 characters. "Final Diagnosis: NAME" ends the interview.

    ## Observation Space
    ``Dict(briefing, patient, request)`` of text: the task and the patient's age and sex; the patient's last words;
    ``ask``, at the last turn ``diagnose``, and ``done`` at the end.

    ## Starting State
    The patient has greeted the doctor. Case, persona and noise follow from the seed or from ``options``.

    ## Rewards
    Injected; see ``bedside.rewards``.

    ## Episode End
    As in ``bedside/Diagnosis-v0``; truncated after 40 turns (table A5).

    ## Arguments
    As of ``bedside/Diagnosis-v0``, with ``noise="random"`` by default.

    ## Version History
    v0: first version.
    """

    env_id = "bedside/VeriSim-v0"

    def __init__(self, cases: Sequence[Case], *, noise: str = "random", **kwargs: Any) -> None:
        super().__init__(cases, noise=noise, **kwargs)
