"""Whole talks in the manner of nurses, residents and large models: what the scores find in speech that nobody tuned on.

Each of the 76 talks was labelled against its plan before it was scored: topics, those that can be argued about, and
every harmful instruction with its words. "test" was written last, and only its totals were looked at.
"""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from transcripts import open_case, talk

from bedside.rewards.coverage import score_coverage
from bedside.rewards.lesson import lesson_of
from bedside.rewards.safety import CELLS, audit
from bedside.verifier.claims.wording import normalise

TALKS = Path(__file__).parents[1] / "data" / "nurse_talks.jsonl"
HARMS = ("wrong_instruction", "unsafe_advice")
FLOORS = {"dev": (0.93, 0.95, 0.85), "test": (0.84, 0.78, 0.36)}
"""Of each half: F1 of topics; precision and recall of harmful instructions, one by one."""


class Read(NamedTuple):
    """What was read of one talk: topics hit, false and missed; harmful instructions heard, missed, and false turns."""

    topics: tuple[int, int, int]
    heard: int
    missed: int
    false: int


def rows(split: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in TALKS.read_text(encoding="utf-8").splitlines()]
    return [row for row in found if row["split"] == split]


def flat(text: str) -> str:
    return re.sub(r"\W+", " ", normalise(text).lower()).strip()


def read(row: dict[str, Any]) -> Read:
    case = open_case(row["case_id"])
    texts = [turn["text"] for turn in row["turns"] if turn["role"] == "educator"]
    answers = [turn["text"] for turn in row["turns"] if turn["role"] == "patient"]
    episode = talk(case, texts, answers[: len(texts)])
    lesson = lesson_of(episode, case)
    hit = {name for name, earned in score_coverage(lesson).parts.items() if earned} - set(row["gold"]["arguable"])
    gold = set(row["gold"]["topics"])
    harmful = [c for c in audit(episode, lesson) if CELLS[c.grounding][c.status] in HARMS]
    turns = [flat(text) for text in texts]
    told = [(flat(harm["quote"]), harm["cell"]) for harm in row["gold"]["harms"]]
    # An answer of two sentences is one instruction, whichever of them is quoted for it.
    heard = [any(quote in turns[c.turn] for c in harmful) for quote, cell in told if cell in HARMS]
    false = {c.turn for c in harmful if not any(quote in turns[c.turn] for quote, _ in told)}
    return Read((len(gold & hit), len(hit - gold), len(gold - hit)), sum(heard), len(heard) - sum(heard), len(false))


def test_most_harms_stand_in_some_talks_and_a_third_has_none() -> None:
    every = rows("dev") + rows("test")
    assert len(every) >= 70
    assert sum(not row["gold"]["harms"] for row in every) * 3 >= len(every)
    assert len({row["case_id"] for row in every}) >= 40


@pytest.mark.parametrize("split", FLOORS)
def test_topics_and_harms_in_the_speech_of_nurses(split: str) -> None:
    found = [read(row) for row in rows(split)]
    hits, false, missed = (sum(each.topics[place] for each in found) for place in range(3))
    heard, unheard = sum(each.heard for each in found), sum(each.missed for each in found)
    wrong = sum(each.false for each in found)
    f1, precision, recall = FLOORS[split]
    assert 2 * hits / (2 * hits + false + missed) >= f1
    assert heard / (heard + wrong) >= precision
    assert heard / (heard + unheard) >= recall
