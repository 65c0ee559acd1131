"""What diseases are called, for diagnoses that the hand-written knowledge does not name.

The knowledge holds what the cases need and how patients put it; a doctor may name any disease there is. The names are
titles and inclusion terms of ICD-10-CM and their synonyms in MeSH, both in the public domain
(``scripts/build_icd_terms.py``, ``build_disease_synonyms.py``), and what doctors say instead: abbreviations, eponyms,
short forms (``data/disease_names.tsv``). A name is a set of words, so that "dissection of the aorta" is "aortic
dissection"; words that mean the same are one (``data/disease_words.tsv``).
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from rapidfuzz import fuzz, process

from bedside.verifier.language.lexicon import core
from bedside.verifier.language.text import stem

__all__ = ["NamedDisease", "classified", "name_key", "named_within", "opposite", "respelt", "spoken_code"]

_DATA = Path(__file__).parent / "data"
_TABLES = ("disease_names.tsv", "icd_terms.tsv", "disease_synonyms.tsv")
_WORD = re.compile(r"[a-z0-9]+", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]{6,}")
_CUT_OFF = re.compile(r"\b[^\W\d_]{4,}$")
_ACCENTS = re.compile(r"[\u0300-\u036f]")
_MALIGNANT = re.compile(r"\bmalignant (?:neoplasm|tumou?r|growth)", re.IGNORECASE)
_NON = re.compile(r"\bnon[- ]+(?=\w)", re.IGNORECASE)
_LINKS = frozenset("of the in to and with by due an on at from for after".split())
_NUMERALS = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "one": "1", "two": "2"}
# How bad, how new and on which side does not change the category, but for what the titles themselves say of it.
_QUALIFIERS = frozenset(
    map(stem, "severe mild moderate new left right bilateral early viral bacterial recurrent advanced classic".split())
)
# "Hepatitis A" is listed as "acute hepatitis A", "Cushing syndrome" has its noun, and "Meniere" goes without.
_ADDED: tuple[frozenset[str], ...] = tuple(map(frozenset, ((), ("acut",), (stem("disease"),), ("syndrom",))))
_BRITISH = tuple(
    (re.compile(ours), us) for ours, us in (("[ao]e", "e"), ("our", "or"), ("tre$", "ter"), ("yse", "yze"))
)
_PLURALS = tuple(
    (re.compile(many), one)
    for many, one in (
        ("itides$", "itis"),
        ("oses$", "osis"),
        ("iases$", "iasis"),
        ("omata$", "oma"),
        ("philias$", "philia"),
    )
)
_ISE = re.compile(r"is(e[ds]?|ing|ation)$")
_MISSPELT = 88.0
_OPPOSITES = (("hyper", "hypo"), ("macro", "micro"), ("brady", "tachy"), ("intra", "extra"))
_DISEASE_ENDING = re.compile(
    r"(?:itis|osis|iasis|[ae]mia|oma|opathy|plegia|pnea|rrhea|ectasis|thorax|philia|penia|cele|lepsy|megaly|algia|"
    r"trophy|plasia|uria|ism|phobia)$"
)
_SHORT = 3
"""Letters of a name that stands for a disease among other words only in capitals: "PE", but not "as"."""


class NamedDisease(NamedTuple):
    """A disease by the words that name it.

    Attributes:
        icd10: Its code, with the dot.
        words: What its name is of the phrase, as in :func:`name_key`.
    """

    icd10: str
    words: frozenset[str]


class _Name(NamedTuple):
    words: frozenset[str]
    icd10: str
    short: bool


def classified(name: str, *, synonyms: bool = True) -> str:
    """Return the ICD-10-CM code of a disease by its names.

    The order of words does not count. A name is tried as it stands, without what does not change the category, and with
    a word that doctors leave out.

    Args:
        name: A diagnosis in free text.
        synonyms: Whether names of MeSH count, too.

    Returns:
        The code with its dot; empty if no name fits.
    """
    words = name_key(name)
    if not words - _QUALIFIERS:
        return ""
    for wanted in dict.fromkeys((words, *(words - _QUALIFIERS | added for added in _ADDED))):
        if code := _codes(synonyms=synonyms).get(wanted):
            return code
    return ""


def spoken_code(name: str) -> str:
    """Return the code of a name that stands in the hand-written table as it is; empty if it does not."""
    return _table("disease_names.tsv").get(name_key(name), "")


def name_key(name: str) -> frozenset[str]:
    """Return what two names of a disease share: their words, whatever their order, spelling and part of speech."""
    return frozenset(_words(name))


def named_within(phrase: str) -> NamedDisease | None:
    """Return the disease whose name has most words in a phrase, in whatever order they stand.

    Of names with as many words the one that ends last is taken, where English puts the noun.
    """
    words = _words(phrase)
    capitals = frozenset(map(_canonical, filter(str.isupper, _WORD.findall(phrase))))
    said = frozenset(words)
    last = {word: place for place, word in enumerate(words)}
    best: tuple[tuple[int, int], _Name] | None = None
    for word in said:
        for name in _by_rarest_word().get(word, ()):
            if name.words <= said and (not name.short or name.words <= capitals):
                rank = len(name.words), max(last[part] for part in name.words)
                if best is None or rank > best[0]:
                    best = rank, name
    return NamedDisease(best[1].icd10, best[1].words) if best else None


@lru_cache(maxsize=4096)
def respelt(phrase: str) -> str:
    """Return a phrase with each long word that is in no name replaced by the one that it looks like.

    A last word that was cut off is completed.
    """
    phrase = _CUT_OFF.sub(lambda word: _completed(word.group()), phrase)
    return _LETTERS.sub(lambda word: _spelt(word.group()), phrase)


def opposite(one: str, other: str) -> bool:
    """True when two look-alikes mean different things: hyper- and hypo-, type 1 and type 2."""
    if re.findall(r"\d+", one) != re.findall(r"\d+", other):
        return True
    return any((a in one) != (a in other) or (b in one) != (b in other) for a, b in _OPPOSITES)


def _completed(word: str) -> str:
    low = word.lower()
    if low in _surface_words():
        return word
    return min((known for known in _long_words() if known.startswith(low)), key=len, default=word)


@lru_cache(maxsize=4096)
def _spelt(word: str) -> str:
    low = word.lower()
    if not _surface_words().isdisjoint((low, low.removesuffix("s"), _american(low))):
        return word
    found = process.extractOne(low, _long_words(), scorer=fuzz.ratio, score_cutoff=_MISSPELT)
    return word if found is None or opposite(low, found[0]) else str(found[0])


def _words(name: str) -> list[str]:
    text = _ACCENTS.sub("", normalize("NFKD", _NON.sub("non", _MALIGNANT.sub("cancer", name))))
    text = text.replace("'s", "").replace("’s", "")
    return [word for word in map(_canonical, _WORD.findall(text)) if word not in _LINKS]


@lru_cache(maxsize=65536)
def _canonical(word: str) -> str:
    """Return a word as names are compared: American spelling, the noun for the adjective, the stem."""
    low = _american(word.lower())
    low = _same_words().get(low, low)
    return stem(_NUMERALS.get(low, low))


def _american(word: str) -> str:
    for written, usual in (*_BRITISH, *_PLURALS):
        word = written.sub(usual, word)
    return _ISE.sub(r"iz\1", word)


@lru_cache(maxsize=1)
def _same_words() -> dict[str, str]:
    return {_american(row["word"]): _american(row["same_as"]) for row in _rows("disease_words.tsv")}


@lru_cache(maxsize=2)
def _codes(*, synonyms: bool = True) -> dict[frozenset[str], str]:
    """Return the code of each set of words, the hand-written names first; none where two categories share it."""
    also = _table("disease_synonyms.tsv") if synonyms else {}
    return also | _table("icd_terms.tsv") | _table("disease_names.tsv")


@lru_cache(maxsize=3)
def _table(name: str) -> dict[frozenset[str], str]:
    found: dict[frozenset[str], str] = {}
    for row in _rows(name):
        words = name_key(row["name"])
        if "without" in words:
            continue  # "agoraphobia without panic disorder" has the words of its opposite
        kept = found.setdefault(words, row["icd10"])
        if kept[:3] != row["icd10"][:3]:
            found[words] = ""  # the same words in another order name something else
    found.pop(frozenset(), None)
    return found


@lru_cache(maxsize=1)
def _by_rarest_word() -> dict[str, list[_Name]]:
    """Return the names that may stand among other words, by that of their words which is in the fewest names."""
    alone = _alone()
    names = [
        _Name(words, code, len(words) == 1 and len(*words) <= _SHORT)
        for words, code in _codes().items()
        if code and (len(words) > 1 or words in alone)
    ]
    number = Counter(word for name in names for word in name.words)
    found: dict[str, list[_Name]] = {}
    for name in names:
        found.setdefault(min(sorted(name.words), key=number.__getitem__), []).append(name)
    return found


def _alone() -> set[frozenset[str]]:
    """Return the single words that name a disease wherever they stand; "axis" and "1st" are listed, too."""
    spoken = [row["name"] for row in _rows("disease_names.tsv")]
    listed = [row["name"] for row in _rows("icd_terms.tsv") if _DISEASE_ENDING.search(row["name"])]
    return {words for name in spoken + listed if len(words := frozenset(_words(name))) == 1}


@lru_cache(maxsize=1)
def _long_words() -> tuple[str, ...]:
    return tuple(sorted({word for word in _surface_words() if _LETTERS.fullmatch(word)}))


@lru_cache(maxsize=1)
def _surface_words() -> frozenset[str]:
    """Return every word of every name, of the knowledge too."""
    named = (row["name"] for table in _TABLES for row in _rows(table))
    same = (row["word"] for row in _rows("disease_words.tsv"))
    known = (form for concept in core().concepts.values() for form in concept.forms)
    return frozenset(word.lower() for names in (named, known, same) for name in names for word in _WORD.findall(name))


def _rows(table: str) -> Iterator[dict[str, str]]:
    with (_DATA / table).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t")
