"""Which of the six strategies of patient education were clearly used? (DischargeSim, section 2.2; King and Hoppe 2013).

A strategy is what an educator does with words to this patient; naming it does not use it. Each has its own cues, and a
sentence may use several.
"""

import csv
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from bedside.envs.episode import Turn
from bedside.rewards.lesson import Lesson
from bedside.rewards.score import Score
from bedside.verifier.language.context import is_question
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.readability import jargon_in, jargon_of
from bedside.verifier.language.text import plain, sentences
from bedside.verifier.teaching.statement import addresses_patient

__all__ = ["STRATEGIES", "score_strategies", "strategies_in"]

STRATEGIES = ("FR", "GI", "PI", "DM", "EBC", "RE")
"""Fostering the relationship, gathering information, providing information, decision making, enabling treatment-related
behaviour, responding to emotions; names as in DischargeSim, table 1."""

_TABLE = Path(__file__).parent / "data" / "strategy_cues.tsv"
_TELLS = Pattern(r"\b(?:tell|show|say|explain)\b", re.IGNORECASE)
_ASKED_TO_TELL = Pattern(r"\btell me (?:\w+ )?(?:about|more)\b|\bhelp me understand\b", re.IGNORECASE)
_OF_PATIENT = Pattern(r"\b(?:you|your|you're|you've|you'd|yourself|home)\b", re.IGNORECASE)


@lru_cache(maxsize=1)
def _cues() -> dict[str, Pattern]:
    """Return the cues by name; ``FEELING`` in the table stands for its words of feeling."""
    found: dict[str, list[str]] = {}
    with _TABLE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            found.setdefault(row["cue"], []).append(row["pattern"])
    feeling = found.pop("feeling")[0]
    return {
        name: Pattern("|".join(patterns).replace("FEELING", feeling), re.IGNORECASE) for name, patterns in found.items()
    }


def _shows(cue: str, text: str) -> bool:
    return bool(_cues()[cue].search(text))


def strategies_in(text: str) -> dict[str, str]:
    """Return the strategies that one turn of an educator clearly uses, each with a sentence that does.

    Args:
        text: What the educator said.
    """
    found: dict[str, str] = {}
    for sentence in sentences(plain(text)):
        for name in _used(sentence.text):
            found.setdefault(name, sentence.text.strip())
    return found


def score_strategies(turns: Sequence[Turn], lesson: Lesson | None = None) -> Score:
    """Score the use of strategies (DischargeSim, table 1: education strategy).

    Args:
        turns: The encounter.
        lesson: The same, read as teaching: a plain statement of the plan provides information, whatever its words.

    Returns:
        The share of the six strategies that were used at least once; parts hold 1 or 0 for each, evidence the first
        sentence that used it.
    """
    if not any(turn.heard.strip() for turn in turns):
        return Score(value=None, reason="the educator said nothing")
    evidence: dict[str, str] = {}
    for turn in turns:
        evidence = {**strategies_in(turn.heard), **evidence}
    if lesson and "PI" not in evidence and (plainly := _plain_statement(lesson)):
        evidence["PI"] = plainly
    parts: dict[str, float | None] = {name: float(name in evidence) for name in STRATEGIES}
    evidence = {name: evidence[name] for name in STRATEGIES if name in evidence}
    return Score(value=len(evidence) / len(STRATEGIES), parts=parts, evidence=evidence)


@lru_cache(maxsize=16384)
def _used(text: str) -> tuple[str, ...]:
    asks = is_question(text)
    back = _shows("teach-back", text) and (asks or bool(_TELLS.search(text)))
    explains = not asks and _shows("explains", text) and _informs(text)
    used = {
        "FR": _shows("FR", text),
        "GI": not back and _inquires(text, asks=asks),
        "PI": back or explains or _shows("invites", text),
        "DM": _shows("DM", text),
        "EBC": _shows("EBC", text),
        "RE": _shows("RE", text),
    }
    return tuple(name for name, so in used.items() if so)


def _inquires(text: str, *, asks: bool) -> bool:
    """True for an open question about what the patient knows, fears or lives with."""
    if not asks and not _ASKED_TO_TELL.search(text):
        return False
    if _shows("not-open", text) or not _OF_PATIENT.search(text):
        return False
    return _shows("open", text) and not _shows("DM", text) and not _shows("EBC", text)


def _informs(text: str) -> bool:
    return not jargon_in(text) and addresses_patient(text)


def _plain_statement(lesson: Lesson) -> str:
    """Return a sentence that states something of the plan to this patient in plain words; empty if there is none."""
    for _, event in lesson.statements:
        said = sentences(plain(event.said))
        if event.right and re.search(r"\byou\w*\b", event.said, re.IGNORECASE) and not any(map(jargon_of, said)):
            return event.said
    return ""
