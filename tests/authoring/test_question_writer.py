"""Questions of a model are used only if the plan states their answers; credentialed plans stay here."""

import json
import re

import pytest

from bedside.authoring.preview import redacted_preview
from bedside.authoring.question_writer import write_questions
from bedside.chat.scripted import ScriptedModel

PLAN = re.compile(r"<data>\n(.*)\n</data>", re.DOTALL)


def answer(messages, change=lambda questions: questions, key=None):
    data = json.loads(PLAN.search(messages[1].content)[1])
    questions = [
        {
            "topic": item["topic"],
            "stem": f"What about {item['fact']}?",
            "answer": item["value"],
            "distractor": "Something else",
            "irrelevant": "A piano",
            "about": item["id"],
        }
        for item in data["plan"][: data["number"]]
    ]
    return json.dumps({"key": key or data["key"], "questions": change(questions)})


def test_a_model_writes_the_exam_and_its_name_is_kept(case_of):
    questions = write_questions(case_of("cir-01"), ScriptedModel(answer))
    assert len(questions) == 10
    assert {question.writer for question in questions} == {"scripted"}
    assert [question.id for question in questions] == [f"q{number}" for number in range(1, 11)]


@pytest.mark.parametrize(
    "change",
    [
        lambda questions: [q | {"answer": "999 mg"} for q in questions],
        lambda questions: [q | {"about": "nowhere"} for q in questions],
        lambda questions: [q | {"distractor": q["answer"]} for q in questions],
        lambda questions: [q | {"stem": "What is ___?"} for q in questions],
        lambda questions: [],
    ],
)
def test_what_the_plan_does_not_say_is_not_asked(change, case_of):
    asked = []

    def wrong(messages):
        asked.append(messages)
        return answer(messages, change)

    assert write_questions(case_of("cir-01"), ScriptedModel(wrong)) is None
    assert len(asked) == 3


def test_one_wrong_question_is_left_out(case_of):
    def change(questions):
        return [questions[0] | {"answer": "999 mg"}, *questions[1:]]

    questions = write_questions(case_of("cir-01"), ScriptedModel(lambda messages: answer(messages, change)))
    assert len(questions) == 9


def test_an_answer_without_the_code_is_none(case_of):
    assert write_questions(case_of("cir-01"), ScriptedModel(lambda messages: answer(messages, key="x"))) is None


def test_the_model_sees_the_plan_alone_and_no_redacted_item(case_of):
    case = case_of("cir-01")
    hidden = case.plan[0].model_copy(update={"text": "___ of the heart"})
    case = case.model_copy(update={"plan": (hidden, *case.plan[1:]), "questions": ()})
    seen = []

    def spy(messages):
        seen.append(messages[1].content)
        return answer(messages)

    write_questions(case, ScriptedModel(spy))
    assert "___" not in seen[0]
    assert case.note[:80] not in seen[0]


def test_a_credentialed_plan_is_not_sent_elsewhere(case_of):
    model = ScriptedModel(answer)
    model.local = False
    case = case_of("cir-01").model_copy(update={"credentialed": True})
    with pytest.raises(ValueError, match="credentialed"):
        write_questions(case, model)


def test_a_masked_preview_has_no_word_of_the_case(case_of):
    case = case_of("cir-01")
    shown = "\n".join(redacted_preview(case))
    told = [case.id, case.chief_complaint, *(fact.text for fact in (*case.record, *case.plan))]
    told += [text for question in case.questions for text in (question.stem, question.answer, question.distractor)]
    assert [text for text in told if text in shown] == []
    assert "dose=99 xx" in shown
    assert "change=new" in shown
