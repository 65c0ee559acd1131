"""Discharge notes cut into their sections, in the many forms in which hospitals and their copies write headings.

A section ends only where a known heading begins: lines like ``# CHF:`` or ``Atrial fibrillation: rate controlled``
look like headings and are none. Headings are found at the start of a line, longest first, in any case, with or
without colon, tags or rules around them; in texts that lost their newlines, also within a line.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

__all__ = ["read_sections", "unredacted", "unwrapped"]

_MEDS = r"(?:medications?|meds|medicines?|drugs|prescriptions)(?: (?:list|reconciliation|regimen))?"
_IN = r"(?:on|at|upon|prior to|before|as of)(?: the| this)? (?:admission|admit|arrival|hospitali[sz]ation|presentation)"
_OUT = r"(?:discharge|d/?c)"
_DIAGNOSES = r"(?:diagnos[ie]s|dx)"
_FOLLOW_UP = r"(?:follow[- ]?up|f/u)"

HEADINGS: Mapping[str, str] = {
    "name": r"(?:patient )?name",
    "unit_no": r"unit (?:no|number)|medical record (?:no|number)|mrn",
    "admission_date": r"(?:admission|admit) date|date of admission|admitted(?: on)?",
    "discharge_date": r"discharge date|date of discharge|discharged on",
    "birth": r"date of birth|dob",
    "sex": r"(?:age ?/ ?)?(?:sex|gender)(?: ?/ ?age)?",
    "service": r"services?",
    "allergies": r"(?:(?:known|drug|medication|food)(?: and| or| /|/)? ?)*allerg(?:y|ies)(?: list)?"
    r"(?: ?(?:/|or|and) ?adverse (?:drug )?(?:reactions|events))?",
    "attending": r"attending(?: physician| md)?",
    "chief_complaint": r"chief complaints?|presenting (?:complaint|problem|symptom)s?|"
    r"reason for (?:admission|hospitali[sz]ation|visit|presentation)|cc",
    "procedures": r"(?:(?:major|principal|surgical|invasive|operative|operations?|procedures?)(?: ?(?:or|and|/|&) ?| ))"
    r"+(?:operations?|procedures?)(?: (?:performed|this admission|during .{4,20}))?|"
    r"(?:operations?|procedures?) (?:performed|this admission|during .{4,20})|procedures",
    "hpi": r"(?:history of (?:the )?)?present(?:ing)? illness|hpi",
    "past": r"(?:past|prior|previous) (?:medical |surgical )?(?:(?:and|/|&) ?surgical )?(?:history|hx)|"
    r"medical (?:history|hx)|pmhx?(?: ?/ ?pshx?)?|past medical ?/ ?surgical history|"
    r"past medical history ?/ ?past surgical history",
    "past_surgical": r"(?:past )?surgical (?:history|hx)|pshx?",
    "social": r"social (?:history|hx)|shx?",
    "family": r"family (?:medical )?(?:history|hx)|fhx?",
    "exam": r"(?:(?:physical|admission|discharge) )+exam(?:ination)?|(?:physical )?exam(?:ination)? (?:on|at) "
    r"(?:admission|discharge)|pe",
    "results": r"(?:(?:pertinent|laboratory|lab|admission|discharge) )*(?:results|data|labs|studies)|imaging",
    "course": r"(?:(?:brief|concise) )?(?:summary of )?(?:the )?hospital course(?: by .{4,12})?",
    "transitional": r"transition(?:al|al care| of care) issues|issues for follow[- ]?up",
    "home_medications": rf"(?:(?:active|current|home|out-?patient|pre-?admission|admission|pta|prior to admission) )+"
    rf"{_MEDS}(?: {_IN})?|(?:active )?{_MEDS} (?:taken )?(?:{_IN}|on admit|at home|prior to coming in)",
    "discharge_medications": rf"(?:(?:{_OUT}|take[- ]home|going[- ]home) )+{_MEDS}|"
    rf"{_MEDS} (?:on|at|upon|for|after) {_OUT}",
    "disposition": rf"{_OUT} disposition|dispo(?:sition)? (?:on|at|upon) {_OUT}|dispo|discharged? to|"
    r"discharge status and disposition",
    "facility": r"facility",
    "diagnosis": rf"(?:(?:{_OUT}|final|principal|primary) )*(?:{_OUT}|final) (?:(?:principal|primary) )?{_DIAGNOSES}|"
    rf"{_DIAGNOSES} (?:on|at|upon) {_OUT}",
    "secondary_diagnosis": rf"secondary {_OUT} {_DIAGNOSES}|secondary {_DIAGNOSES} (?:on|at|upon) {_OUT}",
    "admission_diagnosis": rf"(?:admission|admitting) {_DIAGNOSES}",
    "condition": rf"{_OUT} condition|condition (?:on|at|upon) {_OUT}",
    "instructions": rf"(?:(?:{_OUT}|patient|home|after[- ]?visit|post-?(?:operative|discharge)) )+instructions?"
    rf"(?: ?/ ?{_FOLLOW_UP})?(?: (?:to|for) (?:the )?(?:patient|family|facility))?|"
    rf"instructions? (?:(?:to|for|on|at) )(?:the )?(?:patient|family|facility|{_OUT})|discharge plan",
    "follow_up": rf"(?:(?:recommended|discharge|outpatient) )?{_FOLLOW_UP}"
    r"(?: (?:instructions?|appointments?|appts?|visits?|plans?|care))*",
    "regimen": r"(?:discharge )?(?:diet|activit(?:y|ies)|wound care)",
    "addendum": r"addendum",
    "closing": r"completed by|dictated by|(?:electronically )?signed (?:electronically )?by|job ?#",
}
"""Sections and the forms of the headings that open them."""

_BARE: Mapping[str, str] = {
    "medications": _MEDS,
    "disposition": r"disposition",
    "diagnosis": rf"{_DIAGNOSES}|(?:primary|principal) {_DIAGNOSES}",
    "secondary_diagnosis": rf"secondary {_DIAGNOSES}",
    "condition": r"condition",
    "instructions": r"instructions|plan",
    "procedures": r"procedure|operations?",
    "hpi": r"history",
}
"""Headings that other sections use within them: they count only where the note has no full heading of that section."""

_IDENTITY = frozenset({"name", "unit_no", "birth", "sex", "service", "attending", "admission_date"})
_STORY = frozenset({"discharge_medications", "diagnosis", "condition", "instructions", "follow_up"})

_SHORT = frozenset(
    {"cc", "sh", "fh", "pe", "psh", "name", "sex", "labs", "plan", "service", "condition", "results", "exam"}
)
"""Words too common to be a heading without a colon."""

_LINE = frozenset({"unit_no", "discharge_date", "sex", "birth", "service"})
"""Sections whose heading stands behind another on one line, after a gap."""

_ENTITIES = re.compile(r"\[\*\*.*?\*\*\]", re.DOTALL)
_LONG_LINE = 400
_HEAD = 1500
"""Characters of a note in which headings stand beside each other."""


def unredacted(text: str) -> str:
    """Return a text with one newline style and one mark of redaction, ``___``."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
    if "\n" not in text.strip() and "\\n" in text:
        text = text.replace("\\n", "\n")
    text = _ENTITIES.sub("___", text)
    text = re.sub(r"_{3,}", "___", text)
    if text.count(":,") > 1:
        # Some exports write a comma for each newline.
        text = re.sub(r"(?<=[.:?]),\s*|,\s*(?=[A-Z][A-Z /&-]{3,60}:)", "\n", text)
    # Copies break times and orders: "10: 25PM", "Q4H: PRN".
    text = re.sub(r"(?<=\b\d)(: )(?=[0-5]\d\s?[AP]M\b)|(?<=\b\d\d)(: )(?=[0-5]\d\s?[AP]M\b)", ":", text)
    return re.sub(r"(?<=[A-Z]): (?=PRN\b)", ":", text)


def unwrapped(text: str) -> str:
    """Return a text with the lines joined that a narrow page broke, as far as that is certain.

    A line was broken if the next word would not have fitted on it, and the next begins in lower case.
    """
    lines = text.split("\n")
    lengths = sorted(len(line.rstrip()) for line in lines if line.strip())
    width = max(_NARROWEST, lengths[-1 - len(lengths) // _WIDER] if lengths else 0)
    if width > _WIDEST:
        return text
    joined: list[str] = []
    length = 0
    for line in lines:
        broken = line[:1].islower() and length + 1 + len(line.split()[0]) > width and not _LABEL.match(line)
        length = len(line.rstrip())
        if broken and joined:
            before = joined[-1].rstrip()
            joined[-1] = before + line if re.search(r"\w-$", before) else f"{before} {line}"
        else:
            joined.append(line)
    return "\n".join(joined)


_NARROWEST, _WIDEST = 60, 100
"""Characters on a line of a page."""
_WIDER = 50
"""One line in so many may be wider than the page: laboratory results are."""
_LABEL = re.compile(r"[a-z][\w /-]{1,40}:|o\s+[A-Z]")


class _Heading(NamedTuple):
    section: str
    start: int
    end: int


def read_sections(text: str) -> dict[str, str]:
    """Cut a note into sections.

    Args:
        text: The note, as :func:`unredacted` returns it.

    Returns:
        Text by section, a key of :data:`HEADINGS`; a heading that comes several times continues its section. A section
        without content is the empty string; one that the note lacks is not there.
    """
    found = list(_headings(text))
    sections: dict[str, str] = {}
    ends = [*(heading.start for heading in found), len(text)][1:]
    for heading, end in zip(found, ends, strict=True):
        body = text[heading.end : end].strip().strip("=,").strip()
        body = re.sub(r"\s*</?[\w /-]{3,40}>\s*$|^[=_*-]{4,}\s*$", "", body, flags=re.MULTILINE).strip()
        before = sections.get(heading.section)
        sections[heading.section] = f"{before}\n{body}".strip() if before else body
    return sections


def _headings(text: str) -> Iterator[_Heading]:
    lines = _ANYWHERE if _is_flat(text) else _AT_LINE_START
    full = list(_found(text, lines))
    named = {heading.section for heading in full}
    bare = [h for h in _found(text, _BARE_ANYWHERE if _is_flat(text) else _BARE_AT_LINE_START) if _free(h, full)]
    kept = [h for heading in bare if (h := _resolved(heading, full + bare)).section not in named]
    lists = {heading for heading in kept if heading.section in ("home_medications", "discharge_medications")}
    identified = True
    current = ""
    for heading in sorted(full + kept, key=lambda heading: heading.start):
        # "Name:" and "Service:" head a note; later they are lines of an appointment.
        # "Activity:" and a bare "Medications:" divide a letter.
        within = current == "instructions" and (heading.section == "regimen" or heading in lists)
        if not within and (heading.section not in _IDENTITY or identified):
            current = heading.section
            yield heading
        identified = identified and heading.section not in _STORY


def _found(text: str, pattern: re.Pattern[str]) -> Iterator[_Heading]:
    for match in pattern.finditer(text) if pattern in (_ANYWHERE, _BARE_ANYWHERE) else _at_lines(pattern, text):
        heading = " ".join(match["heading"].lower().replace("_", " ").split())
        if match["colon"] or heading not in _SHORT:
            yield _Heading(_section(match), match.start(), match.end())
    if pattern is _AT_LINE_START:
        for match in _BESIDE.finditer(text[:_HEAD]):
            yield _Heading(_section(match), match.start(), match.end())


def _section(match: re.Match[str]) -> str:
    """Return the section whose form of heading matched."""
    return next(
        name for name, words in match.groupdict().items() if words is not None and (name in HEADINGS or name in _BARE)
    )


def _at_lines(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Match at the start of each line, which is many times faster than searching for ``^``."""
    start = 0
    while start < len(text):
        if match := pattern.match(text, start):
            yield match
        start = text.find("\n", start) + 1 or len(text)


def _free(heading: _Heading, others: list[_Heading]) -> bool:
    return all(heading.end <= other.start or heading.start >= other.end for other in others)


def _resolved(heading: _Heading, others: list[_Heading]) -> _Heading:
    """Say of a bare "Medications" whose they are: after the course or the plan, those at discharge."""
    if heading.section != "medications":
        return heading
    named = {other.section for other in others}
    if "discharge_medications" in named or "home_medications" in named:
        missing = "home_medications" if "discharge_medications" in named else "discharge_medications"
        return heading._replace(section=missing)
    late = {"course", "diagnosis", "condition", "disposition", "instructions"}
    after = any(other.section in late and other.start < heading.start for other in others)
    return heading._replace(section="discharge_medications" if after else "home_medications")


def _is_flat(text: str) -> bool:
    """Say whether a text has lost its newlines."""
    lines = text.strip().splitlines() or [""]
    return max(map(len, lines)) > _LONG_LINE and len(text) / len(lines) > _LONG_LINE / 2


def _forms(groups: Mapping[str, str], *, lines: bool) -> str:
    """Return the forms of all sections as one pattern with a group a section.

    Args:
        groups: Forms by section.
        lines: True if a heading stands on one line; else it may be broken where a form has a space.
    """
    space = " _" if lines else r"\s"
    spaces = {"[- ]": f"[-{space}]", " ?": f"[{space}]*", " ": f"[{space}]+"}
    forms = "|".join(f"(?P<{section}>{words})" for section, words in groups.items())
    return re.sub(r"\[- \]| \??", lambda match: spaces[match[0]], forms)


def _at_line_start(groups: Mapping[str, str]) -> re.Pattern[str]:
    return re.compile(
        rf"^[ \t]*+(?:</?|[\[*#=_ -]++|\d{{1,2}}[.)] )?+[ \t]*+(?P<heading>{_forms(groups, lines=True)})"
        r"[ \t]*+(?:\([^)\n]{0,40}\)[ \t]*+)?[\]>*=_]*+(?P<colon>[ \t]*+[:：][*]*,?)?(?(colon)|"
        r"(?=[ \t]*+$))[ \t]*+(?:\n[ \t]*+[=_*-]{3,}[ \t]*+$)?",
        re.IGNORECASE | re.MULTILINE,
    )


def _anywhere(groups: Mapping[str, str]) -> re.Pattern[str]:
    """Within a line a heading has a colon, and is in capitals or begins with one."""
    return re.compile(
        rf"(?:^|(?<=[\s,.]))[<\[*#=]*(?=(?-i:[A-Z]))(?P<heading>{_forms(groups, lines=False)})"
        r"[\]>*=]*(?P<colon>\s*:[*]*,?)\s*",
        re.IGNORECASE,
    )


_AT_LINE_START = _at_line_start(HEADINGS)
_BARE_AT_LINE_START = _at_line_start(_BARE)
_ANYWHERE = _anywhere(HEADINGS)
_BARE_ANYWHERE = _anywhere(_BARE)
_BESIDE_OTHERS = {name: forms for name, forms in HEADINGS.items() if name in _LINE}
_BESIDE = re.compile(
    rf"(?<=\S)(?:[ \t]{{2,}}|\t|[ \t]*\|[ \t]*)(?P<heading>{_forms(_BESIDE_OTHERS, lines=True)})"
    r"[ \t]*:[ \t]*",
    re.IGNORECASE,
)
