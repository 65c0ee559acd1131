"""The classification's own names, for diagnoses that the knowledge does not hold."""

import pytest

from bedside.cases.case import Diagnosis
from bedside.rewards.diagnosis import match_diagnosis
from bedside.rewards.icd_terms import classified


@pytest.mark.parametrize(
    ("name", "category"),
    [
        ("croup", "J05"),
        ("hepatitis A", "B15"),
        ("viral hepatitis A", "B15"),
        ("Meniere's disease", "H81"),
        ("Ménière", "H81"),
        ("severe scarlet fever", "A38"),
        ("cryptococcal meningitis", "B45"),
        ("Kikuchi lymphadenitis of the left elbow", ""),
        ("", ""),
    ],
)
def test_a_name_finds_its_category(name, category):
    assert classified(name)[:3] == category


@pytest.mark.parametrize(
    ("prediction", "reference", "icd10", "matched"),
    [
        ("croup", "acute obstructive laryngitis", "J05.0", True),
        ("cryptococcal meningitis", "meningitis due to Cryptococcus", "B45.1", True),
        ("hepatitis", "acute hepatitis A", None, False),
        ("Wilson disease", "hepatolenticular degeneration", "E83.01", True),
        ("toxoplasmosis", "cat-scratch disease", None, False),
    ],
)
def test_diseases_beyond_the_knowledge_are_matched_by_category(prediction, reference, icd10, matched):
    assert match_diagnosis(prediction, Diagnosis(text=reference, icd10=icd10)).matched is matched
