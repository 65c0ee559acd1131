"""Discharge notes cut into their sections, in the many forms in which hospitals and their copies write headings.

A section ends only where a known heading begins: lines like ``# CHF:`` or ``Atrial fibrillation: rate controlled``
look like headings and are none. Headings are found at the start of a line, longest first, in any case, with or
without colon, tags or rules around them; in texts that lost their newlines, also within a line.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

__all__ = ["read_sections", "unredacted"]

HEADINGS: Mapping[str, tuple[str, ...]] = {
    "name": ("name", "patient name"),
    "unit_no": ("unit no", "unit number", "medical record number", "mrn"),
    "admission_date": ("admission date", "date of admission", "admitted"),
    "discharge_date": ("discharge date", "date of discharge"),
    "birth": ("date of birth", "dob"),
    "sex": ("sex", "gender"),
    "service": ("service", "services"),
    "allergies": (
        "allergies",
        "allergies/adverse drug reactions",
        "allergies or adverse drug reactions",
        "drug allergies",
        "allergies / adverse drug reactions",
        "known allergies",
        "allergy",
    ),
    "attending": ("attending", "attending physician", "attending md"),
    "chief_complaint": ("chief complaint", "chief complaints", "reason for admission", "presenting complaint", "cc"),
    "procedures": (
        "major surgical or invasive procedure",
        "major surgical or invasive procedures",
        "procedures performed",
        "major surgical or invasive procedures performed",
        "procedure performed",
        "operations and procedures",
        "surgical procedures",
        "operations performed",
        "procedures",
    ),
    "hpi": ("history of present illness", "history of the present illness", "hpi", "present illness"),
    "past": (
        "past medical history",
        "pmh",
        "pmhx",
        "medical history",
        "past medical and surgical history",
        "past history",
        "past medical/surgical history",
        "pmh/psh",
        "past medical history/past surgical history",
    ),
    "past_surgical": ("past surgical history", "psh", "surgical history", "pshx"),
    "social": ("social history", "social hx", "sh", "shx"),
    "family": ("family history", "family hx", "fh", "fhx", "family medical history"),
    "exam": (
        "physical exam",
        "physical examination",
        "admission physical exam",
        "discharge physical exam",
        "exam on admission",
        "physical exam on admission",
        "physical exam on discharge",
        "discharge exam",
        "admission exam",
        "pe",
    ),
    "results": (
        "pertinent results",
        "laboratory data",
        "labs",
        "admission labs",
        "discharge labs",
        "imaging",
        "studies",
        "pertinent laboratory data",
        "laboratory results",
        "results",
        "laboratory studies",
        "pertinent labs",
    ),
    "course": (
        "brief hospital course",
        "hospital course",
        "summary of hospital course",
        "hospital course by problem",
        "brief summary of hospital course",
        "concise summary of hospital course",
        "hospital course by system",
    ),
    "transitional": (
        "transitional issues",
        "transitional care issues",
        "issues for follow-up",
        "transition of care issues",
    ),
    "home_medications": (
        "medications on admission",
        "admission medications",
        "home medications",
        "preadmission medications",
        "home meds",
        "meds on admission",
        "medications prior to admission",
        "outpatient medications",
        "medications at home",
        "pre-admission medications",
        "preadmission medication list",
        "prior to admission medications",
        "current medications",
        "medications on admit",
        "admission meds",
        "medications on arrival",
        "active medication list as of admission",
    ),
    "discharge_medications": (
        "discharge medications",
        "discharge meds",
        "d/c meds",
        "d/c medications",
        "medications on discharge",
        "dc meds",
        "medications at discharge",
        "discharge medication list",
        "medications upon discharge",
        "dc medications",
        "meds on discharge",
        "discharge medication",
        "medication list at discharge",
    ),
    "disposition": (
        "discharge disposition",
        "disposition at discharge",
        "disposition on discharge",
        "dispo",
        "d/c disposition",
        "discharge status and disposition",
    ),
    "facility": ("facility",),
    "diagnosis": (
        "discharge diagnosis",
        "discharge diagnoses",
        "final diagnosis",
        "final diagnoses",
        "diagnosis at discharge",
        "diagnoses at discharge",
        "d/c diagnosis",
        "d/c diagnoses",
        "discharge dx",
        "diagnoses on discharge",
        "primary discharge diagnosis",
        "principal discharge diagnosis",
    ),
    "secondary_diagnosis": (
        "secondary discharge diagnosis",
        "secondary discharge diagnoses",
        "secondary diagnoses at discharge",
    ),
    "admission_diagnosis": ("admission diagnosis", "admitting diagnosis", "admission diagnoses", "admitting diagnoses"),
    "condition": (
        "discharge condition",
        "condition at discharge",
        "condition on discharge",
        "condition upon discharge",
        "d/c condition",
    ),
    "instructions": (
        "discharge instructions",
        "patient instructions",
        "instructions to patient",
        "d/c instructions",
        "discharge plan",
        "instructions at discharge",
        "discharge instructions/followup",
        "instructions on discharge",
    ),
    "follow_up": (
        "followup instructions",
        "follow-up instructions",
        "follow up instructions",
        "followup",
        "follow-up",
        "follow up",
        "follow-up appointments",
        "followup appointments",
        "follow up appointments",
        "recommended follow-up",
        "follow-up plans",
        "discharge follow-up",
        "recommended followup",
        "f/u",
        "follow-up plan",
        "followup plan",
    ),
    "addendum": ("addendum",),
    "closing": ("completed by", "dictated by", "signed electronically by", "electronically signed by", "job#", "job #"),
}
"""Sections and the headings that open them."""

_BARE: Mapping[str, tuple[str, ...]] = {
    "medications": ("medications", "meds", "medication list"),
    "disposition": ("disposition",),
    "diagnosis": ("diagnosis", "diagnoses", "primary diagnosis", "principal diagnosis"),
    "secondary_diagnosis": ("secondary diagnosis", "secondary diagnoses"),
    "condition": ("condition",),
    "instructions": ("instructions", "plan"),
    "procedures": ("procedure", "operations", "operation"),
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
        text = re.sub(r"(?<=[.:?]),\s*", "\n", text)
    # Copies break times and orders: "10: 25PM", "Q4H: PRN".
    text = re.sub(r"(?<=\b\d)(: )(?=[0-5]\d\s?[AP]M\b)|(?<=\b\d\d)(: )(?=[0-5]\d\s?[AP]M\b)", ":", text)
    return re.sub(r"(?<=[A-Z]): (?=PRN\b)", ":", text)


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
    identified = True
    for heading in sorted(full + kept, key=lambda heading: heading.start):
        # "Name:" and "Service:" head a note; later they are lines of an appointment.
        if heading.section not in _IDENTITY or identified:
            yield heading
        identified = identified and heading.section not in _STORY


def _found(text: str, pattern: re.Pattern[str]) -> Iterator[_Heading]:
    for match in pattern.finditer(text) if pattern in (_ANYWHERE, _BARE_ANYWHERE) else _at_lines(pattern, text):
        heading = " ".join(match["heading"].lower().replace("_", " ").split())
        if match["colon"] or heading not in _SHORT:
            yield _Heading(_SECTIONS[heading], match.start(), match.end())
    if pattern is _AT_LINE_START:
        for match in _BESIDE.finditer(text[:_HEAD]):
            yield _Heading(_SECTIONS[" ".join(match["heading"].lower().split())], match.start(), match.end())


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


def _alternatives(groups: Mapping[str, tuple[str, ...]], sections: frozenset[str] | None = None) -> str:
    names = [name for section, forms in groups.items() if sections is None or section in sections for name in forms]
    return "|".join(re.escape(name).replace(r"\ ", r"[ _]+") for name in sorted(names, key=len, reverse=True))


_SECTIONS = {name: section for groups in (HEADINGS, _BARE) for section, names in groups.items() for name in names}


def _at_line_start(groups: Mapping[str, tuple[str, ...]]) -> re.Pattern[str]:
    return re.compile(
        rf"^[ \t]*(?:</?|[\[*#=_ -]+|\d{{1,2}}[.)] )?[ \t]*(?P<heading>{_alternatives(groups)})"
        r"[ \t]*(?:\([^)\n]{0,40}\))?[ \t]*[\]>*=_]*(?P<colon>[ \t]*[:：][*]*,?)?(?(colon)|"
        r"(?=[ \t]*$))[ \t]*(?:\n[ \t]*[=_*-]{3,}[ \t]*$)?",
        re.IGNORECASE | re.MULTILINE,
    )


def _anywhere(groups: Mapping[str, tuple[str, ...]]) -> re.Pattern[str]:
    """Within a line a heading has a colon, and is in capitals or begins with one."""
    forms = _alternatives(groups)
    words = "|".join((re.sub(r"(?<![\\\w])[a-z]", lambda m: f"[{m[0]}{m[0].upper()}]", forms), forms.upper()))
    words = words.replace("[ _]+", r"\s+")
    first = r"(?=[A-Z<\[])"
    return re.compile(rf"(?:^|(?<=[\s,.]))[<\[*#=]*{first}(?P<heading>{words})[\]>*=]*(?P<colon>\s*:[*]*,?)\s*")


_AT_LINE_START = _at_line_start(HEADINGS)
_BARE_AT_LINE_START = _at_line_start(_BARE)
_ANYWHERE = _anywhere(HEADINGS)
_BARE_ANYWHERE = _anywhere(_BARE)
_BESIDE = re.compile(
    rf"(?<=\S)(?:[ \t]{{2,}}|\t)(?P<heading>{_alternatives(HEADINGS, _LINE)})[ \t]*:[ \t]*", re.IGNORECASE
)
