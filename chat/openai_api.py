"""Any OpenAI-compatible endpoint: OpenAI itself, a vLLM or llama.cpp server, a gateway.

Base URL and key come from the environment (``OPENAI_BASE_URL``, ``OPENAI_API_KEY``) and are never written anywhere.
"""

import os
import re
from collections.abc import Sequence
from functools import cached_property
from urllib.parse import urlsplit

import openai
from openai.types.chat import ChatCompletionMessageParam

from bedside.chat.model import ChatError, Completion, Message, Sampling

__all__ = ["OpenAIModel"]

_TIMEOUT_S = 120.0
_RETRIES = 4
_REASONING = re.compile(r"\A.*?</think>|<think>.*?(?:</think>|\Z)", re.DOTALL)


class OpenAIModel:
    """A model behind the chat completions API; rate limits, timeouts and server errors are retried with backoff."""

    def __init__(self, name: str, *, base_url: str | None = None) -> None:
        self.name = f"openai/{name}"
        self._model = name
        self._base_url = base_url

    @property
    def local(self) -> bool:
        """True when the endpoint is on this machine."""
        url = self._base_url or os.environ.get("OPENAI_BASE_URL", "")
        return urlsplit(url).hostname in ("localhost", "127.0.0.1", "::1")

    @cached_property
    def _client(self) -> openai.OpenAI:
        if not os.environ.get("OPENAI_API_KEY") and not (self._base_url or os.environ.get("OPENAI_BASE_URL")):
            raise ChatError(
                f"{self.name}: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server that needs no key"
            )
        return openai.OpenAI(
            api_key=os.environ.get("OPENAI_API_KEY", "none"),
            base_url=self._base_url,
            timeout=_TIMEOUT_S,
            max_retries=_RETRIES,
        )

    def close(self) -> None:
        """Close the connections, if any were opened."""
        if "_client" in self.__dict__:
            self._client.close()

    def __getstate__(self) -> dict[str, object]:
        """Leave the connection behind when a worker process gets a copy."""
        return {k: v for k, v in self.__dict__.items() if k != "_client"}

    def complete(self, messages: Sequence[Message], sampling: Sampling) -> Completion:
        """Answer a chat; see :class:`~bedside.chat.model.ChatModel`."""
        sent: list[ChatCompletionMessageParam] = [m.model_dump() for m in messages]  # type: ignore[misc]
        try:
            answer = self._client.chat.completions.create(
                model=self._model,
                messages=sent,
                temperature=sampling.temperature,
                top_p=sampling.top_p,
                max_tokens=sampling.max_tokens,
                seed=sampling.seed,
            )
        except openai.OpenAIError as error:
            raise ChatError(f"{self.name}: {type(error).__name__}: {error}") from error
        if not answer.choices:
            raise ChatError(f"{self.name}: the endpoint returned no choice")
        text = _REASONING.sub("", answer.choices[0].message.content or "").strip()
        if not text:
            raise ChatError(
                f"{self.name}: the endpoint returned empty content ({answer.choices[0].finish_reason})"
            )
        usage = answer.usage
        return Completion(
            text=text,
            prompt_tokens=usage.prompt_tokens if usage else 0,
            completion_tokens=usage.completion_tokens if usage else 0,
            finish=answer.choices[0].finish_reason or "stop",
        )
