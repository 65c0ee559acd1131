"""How much is drunk and smoked, and on which days: "three beers on a Saturday", "half a pack"."""

import re
from functools import lru_cache

from bedside.verifier.language.pattern import Pattern

__all__ = ["AMOUNT", "AMOUNT_ALONE", "BARE_AMOUNT", "doses_a_day", "period_in"]

_RATE_UNITS = {
    "pack": 20.0,
    "fag": 1.0,
    "roll-up": 1.0,
    "rollie": 1.0,
    "ale": 1.0,
    "lager": 1.0,
    "cider": 1.0,
    "bourbon": 1.0,
    "scotch": 1.0,
    "tequila": 1.0,
    "brandy": 1.0,
    "brandie": 1.0,
    "port": 1.0,
    "nightcap": 1.0,
    "dram": 1.0,
    "can": 1.0,
    "cigarette": 1.0,
    "cig": 1.0,
    "smoke": 1.0,
    "cigar": 1.0,
    "pipe": 1.0,
    "beer": 1.0,
    "drink": 1.0,
    "glass": 1.0,
    "glasse": 1.0,
    "bottle": 5.0,
    "cocktail": 1.0,
    "whiskey": 1.0,
    "whisky": 1.0,
    "sherry": 1.0,
    "wine": 1.0,
    "shot": 1.0,
    "six-pack": 6.0,
    "six pack": 6.0,
    "6 pack": 6.0,
    "6-pack": 6.0,
    "fifth": 17.0,
    "pint": 8.0,
    "margarita": 1.0,
    "vodka": 1.0,
    "gin": 1.0,
    "seltzer": 1.0,
    "handle": 39.0,
    "rum": 1.0,
}
AMOUNT = Pattern(
    r"\b(half a|0\.5|a|an|one|\d+(?:\.\d+)?|a couple(?: of)?|a few|few|several|2 or 3|3 or 4)(?:(?:(?: (?:or|to)|,) |"
    r" ?- ?)(\d+))?[ -]?(?:small |big |large |whole )?"
    rf"({'|'.join(sorted(_RATE_UNITS, key=len, reverse=True))})s?\b",
    re.IGNORECASE,
)
AMOUNT_ALONE = Pattern(rf"\W*({AMOUNT.expression})\W*(?:$|[,.])", re.IGNORECASE)
BARE_AMOUNT = Pattern(
    r"(?:^\W*|\b(?:about|maybe|like|only|just|around) )(\d+) (?:or so |now )?(?:a|per|every) day\b|^\W*(?:about |"
    r"maybe )?(\d+)\W*$",
    re.IGNORECASE,
)
_PERIODS = (
    (
        1.0,
        r"(?:a|per|each|every|most|of an|in the) (?:day|night|evening|shift)s?\b(?! out)|daily|nightly|"
        r"every single day|evenings|most (?:nights|evenings|shifts|days)|after (?:work|most)|of an evening|"
        r"(?:with|before|after|over) (?:my |the )?(?:dinner|supper|lunch|tea|meals|bed)\b|nightcap|before bed\b|"
        r"in the evenings?|all day",
    ),
    (
        0.5,
        r"every other (?:day|night)|every second (?:day|night)",
    ),
    (2 / 7, r"weekends?|a night out|saturdays and sundays|fridays and saturdays"),
    (1 / 7, r"(?:a|per|each|every|in a|in the) week\b|weekly|(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"),
    (
        1 / 14,
        r"parties|socially|social occasions|now and then|occasionally|sometimes|once in a while|barbecues|"
        r"days off|family",
    ),
    (1 / 30, r"(?:a|per|each|every|in a) month\b|monthly|rarely"),
    (1 / 180, r"(?:a|per|each|every) year\b|christmas|holidays|weddings?|birthdays|new year"),
)
_PERIOD = tuple((rate, Pattern(rf"\b(?:{pattern})", re.IGNORECASE)) for rate, pattern in _PERIODS)
_TIMES = Pattern(
    r"\b(once|twice|\d+ times|a few times)(?: or (?:twice|\d+ times))? (?:a|per|every|in a)\b", re.IGNORECASE
)
_UNIT = len(" evening")
_COUNTS = {
    "half a": 0.5,
    "a": 1.0,
    "an": 1.0,
    "one": 1.0,
    "few": 3.0,
    "a few": 3.0,
    "several": 4.0,
    "once": 1.0,
    "twice": 2.0,
}


_WEEKDAY = Pattern(r"\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b")


@lru_cache(maxsize=4096)
def period_in(text: str) -> float | None:
    """Return on how many days out of one a text says that something is used: "Fridays" is a seventh."""
    # "Twice a week after work" is twice a week.
    if often := _TIMES.search(text):
        text = text[often.start() : often.end() + _UNIT]
    # "On a Saturday with my supper" is on Saturdays.
    if days := set(_WEEKDAY.findall(text.lower())):
        return len(days) / 7
    return next((rate for rate, pattern in _PERIOD if pattern.search(text)), None)


@lru_cache(maxsize=4096)
def doses_a_day(text: str) -> tuple[float, float] | None:
    """Return how many drinks or cigarettes a day a text comes to.

    Args:
        text: A sentence or an entry of a record, numbers in digits.

    Returns:
        The least and the most; None where it gives no amount or no period.
    """
    rate = period_in(text)
    if rate is None:
        return None
    low = high = 1.0
    if amount := AMOUNT.search(text):
        unit = _RATE_UNITS[amount[3].lower()]
        low = _COUNTS.get(amount[1].lower()) or (
            2.0 if "couple" in amount[1].lower() else float(re.sub(r"[^\d.].*", "", amount[1]) or 1)
        )
        low, high = sorted((low * unit, float(amount[2] or low) * unit))
    elif bare := BARE_AMOUNT.search(text):
        low = high = float(bare[1] or bare[2])
    elif not _TIMES.search(text):
        return None
    if (often := _TIMES.search(text)) and rate < 1.0:
        word = often[1].lower()
        times = 3.0 if word == "a few times" else _COUNTS.get(word) or float(word.split()[0])
        low, high = low * times, high * times
    return low * rate, high * rate
