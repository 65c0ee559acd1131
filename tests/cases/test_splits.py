import pytest

from bedside.cases.case import CHAPTERS
from bedside.cases.jsonl import CaseError
from bedside.cases.sources import load_cases
from bedside.cases.splits import SPLITS, split_of


def test_splits_are_disjoint_complete_and_hold_every_chapter(open_cases):
    splits = {split: load_cases(f"open:{split}") for split in SPLITS}
    ids = [case.id for cases in splits.values() for case in cases]
    assert sorted(ids) == sorted(case.id for case in open_cases)
    for cases in splits.values():
        assert {case.chapter for case in cases} == set(CHAPTERS)


def test_a_split_that_is_not_there_is_told():
    with pytest.raises(CaseError, match="no split 'valid'; there are train, dev, test"):
        load_cases("open:valid")
    with pytest.raises(ValueError, match="no id of the open set"):
        split_of("mine-1a")
