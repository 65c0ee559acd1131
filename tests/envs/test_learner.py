from random import Random

import pytest

from bedside.cases.persona import Persona
from bedside.envs.briefing import diagnosis_briefing, discharge_briefing
from bedside.envs.discharge import DischargeEnv
from bedside.envs.learner import LearningPatient
from bedside.envs.retelling import areas_of, retell, to_first_person
from bedside.verifier.grounding import ground


@pytest.mark.parametrize(
    ("said", "turned"),
    [
        ("until your cardiologist clears you", "until my cardiologist clears me"),
        ("if you have chest pain", "if I have chest pain"),
        ("Weigh yourself every morning", "Weigh myself every morning"),
        ("ask someone to drive you home", "ask someone to drive me home"),
        ("when you are told to", "when I am told to"),
        ("it helps you breathe", "it helps me breathe"),
    ],
)
def test_first_person(said, turned):
    assert to_first_person(said) == turned


def test_only_what_is_known_is_retold(case_of):
    case = case_of("cir-01")
    aspirin = next(fact for fact in case.plan if fact.id == "aspirin")
    assert retell(aspirin, frozenset(), Random(1)) == ""
    assert "81 mg" not in retell(aspirin, {"aspirin"}, Random(1))
    everything = retell(aspirin, set(case.plan_items), Random(1))
    assert "aspirin 81 mg by mouth once a day" in everything


def test_every_fact_can_be_retold_and_passes_the_verifier(some_cases):
    from bedside.cases.noise import NoiseProfile
    from bedside.verifier.verifier import RulesVerifier

    verifier, failed, told = RulesVerifier(), [], 0
    for case in some_cases:
        grounded = ground(case, "discharge")
        for fact in case.plan:
            text = retell(fact, set(case.plan_items), Random(case.id)) + "."
            verdict = verifier.verify(text, grounded, NoiseProfile())
            told += 1
            assert len(text) > 5
            if verdict.overall != "pass":
                failed.append(text)
    assert len(failed) <= 0.02 * told, failed


def patient(case, **persona):
    return LearningPatient(ground(case, "discharge"), Persona(**persona), seed=1, disfluency=0)


def say(someone, *turns):
    said = ""
    for number, heard in enumerate(turns):
        said = someone.draft(heard, [None] * number, 0, "")
        someone.settle(heard, said)
    return said


def test_teach_back_gives_back_what_was_taught(case_of):
    someone = patient(case_of("cir-01"))
    said = say(
        someone,
        "You have a new medicine. Take aspirin 81 mg by mouth once a day.",
        "Take aspirin 81 mg by mouth once a day. Can you tell me in your own words how you will take this medicine?",
    )
    assert "aspirin" in said
    assert "81 mg" in said


def test_what_was_not_taught_is_not_given_back(case_of):
    said = say(patient(case_of("cir-01")), "Can you tell me in your own words how you will take your medicines?")
    assert "mg" not in said


def test_jargon_is_asked_about_by_those_who_do_not_know_it(case_of):
    heard = "You had an infarction with ischemia and received anticoagulation."
    asked = [say(patient(case_of("cir-01"), literacy="low"), *["Hello."] * n, heard) for n in range(6)]
    assert any(("infarction" in said and "?" in said) or "infarction means" in said for said in asked)
    assert not any("infarction" in say(patient(case_of("cir-01"), literacy="high"), heard) for _ in range(2))


@pytest.mark.parametrize("personality", ["anxious", "deflective", "distrustful", "high-conscientiousness", "minimizer"])
def test_personalities_do_not_sound_alike(open_cases, personality):
    turns = ["How are you feeling about going home?"] * 3
    neutral = {say(patient(case), *turns) for case in open_cases[:10]}
    other = {say(patient(case, personality=personality), *turns) for case in open_cases[:10]}
    assert neutral.isdisjoint(other)


def test_recall_covers_the_areas_of_the_plan(open_cases):
    for case in open_cases[:6]:
        assert [r.area for r in patient(case).recollect()] == list(areas_of(case))


def test_briefings_hold_the_plan_and_never_the_exam(open_cases):
    for case in open_cases:
        briefing = discharge_briefing(case)
        assert all(fact.text in briefing for fact in case.plan)
        assert not any(question.stem in briefing for question in case.questions)
        assert case.diagnosis.text.lower() not in diagnosis_briefing(case).lower()


def test_disfluency_can_be_switched_off(open_cases):
    def play(rate):
        env = DischargeEnv(open_cases[:1], disfluency=rate)
        env.reset(seed=4)
        return [env.step("What questions do you have about your medicines?")[0]["patient"] for _ in range(5)]

    assert play(0) == play(0)
    assert play(0) != play(1)
    assert not any(said.startswith(("Um", "Uh")) for said in play(0))


def test_asked_whether_it_makes_sense_most_say_yes(some_cases) -> None:
    said = []
    for seed, case in enumerate(some_cases):
        patient = LearningPatient(ground(case, "discharge"), Persona(), seed, disfluency=0.0)
        condition = next(fact.text for fact in case.plan if fact.kind == "condition")
        said.append(patient.draft(f"You were here because of {condition}. Does that make sense so far?", (), 0, ""))
    nods = sum("?" not in answer for answer in said)
    assert 0.6 * len(said) <= nods < len(said)
