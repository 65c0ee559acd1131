"""Vectors on disk: embedding a pack takes minutes, so it is done once for each content and each model.

What lies on disk is never taken on trust. A file whose checksum, shape or key does not match is made again; files
appear whole or not at all; and a build that was stopped goes on with the part it was at.
"""

import hashlib
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from bedside.verifier.knowledge.encoder import Encoder, Vectors

__all__ = ["VectorCache", "encode_all"]

FORMAT = 1
_PART = 4096
_ABOUT, _VECTORS = "about.json", "vectors.npy"

Progress = Callable[[int, int], None]


class VectorCache:
    """A folder for the vectors of one sequence of texts under one model."""

    def __init__(self, folder: Path, name: str, texts: Sequence[str], fingerprint: str) -> None:
        """Locate the vectors.

        Args:
            folder: Of all caches.
            name: Pack and version, for the eye; the texts themselves decide.
            texts: What is embedded, in order.
            fingerprint: Of the model.
        """
        self._digest = _digest(texts)
        self._count = len(texts)
        self._key = {"format": FORMAT, "name": name, "texts": self._digest, "model": fingerprint, "count": len(texts)}
        self.folder = folder / f"{name}-{self._digest[:12]}--{fingerprint}"

    def load(self) -> Vectors | None:
        """Return the vectors; None unless they are whole and are those of these texts under this model."""
        try:
            about = orjson.loads((self.folder / _ABOUT).read_bytes())
            if not isinstance(about, dict) or about.pop("sha256", None) != _checksum(self.folder / _VECTORS):
                return None
            found: Vectors = np.load(self.folder / _VECTORS, allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        right = about == self._key and found.dtype == np.float32 and found.ndim == 2 and len(found) == self._count
        return found if right else None

    def store(self, vectors: Vectors) -> None:
        """Keep the vectors; the parts that they came from go."""
        _save(self.folder / _VECTORS, vectors)
        about: dict[str, Any] = {**self._key, "sha256": _checksum(self.folder / _VECTORS)}
        _write(self.folder / _ABOUT, orjson.dumps(about, option=orjson.OPT_INDENT_2))
        shutil.rmtree(self.folder / "parts", ignore_errors=True)

    def part(self, number: int) -> Path:
        """Return where a part of a build is kept until the whole is done."""
        return self.folder / "parts" / f"{number:05d}.npy"


def encode_all(texts: Sequence[str], encoder: Encoder, cache: VectorCache | None, progress: Progress) -> Vectors:
    """Embed texts part by part, taking what an earlier, stopped build left.

    Args:
        texts: What to embed.
        encoder: The model.
        cache: Where the parts are kept; None keeps nothing.
        progress: Told how many are done, of how many.

    Returns:
        One row a text.
    """
    parts = []
    for number, start in enumerate(range(0, len(texts), _PART)):
        piece = texts[start : start + _PART]
        vectors = _read_part(cache.part(number), len(piece)) if cache else None
        if vectors is None:
            vectors = encoder.encode(piece)
            if cache:
                _save(cache.part(number), vectors)
                _write(cache.part(number).with_suffix(".sha256"), _checksum(cache.part(number)).encode())
        parts.append(vectors)
        progress(start + len(piece), len(texts))
    return np.concatenate(parts) if parts else encoder.encode(texts)


def _read_part(path: Path, count: int) -> Vectors | None:
    try:
        if path.with_suffix(".sha256").read_text() != _checksum(path):
            return None
        found: Vectors = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    return found if found.dtype == np.float32 and len(found) == count else None


def _digest(texts: Sequence[str]) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode())
        digest.update(b"\n")
    return digest.hexdigest()


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _save(path: Path, vectors: Vectors) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    with new.open("wb") as file:
        np.save(file, vectors, allow_pickle=False)
    new.replace(path)


def _write(path: Path, content: bytes) -> None:
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    new.write_bytes(content)
    new.replace(path)
