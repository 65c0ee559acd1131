"""A chat model that says what it was told to say: for examples, tests and fault injection."""

import threading
from collections.abc import Callable, Iterable, Sequence

from bedside.chat.model import ChatError, Completion, Message, Sampling

__all__ = ["ScriptedModel"]


class ScriptedModel:
    """Answers from a list, in order, or from a function of the messages."""

    name = "scripted"
    local = True

    def __init__(self, answers: Iterable[str] | Callable[[Sequence[Message]], str]) -> None:
        self._answers = answers if callable(answers) else iter(answers)
        self._turn = threading.Lock()

    def complete(self, messages: Sequence[Message], sampling: Sampling) -> Completion:  # noqa: ARG002
        """Return the next answer.

        Raises:
            ChatError: The script has run out.
        """
        if callable(self._answers):
            text = self._answers(messages)
        else:
            with self._turn:
                found = next(self._answers, None)
            if found is None:
                raise ChatError("the script of the scripted model has run out")
            text = found
        return Completion(
            text=text,
            prompt_tokens=sum(len(m.content.split()) for m in messages),
            completion_tokens=len(text.split()),
        )

    async def acomplete(self, messages: Sequence[Message], sampling: Sampling) -> Completion:
        """Return the next answer, as :meth:`complete` does."""
        return self.complete(messages, sampling)
