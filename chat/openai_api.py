"""Any OpenAI-compatible endpoint: OpenAI itself, a vLLM or llama.cpp server, a gateway.

Base URL and key come from the environment (``OPENAI_BASE_URL``, ``OPENAI_API_KEY``) and are never written anywhere.
"""

import os
import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

import openai
from openai.types.chat import ChatCompletion, ChatCompletionMessageParam

from bedside.chat.model import ChatError, Completion, EmptyAnswerError, Message, Sampling

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
        self._takes_schema = True

    @property
    def local(self) -> bool:
        """True when the endpoint is on this machine."""
        url = self._base_url or os.environ.get("OPENAI_BASE_URL", "")
        return urlsplit(url).hostname in ("localhost", "127.0.0.1", "::1")

    @cached_property
    def _client(self) -> openai.OpenAI:
        if not os.environ.get("OPENAI_API_KEY") and not (self._base_url or os.environ.get("OPENAI_BASE_URL")):
            raise ChatError(f"{self.name}: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server that needs no key")
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
        try:
            answer = self._ask(messages, sampling)
        except openai.OpenAIError as error:
            raise ChatError(f"{self.name}: {type(error).__name__}: {error}") from error
        if not answer.choices:
            raise ChatError(f"{self.name}: the endpoint returned no choice")
        usage = answer.usage
        completion = Completion(
            text=_REASONING.sub("", answer.choices[0].message.content or "").strip(),
            prompt_tokens=usage.prompt_tokens if usage else 0,
            completion_tokens=usage.completion_tokens if usage else 0,
            finish=answer.choices[0].finish_reason or "stop",
        )
        if not completion.text:
            raise EmptyAnswerError(
                f"{self.name}: the endpoint returned empty content ({completion.finish})", completion
            )
        return completion

    def _ask(self, messages: Sequence[Message], sampling: Sampling) -> ChatCompletion:
        if sampling.response_schema is None or not self._takes_schema:
            return self._send(messages, sampling)
        try:
            schema = {"name": "answer", "schema": sampling.response_schema}
            return self._send(messages, sampling, response_format={"type": "json_schema", "json_schema": schema})
        except (openai.BadRequestError, openai.UnprocessableEntityError):
            # Many servers know no schemas and say so in words of their own. If it is something else, it is told now.
            answer = self._send(messages, sampling)
            self._takes_schema = False
            return answer

    def _send(self, messages: Sequence[Message], sampling: Sampling, **extra: Any) -> ChatCompletion:
        sent: list[ChatCompletionMessageParam] = [m.model_dump() for m in messages]  # type: ignore[misc]
        answer: ChatCompletion = self._client.chat.completions.create(
            model=self._model,
            messages=sent,
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            max_tokens=sampling.max_tokens,
            seed=sampling.seed,
            **extra,
        )
        return answer
