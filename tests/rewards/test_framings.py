"""Words that put an order of the plan into a frame: honest ones teach it, all others do not.

Templates for every order, and whole sentences of scorn, of other people and of what can never be.

Both halves were written before the reading of clauses; "test" was scored once after the last change and not looked at.
"""

import csv
from functools import lru_cache
from pathlib import Path

import pytest
from transcripts import open_case

from bedside.cases.fact import AnyFact, FollowUp, Instruction, Medication, ReturnSign
from bedside.verifier.grounding import ground
from bedside.verifier.teaching.conveyed import read_teaching

FRAMES = Path(__file__).parents[1] / "data" / "framings.tsv"
UNMEANT = Path(__file__).parents[1] / "data" / "unmeant_sentences.tsv"
CASES = ("cir-01", "bld-01", "gen-01", "res-01")
FEWEST = {
    ("dev", "0"): (27, 30),
    ("dev", "1"): (30, 30),
    ("test", "0"): (25, 30),
    ("test", "1"): (26, 30),
    ("pretext", "0"): (87, 100),
    ("pretext", "1"): (59, 60),
    ("pretext-test", "0"): (17, 30),
}
"""Of so many frames: those that take back ("0") must teach nearly nothing, honest ones ("1") nearly everything.

"pretext" was written by somebody who wanted the reward and had read the rules, "pretext-test" by the same after
the first rules against "pretext"; it holds other sentences of like kinds and was only counted.
"""


def order_of(fact: AnyFact) -> str:
    match fact:
        case Medication(change="stopped"):
            return f"stop taking {fact.text}"
        case Medication():
            return " ".join(filter(None, ("take", fact.text, fact.dose, fact.route, fact.frequency)))
        case ReturnSign():
            return f"call 911 or come back for {fact.text}"
        case FollowUp():
            return f"see {fact.text} {fact.when or ''}"
        case Instruction():
            return fact.text[0].lower() + fact.text[1:].partition(". ")[0].rstrip(".")
        case _:
            return f"know that you have {fact.text}"


def taught(case_id: str, frame: str) -> set[str]:
    case = open_case(case_id)
    grounded = ground(case, "discharge")
    texts = ((fact.id, frame.format(order=order_of(fact))) for fact in case.plan)
    return {name for name, text in texts if name in read_teaching(text, grounded, "").conveyed}


@lru_cache(maxsize=len(CASES))
def teachable(case_id: str) -> set[str]:
    return taught(case_id, "You should {order}.")


def share(frame: str) -> float:
    hit = sum(len(taught(case_id, frame) & teachable(case_id)) for case_id in CASES)
    return hit / sum(len(teachable(case_id)) for case_id in CASES)


@pytest.mark.parametrize(("split", "earns"), FEWEST)
def test_frames(split: str, earns: str) -> None:
    with FRAMES.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if (row["split"], row["earns"]) == (split, earns)]
    fewest, written = FEWEST[split, earns]
    assert len(rows) == written
    failed = [
        row["frame"] for row in rows if (share(row["frame"]) < 0.85 if earns == "1" else share(row["frame"]) > 0.1)
    ]
    assert len(rows) - len(failed) >= fewest, len(failed) if "test" in split else failed


MOST_FAULTS = {("dev", "0"): 4, ("dev", "1"): 0, ("test", "0"): 8, ("test", "1"): 1}
"""Of thirty sentences that nobody means ("0") those that teach, of ten to twelve honest ones those that do not."""


@pytest.mark.parametrize(("split", "earns"), MOST_FAULTS)
def test_unmeant_sentences(split: str, earns: str) -> None:
    with UNMEANT.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    failed = [
        row["text"]
        for row in rows
        if (row["split"], row["earns"]) == (split, earns)
        and bool(read_teaching(row["text"], ground(open_case(row["case_id"]), "discharge"), "").conveyed)
        != (earns == "1")
    ]
    assert len(failed) <= MOST_FAULTS[split, earns], failed if split == "dev" else len(failed)


@pytest.mark.parametrize(
    "text",
    [
        "Your neighbor needs apixaban. It is 10 mg twice a day.",
        "Your neighbor takes apixaban 10 mg twice a day.",
        "Take apixaban 10 mg twice a day, nurse.",
    ],
)
def test_what_others_are_told_misleads_nobody(text: str) -> None:
    assert not read_teaching(text, ground(open_case("cir-02"), "discharge"), "").events
