"""The orchestrator: watches every turn and decides whether the talk goes on (DischargeBench, figure 2).

It ends a talk that is complete, stalled, derailed or abandoned, and only for what happened in several turns: a single
odd reply, an apology or a word such as "diagnosis" ends nothing.
"""

from dataclasses import dataclass
from typing import Protocol

from rapidfuzz import fuzz

from bedside.envs.episode import StopReason
from bedside.verifier.grounding import GroundedCase

__all__ = ["SAME", "UNREAL", "EmbeddedOrchestrators", "Observed", "Orchestrator", "OrchestratorEngine", "Overseer"]

UNREAL = "unlike a patient: "
"""How a remark begins that a patient played by a model is told before its next line."""

_SILENT_TURNS = 3
_IDLE_TURNS = 6
_LOST_TURNS = 6
SAME = 92.0
"""Similarity (0–100) above which two turns say the same thing."""


@dataclass(frozen=True)
class Observed:
    """What the orchestrator sees of a turn.

    Attributes:
        heard: The clinician's audible words.
        progress: True when something new was taught, asked or found out.
        medical: True when the turn was about the patient's health at all.
        leaves: True when the patient has had enough.
        closing: True when the clinician takes leave.
        wants_more: True when the patient will not let them go yet.
        complete: True when nothing essential is left.
        said: What the patient answered.
        untouched: Topics of the plan of which nothing was said yet.
    """

    heard: str
    progress: bool
    medical: bool
    leaves: bool = False
    closing: bool = False
    wants_more: bool = False
    complete: bool = False
    said: str = ""
    untouched: tuple[str, ...] = ()


class Overseer(Protocol):
    """Whoever watches over one encounter."""

    def judge(self, turn: Observed) -> tuple[StopReason | None, str]:
        """Judge a turn.

        Returns:
            Why the encounter ends, or None, and a remark; the remark is empty when all is well.
        """


class OrchestratorEngine(Protocol):
    """Whatever watches over the encounters of an environment.

    Attributes:
        name: As it stands in the record: ``embedded``, or ``llm:`` and the model.
    """

    name: str

    def for_encounter(self, grounded: GroundedCase, seed: int) -> Overseer:
        """Return a fresh overseer."""


class EmbeddedOrchestrators:
    """Counts and grammar; no model."""

    name = "embedded"

    def for_encounter(self, grounded: GroundedCase, seed: int) -> "Orchestrator":  # noqa: ARG002
        """Return a fresh overseer."""
        return Orchestrator()


class Orchestrator:
    """Counts, over one encounter, what must not go on for long."""

    def __init__(self) -> None:
        self._silent = 0
        self._idle = 0
        self._lost = 0
        self._last = ""
        self._held_back = False

    def judge(self, turn: Observed) -> tuple[StopReason | None, str]:
        """Judge a turn; see :class:`Overseer`."""
        if turn.leaves:
            return StopReason.WALKED_OUT, "the patient walks out"
        if turn.closing:
            if turn.wants_more and not self._held_back:
                self._held_back = True
                return None, "the patient is not ready to end"
            return (StopReason.COMPLETE if turn.complete else StopReason.CLOSED_EARLY), "the clinician takes leave"
        repeated = bool(turn.heard) and fuzz.ratio(turn.heard, self._last) >= SAME
        self._last = turn.heard
        self._silent = 0 if turn.heard else self._silent + 1
        self._idle = 0 if turn.progress and not repeated else self._idle + 1
        self._lost = 0 if turn.medical else self._lost + 1
        if self._silent >= _SILENT_TURNS:
            return StopReason.STALLED, f"nothing said for {self._silent} turns"
        if self._lost >= _LOST_TURNS:
            return StopReason.DERAILED, f"off the subject for {self._lost} turns"
        if self._idle >= _IDLE_TURNS:
            return StopReason.STALLED, f"nothing new for {self._idle} turns"
        if not turn.heard:
            return None, "the clinician said nothing"
        return None, "the clinician repeats themselves" if repeated else ""
