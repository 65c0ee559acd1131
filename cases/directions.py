"""How a drug is taken, in words that can be spoken: route, frequency and dose out of clinical shorthand.

Hospitals write ``1-2 TAB PO Q6H:PRN``; patients and clinicians in an encounter say "1-2 tablets by mouth every 6 hours
as needed". Whatever is redacted or not clearly stated is None.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

__all__ = ["BLANK", "Amount", "amounts", "find_frequency", "find_route", "starts_direction"]

BLANK = "___"
"""What stands for a redacted word."""


class Amount(NamedTuple):
    """A number with its unit.

    Attributes:
        number: As written, without spaces and thousands separators: ``2.5-5``.
        unit: ``mg``, ``tablet``, ``puff`` …, singular.
        concentration: True for what a preparation contains (``100 mg/5 mL``, ``5 %``), not how much is taken.
    """

    number: str
    unit: str
    concentration: bool
    start: int
    end: int

    def __str__(self) -> str:
        plural = self.unit in _COUNTED and self.number not in ("1", "0.5", "0.25")
        return f"{self.number} {_plural(self.unit) if plural else self.unit}"

    @property
    def counted(self) -> bool:
        """True for pieces (tablets, puffs), false for mass and volume."""
        return self.unit in _PIECES


def _plural(unit: str) -> str:
    return unit + ("es" if unit.endswith("ch") else "s")


_UNITS = (
    ("mg", r"mgs?|milligrams?"),
    ("mcg", r"mcgs?|µg|ug|micrograms?"),
    ("g", r"gms?|grams?|g"),
    ("mEq", r"meqs?"),
    ("mmol", r"mmol"),
    ("unit", r"units?|iu|u"),
    ("mL", r"mls?|cc|milliliters?"),
    ("%", r"%"),
    ("tablet", r"tab(?:let)?(?:\(s\)|s)?"),
    ("capsule", r"cap(?:sule)?(?:\(s\)|s)?"),
    ("puff", r"puffs?|inhalations?|inh"),
    ("spray", r"spra?ys?"),
    ("drop", r"drops?|gtts?"),
    ("patch", r"(?:adhesive )?patch(?:es)?|ptch"),
    ("nebulizer treatment", r"nebs?|nebuliz\w+"),
    ("application", r"appl(?:ication)?s?"),
    ("packet", r"packets?|pkts?"),
    ("lozenge", r"lozenges?|loz|troches?"),
    ("suppository", r"suppository|supp"),
    ("enema", r"enemas?"),
    ("vial", r"vials?|ampuls?"),
    ("injection", r"injections?|syringes?|pens?"),
    ("tablespoon", r"tablespoons?|tbsp"),
    ("teaspoon", r"teaspoons?|tsp"),
    ("piece", r"pieces?|gum"),
)
_PIECES = frozenset(name for name, _ in _UNITS) - {"mg", "mcg", "g", "mEq", "mmol", "unit", "mL", "%"}
_COUNTED = (_PIECES | {"unit"}) - {"suppository"}
_SOLID = r"(?:film[- ]coated |extended[- ]release |delayed[- ]release |chewable |er |xr |ec )?"
_WORDS = {"half": "0.5", "one-half": "0.5", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}
_WORDS |= {
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "10",
    "twelve": "12",
    "fifteen": "15",
    "twenty": "20",
    "thirty": "30",
}
_NUMBER = r"\d[\d,]*(?:\.\d+)?|\.\d+"
_AMOUNT = re.compile(
    # A blank beside the number hides a part of it.
    rf"(?<![\w.-])(?:(?:{'|'.join(_WORDS)})\s*\()?"
    rf"(?P<number>(?:{_NUMBER}|½|\d/\d|(?:{'|'.join(_WORDS)})\b)(?:\s?(?:-|–|to)\s?(?:{_NUMBER}|"
    rf"(?:{'|'.join(_WORDS)})\b))?)\)?"
    rf"\s?-?{_SOLID}(?P<unit>{'|'.join(forms for _, forms in _UNITS)})(?![a-z])"
    r"(?P<hour>\s?/\s?h(?:ou)?r?\b)?(?P<per>\s?/\s?(?!day\b)(?:\d|\w))?",
    re.IGNORECASE,
)
_UNIT_NAMES = tuple((name, re.compile(forms, re.IGNORECASE)) for name, forms in _UNITS)


def amounts(text: str) -> Iterator[Amount]:
    """Yield the amounts in a text, in order; one with a redacted part is none."""
    for match in _AMOUNT.finditer(text):
        number = re.sub(r"\s|,(?=\d{3})", "", match["number"].lower().replace("to", "-").replace("–", "-"))
        number = (
            "-".join(_WORDS.get(part, part) for part in number.split("-")) if number not in _WORDS else _WORDS[number]
        )
        number = {"½": "0.5", "1/2": "0.5"}.get(number, "0" + number if number.startswith(".") else number)
        unit = next(name for name, form in _UNIT_NAMES if form.fullmatch(match["unit"]))
        hourly = unit + "/hour" if match["hour"] else unit
        yield Amount(number, hourly, unit == "%" or bool(match["per"]), match.start(), match.end())


# Short codes are routes in capitals only: "in", "as", "od" are words too.
_ROUTES = (
    ("by mouth", r"\b(?:PO|p\.?o\.|P\.O\.|po|(?i:by mouth|oral(?:ly)?(?! inh)))(?![\w])(?:/NG)?"),
    ("through the feeding tube", r"\b(?:NG|PEG|(?i:[gj]-tube|(?:via|per) (?:peg|g-?tube|j-?tube|ng tube)))\b"),
    ("into a vein", r"\b(?:IV|IVPB|(?i:intravenous(?:ly)?))\b"),
    ("into a muscle", r"\b(?:IM|(?i:intramuscular(?:ly)?))\b"),
    ("under the skin", r"\b(?:SC|SQ|SUBQ|(?i:subq|subcut(?:aneous(?:ly)?)?|under the skin))\b"),
    ("under the tongue", r"\b(?:SL|(?i:sublingual(?:ly)?|under the tongue))\b"),
    ("rectally", r"\b(?:PR|(?i:rectal(?:ly)?|per rectum))\b"),
    ("inhaled", r"\b(?:IH|INH|NEB(?= Q)|(?i:inhalation|inhaled?|inhl|by inhalation|via nebulizer))\b"),
    (
        "in the nose",
        r"\b(?:NU|IN(?= [A-Z0-9])|NAS|(?i:nasal(?:ly)?|intranasal(?:ly)?|in(?:to)? (?:the nose|"
        r"each nostril)))\b",
    ),
    ("in both eyes", r"\b(?:OU|(?i:(?:in(?:to)? )?(?:both|each) eyes?))\b"),
    ("in the left eye", r"\b(?:OS|(?i:(?:in(?:to)? the )?left eye))\b"),
    ("in the right eye", r"\b(?:OD(?= [A-Z0-9])|(?i:(?:in(?:to)? the )?right eye))\b"),
    ("in the eye", r"\b(?:OPH|(?i:ophthalmic))\b"),
    ("in both ears", r"\b(?:AU|(?i:both ears|each ear))\b"),
    ("in the left ear", r"(?i:\bleft ear\b)"),
    ("in the right ear", r"(?i:\bright ear\b)"),
    ("in the ear", r"(?i:\botic\b)"),
    ("in the vagina", r"\b(?:VG|(?i:vaginal(?:ly)?))\b"),
    ("in the cheek", r"\b(?i:buccal(?:ly)?)\b"),
    ("on the skin", r"\b(?:TP|TD|TOP|(?i:topical(?:ly)?|transdermal(?:ly)?|on(?:to)? the skin|to skin))\b"),
)
_ROUTE_NAMES = tuple(name for name, _ in _ROUTES)
_ROUTE = re.compile("|".join(f"({form})" for _, form in _ROUTES))


class Found(NamedTuple):
    """Plain words and the stretch of text that they stand for."""

    words: str | None
    start: int
    end: int


def find_route(text: str) -> Found | None:
    """Find the first route of administration in a text."""
    found = [(_ROUTE_NAMES[(match.lastindex or 1) - 1], match) for match in _ROUTE.finditer(text)]
    if not found:
        return None
    # "Ophth. solution … in the left eye": the side is told later.
    name, match = next((exact for exact in found if exact[0] in _SIDES.get(found[0][0], ())), found[0])
    return Found(name, min(match.start(), found[0][1].start()), match.end())


_SIDES = {
    place: tuple(name for name in _ROUTE_NAMES if name.endswith((f"{organ}", f"{organ}s")) and name != place)
    for place, organ in (("in the eye", "eye"), ("in the ear", "ear"))
}


_DAYS = {"su": "Sunday", "mo": "Monday", "tu": "Tuesday", "we": "Wednesday", "th": "Thursday", "fr": "Friday"}
_DAYS |= {"sa": "Saturday"}
_DAY = r"(?:sun|mon|tue?s?|wed(?:nes)?|thu?r?s?|fri|sat(?:ur)?)(?:day)?s?"
_TIMES = {"1": "once", "2": "twice", "3": "three times", "4": "four times", "5": "five times", "6": "six times"}
_TIMES |= {"one": "once", "two": "twice", "three": "three times", "four": "four times", "five": "five times"}
_TIMES |= {"once": "once", "twice": "twice"}
_COUNT = rf"(?:(?:{'|'.join(_TIMES)})(?: \(\d\))?)"
_SPAN = r"(?P<from>\d+|one|two|three|four|six|eight|twelve)(?: \(\d+\))?(?:\s?(?:-|–|to)\s?(?P<to>\d+))?"


def _times(match: re.Match[str]) -> str:
    often = _TIMES[re.split(r"[ (]", match["count"].lower())[0]]
    return f"{often} {'daily' if match['per'].lower() == 'day' else 'a ' + match['per'].lower()}"


def _span(match: re.Match[str]) -> str:
    first = match["from"].lower()
    first = {"one": "1", "two": "2", "three": "3", "four": "4", "six": "6", "eight": "8", "twelve": "12"}.get(
        first, first
    )
    short = match["unit"].lower()
    unit = "minute" if short.startswith("min") else {"h": "hour", "d": "day", "w": "week", "m": "month"}[short[0]]
    if not match["to"] and first == "1":
        return f"every {unit}"
    return f"every {first}{'-' + match['to'] if match['to'] else ''} {unit}s"


def _weekly(match: re.Match[str]) -> str:
    days = [_DAYS[day.lower()[:2]] for day in re.findall(r"[A-Za-z]{2,}", match["days"] or "")]
    often = f"{_TIMES[match['n']]} a week" if match["n"] in _TIMES else f"{match['n']} times a week"
    return f"{often} on {_and(days)}" if days else often


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _day(match: re.Match[str]) -> str:
    return f"every {_DAYS[match['day'].lower()[:2]]}"


def _meal(match: re.Match[str]) -> str:
    near = (match["near"] or "with").lower()
    return f"{'with' if near == 'at' else near} {match['meal'].lower()}"


def _days(match: re.Match[str]) -> str:
    return f"every {_and([_DAYS[day.lower()] for day in re.findall('..', match['days'])])}"


_FREQUENCIES: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"(?P<n>\d)\s?X\s?/?\s?(?:WEEK|WK)\b(?:\s*\((?P<days>[A-Z, ]+)\))?", _weekly),
    (r"(?P<count>\d)\s?X\s?/?\s?(?P<per>DAY)\b", _times),
    (rf"(?P<count>{_COUNT})(?: times?)?(?: (?:a|per|each|every) |/|\s?(?=daily\b))(?P<per>day|week|month)\b", _times),
    (r"(?:once|one time) daily|\bqday\b", "once daily"),
    (r"twice daily|2x daily", "twice daily"),
    (r"(?:three|3) times daily", "three times daily"),
    (r"(?:four|4) times daily", "four times daily"),
    (r"q\.?o\.?d\b\.?|(?:every other|every second) day|qother day", "every other day"),
    (r"(?:every other|every second) week", "every 2 weeks"),
    (rf"(?:every|on|q) ?(?P<days>{_DAY}(?:(?: ?/ ?|, ?(?:and )?| and ){_DAY})+)\b", lambda m: _listed_days(m)),
    (rf"q\s?(?P<day>{_DAY})\b|every (?P<day2>{_DAY})\b|\bon (?P<day3>{_DAY})\b", lambda m: _each_day(m)),
    (
        rf"(?:q\.?\s?|every ){_SPAN}\s?(?P<unit>min(?:ute)?s?|h(?:ou)?rs?|h(?![a-z])|days?|d(?![a-z])|weeks?|w(?:k|"
        rf"ks)?(?![a-z])|months?)",
        _span,
    ),
    (r"q(?P<days>(?:su|mo|tu|we|th|fr|sa){2,})\b", _days),
    (
        r"(?:q\s?a\.?m\.?|every morning|in the morning)(?:,| and|/)+ ?(?:q\s?p\.?m\b\.?|(?:in the )?evening)|"
        r"every morning and (?:every )?evening|q\s?am/pm",
        "twice daily, in the morning and in the evening",
    ),
    (
        r"(?:(?:at|on|with|after|during) (?:each |every )?|per )(?:hemo)?(?:dialysis|HD)(?: protocol| days?|"
        r" sessions?)?\b",
        "at dialysis",
    ),
    (r"bid\s?(?:with|w/)\s?meals", "twice daily with meals"),
    (r"tid\s?ac\b|tid before meals", "three times daily before meals"),
    (r"tid\s?(?:with|w/)\s?meals|with meals three times daily", "three times daily with meals"),
    (r"qid\s?ac(?:\s?&\s?|\s?and\s?|\s?)hs|qachs|ac(?:\s?&\s?|\s?and\s?)hs|achs", "before meals and at bedtime"),
    (r"b\.?i\.?d\b\.?", "twice daily"),
    (r"t\.?i\.?d\b\.?", "three times daily"),
    (r"q\.?i\.?d\b\.?", "four times daily"),
    (
        r"q\.?h\.?s\b\.?|daily at bedtime|once daily at bedtime|at bedtime|bedtime|(?-i:HS)\b|nightly|(?:every|at|"
        r"each) night|q\s?night(?:ly)?",
        "once daily at bedtime",
    ),
    (
        r"q\.?a\.?m\b\.?|(?:once )?daily in the morning|(?:every|each|in the) (?:morning|"
        r"am)\b",
        "once daily in the morning",
    ),
    (r"q\.?p\.?m\b\.?|(?:every|each|in the) (?:evening|pm)\b|daily in the evening", "once daily in the evening"),
    (r"q\s?week(?:ly)?|qwk|(?:once )?weekly|every week|once a week|each week", "once a week"),
    (r"q\s?month(?:ly)?|monthly|every month", "once a month"),
    (r"q\.?d\b\.?|\bdaily(?:\d\d)?\b|every day|each day|\ba day\b|per day|once a day|q\.?\s?day", "once daily"),
    (r"before (?:each meal|meals)", "before meals"),
    (r"with (?:each meal|meals)", "with meals"),
    (r"(?:(?P<near>at|with|before|after) )?(?P<meal>breakfast|lunch|dinner|supper)\b", _meal),
    (r"sliding scale", "by the sliding scale"),
    (r"asdir|as dir(?:ected)?|as instructed|per instructions", "as directed"),
    (r"(?:(?-i:ONCE)|x\s?1|one time only|for one dose|once)\b", "once"),
)


def _listed_days(match: re.Match[str]) -> str:
    days = re.findall(_DAY, match["days"], re.IGNORECASE)
    return f"every {_and([_DAYS[day.lower()[:2]] for day in days])}"


def _each_day(match: re.Match[str]) -> str:
    day = next(filter(None, (match["day"], match["day2"], match["day3"])))
    return f"every {_DAYS[day.lower()[:2]]}"


_FREQUENCY = tuple((re.compile(rf"(?<![a-z]){form}", re.IGNORECASE), words) for form, words in _FREQUENCIES)
_AS_NEEDED = re.compile(r"(?<![a-z])(?:prn\b|p\.r\.n\.?|(?:only )?(?:as|if|when) needed)", re.IGNORECASE)
_BEDTIME = re.compile(r"^[\s,]*(?:and |at )?(?:at )?(?:bedtime|hs)\b", re.IGNORECASE)
_MEALS = re.compile(r"^(?: \([^)]*\))?[\s,]*(?:with|w/) ?(?:each |every )?(?:meals?|food)\b", re.IGNORECASE)
_BY_A_MEAL = re.compile(r"^[\s,]*(?P<meal>(?:before|after|with) (?:breakfast|lunch|dinner|supper))\b", re.IGNORECASE)
_HIDDEN = re.compile(rf"\b(?:q|every|x)\s?{BLANK}|{BLANK}\s?(?:x/|times|hours?\b|daily|a day)", re.IGNORECASE)


def find_frequency(text: str) -> Found | None:
    """Find how often; "as needed" joins what it limits. A redacted frequency is found with no words."""
    if hidden := _HIDDEN.search(text):
        return Found(None, hidden.start(), hidden.end())
    best: tuple[int, int, str | Callable[[re.Match[str]], str], re.Match[str]] | None = None
    for order, (pattern, words) in enumerate(_FREQUENCY):
        if (match := pattern.search(text)) and (best is None or match.start() < best[0]):
            best = match.start(), order, words, match
    needed = _AS_NEEDED.search(text)
    if best is None:
        return needed and Found("as needed", needed.start(), needed.end())
    match, words = best[3], best[2]
    said = words if isinstance(words, str) else words(match)
    if said == "once daily" and _BEDTIME.match(text[match.end() :]):
        said = "once daily at bedtime"
    if "meals" not in said and _MEALS.match(text[match.end() :]):
        said = f"{said} with meals"
    if said == "once daily" and (meal := _BY_A_MEAL.match(text[match.end() :])):
        said = f"once daily {meal['meal'].lower()}"
    return Found(f"{said} as needed" if needed else said, match.start(), match.end())


def starts_direction(text: str) -> bool:
    """Say whether a text begins with a part of how a drug is taken, so that it cannot begin a drug's name."""
    starts = [found.start for found in (find_route(text), find_frequency(text)) if found]
    starts += [amount.start for amount in amounts(text)][:1]
    return min(starts, default=1) == 0 or _DIRECTION.match(text) is not None


_DIRECTION = re.compile(
    rf"\s*+(?:{BLANK}|\(|\d|for\b|sig\b|disp\b|refills?\b|take\b|"
    r"inhale\b|inject\b|instill\b|place\b|spray\b|chew\b|dissolve\b|prn\b|as needed|duration|hold\b|tab(?:let)?s?\b|"
    r"cap(?:sule)?s?\b|then\b|start\b|until\b|with\b|do not\b|apply\b|use\b|to\b|by\b|in\b|at\b|on\b|and\b|or\b|"
    r"x\s?\d|delayed\b|extended\b|release\b|sust\b|chewable\b|this is\b|tapered\b|reason\b|pain\b|first line|"
    r"second line|max(?:imum)?\b|up to\b|again\b|was\b|from\b|previously\b|instead\b|one\b|two\b|three\b|half\b)",
    re.IGNORECASE,
)
