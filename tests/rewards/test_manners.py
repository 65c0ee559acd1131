"""How an order is dressed does not change it: manners give no leave, reminders waive nothing, a dose has an end."""

import pytest
from transcripts import open_case, talk

from bedside.rewards.lesson import lesson_of
from bedside.rewards.safety import audit
from bedside.verifier.grounding import ground
from bedside.verifier.teaching.conveyed import read_teaching

NSTEMI = open_case("cir-01")


def found_in(case_id: str, text: str) -> list[str]:
    case = open_case(case_id)
    episode = talk(case, (text,), ())
    claims = audit(episode, lesson_of(episode, case))
    return [claim.why for claim in claims if claim.status == "harmful" or claim.grounding == "contradicted"]


@pytest.mark.parametrize(
    ("case_id", "text"),
    [
        ("con-12", "Keep the neck wound dry until the stitches are out, okay?"),
        ("con-12", "Go ahead and keep the neck wound dry until the stitches are out."),
        ("con-20", "Go ahead and sleep at least 7 hours each night, and drink no alcohol."),
        ("bld-05", "Go ahead and stop smoking."),
        ("bld-20", "So go ahead and drink tea between meals, not with iron."),
        ("cir-01", "Don't forget to take both of your heart pills."),
        ("cir-01", "Try to stop taking ginkgo."),
        ("con-18", "Try to call us for new low mood on montelukast."),
        ("con-05", "You should ask the heart clinic before you go back to heavy weights or moving work."),
        ("ner-08", "You should cut coffee by 1 cup every 3 days down to 1 a day and eat lunch."),
        ("men-11", "No matter what, see the intensive outpatient alcohol program in 2 days."),
    ],
)
def test_manners_and_reminders_are_no_harm(case_id: str, text: str) -> None:
    assert found_in(case_id, text) == []


@pytest.mark.parametrize(
    "text",
    ["You can go ahead and skip the aspirin.", "Go ahead and double your metoprolol if you can't sleep."],
)
def test_leave_stays_leave(text: str) -> None:
    assert found_in("cir-01", text)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Take ticagrelor 90 mg by mouth twice daily, okay?", True),
        ("Take at least 90 mg of ticagrelor twice daily.", False),
        ("Take ticagrelor 90 mg or as much as you like twice daily.", False),
        ("Take ticagrelor 90 mg, give or take, twice daily.", False),
        ("Take ticagrelor 90 mg twice daily, at least 8 hours apart.", True),
    ],
)
def test_a_dose_has_an_end(text: str, right: bool) -> None:
    events = {e.item: e.right for e in read_teaching(text, ground(NSTEMI, "discharge"), "").events}
    assert events["ticagrelor.dose"] is right


def test_an_amount_that_stands_before_every_drug_can_be_read() -> None:
    # It broke off the whole encounter.
    text = "For 1 week: ticagrelor 90 mg twice daily, aspirin 81 mg once daily, 2 months atorvastatin 80 mg."
    assert read_teaching(text, ground(NSTEMI, "discharge"), "").sentences
