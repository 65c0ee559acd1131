"""A chat model watches over the talk (DischargeBench, figure 2): a verdict on every turn, and a word to the patient.

It may end a talk that counting would let go on, and it sees when a patient falls out of its role. What counting ends
stays ended, so no talk goes on for ever; and one odd ruling ends nothing: an end needs a second ruling that agrees, or,
for a complete talk, that every topic has come up. Where no ruling can be read, counting alone decides.
"""

from typing import Literal

from pydantic import BaseModel, Field

from bedside.cases.seeds import derive_seed
from bedside.chat.delimited import check_key, data_block, request_key
from bedside.chat.model import ChatModel, Message, Sampling
from bedside.chat.privacy import keep_local
from bedside.chat.structured import Tally, ask
from bedside.envs.episode import StopReason
from bedside.envs.llm.actor import prompt
from bedside.envs.orchestrator import UNREAL, Observed, Orchestrator
from bedside.verifier.grounding import GroundedCase

__all__ = ["LLMOrchestrator", "LLMOrchestrators"]

_SAMPLING = Sampling(temperature=0.0, max_tokens=256)
_RETRIES = 1
_SHOWN_TURNS = 8
_STOPS = {
    "complete": StopReason.COMPLETE,
    "stalled": StopReason.STALLED,
    "derailed": StopReason.DERAILED,
    "walked_out": StopReason.WALKED_OUT,
}


class Ruling(BaseModel):
    """The answer on one turn; the remark comes first because a model reasons as it writes."""

    key: str
    remark: str = Field(max_length=300)
    realism: Literal["real", "unreal"]
    verdict: Literal["continue", "complete", "stalled", "derailed", "walked_out"]


class LLMOrchestrators:
    """The overseers of one model.

    Attributes:
        name: ``llm:`` and the model's name.
        usage: What the model was asked for so far, by all overseers.
        unreadable: On how many turns no ruling could be read.
    """

    def __init__(self, model: ChatModel) -> None:
        self.name = f"llm:{model.name}"
        self.usage = Tally()
        self.unreadable = 0
        self._model = model

    def for_encounter(self, grounded: GroundedCase, seed: int) -> "LLMOrchestrator":
        """Return the overseer of one encounter.

        Raises:
            ValueError: The case is credentialed and the model is not on this machine.
        """
        keep_local(self._model, (grounded.case,))
        return LLMOrchestrator(self, grounded, seed)

    def rule(self, messages: list[Message], key: str, seed: int) -> Ruling | None:
        """Return the model's ruling, None if there was none to be read.

        Raises:
            ChatError: The model could not be reached.
        """
        sampling = _SAMPLING.model_copy(update={"seed": seed})
        ruling, completions = ask(
            self._model, messages, Ruling, sampling, _RETRIES, lambda answer: check_key(answer.key, key)
        )
        self.usage.add(completions)
        self.unreadable += ruling is None
        return ruling


class LLMOrchestrator:
    """Watches over one encounter."""

    def __init__(self, engine: LLMOrchestrators, grounded: GroundedCase, seed: int) -> None:
        self._engine, self._seed = engine, seed
        self._kind = grounded.scope
        topics = (item.topic.value for item in grounded.case.plan_items.values())
        self._topics = list(dict.fromkeys(topics)) if grounded.scope == "discharge" else []
        self._counting = Orchestrator()
        self._turns: list[dict[str, str]] = []
        self._last: str = "continue"

    def judge(self, turn: Observed) -> tuple[StopReason | None, str]:
        """Judge a turn; see :class:`~bedside.envs.orchestrator.Overseer`.

        Raises:
            ChatError: The model could not be reached.
        """
        counted = self._counting.judge(turn)
        self._turns.append({"clinician": turn.heard, "patient": turn.said})
        ruling = self._rule(turn)
        if ruling is None or counted[0] is not None:
            return counted
        agreed = ruling.verdict == self._last or (ruling.verdict == "complete" and turn.complete)
        self._last = ruling.verdict
        remark = " ".join(ruling.remark.split())
        if ruling.verdict in _STOPS and agreed:
            return _STOPS[ruling.verdict], remark or counted[1] or f"the talk is {ruling.verdict.replace('_', ' ')}"
        return None, f"{UNREAL}{remark}" if ruling.realism == "unreal" else counted[1]

    def _rule(self, turn: Observed) -> Ruling | None:
        number = len(self._turns)
        shown = self._turns[-_SHOWN_TURNS:]
        key = request_key("orchestrator", str(self._seed), str(number), repr(shown))
        data = {
            "key": key,
            "kind": self._kind,
            "topics": self._topics,
            "untouched": list(turn.untouched),
            "turn": number,
            "turns": shown,
        }
        messages = [
            Message(role="system", content=prompt("orchestrator")),
            Message(role="user", content=data_block(data)),
        ]
        return self._engine.rule(messages, key, derive_seed(self._seed, "orchestrator", number) % 2**31)
