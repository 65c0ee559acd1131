"""Learn the likelihood of intents from labelled doctor's utterances: ``python scripts/learn_intents.py``.

Softmax regression with a quadratic penalty. Two things are read: utterances of the development split, and shapes,
which stand for many utterances each: ``(a|b|)`` is one of these words or none, ``{symptom}`` any symptom of the
knowledge. Utterances say what doctors say, shapes what else they could have said.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Annotated, NamedTuple

import numpy as np
import typer
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, hstack

from bedside.benchmarks.understand import anybody
from bedside.cases.seeds import stream
from bedside.envs.hearing.likelihood import Heard, pieces
from bedside.envs.hearing.segments import segments
from bedside.envs.hearing.spelling import corrected
from bedside.envs.intents import TALK
from bedside.verifier.language.lexicon import Lexicon

ROOT = Path(__file__).parent.parent
_STEPS = 150
_PENALTY = 3e-6
_LEAST_COUNT = 2
_DRAWS = 25
_SHAPED = 0.4
"""Weight of an utterance made from a shape, where one that was written whole has 1."""
_ONE_OF = re.compile(r"\(([^()]*)\)")
_SLOT = re.compile(r"\{(\w+)\}")
_KINDS = {"symptom": "sx:", "condition": "cond:", "drug": "drug:", "procedure": "proc:"}
_LONGEST_NAME = 3
_FILLERS = {
    "part": "chest back arm leg neck shoulder belly stomach knee foot hand head throat jaw groin hip ankle".split(),
    "period": "days weeks months years hours".split(),
    "time": ["on monday", "three days ago", "last week", "yesterday", "this morning", "last night", "a month ago"],
    "relative": "mother father mum dad brother sister uncle aunt grandmother grandfather son daughter".split(),
    "title": ["mr jones", "mrs patel", "sir", "ma'am"],
    "name": "lee ahmed green novak rossi".split(),
}
_BEFORE = ("", "", "", "", "okay, ", "so ", "and ", "right, ", "now, ", "um, ", "tell me, ", "can i ask, ", "well ")
_AFTER = ("", "", "", "", " then", " please", " would you say", " if you don't mind me asking", ", do you think")
_MARKS = ("?", "?", "?", "?", "")


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


def shaped(source: Path) -> Iterator[tuple[Heard, str]]:
    """Yield utterances of every shape, dressed as they come in talk, with the intent of the shape."""
    patient = anybody()
    fillers = {**_FILLERS, **{slot: _names(patient.lexicon, prefix) for slot, prefix in _KINDS.items()}}
    with source.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    for row in rows:
        draw = stream(0, "shape", row["shape"])
        for text in dict.fromkeys(_filled(row["shape"], fillers, draw) for _ in range(_DRAWS)):
            after = ("",) if row["intent"] in TALK else _AFTER
            mark = "." if row["intent"] in TALK else draw.choice(_MARKS)
            spoken = corrected(f"{draw.choice(_BEFORE)}{text}{draw.choice(after)}{mark}", patient.lexicon)
            yield pieces(*(s for sentence in segments(spoken, patient) for s in sentence)), row["intent"]


def _filled(shape: str, fillers: Mapping[str, Sequence[str]], draw: Random) -> str:
    while _ONE_OF.search(shape):
        shape = _ONE_OF.sub(lambda choices: draw.choice(choices[1].split("|")), shape)
    shape = _SLOT.sub(lambda slot: draw.choice(fillers[slot[1]]), shape)
    return " ".join(shape.replace(" ,", ",").split())


def _names(lexicon: Lexicon, prefix: str) -> list[str]:
    """Return the shorter names of a kind of thing."""
    return [
        form.lower()
        for key, concept in sorted(lexicon.concepts.items())
        if key.startswith(prefix)
        for form in sorted(concept.forms)[:2]
        if len(form.split()) <= _LONGEST_NAME
    ]


def learn(data: Sequence[tuple[Heard, str]], weights: np.ndarray) -> _Fitted:
    """Fit weights for the pieces that come more than once, and for the meaning.

    Args:
        data: What is heard, with its intent.
        weights: What each counts.
    """
    counts = Counter(piece for (found, _), _ in data for piece in found)
    names = sorted(piece for piece, count in counts.items() if count >= _LEAST_COUNT)
    intents = sorted({intent for _, intent in data})
    x = _matrix([heard for heard, _ in data], names)
    wanted = np.array([intents.index(intent) for _, intent in data])
    rows = np.arange(len(data))
    counted = weights / weights.sum()

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        slopes = flat.reshape(-1, len(intents))
        scores = x @ slopes
        scores -= scores.max(axis=1, keepdims=True)
        odds = np.exp(scores)
        total = odds.sum(axis=1)
        value = ((np.log(total) - scores[rows, wanted]) * counted).sum() + _PENALTY / 2 * (slopes**2).sum()
        odds /= total[:, None]
        odds[rows, wanted] -= 1
        return float(value), (x.T @ (odds * counted[:, None]) + _PENALTY * slopes).ravel()

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
    shapes: Annotated[Path, typer.Option(help="Shapes of utterances.")] = ROOT / "tests/data/utterance_shapes.tsv",
    out: Annotated[Path, typer.Option(help="The table to write.")] = ROOT / "envs/data/likely_intents.npz",
) -> None:
    """Write the table of weights."""
    written, made = examples(source), list(shaped(shapes))
    weights = np.repeat([1.0, _SHAPED], [len(written), len(made)])
    fitted = learn([*written, *made], weights)
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
