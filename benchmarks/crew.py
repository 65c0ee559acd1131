"""Many processes, one order: apply a function to items in parallel and get the results as if in sequence.

Neither pool of the standard library will do. ``multiprocessing.Pool`` waits for ever when a worker is killed,
and the workers of either outlive a parent that was. Here each worker hangs on a pipe of its own: when one end
dies, the other one knows.

Workers are spawned, not forked: the parent draws a progress bar in a thread and may hold numeric libraries
with threads of theirs, and a fork would copy their locks in whatever state they are.
"""

import signal
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from traceback import format_exc
from typing import Any, TypeVar

__all__ = ["WorkerError", "ordered_map"]

Item = TypeVar("Item")
Result = TypeVar("Result")

# Results that may wait for a slow one before them, per worker: enough to keep all busy, little enough for
# memory.
AHEAD = 32


class WorkerError(Exception):
    """A worker process died or raised; then ``trace`` says where."""

    def __init__(self, message: str, trace: str = "") -> None:
        super().__init__(message)
        self.trace = trace


@dataclass(frozen=True)
class _Failure:
    trace: str


@dataclass(frozen=True)
class _Worker:
    process: SpawnProcess
    pipe: Connection


def ordered_map(
    build: Callable[[], Callable[[Item], Result]], items: Iterable[Item], workers: int
) -> Generator[Result, None, None]:
    """Apply a function to items and yield the results in order, each as soon as those before it are out.

    Close the iterator (``contextlib.closing``) to stop the workers at once.

    Args:
        build: Makes the function, once in each process; pickled, so a class or a partial of one.
        items: Consumed lazily, never far ahead of the results.
        workers: Processes; 1 works in this one.

    Raises:
        WorkerError: A worker died or raised.
    """
    if workers == 1:
        yield from map(build(), items)
        return
    crew: list[_Worker] = []
    try:
        for _ in range(workers):
            crew.append(_hire(build))
        yield from _collect(crew, items)
    finally:
        for worker in crew:
            worker.process.terminate()
        for worker in crew:
            worker.process.join()
            worker.pipe.close()


def _hire(build: Callable[[], Callable[[Item], Result]]) -> _Worker:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, build), daemon=True)
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


def _work(pipe: Connection, build: Callable[[], Callable[[Item], Result]]) -> None:
    # EOFError and BrokenPipeError mean that the parent is gone: nobody to work for.
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        try:
            function = build()
            while True:
                number, item = pipe.recv()
                pipe.send((number, function(item)))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            raise
        except Exception:
            pipe.send((-1, _Failure(format_exc())))


def _collect(crew: list[_Worker], items: Iterable[Item]) -> Iterator[Result]:
    queue = enumerate(items)
    idle, busy = list(crew), list[_Worker]()
    ready: dict[int, Result] = {}
    done = 0
    exhausted = False
    while True:
        while idle and not exhausted and len(busy) + len(ready) < AHEAD * len(crew):
            if (job := next(queue, None)) is None:
                exhausted = True
                break
            busy.append(idle.pop())
            _send(busy[-1], job)
        if not busy:
            return
        answered = wait([worker.pipe for worker in busy])
        for worker in [worker for worker in busy if worker.pipe in answered]:
            number, result = _receive(worker)
            if isinstance(result, _Failure):
                last = result.trace.splitlines()[-1]
                raise WorkerError(f"a worker process failed: {last}", result.trace)
            ready[number] = result
            busy.remove(worker)
            idle.append(worker)
        while done in ready:
            yield ready.pop(done)
            done += 1


def _send(worker: _Worker, job: object) -> None:
    try:
        worker.pipe.send(job)
    except OSError as error:
        raise _death(worker) from error


def _receive(worker: _Worker) -> tuple[int, Any]:
    try:
        number, result = worker.pipe.recv()
    except (EOFError, OSError) as error:
        raise _death(worker) from error
    return number, result


def _death(worker: _Worker) -> WorkerError:
    worker.process.join(5)
    code = worker.process.exitcode
    how = f"was killed by signal {-code}" if code is not None and code < 0 else f"ended with code {code}"
    hint = "; was there too little memory?" if code == -signal.SIGKILL else ""
    return WorkerError(f"a worker process {how}{hint}")
