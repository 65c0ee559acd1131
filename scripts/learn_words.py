"""Make the vectors of words from a sentence model: ``python scripts/learn_words.py``.

Every word of the English list, of the knowledge and of the labelled utterances is encoded by itself; the directions in
which the words of the utterances differ most are kept.
"""

import csv
import re
from collections import Counter
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from bedside.benchmarks.understand import anybody
from bedside.envs.hearing.meaning import DIMENSIONS
from bedside.verifier.knowledge.encoder import SentenceEncoder

ROOT = Path(__file__).parent.parent
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_COMMON = 0.01
"""Share of all words at which a word weighs half."""


def main(
    source: Annotated[Path, typer.Option(help="Labelled utterances.")] = ROOT / "tests/data/doctor_utterances.tsv",
    out: Annotated[Path, typer.Option(help="The table to write.")] = ROOT / "envs/data/word_vectors.npz",
) -> None:
    """Write the table of vectors."""
    with source.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    counts = Counter(w for row in rows if row["split"] == "dev" for w in _WORD.findall(row["text"].lower()))
    words = sorted(counts.keys() | _known())
    encoder = SentenceEncoder()
    heard = encoder.encode(sorted(counts))
    mean = heard.mean(axis=0)
    _, _, directions = np.linalg.svd(heard - mean, full_matrices=False)
    vectors = (encoder.encode(words) - mean) @ directions[:DIMENSIONS].T
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    share = np.array([counts[word] for word in words]) / counts.total()
    np.savez_compressed(
        out,
        words=np.array(" ".join(words)),
        vectors=np.round(127 * vectors).astype(np.int8),
        weights=(_COMMON / (_COMMON + share)).astype(np.float16),
    )
    typer.echo(f"{len(words)} words in {out}")


def _known() -> set[str]:
    """Return the words of ordinary English and of the knowledge."""
    english = (ROOT / "envs/data/english.tsv").read_text(encoding="utf-8").split()[1:]
    lexicon = anybody().lexicon
    named = (w for concept in lexicon.concepts.values() for form in concept.forms for w in _WORD.findall(form.lower()))
    return {*english, *named}


if __name__ == "__main__":
    typer.run(main)
