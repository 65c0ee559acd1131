"""The protocol of a chat model: messages in, text out, usage counted."""

from collections.abc import Sequence
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict

__all__ = [
    "ChatError",
    "ChatModel",
    "Completion",
    "EmptyAnswerError",
    "Message",
    "RefusalError",
    "RejectedError",
    "Sampling",
    "UnreachableError",
]


class Message(BaseModel):
    """One message of a chat, in the form that every provider understands."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: Literal["system", "user", "assistant"]
    content: str


class Sampling(BaseModel):
    """How to sample.

    Attributes:
        temperature: 0.3 for doctors, 0.7 for patients, 0 for judges (VeriSim, table A5).
        max_tokens: Limit of the completion.
        seed: Passed on where the provider takes one.
        response_schema: A JSON schema that the answer should follow, passed on where the provider can enforce one. A
            hint and no promise: whoever asks still has to read the answer with care.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: float = 0.3
    top_p: float = 0.95
    max_tokens: int = 256
    seed: int | None = None
    response_schema: dict[str, Any] | None = None


class Completion(BaseModel):
    """What came back.

    Attributes:
        text: The answer without the model's reasoning.
        finish: ``stop``, or ``length`` when the limit of tokens cut it off.
        latency_s: From the question to the answer, waits before further tries included; 0 from the cache.
        cost: In the currency of the price table; 0 without one.
        faults: What went wrong before the answer came, one word a try.
    """

    model_config = ConfigDict(frozen=True)

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    finish: str = "stop"
    latency_s: float = 0.0
    cost: float = 0.0
    faults: tuple[str, ...] = ()


class ChatError(RuntimeError):
    """A model that could not be made to answer; the encounter ends as FAULT and can be resumed.

    Attributes:
        faults: What went wrong, one word a try.
    """

    def __init__(self, message: str, faults: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.faults = tuple(faults)


class UnreachableError(ChatError):
    """An endpoint that timed out, broke off, was overloaded or spoke nonsense, over and over."""


class RejectedError(ChatError):
    """An endpoint that will not take the request: no such model, no permission, no quota, too long."""


class EmptyAnswerError(ChatError):
    """A model that answered without a word, or spent its whole budget on reasoning.

    Nothing is broken, so whoever needs a certain form of answer may ask again; all others see a :class:`ChatError`.

    Attributes:
        completion: What was used up all the same.
    """

    def __init__(self, message: str, completion: Completion | None = None) -> None:
        self.completion = completion or Completion(text="")
        super().__init__(message, self.completion.faults)


class RefusalError(EmptyAnswerError):
    """A model, or the filter before it, that declined to answer."""


class ChatModel(Protocol):
    """A language model; one object serves any number of threads at once.

    Attributes:
        name: ``provider/model``.
        local: True when nothing that is sent leaves this machine.
    """

    name: str

    @property
    def local(self) -> bool:
        """See above."""

    def complete(self, messages: Sequence[Message], sampling: Sampling) -> Completion:
        """Answer a chat.

        Raises:
            ChatError: No usable answer after bounded retries.
        """

    async def acomplete(self, messages: Sequence[Message], sampling: Sampling) -> Completion:
        """Answer a chat without blocking the event loop; otherwise like :meth:`complete`."""
