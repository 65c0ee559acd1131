"""One plan item stated or contradicted, as all readers of teaching pass it on."""

from typing import NamedTuple

__all__ = ["Event"]


class Event(NamedTuple):
    """One plan item stated or contradicted.

    Attributes:
        item: Id of the plan item.
        right: False when what was said disagrees with the plan.
        sentence: Number of the sentence in the turn.
        said: The sentence.
        stated: For a contradiction, what was said instead.
    """

    item: str
    right: bool
    sentence: int
    said: str
    stated: str = ""
