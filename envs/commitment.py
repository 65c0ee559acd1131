"""Does the doctor commit to a diagnosis with these words?

The convention is "Final Diagnosis: NAME", and models keep it in their own ways: as a heading with the name a line
below, in JSON, with "is", a dash or a bracket in between. They also speak of the final diagnosis that they do not have
yet, or repeat the instruction; that ends no interview. What the name is worth is for the score to say.
"""

import re

__all__ = ["committed_diagnosis"]

# "The final diagnosis needs tests" has no sign between label and name; "final diagnosis is", ":" or a new line is one.
_LABEL = re.compile(
    r"[\"']?\bfinal[ _-]?(?:diagnosis|dx|answer)\b[\"']?"
    r"(?:\s*\([^)\n]{1,60}\))?"
    r"(?:\s*(?::|=|-+>|→|—|–|-|\.{2,})|\s+(?:is|would be|remains|here is)\b\s*:?|\s*\n)+\s*",
    re.IGNORECASE,
)
_NAME = re.compile(r"[^\n]+")
_LIST_MARK = re.compile(r"^\s*(?:[-•*]|\(?1[.)])\s+")
_NUMBERED = re.compile(r"^\s*\(?1[.)]\s+(.*?)[\s,;]+\(?2[.)]\s.*$")
"""A numbered list on one line: its first entry is the answer."""

_EDGES = " \t*_\"'`.:,;{}[]→>"
# Not yet: what follows the label puts it off, asks, declines or repeats the instruction.
_OPEN = re.compile(
    r"^(?:(?:still |yet |currently |at this (?:time|point) )*(?:pending|unclear|uncertain|unknown|undetermined|open|"
    r"tbd|n/?a|none|not (?:yet|clear|certain|possible|determined|established|available|made|known))\b"
    r"|(?:i|we) (?:need|would|will|must|have to|cannot|can't|can not|am|are|do not|don't|want)\b"
    r"|(?:to be|once|when|after|until|if|based on what|let me|please|cannot|can't|unable|requires?|needs?|"
    r"something that|(?:only )?possible)\b"
    r"|[\[(<{](?:the |your |a |insert |name )?(?:name|condition|diagnosis|disease|answer|illness|disorder|x|\.\.\.|…)"
    r"|(?:the )?name of (?:the|your|one)\b|_{3,}|\.\.\.|…)",
    re.IGNORECASE,
)
_INSTRUCTED = re.compile(
    r"\b(?:say|write|answer with|respond with|reply with|state|format|line|label|words)\b[^.!?\n]{0,30}$", re.IGNORECASE
)
# On the last turn, when the answer is asked for, other ways to put it count.
_OTHERWISE = re.compile(
    r"\b(?:(?:diagnosis|diagnoses|dx|impression|assessment|conclusion|cause|culprit)\s*(?:is|would be|:|=)"
    r"|(?:you|(?:the|this) patient|he|she) (?:(?:most |very )?(?:likely|probably) |may |might |could |appears? to |"
    r"seems? to )?(?:have|has|is having|are having|suffers? from)\b"
    r"|(?:consistent with|suggestive of|points? to(?:ward)?|indicat(?:es|ive of)|suggests?|suspect|suspicious for|"
    r"most likely|i (?:think|believe) (?:it|this) is)\b)",
    re.IGNORECASE,
)
_SHORT = 15


def committed_diagnosis(heard: str, *, asked: bool) -> str | None:
    """Return the diagnosis that a doctor commits to.

    Args:
        heard: The doctor's words.
        asked: True when the request was for the diagnosis; then an answer without the label counts too.

    Returns:
        What stands after the last label, else, when asked, the answer; None if the doctor does not commit.
    """
    for label in reversed(list(_LABEL.finditer(heard))):
        if name := _named(heard, label):
            return name
    if not asked:
        return None
    told = " ".join(s for s in re.split(r"(?<=[.!?])\s+", heard) if not s.rstrip().endswith("?")).strip(_EDGES)
    brief = "?" not in heard and len(heard.split()) <= _SHORT
    return told if told and not _OPEN.match(told) and (brief or _OTHERWISE.search(told)) else None


def _named(heard: str, label: re.Match[str]) -> str | None:
    if _INSTRUCTED.search(heard[: label.start()]):
        return None
    line = _NAME.match(heard, label.end())
    name = _LIST_MARK.sub("", _NUMBERED.sub(r"\1", line.group())).strip(_EDGES) if line else ""
    if not re.search(r"\w", name) or _OPEN.match(name) or name.endswith("?"):
        return None
    return name
