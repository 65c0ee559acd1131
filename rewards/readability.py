"""Reading grade of the educator's words (Flesch-Kincaid; DischargeBench, figure 3E: the target is grade 6 to 8)."""

from collections.abc import Sequence

from bedside.envs.episode import Turn
from bedside.rewards.score import Score
from bedside.verifier.language.readability import grade_of, jargon_of
from bedside.verifier.language.text import plain, sentences

__all__ = ["TARGET", "band", "score_readability"]

TARGET = (6.0, 8.0)
"""The grades that patient education aims at (DischargeBench, figure 3E)."""

_UNREADABLE = 14.0


def score_readability(turns: Sequence[Turn]) -> Score:
    """Grade everything the educator said (DischargeBench, figure 3E).

    Args:
        turns: The encounter.

    Returns:
        The US school grade as value, lower is easier; parts say whether it lies in the target band, and how many
        unexplained technical words were used.
    """
    # Turn by turn: other scores read the same sentences, and what has been read is not read again.
    said = tuple(sentence for turn in turns for sentence in sentences(plain(turn.heard)))
    grade = grade_of(said)
    if grade is None:
        return Score(value=None, reason="the educator said nothing")
    terms = tuple(dict.fromkeys(word for sentence in said for word in jargon_of(sentence)))
    parts: dict[str, float | None] = {
        "in_target": float(TARGET[0] <= grade <= TARGET[1]),
        "jargon": float(len(terms)),
    }
    return Score(value=grade, parts=parts, evidence={"jargon": ", ".join(terms)} if terms else {})


def band(grade: float) -> float:
    """Return how fit for a patient a grade is, from 1 down to 0.

    Easier than the target is no fault: speech runs simpler than print, and penalising it would teach a policy to
    lengthen its sentences. Above the target the worth falls to nothing at the level of a journal article.

    Args:
        grade: A Flesch-Kincaid grade.
    """
    return min(1.0, max(0.0, (_UNREADABLE - grade) / (_UNREADABLE - TARGET[1])))
