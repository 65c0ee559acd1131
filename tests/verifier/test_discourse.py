"""What is said about a talk settles what the talk is worth; what is said of the plan itself does not."""

import pytest

from bedside.cases.sources import load_cases
from bedside.verifier.grounding import ground
from bedside.verifier.teaching.address import is_said_to_another
from bedside.verifier.teaching.conveyed import read_teaching
from bedside.verifier.teaching.discourse import Remark, disowns_itself, is_void_heading, remark_on, resumes

HONEST = (
    "None of this is your fault.",
    "You do not need to remember all of this today.",
    "I know that is a lot, but all of it matters.",
    "Don't forget any of these signs.",
    "That is wrong to feel alone with; we are here.",
    "If any of this is wrong, tell me.",
    "You are not cured until you have finished all the pills.",
    "Take every tablet, even if you think you are cured.",
    "The surgeon cancelled your visit in May and moved it to June.",
    "Please do not throw your pills away.",
    "Your wife is not sick, so she needs no pills.",
    "I will read you the list of your medicines.",
    "I am going to practice the inhaler with you.",
    "Ask the pharmacist about the pills, not your neighbor.",
    "The medicine list at home may be wrong, so use this one.",
    "I will tell you the plan for the next two weeks.",
    "We changed the plan: you go home today.",
    "I was worried about you.",
    "You do not have diabetes.",
    "I won't pretend this is easy.",
)


@pytest.mark.parametrize("sentence", HONEST)
def test_what_honest_educators_say_takes_nothing_back(sentence: str) -> None:
    assert remark_on(sentence) == Remark()


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("None of that concerns you.", Remark("talk")),
        ("All of this was only a rehearsal.", Remark("talk")),
        ("The surgeon withdrew all those orders.", Remark("talk")),
        ("That list is for the lady in the next room.", Remark("talk")),
        ("Sorry, I was holding the wrong file.", Remark("talk")),
        ("I did not mean it.", Remark("point")),
        ("What I will say next is meant for my students.", Remark(ahead=True)),
        ("Let me rehearse my lecture.", Remark(ahead=True)),
        ("These pills are not yours.", Remark(kinds=("medication",))),
        ("You never had that illness.", Remark(kinds=("condition",))),
        ("You do not need to come back for any of that.", Remark(kinds=("return_sign",))),
    ],
)
def test_remarks_on_the_talk(sentence: str, expected: Remark) -> None:
    assert remark_on(sentence) == expected


@pytest.mark.parametrize(
    ("heading", "void"),
    [
        ("Things you need not do", True),
        ("For Mrs. Lee", True),
        ("Plan from last year", True),
        ("Do not forget", False),
        ("Never skip these", False),
        ("If you can not sleep", False),
        ("Your new medicines", False),
        ("Medicines that you stop", False),
        ("Call 911 if you do not feel better", False),
    ],
)
def test_headings(heading: str, void: bool) -> None:
    assert is_void_heading(heading) is void


def test_a_talk_comes_back_to_its_patient() -> None:
    case = load_cases("open")[0]
    grounded = ground(case, "discharge")
    drug = next(f for f in case.plan if f.kind == "medication" and f.change != "stopped")
    order = f"Take {drug.text} {drug.dose} {drug.route} {drug.frequency}."
    first = read_teaching("The next things I say are for Mr. Brown.", grounded, "")
    assert first.aside
    assert not read_teaching(order, grounded, "", aside=True).conveyed
    assert resumes("Now back to you.")
    assert drug.id in read_teaching(f"Now back to you. {order}", grounded, "", aside=True).conveyed
    listed = f"Myths:\n- {order}\nThe truth is this.\n{order}"
    assert drug.id in read_teaching(listed, grounded, "").conveyed


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Take it at night, or so I heard.", True),
        ("Take it at night, but we dropped that.", True),
        ("You should take it at night, which is false.", True),
        ("You were told to take it, but that is no longer so.", True),
        ("Dr. Patel wants you to take it at night.", False),
        ("You may not feel like it, but do take it.", False),
        ("Everything except driving is fine.", False),
        ("Before you came here you were very ill.", False),
        ("Let me help you: take it at night.", False),
    ],
)
def test_a_sentence_may_disown_itself(sentence: str, *, expected: bool) -> None:
    assert disowns_itself(sentence) is expected


@pytest.mark.parametrize(
    ("sentence", "to_another"),
    [
        ("Dr. Patel, could you write this down.", True),
        ("Take it at night, nurse.", True),
        ("Take it at night, Mr. Smith.", True),
        ("Mrs. Smith, take it at night.", False),
        ("Take it at night, my dear.", False),
        ("Call your doctor, nurse or pharmacist.", False),
        ("Take it at night, my foot.", True),
    ],
)
def test_whom_a_sentence_calls_may_be_somebody_else(sentence: str, *, to_another: bool) -> None:
    assert is_said_to_another(sentence, "female") is to_another
