"""One line of a medication list: name, dose, route, frequency, duration and reason, as hospitals and people write them.

Three styles are read: ``DrugX 40 mg PO Q6H:PRN pain``; the older ``DrugX 50 mg Tablet Sig: Two (2) Tablet PO BID``;
and prose, "DrugX 40 mg, one tablet by mouth twice a day for pain". What is redacted is None.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from bedside.cases.directions import BLANK, Amount, Found, amounts, find_frequency, find_route
from bedside.cases.ingredients import usual_unit

__all__ = ["Drug", "read_drug"]

_FOR_HOW_LONG = re.compile(
    r"\b(?:duration:\s*|for\s+|x\s?)(?P<span>(?:(?:a|another|the next|up to|total of) )*"
    r"(?:\d+|one|two|three|four|five|six|seven|ten|fourteen)(?: \(\d+\))?(?:\s?-\s?\d+)?(?: more)?\s?-?"
    r"(?:days?|weeks?|wks?|months?|years?|doses?)|life)\b",
    re.IGNORECASE,
)
_PURPOSE = re.compile(
    r"(?:\bprn\b:?|\bas needed\b(?: for)?|\bif needed for|\bfor|\bindication:)[:,]?\s+"
    r"(?!(?:the (?:past|last|next)|about|over|life|a total|total|up to|another)\b|\d|_|"
    r"(?:one|two|three|four|five|six|seven|ten|\w+ \(\d+\)|\w+ more)\s|\w+ (?:years?|months?|weeks?|days?|doses?)\b)"
    r"(?P<why>[a-z][a-z /,'-]{1,60})",
    re.IGNORECASE,
)
# What may follow a reason and is none: other orders, dispensing, the pharmacist's remarks.
_AFTER_PURPOSE = re.compile(
    r"\s*(?:\b(?:disp|refills?|reason|rx|hold|first dose|start|do not|take|may|max\w*|to be|duration|tapered|"
    r"this is|please|"
    r"apply|use|until|if|not to|by mouth|po|every|once|twice|daily|as needed|then|for|in the|at)\b|[.;*]|"
    r" - (?:first|second) line|\s{2,})"
    r".*",
    re.IGNORECASE | re.DOTALL,
)
# Where a name must have ended: the label of the old style, punctuation, a reason, a time, an order.
_END = re.compile(
    r"\bSig\b|[,:;(]|\s[-–]+\s|\s=\s|_{3}| (?:for|since|over|approximately|about|via|until|one|two|take|"
    r"use|inhale|inject|apply|instill|at|to|was|is|an?) |\s\d+ \w+ ago|\s(?!(?:70/30|75/25|50/50)\b)\d[\d.]*/\d|"
    r"\s(?:tab(?:let)?s?|cap(?:sule)?s?)(?![a-z])|\.\s|\.$",
    re.IGNORECASE,
)
# When not to take it, and how much at most, is no dose and no reason.
_LIMITS = re.compile(
    r"\b(?:hold (?:for|if)|(?:do )?not (?:to )?(?:exceed|take|use)|never (?:take|use)|no more than|at most|"
    r"max(?:imum)?\b|"
    r"disp(?:ense)?\b).*",
    re.IGNORECASE | re.DOTALL,
)
# "4 tabs for 3 days then 2 tabs": there is no one dose.
_TAPER = re.compile(r"\bthen\b.*\d", re.IGNORECASE)
_PAIN = re.compile(r"^pain - (mild|moderate|severe)\b.*")
_BRAND = re.compile(r"\s*\(\s*(?P<brand>[A-Z][A-Za-z-]{2,}(?: [A-Z][a-z]+)?|[A-Z]{2} [A-Z][a-z]+)\s*\)")
_NOT_BRAND = re.compile(
    r"release|oral|suspension|liquid|powder|human|recombinant|topical|nasal|ophth|enteric|coated|chew|tablet|capsule|"
    r"solution|inhaler|injection|new|continued?|changed|home|held|generic|stopped?|increased?|decreased?|hold",
    re.IGNORECASE,
)
_FORM = re.compile(r"(?:tab(?:let)?|cap(?:sule)?)(?:\(s\)|s)?", re.IGNORECASE)
_KEPT = re.compile(r"[A-Z]{1,2}\d*|\d.*|[A-Z]-?\d+|HFA|HCT|PEG|DHA|EPA|NPH|III|[A-Z]\d+[A-Z]?")


class Drug(NamedTuple):
    """What a line says of a drug; None where it says nothing, or hides it.

    Attributes:
        name: Lower case save for letters like D, XL and EC; empty if the line begins with something else.
        dose: What is taken each time: ``40 mg``, ``2 tablets of 50 mg``, ``2 puffs``.
        brand: A second name in parentheses.
    """

    name: str
    dose: str | None
    route: str | None
    frequency: str | None
    purpose: str | None
    duration: str | None = None
    brand: str | None = None

    def attributes(self) -> dict[str, str]:
        """Return what is known of how it is taken, as a :class:`~bedside.cases.fact.Medication` has it."""
        known = self._asdict()
        del known["name"], known["brand"]
        return {name: value for name, value in known.items() if value}


@lru_cache(maxsize=50_000)
def read_drug(line: str) -> Drug:
    """Take one line apart.

    A form that leads the name ("oral contraceptive") belongs to it and is no route. Lists repeat each other, so that
    lines are remembered.
    """
    text = _STRENGTH_BETWEEN.sub(r"\1/", _PRIMES.sub(lambda times: f" {_A_DAY[len(times[0])]}", " ".join(line.split())))
    name, brand, rest = _named(text)
    name, bare = _without_number(name, rest)
    rest = _LIMITS.sub("", rest)
    span = _FOR_HOW_LONG.search(rest)
    directions = rest[: span.start()] + " " * (span.end() - span.start()) + rest[span.end() :] if span else rest
    route, frequency = find_route(directions), find_frequency(directions)
    tapered = _TAPER.search(rest) is not None
    return Drug(
        name,
        None if tapered else bare or _dose(directions, route, frequency),
        route and route.words,
        frequency and frequency.words,
        _purpose(directions),
        "for " + re.sub(r" \(\d+\)", "", span["span"].lower()) if span and not tapered else None,
        brand,
    )


def _named(text: str) -> tuple[str, str | None, str]:
    """Cut the name, with its second name, off a line."""
    marks = [found.start for found in (find_route(text[1:]), find_frequency(text[1:])) if found]
    marks += [amount.start for amount in amounts(text[1:])][:1]
    end = min(marks, default=len(text)) + 1
    name = _END.split(text[:end], maxsplit=1)[0].strip(" -.*")
    rest = text[text.find(name) + len(name) :] if name else text
    brand = None
    if (match := _BRAND.match(rest)) and not _NOT_BRAND.search(match["brand"]):
        brand, rest = match["brand"], rest[match.end() :]
    return _plain_case(name), brand, rest


def _without_number(name: str, rest: str) -> tuple[str, str | None]:
    """Take a number off a name, "lasix 40", where no dose follows; with its unit, if the drug has only one."""
    if (match := _NUMBERED.match(name)) is None or any(amounts(rest)):
        return name, None
    unit = usual_unit(match["name"], float(match["number"]))
    return match["name"], f"{match['number']} {unit}" if unit else None


_NUMBERED = re.compile(r"(?P<name>.*[a-z]{3}) (?P<number>\d+(?:\.\d+)?)", re.IGNORECASE)
# "Dorzolamide 2%/Timolol 0.5%" is one preparation of two drugs.
_STRENGTH_BETWEEN = re.compile(r"^([A-Za-z][\w-]+) [\d.]+ ?(?:%|mg)? ?/ ?(?=[A-Za-z]{4})")
# Surgeons write 50' for 50 mg once a day, and 25'' for twice.
_PRIMES = re.compile(r"(?<=\d)'{1,4}(?!\w)")
_A_DAY = {1: "daily", 2: "BID", 3: "TID", 4: "QID"}


def _plain_case(name: str) -> str:
    """Lower a name, tall-man letters too ("TraMADol"), but not "D3" or "XL"."""
    return " ".join(word if _KEPT.fullmatch(word) and word != "IN" else word.lower() for word in name.split())


def _dose(text: str, route: Found | None, frequency: Found | None) -> str | None:
    """Return what is taken each time: a mass, or pieces, of which the strength is said where there are several."""
    sig = re.search(r"\bSig\b:?|\btake\b|\binject\b|\buse\b", text, re.IGNORECASE)
    found = list(amounts(text))
    stop = max((place.end for place in (route, frequency) if place), default=len(text))
    stated = [a for a in found if not a.concentration]
    taken = [a for a in stated if a.start < stop or (sig and a.start > sig.end())] or stated[:1]
    after = [a for a in taken if sig and a.start >= sig.end()]
    if sig and not after and re.match(rf"\s*{BLANK}", text[sig.end() :]):
        return None
    pieces = after[0] if after else next((a for a in reversed(taken) if a.counted), taken[-1] if taken else None)
    if pieces is None:
        spread = _SPREAD.search(text)
        return spread and spread[0].lower()
    strengths = [a for a in found if a.start < pieces.start and not a.counted and a.unit != "%"]
    strength = next((a for a in strengths if not a.concentration), None)
    if not pieces.counted or strength is None or pieces.unit not in ("tablet", "capsule"):
        return str(pieces)
    of = _combination(text, strength)
    return of if pieces.number == "1" else f"{pieces} of {of}"


_SPREAD = re.compile(r"\ba (?:thin|small|generous|pea-sized) (?:layer|film|ribbon|amount)\b", re.IGNORECASE)


def _combination(text: str, strength: Amount) -> str:
    """Return a strength with what stands beside it, as in "5 mg-325 mg"."""
    beside = next((a for a in amounts(text[strength.end + 1 :]) if a.start == 0), None)
    joined = beside is not None and text[strength.end] in "-/"
    return f"{strength}-{beside}" if joined else str(strength)


def _purpose(text: str) -> str | None:
    if (match := _PURPOSE.search(text)) is None:
        return None
    why = _AFTER_PURPOSE.sub("", match["why"]).strip(" ,-/")
    why = _PAIN.sub(r"\1 pain", why.lower())
    return why if len(why) > 2 and not find_route(why) and not _FORM.fullmatch(why) else None
