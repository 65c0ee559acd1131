"""What one endpoint or another refuses about an ordinary request, and the request that it takes instead.

Reasoning models know no temperature, some chat templates no system role, many servers no schemas, and each says so in
words of its own. What is learned from a refusal is kept for the model.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bedside.chat.model import Message, Sampling
from bedside.chat.wire import request_body

__all__ = ["Quirk", "adapted_body", "alternating", "learn", "without_system"]


@dataclass(frozen=True, eq=False)
class Quirk:
    """Something that an endpoint will not have.

    Attributes:
        name: What is done about it.
        told: How refusals of it read, in lower case.
    """

    name: str
    told: re.Pattern[str]


def _quirk(name: str, told: str) -> Quirk:
    return Quirk(name, re.compile(told, re.DOTALL))


_NO = r"(?:not support|n't support|unsupported|not permitted|unknown|unrecognized|extra inputs|deprecated)"
_LIMIT = _quirk("max_completion_tokens", r"max_tokens.*max_completion_tokens|" rf"{_NO}.*\bmax_tokens")
_FIELDS = {
    field: _quirk(f"no {field}", rf"\b{field}\b.*{_NO}|{_NO}.*\b{field}\b")
    for field in ("temperature", "top_p", "seed")
}
_SYSTEM = _quirk("no system role", rf"system (?:role|message|prompt|instruction).*{_NO}|{_NO}.*system (?:role|message)")
_TURNS = _quirk("alternating roles", r"roles? (?:must|should) alternate|alternat\w* .*(?:user|assistant)")
_SCHEMA = _quirk("no schema", r"")
# The last one matches anything: many servers know no schemas and do not say so. If it is something else, the next
# refusal tells.
_KNOWN = (_LIMIT, *_FIELDS.values(), _SYSTEM, _TURNS, _SCHEMA)


def learn(told: str, body: dict[str, Any], known: frozenset[Quirk]) -> Quirk | None:
    """Say what to do otherwise after a refusal.

    Args:
        told: What the endpoint said.
        body: What it refused.
        known: What is done otherwise already.

    Returns:
        The quirk, or None if the refusal is about something else.
    """
    for quirk in _KNOWN:
        if quirk in known or (quirk is _SCHEMA and "response_format" not in body):
            continue
        if quirk.told.search(told.lower()):
            return quirk
    return None


def adapted_body(
    model: str, messages: Sequence[Message], sampling: Sampling, known: frozenset[Quirk]
) -> dict[str, Any]:
    """Return a request that an endpoint with these quirks takes."""
    if _SYSTEM in known:
        messages = without_system(messages)
    if _SYSTEM in known or _TURNS in known:
        messages = alternating(messages)
    body = request_body(model, messages, sampling)
    if _LIMIT in known:
        body["max_completion_tokens"] = body.pop("max_tokens")
    for field, quirk in _FIELDS.items():
        if quirk in known:
            body.pop(field, None)
    if _SCHEMA in known:
        body.pop("response_format", None)
    return body


def without_system(messages: Sequence[Message]) -> list[Message]:
    """Put what the system says at the head of the first message of the user."""
    told = "\n\n".join(m.content for m in messages if m.role == "system")
    rest = [m for m in messages if m.role != "system"]
    if not told:
        return rest
    if rest and rest[0].role == "user":
        return [Message(role="user", content=f"{told}\n\n{rest[0].content}"), *rest[1:]]
    return [Message(role="user", content=told), *rest]


def alternating(messages: Sequence[Message]) -> list[Message]:
    """Join neighbours of the same role, and let the user begin."""
    joined: list[Message] = []
    for message in messages:
        if joined and joined[-1].role == message.role:
            joined[-1] = Message(role=message.role, content=f"{joined[-1].content}\n\n{message.content}")
        else:
            joined.append(message)
    first = next((i for i, m in enumerate(joined) if m.role != "system"), len(joined))
    if first < len(joined) and joined[first].role == "assistant":
        joined.insert(first, Message(role="user", content="(The conversation begins.)"))
    return joined
