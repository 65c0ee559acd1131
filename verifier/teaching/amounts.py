"""Amounts that go without their drug's name, as they do once it has been named.

"You take 5 mg", "that's 5 mg, twice a day", "Dose: 5 mg": the amount stands where the drug would stand, so it is of the
drug spoken of. "A limit of 2 g of salt" and "walk 20 minutes" name what they measure, and are not.
"""

import re

from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import Quantity

__all__ = ["gives_amount", "is_labelled"]

_LABEL = Pattern(
    r"^\W*(?:the |your |its )?(?:dos(?:e|age|ing)|amount|strength|route|frequency|timing|times?|schedule|duration|"
    r"directions?|instructions?|purpose|reason|why|when|how|use|used|(?:common |possible )?side effects?|cautions?|"
    r"warnings?|precautions?)"
    r"(?:\W+(?:often|much|many|long|to|you|take|taken|use|give|it|this|is|and|or|what|when|how|why|for|watch|expect|"
    r"each|per|day|time))*\W*:",
    re.IGNORECASE,
)
_TAKEN = (
    r"(?:take|takes|taking|taken|use|using|swallow\w*|inject\w*|inhale|inhaling|apply|applying|put|need|get|getting|on)"
)
_SAME = (
    r"(?:it|that|this|which|they|those|(?:each|the|one|your) (?:dose|amount|time)|dose|amount|instructions|directions)"
)
_STEAD = Pattern(
    rf"(?:^\W*(?:(?:so|and|then|now|still|yes|no|almost|close|actually)\W+)*|:\W*|"
    rf"\b{_TAKEN}\W+|\b{_SAME}(?:'s|'ll be|\W+(?:is|are|means?|comes? to|will be|stays?(?: at)?|remains?))\W+)"
    r"(?:(?:just|only|about|exactly|now|always|still|for you|at)\W+)*$",
    re.IGNORECASE,
)
_WHEN = Pattern(r"\b(?:once|every|each|at|in the|before|after|with)\b", re.IGNORECASE)
_OF_ANOTHER = Pattern(r"^\W*of (?!it\b|them\b|this\b|that\b|\d)", re.IGNORECASE)


def is_labelled(text: str) -> bool:
    """True for "Dose: 5 mg" and "Why: to prevent a stroke": a line of what a heading names."""
    return bool(_LABEL.match(text))


def gives_amount(text: str, quantities: tuple[Quantity, ...]) -> bool:
    """True for a dose that stands where its drug would.

    Args:
        text: A sentence that names no drug.
        quantities: That it holds.
    """
    alone = len({quantity.kind for quantity in quantities}) == 1 and not _WHEN.search(text)
    return any(
        quantity.kind == "dose"
        and not (alone and quantity.start == len(text) - len(text.lstrip(" -*\u2022")))  # a row of a list of words
        and bool(_STEAD.search(text[: quantity.start]))
        and not _OF_ANOTHER.match(text[quantity.end :])
        for quantity in quantities
    )
