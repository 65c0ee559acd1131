"""Many processes, and threads in each: apply a function to items and get each result as soon as it is there.

Processes are for work that keeps a core busy, threads for work that waits for others: an encounter with a language
model waits nearly all the time. Neither pool of the standard library will do. ``multiprocessing.Pool`` waits for ever
when a worker is killed, and the workers of either outlive a parent that was. Here each worker hangs on a pipe of its
own: when one end dies, the other one knows. Threads are daemons, so that nobody waits for a call that hangs.

Workers are spawned, not forked: the parent draws a progress bar in a thread and may hold numeric libraries
with threads of theirs, and a fork would copy their locks in whatever state they are.
"""

import queue
import signal
import threading
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from traceback import format_exc
from typing import Any, Generic, TypeVar

from bedside.benchmarks.dealing import Dealer
from bedside.collector import settle_collector

__all__ = ["WorkerError", "as_completed"]

Item = TypeVar("Item")
Result = TypeVar("Result")


class WorkerError(Exception):
    """A worker process died or raised; then ``trace`` says where."""

    def __init__(self, message: str, trace: str = "") -> None:
        super().__init__(message)
        self.trace = trace


_PATIENCE_S = 5
"""How long workers that were told to go may take, before they are stopped."""


@dataclass(frozen=True)
class _Failure:
    trace: str

    def raised(self) -> WorkerError:
        return WorkerError(f"a worker process failed: {self.trace.splitlines()[-1]}", self.trace)


@dataclass
class _Worker:
    process: SpawnProcess
    pipe: Connection
    busy: int = 0


def as_completed(
    build: Callable[[], Callable[[Item], Result]],
    items: Iterable[Item],
    workers: int = 1,
    threads: int = 1,
    kin: Callable[[Item], Hashable] | None = None,
) -> Generator[tuple[int, Result], None, None]:
    """Apply a function to items and yield each result with the number of its item, in the order in which they come.

    Close the iterator (``contextlib.closing``) to stop the work at once.

    Args:
        build: Makes the function, once in each process; pickled, so a class or a partial of one.
        items: Consumed lazily, as threads have nothing to do.
        workers: Processes; 1 works in this one.
        threads: In each process, all with the same function.
        kin: What items have in common that one process had better do; see :class:`~bedside.benchmarks.dealing.Dealer`.

    Raises:
        WorkerError: A worker died or raised.
    """
    if workers == 1 and threads == 1:
        yield from enumerate(map(build(), items))
    elif workers == 1:
        yield from _Threads(build(), threads).results(items)
    else:
        yield from _spread(build, Dealer(items, kin), workers, threads)


class _Threads(Generic[Item, Result]):
    """The threads of one process."""

    def __init__(self, function: Callable[[Item], Result], count: int) -> None:
        self._function = function
        self._count = count
        self._jobs: queue.SimpleQueue[tuple[int, Item] | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[int, Result | _Failure]] = queue.SimpleQueue()

    def start(self, tell: Callable[[tuple[int, Result | _Failure]], None]) -> Callable[[tuple[int, Item]], None]:
        """Start all; return where jobs go in. Every result is told from the thread that has it."""

        def work() -> None:
            result: Result | _Failure
            while (job := self._jobs.get()) is not None:
                number, item = job
                try:
                    result = self._function(item)
                except Exception:
                    result = _Failure(format_exc())
                tell((number, result))

        for number in range(self._count):
            threading.Thread(target=work, name=f"crew-{number}", daemon=True).start()
        return self._jobs.put

    def results(self, items: Iterable[Item]) -> Iterator[tuple[int, Result]]:
        """Work through items; see :func:`as_completed`."""
        give = self.start(self._done.put)
        left = enumerate(items)
        waiting = 0
        try:
            while True:
                while waiting < self._count and (job := next(left, None)) is not None:
                    give(job)
                    waiting += 1
                if not waiting:
                    return
                number, result = self._done.get()
                waiting -= 1
                if isinstance(result, _Failure):
                    raise result.raised()
                yield number, result
        finally:
            for _ in range(self._count):
                self._jobs.put(None)


def _spread(
    build: Callable[[], Callable[[Item], Result]], dealer: Dealer[Item], workers: int, threads: int
) -> Iterator[tuple[int, Result]]:
    crew: list[_Worker] = []
    try:
        for _ in range(workers):
            crew.append(_hire(build, threads))
        yield from _collect(crew, dealer, threads)
        _dismiss(crew)
    finally:
        for worker in crew:
            worker.process.terminate()
        for worker in crew:
            worker.process.join()
            worker.pipe.close()


def _dismiss(crew: list[_Worker]) -> None:
    """Let workers that have nothing left to do go by themselves: who is killed cannot give back its semaphores."""
    for worker in crew:
        worker.pipe.close()
    for worker in crew:
        worker.process.join(_PATIENCE_S)


def _hire(build: Callable[[], Callable[[Item], Result]], threads: int) -> _Worker:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, build, threads), daemon=True)
    # Ctrl-C reaches the whole process group, but only the parent may answer. A blocked signal stays blocked
    # in the child from its first instruction on. Starting the tracker unblocks it as a side effect, so that
    # comes first.
    resource_tracker.ensure_running()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    theirs.close()
    return _Worker(process, ours)


def _work(pipe: Connection, build: Callable[[], Callable[[Item], Result]], threads: int) -> None:
    sending = threading.Lock()

    def tell(result: object) -> None:
        # A pipe that is broken has lost its parent: nobody to work for, as the main thread is about to find out.
        with sending, suppress(BrokenPipeError, ConnectionResetError):
            pipe.send(result)

    try:
        function = build()
        settle_collector()
        give = _Threads(function, threads).start(tell)
    except Exception:
        tell((-1, _Failure(format_exc())))
        return
    with suppress(EOFError, ConnectionResetError):
        while True:
            give(pipe.recv())


def _collect(crew: list[_Worker], dealer: Dealer[Any], threads: int) -> Iterator[tuple[int, Any]]:
    while True:
        while (least := min(crew, key=lambda worker: worker.busy)).busy < threads:
            if (job := dealer.next_for(crew.index(least))) is None:
                break
            _send(least, job)
        if not any(worker.busy for worker in crew):
            return
        answered = wait([worker.pipe for worker in crew if worker.busy])
        for worker in [worker for worker in crew if worker.pipe in answered]:
            number, result = _receive(worker)
            if isinstance(result, _Failure):
                raise result.raised()
            yield number, result


def _send(worker: _Worker, job: object) -> None:
    try:
        worker.pipe.send(job)
    except OSError as error:
        raise _death(worker) from error
    worker.busy += 1


def _receive(worker: _Worker) -> tuple[int, Any]:
    try:
        number, result = worker.pipe.recv()
    except (EOFError, OSError) as error:
        raise _death(worker) from error
    worker.busy -= 1
    return number, result


def _death(worker: _Worker) -> WorkerError:
    worker.process.join(5)
    code = worker.process.exitcode
    how = f"was killed by signal {-code}" if code is not None and code < 0 else f"ended with code {code}"
    hint = "; was there too little memory?" if code == -signal.SIGKILL else ""
    return WorkerError(f"a worker process {how}{hint}")
