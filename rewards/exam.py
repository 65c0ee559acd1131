"""The comprehension exam (DischargeSim, section 2.3): how many questions does the patient answer rightly?

The same exam before the talk tells what the patient would have known or guessed anyway; an educator is worth the gain.
"""

from collections.abc import Sequence

from bedside.cases.case import Case
from bedside.envs.episode import Answer
from bedside.rewards.score import Score

__all__ = ["gain", "score_exam"]


def score_exam(answers: Sequence[Answer], case: Case) -> Score:
    """Score one sitting of the exam (DischargeSim, section 2.3).

    Args:
        answers: What the patient chose. A question without a choice is unscored: neither right nor wrong.
        case: Whose questions they are.

    Returns:
        The share of right choices; parts hold the share for each topic, None where nothing was answered.
    """
    if not case.questions:
        return Score(value=None, reason="the case has no exam questions")
    if not answers:
        return Score(value=None, reason="no exam was taken")
    chosen = {answer.question: answer.chosen for answer in answers}
    topics: dict[str, list[float]] = {question.topic.value: [] for question in case.questions}
    evidence: dict[str, str] = {}
    for question in case.questions:
        choice = chosen.get(question.id)
        if choice is None:
            evidence[question.id] = "unanswered"
            continue
        topics[question.topic.value].append(float(choice == "answer"))
        evidence[question.id] = getattr(question, choice)
    hits = [hit for topic in topics.values() for hit in topic]
    if not hits:
        return Score(value=None, reason="no exam question was answered", evidence=evidence)
    parts = {topic: sum(values) / len(values) if values else None for topic, values in topics.items()}
    return Score(value=sum(hits) / len(hits), parts=parts, evidence=evidence)


def gain(before: Score, after: Score) -> Score:
    """Return what was added: the later score minus the earlier, part by part.

    Args:
        before: Of the untaught patient.
        after: Of the same patient after the talk.

    Returns:
        The difference; unscored when either is.
    """
    if before.value is None or after.value is None:
        side = "after" if after.value is None else "before"
        reason = after.reason if after.value is None else before.reason
        return Score(value=None, reason=f"{side} the talk: {reason}")
    parts: dict[str, float | None] = {}
    for name, later in after.parts.items():
        earlier = before.parts.get(name)
        parts[name] = None if later is None or earlier is None else later - earlier
    return Score(value=after.value - before.value, parts=parts)
