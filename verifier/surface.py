"""Surface match: the same words, the same words in another order, or nearly the same letters.

A small sentence encoder puts "blood thinner" far from "warfarin" and near to "thin blood". Names that the pack holds
must not be left to it, and neither must misspellings of them; so the words are compared first.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from rapidfuzz import fuzz, process
from rapidfuzz.distance import DamerauLevenshtein

from bedside.verifier.atom import Atom
from bedside.verifier.lexicon import form_key
from bedside.verifier.text import content_stems

__all__ = ["Match", "SurfaceHit", "SurfaceIndex"]

Match = Literal["exact", "words", "fuzzy", "embedding"]
# One letter wrong in six, two in twelve; in shorter names a wrong letter makes another word (ace, ache).
_LETTERS_PER_TYPO = 6
_SHORTEST_FUZZY = 5
_CUTOFF = 80.0


class SurfaceHit(NamedTuple):
    """A name that matches, and what is called so.

    Attributes:
        similarity: One for the same words, less for nearly the same letters.
    """

    text: str
    similarity: float
    how: Match
    atoms: tuple[Atom, ...]


class SurfaceIndex:
    """Finds names by their words."""

    def __init__(self, atoms: Iterable[Atom]) -> None:
        """Index atoms by key and by content words."""
        exact: dict[str, dict[str, list[Atom]]] = {}
        for atom in atoms:
            if key := form_key(atom.text):
                exact.setdefault(key, {}).setdefault(atom.text.lower(), []).append(atom)
        self._exact = {key: {text: tuple(group) for text, group in named.items()} for key, named in exact.items()}
        self._words: dict[tuple[str, ...], list[str]] = {}
        # Names by first letter: a misspelling rarely begins with another one, and the search is twenty times shorter.
        self._initial: dict[str, list[str]] = {}
        for key, named in self._exact.items():
            if words := _words(next(iter(named))):
                self._words.setdefault(words, []).append(key)
            self._initial.setdefault(key.lstrip()[:1].lower(), []).append(key)

    def find(self, text: str) -> list[SurfaceHit]:
        """Return the names that match best: exact ones, or else those of the same words, or else the nearest spelling."""
        key = form_key(text)
        if key in self._exact:
            return self._hits([key], 1.0, "exact")
        if (words := _words(text)) and words in self._words:
            return self._hits(self._words[words], 1.0, "words")
        return self._misspelt(key)

    def _misspelt(self, key: str) -> list[SurfaceHit]:
        letters = len(key.replace(" ", ""))
        if letters < _SHORTEST_FUZZY:
            return []
        candidates = self._initial.get(key.lstrip()[:1].lower(), ())
        near = process.extract(key, candidates, scorer=fuzz.ratio, score_cutoff=_CUTOFF, limit=20)
        allowed = max(1, letters // _LETTERS_PER_TYPO)
        found = [
            (DamerauLevenshtein.distance(key, other), other)
            for other, _, _ in near
            # A digit is no typo: type 1 and type 2, B6 and B12.
            if _digits(other) == _digits(key)
        ]
        best = min((distance for distance, _ in found), default=allowed + 1)
        if best > allowed:
            return []
        keys = sorted(other for distance, other in found if distance == best)
        return self._hits(keys, round(1 - best / letters, 4), "fuzzy")

    def _hits(self, keys: Iterable[str], similarity: float, how: Match) -> list[SurfaceHit]:
        return [SurfaceHit(text, similarity, how, atoms) for key in keys for text, atoms in self._exact[key].items()]


def _words(text: str) -> tuple[str, ...]:
    return tuple(sorted(content_stems(text)))


def _digits(key: str) -> str:
    return "".join(c for c in key if c.isdigit())
