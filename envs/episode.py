"""The record of an encounter, complete enough that every score can be computed again from it.

An episode is data: nothing here runs. It holds what was said and heard, every rejected attempt, who decided what and
why it ended. Wall-clock times are kept out, so that the same seed gives the same bytes.
"""

from enum import StrEnum
from typing import Literal, Self

import orjson

from bedside.cases.fact import Frozen
from bedside.cases.persona import Persona
from bedside.verifier.grounding import Scope
from bedside.verifier.verdict import Verdict

__all__ = ["Answer", "Attempt", "Episode", "Recollection", "Repair", "StopReason", "Turn", "Usage"]

Option = Literal["answer", "distractor", "irrelevant"]
Repair = Literal["markup", "other_speaker", "label", "stage_direction", "loop", "cut"]
"""What was taken away from a candidate before it was verified; see :mod:`bedside.envs.delivery`."""


class StopReason(StrEnum):
    """Why an encounter ended."""

    COMPLETE = "complete"
    DIAGNOSED = "diagnosed"
    CLOSED_EARLY = "closed_early"
    STALLED = "stalled"
    DERAILED = "derailed"
    WALKED_OUT = "walked_out"
    TURN_LIMIT = "turn_limit"
    TOKEN_LIMIT = "token_limit"  # noqa: S105  # tokens of a language model
    FAULT = "fault"

    @property
    def truncated(self) -> bool:
        """True when the encounter was cut off from outside rather than ended by those in it."""
        return self in (StopReason.TURN_LIMIT, StopReason.TOKEN_LIMIT, StopReason.FAULT)


class Attempt(Frozen):
    """Something the patient generator said that the verifier did not let through."""

    text: str
    verdict: Verdict


class Turn(Frozen):
    """The clinician speaks, the patient answers.

    Attributes:
        clinician: The action as the policy gave it.
        heard: What of it the patient could hear; reasoning and markup are gone.
        patient: The verified answer.
        verdict: The verdict on that answer.
        rejected: Earlier attempts at it, in order.
        repairs: What was taken away from the generated answer before it was verified.
        fallback: True when all attempts failed and the conservative answer stands.
        oversight: The orchestrator's remark on this turn; empty when all is well.
    """

    clinician: str
    heard: str
    patient: str
    verdict: Verdict
    rejected: tuple[Attempt, ...] = ()
    repairs: tuple[Repair, ...] = ()
    fallback: bool = False
    oversight: str = ""


class Answer(Frozen):
    """The patient's choice for one exam question.

    Attributes:
        order: The options as they were shown.
        chosen: What was picked; None if no answer could be had.
    """

    question: str
    order: tuple[Option, Option, Option]
    chosen: Option | None


class Recollection(Frozen):
    """The patient's free answer to one of the six recall questions (DischargeBench, table 6)."""

    area: str
    text: str


class Usage(Frozen):
    """What language models were asked for; zero for the embedded engine."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0

    def __add__(self, other: "Usage") -> "Usage":
        return self._combined(other, 1)

    def __sub__(self, other: "Usage") -> "Usage":
        return self._combined(other, -1)

    def _combined(self, other: "Usage", sign: int) -> "Usage":
        return Usage(
            calls=self.calls + sign * other.calls,
            prompt_tokens=self.prompt_tokens + sign * other.prompt_tokens,
            completion_tokens=self.completion_tokens + sign * other.completion_tokens,
            cost=self.cost + sign * other.cost,
        )


class Episode(Frozen):
    """One encounter from the first word to the last answer.

    Attributes:
        env: Registered id, with version.
        scope: Which of the two encounters it was; it decides what can be scored.
        run: Number of the repetition; part of the seed.
        opening: What the patient said before the clinician's first turn.
        exam_before: The exam of the untaught patient, ``exam`` the same after the talk (condition "dialogue"),
            ``exam_summary`` after reading only the clinician's summary (condition "summary").
        recall_before: The six recall answers of the untaught patient, ``recall`` after the talk.
        diagnosis: The clinician's committed answer in an interview.
        fault: What broke, when ``stop`` is FAULT; the encounter is then unscored.
    """

    env: str
    scope: Scope = "discharge"
    case: str
    persona: Persona
    policy: str
    seed: int
    run: int = 0
    opening: str = ""
    turns: tuple[Turn, ...] = ()
    stop: StopReason | None = None
    diagnosis: str | None = None
    summary: str | None = None
    checklist: str | None = None
    exam_before: tuple[Answer, ...] = ()
    exam: tuple[Answer, ...] = ()
    exam_summary: tuple[Answer, ...] = ()
    recall_before: tuple[Recollection, ...] = ()
    recall: tuple[Recollection, ...] = ()
    fault: str | None = None
    engines: dict[str, str] = {}
    usage: Usage = Usage()
    version: str = ""

    @property
    def dialogue(self) -> str:
        """What was said and heard, as text, a line a speaker."""
        lines = [f"PATIENT: {self.opening}"]
        for turn in self.turns:
            lines += [f"CLINICIAN: {turn.heard}", f"PATIENT: {turn.patient}"]
        return "\n".join(lines)

    def to_json(self) -> bytes:
        """Return one line of JSON; equal episodes give equal bytes."""
        return orjson.dumps(self.model_dump(mode="json"), option=orjson.OPT_SORT_KEYS)

    @classmethod
    def from_json(cls, line: bytes | str) -> Self:
        """Read a line that :meth:`to_json` wrote.

        Raises:
            pydantic.ValidationError: The line is not an episode.
        """
        return cls.model_validate_json(line)
