"""Text cut into sentences and tokens, once, in the form that every rule reads.

Tokens keep their offsets, so that a claim can point at the words that made it.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import Stemmer

__all__ = ["EMPTY", "Sentence", "Token", "content_stems", "plain", "sentences", "stem", "tokenize", "tokens_of"]

_TOKEN = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?|\d+(?:[.,]\d+)*|%")
# A full stop ends a sentence unless a digit or a lower-case word follows closely, as in "2.5 mg" or "p.m. daily".
_END = re.compile(r"[.!?…]+[\"')\]*]*(?=\s|$)|\n+|;(?=\s)")
_ABBREVIATION = re.compile(
    r"(?:\b(?:[a-hj-z]|dr|mr|mrs|ms|st|vs|e\.g|i\.e|a\.m|p\.m|approx|no|tel)|\d)\.$", re.IGNORECASE
)
# "Dr. Reed", "St. John's wort": a name goes on.
_TITLE = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|St)\.$")
_NAME = re.compile(r" [A-Z][a-z]")
_FOLD = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " "})
_SAME = {"cannot": "can't", "milligram": "mg", "milligrams": "mg", "gotten": "got", "er": "ER", "ed": "ED"}
# Words whose stem is another word of medicine.
_UNSTEMMED = frozenset(
    """alcoholism alcoholic inhaler inhalers news pants spotting mouthful mouthfuls handful handfuls armful earful
    eyeful forgetful""".split()
)
_NO_PLURAL = frozenset(("news", "pants"))
_ACRONYMS = frozenset(("AIDS", "POTS", "SARS", "MERS"))
EMPTY = frozenset("my the a an your his her their our its some any this that these those".split())
_STEMMER = Stemmer.Stemmer("english")

STOPWORDS = frozenset(
    """a about again all also am an and any are as at be because been being but by can could did do does doing for from
    get gets getting got had has have having he her here his how i if in into is it its just let like may me more
    most much my of on or other our out over please really right see she should so some such than that the their them
    then there these they this those to too up us very was we were what when where which while who will with would you
    your yours s t re ve ll m d i'm it's that's you're don't i've we'll you'll we're going go keep make sure need
    one thing things well okay""".split()
)


_BREAK = " , "
_PARTING = frozenset(",(;")


class Token(NamedTuple):
    """A word or number.

    Attributes:
        text: As written.
        stem: What is compared; short capitals (MI) stay as they are, for "mi" and "pe" are no words of medicine.
        apart: True when a comma or bracket parts it from the token before, so that no name runs across.
    """

    text: str
    stem: str
    start: int
    end: int
    apart: bool = False


class Sentence(NamedTuple):
    """A sentence with its tokens; offsets count from the start of the whole text."""

    number: int
    text: str
    start: int
    end: int
    tokens: tuple[Token, ...]

    @property
    def asks(self) -> bool:
        """True when it ends as a question."""
        return self.text.rstrip("\"') *").endswith("?")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the form in which a word is compared: lower case, stemmed; capitals of up to three letters kept."""
    if word.isupper() and (1 < len(word) <= 3 or word in _ACRONYMS):
        return word
    low = word.lower()
    low = _SAME.get(low, low)
    if low in _UNSTEMMED:
        return low if low in _NO_PLURAL else low.removesuffix("s")
    if low.endswith("itis"):
        return low  # else an organ and its inflammation would be one word
    return low if low.isupper() else str(_STEMMER.stemWord(low.removesuffix("'s")))


def plain(text: str) -> str:
    """Fold typographic quotes, dashes and spaces to ASCII, one character for one."""
    return text if text.isascii() else text.translate(_FOLD)


def tokenize(text: str, offset: int = 0) -> tuple[Token, ...]:
    """Cut text that :func:`plain` has folded into tokens."""
    tokens: list[Token] = []
    last = 0
    for match in _TOKEN.finditer(text):
        word = match.group()
        start, end = match.span()
        # A capital A inside a sentence is a name, as in "hepatitis A", not an article.
        stemmed = "A" if word == "A" and start else stem(word)
        gap = text[last:start]
        apart = gap != " " and not _PARTING.isdisjoint(gap)
        # What Token(...) does, without the call in between that would take as long again.
        tokens.append(tuple.__new__(Token, (word, stemmed, start + offset, end + offset, apart)))
        last = end
    return tuple(tokens)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _END.finditer(text):
        goes_on = match.group() == "." and text[match.end() :].lstrip()[:1].islower()
        if goes_on and _ABBREVIATION.search(text[start : match.end()]):
            continue
        if match.group() == "." and _TITLE.search(text[start : match.end()]) and _NAME.match(text, match.end()):
            continue
        yield start, match.end()
        start = match.end()
    yield start, len(text)


@lru_cache(maxsize=16384)
def tokens_of(piece: str) -> tuple[Token, ...]:
    """Return the tokens of one sentence, counted from its own start; most of a talk has been said before in it."""
    return tokenize(piece)


def _moved(tokens: tuple[Token, ...], offset: int) -> tuple[Token, ...]:
    new = tuple.__new__
    return tuple(
        [new(Token, (text, stem, start + offset, end + offset, apart)) for text, stem, start, end, apart in tokens]
    )


@lru_cache(maxsize=2048)
def sentences(text: str) -> tuple[Sentence, ...]:
    """Split a text into sentences; line breaks and semicolons end one too.

    Args:
        text: Any text.

    Returns:
        Sentences that hold at least one token, with offsets into ``text``.
    """
    text = plain(text)
    found: list[Sentence] = []
    for start, end in _spans(text):
        piece = text[start:end]
        if piece and (tokens := tokens_of(piece)):
            found.append(Sentence(len(found), piece, start, end, _moved(tokens, start) if start else tokens))
    return tuple(found)


def key(tokens: tuple[Token, ...]) -> str:
    """Return the matching key of tokens: stems between spaces, articles and possessives left out."""
    return keyed(tokens)[0]


@lru_cache(maxsize=16384)
def keyed(tokens: tuple[Token, ...]) -> tuple[str, list[int], list[int]]:
    """Return :func:`key` with, for each kept token, its start in the key and its index in ``tokens``.

    Every sentence is matched at least twice, against the case's words and the core's; hence the cache.
    """
    text = ""
    starts: list[int] = []
    kept: list[int] = []
    for index, token in enumerate(tokens):
        if token.stem in EMPTY:
            continue
        if token.apart and text:
            text += _BREAK
        starts.append(len(text))
        kept.append(index)
        text += f" {token.stem} "
    return text, starts, kept


@lru_cache(maxsize=16384)
def content_stems(text: str) -> tuple[str, ...]:
    """Return the stems of a phrase that carry meaning, in order, without repetition."""
    return tuple(
        dict.fromkeys(t.stem for t in tokenize(plain(text)) if t.stem == "A" or t.text.lower() not in STOPWORDS)
    )
