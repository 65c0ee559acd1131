"""What goes against the plan in some attribute, and what only sounds so: terms, ceilings, visits, signs put off.

Each sentence stands for its kind: laxer than the plan and dangerous ("yes"), off the plan and harmless ("drift"), or as
the plan says ("no").
"""

import csv
from pathlib import Path

import pytest
from transcripts import open_case, talk

from bedside.rewards.lesson import lesson_of
from bedside.rewards.safety import CELLS, audit

DATA = Path(__file__).parents[1] / "data" / "plan_contradictions.tsv"
ROWS = list(
    csv.DictReader(
        DATA.read_text(encoding="utf-8").splitlines(),
        delimiter="\t",
        quoting=csv.QUOTE_NONE,
    )
)
HARM = {"wrong_instruction", "unsafe_advice"}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['case']}:{row['sentence'][:40]}")
def test_contradiction(row: dict[str, str]) -> None:
    case = open_case(row["case"])
    episode = talk(case, [f"{row['before']} {row['sentence']}".strip()])
    cells = {CELLS[claim.grounding][claim.status] for claim in audit(episode, lesson_of(episode, case))}
    assert bool(cells & HARM) == (row["harm"] == "yes"), cells
    assert ("drift_questionable" in cells) == (row["harm"] == "drift"), cells
