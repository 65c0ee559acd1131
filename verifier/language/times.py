"""When something was, as people say it: "yesterday", "last night", "two weeks now", "since I was a kid".

A record writes times as tersely as a patient speaks; both are read here into days before the encounter.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import all_days, digits

__all__ = ["SpokenTime", "recorded_days", "spoken_times"]

_UNIT_DAYS = {
    "minute": 1 / 1440,
    "hour": 1 / 24,
    "day": 1.0,
    "night": 1.0,
    "week": 7.0,
    "month": 30.0,
    "year": 365.0,
}
_AMOUNTS = {
    "a": 1.0,
    "an": 1.0,
    "few": 3.0,
    "several": 4.0,
    "couple": 2.0,
    "another": 1.0,
    "whole": 1.0,
    "past": 1.0,
}
_WORDS = {
    "day before yesterday": 2.0, "yesterday morning": 1.0, "yesterday evening": 0.8, "yesterday": 1.0,
    "last night": 0.6, "overnight": 0.4, "this morning": 0.3, "this afternoon": 0.15, "this evening": 0.1,
    "tonight": 0.1, "today": 0.3, "the other day": 2.0, "last week": 7.0, "this week": 5.0, "last weekend": 4.0,
    "last month": 30.0, "this month": 15.0, "last year": 365.0, "this year": 180.0,
}  # fmt: skip
# "They want me in overnight" is a stay.
_WORD = re.compile(
    rf"(?<!me in )(?<!me here )(?<!stay )(?<!staying )(?<!kept )\b(?:{'|'.join(map(re.escape, _WORDS))})\b(?!'s| of)",
    re.IGNORECASE,
)
_LONG_AGO = Pattern(
    r"\b(?:since i was (?:a |in )?(?:\w+ )?(?:kid|child|baby|little|teenager|teen|born|young|small|boy|girl|school|"
    r"nappies|"
    r"diapers)|(?:all|my whole|my entire) (?:of )?my? ?life|as long as i can remember|since (?:birth|childhood|"
    r"infancy|adolescence|(?:my |his |her )(?:teens|twenties|youth|childhood)|"
    r"(?:the )?age (?:of )?\d+|"
    r"(?:high |grade )?"
    r"school|college)|back to my (?:teens|twenties|thirties|forties|youth|childhood|school)|in my (?:teens|twenties|"
    r"youth))\b",
    re.IGNORECASE,
)
_HALF_A_LIFE = 15 * 365.0
# A span that stands alone means since when, unless something beside it says how often, how old or how far apart.
_SPAN = Pattern(
    r"(?<![\w.-])(\d+(?:\.\d+)?|a|an|a few|few|several|another|(?:the |this )?past|a whole|a couple(?: "
    r"of)?)(?: ?(?:-|to|or) ?\d+)? "
    r"(?:good |solid |full |whole |long )?(hour|day|night|week|month|year)s?\b(?!-|'s\b| ?old\b| (?:later|apart|"
    r"after|at a time|each|each time|pregnant|along|of age|shift|in a year|on (?:a|an|my)|as an?|at the|"
    r"behind the|in (?:the (?:"
    r"trade|business|job|army|navy|service|mines?|police|field)|school|college|jail|prison))\b)",
    re.IGNORECASE,
)
_NOT_BEFORE = re.compile(
    r"(?:\b(?:every|in|within|per|age|aged|at|under|over in|once|twice|times|time|each|lasts?|lasting|"
    r"after|before|than|quit|i'm|am|takes?|took|"
    r"mg|beers?|drinks?|pack|packs|glass|glasses|of|or so|shots?|tablets?|pills?)|\d)\W*$",
    re.IGNORECASE,
)
_SO_FAR = Pattern(r"^ (?:ago|now|so far|back)\b", re.IGNORECASE)  # else "one night" is when it came, and no more
_LASTS = Pattern(r"\b(?:lasts?|lasted|lasting|at a time|each time|goes on for)\b", re.IGNORECASE)


class SpokenTime(NamedTuple):
    """A time before now.

    Attributes:
        days: How long ago, or since when.
        vague: True for words that name a part of a day or week rather than a count.
    """

    days: float
    start: int
    end: int
    vague: bool


@lru_cache(maxsize=4096)
def spoken_times(text: str) -> tuple[SpokenTime, ...]:
    """Find times before now in text whose numbers are digits.

    Args:
        text: A sentence, as :func:`~bedside.verifier.claims.wording.normalise` leaves it.

    Returns:
        Times in the order of the text; spans that say how often or how long an episode lasts are left out.
    """
    found = [SpokenTime(_WORDS[m.group().lower()], m.start(), m.end(), vague=True) for m in _WORD.finditer(text)]
    found += [SpokenTime(_HALF_A_LIFE, m.start(), m.end(), vague=True) for m in _LONG_AGO.finditer(text)]
    if _LASTS.search(text):
        return tuple(found)
    for match in _SPAN.finditer(text):
        once = match[1] == "1" and match[2].lower() == "night" and not _SO_FAR.match(text[match.end() :])
        if not once and not _NOT_BEFORE.search(text, 0, match.start()):
            found.append(SpokenTime(_amount(match[1]) * _UNIT_DAYS[match[2].lower()], *match.span(), vague=False))
    return tuple(sorted(found, key=lambda time: time.start))


def _amount(word: str) -> float:
    words = word.lower().split()
    if words[0][0].isdigit():
        return float(words[0])
    return next((_AMOUNTS[w] for w in reversed(words) if w in _AMOUNTS), 1.0)


@lru_cache(maxsize=4096)
def recorded_days(text: str) -> tuple[float, ...]:
    """Return every time that an entry of a record names, in days."""
    words = tuple(_WORDS[m.group().lower()] for m in _WORD.finditer(text))
    return all_days(text) + words + tuple(time.days for time in spoken_times(digits(text)))
