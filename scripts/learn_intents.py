"""Learn the likelihood of intents from labelled doctor's utterances: ``python scripts/learn_intents.py``.

Softmax regression with a quadratic penalty, by full-batch gradient descent from zero: equal utterances give equal
bytes. Only utterances of the development split are read.
"""

import csv
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from bedside.benchmarks.understand import anybody
from bedside.envs.hearing.likelihood import features
from bedside.envs.hearing.segments import segments

ROOT = Path(__file__).parent.parent
_STEPS = 800
_RATE = 4.0
_PENALTY = 2e-4
_LEAST_COUNT = 2
_LEAST_WEIGHT = 0.15


def examples(source: Path) -> list[tuple[frozenset[str], str]]:
    """Return features and intent of every development utterance that has one intent."""
    patient = anybody()
    found = []
    with source.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            labels = {label.partition(":")[0] for label in row["intents"].split("; ")}
            if row["split"] != "dev" or len(labels) != 1:
                continue
            said = (s for sentence in segments(row["text"], patient) for s in sentence)
            found.append((frozenset(f for s in said for f in features(s)), labels.pop()))
    return found


def learn(data: list[tuple[frozenset[str], str]]) -> dict[str, dict[str, float]]:
    """Fit the weights; return those large enough to matter, by feature and intent."""
    counts: dict[str, int] = {}
    for present, _ in data:
        for feature in present:
            counts[feature] = counts.get(feature, 0) + 1
    names = sorted(f for f, count in counts.items() if count >= _LEAST_COUNT)
    place = {name: n for n, name in enumerate(names)}
    intents = sorted({intent for _, intent in data})
    x = np.zeros((len(data), len(names)))
    y = np.zeros((len(data), len(intents)))
    for row, (present, intent) in enumerate(data):
        x[row, [place[f] for f in present if f in place]] = 1 / np.sqrt(len(present))
        y[row, intents.index(intent)] = 1
    w = np.zeros((len(names), len(intents)))
    for _ in range(_STEPS):
        scores = x @ w
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        gradient = x.T @ (odds / odds.sum(axis=1, keepdims=True) - y) / len(data) + _PENALTY * w
        w -= _RATE * gradient * 10
    return {
        name: {intent: round(float(w[n, m]), 2) for m, intent in enumerate(intents) if abs(w[n, m]) >= _LEAST_WEIGHT}
        for n, name in enumerate(names)
    }


def main(
    source: Annotated[Path, typer.Option(help="Labelled utterances.")] = ROOT / "tests/data/doctor_utterances.tsv",
    out: Annotated[Path, typer.Option(help="The table to write.")] = ROOT / "envs/data/likely_intents.tsv",
) -> None:
    """Write the table of weights."""
    weights = {feature: by_intent for feature, by_intent in learn(examples(source)).items() if by_intent}
    lines = [
        f"{feature}\t{' '.join(f'{intent}={weight}' for intent, weight in by_intent.items())}"
        for feature, by_intent in weights.items()
    ]
    out.write_text("\n".join(("feature\tweights", *lines)) + "\n", encoding="utf-8")
    typer.echo(f"{len(lines)} features in {out}")


if __name__ == "__main__":
    typer.run(main)
