"""Appointments told in a row, without a verb: "the lab in 3 days, gynecology in 2 weeks, your own doctor in 4".

Each part of such a row holds who and when; a bare number takes the unit of the time before it.
"""

import re

from bedside.verifier.language.quantities import find_quantities

__all__ = ["lists_visits", "timed_parts"]

_UNIT = re.compile(r"\bin (\d+|an?) (day|week|month)", re.IGNORECASE)
_BARE_TIME = re.compile(r"\bin (\d+)(?=[,.;]|\s+and\b|\s*$)", re.IGNORECASE)
_PARTS = re.compile(r"[,;:]\s++(?:and |then )*|(?<!\s)\s++and (?:then )?")
_BOTH_IN = re.compile(r"\b(?:both|each|all) (?:\w+ )?(in (?:\d+|an?) (?:day|week|month)s?)\b", re.IGNORECASE)
_REGULARLY = re.compile(r"\b(?:tomorrow|every week)\b", re.IGNORECASE)
_MOSTLY = 0.5
"""Share of the parts of a row that have a time."""


def lists_visits(text: str) -> bool:
    """True for a row of appointments, each with its time: "lab in a week, kidney clinic in 2 weeks".

    Args:
        text: A sentence with numbers in digits.
    """
    timed = len(timed_parts(text))
    return timed >= 2 and timed >= _MOSTLY * sum(bool(part.strip(" .!")) for part in _PARTS.split(text))


def timed_parts(text: str) -> tuple[str, ...]:
    """Return the parts of a sentence that hold one time of a visit each, with its unit written out."""
    parts, shared = _PARTS.split(_with_units(text)), ""
    for number in reversed(range(len(parts))):
        if _is_timed(parts[number]):
            shared = _shared_time(parts[number])
        elif shared:  # "hematology and orthopedics both in 1 week"
            parts[number] = f"{parts[number]} {shared}"
    return tuple(part for part in parts if _is_timed(part))


def _shared_time(part: str) -> str:
    """Return the time that a part gives for those before it too: "both in 1 week"."""
    both = _BOTH_IN.search(part)
    return both[1] if both else ""


def _is_timed(part: str) -> bool:
    times = {q.value for q in find_quantities(part) if q.kind == "in" and float(q.value) >= 0.5}
    return len(times) == 1 or (not times and bool(_REGULARLY.search(part)))


def _with_units(text: str) -> str:
    """Write out "in 1 week, gynecology in 2": a bare number has the unit of the time before it."""
    units = [(match.start(), match[2]) for match in _UNIT.finditer(text)]
    if not units:
        return text

    def unit_before(bare: re.Match[str]) -> str:
        before = [unit for start, unit in units if start < bare.start()]
        return f"{bare[0]} {before[-1]}s" if before else bare[0]

    return _BARE_TIME.sub(unit_before, text)
