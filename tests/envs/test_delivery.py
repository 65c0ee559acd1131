import pytest
from hypothesis import given
from hypothesis import strategies as st

import bedside
from bedside.clinicians.registry import make_clinician
from bedside.clinicians.rollout import rollout
from bedside.envs.delivery import complete_sentences, spoken

LONG = (
    "Well, I have had it for some time, and one day it is here, the next it is there, and then it stops, "
    "for all I can tell, but who knows. "
)


@pytest.mark.parametrize(
    ("candidate", "said", "repairs"),
    [
        ("It hurts here, since Monday.", "It hurts here, since Monday.", ()),
        ("Patient: It hurts.", "It hurts.", ("label",)),
        ("**Patient (anxious):** It hurts.", "It hurts.", ("label",)),
        ('Response: "It hurts."', "It hurts.", ("label",)),
        ("*sighs* It *really* hurts. (looks away)", "It really hurts.", ("stage_direction", "markup")),
        ("[pauses] Well: it hurts (pointing to my chest) here.", "Well: it hurts here.", ("stage_direction",)),
        ("(nervously) It hurts.", "It hurts.", ("stage_direction",)),
        ("It hurts.\nDoctor: Where?\nPatient: Here.", "It hurts.", ("other_speaker",)),
        ("It hurts. Dr. Smith: Where does it hurt?", "It hurts.", ("other_speaker",)),
        ("<think>what do I have?</think>It hurts.", "It hurts.", ("markup",)),
        ("It hurts.<|im_end|>\n<|im_start|>user", "It hurts.", ("markup",)),
        ("- aspirin\n- lisinopril", "aspirin; lisinopril", ("markup",)),
        (LONG * 2, LONG.strip(), ("cut",)),
        (
            "Well. I'm not sure. I'm not sure. I'm not sure. Ask me again.",
            "Well. I'm not sure. Ask me again.",
            ("loop",),
        ),
        ("No, no, no, no, no, no, no fever.", "No, no fever.", ("loop",)),
        ("No. No. It hurts. It hurts. No, no, not really, very very bad.",) * 2 + ((),),
        # What is said in brackets is said.
        ("I take it (two tablets at night), and (I think) an aspirin.",) * 2 + ((),),
        # A patient who plays the doctor is for the verifier to reject.
        ("Doctor: How are you?", "Doctor: How are you?", ()),
        ("*sighs*", "", ("stage_direction",)),
        ("", "", ()),
    ],
)
def test_only_what_is_speech_is_said(candidate, said, repairs):
    assert spoken(candidate, 50) == (said, repairs)


def test_an_endless_sentence_ends_where_a_breath_would_be():
    said, repairs = spoken(LONG.replace(". ", ", ") + LONG, 50)
    assert repairs == ("cut",)
    assert said.endswith(("here.", "there.", "time.", "stops."))
    assert 40 < len(said.split()) <= 50


@given(st.text(max_size=600))
def test_what_is_said_is_one_short_line_and_stays_so(candidate):
    said, _ = spoken(candidate, 50)
    assert len(said.split()) <= 50
    assert "\n" not in said
    assert spoken(said, 50)[0].split() == said.split()


def test_a_broken_sentence_is_left_out():
    assert complete_sentences("It hurts. It began on") == "It hurts."
    assert complete_sentences("I saw Dr. Lee at 5 p.m. on") == "I saw Dr. Lee at 5 p.m. on"


@pytest.mark.parametrize(("kind", "policy"), [("Discharge", "teachback"), ("Diagnosis", "question-list")])
def test_the_embedded_patient_needs_no_repair(open_cases, kind, policy):
    env = bedside.make(
        f"bedside/{kind}-v0", cases=open_cases, persona="dischargebench:random", noise="random", reward=None
    )
    clinician = make_clinician(policy, cases=open_cases, source="open")
    turns = [turn for seed in range(24) for turn in rollout(env, clinician, seed).turns]
    assert len(turns) > 200
    assert not [turn.patient for turn in turns if turn.repairs]
