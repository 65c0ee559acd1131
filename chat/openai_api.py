"""Any OpenAI-compatible endpoint: OpenAI itself, a vLLM or llama.cpp server, a gateway.

Base URL and key come from the environment (``OPENAI_BASE_URL``, ``OPENAI_API_KEY``) or from where the model string
says; a key is never written anywhere. Requests are made with a plain HTTP client: the API's own took 4 ms of processor
time a call where this one takes 0.2, which at hundreds of calls a second is what the encounters need for themselves. It
also could not seed its waits.
"""

import asyncio
import logging
import os
import re
import time
from collections.abc import Sequence
from hashlib import blake2b
from urllib.parse import urlsplit

import aiohttp
import orjson
from pydantic import ValidationError

from bedside.chat.backoff import Backoff, retry_after
from bedside.chat.connections import Reply, connections
from bedside.chat.model import (
    Completion,
    EmptyAnswerError,
    Message,
    RefusalError,
    RejectedError,
    Sampling,
    UnreachableError,
)
from bedside.chat.quirks import Quirk, adapted_body, learn
from bedside.chat.wire import Answer, error_message

__all__ = ["OpenAIModel"]

_LOG = logging.getLogger(__name__)

_PUBLIC = "https://api.openai.com/v1"
_KEYS = re.compile(r"\b(?:sk|key|pk)-[\w-]{6,}|Bearer\s+\S+", re.IGNORECASE)
_SHOWN = 300
# A model that said nothing is asked again with another seed: the same one would only bring the same nothing.
_EMPTY_RETRIES = 2


class _TroubleError(Exception):
    """Something that may be gone at the next try."""

    def __init__(self, kind: str, told: str, wait_s: float | None = None) -> None:
        super().__init__(told)
        self.kind = kind
        self.wait_s = wait_s


class _RefusedError(Exception):
    """The endpoint did not take the request as it was."""


class OpenAIModel:
    """A model behind the chat completions API.

    Args:
        name: As the endpoint knows it.
        base_url: Of the endpoint; by default that of the environment, else OpenAI's.
        key_env: The environment variable that holds the key.
        timeout_s: For one try.
        concurrency: Most calls at once.
        backoff: When to try again after a timeout, a rate limit, a server error or a lost connection.

    Raises:
        ValueError: The base URL cannot be used, or there is neither a key nor a base URL.
    """

    def __init__(
        self,
        name: str,
        *,
        base_url: str = "",
        key_env: str = "OPENAI_API_KEY",
        timeout_s: float = 120.0,
        concurrency: int = 64,
        backoff: Backoff | None = None,
    ) -> None:
        self.name = f"openai/{name}"
        self._model = name
        given = base_url or os.environ.get("OPENAI_BASE_URL", "")
        self._key = os.environ.get(key_env, "")
        if not self._key and not given:
            raise ValueError(f"set {key_env}, or OPENAI_BASE_URL for a server that needs no key")
        self.base_url = (given or _PUBLIC).rstrip("/")
        self._host = _checked_host(self.base_url)
        self._timeout_s = timeout_s
        self._slots = asyncio.Semaphore(concurrency)
        self._backoff = backoff or Backoff()
        self._quirks: frozenset[Quirk] = frozenset()

    @property
    def local(self) -> bool:
        """True when the endpoint is on this machine."""
        return self._host in ("localhost", "127.0.0.1", "::1")

    @property
    def identity(self) -> str:
        """What decides an answer besides the request: whose it is."""
        return f"{self.name} at {self.base_url}"

    def complete(self, messages: Sequence[Message], sampling: Sampling) -> Completion:
        """Answer a chat; see :class:`~bedside.chat.model.ChatModel`."""
        return connections().submit(self._complete(messages, sampling)).result()

    async def acomplete(self, messages: Sequence[Message], sampling: Sampling) -> Completion:
        """Answer a chat; see :class:`~bedside.chat.model.ChatModel`."""
        return await asyncio.wrap_future(connections().submit(self._complete(messages, sampling)))

    async def _complete(self, messages: Sequence[Message], sampling: Sampling) -> Completion:
        """Ask until there are words; silence is asked again under another seed."""
        began = time.monotonic()
        faults: list[str] = []
        prompt_tokens = completion_tokens = 0
        for number in range(1 + _EMPTY_RETRIES):
            asked = sampling if sampling.seed is None else sampling.model_copy(update={"seed": sampling.seed + number})
            answer = await self._ask(messages, asked, faults)
            prompt_tokens += answer.prompt_tokens
            completion_tokens += answer.completion_tokens
            if answer.text:
                break
            faults.append("refusal" if answer.refused else "empty")
            if answer.finish == "length":
                break
        completion = Completion(
            text=answer.text,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            finish=answer.finish,
            latency_s=time.monotonic() - began,
            faults=tuple(faults),
        )
        if completion.text:
            return completion
        if answer.refused:
            raise RefusalError(f"{self.name}: refused to answer, {number + 1} times", completion)
        if answer.finish == "length":
            limit = f"all {sampling.max_tokens} tokens went into reasoning; allow more (--max-tokens for a policy)"
            raise EmptyAnswerError(f"{self.name}: {limit}", completion)
        raise EmptyAnswerError(f"{self.name}: the endpoint returned empty content, {number + 1} times", completion)

    async def _ask(self, messages: Sequence[Message], sampling: Sampling, faults: list[str]) -> Answer:
        """Ask until an answer comes; what goes wrong before is added to ``faults``."""
        quirks, tries = self._quirks, 0
        while True:
            body = adapted_body(self._model, messages, sampling, quirks)
            request = orjson.dumps(body)
            try:
                answer = await self._try(request)
            except _RefusedError as error:
                learned = learn(str(error), body, quirks)
                if learned is None:
                    raise RejectedError(f"{self.name}: {error}", faults) from None
                quirks |= {learned}
            except _TroubleError as error:
                faults.append(error.kind)
                tries += 1
                await self._wait(error, tries, request, faults)
            else:
                if new := quirks - self._quirks:
                    _LOG.warning("%s: from now on %s", self.name, ", ".join(sorted(q.name for q in new)))
                    self._quirks |= new
                return answer

    async def _wait(self, trouble: _TroubleError, tries: int, request: bytes, faults: list[str]) -> None:
        """Wait until the next try is due.

        Raises:
            UnreachableError: There should be none.
        """
        wished = trouble.wait_s or 0.0
        if tries > self._backoff.retries:
            raise UnreachableError(f"{self.name}: {trouble}, given up after {tries} tries", faults)
        if wished > self._backoff.longest_s:
            raise UnreachableError(f"{self.name}: {trouble}, to be tried again only in {wished:.0f} s", faults)
        key = blake2b(request, digest_size=8).hexdigest()
        await asyncio.sleep(max(wished, self._backoff.wait_s(tries - 1, key)))

    async def _try(self, request: bytes) -> Answer:
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        try:
            async with self._slots:
                reply = await connections().post(f"{self.base_url}/chat/completions", headers, request, self._timeout_s)
        except TimeoutError:
            raise _TroubleError("timeout", f"no answer within {self._timeout_s:g} s") from None
        except (aiohttp.ClientError, OSError) as error:
            raise _TroubleError("dropped", self._shown(f"{type(error).__name__}: {error}")) from None
        return self._read(reply)

    def _read(self, reply: Reply) -> Answer:
        if reply.status != 200:
            raise self._failure(reply)
        try:
            answer = Answer.model_validate_json(reply.body)
        except ValidationError:
            told = f"no chat completion but {self._shown(error_message(reply.body))!r}"
            raise _TroubleError("malformed", told) from None
        if not answer.choices:
            raise _TroubleError("malformed", "a chat completion without a choice")
        return answer

    def _failure(self, reply: Reply) -> _TroubleError | _RefusedError:
        told = f"status {reply.status}: {self._shown(error_message(reply.body))}"
        if reply.status == 429 and b"insufficient_quota" not in reply.body:
            return _TroubleError("rate_limit", told, retry_after(reply.headers))
        if reply.status in (408, 409, 425) or reply.status >= 500:
            return _TroubleError("server_error", told, retry_after(reply.headers))
        return _RefusedError(told)

    def _shown(self, text: str) -> str:
        """Return what an endpoint said in one short line; some repeat the key."""
        line = " ".join(text.split())
        if self._key:
            line = line.replace(self._key, "[key]")
        return _KEYS.sub("[key]", line)[:_SHOWN]


def _checked_host(url: str) -> str:
    try:
        parts = urlsplit(url)
        host, named = parts.hostname, parts.username or parts.password
        _ = parts.port
    except ValueError as error:
        raise ValueError(f"base URL {url!r} cannot be read: {error}") from None
    if named:
        raise ValueError("a base URL must hold no user or password: give the key in an environment variable")
    if parts.scheme not in ("http", "https") or not host:
        raise ValueError(f"base URL {url!r} must look like http://host:port/v1")
    return host
