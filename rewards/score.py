"""A score, which may be missing but is never made up."""

from bedside.cases.fact import Frozen

__all__ = ["Score"]


class Score(Frozen):
    """One figure about one episode.

    Attributes:
        value: None when it could not be determined; that is not zero, and means skip it.
        reason: Why it is missing.
        parts: What it is made of, named as in the papers.
        engine: Who scored; figures of different engines are not comparable.
        evidence: For each part, the sentence that earned or lost it.
        votes: For each part, what several votes of a judge gave; empty where there was but one.
    """

    value: float | None
    reason: str = ""
    parts: dict[str, float | None] = {}
    engine: str = "embedded"
    evidence: dict[str, str] = {}
    votes: dict[str, tuple[float, ...]] = {}
