"""Many phrases, looked for in one pass: a thousand cost a text no more than ten.

A phrase is words apart by blanks, found in any case, the last also in the plural. A last word ``ski*`` stands for every
word that begins so, one before it (``walk* on it``) for its forms in -s and -ing; ``{rare,pink} steak`` is two phrases.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick

__all__ = ["Found", "Phrasebook", "expanded"]

_CHOICE = re.compile(r"\{([^}]*)\}")
_FOLDING = str.maketrans({chr(n): chr(n).lower() if chr(n).isalnum() else " " for n in range(128)})
_INFLECTED = re.compile(r"\*(?= )")
_PLURAL = re.compile(r"(?:e?s)?(?!\w)")
_FORMS = ("", "s", "ing")
_ENDING = re.compile(r"\w*")


class Found(NamedTuple):
    """A phrase in a text: the name that it stands for, and where it is."""

    name: str
    start: int
    end: int


class Phrasebook:
    """Names, each with the phrases that stand for it."""

    def __init__(self, entries: Iterable[tuple[str, str]]) -> None:
        """Prepare the one pass.

        Args:
            entries: Names with one phrase each; a name may come more than once.
        """
        named: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
        for name, phrase in entries:
            for words in expanded(phrase):
                bare = words.removesuffix("*")
                stem = f" {' '.join(bare.translate(_FOLDING).split())}"
                named.setdefault(stem, []).append((name, _PLURAL if bare == words else _ENDING))
        self._names = tuple(named.values())
        self._finder = AhoCorasick(list(named))

    def find(self, text: str) -> Iterator[Found]:
        """Yield every phrase in a text, also one within another."""
        folded = f" {text.translate(_FOLDING)}"
        for number, start, end in self._finder.find_matches_as_indexes(folded, overlapping=True):
            for name, ending in self._names[number]:
                if rest := ending.match(folded, end):
                    yield Found(name, start, rest.end() - 1)


def expanded(phrase: str) -> list[str]:
    """Return the phrases that one with choices in braces stands for."""
    parts = _CHOICE.split(phrase)
    choices = [part.split(",") if number % 2 else [part] for number, part in enumerate(parts)]
    chosen = ("".join(words).strip() for words in product(*choices))
    return [_INFLECTED.sub(form, words) for words in chosen for form in (_FORMS if _INFLECTED.search(words) else ("",))]
