"""The Simulated Comprehension Score: what can the patient tell afterwards, unprompted? (DischargeBench, table 6).

Six open questions, each graded against the plan. An answer may be a sentence ("I take apixaban, 5 mg") or a bare list:
it answers a question, so it is read in that question's frame. What the patient says not to know earns nothing.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from bedside.cases.case import Case
from bedside.cases.fact import AnyFact, FollowUp, Instruction, Medication, ReturnSign
from bedside.envs.episode import Recollection
from bedside.rewards.score import Score
from bedside.verifier.claims.extraction import extract_claims
from bedside.verifier.grounding import GroundedCase, ground
from bedside.verifier.language.text import plain, tokenize
from bedside.verifier.teaching.conveyed import read_teaching
from bedside.verifier.teaching.phrases import bag_of, coverage, phrase_of

__all__ = ["AREAS", "Heard", "applicable_areas", "hear_answer", "score_recall"]

AREAS = ("diagnosis", "treatments", "post_discharge", "follow_up", "return_signs", "medications")
"""The areas of the six questions, in the order of table 6."""

_FULL = 0.75
"""Share of the essentials that makes an answer correct: all of up to three, three of four, six of eight."""

_SOME = 0.2
_RELATED = 0.34
_FRAMES = {
    "diagnosis": "You were in the hospital because of",
    "treatments": "In the hospital you were given and had",
    "post_discharge": "At home you should do this",
    "follow_up": "You will go to see",
    "return_signs": "Come back to the hospital right away for",
    "medications": "You take",
}
_LISTED = ("treatments", "post_discharge", "return_signs")
"""Areas whose answers are lists of phrases; a comma may end an item there."""

_PIECE = re.compile(r"[.!?]+(?=\s|$)|[;\n]+|(?:,|(?<![^\S\n]))\s++(?:\bbut\b\s+|\bthough\b\s*)")
_ITEM = re.compile(r",\s*(?:and\s+|or\s+)?|(?<!\s)\s++and\s+(?=(?:to|no|not|do|don't|avoid|keep|take|if|when|i|my)\b)")
_BULLET = re.compile(r"^\s*(?:[-*•]+|\(?\d+[.):](?=\s))\s*")
_DISCLAIMS = re.compile(
    r"\b(?:(?:don't|do not|didn't|can't|cannot|couldn't|not) (?:really |quite |exactly )?(?:know|"
    r"remember|recall|sure|certain|think of)|"
    r"no (?:idea|clue)|forgot|forget (?:what|which|the|how)|(?:nobody|no one|never) (?:told|said|explained)|"
    r"(?:wasn't|was not|weren't) (?:told|explained)|drawing a blank)\b",
    re.IGNORECASE,
)
_PERSON = (
    (r"\bI'm\b", "you're"),
    (r"\bI am\b", "you are"),
    (r"\bI was\b", "you were"),
    (r"\bI(?='|\b)", "you"),
    (r"\bme\b", "you"),
    (r"\bmy\b", "your"),
    (r"\bmyself\b", "yourself"),
)
_ALL_ORAL = re.compile(
    r"\ball\b[^.]{0,40}\b(?:by mouth|pills|tablets|swallow\w*)\b|\b(?:by mouth|pills)\b[^.]{0,20}\ball\b",
    re.IGNORECASE,
)


class Heard(NamedTuple):
    """What an answer says of the plan's items: rightly, wrongly; and what it adds that is not true."""

    right: frozenset[str]
    wrong: frozenset[str]
    invented: int


def score_recall(recall: Sequence[Recollection], case: Case) -> Score:
    """Grade the free answers (DischargeBench, table 6).

    Args:
        recall: The patient's answers; blank ones are unscored.
        case: Whose plan they should tell.

    Returns:
        The mean grade over the areas that apply to the case; parts hold the grade of each area, 1, 0.5 or 0, and None
        for areas that do not apply or were not answered. Evidence holds the answers.
    """
    if not case.plan:
        return Score(value=None, reason="the case has no discharge plan")
    if not recall:
        return Score(value=None, reason="no recall question was asked")
    answers = {answer.area: answer.text for answer in recall}
    grounded = ground(case, "discharge")
    parts: dict[str, float | None] = {}
    for area in AREAS:
        essentials, text = _essentials(area, case), answers.get(area, "")
        parts[area] = _grade(area, text, essentials, grounded) if essentials and text.strip() else None
    grades = [grade for grade in parts.values() if grade is not None]
    if not grades:
        return Score(value=None, reason="no recall question was answered", parts=parts)
    evidence = {area: answers[area] for area in AREAS if parts[area] is not None}
    return Score(value=sum(grades) / len(grades), parts=parts, evidence=evidence)


def applicable_areas(case: Case) -> tuple[str, ...]:
    """Return the areas that a case's plan has an answer to."""
    return tuple(area for area in AREAS if _essentials(area, case))


def _essentials(area: str, case: Case) -> tuple[AnyFact, ...]:
    plan = case.plan
    match area:
        case "diagnosis":
            return tuple(fact for fact in plan if fact.kind == "condition")[:1]
        case "treatments":
            # A test is no treatment; it stands in only where nothing else was done.
            done = tuple(fact for fact in plan if fact.kind in ("procedure", "treatment"))
            return done or tuple(fact for fact in plan if fact.kind == "test")
        case "post_discharge":
            return tuple(fact for fact in plan if isinstance(fact, Instruction))
        case "follow_up":
            return tuple(fact for fact in plan if isinstance(fact, FollowUp))
        case "return_signs":
            return tuple(fact for fact in plan if isinstance(fact, ReturnSign) and fact.urgency != "clinic")
        case _:
            return tuple(fact for fact in plan if isinstance(fact, Medication) and fact.change != "stopped")


def _grade(area: str, text: str, essentials: tuple[AnyFact, ...], grounded: GroundedCase) -> float:
    heard = hear_answer(area, text, grounded)
    earned = [_credit(fact, heard, grounded.case) for fact in essentials]
    share = sum(earned) / len(earned)
    false = heard.invented + sum(any(_of(item, fact) for item in heard.wrong) for fact in grounded.case.plan)
    if false > sum(credit > 0 for credit in earned):
        return 0.0
    if share >= _FULL and not false:
        return 1.0
    if share >= _SOME or (area == "diagnosis" and _related(text, grounded)):
        return 0.5
    return 0.0


def _of(item: str, fact: AnyFact) -> bool:
    return item.partition(".")[0] == fact.id


def _credit(fact: AnyFact, heard: Heard, case: Case) -> float:
    """Return how much of one essential was told; a drug is its name, dose and route (table 6, question 6)."""
    if fact.id not in heard.right:
        return 0.0
    if isinstance(fact, FollowUp):
        return float(f"{fact.id}.when" not in heard.wrong)
    if not isinstance(fact, Medication):
        return 1.0
    wanted = [fact.id] + [key for name in ("dose", "route") if (key := f"{fact.id}.{name}") in case.plan_items]
    return sum(item in heard.right for item in wanted) / len(wanted)


@lru_cache(maxsize=8192)
def hear_answer(area: str, text: str, grounded: GroundedCase) -> Heard:
    """Read a free answer in the frame of its question; the untaught patient gives the same ones before every talk.

    Args:
        area: One of :data:`AREAS`.
        text: The answer, sentences or a bare list.
        grounded: The case.
    """
    pieces = list(_pieces(text))
    readings = [_framed(area, pieces)]
    if area in _LISTED:
        readings.append(_framed(area, [item for piece in pieces for item in _ITEM.split(piece) if item.strip()]))
    right: set[str] = set()
    wrong: set[str] = set()
    for framed in readings:
        reading = read_teaching(framed, grounded)
        last = {event.item: event.right for event in reading.events}
        right |= {item for item, agrees in last.items() if agrees}
        wrong |= {item for item, agrees in last.items() if not agrees}
    if area == "medications" and any(_ALL_ORAL.search(piece) for piece in pieces):
        right |= {f"{g.fact.id}.route" for g in grounded.plan if isinstance(g.fact, Medication) and _oral(g.fact)}
    spoken = ". ".join(pieces)
    return Heard(frozenset(right), frozenset(wrong - right), _invented(area, spoken, grounded))


def _oral(fact: Medication) -> bool:
    return "mouth" in (fact.route or "")


def _pieces(text: str) -> Iterator[str]:
    """Cut an answer into what it asserts, said to the patient instead of by the patient."""
    for piece in _PIECE.split(plain(text)):
        piece = _BULLET.sub("", piece).strip(" ,")
        if not piece or _DISCLAIMS.search(piece):
            continue
        for pattern, instead in _PERSON:
            piece = re.sub(pattern, instead, piece, flags=re.IGNORECASE if instead == "your" else 0)
        yield piece


def _framed(area: str, pieces: list[str]) -> str:
    return "\n".join(f"{_FRAMES[area]}: {piece}." for piece in pieces)


def _invented(area: str, spoken: str, grounded: GroundedCase) -> int:
    """Count illnesses or drugs that the answer adds and that neither plan nor record knows."""
    kinds = {"diagnosis": ("condition",), "medications": ("medication",)}.get(area)
    if not kinds:
        return 0
    true = {concept for known in grounded.record for concept in (known.concept, *known.broader)}
    added = {
        claim.concept
        for claim in extract_claims(spoken, grounded)
        if claim.kind in kinds and not claim.denied and claim.experiencer == "patient"
        if true.isdisjoint((*grounded.broader(claim.concept), *claim.attributes.get("also", "").split()))
    }
    return len(added)


def _related(text: str, grounded: GroundedCase) -> bool:
    """True when an answer names the diagnosis in part or too broadly ("a heart problem" for a heart attack)."""
    main = next(known for known in grounded.plan if known.fact.kind == "condition")
    spoken = ". ".join(_pieces(text))
    tokens = tokenize(spoken)
    named = {concept for mention in grounded.find(tokens) for concept in mention.concepts}
    bag = bag_of(spoken, tokens, frozenset())
    share = max(coverage(phrase_of(wording), bag) for wording in (main.fact.text, *main.fact.lay))
    return bool(named & main.broader) or share >= _RELATED
