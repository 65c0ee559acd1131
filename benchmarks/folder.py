"""A run folder on disk: what happened, what came out, and nothing that a crash can spoil.

Episodes are appended whole, as soon as each is over, so whatever is there after a kill is worth keeping, give or take
one torn line. Resuming needs no bookkeeping: cut the torn line, check that the rest belongs to the same evaluation,
play what is missing or ended in a fault. When all are there, the file is put into the order of the tasks, so that
neither concurrency nor a kill leaves a trace in it. Files that are written once appear whole or not at all. The folder
is locked while a process works in it, and never overwritten.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Self

import orjson

from bedside.benchmarks.runs import CONFIG, EPISODES, SCORES, SUMMARY, RunConfig, RunError, read_config
from bedside.envs.episode import StopReason

__all__ = ["FinishedRun", "RunFolder", "Task"]


@dataclass(frozen=True, slots=True)
class Task:
    """One episode to be played; ``seed`` is the same for all policies, so that they are compared in pairs."""

    policy: str
    case: str
    run: int
    seed: int


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an episode stands in the file, and whether it ended in a fault."""

    start: int
    length: int
    fault: bool


class RunFolder:
    """An open, locked run folder.

    Attributes:
        path: Where it is.
    """

    def __init__(
        self, path: Path, file: FileIO, tasks: Sequence[Task], places: dict[Task, _Place], in_order: bool
    ) -> None:
        self.path = path
        self._file = file
        self._tasks = tasks
        self._places = places
        self._in_order = in_order

    @classmethod
    @contextmanager
    def open(cls, path: Path, config: RunConfig, tasks: Sequence[Task], *, resume: bool) -> Iterator[Self]:
        """Create or reopen a folder and hold it until the block ends.

        Args:
            path: The folder; parents are made.
            config: The evaluation that is about to run.
            tasks: All its episodes in order.
            resume: Whether to go on with a folder that is not empty.

        Raises:
            RunError: The folder cannot be written, is in use, is not empty (without ``resume``), or holds
                another evaluation or something else.
        """
        with _told(path):
            path.mkdir(parents=True, exist_ok=True)
            found = {entry.name for entry in path.iterdir()}
            if found and not resume:
                raise RunError(f"{path} is not empty; add --resume to go on with it, or give another --out")
            if found and not {CONFIG, EPISODES} & found:
                raise RunError(f"{path} holds files but no run; give another --out")
            # A new file is created exclusively: of two processes that saw an empty folder, one gets it.
            flags = os.O_RDWR | os.O_APPEND | (0 if EPISODES in found else os.O_CREAT | os.O_EXCL)
            file = FileIO(os.open(path / EPISODES, flags, 0o666), "r+")
        try:
            with _told(path):
                _lock(file, path)
                _claim(path, file, config)
                places, end, in_order = _find_lines(path, tasks)
                if end < os.fstat(file.fileno()).st_size:
                    os.truncate(file.fileno(), end)
                # Figures that are about to change are no longer those of the run.
                if any(task not in places or places[task].fault for task in tasks):
                    for name in (SUMMARY, SCORES):
                        (path / name).unlink(missing_ok=True)
        except BaseException:
            file.close()
            raise
        folder = cls(path, file, tasks, places, in_order)
        try:
            yield folder
        finally:
            folder._file.close()

    def keeps(self, task: Task) -> bool:
        """Return whether the episode of a task is there, and need not be played again after a fault."""
        place = self._places.get(task)
        return place is not None and not place.fault

    def kept(self, task: Task) -> bytes | None:
        """Return the episode of a task; None if it has yet to be played, or played again after a fault."""
        return self._read(self._places[task]) if self.keeps(task) else None

    def _read(self, place: _Place) -> bytes:
        return os.pread(self._file.fileno(), place.length, place.start)

    def append(self, line: bytes) -> None:
        """Write one episode; it is with the operating system when this returns.

        Raises:
            ValueError: The line is not an episode.
            RunError: It could not be written; the episodes before it are safe.
        """
        found = _task_of(line)
        if found is None:
            raise ValueError("what is appended must be an episode")
        task, fault = found
        end = os.fstat(self._file.fileno()).st_size
        try:
            _write_all(self._file, line + b"\n")
        except OSError as error:
            os.truncate(self._file.fileno(), end)
            raise RunError(f"{self.path / EPISODES}: {error.strerror}; {_GO_ON}") from error
        self._in_order = (
            self._in_order and len(self._places) < len(self._tasks) and self._tasks[len(self._places)] == task
        )
        self._places[task] = _Place(end, len(line), fault)

    def finish(self, results: Mapping[str, bytes]) -> None:
        """Put the episodes into the order of the tasks, and the results in place, each file whole or not at all.

        Args:
            results: Content by file name, written in this order.

        Raises:
            RunError: It could not be written; the episodes are safe.
        """
        try:
            if not self._in_order:
                self._sort()
            os.fsync(self._file.fileno())
            for name, content in results.items():
                _write_whole(self.path / name, content)
        except OSError as error:
            raise RunError(f"{self.path}: {error.strerror}; {_GO_ON}") from error

    def _sort(self) -> None:
        part = self.path / f"{EPISODES}.part"
        ordered = FileIO(part, "w+")
        # Locked before it has its name, so that at no moment another process finds the folder free.
        fcntl.flock(ordered, fcntl.LOCK_EX)
        places = {}
        for task in self._tasks:
            line = self._read(self._places[task])
            places[task] = _Place(ordered.tell(), len(line), self._places[task].fault)
            _write_all(ordered, line + b"\n")
        os.fsync(ordered.fileno())
        part.replace(self.path / EPISODES)
        self._file.close()
        self._file, self._places, self._in_order = ordered, places, True


class FinishedRun:
    """The episodes of a finished run, to read and never to change."""

    def __init__(self, file: FileIO, places: dict[Task, _Place]) -> None:
        self._file = file
        self._places = places

    @classmethod
    @contextmanager
    def open(cls, path: Path, tasks: Sequence[Task]) -> Iterator[Self]:
        """Open a run and keep others from writing to it until the block ends.

        Args:
            path: The run folder.
            tasks: All its episodes.

        Raises:
            RunError: It is not finished, in use, or holds something else.
        """
        try:
            file = FileIO(path / EPISODES)
        except FileNotFoundError as error:
            raise RunError(f"{path} is not a run folder: it has no {EPISODES}") from error
        except OSError as error:
            raise RunError(f"{path / EPISODES}: {error.strerror}") from error
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise RunError(f"{path} is in use by another process; wait for it") from error
            places, *_ = _find_lines(path, tasks)
            if len(places) < len(tasks):
                raise RunError(f"{path} holds {len(places)} of {len(tasks)} episodes; finish it first, with --resume")
            yield cls(file, places)

    def line(self, task: Task) -> bytes:
        """Return an episode as it stands in the file; safe from many threads."""
        place = self._places[task]
        return os.pread(self._file.fileno(), place.length, place.start)


_GO_ON = "the episodes so far are kept, run the same command with --resume to go on"


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except FileExistsError as error:
        raise RunError(f"cannot use {error.filename or path} as a folder: a file, or another run, is there") from error
    except OSError as error:
        raise RunError(f"cannot use the folder {path}: {error.strerror}") from error


def _lock(file: FileIO, path: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise RunError(f"{path} is in use by another process; wait for it, or give another --out") from error
    # A run that ends puts another file in the place of this one.
    if not os.path.samestat(os.fstat(file.fileno()), (path / EPISODES).stat()):
        raise RunError(f"{path} was finished by another process this very moment; look at it, or give another --out")


def _claim(path: Path, file: FileIO, config: RunConfig) -> None:
    """Write the configuration of a new run, or check that of an old one."""
    if not (path / CONFIG).exists():
        if os.fstat(file.fileno()).st_size:
            raise RunError(f"{path} has episodes but no {CONFIG}; give another --out")
        _write_whole(path / CONFIG, config.to_yaml())
        return
    if changed := read_config(path).differences(config):
        raise RunError(f"{path} holds another evaluation ({'; '.join(changed)}); give another --out")


def _find_lines(path: Path, tasks: Sequence[Task]) -> tuple[dict[Task, _Place], int, bool]:
    """Find the whole lines of ``episodes.jsonl``.

    Returns:
        The last episode of each task; where the whole lines end; and whether the file holds them in the order of the
        tasks and nothing else.

    Raises:
        RunError: A line is not an episode of these tasks, or one that was there before and did not need to be played
            again.
    """
    end = count = 0
    places: dict[Task, _Place] = {}
    known = set(tasks)
    in_order = True
    with (path / EPISODES).open("rb") as lines:
        for number, (line, is_last) in enumerate(_with_last(lines), 1):
            found = _task_of(line)
            # Power loss can leave a last line of the right length with rubbish in it.
            if is_last and (found is None or not line.endswith(b"\n")):
                break
            if found is None:
                raise RunError(f"{path / EPISODES}, line {number}: not an episode; give another --out")
            task, fault = found
            if task not in known or (task in places and not places[task].fault):
                raise RunError(
                    f"{path / EPISODES}, line {number}: {task.policy} with {task.case}, run {task.run}, "
                    f"{'is there twice' if task in places else 'does not belong here'}; give another --out"
                )
            in_order = in_order and task not in places and tasks[count] == task
            places[task] = _Place(end, len(line) - 1, fault)
            end, count = end + len(line), len(places)
    return places, end, in_order


def _with_last(lines: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Pair each line with whether it is the last."""
    iterator = iter(lines)
    if (line := next(iterator, None)) is None:
        return
    for following in iterator:
        yield line, False
        line = following
    yield line, True


def _task_of(line: bytes) -> tuple[Task, bool] | None:
    """Return whose episode a line is, and whether it ended in a fault."""
    try:
        row = orjson.loads(line)
        return Task(row["policy"], row["case"], row["run"], row["seed"]), row.get("stop") == StopReason.FAULT
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError):
        return None


def _write_all(file: FileIO, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[file.write(rest) :]


def _write_whole(path: Path, content: bytes) -> None:
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
