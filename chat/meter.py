"""What a process asked language models for: calls, faults, tokens, time and cost, counted as they happen."""

import threading
from collections import Counter
from dataclasses import dataclass, field

from bedside.chat.model import ChatError, Completion, EmptyAnswerError

__all__ = ["METER", "Meter", "Traffic"]


@dataclass
class Traffic:
    """A sum of calls.

    Attributes:
        calls: Questions that went out; tries after a fault are not counted again.
        failed: Those that never got an answer.
        cached: Questions that the cache answered.
        faults: What went wrong on the way, by kind, also where an answer came in the end.
        latencies_s: One per answer.
    """

    calls: int = 0
    failed: int = 0
    cached: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    latencies_s: list[float] = field(default_factory=list)

    def add(self, other: "Traffic") -> None:
        """Add another sum to this one."""
        self.calls += other.calls
        self.failed += other.failed
        self.cached += other.cached
        self.prompt_tokens += other.prompt_tokens
        self.completion_tokens += other.completion_tokens
        self.cost += other.cost
        self.faults += other.faults
        self.latencies_s += other.latencies_s


class Meter:
    """Counts from any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._traffic = Traffic()

    def answered(self, completion: Completion) -> None:
        """Count an answer."""
        with self._lock:
            self._traffic.calls += 1
            self._traffic.prompt_tokens += completion.prompt_tokens
            self._traffic.completion_tokens += completion.completion_tokens
            self._traffic.cost += completion.cost
            self._traffic.faults.update(completion.faults)
            self._traffic.latencies_s.append(completion.latency_s)

    def failed(self, error: ChatError) -> None:
        """Count a question that got no answer; silence may have cost something all the same."""
        spent = error.completion if isinstance(error, EmptyAnswerError) else Completion(text="")
        with self._lock:
            self._traffic.calls += 1
            self._traffic.failed += 1
            self._traffic.prompt_tokens += spent.prompt_tokens
            self._traffic.completion_tokens += spent.completion_tokens
            self._traffic.cost += spent.cost
            self._traffic.faults.update(error.faults)

    def cached(self) -> None:
        """Count an answer from the cache."""
        with self._lock:
            self._traffic.cached += 1

    def take(self) -> Traffic:
        """Return what came since it was last taken."""
        with self._lock:
            taken, self._traffic = self._traffic, Traffic()
        return taken


METER = Meter()
"""That of this process; all models of :func:`~bedside.chat.providers.chat_model` count here."""
