"""Synthetic notes: the same seed gives the same bytes, and an import finds in them what was written."""

from collections import Counter

import pytest

from bedside.authoring.synthetic.agreement import agreement, f1
from bedside.authoring.synthetic.drug_lists import HANDS
from bedside.authoring.synthetic.hospital import read_answers, write_hospital
from bedside.cases.case import Case
from bedside.cases.sources import load_cases, stream_cases


@pytest.fixture(scope="module")
def told():
    return load_cases("open:dev")


@pytest.fixture(scope="module")
def hospital(told, tmp_path_factory):
    folder = tmp_path_factory.mktemp("hospital")
    write_hospital(folder, told, 150, seed=3)
    return folder


def imported(folder):
    return [item for item in stream_cases(f"mimic-note:{folder}") if isinstance(item, Case)]


def test_the_same_seed_gives_the_same_bytes(told, tmp_path):
    for name in ("one", "two"):
        write_hospital(tmp_path / name, told[:5], 12, seed=1)
    write_hospital(tmp_path / "other", told[:5], 12, seed=2)
    files = [path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file()]
    assert len(files) == 5
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    notes = [(tmp_path / name / "note" / "discharge.csv.gz").read_bytes() for name in ("one", "other")]
    assert notes[0] != notes[1]


def test_an_import_finds_what_was_written(hospital):
    result = agreement(imported(hospital), read_answers(hospital))
    assert set(result.outcome) == {"kept", "dropped"}
    groups = {"drugs": Counter(), "others": Counter()}
    for kind, counts in result.kinds.items():
        groups["drugs" if kind.startswith("drug") else "others"] += counts
    assert f1(groups["drugs"]) >= 0.99, result.wrong
    assert f1(groups["others"]) >= 0.97, result.wrong
    assert {("hand", hand, "drugs") for hand in HANDS} <= set(result.habits)


def test_what_was_not_found_and_what_was_made_up_both_count(hospital):
    cases = imported(hospital)
    spoilt = [case.model_copy(update={"plan": case.plan[1:]}) for case in cases]
    whole, less = (agreement(some, read_answers(hospital)) for some in (cases, spoilt))
    assert sum(c["missed"] for c in less.kinds.values()) > sum(c["missed"] for c in whole.kinds.values())
    swapped = [case.model_copy(update={"plan": cases[0].plan}) for case in cases]
    assert agreement(swapped, read_answers(hospital)).kinds["drug"]["extra"] > whole.kinds["drug"]["extra"]
    assert agreement(cases[1:], read_answers(hospital)).outcome["not kept"] == 1
