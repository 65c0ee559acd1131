"""Lines of a medication list: name, dose, route, frequency and reason, as hospitals and people write them."""

import re
from typing import NamedTuple

__all__ = ["Drug", "read_drug"]

_DOSE = re.compile(
    r"\d[\d.,]*(?:\s?-\s?\d[\d.,]*)?\s?"
    r"(?:mg|mcg|g|grams?|units?|ml|meq|%|puffs?|tab(?:let)?s?|cap(?:sule)?s?|drops?|patch(?:es)?)(?![a-z])(?:/\w+)?",
    re.IGNORECASE,
)
_ROUTE = re.compile(
    r"\b(?:PO|IV|IM|IH|SC|SQ|SUBCUT|SL|PR|TP|TD|NU|by mouth|orally|oral|inhal(?:ed|ation)|topical(?:ly)?|"
    r"subcutaneous(?:ly)?)\b",
    re.IGNORECASE,
)
_FREQUENCY = re.compile(
    r"\b(?:(?:once|twice|three times|four times|\d times) (?:a|per) (?:day|week)|(?:once |twice )?daily|"
    r"every \w+(?: (?:hours?|days?|morning|evening|night))?|at bedtime|weekly|BID|TID|QID|QHS|QAM|QPM|QD|"
    r"Q\d+(?:-\d+)?H(?::?\s?PRN)?|as needed|PRN)\b",
    re.IGNORECASE,
)
_PURPOSE = re.compile(
    r"(?:\bPRN|\bfor)[: ]+(?!(?:the (?:past|last)|about|over)\b|\d|\w+ (?:years?|months?|weeks?|days?)\b)"
    r"([a-z][a-z /-]{2,40})",
    re.IGNORECASE,
)
# Where the name must have ended: the label of the old style, punctuation, a redaction, a reason, a time.
_END = re.compile(r"\bSig:|[,:(]|\s-\s|_{3}| for | since | over | approximately | about |\s\d+ \w+ ago")


class Drug(NamedTuple):
    """What a line says of a drug; None where it says nothing."""

    name: str
    dose: str | None
    route: str | None
    frequency: str | None
    purpose: str | None


def read_drug(line: str) -> Drug:
    """Take one line apart; the name is empty if the line begins with something else.

    A form that leads the name ("oral contraceptive") belongs to it and is no route.
    """
    text = " ".join(line.split())
    marks = [match for pattern in (_DOSE, _ROUTE, _FREQUENCY) if (match := pattern.search(text, pos=1))]
    end = min((match.start() for match in marks if match.start() > 0), default=len(text))
    name = _END.split(text[:end])[0].strip(" -.")
    rest = text[len(name) :]
    found = [match and match[0].strip() for match in (p.search(rest) for p in (_DOSE, _ROUTE, _FREQUENCY))]
    purpose = _PURPOSE.search(rest)
    return Drug(name, found[0], found[1], found[2], purpose and purpose[1].strip().lower())
