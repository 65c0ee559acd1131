"""Instructions to the patient, as letters and lists write them, sorted into what to do, when to come back, whom to see.

The letter also tells what happened, thanks and greets; none of that is an instruction. A sentence counts only if it
is an order, a permission, or a sign on which to seek help.
"""

import re
from typing import Literal

from bedside.cases.freetext import FactList, is_uninformative
from bedside.cases.letter import lines_of, sentences_of
from bedside.cases.orders import ORDER, POLITE, add_instruction
from bedside.cases.return_signs import SEEK, add_return_signs, add_signs, urgency_of
from bedside.cases.visits import VISIT, add_appointments, add_visit, names_a_visit, visits_in

__all__ = ["add_instructions", "add_issues", "add_visits"]

_PLEASANTRY = re.compile(
    r"^\W*(?:dear\b|it (?:was|has been) (?:a|our|an)|thank you|thanks\b|sincerely|we wish|best (?:wishes|regards|"
    r"of)|your .{0,40}(?:team|care)\b.{0,20}$|"
    r"take care|good luck|wishing|with best|warm|regards|be well|congratulations|we (?:hope|are (?:happy|glad)))",
    re.IGNORECASE,
)
_STARTS_PAST = re.compile(
    r"\b(?:why|what)\b.*\b(?:was|were|did|brought|happened|done|admitted|in the hospital|here)\b|"
    r"reason for (?:your )?(?:admission|hospital)|while (?:you were|in|here)|"
    r"your hospital (?:stay|course)",
    re.IGNORECASE,
)
_STARTS_SIGNS = re.compile(
    r"\bwhen (?:should|to|do)\b.*\b(?:call|return|come|seek|worry)|danger|warning signs?|red flags?|call (?:your|"
    r"the|us|911)|\bcall\b.*\b(?:for|if|when|with)\b|return to|seek|"
    r"(?:any of )?the following|reasons to",
    re.IGNORECASE,
)
_STARTS_ORDERS = re.compile(
    r"\b(?:what|things)\b.*\bdo\b|\bat home\b|(?:home|wound|incision|self|skin|foot|drain|cast)[- ]care|activit|diet|"
    r"\bincisions?\b|driving|bathing|precautions|restrictions|^\W*(?:do|don'?t|avoid)\b",
    re.IGNORECASE,
)
_STARTS_VISITS = re.compile(r"follow[- ]?up|appointments?", re.IGNORECASE)
_MEDICINES = re.compile(r"\bmedic(?:ation|ine)s?\b", re.IGNORECASE)

Mode = Literal["any", "past", "signs", "visits", "drugs", "orders"]


def add_instructions(plan: FactList, text: str) -> None:
    """Add what a letter or list of instructions tells: return signs, visits, and things to do or avoid."""
    mode: Mode = "any"
    area = urgency = ""
    listing = False
    for line in lines_of(text):
        if line.heading:
            mode, area = _mode_of(line.text), line.text
            urgency = urgency_of(line.text) if mode == "signs" else ""
            listing = False
            continue
        if mode == "signs" and not line.bullet and (listing or _is_order(line.text)):
            mode = "any"
        listing = listing or line.bullet
        for sentence in sentences_of(line.text):
            if mode == "signs" and not SEEK.search(sentence) and not _PLEASANTRY.match(sentence):
                add_signs(plan, sentence, urgency)
            elif mode in ("past", "drugs") and not SEEK.search(sentence) and not VISIT.search(sentence):
                continue
            else:
                _add_sentence(plan, sentence, area, visits=mode == "visits", asked=mode == "orders" and line.bullet)


def add_issues(plan: FactList, text: str) -> None:
    """Add the visits among transitional issues; the rest of them is for the next doctor, not for the patient."""
    for line in lines_of(re.sub(r"^\s*\[[ xX]?\]", "-", text, flags=re.MULTILINE)):
        if names_a_visit(line.text):
            add_visit(plan, line.text)


def _is_order(line: str) -> bool:
    return POLITE.sub("", line, count=1)[:1].isupper() and ORDER.match(line) is not None


def add_visits(plan: FactList, text: str) -> None:
    """Add what a follow-up section tells; return signs and instructions stand there too."""
    for line in lines_of(add_appointments(plan, text)):
        told = line.text.rstrip(":") if line.heading and ":" not in line.text[:-1] else line.text
        for sentence in sentences_of(told):
            _add_sentence(plan, sentence, "", visits=not line.heading)


def _mode_of(heading: str) -> Mode:
    if _STARTS_PAST.search(heading):
        return "past"
    if _STARTS_SIGNS.search(heading):
        return "signs"
    if _STARTS_VISITS.search(heading):
        return "visits"
    if _MEDICINES.search(heading):
        return "drugs"
    return "orders" if _STARTS_ORDERS.search(heading) else "any"


def _add_sentence(plan: FactList, sentence: str, area: str, *, visits: bool, asked: bool = False) -> None:
    if _PLEASANTRY.match(sentence) or is_uninformative(sentence):
        return
    visit = VISIT.search(sentence) is not None
    alarm = re.search(r"\b(?:if|911|emergency)\b", sentence, re.IGNORECASE) is not None
    if SEEK.search(sentence) and (alarm or not visit):
        add_return_signs(plan, sentence)
    elif visits or visit:
        for part in visits_in(sentence):
            add_visit(plan, part)
    else:
        add_instruction(plan, sentence, area, asked=asked)
