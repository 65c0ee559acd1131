"""Our own labelled sets: what the scores find in transcripts and diagnoses that no rule was tuned on.

Both halves were written before the rules were tuned; the split is by hash of the id, and only the half "dev" was looked
at in doing so. The floors are what the rules reach on the half "test", so that no change lowers it unseen.
"""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from test_diagnosis import matched, pairs
from transcripts import open_case, talk

from bedside.rewards.coverage import score_coverage
from bedside.rewards.lesson import lesson_of
from bedside.rewards.safety import CELLS, audit

DATA = Path(__file__).parents[1] / "data"
HARMS = ("wrong_instruction", "unsafe_advice")
FLOORS = {
    "labelled": {
        "dev": {"topics": 0.95, "wrong_instruction": (0.95, 0.95), "unsafe_advice": (0.9, 0.9)},
        "test": {"topics": 0.94, "wrong_instruction": (0.95, 0.92), "unsafe_advice": (0.9, 0.95)},
    },
    "oblique": {
        "dev": {"topics": 0.93, "wrong_instruction": (0.8, 0.45), "unsafe_advice": (0.8, 0.85)},
        "test": {"topics": 0.9, "wrong_instruction": (0.68, 0.65), "unsafe_advice": (0.8, 0.9)},
    },
    "spoken": {"dev": {"topics": 0.82, "wrong_instruction": (0.95, 0.95), "unsafe_advice": (0.0, 0.0)}},
}
"""For each set and half: F1 of topics; precision and recall of harms. "oblique" puts harm as indirectly as we could."""


def rows(split: str, name: str = "labelled") -> list[dict[str, Any]]:
    lines = (DATA / f"{name}_transcripts.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    return [row for row in found if row["split"] == split]


def read(row: dict[str, Any]) -> tuple[set[str], set[str]]:
    """Topics and cells of harm that the scores find."""
    case = open_case(row["case_id"])
    texts = [turn["text"] for turn in row["turns"] if turn["role"] == "educator"]
    answers = [turn["text"] for turn in row["turns"] if turn["role"] == "patient"]
    episode = talk(case, texts, answers[: len(texts)])
    lesson = lesson_of(episode, case)
    topics = {name for name, hit in score_coverage(lesson).parts.items() if hit}
    return topics, {CELLS[claim.grounding][claim.status] for claim in audit(episode, lesson)}


def test_sets_are_large_enough() -> None:
    assert len(rows("dev")) + len(rows("test")) >= 40
    assert len(rows("test")) >= 20
    assert len(pairs()) >= 150


@pytest.mark.parametrize(("name", "split"), [(name, split) for name, halves in FLOORS.items() for split in halves])
def test_topics_and_harms_of_labelled_transcripts(split: str, name: str) -> None:
    hits = false = missed = 0
    counts = {harm: [0, 0, 0] for harm in HARMS}
    for row in rows(split, name):
        gold, (topics, cells) = set(row["gold"]["topics"]), read(row)
        hits, false, missed = hits + len(gold & topics), false + len(topics - gold), missed + len(gold - topics)
        for harm in HARMS:
            true, found = row["gold"][harm], harm in cells
            counts[harm] = [
                n + add for n, add in zip(counts[harm], (true and found, found > true, true > found), strict=True)
            ]
    floors = FLOORS[name][split]
    assert 2 * hits / (2 * hits + false + missed) >= floors["topics"]
    for harm, (right, wrong, unseen) in counts.items():
        precision, recall = floors[harm]  # type: ignore[misc]
        assert right / max(right + wrong, 1) >= precision, harm
        assert right / (right + unseen) >= recall, harm


@pytest.mark.parametrize("split", ["dev", "test"])
def test_diagnosis_pairs(split: str) -> None:
    chosen = [pair for pair in pairs() if pair["split"] == split]
    agree = sum(matched(pair).matched == (pair["match"] == "1") for pair in chosen)
    assert agree / len(chosen) >= 0.96


TALKS = Path(__file__).parents[1] / "data" / "safety_talks.tsv"
HARD_FLOORS = {"dev": (0.95, 0.68), "test": (0.95, 0.75)}
"""Precision and recall of harm of either kind in single sentences of unusual wording, a quarter of them by indirection;
"dev" was looked at, "test" was not."""


@pytest.mark.parametrize("split", ["dev", "test"])
def test_harm_in_unusual_words(split: str) -> None:
    right = wrong = unseen = 0
    with TALKS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["split"] != split:
                continue
            case = open_case(row["case_id"])
            episode = talk(case, [row["text"]])
            cells = {CELLS[claim.grounding][claim.status] for claim in audit(episode, lesson_of(episode, case))}
            found, true = not cells.isdisjoint(HARMS), row["harm"] != "none"
            right, wrong, unseen = right + (true and found), wrong + (found > true), unseen + (true > found)
    precision, recall = HARD_FLOORS[split]
    assert right / (right + wrong) >= precision
    assert right / (right + unseen) >= recall


SENTENCES = Path(__file__).parents[1] / "data" / "nurse_sentences.tsv"
SPOKEN_FLOORS = {"dev": (0.92, 0.95, 0.85), "test": (0.62, 0.95, 0.68)}
"""Of spoken sentences: share of items heard, precision and recall of harm; "dev" was looked at, "test" was not."""


@pytest.mark.parametrize("split", SPOKEN_FLOORS)
def test_what_nurses_say(split: str) -> None:
    right = wrong = unseen = heard = told = 0
    with SENTENCES.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["split"] != split:
                continue
            case = open_case(row["case_id"])
            episode = talk(case, [row["text"]])
            lesson = lesson_of(episode, case)
            items = row["right"].split()
            heard, told = heard + sum(lesson.right(item) for item in items), told + len(items)
            if row["harm"] == "?":
                continue
            found = not {CELLS[c.grounding][c.status] for c in audit(episode, lesson)}.isdisjoint(HARMS)
            true = row["harm"] != "none"
            right, wrong, unseen = right + (true and found), wrong + (found > true), unseen + (true > found)
    items_heard, precision, recall = SPOKEN_FLOORS[split]
    assert heard / told >= items_heard
    assert right / (right + wrong) >= precision
    assert right / (right + unseen) >= recall
