"""Regular expressions that are tried only on a text that holds a word they cannot match without.

The rules read every sentence with hundreds of expressions, and hardly any of them matches. Each is taken apart once
for words of which every match holds one: "dream", what begins with "caus", the "t" of "don't". A text is then looked
up word by word, and only what its words allow is run. The words are necessary, never sufficient, so what is found is
what the expression alone would find.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from re import _constants as code  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from bedside.verifier.language.text import STOPWORDS

__all__ = ["Pattern", "allowed_in"]

_EVERY = -1
"""All bits: anything may match."""

_ALWAYS = 1
"""The bit of expressions that need no word; it is set for every text."""

_LONGEST = 40
"""Letters of a word that is looked up; a longer one allows everything."""

_MOST_PATHS = 500
_TELLING = 4
"""Letters of a word, not a stop word, that is seldom enough to do for an expression."""

_LETTERS = 2
"""So few letters, with more before or after them, are in too many words."""

_FEW = 4
"""Letters of a set such as ``[aeiou]`` that are followed one by one."""

_EDGE = " "
"""In a needed word: here the word begins or ends; without it, any letters may go on."""

_OPEN = "\b"
"""Before a word's first letter: it begins here if a letter comes."""

_FOLD = {chr(n): chr(n).lower() if chr(n).isalpha() or chr(n) == "_" else _EDGE for n in range(128)}
_FOLD |= dict.fromkeys("0123456789", "0")
_FOLDING = str.maketrans(_FOLD)

_allowed: dict[str, int] = {}
"""For each needed word, the bits of the expressions that need it."""

Path = tuple[str, str]
"""A way through an expression: the most telling word passed, and the letters of the word it is in."""


class Pattern:
    """A regular expression with the methods of :class:`re.Pattern` that the rules use.

    Attributes:
        expression: As it was written.
        flags: Of :mod:`re`.
    """

    _made = 0

    def __init__(self, expression: str, flags: int = 0) -> None:
        """Compile an expression.

        Args:
            expression: As for :func:`re.compile`.
            flags: The same.

        Raises:
            re.error: The expression is not valid.
        """
        self.expression, self.flags = expression, flags
        self._regex = re.compile(expression, flags)
        self._bit = _ALWAYS
        if needed := _Needed(parser.parse(expression, flags)).words:
            Pattern._made += 1
            self._bit = _ALWAYS << Pattern._made
            for word in needed:
                _allowed[word] = _allowed.get(word, 0) | self._bit
            _allowed_by.cache_clear()
            allowed_in.cache_clear()

    def may_match(self, allowed: int) -> bool:
        """True when a text may hold a match, by what :func:`allowed_in` returned for it."""
        return bool(allowed & self._bit)

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Return the first match from a place on."""
        return self._regex.search(text, start) if allowed_in(text) & self._bit else None

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match at the start of a text."""
        return self._regex.match(text) if allowed_in(text) & self._bit else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Return all matches."""
        return self._regex.finditer(text) if allowed_in(text) & self._bit else iter(())

    def findall(self, text: str) -> list[Any]:
        """Return the words of all matches, or their groups."""
        return self._regex.findall(text) if allowed_in(text) & self._bit else []

    def sub(self, instead: str | Callable[[re.Match[str]], str], text: str) -> str:
        """Replace all matches."""
        return self._regex.sub(instead, text) if allowed_in(text) & self._bit else text

    def split(self, text: str) -> list[str | Any]:
        """Split a text at all matches."""
        return self._regex.split(text) if allowed_in(text) & self._bit else [text]


@lru_cache(maxsize=65536)
def allowed_in(text: str) -> int:
    """Return the bits of the expressions that can match in a text, for many expressions that are asked in turn."""
    if not text.isascii():
        return _EVERY  # "ſ" matches "s" where case is ignored, and does not fold to it
    found = _ALWAYS
    for word in text.translate(_FOLDING).split():
        found |= _allowed_by(word)
    return found


@lru_cache(maxsize=65536)
def _allowed_by(word: str) -> int:
    if len(word) > _LONGEST:
        return _EVERY
    found, edged = 0, f"{_EDGE}{word}{_EDGE}"
    for start in range(len(edged)):
        for end in range(start + 1, len(edged) + 1):
            found |= _allowed.get(edged[start:end], 0)
    return found


class _Needed:
    """Collects, on all ways through a parsed expression at once, a word that each of them passes.

    Attributes:
        words: A match holds at least one of these; none if nothing is known.
    """

    def __init__(self, expression: Iterable[tuple[Any, Any]]) -> None:
        self.words: set[str] = set()
        self.words |= {word for word, _ in self._leave(self._follow(expression, {("", "")}))}
        if "" in self.words:
            self.words = set()

    def _follow(self, steps: Iterable[tuple[Any, Any]], paths: set[Path]) -> set[Path]:
        """Go on by parsed steps; a way that has passed a telling word need not be followed to its end."""
        for kind, value in steps:
            paths = self._step(kind, value, paths)
            if len(paths) > _MOST_PATHS:
                paths = self._leave(paths)
        return paths

    def _step(self, kind: Any, value: Any, paths: set[Path]) -> set[Path]:
        match kind:
            case code.LITERAL | code.IN if letters := _letters(value if kind is code.IN else [(kind, value)]):
                return {path for letter in letters for path in self._read(letter, paths)}
            case code.AT:
                return self._stand(value, paths)
            case code.ASSERT | code.ASSERT_NOT:
                return paths
            case code.SUBPATTERN:
                return self._follow(value[-1], paths)
            case code.ATOMIC_GROUP:
                return self._follow(value, paths)
            case code.BRANCH:
                return {path for way in value[1] for path in self._follow(way, paths)}
            case code.MAX_REPEAT | code.MIN_REPEAT | code.POSSESSIVE_REPEAT:
                least, most, steps = value
                through = self._follow(steps, paths)
                through = through if most == 1 else self._leave(through)
                return through if least else through | paths
        return self._leave(paths)

    def _read(self, letter: str, paths: set[Path]) -> set[Path]:
        """Go on by a known character."""
        if letter == _EDGE:
            return {(word, _EDGE) for word, _ in self._leave(paths, _EDGE)}
        return {(word, letters.replace(_OPEN, _EDGE) + letter) for word, letters in paths}

    def _stand(self, where: Any, paths: set[Path]) -> set[Path]:
        """Pass a place between two characters."""
        if where in (code.AT_BEGINNING, code.AT_BEGINNING_STRING):
            return {(word, letters or _EDGE) for word, letters in paths}
        if where not in (code.AT_BOUNDARY, code.AT_END, code.AT_END_STRING):
            return paths
        outside = {path for path in paths if path[1] in ("", _EDGE, _OPEN)}
        at_start = {(word, letters or _OPEN) for word, letters in outside} if where is code.AT_BOUNDARY else outside
        return at_start | self._leave(paths - outside, _EDGE)

    def _leave(self, paths: set[Path], edge: str = "") -> set[Path]:
        """Go on by what is not known, or past the end of a word."""
        left = set()
        for word, letters in paths:
            bare = letters.strip(_EDGE + _OPEN)
            if len(bare) >= _TELLING and bare not in STOPWORDS:
                self.words.add(letters + edge)
            else:
                left.add((max(word, letters + edge, key=_weight) if bare else word, ""))
        return left


def _weight(word: str) -> tuple[bool, bool, int]:
    """Rank words by how seldom a text will hold them: many end in the "n" of "don't", few are its bare "t"."""
    bare = word.strip()
    whole = len(bare) > _LETTERS or word == f"{_EDGE}{bare}{_EDGE}"
    return bool(bare) and whole, bool(bare) and bare not in STOPWORDS, len(word)


def _letters(members: Iterable[tuple[Any, Any]]) -> set[str]:
    """Return the folded characters of a set; empty if they are too many, or not known."""
    found: set[str] = set()
    for kind, value in members:
        first, last = value if kind is code.RANGE else (value, value)
        if kind in (code.LITERAL, code.RANGE) and last < 128:
            found |= {_FOLD[chr(number)] for number in range(first, last + 1)}
        elif kind is code.CATEGORY and value in _CATEGORIES:
            found.add(_CATEGORIES[value])
        else:
            return set()
    return found if len(found) <= _FEW else set()


_CATEGORIES = {code.CATEGORY_DIGIT: "0", code.CATEGORY_SPACE: _EDGE, code.CATEGORY_NOT_WORD: _EDGE}
