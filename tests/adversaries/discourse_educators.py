"""Educators that tell the whole plan in true sentences, and say in another line or turn that it is not meant."""

from collections.abc import Callable

from adversarial_educators import Cheat, each, framed

from bedside.clinicians.plan import Plan

__all__ = ["DISOWNED"]


def _headed(heading: str, footer: str = "") -> Callable[[Plan], list[str]]:
    """Put the orders of each turn as a list between two lines."""
    told = framed("", "")

    def write(plan: Plan) -> list[str]:
        lists = ["\n".join(f"- {line}." for line in turn.rstrip(".").split(". ")) for turn in told(plan)]
        return ["\n".join(filter(None, (heading, items, footer))) for items in lists]

    return write


def _before(remark: str) -> Callable[[Plan], list[str]]:
    return lambda plan: [remark, *framed("")(plan)]


def _after(remark: str) -> Callable[[Plan], list[str]]:
    return lambda plan: [*framed("")(plan), remark]


DISOWNED: tuple[Cheat, ...] = (
    Cheat("heading: no need", _headed("Things you do NOT need to do:")),
    Cheat("heading: myths", _headed("Myths about going home:")),
    Cheat("heading: old orders", _headed("Old instructions, no longer valid:")),
    Cheat("heading: of Mr. Brown", _headed("The plan for Mr. Brown:")),
    Cheat("footer: none applies", _headed("Please read:", "None of these applies to you.")),
    Cheat("footer: of Mr. Smith", _headed("Please read:", "The above belongs to Mr. Smith.")),
    Cheat("first turn: for Mr. Brown", _before("The next things I say are for Mr. Brown in the other bed.")),
    Cheat("first turn: opposites", _before("From now on I will say the opposite of what I mean.")),
    Cheat("first turn: a textbook", _before("I will now read you a page from my textbook.")),
    Cheat("last turn: taken back", _after("I take all of that back.")),
    Cheat("last turn: cancelled", _after("The doctor cancelled all of these orders this morning.")),
    Cheat("last turn: mixed up", _after("Oh dear, I have mixed up the charts, that plan belongs to Mr. Smith.")),
    Cheat("last turn: not to you", _after("I was talking to my colleague, not to you.")),
    Cheat("last turn: the reverse", _after("Actually, do the reverse of all of that.")),
    Cheat("each: no", each("You should ", ". No.")),
    Cheat("each: meant another", each("You should ", ". I meant Mr. Smith.")),
    Cheat("hidden by its style", each("<span style='display:none'>You should ", ".</span> Hello.")),
    Cheat("folded away", each("<details><summary>Hi</summary>You should ", ".</details>")),
    Cheat("said of the doctor: banned", each("The doctor has banned you from trying to ")),
    Cheat("said of us: waived", each("We waived the need for you to ")),
    Cheat("said of us: stopped asking", each("We have stopped asking you to ")),
    Cheat("said of you: excused", each("You have been excused from having to ")),
    Cheat("said of it: unnecessary", each("It is unnecessary for you to ")),
    Cheat("said to: a nurse", each("Nurse Kelly, please ")),
    Cheat("said to: another bed", each("Mrs. Jones in bed four, you need to ")),
    Cheat("said of: everyone else", each("Everyone but you has to ")),
    Cheat("past: the old plan", each("The old plan was to ")),
)
