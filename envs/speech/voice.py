"""One patient's choice of words: phrases from the table, varied without dice that others could shift."""

import csv
from functools import lru_cache
from pathlib import Path

from bedside.cases.seeds import derive_seed, stream

__all__ = ["Voice", "phrases"]

_TABLE = Path(__file__).parent.parent / "data" / "phrases.tsv"


@lru_cache(maxsize=1)
def phrases() -> dict[str, tuple[str, ...]]:
    """Return the variants of every phrase by key, read once."""
    found: dict[str, list[str]] = {}
    with _TABLE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            found.setdefault(row["key"], []).append(row["text"])
    return {key: tuple(texts) for key, texts in found.items()}


@lru_cache(maxsize=16384)
def _start(seed: int, key: str) -> int:
    return derive_seed(seed, "phrase", key)


class Voice:
    """Chooses words for one turn.

    A patient walks through the variants of a phrase from a starting point of its own, one step a turn: no
    wording comes twice in a row, and two patients seldom agree.
    """

    def __init__(self, seed: int, turn: int, attempt: int = 0) -> None:
        self.seed = seed
        self.turn = turn
        self.rng = stream(seed, "patient", turn, attempt)
        self._used: dict[str, int] = {}

    def pick(self, key: str, **slots: str) -> str:
        """Return a variant of a phrase with its slots filled.

        Raises:
            KeyError: The table has no such phrase.
        """
        variants = phrases()[key]
        step = self._used.get(key, 0)
        self._used[key] = step + 1
        text = variants[(_start(self.seed, key) + self.turn + step) % len(variants)]
        return text.format(**slots) if slots else text

    def same(self, key: str) -> str:
        """Return the turn's one variant of a phrase, however often it is asked for."""
        variants = phrases()[key]
        return variants[(_start(self.seed, key) + self.turn) % len(variants)]

    def chance(self, probability: float) -> bool:
        """Return True with a probability."""
        return self.rng.random() < probability
