"""The exam: unscored is not zero, and only the gain is the educator's."""

import pytest
from transcripts import ORDER, exam_of, open_case, open_cases

from bedside.envs.episode import Answer
from bedside.rewards.exam import gain, score_exam

CASE = open_case("cir-01")


def test_share_of_right_answers() -> None:
    questions = len(CASE.questions)
    score = score_exam(exam_of(CASE, 4), CASE)
    assert score.value == pytest.approx(4 / questions)
    assert score.parts["diagnosis"] == 1
    assert score.parts["follow_up"] == 0


def test_unanswered_questions_are_neither_right_nor_wrong() -> None:
    first, second, *_ = CASE.questions
    answers = (
        Answer(question=first.id, order=ORDER, chosen="answer"),
        Answer(question=second.id, order=ORDER, chosen=None),
    )
    score = score_exam(answers, CASE)
    assert score.value == 1
    assert score.evidence[second.id] == "unanswered"
    assert score.parts[second.topic.value] is None


def test_no_exam_is_unscored() -> None:
    assert score_exam((), CASE).value is None
    nobody = tuple(Answer(question=q.id, order=ORDER, chosen=None) for q in CASE.questions)
    assert score_exam(nobody, CASE).value is None
    unasked = open_cases()[0].model_copy(update={"questions": ()})
    assert "no exam questions" in score_exam((), unasked).reason


def test_gain_is_after_minus_before() -> None:
    before, after = score_exam(exam_of(CASE, 3), CASE), score_exam(exam_of(CASE, 8), CASE)
    assert gain(before, after).value == pytest.approx(5 / len(CASE.questions))
    assert gain(after, before).value == pytest.approx(-5 / len(CASE.questions))
    assert gain(score_exam((), CASE), after).value is None
