"""Which runs a report is about, and which of them may stand in one table.

Runs that were played or scored by different engines, or on different cases, are never put into one column: they come
in separate boards, each of which says what made its figures.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import orjson

from bedside.benchmarks.evaluate import Summary
from bedside.benchmarks.protocols import kind_of
from bedside.benchmarks.runs import CONFIG, SUMMARY, RunConfig, RunError, read_config
from bedside.benchmarks.scores import Tables, read_scores, score_tables

__all__ = ["Board", "Run", "boards_of", "load_runs"]


@dataclass(frozen=True)
class Run:
    """A finished run.

    Attributes:
        label: Short name, unique in the report.
        path: Its folder.
        config: What was run.
        scores: ``scores.parquet`` as a ``pyarrow.Table``.
        summary: ``summary.json``.
    """

    label: str
    path: Path
    config: RunConfig
    scores: Any
    summary: Summary

    @property
    def kind(self) -> str:
        """``discharge`` or ``diagnosis``."""
        return kind_of(self.config.env)

    @property
    def cases(self) -> str:
        """The case source, without the folders of the machine that it was on."""
        name, separator, place = self.config.cases.rpartition(":")
        return f"{name}{separator}{Path(place).name}"

    @property
    def is_noisy(self) -> bool:
        """True when patients were asked to be hard to understand."""
        return self.config.noise != "none"

    @cached_property
    def tables(self) -> Tables:
        """By policy and score an array of shape (cases, runs); NaN where unscored."""
        return score_tables(self.scores, self.config.runs)

    @property
    def setting(self) -> tuple[object, ...]:
        """What two runs must share to stand in one table."""
        config = self.config
        cases = (config.env, config.case_hash, config.limit, config.spread, config.shard, config.documents)
        return (*cases, config.patient, config.verifier, config.orchestrator, config.judge, config.reward)


@dataclass(frozen=True)
class Board:
    """Runs whose figures may be compared.

    Attributes:
        number: Place in the report, from 1.
        runs: The conditions, at least one.
    """

    number: int
    runs: tuple[Run, ...]

    @property
    def kind(self) -> str:
        """``discharge`` or ``diagnosis``."""
        return self.runs[0].kind

    @property
    def config(self) -> RunConfig:
        """The configuration of the first run; what :attr:`Run.setting` holds is the same in all."""
        return self.runs[0].config

    @property
    def policies(self) -> tuple[str, ...]:
        """All policies, in the order in which they first come."""
        return tuple(dict.fromkeys(policy for run in self.runs for policy in run.config.policies))

    @property
    def title(self) -> str:
        """What was evaluated, in a few words."""
        kind = {"discharge": "Discharge talks", "diagnosis": "Diagnostic interviews"}[self.kind]
        return f"{kind}, {self.config.case_count} cases"

    @property
    def pairs(self) -> tuple[tuple[Run, Run], ...]:
        """A clean run and a noisy one that differ in nothing but the noise."""
        alike = [
            (clean, noisy)
            for noisy in self.runs
            for clean in self.runs
            if noisy.is_noisy and not clean.is_noisy and _pairs_up(clean.config, noisy.config)
        ]
        return tuple(alike)


def _pairs_up(clean: RunConfig, noisy: RunConfig) -> bool:
    fields = ("persona", "runs", "seed", "max_turns", "briefing")
    return all(getattr(clean, name) == getattr(noisy, name) for name in fields)


def load_runs(paths: Sequence[Path]) -> tuple[Run, ...]:
    """Load run folders, and folders of run folders such as a suite.

    Args:
        paths: The folders.

    Returns:
        The runs, those without noise first among the runs of one folder.

    Raises:
        RunError: A folder holds no run, or one that is not finished; the message says what to do.
    """
    folders = list(dict.fromkeys(folder for path in paths for folder in _folders(path)))
    runs = [_load(folder) for folder in folders]
    return tuple(replace(run, label=label) for run, label in zip(runs, _labels(folders), strict=True))


def _folders(path: Path) -> Iterable[Path]:
    if (path / CONFIG).is_file():
        return [path.resolve()]
    found = sorted(entry.parent.resolve() for entry in path.glob(f"*/{CONFIG}"))
    if not found:
        raise RunError(f"{path} is neither a run folder nor a folder of runs: there is no {CONFIG} in it")
    return sorted(found, key=lambda folder: read_config(folder).noise != "none")


def _load(folder: Path) -> Run:
    config = read_config(folder)
    scores = read_scores(folder)
    try:
        summary: Summary = orjson.loads((folder / SUMMARY).read_bytes())
    except FileNotFoundError as error:
        raise RunError(f"{folder} is not finished; go on with it first (--resume)") from error
    except (OSError, orjson.JSONDecodeError) as error:
        raise RunError(f"{folder / SUMMARY} cannot be read; delete it and finish the run with --resume") from error
    return Run("", folder, config, scores, summary)


def _labels(folders: Sequence[Path]) -> list[str]:
    """Name each folder by as many of its last parts as it takes to tell it from the others."""
    labels = []
    for folder in folders:
        others = [other for other in folders if other != folder]
        count = 1
        while any(other.parts[-count:] == folder.parts[-count:] for other in others):
            count += 1
        labels.append("/".join(folder.parts[-count:]))
    return labels


def boards_of(runs: Sequence[Run]) -> tuple[Board, ...]:
    """Sort runs into boards, in the order in which they were given."""
    grouped: dict[tuple[object, ...], list[Run]] = {}
    for run in runs:
        grouped.setdefault(run.setting, []).append(run)
    return tuple(Board(number, tuple(group)) for number, group in enumerate(grouped.values(), 1))
