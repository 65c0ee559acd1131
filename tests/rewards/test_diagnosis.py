"""Diagnosis matching against labelled pairs, rule by rule (VeriSim, appendix F.5 and table A8)."""

import csv
from pathlib import Path

import pytest
from transcripts import open_cases

from bedside.cases.case import Case, Diagnosis
from bedside.rewards.diagnosis import Match, match_diagnosis

PAIRS = Path(__file__).parents[1] / "data" / "diagnosis_pairs.tsv"
MI = Diagnosis(
    text="non-ST-elevation myocardial infarction", icd10="I21.4", synonyms=("NSTEMI", "acute coronary syndrome")
)


def pairs() -> list[dict[str, str]]:
    with PAIRS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_there_are_enough_pairs() -> None:
    assert len(pairs()) >= 80


def matched(pair: dict[str, str]) -> Match:
    synonyms = tuple(filter(None, pair["synonyms"].split("|")))
    reference = Diagnosis(text=pair["reference"], icd10=pair["icd10"] or None, synonyms=synonyms)
    return match_diagnosis(pair["prediction"].replace("\\n", "\n"), reference)


# The later sets are judged as a whole in test_labelled.py: half of each was never looked at.
@pytest.mark.parametrize(
    "pair",
    [pair for pair in pairs() if not pair["note"].endswith(" set")],
    ids=lambda pair: f"{pair['prediction'][:40]} | {pair['reference']}",
)
def test_pair(pair: dict[str, str]) -> None:
    match = matched(pair)
    assert match.matched == (pair["match"] == "1"), match


@pytest.mark.parametrize("case", open_cases(), ids=lambda case: case.id)
def test_each_case_matches_its_own_names(case: Case) -> None:
    for name in (case.diagnosis.text, *case.diagnosis.synonyms):
        assert match_diagnosis(f"Final Diagnosis: {name}", case.diagnosis).matched, name


FAR_APART = tuple(case for case in open_cases() if case.id[-2:] <= "03")
"""Three cases of each chapter with diagnoses of their own: among twenty, kinds of one disease share their names."""


@pytest.mark.parametrize("case", FAR_APART, ids=lambda case: case.id)
def test_a_case_matches_no_other_case(case: Case) -> None:
    names = {case.diagnosis.text, *case.diagnosis.synonyms}
    category = (case.diagnosis.icd10 or "")[:3]
    for other in FAR_APART:
        # Pneumonias of two categories are both called "pneumonia".
        shared = not names.isdisjoint((other.diagnosis.text, *other.diagnosis.synonyms))
        if (other.diagnosis.icd10 or "")[:3] != category and not shared:
            assert not match_diagnosis(other.diagnosis.text, case.diagnosis).matched, other.diagnosis.text


def test_stages_are_told_apart() -> None:
    assert match_diagnosis("Non-ST-elevation myocardial infarction", MI).stage == "exact"
    assert match_diagnosis("heart attack", MI).stage == "icd10"
    assert match_diagnosis("STEMI", MI).stage == "icd10-sibling"
    assert match_diagnosis("acute coronary syndrome", MI).stage == "synonym"
    assert match_diagnosis("", MI).stage == "unanswered"
    assert match_diagnosis("zzyzx disease", MI).stage == "none"


def test_rules_differ_in_strictness() -> None:
    assert match_diagnosis("non-ST-elevation myocardial infarction", MI, "exact").matched
    assert not match_diagnosis("heart attack", MI, "exact").matched
    assert match_diagnosis("heart attack", MI, "icd10").matched
    assert not match_diagnosis("acute coronary syndrome", MI, "icd10").matched
    assert match_diagnosis("acute coronary syndrome", MI, "cascade").matched


def test_without_codes_concept_and_spelling_decide() -> None:
    reference = Diagnosis(text="Kawabata syndrome", synonyms=("Kawabata's disease",))
    assert match_diagnosis("Kawabta syndrome", reference).matched
    assert match_diagnosis("probable Kawabata's disease", reference).stage == "synonym"
    assert not match_diagnosis("Kawasaki disease", reference).matched
