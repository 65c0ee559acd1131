"""Surface match: the same words, the same words in another order, or nearly the same letters.

A small sentence encoder puts "blood thinner" far from "warfarin" and near to "thin blood". Names that the pack holds
must not be left to it, and neither must misspellings of them; so the words are compared first.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple

from rapidfuzz import fuzz, process
from rapidfuzz.distance import DamerauLevenshtein

from bedside.verifier.knowledge.atom import Atom
from bedside.verifier.language.text import STOPWORDS, Token, key, plain, tokenize

__all__ = ["Match", "SurfaceHit", "SurfaceIndex"]

Match = Literal["exact", "words", "fuzzy", "embedding"]
# One letter wrong in six, two in twelve; in shorter names a wrong letter makes another word (ace, ache).
_LETTERS_PER_TYPO = 6
_SHORTEST = 5
_CUTOFF = 80.0
_EMPTY = frozenset("my the a an your his her their our its some any this that these those".split())


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
        """Index atoms by key, by content words and by spelling."""
        named: dict[str, list[Atom]] = {}
        for atom in atoms:
            named.setdefault(atom.text.lower(), []).append(atom)
        self._exact: dict[str, dict[str, tuple[Atom, ...]]] = {}
        self._words: dict[tuple[str, ...], list[str]] = {}
        # Spellings, not stems: a slip in an ending gives the stemmer another word altogether. They are kept by first
        # letter, which a misspelling rarely changes; that makes the search twenty times shorter.
        self._spelt: dict[str, dict[str, str]] = {}
        counts: Counter[str] = Counter()
        for text, group in named.items():
            # As written, not lower-cased: short capitals are words of their own.
            tokens = tokenize(plain(group[0].text))
            if not (known := key(tokens)):
                continue
            if known not in self._exact and (words := _words(tokens)):
                self._words.setdefault(words, []).append(known)
            self._exact.setdefault(known, {})[text] = tuple(group)
            spelt = _letters(tokens)
            self._spelt.setdefault(spelt[:1], {}).setdefault(spelt, known)
            counts.update(spelt.split())
        self._vocabulary: dict[str, list[str]] = {}
        # The commoner first: it wins among words that are equally near.
        for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
            self._vocabulary.setdefault(word[:1], []).append(word)
        self._known_words = frozenset(counts)

    def find(self, text: str) -> list[SurfaceHit]:
        """Return the names that match best: the same, or else those of the same words, or else the nearest spelling."""
        tokens = tokenize(plain(text))
        known = key(tokens)
        if known in self._exact:
            return self._hits([known], 1.0, "exact")
        if (words := _words(tokens)) and words in self._words:
            return self._hits(self._words[words], 1.0, "words")
        return self._misspelt(_letters(tokens)) or self._respelt(_letters(tokens))

    def _misspelt(self, spelt: str) -> list[SurfaceHit]:
        letters = len(spelt.replace(" ", ""))
        if letters < _SHORTEST:
            return []
        candidates = self._spelt.get(spelt[:1], {})
        near = process.extract(spelt, candidates.keys(), scorer=fuzz.ratio, score_cutoff=_CUTOFF, limit=20)
        # A digit is no typo: type 1 and type 2, B6 and B12.
        alike = [other for other, _, _ in near if _digits(other) == _digits(spelt)]
        distances = [(DamerauLevenshtein.distance(spelt, other), candidates[other]) for other in alike]
        best = min((distance for distance, _ in distances), default=letters)
        if best > max(1, letters // _LETTERS_PER_TYPO):
            return []
        keys = sorted({key for distance, key in distances if distance == best})
        return self._hits(keys, round(1 - best / letters, 4), "fuzzy")

    def _respelt(self, spelt: str) -> list[SurfaceHit]:
        """Correct word for word, then look for the same words: "ankels are swolen" is "swollen ankles"."""
        corrected, wrong = [], 0
        for word in spelt.split():
            right = word if word in self._known_words or word in STOPWORDS else self._nearest_word(word)
            wrong += right != word
            corrected.append(right)
        if not wrong:
            return []
        tokens = tokenize(" ".join(corrected))
        similarity = round(1 - wrong / len(spelt.replace(" ", "")), 4)
        if (known := key(tokens)) in self._exact:
            return self._hits([known], similarity, "fuzzy")
        return self._hits(self._words.get(_words(tokens), ()), similarity, "fuzzy")

    def _nearest_word(self, word: str) -> str:
        if len(word) < _SHORTEST or not word.isalpha():
            return word
        allowed = max(1, len(word) // _LETTERS_PER_TYPO)
        found = process.extractOne(
            word, self._vocabulary.get(word[:1], ()), scorer=DamerauLevenshtein.distance, score_cutoff=allowed
        )
        return str(found[0]) if found else word

    def _hits(self, keys: Iterable[str], similarity: float, how: Match) -> list[SurfaceHit]:
        return [
            SurfaceHit(text, similarity, how, atoms) for known in keys for text, atoms in self._exact[known].items()
        ]


def _words(tokens: tuple[Token, ...]) -> tuple[str, ...]:
    """Return the words that carry meaning; none if all that is left of a name is an abbreviation's stump."""
    words = tuple(sorted({token.stem for token in tokens if token.text.lower() not in STOPWORDS}))
    return words if len("".join(words)) >= _SHORTEST else ()


def _letters(tokens: tuple[Token, ...]) -> str:
    """Return the words as they are spelt, articles and possessives left out."""
    return " ".join(token.text.lower() for token in tokens if token.stem not in _EMPTY)


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdigit())
