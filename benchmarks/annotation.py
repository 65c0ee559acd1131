"""Blinded annotation sheets: encounters go out without names, ratings and highlighted words come back.

Two clinicians said which of two educators they preferred and highlighted why (DischargeSim, section 3.3); physicians
rated conversations and simulated patients (DischargeBench, figures 20 to 22; VeriSim, figure A7). A sheet holds what
raters may see, and the key, kept from them, holds who spoke.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field

from bedside.cases.fact import Frozen
from bedside.cases.seeds import derive_seed, stream
from bedside.envs.episode import Episode
from bedside.rewards.score import Score

__all__ = [
    "FORMS",
    "Answer",
    "Filled",
    "Form",
    "Item",
    "Key",
    "Page",
    "Sheet",
    "Span",
    "blind",
    "judged",
    "locate",
    "numbered",
]

PREFERENCES = ("A", "B", "tie")
_LIKERT = ("1", "2", "3", "4", "5")
SIDES = ("A", "B")


class Form(NamedTuple):
    """What raters are asked.

    Attributes:
        questions: By dimension.
        answers: By dimension, what may be answered.
        paired: True when two encounters are compared.
    """

    questions: dict[str, str]
    answers: dict[str, tuple[str, ...]]
    paired: bool


def _form(questions: dict[str, str], answers: tuple[str, ...], *, paired: bool = False) -> Form:
    return Form(questions, dict.fromkeys(questions, answers), paired)


_PATIENT = {
    "truth": "Did the patient keep to the record throughout? 1 yes, 0 no",
    "realism": "How much like a real patient of this kind? 1 not at all, 5 entirely",
    "utility": "How useful for training or testing a clinician? 1 not at all, 5 very",
    "noise_fidelity": "How faithfully were the assigned barriers shown? 1 not at all, 5 exactly",
}

FORMS: dict[str, Form] = {
    "pairwise": _form(
        {
            "language_delivery": "Whose language was clearer, better ordered and less repetitive?",
            "human_centred": "Who responded better to this patient, with more empathy?",
            "content_coverage": "Who covered the plan more completely and rightly?",
            "education_strategy": "Who used strategies of teaching better?",
            "overall": "Whom would you prefer overall?",
        },
        PREFERENCES,
        paired=True,
    ),
    "conversation": _form(
        {
            "naturalness": "Does the educator sound like a person talking with this patient? 1 no, 5 entirely",
            "responsiveness": "Does the educator take up what the patient says? 1 no, 5 always",
            "clarity": "Would this patient understand it at first hearing? 1 no, 5 all of it",
            "clinical_relevance": "Is what is said right and to the point for this plan? 1 no, 5 all of it",
        },
        _LIKERT,
    ),
    "patient": Form(_PATIENT, {name: _LIKERT if name != "truth" else ("0", "1") for name in _PATIENT}, paired=False),
}
"""Forms by name: pairwise preference (DischargeSim, section 3.3), conversation quality (DischargeBench, figure 22), and
the simulated patient (DischargeBench, figure 20; VeriSim, figure A7)."""


class Item(Frozen):
    """What is rated as one: an encounter, or two of the same case; ``episodes`` stand in the order shown."""

    id: str
    episodes: tuple[Episode, ...]


class Key(Frozen):
    """What raters do not see.

    Attributes:
        form: Name of the form.
        items: In the order of the sheet.
    """

    form: Literal["pairwise", "conversation", "patient"]
    items: tuple[Item, ...]


class Answer(Frozen):
    """A rater's answer to one question; ``green`` and ``red`` quote what speaks for and against."""

    dimension: str
    question: str = ""
    rating: Annotated[str, BeforeValidator(lambda given: "" if given is None else str(given))] = ""
    green: tuple[str, ...] = ()
    red: tuple[str, ...] = ()
    comment: str = ""


class Page(Frozen):
    """One item as raters see it: an encounter under A, and one under B if two are compared."""

    item: str
    about: str = ""
    A: str = ""
    B: str = ""
    answers: tuple[Answer, ...] = Field(default=())


class Sheet(Frozen):
    """All pages for one rater."""

    form: str
    pages: tuple[Page, ...]


class Filled(NamedTuple):
    """One rating that came back; ``rating`` is a number, see :func:`numbered`."""

    item: str
    dimension: str
    rating: float


class Span(NamedTuple):
    """Words that a rater highlighted.

    Attributes:
        policy: Who is shown there.
        turn: 0 for the patient's opening, then the exchange.
        role: Who said it.
        start: First character within that text, ``end`` the one after the last.
        sign: ``green`` speaks for, ``red`` against.
    """

    item: str
    dimension: str
    policy: str
    turn: int
    role: str
    start: int
    end: int
    sign: str
    text: str


def blind(episodes: Sequence[Episode], form: str, *, count: int | None = None, seed: int = 0) -> tuple[Sheet, Key]:
    """Make a sheet and its key.

    Args:
        episodes: Encounters; for a paired form those of the same case and run are paired, policy by policy.
        form: One of :data:`FORMS`.
        count: Items to draw; all by default.
        seed: Of the draw, of the order of items and of which side a policy stands on.

    Raises:
        ValueError: There is nothing to rate or to pair.
    """
    groups: list[tuple[Episode, ...]] = [(episode,) for episode in episodes]
    if FORMS[form].paired:
        groups = [pair for pair in combinations(episodes, 2) if _comparable(*pair)]
        if not groups:
            raise ValueError("no two policies met the same case; give encounters of two policies with the same cases")
    if not groups:
        raise ValueError("there are no encounters to rate")
    rng = stream("annotation", form, seed)
    rng.shuffle(groups)
    items = []
    for group in groups[:count]:
        shown = tuple(rng.sample(group, len(group)))
        names = [f"{e.case}/{e.policy}/{e.run}/{e.seed}" for e in group]
        items.append(Item(id=f"{derive_seed('item', seed, *names) % 16**6:06x}", episodes=shown))
    key = Key.model_validate({"form": form, "items": items})
    return Sheet(form=form, pages=tuple(_page(item, form) for item in items)), key


def _comparable(one: Episode, other: Episode) -> bool:
    return (one.case, one.run) == (other.case, other.run) and one.policy != other.policy


def _page(item: Item, form: str) -> Page:
    first = item.episodes[0]
    about = f"the patient was meant to be: {first.persona.label}" if form == "patient" else ""
    texts = {side: as_text(episode) for side, episode in zip(SIDES, item.episodes, strict=False)}
    answers = tuple(Answer(dimension=name, question=asked) for name, asked in FORMS[form].questions.items())
    return Page(item=item.id, about=about, answers=answers, **texts)


def _spoken(episode: Episode) -> list[tuple[int, str, str]]:
    """Return turn, role and text of everything that was said."""
    speaker = "doctor" if episode.scope == "interview" else "educator"
    lines = [(0, "patient", episode.opening)] if episode.opening else []
    for number, turn in enumerate(episode.turns, 1):
        lines += [(number, speaker, turn.heard), (number, "patient", turn.patient)]
    return lines


def as_text(episode: Episode) -> str:
    """Return an encounter as raters read it, without the names of policies or models."""
    return "\n".join(f"{role.capitalize()}: {text}" for _, role, text in _spoken(episode))


def numbered(rating: str, item: Item, form: str) -> float:
    """Return a rating as a number.

    A preference is 1 for the policy whose name comes first in the alphabet, -1 for the other and 0 for a tie, on
    whichever side they stood; all others are the numbers that they are.
    """
    if not FORMS[form].paired:
        return float(rating)
    if rating == "tie":
        return 0.0
    chosen, other = item.episodes if rating == "A" else reversed(item.episodes)
    return 1.0 if chosen.policy < other.policy else -1.0


def locate(quote: str, sign: str, item: Item, dimension: str) -> Span | None:
    """Find highlighted words in the encounters of an item; None if they do not stand there."""
    words = re.findall(r"\S+", quote)
    if not words:
        return None
    pattern = re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE)
    for episode in item.episodes:
        for turn, role, text in _spoken(episode):
            if found := pattern.search(text):
                start, end = found.span()
                return Span(item.id, dimension, episode.policy, turn, role, start, end, sign, found.group())
    return None


_JUDGED = {
    "language_delivery": "language_delivery",
    "human_centred": "human_centred",
    "content_coverage": "content_rating",
    "education_strategy": "strategy_rating",
}
_OF_PATIENT = {
    "truth": "patient_truth",
    "realism": "patient_realism",
    "utility": "clinical_utility",
    "noise_fidelity": "noise_fidelity",
}


def judged(item: Item, form: str, scores: Sequence[Mapping[str, Score]]) -> Iterable[Filled]:
    """Return what a judge's scores say on the questions of a form; what it did not score is left out.

    Of two encounters it prefers the one that it rated higher; overall the one with the higher mean.

    Args:
        item: From the key.
        form: Its form.
        scores: Of each episode of the item, in its order.
    """
    rated = [_answers(form, of_episode) for of_episode in scores]
    if not FORMS[form].paired:
        return [Filled(item.id, name, value) for name, value in rated[0].items()]
    one, other = rated
    found = []
    for name in [name for name in one if name in other]:
        preferred = "tie" if one[name] == other[name] else "A" if one[name] > other[name] else "B"
        found.append(Filled(item.id, name, numbered(preferred, item, form)))
    return found


def _answers(form: str, scores: Mapping[str, Score]) -> dict[str, float]:
    if form == "conversation":
        parts: Mapping[str, Any] = scores["conversation_quality"].parts if "conversation_quality" in scores else {}
        return {name: value for name, value in parts.items() if value is not None}
    names = _OF_PATIENT if form == "patient" else _JUDGED
    values = {name: scores[score].value for name, score in names.items() if score in scores}
    found = {name: value for name, value in values.items() if value is not None}
    if form == "pairwise" and len(found) == len(_JUDGED):
        found["overall"] = sum(found.values()) / len(found)
    return found
