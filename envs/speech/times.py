"""When and how long, in words: exact, rounded, vague, lost.

Vagueness stays inside what the verifier allows a memory of that level to be off by, so that a vague time is
never a wrong one.
"""

import re
from functools import lru_cache

from bedside.verifier.language.quantities import days

__all__ = ["since", "span", "when"]

_MANNER = {
    "gradual": "gradually",
    "sudden": "suddenly",
    "acute": "suddenly",
    "abrupt": "all of a sudden",
    "insidious": "little by little",
    "progressive": "little by little",
    "rapid": "quickly",
    "slow": "slowly",
    "chronic": "a long time ago",
}
_DEGREES = ("", "fairly", "very", "quite", "rather", "pretty")
_CLOCK = re.compile(r"\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|a\.m\.|p\.m\.|o'clock)\b")
_ADVERBIAL = re.compile(
    r"^(?:about|around|almost|nearly|over|more than|less than|at|in|on|within|during|after|before|when|"
    r"while|since|last|yesterday|today|tonight|this|these|"
    r"earlier|early|late|right|just|shortly|soon|a |an |one |two |three |four |five |six |seven |eight |"
    r"nine |ten |eleven |twelve |several |many |\d|mid|as |from|upon|following|the (?:day|night|morning|"
    r"week|month|past|last))"
)
_AGO = re.compile(
    r"^(?:about |around |approximately |nearly |almost |over |more than )?(?:\d+|an?|one|two|three|four|"
    r"five|six|seven|eight|nine|ten|twelve|several|a few|a couple of)(?:(?:-| to )\d+)? (?:minute|hour|"
    r"day|week|month|year|decade)s?\b"
)
_WORDS = dict(
    zip(
        map(str, range(1, 13)),
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
        strict=True,
    )
)
# Upper bound in days, and how a person with that little memory puts it: for ago, for how long.
_VAGUE = (
    (0.02, "just a little while ago", "a few minutes"),
    (0.4, "a few hours ago", "a few hours"),
    (1.5, "maybe a day ago", "a day or so"),
    (6.0, "a few days ago", "a few days"),
    (11.0, "maybe a week ago", "about a week"),
    (28.0, "a few weeks ago", "a few weeks"),
    (50.0, "maybe a month ago", "about a month"),
    (250.0, "a few months ago", "a few months"),
    (550.0, "maybe a year ago", "a year or so"),
    (4000.0, "a few years ago", "a few years"),
    (1e9, "a long, long time ago", "years and years"),
)


def _first_part(text: str) -> str:
    return re.split(r"[,;(]| then | but ", text.strip(), maxsplit=1)[0].strip()


def _lately(text: str) -> str:
    """A vague word for a time without a number; empty if it is none."""
    low = text.lower()
    if low.startswith(("yesterday", "last night", "last evening")):
        return "the other day"
    return "earlier on" if low.startswith(("this ", "today", "tonight", "earlier today")) else ""


def words(text: str) -> str:
    """Write small numbers as words, as speech does."""
    return re.sub(
        r"(?<![\d.:/-])\b(\d{1,2})\b(?![\d.:%/-]|\s*(?:am|pm|a\.m|p\.m))",
        lambda m: _WORDS.get(m[1], m[1]),
        text,
    )


@lru_cache(maxsize=8192)
def when(text: str, vague: int = 0) -> tuple[str, str]:
    """Word an onset.

    Args:
        text: The record's onset.
        vague: 0 exact to 4 lost.

    Returns:
        What kind of answer it is (``when`` after "it started", ``manner`` after "it came on", ``bare``), and
        words.
    """
    part = re.sub(r"^since (?=this |last |yesterday|early |late |the |\d)", "", _first_part(text))
    low = part.lower()
    degree, _, manner = low.rpartition(" ")
    if manner in _MANNER and degree in _DEGREES:
        return "manner", f"{degree} {_MANNER[manner]}".strip()
    if low in ("childhood", "birth", "infancy", "adolescence"):
        return "when", f"in {low}" if low != "birth" else "at birth"
    if vague >= 2 and (lately := _lately(part)):
        return "when", lately
    if vague >= 2 and (true := days(part)) is not None:
        return "when", next(ago for limit, ago, _ in _VAGUE if true < limit)
    if _AGO.match(low) and not re.search(r"\b(?:ago|before|prior|earlier|after|back)\b", low):
        part = f"{part} ago"
    if _CLOCK.match(low):
        part = f"at {part}"
    part = words(part)
    if vague == 1 and _AGO.match(low):
        return "when", part if low.startswith(("about", "around", "a few")) else f"about {part}"
    return ("when", part) if _ADVERBIAL.match(low) else ("bare", part)


@lru_cache(maxsize=8192)
def since(text: str, vague: int = 0) -> str:
    """Word how long something has been going on, from its onset; empty if the onset gives no time."""
    kind, told = when(text, vague)
    if kind != "when":
        return ""
    if told.endswith(" ago"):
        return told.removesuffix(" ago").removeprefix("maybe ")
    return f"since {told}" if re.match(r"(?:last|yesterday|this|today|early|late|\d{4})\b", told) else ""


@lru_cache(maxsize=8192)
def span(text: str, vague: int = 0) -> str:
    """Word a duration: "40 minutes" becomes "40 minutes", "about 40 minutes", "a few hours"."""
    part = _first_part(text)
    if vague >= 2 and (true := days(part)) is not None:
        return next(long for limit, _, long in _VAGUE if true < limit)
    part = words(re.sub(r"^(?:for|over|lasting) (?=\S)", "", part))
    return (
        f"about {part}"
        if vague == 1 and re.match(r"[\w]+ (?:minute|hour|day|week|month|year)", part) and not part.startswith("about")
        else part
    )
