"""What a run is: the names of its files, the settings that decide its result, and the one error about its folder.

``config.yaml`` holds everything that decides the result, ``episodes.jsonl`` one line an episode, ``scores.parquet``
its scores as a table, ``summary.json`` the figures, ``timing.json`` what it took by the clock. How they are written is
told in :mod:`bedside.benchmarks.folder`.
"""

from pathlib import Path

import yaml
from pydantic import ValidationError

from bedside.cases.fact import Frozen
from bedside.cases.jsonl import first_problem
from bedside.rewards.weights import RewardWeights

__all__ = ["CONFIG", "EPISODES", "SCORES", "SUMMARY", "TIMING", "RunConfig", "RunError", "read_config"]

CONFIG, EPISODES, SCORES, SUMMARY = "config.yaml", "episodes.jsonl", "scores.parquet", "summary.json"
TIMING = "timing.json"

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
        limit: Only so many cases, the first ones; None for all.
        spread: Whether the limit took them from all over the source instead.
        verifier: Who checked the patients, by name.
        patient: Who played them, by name.
        orchestrator: Who decided when a talk ends, by name.
        judge: Who scored, by name.
        max_turns: Longest talk; None for what the environment has.
        briefing: What educators were told: ``full`` or ``compact``.
        documents: Whether a summary and a checklist were asked for after the talk.
        temperature: Of the clinicians that are language models; None if there are none.
        max_tokens: The same.
        prices: Of models, for a million tokens in and out; ``""`` for those not named.
        reward: Weights of the training reward.
        shard: Which part of the cases this is, as ``2/8``; None for all.
        code: Hash of bedside's own source, so that a resumed run never mixes two versions of a score.
        played_code: The same of the source that played the episodes, where they were scored again later.
        versions: Of what else decides a result: Python, numpy, the platform, …
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
    spread: bool = False
    verifier: str = "rules"
    patient: str = "embedded"
    orchestrator: str = "embedded"
    judge: str = "embedded"
    max_turns: int | None = None
    briefing: str = "full"
    documents: bool = False
    temperature: float | None = None
    max_tokens: int | None = None
    prices: dict[str, tuple[float, float]] = {}
    reward: RewardWeights = RewardWeights()
    shard: str | None = None
    code: str
    played_code: str | None = None
    versions: dict[str, str]

    def to_yaml(self) -> bytes:
        """Return the configuration as it stands in ``config.yaml``."""
        return yaml.safe_dump(self.model_dump(mode="json"), sort_keys=False, allow_unicode=True).encode()

    @property
    def engines(self) -> tuple[str, ...]:
        """All who take part, by the names that were given: clinicians, patient, orchestrator, verifier, judge."""
        verifier = self.verifier.partition(":")[2] or self.verifier
        return (*self.policies, self.patient, self.orchestrator, verifier, self.judge)

    @property
    def whole(self) -> "RunConfig":
        """The evaluation that this is a shard of, less the number of its cases; itself if it is none."""
        return self if self.shard is None else self.model_copy(update={"shard": None, "case_count": 0})

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


def read_config(path: Path) -> RunConfig:
    """Read the configuration of a run folder.

    Raises:
        RunError: There is none, or it cannot be read.
    """
    try:
        return RunConfig.model_validate(yaml.safe_load((path / CONFIG).read_bytes()))
    except FileNotFoundError as error:
        raise RunError(f"{path} is not a run folder: it has no {CONFIG}") from error
    except OSError as error:
        raise RunError(f"{path / CONFIG}: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise RunError(f"{path / CONFIG}: not YAML: {' '.join(str(error).split())}") from error
    except ValidationError as error:
        field, message = first_problem(error)
        raise RunError(f"{path / CONFIG}{f', field {field}' if field else ''}: {message}") from error
