"""The scores of a run as a table: ``scores.parquet``, one row an episode, in the order of ``episodes.jsonl``.

Tables, reports and comparisons ask for columns of many episodes; reading every word said for them would be slow. The
columns that say what an episode was stand first and are the same in all runs (:data:`EPISODE_COLUMNS`); then come
``score.NAME`` and ``part.NAME.PART`` for whatever was scored, null where it could not be.

Rows are kept in columns while a run goes on: a hundred thousand episodes are some eighty megabytes then, however long
they talked.
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from bedside.benchmarks.runs import SCORES, RunError
from bedside.benchmarks.stats.resampling import Floats
from bedside.cases.case import Case
from bedside.cases.noise import PILLARS
from bedside.envs.episode import Episode
from bedside.rewards.score import Score
from bedside.rewards.scoring import DIAGNOSIS_SCORES, DISCHARGE_SCORES

__all__ = [
    "EPISODE_COLUMNS",
    "SCORES",
    "Row",
    "ScoreColumns",
    "Tables",
    "join_scores",
    "read_scores",
    "score_tables",
    "to_parquet",
]

SCORE, PART, NOISE = "score.", "part.", "noise."

EPISODE_COLUMNS: dict[str, Any] = {
    "policy": pa.string(),
    "case": pa.string(),
    "run": pa.int32(),
    "seed": pa.int64(),
    "chapter": pa.string(),
    "personality": pa.string(),
    "education": pa.int8(),
    "literacy": pa.string(),
    "recall": pa.string(),
    **{NOISE + pillar: pa.int8() for pillar in PILLARS},
    "stop": pa.string(),
    "fault": pa.string(),
    "turns": pa.int32(),
    "calls": pa.int64(),
    "prompt_tokens": pa.int64(),
    "completion_tokens": pa.int64(),
    "cost": pa.float64(),
    "engine.patient": pa.string(),
    "engine.verifier": pa.string(),
    "engine.orchestrator": pa.string(),
    "engine.scores": pa.string(),
}
"""What every row begins with, by name and type.

``chapter`` is null where the case has none, ``fault`` where nothing broke. ``engine.scores`` names all who scored, with
commas. Tokens and cost are those of the clinician and of all other language models that took part.
"""

Tables = dict[str, dict[str, Floats]]
"""By policy and score an array of shape (cases, runs); NaN where unscored."""


@dataclass(frozen=True)
class Row:
    """One episode of the table.

    Attributes:
        about: Values of :data:`EPISODE_COLUMNS`, in that order.
        values: Scores and their parts by the names of their columns; None is unscored.
    """

    about: tuple[str | int | float | None, ...]
    values: dict[str, float | None] = field(default_factory=dict)

    @classmethod
    def of(cls, episode: Episode, case: Case, scores: Mapping[str, Score], fault: str | None) -> "Row":
        """Describe an episode.

        Args:
            episode: What happened.
            case: Its case.
            scores: What it scored; empty if scoring broke.
            fault: What broke, if anything did.
        """
        persona, usage = episode.persona, episode.usage
        about = (
            episode.policy,
            episode.case,
            episode.run,
            episode.seed,
            case.chapter,
            persona.personality,
            persona.education,
            persona.literacy,
            persona.recall,
            *(getattr(persona.noise, pillar) for pillar in PILLARS),
            None if episode.stop is None else str(episode.stop),
            fault,
            len(episode.turns),
            usage.calls,
            usage.prompt_tokens,
            usage.completion_tokens,
            usage.cost,
            *(episode.engines.get(role) for role in ("patient", "verifier", "orchestrator")),
            ",".join(sorted({score.engine for score in scores.values()})) or None,
        )
        values = {SCORE + name: score.value for name, score in scores.items()}
        for name, score in scores.items():
            values |= {f"{PART}{name}.{part}": value for part, value in score.parts.items()}
        return cls(about, values)


class ScoreColumns:
    """Collects the rows of a run, which come in any order."""

    def __init__(self, total: int) -> None:
        """Make room.

        Args:
            total: How many rows there will be.
        """
        self._total = total
        self._about: list[list[Any]] = [[None] * total for _ in EPISODE_COLUMNS]
        self._values: dict[str, array[float]] = {}

    def add(self, number: int, row: Row) -> None:
        """Put a row into its place.

        Args:
            number: That of the task, from 0.
            row: What to put there.
        """
        for column, value in zip(self._about, row.about, strict=True):
            # The same few words stand in all rows; those that came from another process are copies.
            column[number] = intern(value) if isinstance(value, str) else value
        for name, value in row.values.items():
            if name not in self._values:
                self._values[name] = array("d", (np.nan,)) * self._total
            if value is not None:
                self._values[name][number] = value

    def table(self) -> Any:
        """Return all rows as a ``pyarrow.Table``; its columns do not depend on the order in which rows came."""
        columns = {
            name: pa.array(values, kind)
            for (name, kind), values in zip(EPISODE_COLUMNS.items(), self._about, strict=True)
        }
        for name in sorted(self._values, key=_rank):
            columns[name] = pa.array(np.frombuffer(self._values[name]), from_pandas=True)
        return pa.table(columns)


def _rank(column: str) -> tuple[bool, int, str]:
    """Order columns by their names alone: scores before parts, each as the scoring names them, then others."""
    kind, _, name = column.partition(".")
    score = name.partition(".")[0]
    return kind == "part", _KNOWN.index(score) if score in _KNOWN else len(_KNOWN), name


_KNOWN = tuple(dict.fromkeys((*DIAGNOSIS_SCORES[:1], *DISCHARGE_SCORES)))


def join_scores(tables: Sequence[Any], order: Sequence[int]) -> Any:
    """Put the scores of several runs into one table.

    Args:
        tables: As of :func:`read_scores`; scores that one of them does not have are null in its rows.
        order: Which row of all, counted through, comes where.
    """
    joined = pa.concat_tables(tables, promote_options="default").take(pa.array(order)).combine_chunks()
    names = joined.column_names
    return joined.select([*EPISODE_COLUMNS, *sorted(names[len(EPISODE_COLUMNS) :], key=_rank)])


def to_parquet(table: Any) -> bytes:
    """Return the content of ``scores.parquet``; equal tables give equal bytes."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    content: bytes = sink.getvalue().to_pybytes()
    return content


def read_scores(run: Path) -> Any:
    """Read the scores of a finished run.

    Args:
        run: The run folder.

    Returns:
        A ``pyarrow.Table``, a row an episode in the order of ``episodes.jsonl``: :data:`EPISODE_COLUMNS`, then
        ``score.NAME``, then ``part.NAME.PART``.

    Raises:
        RunError: The run is not finished, or the file is missing or damaged; the message says what to do.
    """
    path = run / SCORES
    try:
        table = pq.read_table(pa.BufferReader(path.read_bytes()))
    except FileNotFoundError as error:
        raise RunError(f"{run} has no {SCORES}; finish the run with --resume") from error
    except OSError as error:
        raise RunError(f"{path}: {error.strerror or error}") from error
    except pa.ArrowInvalid as error:
        raise RunError(f"{path} is damaged; delete it and finish the run with --resume") from error
    if missing := [name for name in EPISODE_COLUMNS if name not in table.column_names]:
        raise RunError(f"{path} has no column {missing[0]}; delete it and finish the run with --resume")
    return table


def score_tables(table: Any, runs: int) -> Tables:
    """Arrange the scores of a run for the intervals.

    Args:
        table: As of :func:`read_scores`.
        runs: Episodes that stand next to each other for one case.
    """
    policies = np.array(table["policy"].to_pylist(), dtype=object)
    names = [name for name in table.column_names if name.startswith(SCORE)]
    columns = {name.removeprefix(SCORE): table[name].to_numpy() for name in names}
    return {
        policy: {name: values[policies == policy].reshape(-1, runs) for name, values in columns.items()}
        for policy in dict.fromkeys(policies)
    }
