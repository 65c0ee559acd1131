"""Short lists of a note: diagnoses, procedures, histories, each in the style of its hospital.

Items have bullets, numbers, commas or lines of their own; diagnoses are ranked.
"""

import re
from collections.abc import Iterator, Mapping

from bedside.cases.directions import BLANK
from bedside.cases.freetext import is_absence, is_uninformative, outside_parentheses

__all__ = ["diagnoses_in", "lines_of_list", "procedures_in", "says_nothing"]

_RANK = re.compile(
    r"^\W*(?P<rank>axis [ivx]+|primary|principal|main|secondary|other|additional|acute|active|chronic|inactive|"
    r"final|discharge|co-?morbid\w*)?(?P<rest>(?:[ /]+(?:and|medical|active|discharge|issues?|conditions?|"
    r"problems?|diagnos[ie]s|dx))*)\W*(?::|=+|$)\s*",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*(?:[-*•·#>+]+\s*|o\s+(?=[A-Z])|\(?\d{1,2}[.):]\s*(?!\d)|\d{1,2}\s+-\s+|[a-h][.)]\s+)")
_INLINE_NUMBER = re.compile(r"(?:^|\s|(?<=\w),)\d{1,2}[.)]\s+(?=[A-Za-z])")
_NO_PROCEDURE = re.compile(
    r"^(?:none|nil|n/?a|no (?:major|surgical|invasive)?.*|not applicable|see (?:above|below|"
    r"hpi).*)\W*$",
    re.IGNORECASE,
)
_DATE_LEAD = re.compile(
    r"^(?:on )?(?:_{3}|\d{1,2}/\d{1,2}(?:/\d{2,4})?|"
    r"hospital day \d+)\s*[:,;-]?\s*(?:and\s+)?(?=\w)|^\W+",
    re.IGNORECASE,
)
_DATE_TAIL = re.compile(
    r"[\s,(-]*(?:(?:on|performed|by dr\.?|by|at|dated)\s+)?(?:_{3}|"
    r"\d{1,2}/\d{1,2}(?:/\d{2,4})?)\)?\.?$",
    re.IGNORECASE,
)
_CONTINUES = re.compile(r"^(?:[a-z]|\()")


def lines_of_list(text: str) -> Iterator[str]:
    """Yield the items of a short list; a line that a narrow page broke is joined to the one before."""
    if len(_INLINE_NUMBER.findall(text)) > 1 and "\n" not in text:
        text = _INLINE_NUMBER.sub("\n", text)
    held = ""
    for raw in [*text.splitlines(), ""]:
        line = " ".join(raw.split())
        bullet = _BULLET.match(line)
        if held and line and not bullet and _goes_on(held, line):
            held = f"{held} {line}"
            continue
        if held:
            yield held
        held = line[bullet.end() :] if bullet else line


def _goes_on(held: str, line: str) -> bool:
    """Say whether a line ends the one before; in a list of capitals, one in lower case does."""
    if held.endswith((",", "-", "/")) or held.count("(") > held.count(")"):
        return True
    return _CONTINUES.match(line) is not None and not held[:1].islower()


def diagnoses_in(sections: Mapping[str, str]) -> Iterator[str]:
    """Yield discharge diagnoses, primary ones first, whatever order and style the section has."""
    first: list[str] = []
    later: list[str] = []
    into = first
    for line in lines_of_list(sections.get("diagnosis", "")):
        rank = _RANK.match(line)
        if rank and (rank["rank"] or rank["rest"].strip()):
            into = (
                later
                if (rank["rank"] or "")
                .lower()
                .startswith(("secondary", "other", "additional", "chronic", "inactive", "co"))
                else first
            )
            line = line[rank.end() :]
        into += _names(line)
    later += [name for line in lines_of_list(sections.get("secondary_diagnosis", "")) for name in _names(line)]
    seen: set[str] = set()
    for name in first + later:
        if name.lower() not in seen:
            seen.add(name.lower())
            yield name


def _names(line: str) -> list[str]:
    """Take one line of a diagnosis list apart; commas separate only short names ("HTN, DM2, CKD")."""
    found = []
    for part in outside_parentheses(r"\s*;\s*|(?<=[a-z)]{2})\.\s+(?=[A-Z])", line):
        pieces = _with_qualifiers(outside_parentheses(r"\s*,\s*(?:and\s+)?", part))
        listed = len(pieces) > 2 or (len(pieces) == 2 and all(_DISEASE.search(piece) for piece in pieces))
        found += pieces if listed and all(len(p.split()) <= 4 for p in pieces) else [part]
    return [
        n for name in found if (n := name.strip(" .:-=*#,")) and len(n) > 1 and BLANK not in n and not says_nothing(n)
    ]


def _with_qualifiers(pieces: list[str]) -> list[str]:
    """Give "recurrent" and "severe" back to the disease before them."""
    kept: list[str] = []
    for piece in pieces:
        if kept and _QUALIFIER.match(piece):
            kept[-1] += f", {piece}"
        else:
            kept.append(piece)
    return kept


_QUALIFIER = re.compile(
    r"(?:(?:recurrent|severe|mild|moderate|acute|chronic|resolv(?:ed|ing)|improv(?:ed|ing)|stable|unspecified|"
    r"bilateral|left|right|(?:un|well[- ]|poorly )?controlled|intermittent|persistent|type \w+|(?:stage|grade|"
    r"class) \w+|\w+ type|"
    r"in (?:partial |full )?remission)(?: (?:and|or) \w+)?$|"
    r"(?:with|without|status post|s/p|due to|secondary to|likely|probably|on|not|after|in the setting of)\b)",
    re.IGNORECASE,
)


# "Atrial fibrillation, glaucoma" are two; "pneumonia, right lower lobe" is one.
_DISEASE = re.compile(
    r"(?:itis|osis|oma|emia|uria|pathy|algia|ension|idism|thma|ation|betes|disease|disorder|failure|syndrome|"
    r"infection|injury|fracture|stroke|"
    r"bleed(?:ing)?|tumor|cancer|deficiency|[a-z]ia|delirium|gout|seizure|pain|shock|sepsis|ulcer|obesity|syncope|"
    r"flutter|arrest)s?\b|\b[A-Z]{2,}\d?\b",
)


def says_nothing(name: str) -> bool:
    """Say whether an item stands for none: "none", "as above"."""
    return (
        is_uninformative(name)
        or re.fullmatch(
            r"(?:none|as above|see above|same|"
            r"n/?a)",
            name,
            re.IGNORECASE,
        )
        is not None
    )


def procedures_in(text: str) -> Iterator[str]:
    """Yield operations and invasive procedures without their dates."""
    for line in lines_of_list(text):
        for part in outside_parentheses(r"\s*;\s*", line):
            name = _DATE_LEAD.sub("", part.strip())
            name = _DATE_TAIL.sub("", name).strip(" .:-,")
            if len(name) > 2 and not _NO_PROCEDURE.match(name) and BLANK not in name and not is_absence(name):
                yield name
