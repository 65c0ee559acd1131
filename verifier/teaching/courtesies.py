"""What is said for manners' sake, and would be heard as leave: "go ahead and keep it dry", "try to keep it dry, okay?".

An order that opens or ends so is the same order. Left in, "okay", "try" and "go ahead" would approve of what stands
beside them, and a plain order with a prohibition in it would turn into its opposite.
"""

import re
from functools import lru_cache

from bedside.verifier.claims.wording import normalise
from bedside.verifier.language.text import Sentence, sentences

__all__ = ["told_sentences"]

_BEGINS = r"(?:^|(?<=[.!?\n] )|(?<=\n))"
_OPENERS = r"(?:(?:so|and|then|now|but|okay|please|next|also),? )*"
_GO_AHEAD = re.compile(rf"{_BEGINS}({_OPENERS})(?:go ahead and|try to|no matter what,) (\w)", re.IGNORECASE)
_MANNERS = re.compile("ahead and|ry to|no matter what", re.IGNORECASE)
_ASKS = (
    r"(?:do|does|did|can|could|would|will|are|is|was|have|has|what|when|where|how|why|which|who|should|may|might|shall)"
)
# Blanks before the question word are taken from the sentence's beginning only: a page of them is looked at once.
_TAG = re.compile(
    rf"({_BEGINS}(?![^\w\n]{{0,9}}{_OPENERS}{_ASKS}\b)(?:[^.!?\n]|\.\d)*?), (?:okay|ok|all right|alright)\?",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def told_sentences(text: str) -> tuple[Sentence, ...]:
    """Cut an educator's turn into sentences, numbers in digits, without the manners that sound like leave.

    Args:
        text: What was heard.
    """
    if _MANNERS.search(text):
        text = _GO_AHEAD.sub(lambda said: said[1] + (said[2] if said[1] else said[2].upper()), text)
    if "?" in text:
        text = _TAG.sub(r"\1.", text)
    return sentences(normalise(text))
