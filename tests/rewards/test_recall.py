"""Free recall: sentences, lists and nonsense, graded 1, 0.5 or 0 (DischargeBench, table 6)."""

import pytest
from transcripts import UNKNOWING, gold_recall, open_case, open_cases, recall_of

from bedside.cases.case import Case
from bedside.rewards.recall import AREAS, score_recall

NSTEMI = open_case("cir-01")


@pytest.mark.parametrize("case", open_cases(), ids=lambda case: case.id)
def test_a_perfect_memory_scores_near_one(case: Case) -> None:
    score = score_recall(gold_recall(case), case)
    assert score.value is not None
    assert score.value >= 0.9, score.parts


@pytest.mark.parametrize("case", open_cases(), ids=lambda case: case.id)
def test_not_knowing_scores_nothing(case: Case) -> None:
    assert score_recall(UNKNOWING, case).value == 0


@pytest.mark.parametrize(
    ("area", "text", "grade"),
    [
        ("diagnosis", "I had a heart attack.", 1),
        ("diagnosis", "Heart attack", 1),
        ("diagnosis", "A mild heart attack, they said.", 1),
        ("diagnosis", "I don't know.", 0),
        ("diagnosis", "Pneumonia.", 0),
        ("diagnosis", "I did not have a heart attack.", 0),
        ("diagnosis", "A heart attack and pneumonia.", 0.5),
        ("diagnosis", "I'm not sure what a heart attack is.", 0),
        ("treatments", "They put a stent in a heart artery.", 1),
        ("treatments", "heart stent", 1),
        ("treatments", "They took out my appendix... no, I can't remember.", 0),
        ("follow_up", "cardiology clinic, my primary care doctor, cardiac rehabilitation", 1),
        ("follow_up", "I see the cardiology clinic in 2 weeks.", 0.5),
        ("follow_up", "Nobody told me.", 0),
        (
            "return_signs",
            "Chest pain lasting more than 5 minutes, bleeding from the wrist that won't stop, black stools, "
            "fainting or a racing heart",
            1,
        ),
        ("return_signs", "if my chest pain lasts more than 5 minutes", 0.5),
        ("return_signs", "A runny nose.", 0),
        ("post_discharge", "I should not lift more than 5 pounds with my right arm, keep salt low, stop smoking.", 1),
        ("post_discharge", "Quit smoking.", 0.5),
        ("post_discharge", "Water the plants.", 0),
        ("medications", "I take aspirin 81 mg by mouth and that is all I remember.", 0),
        ("medications", "aspirin 81 mg by mouth, ticagrelor 90 mg by mouth, atorvastatin 80 mg by mouth", 0.5),
        (
            "medications",
            "Aspirin 81 mg, ticagrelor 90 mg, atorvastatin 80 mg, metoprolol succinate 25 mg and lisinopril 20 mg, "
            "all by mouth, and nitroglycerin 0.4 mg under the tongue.",
            1,
        ),
        ("medications", "Some pills.", 0),
        ("medications", "Warfarin 5 mg and digoxin.", 0),
    ],
)
def test_grades(area: str, text: str, grade: float) -> None:
    assert score_recall(recall_of(**{area: text}), NSTEMI).parts[area] == grade


def test_a_wrong_dose_is_not_correct() -> None:
    text = (
        "I take aspirin 325 mg by mouth. I take ticagrelor 90 mg by mouth. I take atorvastatin 80 mg by mouth. "
        "I take metoprolol succinate 25 mg by mouth. I take lisinopril 20 mg by mouth. "
        "I take nitroglycerin 0.4 mg under the tongue."
    )
    assert score_recall(recall_of(medications=text), NSTEMI).parts["medications"] == 0.5


def test_blank_answers_are_unscored_and_missing_recall_is_none() -> None:
    score = score_recall(recall_of(diagnosis="I had a heart attack.", treatments=" "), NSTEMI)
    assert score.value == 1
    assert [area for area in AREAS if score.parts[area] is None] == list(AREAS[1:])
    assert score_recall((), NSTEMI).value is None
    assert score_recall(recall_of(diagnosis=""), NSTEMI).value is None


def test_areas_that_the_plan_lacks_are_not_counted() -> None:
    plan = tuple(fact for fact in NSTEMI.plan if fact.kind != "follow_up")
    case = Case.model_validate(NSTEMI.model_copy(update={"plan": plan, "questions": ()}).model_dump())
    assert score_recall(recall_of(follow_up="Nobody."), case).value is None
