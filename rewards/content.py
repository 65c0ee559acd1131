"""Content coverage by topic: how much of the plan's detail was taught (the six columns of DischargeSim's table 1).

The Topic Checklist Score asks whether a topic was covered at all; this asks how much of it.
"""

from bedside.cases.fact import Topic
from bedside.rewards.lesson import Lesson
from bedside.rewards.score import Score

__all__ = ["DIMENSIONS", "score_content"]

DIMENSIONS = {
    "IRH": Topic.RETURN_SIGNS,
    "MED": Topic.MEDICATION,
    "DX": Topic.DIAGNOSIS,
    "PDT": Topic.POST_DISCHARGE,
    "TDS": Topic.TREATMENTS,
    "FU": Topic.FOLLOW_UP,
}
"""Dimensions by their names in DischargeSim, table 1: indications to return to hospital, medication, diagnosis,
post-discharge treatment, treatments and tests during the stay, follow-up."""


def score_content(lesson: Lesson) -> Score:
    """Score how much of the plan was taught (DischargeSim, table 1).

    Args:
        lesson: What was taught.

    Returns:
        Mean over the six dimensions of the share of plan items (facts and their details) that end the talk rightly
        stated; dimensions that the plan lacks are None and left out.
    """
    items = lesson.grounded.case.plan_items.values()
    parts: dict[str, float | None] = {}
    for name, topic in DIMENSIONS.items():
        own = [item.id for item in items if item.topic == topic]
        parts[name] = sum(map(lesson.right, own)) / len(own) if own else None
    shares = [share for share in parts.values() if share is not None]
    if not shares:
        return Score(value=None, reason="the case has no discharge plan", parts=parts)
    return Score(value=sum(shares) / len(shares), parts=parts)
