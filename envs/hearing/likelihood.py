"""What words most likely want where no cue fits them: a linear model over stems and their pairs.

Cues are written by hand and never complete. The model is learnt from the labelled utterances by
``scripts/learn_intents.py`` and asked last, so that it cannot unsettle what the table knows.
"""

import csv
import math
import re
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from bedside.envs.hearing.segments import Segment
from bedside.verifier.language.text import stem

__all__ = ["features", "likely"]

_TABLE = Path(__file__).parent.parent / "data" / "likely_intents.tsv"
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|<\w+>|\?")
_START = "^"


def features(segment: Segment) -> tuple[str, ...]:
    """Return the stems of a segment and their pairs; what it names is there by its kind only."""
    text = segment.text
    for name in segment.named:
        text = text.replace(name.surface, f" <{name.kind}> ")
    words = [_START, *(word if word[0] in "<?" else stem(word) for word in _WORD.findall(text))]
    return tuple(dict.fromkeys((*words, *(f"{a} {b}" for a, b in pairwise(words)))))


@lru_cache(maxsize=1)
def _weights() -> tuple[tuple[str, ...], dict[str, tuple[tuple[int, float], ...]]]:
    """Return the intents, and each feature's weights by the intent's place among them."""
    with _TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    by_feature = {
        row["feature"]: [(intent, float(weight)) for intent, weight in map(_pair, row["weights"].split())]
        for row in rows
    }
    intents = tuple(sorted({intent for pairs in by_feature.values() for intent, _ in pairs}))
    return intents, {
        feature: tuple((intents.index(intent), weight) for intent, weight in pairs)
        for feature, pairs in by_feature.items()
    }


def _pair(text: str) -> list[str]:
    return text.split("=")


def likely(segment: Segment) -> tuple[str, float]:
    """Return the likeliest intent of a segment and its probability (0 to 1)."""
    intents, weights = _weights()
    present = features(segment)
    scores = [0.0] * len(intents)
    for feature in present:
        for place, weight in weights.get(feature, ()):
            scores[place] += weight
    scale = 1 / math.sqrt(len(present))
    exps = [math.exp(score * scale) for score in scores]
    best = max(range(len(exps)), key=exps.__getitem__)
    return intents[best], exps[best] / sum(exps)
