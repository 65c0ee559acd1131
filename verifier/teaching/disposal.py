"""Is what a sentence tells to throw away no longer to be taken?

"Flush the pills you no longer need" clears out a cupboard; "flush your pills" ends a treatment. The words that make the
difference belong to the thing itself: they stand before its noun, or in a clause about it that leaves it out. "You no
longer need them" has its own object, so it says of all of them that they are not needed.
"""

import re
from itertools import pairwise, takewhile

from bedside.verifier.language.pattern import Pattern
from bedside.verifier.teaching.clause import NEGATIONS, words_of

__all__ = ["DISCARDS", "discards_only_spent", "is_spent", "is_spoiled"]

DISCARDS = Pattern(
    r"\b(?:throw(?:ing)?(?: (?:away|out))?|toss(?:ing)?(?: out)?|flush(?:ing)?|dump(?:ing)?|bin|trash|chuck|ditch|"
    r"discard|burn|pour(?: (?:out|away|down))?|clear(?:ing)? out|clean(?:ing)? out|"
    r"get(?:ting)? rid of|dispos(?:e|ing) of|part with)\b",
    re.IGNORECASE,
)
"""Verbs by which a medicine leaves the house."""

_SPOILED = frozenset("expired outdated spoiled".split())
_SPOILED_PAIRS = frozenset((("of", "date"), ("past", "its"), ("past", "their"), ("past", "the")))
_UNTAKEN = frozenset(
    """unused unneeded unwanted leftover leftovers stopped discontinued spare old former previous""".split()
)
_UNTAKEN_PAIRS = frozenset((("left", "over"),))
_TAKING = frozenset("need needs needed use using take taking want in".split())
_ENDED = frozenset("stop stopped discontinued replaced".split())
_OBJECTS = frozenset("it them these those this".split())
_ABOUT = frozenset("that which you he she we they is are has have who".split())
"""What a clause about a thing begins with."""

_BREAKS = frozenset(", : ( ) -- and or but because as since if when once so before after then until while for".split())


def is_spent(thing: str) -> bool:
    """True for what begins with medicine that is left over, out of date or not taken: "the pills you don't need"."""
    noun, clause = _thing(thing)
    if _are_spoiled(noun, clause) or not _UNTAKEN.isdisjoint(noun) or not _UNTAKEN_PAIRS.isdisjoint(pairwise(noun)):
        return True
    if not _OBJECTS.isdisjoint(clause[1:]):
        return False
    given_up = not NEGATIONS.isdisjoint(clause) and not _TAKING.isdisjoint(clause)
    return given_up or not _ENDED.isdisjoint(clause) or not _UNTAKEN_PAIRS.isdisjoint(pairwise(clause))


def is_spoiled(thing: str) -> bool:
    """True for what begins with medicine out of date; who takes it still needs it, but not that bottle."""
    return _are_spoiled(*_thing(thing))


def discards_only_spent(text: str) -> bool:
    """True when a sentence throws something away, and nothing but what is no longer to be taken."""
    verbs = list(DISCARDS.finditer(text))
    return bool(verbs) and all(is_spent(text[verb.end() :]) for verb in verbs)


def _thing(thing: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words for a thing at the start of a text, and those of a clause about it."""
    words = tuple(takewhile(lambda word: word not in _BREAKS, words_of(thing)))
    at = next((at for at, word in enumerate(words) if at and word in _ABOUT), len(words))
    return words[:at], words[at:]


def _are_spoiled(noun: tuple[str, ...], clause: tuple[str, ...]) -> bool:
    words = (*noun, *clause)
    return not _SPOILED.isdisjoint(words) or not _SPOILED_PAIRS.isdisjoint(pairwise(words))
