"""Numbers in words and digits, doses, frequencies, routes, durations and dates, in one comparable form.

"40 mg", "forty milligrams" and "two 20 mg tablets" are one dose; "twice a day" and "every 12 hours" are one frequency.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from bedside.verifier.language.pattern import Pattern

__all__ = [
    "Quantity",
    "all_days",
    "canonical_dose",
    "canonical_frequency",
    "canonical_route",
    "days",
    "digits",
    "find_quantities",
    "same_route",
    "times_a_day",
]

_UNITS = "zero one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = {word: value for value, word in enumerate(_UNITS + _TEENS)} | {
    word: value * 10 for value, word in enumerate(_TENS) if word != "_"
}
_UP_TO_99 = rf"(?:(?:{'|'.join(_TENS[2:])})(?:[ -](?:{'|'.join(_UNITS[1:])}))?|{'|'.join(_TEENS)}|{'|'.join(_UNITS)})"
_HUNDREDS = rf"(?:{'|'.join(_UNITS[1:])})[ -]hundred"
_NUMBER_WORDS = Pattern(
    rf"\b(?=[efnostz])(?:{_HUNDREDS}(?:[ -]and)?[ -]{_UP_TO_99}|{_HUNDREDS}|{_UP_TO_99})\b", re.IGNORECASE
)
_THOUSANDS = re.compile(r",(?<=\d,)(?=\d{3}\b)")
_HALF = Pattern(r"\b(\d+) and a half\b")
_OTHER_WORDS = {
    "a quarter of an hour": "15 minutes",
    "quarter of an hour": "15 minutes",
    "half an": "0.5",
    "half a": "0.5",
    "a couple of": "2",
    "a couple": "2",
    "a dozen": "12",
}
_OTHER = Pattern("|".join(rf"\b{w}\b" for w in _OTHER_WORDS), re.IGNORECASE)


def _word_value(match: re.Match[str]) -> str:
    total = 0
    for word in re.split(r"[ -]+", match.group().lower()):
        if word == "hundred":
            total = (total or 1) * 100
        elif word != "and" and word:
            total += _VALUES[word]
    return str(total)


@lru_cache(maxsize=16384)
def digits(text: str) -> str:
    """Write number words as digits: "one hundred and twenty" becomes "120"."""
    text = _OTHER.sub(lambda m: _OTHER_WORDS[m.group().lower()], text)
    text = _HALF.sub(lambda m: f"{m[1]}.5", _NUMBER_WORDS.sub(_word_value, text))
    return _THOUSANDS.sub("", text)


class Quantity(NamedTuple):
    """Something measured in a text.

    Attributes:
        kind: ``dose``, ``frequency``, ``route``, ``duration`` or ``time``.
        value: Canonical form; equal quantities have equal values.
        start: Offset in the text after :func:`digits`.
        end: Offset of its end.
    """

    kind: str
    value: str
    start: int
    end: int


_DOSE_UNIT = {
    "mg": "mg", "mgs": "mg", "milligram": "mg", "milligrams": "mg", "mcg": "mcg", "ug": "mcg", "microgram": "mcg",
    "micrograms": "mcg", "g": "g", "gm": "g", "gram": "g", "grams": "g", "ml": "ml", "milliliter": "ml",
    "milliliters": "ml", "millilitre": "ml", "millilitres": "ml", "unit": "units", "units": "units", "iu": "units",
    "meq": "meq", "puff": "puffs", "puffs": "puffs", "inhalation": "puffs", "inhalations": "puffs", "drop": "drops",
    "drops": "drops", "spray": "sprays", "sprays": "sprays", "patch": "patches", "patches": "patches",
    "tablet": "pills", "tablets": "pills", "tab": "pills", "tabs": "pills", "pill": "pills", "pills": "pills",
    "capsule": "pills", "capsules": "pills", "cap": "pills", "caps": "pills", "packet": "packets",
    "packets": "packets", "tablespoon": "tablespoons", "tablespoons": "tablespoons", "teaspoon": "teaspoons",
    "teaspoons": "teaspoons", "%": "%", "percent": "%", "l": "l", "liter": "l", "liters": "l",
    "suppository": "suppositories",
}  # fmt: skip
_DOSE = Pattern(
    r"(?<![\w.])(\d+(?:\.\d+)?)(?:\s*(?:-|to)\s*(\d+(?:\.\d+)?))?[\s-]*"
    rf"({'|'.join(sorted(map(re.escape, _DOSE_UNIT), key=len, reverse=True))})(?![a-z])",
)
_COUNT_OF = re.compile(r"(\d+(?:\.\d+)?) (?:x |of the |of your )?$")
_SPAN = r"(minute|hour|day|week|month|year)s?"
_DAYS = {"minute": 1 / 1440, "hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.0, "year": 365.0}
# "Once with breakfast and once again in the evening", "one in the morning and another at night".
_ONCE_AT = r"(?:once|1|a(?:nother)?|the other)(?: (?:again|more|of them|pill|tablet|capsule|puff|drop))?"
_MORNING, _EVENING = r"(?:mornings?|breakfast)", r"(?:evenings?|nights?|bed|bedtime|supper|dinner)"
_EARLY = rf"(?:in the|every|at|with|after) (?:my )?{_MORNING}|first thing|when i (?:get|wake) up"
_LATE = rf"(?:in the|every|at|with|after|before) (?:my )?{_EVENING}|last thing"
_AND_THEN = r"(?:,? (?:and|then|plus|and then) |, ?| )"
_FREQUENCY = Pattern(
    r"\b(?:(?P<times>once|twice|thrice|(?:a )?(?:few|several) times|(?<!\.)\d+ ?times?|\d+x|"
    r"(?<!\.)\d(?= ?(?:a|per|each|every|/) (?:day|night)\b)|1(?= ?(?:a|per|each|every|/))) ?(?:a|per|each|"
    r"every|in a|/)? ?(?P<per>day|daily|night|nightly|week|weekly|month|monthly)\b"
    r"|every (?P<every>\d+)(?:(?: ?- ?| to )\d+)? ?-?(?P<unit>hours?|hrs?|h|days?|weeks?|months?)\b"
    r"|every (?:other|2nd|second) day\b|(?:on )?alternat(?:e|ing) days\b"
    r"|every (?:single )?(?P<each>morning|evening|night|day|"
    r"hour|week|month|meal)\b"
    r"|(?P<plain>daily|nightly|weekly|monthly|hourly|bid|tid|qid|qd|qday|qhs|qam|qpm)\b"
    r"|q ?(?P<qh>\d+)(?:-\d+)? ?h\b|(?<!than )(?<!about )(?<!over )(?<!almost )(?<!nearly )(?:a|each|per) (?P<a>day|"
    r"night|week|month|morning|evening)\b(?! (?:ago|back|later|before|or (?:so|two|more)|and a half)\b)"
    rf"|{_ONCE_AT} (?:{_EARLY}|{_MORNING}){_AND_THEN}{_ONCE_AT} (?:(?P<two>(?:{_LATE}|{_EVENING})\b)|"
    rf"(?P<each_meal>(?:at|with|after) (?:noon|lunch|midday){_AND_THEN}{_ONCE_AT} (?:{_LATE})\b))"
    r"|(?P<single>once (?=in the (?:morning|evening)|at (?:night|bedtime)|with (?:breakfast|lunch|dinner|supper))|"
    rf"(?:just|only) (?:the )?{_ONCE_AT} (?:{_EARLY}|{_LATE})\b(?!,? (?:and|then|plus)))"
    r"|(?P<three>morning,? noon,? and (?:night|evening)|breakfast,? lunch,? and (?:dinner|supper)|"
    r"with (?:every|each) meal\b)"
    r"|(?P<both>(?:in the )?morning and (?:(?:in the|at) )?(?:evening|night|bedtime)|(?:with |at )?breakfast and "
    r"(?:with |at )?(?:supper|dinner)))"
)
_PER_DAY = {"day": 1.0, "daily": 1.0, "night": 1.0, "nightly": 1.0, "week": 1 / 7, "weekly": 1 / 7, "month": 1 / 30,
            "monthly": 1 / 30, "hour": 24.0, "hourly": 24.0, "morning": 1.0, "evening": 1.0, "meal": 3.0, "bid": 2.0,
            "tid": 3.0, "qid": 4.0, "qd": 1.0, "qday": 1.0, "qhs": 1.0, "qam": 1.0, "qpm": 1.0}  # fmt: skip
# "8 glasses a day", "9 days a month", "the same greens each week": so often something happens, not a dose.
_NO_DOSING = re.compile(
    r"\b(?:glass(?:es)?|cups?|liters?|ounces|meals?|servings|hours|minutes|days|movements|stools|calories|miles|steps|"
    r"less|more|lower|higher|cigarettes|drinks|greens|wash\w*|clean\w*|weigh\w*|walk\w*|brush\w*|rins\w*|eat|drink)\b[^,;.]{0,40}$"
)
# "You come down by 5 every 2 weeks": how fast a dose moves.
_STEPWISE = re.compile(r"\b(?:by \d+(?:\.\d+)?|less|more|lower|higher|down|up)\b[^,;.]{0,12}$")
# "In a week", "for a day", "give it a week": when, or how long, and not how often.
_ONE_SPAN = re.compile(r"\b(?:in|within|after|for|over|than|wait|giv(?:e|ing) (?:it|this|that|them|things|yourself)) $")
_PRN = Pattern(r"\b(?:as needed|if needed|when needed|when you need|if you need|only if|prn)\b")
_TIMES = {"once": 1.0, "1": 1.0, "twice": 2.0, "thrice": 3.0, "few times": 3.0, "several times": 4.0}
_ROUTES = (
    ("sublingual", r"under (?:the|your) tongue|sublingual\w*"),
    ("subcutaneous", r"under (?:the|your) skin|subcutaneous\w*|\bsub ?-?q\b|\bsc\b"),
    ("intravenous", r"into (?:a|the|your) veins?|intravenous\w*|\biv\b|\bpicc\b|through (?:the|your|a) (?:iv|picc)"),
    ("intramuscular", r"into (?:a|the|your) muscles?|intramuscular\w*|\bim\b"),
    ("inhaled", r"inhal\w*|\bpuffs?\b|nebuli[sz]\w*|breathe (?:(?:it|this|them) in|in (?=\d))|\bneb\b|"
        r"breath(?:e|ing) (?:in )?(?:the )?oxygen|(?:\bl|liters?) of oxygen|oxygen at \d|nasal cannula|by mask"),
    ("ophthalmic", r"\b(?:in|into) (?:the|your|each|both|that|one)?\s?(?:\w+ )?eyes?\b|"
        r"\bfor (?:the|your|each|both) (?:\w+ )?eyes?(?= only)|"
        r"\beye ?(?:drops?|ointments?|gels?|creams?)\b|\bophthalmic\b|lower (?:eye)?lid\b"),
    ("otic", r"\b(?:in|into) (?:the|your|each|both)?\s?(?:\w+ )?ears?\b|\bear ?(?:drops?|ointments?)\b|\botic\b"),
    ("nasal", r"\b(?:in|into|up|per) (?:the|your|each)?\s?(?:\w+ )?(?:nose|nostrils?)\b|nasal(?:ly)?|"
        r"\bnose (?:spray|drops?|ointment|gel)\b"),
    ("rectal", r"rectal\w*|(?:in|into) (?:the|your) (?:rectum|bottom)|suppositor\w*|per rectum"),
    ("vaginal", r"vaginal\w*|(?:in|into) (?:the|your) vagina"),
    ("topical",
        r"\b(?:on|onto|to) (?:the|your) (?:\w+ )?skin\b|topical\w*|\bapply\b|thin layer (?:on|to|over)|\brub\b|"
        r"(?<!\beye )(?<!\bear )(?<!nose )(?<!nasal )(?<!vaginal )(?<!rectal )\b(?:cream|ointment)\b"),
    ("injected", r"\binject\w*|\bshots?\b|\bneedle\b"),
    ("oral",
        r"\bby mouth\b|\boral\w*|(?<!cannot )(?<!can't )(?<!trouble )(?<!difficulty )(?<!hard to "
        r")(?<!not )(?<!no )(?<!from )\bswallow\w*|\bpo\b|\b(?:in|through) (?:the|your) mouth\b|\bdrink it\b"),
)  # fmt: skip
_ROUTE = {name: Pattern(expression) for name, expression in _ROUTES}
_DURATION = Pattern(
    rf"\b(?:for|over|lasting) (?:the next |another |about |at least |up to |a total of )?(\d+(?:\.\d+)?|a|"
    rf"an)(?: ?(?:-|to) ?\d+)?[ -](?:more )?{_SPAN}\b"
)
_AGO = Pattern(rf"\b(\d+(?:\.\d+)?|a|an|few|several)(?: ?(?:-|to|or) ?\d+)? (?:or so )?{_SPAN} (?:ago|back|before)\b")
_IN = Pattern(
    rf"\b(?:in|within|after) (?:about |the next )?(\d+(?:\.\d+)?|a|an)(?: ?(?:-|to) ?(\d+))?[ "
    rf"-]{_SPAN}(?:'?s)?(?: time)?\b"
)
_FROM_NOW = Pattern(rf"\b(\d+(?:\.\d+)?|a|an)(?: ?(?:-|to) ?(\d+))?[ -]{_SPAN}(?:'?s)? (?:from (?:now|today)|later)\b")
_YEAR = Pattern(r"\b(?:19|20)\d\d\b")


def _number(value: float) -> str:
    return f"{value:g}"


def _doses(text: str) -> list[Quantity]:
    found = []
    for match in _DOSE.finditer(text):
        unit = _DOSE_UNIT[match[3]]
        low, high = float(match[1]), match[2]
        start = match.start()
        if high and text[:start].endswith("from "):
            low, high, start = float(high), None, match.start(2)  # "from 22 to 26 units" is 26 now
        # "two 20 mg tablets": the count comes before the strength.
        count = _COUNT_OF.search(text, 0, start)
        if unit == "g":
            unit, low, high = "mg", low * 1000, high and str(float(high) * 1000)
        strength = _number(low) + (f"-{_number(float(high))}" if high else "")
        found.append(Quantity("dose", f"{strength} {unit}", start, match.end()))
        if count and unit in ("mg", "mcg", "units") and not high and float(count[1]) <= 10:
            found.append(Quantity("dose", f"{_number(low * float(count[1]))} {unit}", count.start(), match.end()))
    return found


def _frequency(match: re.Match[str], text: str) -> str | None:
    groups = match.groupdict()
    if groups["times"]:
        times = groups["times"]
        count = _TIMES.get(times.removeprefix("a ")) or float(re.sub(r"\D", "", times))
        per_day = count * _PER_DAY[groups["per"]]
    elif groups["every"]:
        span = re.sub(r"^(h|hrs?|hours?)$", "hour", groups["unit"]).rstrip("s")
        per_day = 1 / (float(groups["every"]) * _DAYS[span]) if float(groups["every"]) else 0.0
    elif groups["qh"]:
        per_day = 24 / float(groups["qh"]) if float(groups["qh"]) else 0.0
    elif groups["single"]:
        per_day = 1.0
    elif groups["both"] or groups["two"]:
        per_day = 2.0
    elif groups["three"] or groups["each_meal"]:
        per_day = 3.0
    elif re.match(r"every (?:other|2nd|second)|(?:on )?alternat", match.group()):
        per_day = 0.5
    else:
        per_day = _PER_DAY[groups["each"] or groups["plain"] or groups["a"]]
    # Near the frequency only: in a list of drugs, one may be as needed and the next not.
    before = re.split(r"[,;.]", text[: match.start()])[-1]
    if (groups["a"] or groups["each"]) and _NO_DOSING.search(before):
        return None
    if groups["every"] and _STEPWISE.search(before):
        return None
    if match.group().startswith("a ") and _ONE_SPAN.search(text[: match.start()]):
        return None
    after = re.split(
        r"[;.]|,(?!\s*(?:but )?(?:only |just )?(?:as|if|when|only))| and ", text[match.end() : match.end() + 60]
    )[0]
    prn = _PRN.search(f"{before[-30:]} | {after}")
    return f"{per_day:.3g}/day" + (" as needed" if prn else "") if per_day else None


def days(text: str) -> float | None:
    """Return the length of the first time span in a text, in days: "2 weeks" is 14.

    Returns:
        None when there is none.
    """
    match = re.search(
        rf"(\d+(?:\.\d+)?|\ba|\ban|\bfew|\bseveral)(?: ?(?:-|to|or) ?(\d+))?[ -]{_SPAN}\b",
        digits(text).lower(),
    )
    return _span_days(match[1], match[3]) if match else None


def all_days(text: str) -> tuple[float, ...]:
    """Return the lengths of all time spans in a text, in days."""
    found = re.finditer(
        rf"(\d+(?:\.\d+)?|\ba|\ban|\bfew|\bseveral)(?: ?(?:-|to|or) ?(\d+))?[ -]{_SPAN}\b",
        digits(text).lower(),
    )
    return tuple(_span_days(m[1], m[3]) for m in found)


def _span_days(count: str, unit: str) -> float:
    amount = {"a": 1.0, "an": 1.0, "few": 3.0, "several": 4.0}.get(count)
    return (float(count) if amount is None else amount) * _DAYS[unit]


@lru_cache(maxsize=16384)
def find_quantities(text: str) -> tuple[Quantity, ...]:
    """Find doses, frequencies, routes, durations and times in text that :func:`digits` has prepared."""
    text = text.lower()
    return tuple(sorted((*_routes(text), *_doses(text), *_times(text)), key=lambda q: (q.start, q.kind)))


def _routes(text: str) -> Iterator[Quantity]:
    """Find routes one after the other; of two that begin at one place, the first of the table."""
    found = {name: match for name, pattern in _ROUTE.items() if (match := pattern.search(text))}
    while found:
        name, first = min(found.items(), key=lambda item: item[1].start())
        yield Quantity("route", name, *first.span())
        again = {name: _ROUTE[name].search(text, first.end()) for name in found}
        found = {name: match for name, match in again.items() if match}


def _times(text: str) -> list[Quantity]:
    found = []
    for match in _FREQUENCY.finditer(text):
        if value := _frequency(match, text):
            found.append(Quantity("frequency", value, match.start(), match.end()))
    for kind, pattern, unit in (("duration", _DURATION, 2), ("ago", _AGO, 2), ("in", _IN, 3), ("in", _FROM_NOW, 3)):
        found += [
            Quantity(kind, _number(_span_days(m[1], m[unit])), m.start(), m.end()) for m in pattern.finditer(text)
        ]
    found += [Quantity("year", m.group(), m.start(), m.end()) for m in _YEAR.finditer(text)]
    return found


def _first(text: str, kind: str) -> str | None:
    return next((q.value for q in find_quantities(digits(text)) if q.kind == kind), None)


def canonical_dose(text: str) -> str | None:
    """Return the canonical form of a dose, e.g. "40 mg"; None if the text holds none."""
    return _first(text, "dose")


def canonical_frequency(text: str) -> str | None:
    """Return a frequency as "2/day" or "4/day as needed"; None if the text holds none."""
    return _first(text, "frequency") or ("as needed" if _PRN.search(text.lower()) else None)


def times_a_day(text: str) -> float:
    """Return how many times a day something is to be done; 0 if the text does not say."""
    value, _, unit = (canonical_frequency(text) or "").partition("/")
    return float(value) if unit == "day" and value.replace(".", "", 1).isdigit() else 0.0


def same_route(stated: str, true: str) -> bool:
    """True when two canonical routes agree; "injected" fits any needle."""
    return stated == true or (stated == "injected" and true in ("subcutaneous", "intramuscular", "intravenous"))


def canonical_route(text: str) -> str | None:
    """Return the route, e.g. "oral" or "subcutaneous"; None if the text names none."""
    return _first(text, "route")
