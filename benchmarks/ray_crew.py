"""The work of :mod:`bedside.benchmarks.crew` on a Ray cluster: many machines, and workers that may die.

An actor is a worker process somewhere in the cluster. Whatever one was doing when it died, by a kill, a lack of memory
or a lost machine, is given to a new one: episodes are pure functions of their task, so a second try gives the same
bytes. Only work that dies again and again stops the run. Every node needs bedside, and where language models take part
their keys and addresses, in its environment; the cases travel with the work.
"""

import logging
import os
from collections import deque
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from traceback import format_exc
from typing import Any, TypeVar

from bedside.benchmarks.crew import WorkerError
from bedside.benchmarks.dealing import Dealer
from bedside.collector import settle_collector

__all__ = ["as_completed_on_ray"]

Item = TypeVar("Item")
Result = TypeVar("Result")

TRIES = 3
"""How often an item may lose its worker before it is to blame."""


@dataclass(frozen=True)
class _Raised:
    trace: str


@dataclass
class _Job:
    number: int
    item: Any
    tries: int = 0
    actor: int = 0


class _Actor:
    def __init__(self, build: Callable[[], Callable[[Any], Any]]) -> None:
        self._function = build()
        settle_collector()

    def work(self, item: Any) -> Any:
        try:
            return self._function(item)
        except Exception:
            return _Raised(format_exc())


def as_completed_on_ray(
    build: Callable[[], Callable[[Item], Result]],
    items: Iterable[Item],
    workers: int = 1,
    threads: int = 1,
    kin: Callable[[Item], Hashable] | None = None,
) -> Generator[tuple[int, Result], None, None]:
    """Apply a function to items on a cluster; see :func:`~bedside.benchmarks.crew.as_completed`.

    Args:
        build: Makes the function, once in each worker.
        items: Consumed lazily, as threads have nothing to do.
        workers: Actors, of one core each; no more are made than the cluster has cores.
        threads: In each.
        kin: What items have in common that one actor had better do.

    Raises:
        WorkerError: The function raised, or an item lost its worker :data:`TRIES` times.
    """
    with _cluster() as ray:
        crew = _Crew(ray, build, min(workers, int(ray.cluster_resources().get("CPU", 1))), threads)
        try:
            yield from crew.results(Dealer(items, kin))
        finally:
            crew.dismiss()


@contextmanager
def _cluster() -> Iterator[Any]:
    # Ray would tell its makers that it is used; nothing of ours reaches the network unasked.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray

    # One that is connected already belongs to the caller.
    own = not ray.is_initialized()
    if own:
        ray.init(log_to_driver=False, logging_level=logging.ERROR)
    try:
        yield ray
    finally:
        if own:
            ray.shutdown()


class _Crew:
    """Actors, and what each is doing."""

    def __init__(self, ray: Any, build: Callable[[], Callable[[Any], Any]], workers: int, threads: int) -> None:
        self._ray = ray
        self._build = ray.put(build)
        self._threads = threads
        self._actors = [self._hired() for _ in range(workers)]
        self._running: dict[Any, _Job] = {}

    def results(self, dealer: Dealer[Any]) -> Iterator[tuple[int, Any]]:
        """Work through what is dealt."""
        again: deque[_Job] = deque()
        while True:
            while (job := self._next(again, dealer)) is not None:
                self._running[self._actors[job.actor].work.remote(job.item)] = job
            if not self._running:
                return
            (done, *_), _ = self._ray.wait(list(self._running), num_returns=1)
            job = self._running.pop(done)
            try:
                result = self._ray.get(done)
            except self._ray.exceptions.RayActorError as error:
                again.extend(self._lost(job, error))
                continue
            if isinstance(result, _Raised):
                raise WorkerError(f"a worker process failed: {result.trace.splitlines()[-1]}", result.trace)
            yield job.number, result

    def dismiss(self) -> None:
        """End all actors at once."""
        for actor in self._actors:
            self._ray.kill(actor)

    def _hired(self) -> Any:
        # A killed actor is not restarted by Ray itself: what it was doing has to be given out again anyway.
        remote = self._ray.remote(num_cpus=1, max_restarts=0, max_concurrency=self._threads)(_Actor)
        return remote.remote(self._build)

    def _next(self, again: deque[_Job], dealer: Dealer[Any]) -> _Job | None:
        busy = [0] * len(self._actors)
        for job in self._running.values():
            busy[job.actor] += 1
        least = min(range(len(busy)), key=busy.__getitem__)
        if busy[least] >= self._threads:
            return None
        if again:
            job = again.popleft()
        elif (drawn := dealer.next_for(least)) is not None:
            job = _Job(*drawn)
        else:
            return None
        job.actor = least
        return job

    def _lost(self, job: _Job, error: Exception) -> list[_Job]:
        """Put a new actor in the place of one that died; return what it was doing."""
        place = job.actor
        lost = [job]
        for reference in [reference for reference, other in self._running.items() if other.actor == place]:
            lost.append(self._running.pop(reference))
        self._actors[place] = self._hired()
        for other in lost:
            other.tries += 1
            if other.tries == TRIES:
                raise WorkerError(f"a worker process died {TRIES} times with the same episode", f"{error}\n")
        return lost
