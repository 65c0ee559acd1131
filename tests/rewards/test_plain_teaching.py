"""How people really teach: a drug, then its dose; layouts; warm words; signs, stops and side effects in spoken English.

Both halves were written before the rules were mended. "test" was only counted, never looked at.
"""

import csv
from pathlib import Path

import pytest
from transcripts import open_case

from bedside.verifier.grounding import ground
from bedside.verifier.teaching.conveyed import read_teaching

TAUGHT = Path(__file__).parents[1] / "data" / "plain_teaching.tsv"
FEWEST = {"dev": 40, "test": 28}
"""Of 40 and 30 rows."""


def faults(row: dict[str, str]) -> list[str]:
    """Compare what a row's turns teach with its labels; "!item" must be neither right nor wrong."""
    grounded = ground(open_case(row["case_id"]), "discharge")
    last: dict[str, bool] = {}
    about = ""
    for turn in row["text"].replace("\\n", "\n").split(" || "):
        reading = read_teaching(turn, grounded, "Okay.", about)
        last |= {event.item.removeprefix(f"{row['case_id']}-"): event.right for event in reading.events}
        about = reading.about
    right, wrong = row["right"].split(), set(row["wrong"].split())
    unheard = [item for item in right if (item[1:] in last if item.startswith("!") else last.get(item) is not True)]
    found = {item for item, is_right in last.items() if not is_right}
    return [*unheard, *sorted(f"{item} wrong" for item in found ^ wrong)]


@pytest.mark.parametrize("split", FEWEST)
def test_plain_teaching(split: str) -> None:
    with TAUGHT.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row["split"] == split]
    failed = [(row["text"], found) for row in rows if (found := faults(row))]
    assert len(rows) - len(failed) >= FEWEST[split], failed if split == "dev" else len(failed)
