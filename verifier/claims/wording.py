"""An utterance in the one plain form that claims are read from: digits for numbers, no hesitation, cut into sentences.

The offsets of claims refer to this text.
"""

import re
from functools import lru_cache

from bedside.verifier.language.lexicon import core
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import digits
from bedside.verifier.language.text import Sentence, plain, sentences

__all__ = ["normalise", "spoken"]

_SIGH = re.compile(
    r"\W*+(?:(?:oh|ah|uh|um|er|well|hm+|ha|gosh|god|lord|jeez|wow|okay|ok|so|dear|my|goodness|gracious|man|dude|doc|"
    r"doctor|"
    r"me|sorry|thanks|thank you|let me (?:see|think)|good question|sure|of course|certainly|honestly|sir|ma'am|now|"
    r"right|"
    r"you know|hell|heck|alright|look|listen|i mean|funny you ask)\b\W*+)+",
    re.IGNORECASE,
)
_BY_LYING = Pattern(r"\bi(?:'d| would) be lying if i (?:said|told you|claimed)(?: that)?", re.IGNORECASE)
# "The blood pressure one" is a pill if there is a pill of that name.
_THE_ONE = Pattern(
    r"\b(the|my|that|another) (?!(?:blue|purple|pink|white|yellow|red|green|brown|orange|little|big|small|round) )"
    r"((?:[a-z]+ ){1,3}?)ones?\b(?! (?:of|who|that|time|day)\b)",
    re.IGNORECASE,
)
# "I get the, er, night sweats": what fills a pause stands apart by its comma.
_HESITATION = Pattern(
    r"(?<![\w'])(?:[Ee]r+m?|[Uu]h+m*|[Uu]m+|[Aa]hm?|[Hh]m+|[Mm]m+|[Oo]oh),\s+|"
    r",\s+(?:er+m?|uh+m*|um+|hm+|ooh)\b(?=[,.;!?])"
)
_PAUSES = ("er,", "rm,", "um,", "uh,", "hm,", "mm,", "ah,", "oh,", "er.", "um.", "uh.")
_HELD_UP = Pattern(
    r"\b(the|an?|my|his|her|some|of|to|in|on|at|for|with|is|was|were|about|like|this|that),\s+(?:er+m?|uh+m*|um+),",
    re.IGNORECASE,
)
# "There was, there was spiders": begun twice. A number may well follow itself.
_BEGUN_TWICE = Pattern(
    r"\b(?!(?:no|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty)\b)([a-z']+(?: [a-z']+){0,3}), "
    r"\1\b(?! (?:and|or)\b)",
    re.IGNORECASE,
)
_SHORT_YEAR = Pattern(r"(?<!\w)'(\d\d)\b(?!')")
_HUNDRED = Pattern(r"\ba (hundred|thousand)\b", re.IGNORECASE)
# "Three hundred three times a day" is 300 mg, three times.
# "Hundred and two", of a fever.
_BARE_HUNDRED = Pattern(
    r"(?<!one )(?<!two )(?<!three )(?<!four )(?<!five )(?<!six )(?<!seven )(?<!eight )(?<!nine )(?<!few )(?<!\d )(?<!-)"
    r"\bhundred (?=(?:and )?(?:one|two|three|four|five|six|seven|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
    r"\b(?! (?:times|pills|tablets)))",
    re.IGNORECASE,
)
_HUNDRED_TIMES = Pattern(r"\b(hundred|thousand) (?=(?:two|three|four|five|six) times\b)", re.IGNORECASE)
_THOUSAND = Pattern(r"\b(\d+) thousand\b", re.IGNORECASE)
_HUNDRED_OF = Pattern(r"(?<!\d )\bhundred (?=(?:milligram|mg|microgram|mic|mcg|unit|one)s?\b)", re.IGNORECASE)
_THOUSAND_AND = Pattern(r"\b(\d{1,2}) thousand(?: and)? (\d{1,3})\b(?! thousand)", re.IGNORECASE)
# "One point two five" is 1.25, and "point five" a half.
_POINT = Pattern(
    r"(?:\b(\d+) |(?<=[,:;] ))point (\d+)(?:[ -](\d)(?!\d))?(?:[ -](\d)(?!\d))?\b(?! times)", re.IGNORECASE
)
_OH = Pattern(r"\b1[ -]oh[ -](\d)\b", re.IGNORECASE)
_LATEST_SHORT_YEAR = 40
# "Twenty fifteen", "since ninety-nine": years as they are said, once their words are digits.
_NO_UNIT = (
    r"(?![ -]?(?:mg|mcg|units?|minutes?|hours?|days?|weeks?|months?|years?|percent|%|times|pounds|or|to|of|feet|"
    r"beers?)\b|[.,:]\d)"
)
_SAID_YEAR = Pattern(rf"(?<![\d.])(19|20)[ -]([1-9]\d)\b{_NO_UNIT}")
_SINCE_YEAR = Pattern(
    r"\b(since|back in|(?<!\d )in) (?:about |around |maybe )?([4-9]\d|(?<=since )[012]\d|(?<=back in )[012]\d)"
    r"(?=\W*$|[.,;!?]| (?:and|when|for|or|they|i|it)\b)",
    re.IGNORECASE,
)


def _long_year(match: re.Match[str]) -> str:
    return f"{'20' if int(match[1]) < _LATEST_SHORT_YEAR else '19'}{match[1]}"


def _since(match: re.Match[str]) -> str:
    return f"{match[1]} {'20' if int(match[2]) < _LATEST_SHORT_YEAR else '19'}{match[2]}"


def _decimal(match: re.Match[str]) -> str:
    whole, *parts = match.groups(default="")
    return f"{whole or 0}.{''.join(parts)}"


def _the_pill(match: re.Match[str]) -> str:
    named = core().named(f"{match[2]}pill")
    return f"{match[1]} {match[2]}pill" if any(core()[c].kind == "drug_class" for c in named) else match.group()


@lru_cache(maxsize=4096)
def normalise(text: str) -> str:
    """Return the text that claims are read from and their offsets refer to: plain characters, numbers in digits."""
    text = plain(text)
    if "," in text:
        if any(pause in text for pause in _PAUSES):
            text = _HESITATION.sub("", _HELD_UP.sub(r"\1", text))
        text = _BEGUN_TWICE.sub(r"\1", text)
    if "undred" in text or "housand" in text:
        text = _BARE_HUNDRED.sub("one hundred ", _HUNDRED.sub(r"one \1", text))
        text = _HUNDRED_TIMES.sub(r"\1, ", text)
    if "lying" in text:
        text = _BY_LYING.sub("it is not so that", text)
    if " one" in text:
        text = _THE_ONE.sub(_the_pill, text)
    text = digits(text)
    if "'" in text:
        text = _SHORT_YEAR.sub(_long_year, text)
    text = _SAID_YEAR.sub(r"\1\2", text)
    text = _SINCE_YEAR.sub(_since, text)
    if "point" in text:
        text = _POINT.sub(_decimal, text)
    if "undred" in text:
        text = _HUNDRED_OF.sub("100 ", text)
    text = _THOUSAND_AND.sub(lambda m: str(1000 * int(m[1]) + int(m[2])), text)
    return _THOUSAND.sub(lambda m: f"{m[1]}000", _OH.sub(r"10\1", text))


@lru_cache(maxsize=4096)
def spoken(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of an utterance, normalised; the one that answers has number 0.

    "Me? No, never." and "Oh dear. My head." open with an echo or a sigh, which answers nothing.
    """
    found = sentences(normalise(text))
    opening = 0
    while opening < len(found) - 1 and _SIGH.fullmatch(found[opening].text.strip()):
        opening += 1
    return tuple(s._replace(number=s.number - opening) for s in found) if opening else found
