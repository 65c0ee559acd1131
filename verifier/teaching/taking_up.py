"""What a sentence takes up from the one before it: "Black stools? That's a 911 call", "if that happens, come in".

People name a thing and then say what it means. The second sentence holds the verdict and only a pronoun for the thing,
or nothing at all, after a topic put as a question or before a semicolon.
"""

import re

from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import Quantity, find_quantities
from bedside.verifier.teaching.alarms import puts_off
from bedside.verifier.teaching.clause import MODALS, words_of
from bedside.verifier.teaching.permission import dismisses

__all__ = ["is_topic", "takes_up", "times", "waves_off"]

_BACK = Pattern(
    r"^\W*(?:(?:yes|yeah|well|then|so|and|now)\W+)*(?:that|this|these|those|it|they|either|both|any of)\b|"
    r"\b(?:if|when|once|should|as soon as)\W+(?:(?:you|there)(?:'re| are| get| have| see| notice| feel)?\W+)?"
    r"(?:that|this|it|either|any|one|1|those|these|they|them)\b",
    re.IGNORECASE,
)
_WAVED = Pattern(r"\b\w+ (?:it|that|this|these|those|them)\b", re.IGNORECASE)
_ELLIPTIC = Pattern(r"\b(?:is|are|was|were|do|does|can|will|should)(?: not|n't)\W*$", re.IGNORECASE)
"""Ends a sentence whose verb stands in the one before: "Motrin and Aleve are not"."""

_TOO_MUCH = Pattern(
    r"\b(?:is|are|means?) (?:\w+ )?(?:too (?:much|many|long|high|low)|not (?:normal|okay|ok|right)|"
    r"serious|dangerous|a (?:bad|warning|danger) sign|trouble)\W*$",
    re.IGNORECASE,
)
_ASKING = MODALS | frozenset(
    """what when who where why how which whose do does did is are was were have has any anything anyone ready okay right
    good clear questions so and make makes""".split()
)
_PEOPLE = frozenset("i you we he she".split())
_SHORT = 18
_IS = Pattern(r"^\W*(?:it|that|this)(?: one| 1| visit| appointment)?(?:'s| is| will be)\W+$", re.IGNORECASE)


def is_topic(sentence: str) -> bool:
    """True for "New confusion or trouble waking up?": named to be spoken of, and nobody is asked."""
    if not sentence.rstrip().endswith("?"):
        return False
    words = words_of(sentence)
    return 0 < len(words) <= _SHORT and words[0] not in _ASKING and _PEOPLE.isdisjoint(words)


def times(sentence: str) -> tuple[Quantity, ...]:
    """Return the time of "that one is in 2 weeks"; none for what only takes so long."""
    return tuple(q for q in find_quantities(sentence) if q.kind == "in" and _IS.match(sentence[: q.start]))


def waves_off(sentence: str) -> bool:
    """True for "just ride that out in your room": what is waved off has no name but a pronoun."""
    return bool(_WAVED.search(sentence)) and (dismisses(sentence) or puts_off(sentence))


def takes_up(sentence: str, before: str) -> bool:
    """True when a sentence speaks of what the one before it names."""
    if before.rstrip().endswith("?"):
        return is_topic(before)
    if _ELLIPTIC.search(sentence) or _TOO_MUCH.search(before):
        return True
    return before.rstrip().endswith(";") or bool(_BACK.search(sentence))
