"""What words most likely want: a linear model over words, pieces of words and their meaning.

Cues are written by hand and never complete. The model is learnt from labelled utterances by
``scripts/learn_intents.py``; where a cue fits, it is overruled only if it is much less likely than something else.
"""

import re
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bedside.envs.hearing.meaning import DIMENSIONS, direction
from bedside.envs.hearing.segments import Segment
from bedside.verifier.language.text import stem

__all__ = ["Heard", "likelihoods", "pieces"]

_TABLE = Path(__file__).parent.parent / "data" / "likely_intents.npz"
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|<\w+>|\?")
_PLAIN = re.compile(r"[a-z]+(?:'[a-z]+)?")
_START = "^"
_SHORTEST, _LONGEST = 3, 4

Heard = tuple[tuple[str, ...], NDArray[np.float32]]
"""The pieces of a stretch of speech, and the direction of its words."""


def pieces(*said: Segment) -> Heard:
    """Return what the model looks at.

    Args:
        said: One segment, or all of an utterance.

    Returns:
        Stems, their pairs with and without a word between, letter sequences, and what is named by its kind and by its
        words; and the direction of the meaning.
    """
    found: dict[str, None] = {}
    for segment in said:
        found.update(dict.fromkeys(_of(segment)))
    return tuple(found), direction(word for segment in said for word in _PLAIN.findall(segment.text))


def _of(segment: Segment) -> list[str]:
    text = segment.text
    for name in segment.named:
        text = text.replace(name.surface, f" <{name.kind}> ")
    words = [_START, *(word if word[0] in "<?" else stem(word) for word in _WORD.findall(text))]
    pairs = [f"{a} {b}" for a, b in pairwise(words)]
    apart = [f"{a} _ {b}" for a, b in zip(words, words[2:], strict=False)]
    named = [f"={word}" for name in segment.named for word in (name.surface, *name.surface.split())]
    letters = [
        f"#{spelt[at : at + length]}"
        for word in _PLAIN.findall(text)
        for spelt in (f"_{word}_",)
        for length in range(_SHORTEST, _LONGEST + 1)
        for at in range(len(spelt) - length + 1)
    ]
    return [*words, *pairs, *apart, *named, *letters]


class _Model:
    """Weights by piece and by dimension of meaning, one column an intent."""

    def __init__(self) -> None:
        with np.load(_TABLE) as table:
            self.intents: tuple[str, ...] = tuple(table["intents"].item().split())
            self.place = {piece: row for row, piece in enumerate(table["pieces"].item().split("\n"))}
            self.weights: NDArray[np.float32] = table["weights"].astype(np.float32) * np.float32(table["scale"])

    def scores(self, heard: Heard) -> NDArray[np.float32]:
        found, meant = heard
        rows = [row for piece in found if (row := self.place.get(piece)) is not None]
        worded = self.weights[rows].sum(axis=0) / np.sqrt(np.float32(max(1, len(found))))
        total: NDArray[np.float32] = worded + meant @ self.weights[-DIMENSIONS:]
        return total


@lru_cache(maxsize=1)
def _model() -> _Model:
    return _Model()


def likelihoods(*said: Segment) -> dict[str, float]:
    """Return the log probability of every intent."""
    model = _model()
    scores = model.scores(pieces(*said)).astype(np.float64)
    scores -= scores.max()
    scores -= np.log(np.exp(scores).sum())
    return dict(zip(model.intents, scores.tolist(), strict=True))
