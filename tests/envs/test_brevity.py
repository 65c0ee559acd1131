"""Closed questions are often answered by the bare answer, as in recorded consultations; who answers so, by persona."""

from bedside.cases.fact import Condition
from bedside.cases.persona import NoiseProfile, Persona
from bedside.cases.seeds import derive_seed
from bedside.envs.interview import InterviewPatient
from bedside.envs.speech.brevity import curtness
from bedside.envs.speech.plan import Say
from bedside.envs.speech.realise import realise
from bedside.envs.speech.voice import Voice
from bedside.verifier.grounding import ground
from bedside.verifier.verifier import RulesVerifier

CLOSED = (
    "When did it start?",
    "How bad is it on a scale of 0 to 10?",
    "Does it spread anywhere?",
    "Do you have a fever?",
    "Do you have asthma?",
    "Is it there all the time, or does it come and go?",
    "Do you smoke?",
    "Have you had any operations?",
)
MOST = 3


def answers(case, personality, seed, disfluency=1.0):
    patient = InterviewPatient(
        ground(case, "interview"), Persona(personality=personality), derive_seed(seed, case.id), disfluency
    )
    found = []
    for number, question in enumerate(CLOSED):
        said = patient.draft(question, [None] * number, 0, "")
        patient.settle(question, said)
        found.append(said)
    return found


def short(cases, personality, disfluency=1.0):
    said = [a for case in cases for seed in (1, 2) for a in answers(case, personality, seed, disfluency)]
    return sum(len(text.split()) <= MOST for text in said) / len(said)


def test_closed_questions_are_often_answered_in_three_words(some_cases):
    assert 0.4 < short(some_cases, "neutral") < 0.8


def test_the_wary_say_less_than_the_exact_and_a_trained_clinician_can_have_full_sentences(some_cases):
    assert short(some_cases, "distrustful") > short(some_cases, "high-conscientiousness")
    assert short(some_cases, "neutral") > short(some_cases, "neutral", disfluency=0.0) + 0.03


def test_bare_answers_are_true(some_cases):
    verifier = RulesVerifier()
    for case in some_cases:
        grounded = ground(case, "interview")
        for text in answers(case, "distrustful", 3):
            assert verifier.verify(text, grounded, Persona().noise).overall == "pass", (case.id, text)


def test_who_wanders_is_seldom_curt():
    steady, wandering = (Persona(noise=NoiseProfile(communication_style=level)) for level in (0, 3))
    assert curtness(wandering, 7) < curtness(steady, 7) / 2


def test_states_are_told_as_one_speaks_of_oneself():
    fact = Condition(id="c1", text="obesity", lay=("being overweight",))
    told = realise((Say("condition", fact),), Voice(1, 1, usual=0.0))
    assert "being" not in told[0]
