"""Many threads ask one at a time, one thread answers many at once: what a model in this process needs to be fast."""

import asyncio
import queue
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import Future
from typing import NamedTuple

from bedside.chat.model import ChatError, Completion, Message, Sampling

__all__ = ["BatchedModel", "Question"]

# How long a question waits for others to be answered together with it.
_GATHER_S = 0.02


class Question(NamedTuple):
    """One call."""

    messages: Sequence[Message]
    sampling: Sampling


class BatchedModel(ABC):
    """A model that answers questions by the batch.

    Args:
        name: ``provider/model``.
        batch: Most questions answered at once.
    """

    local = True

    def __init__(self, name: str, batch: int) -> None:
        self.name = name
        self._batch = batch
        self._waiting: queue.SimpleQueue[tuple[Question, Future[Completion]]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    @abstractmethod
    def answer_all(self, questions: Sequence[Question]) -> Sequence[Completion | ChatError]:
        """Answer a batch, in order; always called in the same thread.

        An error in the place of an answer concerns that question alone, an exception all of them.
        """

    def complete(self, messages: Sequence[Message], sampling: Sampling) -> Completion:
        """Answer a chat; see :class:`~bedside.chat.model.ChatModel`."""
        began = time.monotonic()
        completion = self._submit(Question(messages, sampling)).result()
        return completion.model_copy(update={"latency_s": time.monotonic() - began})

    async def acomplete(self, messages: Sequence[Message], sampling: Sampling) -> Completion:
        """Answer a chat; see :class:`~bedside.chat.model.ChatModel`."""
        began = time.monotonic()
        completion = await asyncio.wrap_future(self._submit(Question(messages, sampling)))
        return completion.model_copy(update={"latency_s": time.monotonic() - began})

    def _submit(self, question: Question) -> "Future[Completion]":
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name=f"{self.name} batches", daemon=True)
                self._thread.start()
        future: Future[Completion] = Future()
        self._waiting.put((question, future))
        return future

    def _work(self) -> None:
        while True:
            batch = self._gather()
            try:
                replies = self.answer_all([question for question, _ in batch])
            except Exception as error:
                replies = [self._described(error)] * len(batch)
            for (_, future), reply in zip(batch, replies, strict=True):
                if isinstance(reply, ChatError):
                    future.set_exception(reply)
                else:
                    future.set_result(reply)

    def _gather(self) -> list[tuple[Question, "Future[Completion]"]]:
        batch = [self._waiting.get()]
        while len(batch) < self._batch:
            try:
                batch.append(self._waiting.get(timeout=_GATHER_S))
            except queue.Empty:
                break
        return [(question, future) for question, future in batch if future.set_running_or_notify_cancel()]

    def _described(self, error: Exception) -> ChatError:
        if isinstance(error, ChatError):
            return error
        return ChatError(f"{self.name}: {type(error).__name__}: {' '.join(str(error).split())}")
