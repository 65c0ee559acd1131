"""Sixteen talks by an author who had not seen the rules, every wrong or unsafe sentence labelled.

First run: 6 of 33 wrong and 4 of 17 unsafe sentences found, 6 false. The set has been read since and learned from.
"""

import json
import re
from pathlib import Path
from typing import Any

from transcripts import open_case, talk

from bedside.rewards.lesson import lesson_of
from bedside.rewards.safety import CELLS, audit
from bedside.verifier.language.quantities import digits

TALKS = Path(__file__).parents[1] / "data" / "blind_talks.jsonl"
FOUND = {"wrong": 15, "unsafe": 16}
MOST_FALSE = 5


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


def test_harm_in_talks_of_another_author() -> None:
    found, false = dict.fromkeys(FOUND, 0), 0
    for line in TALKS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        claimed = harms(row)
        for kind in FOUND:
            said = [same(one["sentence"]) for one in row[kind]]
            found[kind] += sum(any(claim in text or text in claim for claim in claimed) for text in said)
        true = [same(one["sentence"]) for kind in FOUND for one in row[kind]]
        false += sum(not any(claim in text or text in claim for text in true) for claim in claimed)
    assert all(found[kind] >= floor for kind, floor in FOUND.items()), found
    assert false <= MOST_FALSE
