"""One patient's way of speaking: habits drawn once, and a choice of words that does not repeat itself.

Two patients with the same facts should not sound alike, and one patient should not say the same sentence twice in
a talk. So every phrase of the table has an order of its own for each patient, and the voice remembers how far it
has gone.
"""

import csv
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from bedside.cases.seeds import stream

__all__ = ["Habits", "Voice", "habits_of", "phrases"]

_TABLES = tuple(Path(__file__).parent.parent / "data" / name for name in ("phrases.tsv", "talk.tsv"))
_FILLERS = ("Um", "Uh", "Er", "Hmm")
_HEDGES = (", I think", ", I guess", ", I suppose")
_SMALL = ("kind of", "sort of", "like,", "just")
_NOTHING: Mapping[str, int] = {}
_BRIEF = 3
"""Words that a third of the turns in recorded consultations have at most."""


class Habits(NamedTuple):
    """What stays the same in how somebody talks.

    Attributes:
        fillers: The sounds that this person fills a pause with, the usual one first.
        small: The small word that slips in most.
        hedge: How a statement trails off.
        length: Below 0 for somebody of few words, above for somebody of many.
        filling: Factor on the rate of fillers.
        stumbling: Factor on the rate of repeated words.
        hedging: Factor on the rate of small words and trailing ends.
    """

    fillers: tuple[str, str]
    small: str
    hedge: str
    length: float
    filling: float
    stumbling: float
    hedging: float


@lru_cache(maxsize=4096)
def habits_of(seed: int) -> Habits:
    """Return how the patient of a seed talks."""
    rng = stream(seed, "habits")
    first, second, *_ = rng.sample(_FILLERS, 4)
    return Habits(
        fillers=(first, second),
        small=rng.choice(_SMALL),
        hedge=rng.choice(_HEDGES),
        length=rng.uniform(-1.4, 0.9),
        filling=rng.uniform(0.5, 1.5),
        stumbling=rng.uniform(0.3, 1.7),
        hedging=rng.uniform(0.3, 1.7),
    )


@lru_cache(maxsize=1)
def phrases() -> dict[str, tuple[str, ...]]:
    """Return the variants of every phrase by key, read once."""
    found: dict[str, list[str]] = {}
    for table in _TABLES:
        with table.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                found.setdefault(row["key"], []).append(row["text"])
    return {key: tuple(texts) for key, texts in found.items()}


@lru_cache(maxsize=65536)
def _ordered(seed: int, key: str) -> tuple[str, ...]:
    """The variants of a phrase in this patient's order: those that suit its length come early."""
    variants = phrases()[key]
    longest = max(len(text) for text in variants)
    length = habits_of(seed).length
    rng = stream(seed, "phrase", key)
    return tuple(sorted(variants, key=lambda text: rng.random() - 0.7 * length * len(text) / longest))


class Voice:
    """Chooses words for one turn.

    Args:
        seed: Whose voice it is.
        turn: Number of the turn; with ``attempt`` it seeds the dice.
        attempt: Number of the draft.
        said: How often each phrase has been used in this talk.
        usual: How often the usual name is chosen for what has several.
        curt: How often a closed question gets its bare answer and nothing else.
    """

    def __init__(
        self,
        seed: int,
        turn: int,
        attempt: int = 0,
        said: Mapping[str, int] = _NOTHING,
        usual: float = 0.5,
        curt: float = 0.0,
    ) -> None:
        self.seed = seed
        self.rng = stream(seed, "patient", turn, attempt)
        self.habits = habits_of(seed)
        self.used: dict[str, int] = {}
        self._said = said
        self.usual = usual
        # Of its own, so that who answers in few words is not otherwise another patient.
        self.curt = stream(seed, "curt", turn).random() < curt

    def answer(self, key: str, **slots: str) -> str:
        """Return a phrase that answers: in a curt turn what fills its slot, or one of its variants of few words."""
        if not self.curt:
            return self.pick(key, **slots)
        if slots:
            return slots["x"]
        brief = [text for text in _ordered(self.seed, key) if len(text.split()) <= _BRIEF]
        if not brief:
            return self.pick(key)
        step = self.used.get(key, 0)
        self.used[key] = step + 1
        return brief[(self._said.get(key, 0) + step) % len(brief)]

    def pick(self, key: str, **slots: str) -> str:
        """Return the next variant of a phrase with its slots filled; none comes again before all were used.

        Raises:
            KeyError: The table has no such phrase.
        """
        variants = _ordered(self.seed, key)
        step = self.used.get(key, 0)
        self.used[key] = step + 1
        text = variants[(self._said.get(key, 0) + step) % len(variants)]
        return text.format(**slots) if slots else text

    def same(self, key: str) -> str:
        """Return the turn's one variant of a phrase, however often it is asked for."""
        variants = _ordered(self.seed, key)
        self.used[key] = 1
        return variants[self._said.get(key, 0) % len(variants)]

    def chance(self, probability: float) -> bool:
        """Return True with a probability."""
        return self.rng.random() < probability
