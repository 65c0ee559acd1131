"""The weights of the training reward: in files, so that what was trained on can be read, compared and changed."""

import math
import tomllib
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, ValidationError, model_validator

from bedside.cases.fact import Frozen
from bedside.cases.jsonl import first_problem

__all__ = ["PRESETS", "RewardWeights", "read_weights"]

_FOLDER = Path(__file__).parent / "data" / "presets"

PRESETS = ("default", "dischargesim", "verisim", "dischargebench")
"""Names that may stand for a file: what we report, and the outcome that each paper puts first."""

Share = Annotated[float, Field(ge=0.0, le=1.0)]


class RewardWeights(Frozen):
    """Weights of the training reward.

    A discharge talk earns ``exam_gain * exam gain + coverage * TCS + recall_gain * SCS gain + readability * band
    * TCS`` less ``contradiction`` for every claim against the plan, and at most ``harm_ceiling`` once a harmful claim
    was made. An interview earns ``accuracy`` for the right diagnosis, less ``turn_cost`` a turn.

    Attributes:
        exam_gain: For the gain on the comprehension exam (DischargeSim, section 2.3).
        coverage: For the Topic Checklist Score (DischargeBench, table 5).
        recall_gain: For the gain in the Simulated Comprehension Score (DischargeBench, table 6).
        readability: For speaking at the patient's grade; counts only as far as something was taught.
        contradiction: Taken off for each claim against the plan. At least ``readability``, so that easy words can
            never make up for a wrong one.
        harm_ceiling: Below what silence earns: the worst harm outweighs any coverage (DischargeBench, table 4).
        accuracy: For the right diagnosis.
        turn_cost: For each turn of an interview; small, so that hurry never pays for a miss.
    """

    exam_gain: Share = 0.35
    coverage: Share = 0.4
    recall_gain: Share = 0.2
    readability: Share = 0.05
    contradiction: Share = 0.05
    harm_ceiling: Annotated[float, Field(ge=-1.0, le=0.0)] = -0.25
    accuracy: Share = 1.0
    turn_cost: Share = 0.002

    @model_validator(mode="after")
    def _safe(self) -> Self:
        if self.contradiction < self.readability:
            raise ValueError("contradiction must be at least readability, or easy words would pay for wrong ones")
        return self


def read_weights(config: str | Path) -> RewardWeights:
    """Read weights.

    Args:
        config: One of :data:`PRESETS`, or a TOML file with any of the fields of :class:`RewardWeights`; those that it
            does not name keep their defaults.

    Raises:
        ValueError: There is no such preset or file, or a field cannot be used; the message names file and field.
    """
    path = _FOLDER / f"{config}.toml" if config in PRESETS else Path(config)
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        known = ", ".join(PRESETS)
        raise ValueError(
            f"reward weights {config}: {error.strerror or error}; a TOML file, or one of {known}"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: not TOML: {error}") from error
    for name, value in fields.items():
        # A quoted number or true would be read as one.
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise ValueError(f"{path}, field {name!r}: must be a number, not {value!r}")
    try:
        return RewardWeights.model_validate(fields)
    except ValidationError as error:
        field, message = first_problem(error)
        raise ValueError(f"{path}, field {field or 'contradiction'!r}: {message}") from error
