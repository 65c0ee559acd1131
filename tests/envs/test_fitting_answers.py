"""Each question gets an answer of its own kind, in English, and none against the record."""

from random import Random

import pytest

import bedside
from bedside.cases.case import Case
from bedside.cases.fact import Condition, Instruction, ReturnSign, SocialHistory, Symptom, Test
from bedside.envs.retelling import retell, to_first_person
from bedside.envs.speech.grammar import form_of
from bedside.envs.speech.voice import phrases


def patient_of(case: Case, *facts):
    return case.model_copy(update={"record": facts})


def answers(case: Case, *questions: str) -> list[str]:
    """Put questions to the ideal patient, each at a first meeting, by several voices."""
    env = bedside.make("bedside/Diagnosis-v0", cases=[case], reward=None, disfluency=0.0)
    said = []
    for question in questions:
        for seed in range(4):
            env.reset(seed=seed)
            said.append(env.step(question)[0]["patient"])
    return said


@pytest.fixture
def case(case_of) -> Case:
    return case_of("cir-01")


SLEEPLESS = Symptom(id="s", text="poor sleep", lay=("nights with no sleep",))
ASTHMA = Condition(id="a", text="asthma", lay=("asthma",))
THROAT = Symptom(id="p", text="pain", lay=("pain in the throat",), site="throat")
DAYCARE = SocialHistory(id="d", text="works in a daycare", lay=("a daycare",), aspect="exposure")


@pytest.mark.parametrize("question", ["Sleeping alright?", "And how's your sleep, okay?", "Are you sleeping well?"])
def test_what_works_is_said_to_be_fine(case, question):
    assert set(answers(patient_of(case, THROAT), question)) <= set(phrases()["well"])
    assert all("sleep" in said and "Yes" not in said for said in answers(patient_of(case, SLEEPLESS), question))


def test_okay_before_a_question_asks_for_no_function(case):
    assert all(said.startswith(("Ye", "I ", "I'", "Mhm", "Uh-huh", "Asthma")) for said in answers(
        patient_of(case, ASTHMA), "Okay. Do you have asthma or pneumonia?"
    ))  # fmt: skip


def test_examples_after_a_heading_narrow_nothing(case):
    question = "Any health problems I should know about, heart, lungs, diabetes, anything like that?"
    assert all("asthma" in said.lower() for said in answers(patient_of(case, ASTHMA), question))


def test_an_illness_named_by_its_organ_alone_is_not_any_illness(case):
    said = answers(patient_of(case, ASTHMA), "Do you know of any problem with a heart valve?")
    assert not any("asthma" in text for text in said)
    assert not any(text.startswith(("Ye", "Mhm")) for text in said)


def test_pain_elsewhere_is_not_the_pain_that_was_asked_about(case):
    record = patient_of(case, THROAT)
    assert not any(said.startswith(("Ye", "I do", "I have", "Mhm")) for said in answers(record, "Any chest pain?"))
    assert all(not said.startswith("No") for said in answers(record, "Is your throat sore?"))


def test_where_one_works_is_found_by_its_words(case):
    record = patient_of(case, THROAT, DAYCARE)
    assert not any(said.startswith("No") for said in answers(record, "Do you work at a daycare, or go to one?"))
    assert all("daycare" not in said for said in answers(record, "Has anybody around you been ill in the same way?"))


def test_who_was_asked_whether_somebody_was_ill_does_not_say_who_is_at_home(case_of):
    assert all("live" not in said for said in answers(case_of("cir-01"), "Has anybody else at home been unwell?"))


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("before you plan a pregnancy", "before I plan a pregnancy"),
        ("walk as you like", "walk as I like"),
        ("until the clinic says you may", "until the clinic says I may"),
        ("tell people around you where it is", "tell people around me where it is"),
        ("each time you nurse", "each time I nurse"),
        ("voices that tell you to do something", "voices that tell me to do something"),
        ("call the counselor we gave you", "call the counselor you gave me"),
    ],
)
def test_what_was_said_to_one_is_said_of_oneself(text, turned):
    assert to_first_person(text) == turned


def retold(fact) -> set[str]:
    return {retell(fact, {fact.id, f"{fact.id}.result"}, Random(seed)) for seed in range(12)}


def test_a_ban_does_not_swallow_the_order_after_it():
    text = "Do not lift heavy things for 4 weeks, and give up contact sports."
    fact = Instruction(id="i", area="activity", text=text)
    assert all("and I should give up contact sports" in said for said in retold(fact))


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ("21 when the ambulance came", "it showed 21 when the ambulance came"),
        ("grew a germ that cefazolin kills", "it grew a germ that cefazolin kills"),
        ("negative three times", "it was negative three times"),
        ("it is healing well", "it is healing well"),
    ],
)
def test_a_result_finds_its_verb(result, told):
    assert all(told in said for said in retold(Test(id="t", text="sugar test", result=result)))


@pytest.mark.parametrize(
    ("sign", "told"),
    [
        ("being hard to wake", "if I'm hard to wake"),
        ("not waking up or another seizure", "if I'm not waking up"),
        ("soaking a pad an hour for 2 hours", "if I'm soaking a pad an hour"),
        ("vomiting blood", "vomiting blood"),
    ],
)
def test_a_sign_that_is_a_doing_is_done(sign, told):
    assert all(told in said for said in retold(ReturnSign(id="r", text=sign, urgency="911")))


@pytest.mark.parametrize(
    ("name", "form"), [("urinating often", "doing"), ("scratching all night", "doing"), ("aching knees", "thing")]
)
def test_doings_and_things_are_told_apart(name, form):
    assert form_of(name) == form


def test_a_doctors_word_is_said_plainly(case):
    said = answers(patient_of(case, THROAT, Symptom(id="x", text="diaphoresis")), "Any other symptoms?")
    assert all("sweating" in text for text in said)
