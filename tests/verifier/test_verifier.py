import time

import numpy as np
import pytest

from bedside.benchmarks.saboteur import refine
from bedside.benchmarks.verifier import CASES, CLAIMS, Labelled, read_labelled, score
from bedside.cases.noise import NoiseProfile
from bedside.cases.sources import load_cases
from bedside.verifier.grounding import ground
from bedside.verifier.verifier import RulesVerifier

OPEN = {case.id: case for case in load_cases("open")}
HEART = ground(OPEN["cir-01"], "interview")
LABELLED = read_labelled(CLAIMS, [*OPEN.values(), *load_cases(str(CASES))])
VERIFIER = RulesVerifier()
CLEAR = NoiseProfile()


def split(name: str) -> list[Labelled]:
    return [row for row in LABELLED if row.split == name]


def test_the_labelled_set_is_what_it_should_be():
    assert sum(len(row.claims) for row in LABELLED) >= 500
    assert len({row.case.id for row in LABELLED}) >= 24
    assert {r.case.id for r in split("dev")}.isdisjoint(r.case.id for r in split("test"))


@pytest.mark.parametrize(
    ("name", "claim_f1", "claim_recall", "utterance_f1"),
    [("dev", 0.95, 0.92, 0.89), ("test", 0.91, 0.88, 0.85)],
)
def test_fabrications_are_found(name, claim_f1, claim_recall, utterance_f1):
    """The gates lie a little below the figures in docs/verifier.md."""
    scores = score(split(name))
    assert scores.claims.f1 >= claim_f1
    assert scores.claims.recall >= claim_recall
    assert scores.utterances.f1 >= utterance_f1


def test_nothing_flagged_reaches_the_clinician():
    outcomes = refine(1500)
    assert outcomes.reached == 0
    # Every third turn holds an invention; the rules see all but one in two hundred.
    assert outcomes.missed <= 0.005 * outcomes.turns / 3
    assert outcomes.flagged + outcomes.missed == 500
    assert min(outcomes.corrected_on_attempt_1, outcomes.corrected_on_attempt_2, outcomes.routed_to_fallback) > 0


@pytest.mark.parametrize(
    ("utterance", "violation"),
    [
        ("As an AI language model I cannot feel pain.", "ai_disclosure"),
        ("I'm a simulated patient.", "ai_disclosure"),
        ("Doctor: How can I help you today?", "role_reversal"),
        ("I'd recommend an ECG and some aspirin.", "role_reversal"),
        ("", "unreadable"),
        ("   ", "unreadable"),
        ("I'm having a heart attack.", "diagnosis_leak"),
        ("They wrote I21.4 on my chart.", "diagnosis_leak"),
        ("I'm 35 years old.", "demographic_drift"),
        ("I don't smoke.", "unjustified_denial"),
        ("I take warfarin.", "fabrication"),
    ],
)
def test_violations_are_named(utterance, violation):
    verdict = VERIFIER.verify(utterance, HEART, CLEAR)
    assert verdict.overall == "regenerate"
    assert violation in verdict.violations


def test_taking_back_what_was_said_is_a_contradiction():
    noise = NoiseProfile(social_cultural=3)
    assert VERIFIER.verify("I don't smoke cigarettes.", HEART, noise).overall == "pass"
    verdict = VERIFIER.verify("I don't smoke cigarettes.", HEART, noise, ["I smoke cigarettes, half a pack a day."])
    assert verdict.violations == ("contradiction",)


def test_correcting_back_to_the_record_is_no_contradiction():
    verdict = VERIFIER.verify("I do smoke cigarettes, half a pack a day.", HEART, CLEAR, ["I don't smoke cigarettes."])
    assert verdict.overall == "pass"


def test_feedback_names_the_wrong_claim_and_the_record():
    verdict = VERIFIER.verify("I take warfarin every day.", HEART, CLEAR)
    assert "warfarin" in verdict.feedback
    assert "lisinopril" in verdict.feedback


def test_a_wrong_dose_leaves_the_drug_right():
    verdict = VERIFIER.verify("I take lisinopril, twenty milligrams.", HEART, CLEAR)
    assert [(j.claim.kind, j.label) for j in verdict.judgments] == [
        ("medication", "supported"),
        ("regimen", "fabricated"),
    ]


@pytest.mark.parametrize(
    "utterance",
    [
        "Well, um, to be honest I have diabetes, ha ha, just like everybody.",
        "MY LEG IS BROKEN AND I TAKE MORPHINE",
        "i  take   warfarin",
        "I’ve got “diabetes”, and I’m on insulin…",
        "No pain, no gain! I take warfarin though.",
        "It's not that I don't have diabetes.",
        "Who would have thought. I have diabetes. Nice weather, isn't it?",
        "Chest pressure, yes. Lisinopril, yes. And methadone.",
    ],
)
def test_fabrications_do_not_hide(utterance):
    assert VERIFIER.verify(utterance, HEART, CLEAR).overall == "regenerate"


def test_a_call_is_quick():
    rows = split("test")
    took = []
    for row in rows * 2:
        grounded = ground(row.case, "interview")
        begin = time.thread_time()
        VERIFIER.verify(row.utterance, grounded, row.noise, row.history, row.doctor)
        took.append(time.thread_time() - begin)
    # Budget 1 and 10 ms on a quiet machine; test machines are neither quick nor quiet.
    assert np.median(took) < 0.004
    assert np.quantile(took, 0.99) < 0.040
