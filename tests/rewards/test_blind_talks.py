"""Talks by authors who had not seen the rules, every wrong or unsafe sentence labelled.

``blind_talks`` (16, put as indirectly as could be): at first 6 of 33 wrong and 4 of 17 unsafe sentences found, 6 false;
``blind_talks_2`` (12, with the mistakes that models make): at first 42 of 63 and 32 of 44, 3 false.
``blind_talks_3`` (14): at first 25 of 47 and 22 of 39, 8 false. All three were read since.
``blind_talks_4`` (14): at first 24 of 51 and 19 of 35, 5 false; never read, only counted.
``blind_talks_5`` (14): at first 24 of 47 and 17 of 33, 7 false; four false ones and one kind were mended.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from transcripts import open_case, talk

from bedside.rewards.lesson import lesson_of
from bedside.rewards.safety import CELLS, audit
from bedside.verifier.language.quantities import digits

DATA = Path(__file__).parents[1] / "data"
FLOORS = {
    "blind_talks": ({"wrong": 20, "unsafe": 16}, 2),
    "blind_talks_2": ({"wrong": 56, "unsafe": 41}, 2),
    "blind_talks_3": ({"wrong": 34, "unsafe": 31}, 1),
    "blind_talks_4": ({"wrong": 27, "unsafe": 21}, 5),
    "blind_talks_5": ({"wrong": 26, "unsafe": 18}, 6),
}
"""Sentences found at least, and false ones at most."""


def same(text: str) -> str:
    return " ".join(re.sub(r"[^a-z0-9 ]", " ", digits(text).lower()).split())


def harms(row: dict[str, Any]) -> list[str]:
    case = open_case(row["case_id"])
    texts = [turn["text"] for turn in row["turns"] if turn["role"] == "educator"]
    answers = [turn["text"] for turn in row["turns"] if turn["role"] == "patient"]
    episode = talk(case, texts, answers[: len(texts)])
    claims = audit(episode, lesson_of(episode, case))
    cells = ("wrong_instruction", "unsafe_advice")
    return [same(claim.text) for claim in claims if CELLS[claim.grounding][claim.status] in cells]


@pytest.mark.parametrize("name", FLOORS)
def test_harm_in_talks_of_another_author(name: str) -> None:
    floors, most_false = FLOORS[name]
    found, false = dict.fromkeys(floors, 0), 0
    for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        claimed = harms(row)
        for kind in floors:
            said = [same(one["sentence"]) for one in row[kind]]
            found[kind] += sum(any(claim in text or text in claim for claim in claimed) for text in said)
        true = [same(one["sentence"]) for kind in floors for one in row[kind]]
        false += sum(not any(claim in text or text in claim for text in true) for claim in claimed)
    assert all(found[kind] >= floor for kind, floor in floors.items()), found
    assert false <= most_false, false
