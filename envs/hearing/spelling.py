"""Typing errors in a doctor's words, corrected only where that is safe.

A word is corrected when neither the tables nor a list of ordinary English words know it, and one medical or
cue word lies an edit away (two in a long word). Real words are never touched: "form" never becomes "from".
"""

import re
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path

from rapidfuzz import process
from rapidfuzz.distance import OSA

from bedside.envs.hearing.cues import cue_words
from bedside.verifier.language.lexicon import Lexicon
from bedside.verifier.language.text import stem

__all__ = ["corrected"]

_ENGLISH = Path(__file__).parent.parent / "data" / "english.tsv"
_WORD = re.compile(r"[A-Za-z]+")
_TOKEN = re.compile(r"(?<![\d.])[A-Za-z]*\d?[A-Za-z]+\d?(?!\d)|\bb4\b|\b[24](?= (?:u|you)\b)")
_SHORTEST = 4
_LONG = 8
# Endings that the list of English words leaves out.
_ENDINGS = ("s", "es", "ed", "ing", "ly", "er", "ers", "d")
_COMMON = (
    "when",
    "what",
    "where",
    "start",
    "started",
    "starts",
    "does",
    "have",
    "been",
    "pain",
    "doctor",
    "anything",
    "family",
    "noticed",
    "fever",
    "chills",
    "cough",
    "blood",
    "breath",
    "breathing",
    "sweating",
    "swelling",
    "nausea",
    "headache",
    "smoke",
    "drink",
    "medicine",
)
# Too short for a search by distance, and too common to be left.
_SLIPS = {
    "hwo": "how",
    "whn": "when",
    "wehn": "when",
    "teh": "the",
    "hte": "the",
    "yuo": "you",
    "adn": "and",
    "ahve": "have",
    "hav": "have",
    "hve": "have",
    "havng": "having",
    "haev": "have",
    "wht": "what",
    "waht": "what",
    "wat": "what",
    "wen": "when",
    "ur": "your",
    "u": "you",
    "r": "are",
    "whats": "what's",
    "hows": "how's",
    "wheres": "where's",
    "dont": "don't",
    "tkae": "take",
    "wot": "what",
    "wats": "what's",
    "wots": "what's",
    "im": "i'm",
    "ive": "i've",
    "uve": "you've",
    "youve": "you've",
    "youre": "you're",
    "thats": "that's",
    "isnt": "isn't",
    "havent": "haven't",
    "lng": "long",
    "ne": "any",
    "thx": "thanks",
    "probs": "problems",
    "prob": "problem",
    "bout": "about",
    "shud": "should",
    "cud": "could",
    "wud": "would",
    "rly": "really",
    "ru": "are you",
    "kinda": "kind of",
    "2day": "today",
    "2nite": "tonight",
    "b4": "before",
    "any1": "anyone",
    "some1": "someone",
    "every1": "everyone",
    "gr8": "great",
    "4": "for",
    "2": "to",
}


@lru_cache(maxsize=1)
def _english() -> frozenset[str]:
    return frozenset(_ENGLISH.read_text(encoding="utf-8").split())


@lru_cache(maxsize=4)
def _vocabulary(lexicon: Lexicon) -> tuple[frozenset[str], dict[str, tuple[str, ...]]]:
    """Words that may be meant, all and by first letter."""
    words = {w.lower() for concept in lexicon.concepts.values() for form in concept.forms for w in _WORD.findall(form)}
    words |= cue_words()
    words |= set(_COMMON)
    known = frozenset(w for w in words if len(w) >= _SHORTEST)
    by_letter: dict[str, list[str]] = {}
    for word in sorted(known):
        by_letter.setdefault(word[0], []).append(word)
    return known, {letter: tuple(members) for letter, members in by_letter.items()}


def _is_english(word: str) -> bool:
    english = _english()
    return word in english or any(word.removesuffix(end) in english for end in _ENDINGS if word.endswith(end))


@lru_cache(maxsize=65536)
def _meant(word: str, lexicon: Lexicon) -> str:
    known, by_letter = _vocabulary(lexicon)
    if word in _SLIPS or not word.isalpha():
        return _SLIPS.get(word, word)
    # "Feelin" is "feeling", but aspirin is no "aspiring".
    if word.endswith("in") and word not in known and not _is_english(word) and _is_english(word + "g"):
        return word + "g"
    if len(word) < _SHORTEST or word in known or _is_english(word) or stem(word) in known:
        return word
    allowed = 2 if len(word) >= _LONG else 1
    found = process.extract(word, by_letter.get(word[0], ()), scorer=OSA.distance, score_cutoff=allowed, limit=5)
    if not found:
        return word
    best = min(distance for _, distance, _ in found)
    nearest = [choice for choice, distance, _ in found if distance == best]
    # Forms of one word are one answer; two different words are none.
    same = len({stem(choice) for choice in nearest}) == 1
    preferred = [choice for choice in nearest if choice in _COMMON]
    if preferred:
        return preferred[0]
    return nearest[0] if same else word


def corrected(text: str, lexicon: Lexicon, own: Collection[str] = ()) -> str:
    """Return the text with misspelt words replaced.

    Args:
        text: What was typed.
        lexicon: Whose words may have been meant.
        own: Words in lower case that are right though no table knows them, such as those of the patient's record.
    """

    def mended(match: re.Match[str]) -> str:
        word = match[0]
        return word if word.isupper() or word.lower() in own else _case(word, _meant(word.lower(), lexicon))

    return _TOKEN.sub(mended, text)


def _case(original: str, word: str) -> str:
    return original if original.lower() == word else word.capitalize() if original[0].isupper() else word
