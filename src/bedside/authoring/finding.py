"""What a check says of a case: the one shape that every rule returns and every printer reads."""

from typing import Literal, NamedTuple

__all__ = ["Finding"]


class Finding(NamedTuple):
    """Something to change in a case, or to look at.

    Attributes:
        field: Where, as a path into the case: ``plan.aspirin.dose``.
        message: What is wrong, and what would be right.
        weight: A ``problem`` must be gone; a ``caution`` may be right, and a clinician should look at it.
    """

    field: str
    message: str
    weight: Literal["problem", "caution"] = "problem"
