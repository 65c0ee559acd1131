"""What a word is about, as a direction in a small space: "tipple" lies near "drink", "ciggies" near "smoke".

The vectors are those of all-MiniLM-L6-v2 (Apache-2.0) for single words, reduced and rounded by
``scripts/learn_words.py``; looking one up needs no model. Words that are everywhere weigh little.
"""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["DIMENSIONS", "direction"]

_TABLE = Path(__file__).parent.parent / "data" / "word_vectors.npz"

DIMENSIONS = 128
"""Length of a vector."""


@lru_cache(maxsize=1)
def _vectors() -> tuple[dict[str, int], NDArray[np.float32]]:
    with np.load(_TABLE) as table:
        words = table["words"].item().split()
        vectors = table["vectors"].astype(np.float32) * table["weights"].astype(np.float32)[:, None]
    return {word: row for row, word in enumerate(words)}, vectors


def direction(words: Iterable[str]) -> NDArray[np.float32]:
    """Return the weighted mean of the words' vectors, of length one; all zeros if no word is known."""
    place, vectors = _vectors()
    rows = [row for word in words if (row := place.get(word)) is not None]
    if not rows:
        return np.zeros(DIMENSIONS, np.float32)
    total: NDArray[np.float32] = vectors[rows].sum(axis=0)
    length = float(np.linalg.norm(total))
    return np.asarray(total / length, np.float32) if length else total
