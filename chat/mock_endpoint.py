"""An OpenAI-compatible endpoint on this machine, for tests and load: seeded answers, latency, and faults on demand.

Whatever talks to language models must be tried against endpoints that hang, break off, refuse and send rubbish, and
measured against one that costs next to nothing itself. What this one does follows from its seed and the bytes of
a request, so two runs against it, or one that was killed and resumed, get the same answers.

    python -m bedside.chat.mock_endpoint --port 8000 --latency 0.2 --fault rate_limit=0.05
"""

import argparse
import asyncio
import json
import signal
import threading
import time
from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from typing import Any, Self

__all__ = ["Fault", "MockEndpoint", "Received", "small_talk"]

Answer = Callable[[dict[str, Any]], str]


class Fault(StrEnum):
    """What can be wrong with an answer.

    The first six pass: the request is served when it comes again. ``empty`` is a fluke: the same request meets it every
    time, one with another seed need not. The rest follow from the messages, whatever else is asked.
    """

    RATE_LIMIT = "rate_limit"
    SERVER_ERROR = "server_error"
    DROPPED = "dropped"
    CUT_OFF = "cut_off"
    HANG = "hang"
    MALFORMED = "malformed"
    EMPTY = "empty"
    REFUSAL = "refusal"
    TRUNCATED = "truncated"
    DOWN = "down"

    @property
    def passes(self) -> bool:
        """True if a second try gets an answer."""
        return self is not Fault.EMPTY and not self.stays

    @property
    def stays(self) -> bool:
        """True if it follows from the messages."""
        return self in (Fault.REFUSAL, Fault.TRUNCATED, Fault.DOWN)


_OPENERS = ("Hello.", "I see.", "Thank you for telling me.", "That is good to know.", "I understand.")
_TALK = (
    "When did it begin?",
    "Where does it hurt?",
    "Do you have a fever?",
    "What makes it better or worse?",
    "Which medicines do you take?",
    "Are you allergic to anything?",
    "Is there anything that worries you?",
)
_TURNS = 8


def small_talk(body: Mapping[str, Any]) -> str:
    """Answer as a doctor who asks eight things and then commits; the words follow from the messages and the seed."""
    messages = body["messages"]
    said = sum(message["role"] == "assistant" for message in messages)
    if said >= _TURNS or "Final Diagnosis" in messages[-1]["content"]:
        return "Goodbye. Final Diagnosis: Influenza"
    drawn = _draw(str(body.get("seed")), messages[-1]["content"])
    return f"{_OPENERS[int(drawn * len(_OPENERS))]} {_TALK[said % len(_TALK)]}"


def _draw(*parts: str) -> float:
    """Return a number in [0, 1) that follows from the parts."""
    return int.from_bytes(blake2b("\0".join(parts).encode(), digest_size=7).digest()) / 2**56


@dataclass(frozen=True)
class Received:
    """A request as it came."""

    body: dict[str, Any]
    headers: str


@dataclass
class MockEndpoint:
    """The endpoint; ``with MockEndpoint() as endpoint`` serves from a thread until the block ends.

    Attributes:
        answer: Makes the text of an answer from the body of a request.
        latency_s: Every answer comes so long after its request.
        faults: Share of requests that meet each fault.
        seed: Decides which.
        retry_after_s: What a rate limit asks to wait.
        script: What the next requests get before anything else: a text, a :class:`Fault`, or a status with a body.
        record: Whether to keep what is received.
        received: What was, in order.
        served: How many answers went out of each fault; "ok" of those without one.
        times: When each went out, in seconds.
        in_flight: Requests that wait for an answer; ``peak`` is the most that ever did.
    """

    answer: Answer = small_talk
    latency_s: float = 0.0
    faults: Mapping[Fault, float] = field(default_factory=dict)
    seed: int = 0
    retry_after_s: float = 0.01
    script: deque[str | Fault | tuple[int, str]] = field(default_factory=deque)
    record: bool = True
    received: list[Received] = field(default_factory=list)
    served: Counter[str] = field(default_factory=Counter)
    times: "array[float]" = field(default_factory=lambda: array("d"))
    in_flight: int = 0
    peak: int = 0
    port: int = 0

    def __post_init__(self) -> None:
        self._seen: Counter[bytes] = Counter()
        self._connections: set[asyncio.BaseTransport] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def url(self) -> str:
        """What ``OPENAI_BASE_URL`` must be."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def rate(self) -> float:
        """Answers a second in the middle four fifths, when nobody is just beginning or about to end."""
        first, last = len(self.times) // 10, len(self.times) * 9 // 10
        return (last - first) / (self.times[last] - self.times[first]) if last > first else 0.0

    # Serving.

    async def serve(self, ready: Callable[[], None] = lambda: None) -> None:
        """Serve until cancelled."""
        server = await asyncio.get_running_loop().create_server(
            lambda: _Connection(self), "127.0.0.1", self.port, backlog=1024
        )
        self.port = server.sockets[0].getsockname()[1]
        ready()
        try:
            await asyncio.Event().wait()
        finally:
            server.close()
            for connection in list(self._connections):
                connection.close()

    def __enter__(self) -> Self:
        started = threading.Event()

        def run() -> None:
            self._loop = asyncio.new_event_loop()
            self._task = self._loop.create_task(self.serve(started.set))
            try:
                self._loop.run_until_complete(self._task)
            except asyncio.CancelledError:
                self._loop.run_until_complete(asyncio.sleep(0))
            finally:
                self._loop.close()

        self._thread = threading.Thread(target=run, name="mock-endpoint", daemon=True)
        self._thread.start()
        started.wait()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join()

    # Answering.

    def outcome(self, raw: bytes) -> str | Fault | tuple[int, str] | None:
        """Decide what a request gets; None for an ordinary answer."""
        if self.script:
            return self.script.popleft()
        if not self.faults:
            return None
        whole, messages = (
            blake2b(part, digest_size=16).digest() for part in (raw, json.dumps(json.loads(raw)["messages"]).encode())
        )
        self._seen[whole] += 1
        for stays, digest in ((True, messages), (False, whole)):
            drawn = _draw(str(self.seed), digest.hex())
            for fault, share in self.faults.items():
                drawn -= share if fault.stays is stays else 0.0
                if drawn < 0:
                    return fault if self._seen[whole] == 1 or not fault.passes else None
        return None

    def respond(self, raw: bytes, transport: asyncio.Transport) -> None:
        """Answer one request."""
        self.in_flight -= 1
        if transport.is_closing():
            return
        outcome = self.outcome(raw)
        self.times.append(time.monotonic())
        self.served[outcome.value if isinstance(outcome, Fault) else "ok"] += 1
        match outcome:
            case Fault.HANG:
                return
            case Fault.DROPPED:
                transport.abort()
            case Fault.CUT_OFF:
                transport.write(_http(200, self._completion(raw, None))[:-20])
                transport.close()
            case Fault.RATE_LIMIT:
                transport.write(_http(429, _problem("slow down"), f"Retry-After: {self.retry_after_s}\r\n"))
            case Fault.SERVER_ERROR | Fault.DOWN:
                transport.write(_http(503, _problem("overloaded")))
            case Fault.MALFORMED:
                transport.write(_http(200, b"<html>Bad gateway"))
            case (int(status), str(text)):
                transport.write(_http(status, _problem(text)))
            case _:
                transport.write(_http(200, self._completion(raw, outcome)))

    def _completion(self, raw: bytes, outcome: str | Fault | tuple[int, str] | None) -> bytes:
        body = json.loads(raw)
        text = self.answer(body) if outcome is None or isinstance(outcome, Fault) else str(outcome)
        finish, refusal = "stop", None
        if outcome is Fault.EMPTY:
            text = ""
        elif outcome is Fault.REFUSAL:
            text, refusal = "", "I can't help with that."
        elif outcome is Fault.TRUNCATED:
            text, finish = text[: max(1, len(text) // 2)], "length"
        message = {"role": "assistant", "content": text, "refusal": refusal}
        prompt = sum(len(m["content"]) // 4 for m in body["messages"])
        written = len(text) // 4
        answer = {
            "id": "mock",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [{"index": 0, "finish_reason": finish, "message": message}],
            "usage": {"prompt_tokens": prompt, "completion_tokens": written, "total_tokens": prompt + written},
        }
        return json.dumps(answer).encode()


def _problem(message: str) -> bytes:
    return json.dumps({"error": {"message": message, "type": "mock", "param": None, "code": None}}).encode()


def _http(status: int, body: bytes, headers: str = "") -> bytes:
    head = f"HTTP/1.1 {status} Mock\r\nContent-Type: application/json\r\n{headers}Content-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


class _Connection(asyncio.Protocol):
    """One kept-alive connection: reads requests, has each answered after the latency."""

    def __init__(self, endpoint: MockEndpoint) -> None:
        self._endpoint = endpoint
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._endpoint._connections.add(transport)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._endpoint._connections.discard(self._transport)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            headers = self._buffer[:end].decode("latin-1")
            size = next(int(h[15:]) for h in headers.split("\r\n") if h.lower().startswith("content-length:"))
            if len(self._buffer) < end + 4 + size:
                return
            raw, self._buffer = self._buffer[end + 4 : end + 4 + size], self._buffer[end + 4 + size :]
            self._received(raw, headers)

    def _received(self, raw: bytes, headers: str) -> None:
        endpoint = self._endpoint
        if endpoint.record:
            endpoint.received.append(Received(json.loads(raw), headers))
        endpoint.in_flight += 1
        endpoint.peak = max(endpoint.peak, endpoint.in_flight)
        loop = asyncio.get_running_loop()
        if endpoint.latency_s:
            loop.call_later(endpoint.latency_s, endpoint.respond, raw, self._transport)
        else:
            endpoint.respond(raw, self._transport)


def _faults(given: Iterable[str]) -> dict[Fault, float]:
    return {Fault(name): float(share) for name, _, share in (text.partition("=") for text in given)}


def main() -> None:
    """Serve from the command line; prints the address when ready and what was served when stopped."""
    parser = argparse.ArgumentParser(description="A mock OpenAI-compatible endpoint.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fault", action="append", default=[], metavar="KIND=SHARE", help=", ".join(Fault))
    given = parser.parse_args()
    endpoint = MockEndpoint(
        latency_s=given.latency, seed=given.seed, faults=_faults(given.fault), port=given.port, record=False
    )
    asyncio.run(_until_told(endpoint))
    print(json.dumps({"served": endpoint.served, "peak": endpoint.peak, "rate": endpoint.rate}), flush=True)


async def _until_told(endpoint: MockEndpoint) -> None:
    serving = asyncio.current_task()
    assert serving is not None
    for told in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(told, serving.cancel)
    with suppress(asyncio.CancelledError):
        await endpoint.serve(lambda: print(endpoint.url, flush=True))


if __name__ == "__main__":
    main()
