"""The discharge checklist: what is right, what is wrong, and what cannot be scored."""

import json
from pathlib import Path
from typing import Any

import pytest
from transcripts import open_case, open_cases

from bedside.cases.case import Case
from bedside.clinicians.paperwork import filled_checklist
from bedside.clinicians.plan import parse_plan
from bedside.envs.briefing import discharge_briefing
from bedside.envs.checklist import Checklist, periods_of, read_checklist, section_of
from bedside.rewards.checklist import applicable_fields, score_checklist

NSTEMI = open_case("cir-01")


def filled(case: Case) -> dict[str, Any]:
    return filled_checklist(parse_plan(discharge_briefing(case))).model_dump()


def parts(form: dict[str, Any], case: Case = NSTEMI) -> dict[str, float | None]:
    return score_checklist(json.dumps(form), case).parts


def test_the_published_schema_is_the_one_that_is_read() -> None:
    published = Path(__file__).parents[2] / "docs" / "checklist.schema.json"
    assert json.loads(published.read_text(encoding="utf-8")) == Checklist.model_json_schema()


def test_a_form_filled_in_from_the_plan_is_right_for_every_case() -> None:
    values = [score_checklist(json.dumps(filled(case)), case).value for case in open_cases()]
    assert min(value or 0.0 for value in values) >= 0.88
    assert sum(value or 0.0 for value in values) / len(values) >= 0.98


def test_an_empty_form_earns_nothing() -> None:
    for case in open_cases():
        assert score_checklist('{"diagnosis": ""}', case).value == 0


def test_what_a_plan_lacks_is_left_out() -> None:
    found = parts(filled(NSTEMI))
    assert {name for name, part in found.items() if part is not None} == set(applicable_fields(NSTEMI))
    assert found["exercises"] is None


@pytest.mark.parametrize("text", ["", "no", "[1]", '{"diagnosis": ["gout"]}', '{"diagnosis": "gout"', "{}"])
def test_what_is_no_checklist_is_unscored(text: str) -> None:
    score = score_checklist(text, NSTEMI)
    assert score.value is None
    assert "could not be read" in score.reason


def test_json_in_a_fence_is_read() -> None:
    assert read_checklist('Here you are:\n```json\n{"diagnosis": "gout"}\n```').diagnosis == "gout"


def _drug(form: dict[str, Any], period: str, name: str) -> dict[str, Any]:
    return next(entry for entry in form["medicines"][period] if entry["name"] == name)


def test_a_wrong_dose_costs_the_dose_of_that_drug() -> None:
    form = filled(NSTEMI)
    _drug(form, "morning", "aspirin")["dose"] = "325 mg"
    found = parts(form)
    assert found["medicine_dose"] == pytest.approx(5 / 6)
    assert found["medicine_name"] == found["medicine_reason"] == found["medicine_time"] == 1


def test_a_drug_at_the_wrong_time_and_one_that_nobody_prescribed() -> None:
    form = filled(NSTEMI)
    form["medicines"]["evening"] = [e for e in form["medicines"]["evening"] if e["name"] != "ticagrelor"]
    form["medicines"]["morning"].append({"name": "warfarin", "dose": "5 mg"})
    found = parts(form)
    assert found["medicine_time"] == pytest.approx(5 / 6)
    assert found["medicine_name"] == pytest.approx(6 / 7)


def test_brand_names_and_lay_words_are_as_good() -> None:
    form = filled(NSTEMI)
    _drug(form, "evening", "atorvastatin").update(name="Lipitor", reason="to bring your cholesterol down")
    form["diagnosis"] = "heart attack"
    found = parts(form)
    assert found["medicine_name"] == found["medicine_reason"] == found["diagnosis"] == 1


def test_a_thing_to_avoid_needs_no_not() -> None:
    form = filled(NSTEMI)
    form["activities_to_avoid"] = [
        "Lifting more than 5 pounds with your right arm for 1 week",
        "Smoking",
        "Driving the bus until your cardiologist clears you",
    ]
    assert parts(form)["activities_to_avoid"] == 1
    form["activities_to_avoid"], form["exercises"] = [], form["activities_to_avoid"]
    assert parts(form)["activities_to_avoid"] == 0


@pytest.mark.parametrize(
    ("instruction", "section"),
    [
        ("Do not drink alcohol.", "food_to_avoid"),
        ("Drink 2 liters of water a day.", "food"),
        ("Walk 30 minutes on most days of the week.", "exercises"),
        ("Do not lift more than 10 pounds for 6 weeks.", "activities_to_avoid"),
        ("Check your blood sugar before breakfast.", None),
    ],
)
def test_where_an_instruction_belongs(instruction: str, section: str | None) -> None:
    assert section_of(instruction) == section


@pytest.mark.parametrize(
    ("frequency", "periods"),
    [
        ("once daily", ("morning",)),
        ("once daily at bedtime", ("evening",)),
        ("twice daily", ("morning", "evening")),
        ("every 8 hours", ("morning", "afternoon", "evening")),
        ("every 6 hours as needed", ("as_needed",)),
    ],
)
def test_times_of_day(frequency: str, periods: tuple[str, ...]) -> None:
    assert periods_of(frequency) == periods
