"""What a judging model must answer, and when an answer is whole enough to be used.

Reasons and quotations come before ratings because a model reasons as it writes. What it credits must be quoted from the
talk: a credit for words that nobody said is not used.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from pydantic import BaseModel, Field

__all__ = [
    "LIKERT",
    "MARKS",
    "YES_NO",
    "AuditedClaim",
    "Claims",
    "Item",
    "Keyed",
    "Ratings",
    "check_claims",
    "check_ratings",
]

YES_NO = (0.0, 1.0)
MARKS = (0.0, 0.5, 1.0)
LIKERT = (1.0, 2.0, 3.0, 4.0, 5.0)

# More than any talk of forty turns holds; whoever lists more has lost the thread.
_MOST_CLAIMS = 400
_SHORTEST_QUOTE = 3


class Item(NamedTuple):
    """One thing to be rated.

    Attributes:
        name: As in the answer and in the parts of the score.
        scale: The ratings that may be given.
        weight: Within the score that it is part of.
        about: Said to the judge where the prompt cannot know it, such as the level of a noise pillar.
    """

    name: str
    scale: tuple[float, ...]
    weight: float = 1.0
    about: str = ""


class Rating(BaseModel):
    """The rating of one item."""

    item: str
    quote: str = Field(max_length=2000)
    reason: str = Field(min_length=1, max_length=1000)
    rating: float


class Keyed(BaseModel):
    """An answer with the code of its request."""

    key: str


class Ratings(Keyed):
    """An answer that rates items."""

    ratings: list[Rating]


class AuditedClaim(BaseModel):
    """One medical claim of the educator with its place in the grid (DischargeBench, table 4)."""

    turn: int
    quote: str = Field(min_length=1, max_length=2000)
    reason: str = Field(min_length=1, max_length=1000)
    grounding: Literal["entailed", "contradicted", "neutral"]
    status: Literal["appropriate", "questionable", "harmful"]


class Claims(Keyed):
    """An answer that lists claims."""

    claims: list[AuditedClaim] = Field(max_length=_MOST_CLAIMS)


def check_ratings(answer: Ratings, items: Sequence[Item], spoken: Iterable[str] | None) -> None:
    """Check that an answer rates every item once, on its scale.

    Args:
        answer: What the model said.
        items: What it was asked to rate.
        spoken: Where the quotation of whatever is rated above the bottom of its scale must stand; None if none is
            needed.

    Raises:
        ValueError: The answer cannot be used; the message says what is wrong.
    """
    names = [rating.item for rating in answer.ratings]
    if sorted(names) != sorted(item.name for item in items):
        raise ValueError(f"There must be exactly one rating for each of: {', '.join(item.name for item in items)}.")
    scales = {item.name: item.scale for item in items}
    text = None if spoken is None else _folded(" ".join(spoken))
    for rating in answer.ratings:
        scale = scales[rating.item]
        if rating.rating not in scale:
            raise ValueError(f"{rating.item}: the rating must be one of {', '.join(f'{grade:g}' for grade in scale)}.")
        if text is not None and rating.rating > scale[0] and not _stands_in(rating.quote, text):
            raise ValueError(f"{rating.item}: the quote must be copied word for word from what the clinician said.")


def check_claims(answer: Claims, spoken: Sequence[str]) -> None:
    """Check that every claim was made where the answer says.

    Args:
        answer: What the model said.
        spoken: The clinician's turns; the first is turn 1.

    Raises:
        ValueError: The answer cannot be used; the message says what is wrong.
    """
    for claim in answer.claims:
        if not 1 <= claim.turn <= len(spoken):
            raise ValueError(f"There is no turn {claim.turn}; the clinician has turns 1 to {len(spoken)}.")
        if not _stands_in(claim.quote, _folded(spoken[claim.turn - 1])):
            raise ValueError(f"Turn {claim.turn}: the quote must be copied word for word from that turn.")


def _folded(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _stands_in(quote: str, text: str) -> bool:
    """True when a quotation, which may leave words out between dots, stands in a text."""
    pieces = [_folded(piece) for piece in re.split(r"\.\.\.|…", quote)]
    pieces = [piece for piece in pieces if piece]
    return bool(pieces) and len("".join(pieces)) >= _SHORTEST_QUOTE and all(piece in text for piece in pieces)
