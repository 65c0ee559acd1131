"""What scores do not tell of episodes: who fell out of role, what was withheld, which facts were heard.

Episodes are read as plain JSON and a line at a time: a suite has thousands, and all that is wanted of each are a few
words and counts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from bedside.benchmarks.runs import EPISODES
from bedside.verifier.manner import breaks_character

__all__ = ["Conversation", "Key", "read_conversations"]

Key = tuple[str, str, int]
"""Policy, case, run."""


@dataclass(frozen=True)
class Conversation:
    """An episode in brief.

    Attributes:
        key: Which one.
        stop: Why it ended.
        turns: How long it was.
        diagnosis: What the doctor committed to.
        patient_broke: Whether the patient said that it is a model.
        clinician_broke: Whether the clinician did.
        fallbacks: Turns in which nothing that the patient said was let through.
        corrected: Turns that were let through after one rejected attempt, after two, and so on.
        told: Facts of the record that the patient stated.
    """

    key: Key
    stop: str | None
    turns: int
    diagnosis: str | None
    patient_broke: bool
    clinician_broke: bool
    fallbacks: int
    corrected: tuple[int, ...]
    told: frozenset[str]


def read_conversations(run: Path) -> Iterator[Conversation]:
    """Read the episodes of a finished run in brief."""
    with (run / EPISODES).open("rb") as lines:
        for line in lines:
            yield _brief(orjson.loads(line))


def _brief(episode: dict[str, Any]) -> Conversation:
    turns = episode["turns"]
    attempts = [len(turn["rejected"]) for turn in turns if not turn["fallback"]]
    return Conversation(
        key=(episode["policy"], episode["case"], episode["run"]),
        stop=episode["stop"],
        turns=len(turns),
        diagnosis=episode["diagnosis"],
        patient_broke=any(breaks_character(turn["patient"]) for turn in turns),
        clinician_broke=any(breaks_character(turn["heard"]) for turn in turns),
        fallbacks=sum(turn["fallback"] for turn in turns),
        corrected=tuple(attempts.count(number) for number in range(1, max(attempts, default=0) + 1)),
        told=frozenset(
            fact
            for turn in turns
            for judgment in turn["verdict"]["judgments"]
            if judgment["label"] == "supported" and not judgment["claim"]["denied"]
            for fact in judgment["evidence"]
        ),
    )
