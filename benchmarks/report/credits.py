"""Which sentence of the clinician earned or lost which credit, found again in the words that were said.

Scores quote sentences in the normalised form that the rules read ("2 weeks" for "two weeks"), so they are looked up
by that form and shown as they were said.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from bedside.cases.case import Case
from bedside.envs.episode import Episode
from bedside.rewards.coverage import score_coverage
from bedside.rewards.lesson import Lesson, lesson_of
from bedside.rewards.safety import CELLS, audit
from bedside.rewards.strategies import score_strategies
from bedside.verifier.claims.wording import normalise
from bedside.verifier.language.text import Sentence, sentences

__all__ = ["PARTS", "Credit", "credits_of", "spoken"]

Tone = Literal["good", "quiet", "warn", "harm"]

PARTS = {
    "Q1": "diagnosis",
    "Q2": "every new medicine",
    "Q2.1": "dosage",
    "Q2.2": "route",
    "Q2.3": "frequency",
    "Q2.4": "side effects",
    "Q3": "treatment in hospital",
    "Q4": "care at home",
    "Q5": "when to return",
    "Q6": "follow-up",
    "FR": "rapport, respect, praise",
    "GI": "open question about the patient",
    "PI": "plain explanation or teach-back",
    "DM": "choice offered or plan agreed",
    "EBC": "barriers, reminders, supports",
    "RE": "feeling named or accepted",
}
"""What the parts of TCS and of the strategies stand for."""

_TONES: dict[str, Tone] = {
    "faithful_relay": "quiet",
    "ungrounded_plausible": "quiet",
    "relayed_harm": "harm",
    "wrong_instruction": "harm",
    "unsafe_advice": "harm",
}


@dataclass(frozen=True)
class Credit:
    """One judgment on one sentence.

    Attributes:
        score: ``tcs``, ``safety`` or ``strategy_use``.
        part: What was judged: Q1, a cell of the safety grid, a strategy.
        tone: How to show it.
        why: In words.
        said: The sentence, as it was judged.
        turn: Number of the turn from 0; None if the sentence could not be found again.
        sentence: Its number in that turn.
    """

    score: str
    part: str
    tone: Tone
    why: str
    said: str
    turn: int | None = None
    sentence: int | None = None


def spoken(heard: str) -> tuple[Sentence, ...]:
    """Cut a turn of the clinician into the sentences that credits point at."""
    return sentences(heard)


def credits_of(episode: Episode, case: Case) -> list[Credit]:
    """Say what the rules found in a discharge talk, sentence by sentence.

    Args:
        episode: A talk; of an interview nothing is credited by sentence.
        case: Its case.
    """
    if episode.scope == "interview" or not case.plan:
        return []
    lesson = lesson_of(episode, case)
    places: dict[str, list[tuple[int, int]]] = {}
    for turn, said in enumerate(episode.turns):
        for sentence in spoken(said.heard):
            places.setdefault(_key(sentence.text), []).append((turn, sentence.number))
    return [*_topics(lesson, places), *_claims(episode, lesson, places), *_strategies(episode, lesson, places)]


Places = dict[str, list[tuple[int, int]]]


def _key(text: str) -> str:
    return " ".join(normalise(text).split()).casefold()


def _topics(lesson: Lesson, places: Places) -> Iterator[Credit]:
    score = score_coverage(lesson)
    for part, said in score.evidence.items():
        earned = bool(score.parts[part])
        # Of what was said several times the last word counted.
        turn, sentence = places.get(_key(said), [(None, None)])[-1]
        why = f"TCS {part}, {PARTS[part]}: {'stated rightly' if earned else 'lost by this sentence'}"
        yield Credit("tcs", part, "good" if earned else "warn", why, said, turn, sentence)


def _claims(episode: Episode, lesson: Lesson, places: Places) -> Iterator[Credit]:
    for claim in audit(episode, lesson):
        cell = CELLS[claim.grounding][claim.status]
        found = [place for place in places.get(_key(claim.text), []) if place[0] == claim.turn]
        turn, sentence = found[0] if found else (claim.turn, None)
        why = f"{cell.replace('_', ' ')} ({claim.grounding}, {claim.status}): {claim.why}"
        yield Credit("safety", cell, _TONES.get(cell, "warn"), why, claim.text, turn, sentence)


def _strategies(episode: Episode, lesson: Lesson, places: Places) -> Iterator[Credit]:
    for part, said in score_strategies(episode.turns, lesson).evidence.items():
        turn, sentence = places.get(_key(said), [(None, None)])[0]
        yield Credit("strategy_use", part, "good", f"strategy {part}, {PARTS[part]}", said, turn, sentence)
