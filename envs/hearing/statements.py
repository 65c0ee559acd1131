"""What a statement does: greet, comfort, sum up, explain, advise, name a diagnosis; or ask to be confirmed."""

import re
from collections.abc import Sequence

from bedside.envs.hearing.cues import match
from bedside.envs.hearing.questions import asked_of, guessed
from bedside.envs.hearing.segments import Segment
from bedside.envs.intents import Intent

__all__ = ["ONLY_TOLD", "asks_whether", "offered", "told"]

_PRECEDENCE = (
    "greeting",
    "closing",
    "summary",
    "diagnosis_statement",
    "empathy",
    "reassurance",
    "advice",
    "explanation",
)
_OF_PATIENT = re.compile(
    r"\b(?:do|did|have|are|were|had|don't|haven't|aren't) (?:you|your|they|it|"
    r"there)\b|\byour\b"
)
_ASKS_WHETHER = re.compile(r"^\W*(?:and |so |but |now )*(?:is|are|was|were|does|did|has|had|have)\b")
ONLY_TOLD = ("empathy", "explanation", "reassurance")
"""What no question does that yes or no answers."""
_CLEAR = re.compile(r"\b(?:sense|clear|follow|understand|alright|all right|okay|ok)\b")
# These words name a diagnosis only where they are followed by one: "you have a cough" tells none.
_NAMES = re.compile(
    r"\b(?:you(?:'ve| have| may have| might have| probably have| likely have| could have| are having| seem to have| "
    r"appear to have)(?: got)?|(?:it|this|that)(?:'s| is)|i(?:'m| am) (?:worried|concerned) about)\b"
)
_NEAR = 25
_CLAUSE = re.compile(r"\s*[,;]\s*(?:and |but )?|\s+(?:and|but)\s+")
_LIST = re.compile(r"^\W*(?:so |and |okay )*(?:no|any|not|without|never)\b")
_SUMMED = 2
"""Clauses with a fact in them that make a statement a summary."""
_FACT = "\N{BULLET}"
_GENERIC = re.compile(
    r"^\W*(?:an?|the|your|these|this|most|some|[a-z]+s)? ?(?:[\w'-]+ ){1,4}?"
    r"(?:is|are|means?|makes?|helps?|works?|happens?|keeps?|lets?|can|cause[sd]?|comes?|don't|doesn't)\b"
)


def told(segments: Sequence[Segment]) -> list[Intent]:
    """Return the intents of the statements of one sentence.

    A statement about the patient asks for its confirmation: of one fact as that fact, of more as a summary.
    """
    deeds = [deed for segment in segments for deed in _deeds(segment)]
    if any(deed.name == "summary" for deed in deeds) or (not deeds and _sums_up(segments)):
        return [Intent("summary", asked=False)]
    if deeds := deeds or [name for segment in segments for name in _diagnosed(segment)]:
        return deeds
    confirmed = [i for s in segments if s.confirms for i in asked_of(s) or (guessed(s) if s.tagged else [])]
    return confirmed or _explained(segments)


def offered(segment: Segment) -> list[Intent]:
    """Return what a statement in the dress of a question does: "can we draw some blood?".

    "Is it hard for you to speak?" does not comfort, and "is the wall inside your nose crooked?" does not explain.
    """
    if _OF_PATIENT.search(segment.text):
        return []
    return [deed for deed in _deeds(segment) if not (asks_whether(segment) and deed.name in ONLY_TOLD)]


def asks_whether(segment: Segment) -> bool:
    """True for a question that yes or no answers, other than whether all is clear so far."""
    return bool(segment.asked and _ASKS_WHETHER.match(segment.text) and not _CLEAR.search(segment.text))


def _deeds(segment: Segment) -> list[Intent]:
    """The most telling deed of a clause, for one clause does one thing."""
    names = match(segment.text, "talk")
    conditions = segment.of("condition")
    if segment.tagged:
        names = {name: at for name, at in names.items() if name == "summary"}
    if "advice" in names and not conditions:
        names.pop("diagnosis_statement", None)
    if "reassurance" in names and not conditions:
        names.pop("diagnosis_statement", None)
    name = next((name for name in _PRECEDENCE if name in names), None)
    if name == "advice" and "exam" in match(segment.text, "topic"):
        return [Intent("other", concept="topic:exam", asked=False)]
    if name is None:
        return []
    target = conditions[0] if name == "diagnosis_statement" and conditions else None
    return [Intent(name, target.surface if target else None, target.concept if target else None, asked=False)]


def _diagnosed(segment: Segment) -> list[Intent]:
    """A condition right after "you have" or "it's" is a diagnosis, unless a tag asks whether that is so."""
    lead = _NAMES.search(segment.text)
    named = segment.of("condition")
    if segment.tagged or lead is None or not named:
        return []
    near = 0 <= segment.text.find(named[0].surface) - lead.end() <= _NEAR
    return [Intent("diagnosis_statement", named[0].surface, named[0].concept, asked=False)] if near else []


def _sums_up(segments: Sequence[Segment]) -> bool:
    text = " , ".join(segment.text for segment in segments)
    if _LIST.match(text):
        return False
    words = len(text.split())
    # A name may hold what else parts two clauses: "weak, heavy legs", "pain in my back and legs".
    for surface in sorted({name.surface for segment in segments for name in segment.named}, key=len, reverse=True):
        text = text.replace(surface, _FACT)
    with_fact = sum(_FACT in clause or bool(match(clause, "ask")) for clause in _CLAUSE.split(text))
    return with_fact >= _SUMMED and words > _SUMMED + 4


def _explained(segments: Sequence[Segment]) -> list[Intent]:
    """A general truth about something medical explains it."""
    medical = any(segment.named for segment in segments) and not any(segment.confirms for segment in segments)
    return [Intent("explanation", asked=False)] if medical and _GENERIC.match(segments[0].text) else []
