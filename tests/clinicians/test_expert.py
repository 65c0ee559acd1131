import pytest
from monologue import monologue, observe

from bedside.clinicians.bedside_manner import EMPATHY
from bedside.clinicians.expert import TeachBack, portions
from bedside.clinicians.listening import PlanReader
from bedside.clinicians.plan import parse_plan

PLAN = """Task.

PATIENT
70-year-old woman

DIAGNOSIS
- atrial fibrillation (in plain words: irregular heartbeat)

MEDICATIONS
- NEW apixaban (in plain words: blood thinner) | 5 mg | by mouth | twice daily | for preventing a stroke | \
Can cause bleeding.
- STOPPED ibuprofen | because it can cause bleeding

AFTER DISCHARGE
- Do not drink alcohol.

COME BACK OR CALL
- black stools | come to the emergency department

FOLLOW-UP
- cardiology clinic | in 2 weeks | for a heart rhythm check"""


def talk(*answers, seed=3):
    """Return what the expert says after each answer."""
    expert = TeachBack()
    expert.reset(seed)
    return [expert.act({"briefing": PLAN, "patient": answer, "request": "talk"}) for answer in answers]


def at_the_drug(answer):
    """Return the reply to an answer to "how will you take this one"."""
    return talk("Hello.", "Fine.", "They called it atrial fibrillation.", answer)[-1]


def test_begins_with_an_open_question_and_teaches_nothing_yet():
    (first,) = talk("Hello.")
    assert first.endswith("?")
    assert "apixaban" not in first


def test_names_a_feeling():
    assert talk("I'm so worried.")[0].startswith(EMPATHY["worried"])
    assert "frustrat" in talk("Hello.", "I'm fed up with it all.")[1]


@pytest.mark.parametrize(
    "text",
    [
        "I sit down before I take it.",
        "I call if I become confused.",
        "It can cause an upset stomach.",
        "Okay.",
    ],
)
def test_hears_no_feeling_in_what_was_taught(text):
    assert PlanReader.hear(text).feeling == ""


def test_asks_for_teach_back_after_each_portion():
    drug = talk("Hello.", "Fine.", "They called it atrial fibrillation.")[-1]
    assert "Take 5 mg" in drug
    assert drug.endswith("?")


def test_praises_what_came_back_whole():
    reply = at_the_drug("I take apixaban 5 mg by mouth twice a day to prevent a stroke, and it can cause bleeding.")
    assert "Take 5 mg" not in reply
    assert "ibuprofen" in reply


def test_repeats_only_what_was_missing():
    reply = at_the_drug("I take apixaban 5 mg by mouth twice a day to prevent a stroke.")
    assert "Apixaban can cause bleeding." in reply
    assert "Take 5 mg" not in reply


def test_corrects_what_was_wrong_and_does_not_confirm_it():
    reply = at_the_drug("I take apixaban 5 mg by mouth once a day to prevent a stroke, and it can cause bleeding.")
    assert reply.startswith(("Almost", "Not quite"))
    assert "twice a day" in reply


def test_okay_is_no_teach_back_and_is_asked_once_more_only():
    first, second = talk("Hello.", "Fine.", "Okay.", "Okay.")[2:]
    assert "atrial fibrillation" not in first
    assert first.endswith("?")
    assert "apixaban" in second


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How often do I take the apixaban?", "twice a day"),
        ("What is the apixaban for?", "prevent a stroke"),
        ("What is the ibuprofen for?", "bleeding"),
        ("When do I see the cardiology clinic?", "in 2 weeks"),
        ("Can I drink alcohol?", "Do not drink alcohol"),
        ("What does edema mean?", "swelling"),
        ("Can I fly to Spain?", "doctor"),
    ],
)
def test_answers_questions_from_the_plan(question, answer):
    assert answer in talk("Hello.", f"Fine. {question}")[-1]


def test_takes_up_a_topic_that_the_patient_asks_for():
    reply = talk("Hello.", "Fine. When should I be worried and come back?")[-1]
    assert "black stools" in reply


def test_small_portions(open_cases):
    for case in open_cases:
        for portion in portions(parse_plan(observe(case)["briefing"])):
            assert len(portion.facts) <= 4
            assert len(portion.lines) <= 10


def test_ends_with_summary_invitation_and_farewell_in_good_time(open_cases):
    for answer in ("Okay.", "I don't remember, sorry.", "I'm scared. What should I do?"):
        turns = monologue(TeachBack(), open_cases[0], answer)
        assert len(turns) <= 38
        assert "once more" in turns[-2]
        assert turns[-2].endswith(("?", "questions."))
