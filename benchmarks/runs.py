"""A run folder: what was asked, what happened, what came out, and nothing that a crash can spoil.

``config.json`` holds everything that decides the result, ``episodes.jsonl`` one line an episode in the order
of the tasks, ``summary.json`` the figures. Episodes are appended whole and in order, so whatever is there
after a kill is a prefix of the complete file, give or take one torn line. Resuming therefore needs no
bookkeeping: cut the torn line, check that the prefix belongs to the same evaluation, carry on. Files that are
written once appear whole or not at all. The folder is locked while a process works in it, and never
overwritten.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from itertools import islice
from pathlib import Path
from typing import Self

import orjson
from pydantic import ValidationError

from bedside.cases.fact import Frozen
from bedside.cases.jsonl import first_problem

__all__ = ["CONFIG", "EPISODES", "SUMMARY", "RunConfig", "RunError", "RunFolder", "Task", "read_config"]

CONFIG, EPISODES, SUMMARY = "config.json", "episodes.jsonl", "summary.json"

# Recorded for the reader, but another value does not make another result.
INCIDENTAL = {"cases", "versions"}

SPELT_OUT = {"code": "bedside's code", "case_hash": "content of the cases", "case_count": "number of cases"}


class RunError(Exception):
    """A run folder that cannot be used or written; the message is one line that says what to do."""


class RunConfig(Frozen):
    """Everything that decides the result of an evaluation.

    Attributes:
        env: Registered id.
        cases: The case source as it was given.
        case_count: Cases evaluated.
        case_hash: Hash of the content of all cases of the source.
        policies: Names, in the order of the table.
        limit: Only the first so many cases; None for all.
        verifier: Who checked the patients, by name.
        code: Hash of bedside's own source, so that a resumed run never mixes two versions of a score.
        versions: Of bedside, Python and numpy.
    """

    env: str
    cases: str
    case_count: int
    case_hash: str
    policies: tuple[str, ...]
    persona: str
    noise: str
    runs: int
    seed: int
    limit: int | None
    verifier: str = "rules"
    code: str
    versions: dict[str, str]

    def differences(self, other: "RunConfig") -> list[str]:
        """Say which settings of ``other`` would give another result, and how they differ from these."""
        ours, theirs = self.model_dump(exclude=INCIDENTAL), other.model_dump(exclude=INCIDENTAL)
        return [
            f"{SPELT_OUT.get(name, name)} was {_shown(value)}, now {_shown(theirs[name])}"
            for name, value in ours.items()
            if theirs[name] != value
        ]


def _shown(value: object) -> str:
    return ",".join(value) if isinstance(value, tuple) else str(value)


@dataclass(frozen=True)
class Task:
    """One episode to be played; ``seed`` is the same for all policies, so that they are compared in pairs."""

    policy: str
    case: str
    run: int
    seed: int


class RunFolder:
    """An open, locked run folder.

    Attributes:
        path: Where it is.
        kept: Episodes that were there when it was opened.
    """

    def __init__(self, path: Path, file: FileIO, kept: int) -> None:
        self.path = path
        self.kept = kept
        self._file = file

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
        with file:
            with _told(path):
                _lock(file, path)
                _claim(path, file, config)
                kept = _keep_whole_lines(path, file, tasks)
            yield cls(path, file, kept)

    def kept_lines(self) -> Iterator[bytes]:
        """Stream the episodes that were there when the folder was opened."""
        with (self.path / EPISODES).open("rb") as file:
            yield from (line.rstrip(b"\n") for line in islice(file, self.kept))

    def append(self, line: bytes) -> None:
        """Write one episode; it is with the operating system when this returns.

        Raises:
            RunError: It could not be written; the episodes before it are safe.
        """
        end = os.fstat(self._file.fileno()).st_size
        rest = memoryview(line + b"\n")
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            os.truncate(self._file.fileno(), end)
            raise RunError(f"{self.path / EPISODES}: {error.strerror}; {_GO_ON}") from error

    def write_summary(self, content: bytes) -> None:
        """Put the summary in place, whole or not at all.

        Raises:
            RunError: It could not be written; the episodes are safe.
        """
        try:
            os.fsync(self._file.fileno())
            _write_whole(self.path / SUMMARY, content)
        except OSError as error:
            raise RunError(f"{self.path / SUMMARY}: {error.strerror}; {_GO_ON}") from error


_GO_ON = "the episodes so far are kept, run the same command with --resume to go on"


def read_config(path: Path) -> RunConfig:
    """Read the configuration of a run folder.

    Raises:
        RunError: There is none, or it cannot be read.
    """
    try:
        return RunConfig.model_validate_json((path / CONFIG).read_bytes())
    except FileNotFoundError as error:
        raise RunError(f"{path} is not a run folder: it has no {CONFIG}") from error
    except OSError as error:
        raise RunError(f"{path / CONFIG}: {error.strerror}") from error
    except ValidationError as error:
        field, message = first_problem(error)
        raise RunError(f"{path / CONFIG}{f', field {field}' if field else ''}: {message}") from error


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


def _claim(path: Path, file: FileIO, config: RunConfig) -> None:
    """Write the configuration of a new run, or check that of an old one."""
    if not (path / CONFIG).exists():
        if os.fstat(file.fileno()).st_size:
            raise RunError(f"{path} has episodes but no {CONFIG}; give another --out")
        _write_whole(path / CONFIG, orjson.dumps(config.model_dump(mode="json"), option=orjson.OPT_INDENT_2) + b"\n")
        return
    if changed := read_config(path).differences(config):
        raise RunError(f"{path} holds another evaluation ({'; '.join(changed)}); give another --out")


def _keep_whole_lines(path: Path, file: FileIO, tasks: Sequence[Task]) -> int:
    """Cut a torn last line off and count the episodes that are left.

    Raises:
        RunError: A line is not the episode that stands in that place.
    """
    end = count = 0
    with (path / EPISODES).open("rb") as lines:
        for number, (line, is_last) in enumerate(_with_last(lines), 1):
            task = _task_of(line)
            # Power loss can leave a last line of the right length with rubbish in it.
            if is_last and (task is None or not line.endswith(b"\n")):
                break
            if task is None:
                raise RunError(f"{path / EPISODES}, line {number}: not an episode; give another --out")
            if number > len(tasks) or task != tasks[number - 1]:
                raise RunError(
                    f"{path / EPISODES}, line {number}: {task.policy} with {task.case}, run {task.run}, "
                    "does not belong here; give another --out"
                )
            end, count = end + len(line), number
    if end < os.fstat(file.fileno()).st_size:
        os.truncate(file.fileno(), end)
    return count


def _with_last(lines: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Pair each line with whether it is the last."""
    iterator = iter(lines)
    if (line := next(iterator, None)) is None:
        return
    for following in iterator:
        yield line, False
        line = following
    yield line, True


def _task_of(line: bytes) -> Task | None:
    try:
        row = orjson.loads(line)
        return Task(row["policy"], row["case"], row["run"], row["seed"])
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return None


def _write_whole(path: Path, content: bytes) -> None:
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
