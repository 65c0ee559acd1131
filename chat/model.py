"""The protocol of a chat model: messages in, text out, usage counted."""

from collections.abc import Sequence
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict

__all__ = ["ChatError", "ChatModel", "Completion", "EmptyAnswerError", "Message", "Sampling"]


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
    """What came back."""

    model_config = ConfigDict(frozen=True)

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    finish: str = "stop"


class ChatError(RuntimeError):
    """A model that could not be made to answer; the encounter ends as FAULT and can be resumed."""


class EmptyAnswerError(ChatError):
    """A model that answered without a word: a refusal, a filter, or a budget spent on reasoning alone.

    Nothing is broken, so whoever needs a certain form of answer may ask again; all others see a :class:`ChatError`.

    Attributes:
        completion: What was used up all the same.
    """

    def __init__(self, message: str, completion: Completion | None = None) -> None:
        super().__init__(message)
        self.completion = completion or Completion(text="")


class ChatModel(Protocol):
    """A language model.

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
