"""The chat completions format, which servers far away and libraries in this process speak alike."""

from collections.abc import Sequence
from typing import Any

import orjson
from pydantic import BaseModel

from bedside.chat.model import Message, Sampling
from bedside.chat.reasoning import strip_reasoning

__all__ = ["Answer", "error_message", "request_body"]


class _Spoken(BaseModel):
    content: str | list[dict[str, Any]] | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Spoken
    finish_reason: str | None = None


class _Used(BaseModel):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Answer(BaseModel):
    """What is needed of a chat completion."""

    choices: list[_Choice]
    usage: _Used | None = None

    @property
    def refused(self) -> bool:
        """True if the model, or a filter, declined."""
        return bool(self.choices[0].message.refusal) or self.finish == "content_filter"

    @property
    def text(self) -> str:
        """What was said, without reasoning; empty if it was refused."""
        content = self.choices[0].message.content
        if isinstance(content, list):
            content = "".join(str(part.get("text", "")) for part in content)
        return "" if self.refused else strip_reasoning(content or "").strip()

    @property
    def finish(self) -> str:
        """Why it ended there."""
        return self.choices[0].finish_reason or "stop"

    @property
    def prompt_tokens(self) -> int:
        """As the server counts."""
        return self.usage.prompt_tokens if self.usage else 0

    @property
    def completion_tokens(self) -> int:
        """As the server counts, reasoning included."""
        return self.usage.completion_tokens if self.usage else 0


def request_body(model: str, messages: Sequence[Message], sampling: Sampling) -> dict[str, Any]:
    """Return a request as the API defines it."""
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": m.role, "content": m.content} for m in messages],
        "max_tokens": sampling.max_tokens,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
    }
    if sampling.seed is not None:
        body["seed"] = sampling.seed
    if sampling.response_schema is not None:
        schema = {"name": "answer", "schema": sampling.response_schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body


def error_message(body: bytes) -> str:
    """Find the words in an error, whose form no two servers share."""
    try:
        told = orjson.loads(body)
    except orjson.JSONDecodeError:
        return body[:1000].decode("utf-8", "replace")
    if not isinstance(told, dict):
        return str(told)
    inner = told.get("error", told)
    message = inner.get("message") if isinstance(inner, dict) else inner
    return str(message or told.get("detail") or told)
