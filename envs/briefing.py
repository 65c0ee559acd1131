"""What the clinician is told at the start. Only this; the exam, the rubric and a hidden diagnosis are not in it."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from bedside.cases.case import Case
from bedside.cases.fact import (
    AnyFact,
    Condition,
    FollowUp,
    Instruction,
    Medication,
    Procedure,
    ReturnSign,
    Test,
    Treatment,
)

__all__ = ["SECTIONS", "compact_briefing", "diagnosis_briefing", "discharge_briefing", "plan_text"]

SECTIONS = {
    "DIAGNOSIS": (Condition,),
    "DONE IN HOSPITAL": (Procedure, Test, Treatment),
    "MEDICATIONS": (Medication,),
    "AFTER DISCHARGE": (Instruction,),
    "COME BACK OR CALL": (ReturnSign,),
    "FOLLOW-UP": (FollowUp,),
}
"""Headings of the discharge plan and the kinds of fact under them, in the order of the briefing."""

_DISCHARGE_TASK = (
    "You are the discharge educator. Talk with the patient until they understand the plan below: "
    "diagnosis, what was "
    "done, medications, care at home, when to come back, follow-up. Then say goodbye."
)
_MOST = {"MEDICATIONS": 2, "FOLLOW-UP": 2}
_ROOM = 590
"""Characters of a compact plan: at most 170 tokens of SmolLM2, and task and patient take 30 more."""
_COMPACT_TASK = "Teach the patient this plan in plain words. Then say goodbye."
_DIAGNOSIS_TASK = (
    "You are the doctor. Interview the patient, one message at a time. When you are ready, answer with "
    "'Final Diagnosis: ' and the name of the one most likely condition."
)


def discharge_briefing(case: Case) -> str:
    """Return task, patient, plan (one line a fact, fields between bars) and note."""
    parts = [
        _DISCHARGE_TASK,
        f"PATIENT\n{_who(case)}",
        plan_text(case.plan),
        f"NOTE\n{case.note}" if case.note else "",
    ]
    return "\n\n".join(filter(None, parts))


def compact_briefing(case: Case) -> str:
    """Return what the Topic Checklist asks of a plan and no more, in at most 200 tokens: for small models.

    It holds the diagnosis, one thing done in hospital, at most two new drugs, one instruction, one return sign and at
    most two visits, under the headings of :func:`discharge_briefing` in small letters, which are fewer tokens. Where
    that is too long, what is needed least is left out: the second visit, the result of what was done, what else there
    is to know of the drugs, the second drug.
    """
    facts = list(_essentials(case.plan))
    second_visit, second_drug = _without_second(FollowUp), _without_second(Medication)
    for spare in (second_visit, _without("result", None), _without("precautions", ()), second_drug):
        if len(_compact_text(facts)) <= _ROOM:
            break
        facts = spare(facts)
    return f"{_COMPACT_TASK}\nPatient\n{_who(case)}\n{_compact_text(facts)}"


def plan_text(plan: Iterable[AnyFact]) -> str:
    """Return a discharge plan under its headings, one line a fact; empty if there is none."""
    return "\n\n".join("\n".join((heading, *lines)) for heading, lines in _sections(plan))


def _sections(plan: Iterable[AnyFact]) -> Iterator[tuple[str, list[str]]]:
    facts = tuple(plan)
    for heading, kinds in SECTIONS.items():
        if lines := [f"- {_line(fact)}" for fact in facts if isinstance(fact, kinds)]:
            yield heading, lines


def _essentials(plan: tuple[AnyFact, ...]) -> Iterator[AnyFact]:
    for heading, kinds in SECTIONS.items():
        facts = (fact for fact in plan if isinstance(fact, kinds) and getattr(fact, "change", "new") == "new")
        for fact in islice(facts, _MOST.get(heading, 1)):
            yield fact.model_copy(update=_shortened(fact))


def _compact_text(facts: Iterable[AnyFact]) -> str:
    return "\n".join("\n".join((heading.capitalize(), *lines)) for heading, lines in _sections(facts))


def _without(field: str, empty: object) -> Callable[[list[AnyFact]], list[AnyFact]]:
    return lambda facts: [f.model_copy(update={field: empty}) if hasattr(f, field) else f for f in facts]


def _without_second(kind: type) -> Callable[[list[AnyFact]], list[AnyFact]]:
    def without(facts: list[AnyFact]) -> list[AnyFact]:
        second = [fact for fact in facts if isinstance(fact, kind)][1:]
        return [fact for fact in facts if fact not in second]

    return without


def _shortened(fact: AnyFact) -> dict[str, object]:
    short: dict[str, object] = {"lay": ()}
    if isinstance(fact, Medication):
        short["precautions"] = fact.precautions[:1]
    if isinstance(fact, FollowUp | Treatment):
        short["purpose"] = None
    return short


def diagnosis_briefing(case: Case) -> str:
    """Return task and patient; the rest is for the doctor to find out."""
    return f"{_DIAGNOSIS_TASK}\n\nPATIENT\n{_who(case)}"


def _who(case: Case) -> str:
    who = case.demographics
    adult = who.age is None or who.age >= 18
    noun = {"female": ("woman" if adult else "girl"), "male": ("man" if adult else "boy")}.get(who.sex or "", "patient")
    return noun if who.age is None else f"{who.age}-year-old {noun}"


def _line(fact: AnyFact) -> str:
    return " | ".join(filter(None, _fields(fact)))


def _fields(fact: AnyFact) -> tuple[str | None, ...]:
    name = fact.text + (f" (in plain words: {'; '.join(fact.lay)})" if fact.lay else "")
    match fact:
        case Medication():
            return (
                f"{(fact.change or '').upper()} {name}",
                fact.dose,
                fact.route,
                fact.frequency,
                fact.duration,
                f"before: {fact.previous}" if fact.previous else None,
                f"{'because' if fact.change == 'stopped' else 'for'} {fact.purpose}" if fact.purpose else None,
                " ".join(fact.precautions),
            )
        case Test() | Procedure():
            return (name, f"result: {fact.result}" if fact.result else None)
        case Treatment():
            return (name, f"for {fact.purpose}" if fact.purpose else None)
        case ReturnSign():
            act = {
                "911": "call 911",
                "emergency": "come to the emergency department",
                "clinic": "call the clinic",
            }
            return (name, act[fact.urgency])
        case FollowUp():
            return (name, fact.when, f"for {fact.purpose}" if fact.purpose else None)
        case _:
            return (name,)
