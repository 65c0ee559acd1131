import pytest

from bedside.cases.fact import Condition, FollowUp, Instruction, Medication, ReturnSign, Treatment
from bedside.clinicians.plan import parse_plan
from bedside.envs.briefing import SECTIONS, discharge_briefing

# The briefing does not tell these: ids, codes, areas and when something was done.
UNTOLD = {"id", "code", "area", "since", "lay"}


def told(fact):
    left_out = UNTOLD if isinstance(fact, FollowUp) else UNTOLD | {"when"}
    fields = fact.model_dump(exclude=left_out)
    # A test and a procedure with a result look the same in a briefing.
    return fields | {"kind": "done"} if fact.kind in ("test", "procedure") else fields


def test_the_plan_of_every_open_case_is_read_back_as_it_was_written(open_cases):
    for case in open_cases:
        plan = parse_plan(discharge_briefing(case))
        expected = [fact for kinds in SECTIONS.values() for fact in case.plan if isinstance(fact, kinds)]
        assert [told(fact) for fact in plan.facts] == [told(fact) for fact in expected], case.id
        assert ["; ".join(f.lay) for f in plan.facts] == ["; ".join(f.lay) for f in expected], case.id
        assert plan.note == case.note.strip()
        assert (plan.age, plan.sex) == (case.demographics.age, case.demographics.sex)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "NEW apixaban (in plain words: Eliquis; blood thinner) | 5 mg | by mouth | twice daily "
            "| for preventing a stroke | Can cause bleeding. Do not skip doses.",
            {
                "text": "apixaban",
                "lay": ("Eliquis", "blood thinner"),
                "dose": "5 mg",
                "route": "by mouth",
                "frequency": "twice daily",
                "purpose": "preventing a stroke",
                "precautions": ("Can cause bleeding.", "Do not skip doses."),
                "change": "new",
            },
        ),
        (
            "CHANGED gabapentin | 300 mg | once daily at bedtime | for 4 weeks, then once weekly "
            "| before: 300 mg twice daily",
            {
                "text": "gabapentin",
                "dose": "300 mg",
                "frequency": "once daily at bedtime",
                "duration": "for 4 weeks, then once weekly",
                "previous": "300 mg twice daily",
                "change": "changed",
            },
        ),
        ("STOPPED naproxen | because it can bleed", {"purpose": "it can bleed", "change": "stopped"}),
        (
            "NEW clobetasol | a thin layer | on the skin | twice daily | until the visit",
            {"dose": "a thin layer", "duration": "until the visit"},
        ),
        ("NEW water", {"text": "water", "change": "new"}),
    ],
)
def test_fields_of_a_drug_are_told_apart_by_what_they_say(line, expected):
    (drug,) = parse_plan(f"MEDICATIONS\n- {line}").facts
    assert isinstance(drug, Medication)
    assert expected.items() <= drug.model_dump().items()


def test_what_cannot_be_taken_apart_is_still_taught():
    plan = parse_plan(
        "Task.\n\nDIAGNOSIS\n- flu\n\nDONE IN HOSPITAL\n- fluids\n\nAFTER DISCHARGE\n- Rest | well.\n\n"
        "COME BACK OR CALL\n- fever\n\nFOLLOW-UP\n- clinic\n\nNOTE\nDIAGNOSIS\n- not this one"
    )
    assert [type(fact) for fact in plan.facts] == [Condition, Treatment, Instruction, ReturnSign, FollowUp]
    assert plan.facts[3].urgency == "emergency"
    assert plan.note == "DIAGNOSIS\n- not this one"


def test_a_briefing_without_plan_is_an_empty_plan():
    assert parse_plan("Talk with the patient.").facts == ()
    assert parse_plan("").note == ""
