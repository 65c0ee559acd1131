"""Learn the likelihood of intents from labelled doctor's utterances: ``python scripts/learn_intents.py``.

Softmax regression with a quadratic penalty. Only utterances of the development split are read.
"""

import csv
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import typer
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, hstack

from bedside.benchmarks.understand import anybody
from bedside.envs.hearing.likelihood import Heard, pieces
from bedside.envs.hearing.segments import segments
from bedside.envs.hearing.spelling import corrected

ROOT = Path(__file__).parent.parent
_STEPS = 150
_PENALTY = 1e-5
_LEAST_COUNT = 2


class _Fitted(NamedTuple):
    pieces: list[str]
    intents: list[str]
    weights: np.ndarray


def examples(source: Path) -> list[tuple[Heard, str]]:
    """Return what is heard and its intent: development utterances with one intent, and segments that have one each."""
    patient = anybody()
    found = []
    with source.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["split"] != "dev":
                continue
            labels = [label.partition(":")[0] for label in row["intents"].split("; ")]
            said = [s for sentence in segments(corrected(row["text"], patient.lexicon), patient) for s in sentence]
            if len(set(labels)) == 1:
                found.append((pieces(*said), labels[0]))
            elif len(labels) == len(said):
                found += [(pieces(segment), label) for segment, label in zip(said, labels, strict=True)]
    return found


def learn(data: Sequence[tuple[Heard, str]]) -> _Fitted:
    """Fit weights for the pieces that come more than once, and for the meaning."""
    counts = Counter(piece for (found, _), _ in data for piece in found)
    names = sorted(piece for piece, count in counts.items() if count >= _LEAST_COUNT)
    intents = sorted({intent for _, intent in data})
    x = _matrix([heard for heard, _ in data], names)
    wanted = np.array([intents.index(intent) for _, intent in data])
    rows = np.arange(len(data))

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        weights = flat.reshape(-1, len(intents))
        scores = x @ weights
        scores -= scores.max(axis=1, keepdims=True)
        odds = np.exp(scores)
        total = odds.sum(axis=1)
        value = (np.log(total) - scores[rows, wanted]).mean() + _PENALTY / 2 * (weights**2).sum()
        odds /= total[:, None]
        odds[rows, wanted] -= 1
        return float(value), (x.T @ odds / len(data) + _PENALTY * weights).ravel()

    start = np.zeros(x.shape[1] * len(intents))
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
    return _Fitted(names, intents, best.x.reshape(-1, len(intents)))


def _matrix(heard: Sequence[Heard], names: Sequence[str]) -> csr_matrix:
    place = {name: column for column, name in enumerate(names)}
    rows, columns, values = [], [], []
    for row, (found, _) in enumerate(heard):
        known = [place[piece] for piece in found if piece in place]
        rows += [row] * len(known)
        columns += known
        values += [len(found) ** -0.5] * len(known)
    worded = csr_matrix((values, (rows, columns)), shape=(len(heard), len(names)))
    return csr_matrix(hstack([worded, csr_matrix(np.array([meant for _, meant in heard]))]))


def main(
    source: Annotated[Path, typer.Option(help="Labelled utterances.")] = ROOT / "tests/data/doctor_utterances.tsv",
    out: Annotated[Path, typer.Option(help="The table to write.")] = ROOT / "envs/data/likely_intents.npz",
) -> None:
    """Write the table of weights."""
    fitted = learn(examples(source))
    scale = float(np.abs(fitted.weights).max()) / 127
    np.savez_compressed(
        out,
        pieces=np.array("\n".join(fitted.pieces)),
        intents=np.array(" ".join(fitted.intents)),
        weights=np.round(fitted.weights / scale).astype(np.int8),
        scale=np.array(scale),
    )
    typer.echo(f"{len(fitted.pieces)} pieces in {out}")


if __name__ == "__main__":
    typer.run(main)
