"""The compact briefing: what a small model has to read before its first word."""

import pytest

from bedside.cases.fact import Condition, FollowUp, Instruction, Medication, ReturnSign
from bedside.cases.sources import load_cases
from bedside.clinicians.plan import parse_plan
from bedside.envs.briefing import compact_briefing

CASES = load_cases("open")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_compact_briefing_is_short_and_holds_each_part_of_the_plan(case):
    briefing = compact_briefing(case)
    plan = parse_plan(briefing)
    new = [fact for fact in case.plan if isinstance(fact, Medication) and fact.change == "new"]

    assert len(briefing) <= 700
    for kind in (Condition, Instruction, ReturnSign, FollowUp):
        taught = [fact.text for fact in case.plan if isinstance(fact, kind)]
        assert {fact.text for fact in plan.of(kind)} <= set(taught)
        assert bool(plan.of(kind)) == bool(taught)
    assert [(drug.text, drug.dose, drug.route, drug.frequency, drug.purpose) for drug in plan.medications] == [
        (drug.text, drug.dose, drug.route, drug.frequency, drug.purpose) for drug in new[: len(plan.medications)]
    ]
    assert bool(plan.medications) == bool(new)


def test_what_is_needed_least_is_left_out_first():
    by_drugs = {case.id: len(parse_plan(compact_briefing(case)).medications) for case in CASES}
    two = [
        case.id
        for case in CASES
        if sum(isinstance(fact, Medication) and fact.change == "new" for fact in case.plan) > 1
    ]

    assert sum(by_drugs[case] == 2 for case in two) >= 0.9 * len(two)
