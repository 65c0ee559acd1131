"""Structured answers from any chat model: asked for with a schema, read with care, asked for again a few times.

Models wrap JSON in fences and prose, think aloud before it, leave commas behind, break off in the middle, refuse. Some
of that can be read all the same. What cannot is asked for once or twice more, with what was wrong, and then given up:
the caller gets None and decides what an answer that never came means. Guessing is left to nobody, so an answer that
holds two different results is no answer either.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from bedside.chat.model import ChatModel, Completion, EmptyAnswerError, Message, Sampling
from bedside.chat.reasoning import strip_reasoning

__all__ = ["Tally", "UnreadableError", "ask", "read_json", "with_schema"]

Parsed = TypeVar("Parsed", bound=BaseModel)
Check = Callable[[Parsed], None]

_OPENS = re.compile(r"[{\[]")
# Within brackets only strings and brackets matter; what a string holds must not be taken for structure.
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]"]', re.DOTALL)
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)
_SHOWN_ANSWER = 2_000
_SHOWN_PROBLEM = 600
_LONGEST = 200_000


class UnreadableError(ValueError):
    """An answer that cannot be used; the message tells a model what to do better."""


@dataclass
class Tally:
    """What a model was asked for, summed."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0

    def add(self, completions: Iterable[Completion]) -> None:
        """Count completions."""
        for completion in completions:
            self.calls += 1
            self.prompt_tokens += completion.prompt_tokens
            self.completion_tokens += completion.completion_tokens
            self.cost += completion.cost


def ask(
    model: ChatModel,
    messages: Sequence[Message],
    schema: type[Parsed],
    sampling: Sampling,
    retries: int = 2,
    check: Check[Parsed] | None = None,
) -> tuple[Parsed | None, tuple[Completion, ...]]:
    """Ask for an answer that follows a schema.

    Args:
        model: Whom to ask.
        messages: The chat; the schema is described at the end of the last message.
        schema: What the answer must be.
        sampling: How to sample. A longer answer is allowed after one that broke off.
        retries: How often to ask again after an answer that cannot be used.
        check: Raises ``ValueError`` for an answer that follows the schema and still cannot be used; what it says is
            told to the model.

    Returns:
        The answer, or None if none could be used, and every completion that was paid for.

    Raises:
        ChatError: The model could not be reached at all.
    """
    talk = with_schema(messages, schema)
    sampling = sampling.model_copy(update={"response_schema": schema.model_json_schema()})
    completions: list[Completion] = []
    for _ in range(1 + retries):
        completion = _complete(model, talk, sampling)
        completions.append(completion)
        try:
            parsed = read_json(completion.text, schema)
            if check is not None:
                check(parsed)
        except ValueError as error:
            talk = [*talk, *_again(completion, str(error))]
            if completion.finish == "length":
                sampling = sampling.model_copy(update={"max_tokens": 2 * sampling.max_tokens})
        else:
            return parsed, tuple(completions)
    return None, tuple(completions)


def with_schema(messages: Sequence[Message], schema: type[BaseModel]) -> list[Message]:
    """Return the messages with the schema described at the end of the last one."""
    *before, last = messages
    described = json.dumps(schema.model_json_schema(), ensure_ascii=False)
    wish = f"Answer with one JSON object that follows this schema, and with nothing else:\n{described}"
    return [*before, last.model_copy(update={"content": f"{last.content}\n\n{wish}"})]


def read_json(text: str, schema: type[Parsed]) -> Parsed:
    """Find the one object in a text that follows a schema.

    Args:
        text: An answer with whatever a model puts around it.
        schema: What to look for.

    Returns:
        The object. Equal objects, as when an answer is repeated, count as one.

    Raises:
        UnreadableError: There is none, there are several that differ, or the text breaks off.
    """
    if len(text) > _LONGEST:
        raise UnreadableError("The answer is far too long.")
    found: list[Parsed] = []
    problem = "The answer holds no JSON object."
    for piece in _bracketed(strip_reasoning(text)):
        try:
            read = schema.model_validate(_loads(piece))
        except ValidationError as error:
            problem = _told(error)
        except (ValueError, RecursionError):
            problem = "The JSON in the answer is malformed."
        else:
            if read not in found:
                found.append(read)
    if len(found) > 1:
        raise UnreadableError("The answer holds several JSON objects that differ; give exactly one.")
    if not found:
        raise UnreadableError(problem)
    return found[0]


def _complete(model: ChatModel, talk: Sequence[Message], sampling: Sampling) -> Completion:
    try:
        return model.complete(talk, sampling)
    except EmptyAnswerError as error:
        return error.completion


def _again(completion: Completion, problem: str) -> tuple[Message, Message]:
    said = completion.text[:_SHOWN_ANSWER].strip() or "(no answer)"
    if completion.finish == "length":
        problem += " It was cut off: be brief."
    told = f"That cannot be used. {problem[:_SHOWN_PROBLEM]}\nAnswer again: one JSON object that follows the schema."
    return Message(role="assistant", content=said), Message(role="user", content=told)


def _bracketed(text: str) -> list[str]:
    """Return what stands in outermost brackets.

    Never what stands further in: of an answer that breaks off, an inner part may look like a whole.

    Raises:
        UnreadableError: A bracket is never closed.
    """
    found = []
    start = _OPENS.search(text)
    while start:
        end = _closing(text, start.start())
        found.append(text[start.start() : end])
        start = _OPENS.search(text, end)
    return found


def _closing(text: str, start: int) -> int:
    depth = 0
    for piece in _PIECE.finditer(text, start):
        if piece[0] in ("{", "["):
            depth += 1
        elif piece[0] in ("}", "]"):
            depth -= 1
            if depth == 0:
                return piece.end()
        elif piece[0] == '"':
            break
    raise UnreadableError("The JSON in the answer is not closed.")


def _loads(piece: str) -> Any:
    whole = _TRAILING_COMMA.sub(lambda m: m[1] or "", piece)
    return json.loads(whole, strict=False, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise UnreadableError("A key is given twice.")
    return found


def _told(error: ValidationError) -> str:
    """Name the fields that are wrong, but repeat no content: it may come from a patient."""
    lines = [(".".join(map(str, e["loc"])) or "the object", e["msg"]) for e in error.errors(include_input=False)[:5]]
    return "Some fields are wrong: " + "; ".join(f"{place}: {message}" for place, message in lines) + "."
