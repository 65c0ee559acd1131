"""What diseases are called, for diagnoses that the knowledge does not hold."""

import pytest

from bedside.cases.case import Diagnosis
from bedside.rewards.diagnosis import match_diagnosis
from bedside.rewards.disease_names import classified, named_within, respelt


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


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("dissection of the aorta", "aortic dissection"),
        ("torsion of the testicle", "testicular torsion"),
        ("toxic multinodular goitre", "toxic multinodular goiter"),
        ("haemorrhoids", "hemorrhoids"),
        ("malignant neoplasm of the pancreas", "pancreatic cancer"),
        ("type II diabetes mellitus", "type 2 diabetes mellitus"),
        ("broken clavicle", "fracture of clavicle"),
    ],
)
def test_order_spelling_and_part_of_speech_do_not_change_a_name(one, other):
    assert classified(one)[:3] == classified(other)[:3] != ""


def test_the_name_with_most_words_is_found_in_a_phrase():
    assert named_within("her low blood sugar this morning").icd10 == "E16.2"
    assert named_within("a thoracic, type B, dissection of the aorta").icd10[:3] == "I71"
    assert named_within("a bad day at the office") is None


@pytest.mark.parametrize(("said", "code"), [("as before, a PE again", "I26"), ("as seen in a pe class", None)])
def test_a_short_name_counts_among_other_words_only_in_capitals(said, code):
    found = named_within(said)
    assert (found and found.icd10[:3]) == code


def test_a_misspelt_word_is_mended_unless_it_turns_into_its_opposite():
    assert respelt("acute tonsilitis") == "acute tonsillitis"
    assert respelt("hypokalemia") == "hypokalemia"
    assert respelt("Kawabata") == "Kawabata"


@pytest.mark.parametrize(
    "answer",
    [
        "I first thought of appendicitis, but this is ovarian torsion.",
        "History of appendicitis, now ovarian torsion",
        "Could this be appendicitis? No. It is ovarian torsion.",
        "Appendicitis cannot be excluded, but ovarian torsion is the working diagnosis",
        "Ovarian torsion mimicking appendicitis",
    ],
)
def test_what_came_before_or_was_dismissed_is_not_the_answer(answer):
    assert match_diagnosis(answer, Diagnosis(text="ovarian torsion", icd10="N83.51")).matched
    assert not match_diagnosis(answer, Diagnosis(text="acute appendicitis", icd10="K35.80")).matched


def test_background_is_the_answer_when_nothing_else_is():
    assert match_diagnosis("Known gout", Diagnosis(text="gout", icd10="M10.9")).matched
