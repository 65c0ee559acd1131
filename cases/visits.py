"""Visits after discharge: whom to see, when and what for, out of sentences, lines and appointment blocks."""

import re

from bedside.cases.directions import BLANK
from bedside.cases.freetext import FactList, find_time, is_absence, lower_first

__all__ = ["VISIT", "add_appointments", "add_visit", "names_a_visit", "visits_in"]

VISIT = re.compile(
    r"(?<!until you )(?<!before you )(?<!unless you )(?:follow(?:ing)?[- ]?up|appointments?|\b(?:see|"
    r"visit) (?:your|dr|the)|\bscheduled (?:to see|with|for)|\bclinic in \d+|\breturn to clinic|"
    r"\bwill see (?:you|the patient|him|her)\b)",
    re.IGNORECASE,
)
_WHOM = re.compile(
    r"(?:with|see|by|visit|call)\s+(?:both |your |the |an? |our )*((?:Dr\.? )?(?:[A-Za-z/_'’-]+|"
    r"\([A-Za-z ]+\))(?: [A-Za-z/_'’-]+| \([A-Za-z ]+\)){0,6}?)"
    r"(?=\s+(?:in (?:\d+|one|two|three|four|six|a\b|the next)|within|on|at|for|to|next|as|regarding|after|this|upon|"
    r"about|who|so)\b|\s*[.,;:]|\s*$)",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\b(?:(?:in|within|after)(?: the next| about| approximately)? (?:\d+|one|two|three|four|five|six|eight|ten|"
    r"twelve|a)(?:\s?(?:-|–|to)\s?(?:\d+|two|three|four))?"
    r"[ -](?:business )?(?:days?|weeks?|wks?|months?|hours?|years?)(?: (?:of|after|from) (?:discharge|surgery|"
    r"leaving))?|next (?:week|month)|"
    r"this week|tomorrow|(?:on )?(?:mon|tues|wednes|thurs|fri)day(?! ___)|on \d{1,2}/\d{1,2}(?:/\d{2,4})?|as needed)\b",
    re.IGNORECASE,
)
_SPECIALTY = re.compile(
    r"\b(cardiology|cardiac \w+|neurology|neurosurgery|nephrology|renal|gastroenterology|gi|oncology|hematology|"
    r"orthop\w+|urology|surgery|vascular|"
    r"pulmonary|pulmonology|endocrinology|psychiatry|dermatology|rheumatology|infectious disease|ophthalmology|"
    r"ob/?gyn|ent|transplant|wound|\w+ologist|\w+iatrist|\w*surgeon|"
    r"hepatology|liver|pcp|primary care)\b(?: (?:clinic|physician|doctor|surgery|center))?",
    re.IGNORECASE,
)
_PRIMARY = re.compile(
    r"^(?:your )?(?:pcp|primary care (?:physician|doctor|provider|clinic)?|"
    r"primary care)\b.*$",
    re.IGNORECASE,
)
_PURPOSE = re.compile(
    r"\b(?:for|to (?:have|check|discuss|get|review))\s+(?!\d|you\b|"
    r"the next)([a-z][^.;,_]{4,70})",
    re.IGNORECASE,
)
_FIELD = re.compile(
    r"^\s*(?P<name>department|specialty|with|when|name|provider|where|location|building|campus|"
    r"best parking|phone|appointment)\s*:",
    re.IGNORECASE,
)


def add_appointments(plan: FactList, text: str) -> str:
    """Add the appointments of a follow-up section that have a field a line, "With: …", "When: …".

    Returns:
        The other lines.
    """
    fields: dict[str, str] = {}
    free: list[str] = []
    for raw in [*text.splitlines(), ""]:
        field = _FIELD.match(raw)
        if field:
            name = field["name"].lower()
            if name in fields:
                _add_appointment(plan, fields)
                fields = {}
            fields[name] = raw[field.end() :].strip()
        elif not raw.strip():
            _add_appointment(plan, fields)
            fields = {}
        elif not fields:
            free.append(raw)
    return "\n".join(free)


def _add_appointment(plan: FactList, fields: dict[str, str]) -> None:
    whom = (
        fields.get("specialty")
        or fields.get("department")
        or fields.get("with")
        or fields.get("name")
        or fields.get("appointment")
        or ""
    )
    if whom := _whom(whom):
        when = _WHEN.search(fields.get("when", "")) or _WHEN.search(fields.get("appointment", ""))
        plan.add("follow_up", whom, when=when and when[0])


def visits_in(text: str) -> list[str]:
    """Cut "cardiology in 1 week, primary care in 2 weeks and with your dentist" into visits."""
    parts = re.split(r",? and (?=with\b|(?:your|her|his)\b.*\b(?:in \d|within|next|weekly|monthly))", text)
    enumerated = [part for whole in parts for part in re.split(r",\s+", whole)]
    return enumerated if all(_time(part) for part in enumerated) else parts


def names_a_visit(text: str) -> bool:
    """Say whether a line begins with whom to see and when, as those of transitional issues do."""
    return _HEADED.match(text) is not None and _TEST.match(text) is None


def _time(text: str) -> re.Match[str] | None:
    """Find when a visit is; in a short line it has no preposition, "PCP 2 wks"."""
    return _WHEN.search(text) or (_BARE_WHEN.search(text) if len(text.split()) < _SHORT_LINE else None)


_SHORT_LINE = 10
_BARE_WHEN = re.compile(
    r"(?<!for )(?<!every )(?<!x)\b\d+(?: ?(?:-|to) ?\d+)?[ -](?:days?|weeks?|wks?|months?|mos?|years?)\b", re.IGNORECASE
)
# "Dr. Hale, her psychiatrist": what she is tells more than her name.
_ROLE = re.compile(
    r"\bDr\.? [A-Z][\w'-]+(?:, (?:your|her|his|the|an?|our) (?P<role>[a-z][\w ]+?)(?=,|\.|$| in\b| within\b)|"
    r" \((?P<field>[a-z][a-z ]+)\))"
)
_SEES_YOU = re.compile(r"^(?P<whom>.{3,40}?) will see (?:you|the patient|him|her)\b", re.IGNORECASE)
# "Sleep clinic in 4 weeks: help with the mask"
_HEADED = re.compile(
    r"\W*+(?!(?:please|you|we|he|she|(?:the )?(?:patient|pt)|with|and|then|follow|call|see|return|if|"
    r"this|an? (?:follow|appointment)|appointment|visit|dr|in|at)\b)"
    r"(?P<whom>[^.:;,_]{3,60}?)[,:]? (?=(?:in|within) (?:the next |about )?(?:\d|an?\b|one|two|three|four|six)|"
    r"tomorrow\b|next (?:week|month)\b)",
    re.IGNORECASE,
)
_OFFICE = re.compile(r"\W*(?:in|at) (?:my|our) (?:office|clinic)\b", re.IGNORECASE)
_SOME_DOCTOR = re.compile(rf"\bDr\.? {BLANK}|^{_OFFICE.pattern}", re.IGNORECASE)
_TEST = re.compile(r"\W*(?:bmp|cmp|cbc|inr|chem ?\d+|lfts?|labs?|creatinine|potassium)\b(?! clinic)", re.IGNORECASE)


def add_visit(plan: FactList, text: str) -> None:
    """Add the visit that a sentence or line tells: whom to see, when, what for."""
    if not text.strip(" _.") or is_absence(text) or _TEST.match(text):
        return
    text = _SEES_YOU.sub(r"see \g<whom>", _ROLE.sub(lambda doctor: doctor["role"] or doctor["field"], text))
    found, when = _WHOM.search(text), _time(text)
    headed = _HEADED.match(text)
    name = _whom(headed["whom"]) if headed else _whom(found[1]) if found and not _OFFICE.match(text) else ""
    if not name:
        named = _SPECIALTY.search(text)
        before = re.split(r"\b(?:in|within|on|at|appointment|weekly|monthly)\b|[:,;]|(?<!Dr)\.|\b\d", text, flags=re.I)[
            0
        ]
        short = not found and 0 < len(before.split()) < 6 and not VISIT.search(before)
        name = _whom(before) if short else _whom(named[0]) if named else "your doctor" if found else ""
    if not name and _SOME_DOCTOR.search(text):
        name = "your doctor"
    name = re.sub(r" appointment$", "", name)
    if not name or re.match(r"(?:please|you|we|follow|a|the|call|if|to|this)\b", name, re.IGNORECASE):
        return
    stated = find_time(text)
    purpose = _PURPOSE.search(text[found.end() :] if found else text)
    plan.add(
        "follow_up",
        name,
        when=when[0].lower() if when else stated and stated.words,
        purpose=purpose and purpose[1].strip(),
    )


def _whom(text: str) -> str:
    """Return whom to see without redacted names; "Dr. ___ (cardiology)" is cardiology."""
    if BLANK in text or re.match(r"dr\b", text, re.IGNORECASE):
        named = _SPECIALTY.search(text)
        text = named[0] if named else "" if BLANK in text else text
    text = re.sub(r"\s*\([A-Z]{2,4}\)", "", text).strip(" -,.:*")
    text = re.sub(r"^(?:your|her|his|the|an?)\s+", "", text, flags=re.IGNORECASE)
    if _PRIMARY.match(text):
        return "primary care doctor"
    if text.isupper() and len(text) >= 5:
        return text.lower()
    return text if text.startswith("Dr") else " ".join(map(lower_first, text.split()))
