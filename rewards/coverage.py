"""The Topic Checklist Score: which topics of the note did the educator state? (DischargeBench, table 5).

A topic counts when it was *stated and right*. Naming it, asking about it or pointing at the papers earns nothing; a
wrong dose costs the dosage question and only that.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from bedside.cases.case import Case
from bedside.cases.fact import (
    AnyFact,
    FollowUp,
    Instruction,
    Medication,
    Procedure,
    ReturnSign,
    Test,
    Treatment,
)
from bedside.rewards.lesson import Lesson
from bedside.rewards.score import Score
from bedside.verifier.grounding import GroundedCase, ground
from bedside.verifier.teaching.points import PART

__all__ = ["WEIGHTS", "applicable_questions", "score_coverage"]

WEIGHTS = {
    "Q1": 1.0,
    "Q2": 1.0,
    "Q2.1": 0.5,
    "Q2.2": 0.5,
    "Q2.3": 0.5,
    "Q2.4": 0.5,
    "Q3": 1.0,
    "Q4": 1.0,
    "Q5": 1.0,
    "Q6": 1.0,
}
"""Questions and their weights (DischargeBench, table 5): parents count 1, the details of the medication 0.5."""


class _Question(NamedTuple):
    """What a question needs: of each group of items one said rightly; and no item of ``spoilers`` said wrongly."""

    groups: tuple[tuple[str, ...], ...]
    spoilers: tuple[str, ...]


def score_coverage(lesson: Lesson) -> Score:
    """Score topic coverage (DischargeBench, table 5).

    Args:
        lesson: What was taught.

    Returns:
        The weighted share of applicable questions that hold; parts are named Q1 to Q6, None where not applicable, and
        evidence quotes the sentence that earned or lost each.
    """
    parts: dict[str, float | None] = dict.fromkeys(WEIGHTS)
    evidence: dict[str, str] = {}
    total = earned = 0.0
    for name, question in _questions(lesson.grounded).items():
        hit, sentence = _answer(question, lesson)
        parts[name] = float(hit)
        total += WEIGHTS[name]
        earned += WEIGHTS[name] * hit
        if sentence:
            evidence[name] = sentence
    if not total:
        return Score(value=None, reason="the case has no discharge plan", parts=parts)
    return Score(value=earned / total, parts=parts, evidence=evidence)


def applicable_questions(case: Case) -> tuple[str, ...]:
    """Return the questions that a case's plan has an answer to."""
    return tuple(_questions(ground(case, "discharge")))


def _answer(question: _Question, lesson: Lesson) -> tuple[bool, str]:
    for item in question.spoilers:
        if lesson.wrong(item):
            return False, lesson.said(item)
    quoted = ""
    for group in question.groups:
        earned = next((item for item in group if lesson.right(item)), None)
        if earned is None:
            return False, ""
        quoted = quoted or lesson.said(earned)
    return True, quoted


@lru_cache(maxsize=1024)
def _questions(grounded: GroundedCase) -> dict[str, _Question]:
    """Return the applicable questions; those about facts that the plan does not hold are left out."""
    case = grounded.case
    plan = case.plan
    new = [fact for fact in plan if isinstance(fact, Medication) and fact.change == "new"]
    details: dict[str, list[tuple[str, ...]]] = {
        "Q2": [(fact.id,) for fact in new],
        "Q2.1": [_items(case, fact, "dose") for fact in new],
        "Q2.2": [_items(case, fact, "route") for fact in new],
        "Q2.3": [_items(case, fact, "frequency") for fact in new],
        "Q2.4": [_items(case, fact, "precaution") for fact in new],
    }
    found = {"Q1": _any_of([fact for fact in plan if fact.kind == "condition"][:1])}
    found |= {name: _each_of(groups) for name, groups in details.items()}
    found["Q3"] = _any_of(fact for fact in plan if isinstance(fact, Procedure | Test | Treatment))
    told = tuple(fact.id for fact in plan if isinstance(fact, Instruction))
    # One of two orders that an instruction joins is a care instruction too.
    found["Q4"] = _Question((told + tuple(f"{name}{PART}" for name in told),) if told else (), told)
    found["Q5"] = _any_of(fact for fact in plan if isinstance(fact, ReturnSign) and fact.urgency != "clinic")
    visits = [fact for fact in plan if isinstance(fact, FollowUp)]
    found["Q6"] = _each_of([(fact.id,) for fact in visits] + [_items(case, fact, "when") for fact in visits])
    return {name: question for name, question in found.items() if question.groups}


def _items(case: Case, fact: AnyFact, attribute: str) -> tuple[str, ...]:
    """Return the plan items of one attribute; precautions are numbered, all others single."""
    return tuple(
        key
        for key, item in case.plan_items.items()
        if item.fact.id == fact.id and item.attribute and item.attribute.rstrip("0123456789") == attribute
    )


def _any_of(facts: Iterable[AnyFact]) -> _Question:
    ids = tuple(fact.id for fact in facts)
    return _Question((ids,) if ids else (), ids)


def _each_of(groups: list[tuple[str, ...]]) -> _Question:
    applicable = tuple(group for group in groups if group)
    return _Question(applicable, tuple(item for group in applicable for item in group))
