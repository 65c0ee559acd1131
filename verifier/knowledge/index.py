"""The index: exact cosine search over the embedded names of a pack, and of one patient's record beside them.

A patient's atoms lie in a small index of their own that is searched along with the large one. So a case is added
without rebuilding anything, and no search for one patient can return what another one's record holds.
"""

import itertools
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bedside.verifier.knowledge.atom import Atom
from bedside.verifier.knowledge.encoder import Encoder, Vectors
from bedside.verifier.knowledge.packs.pack import Pack, default_folder
from bedside.verifier.knowledge.vector_cache import Progress, VectorCache, encode_all

__all__ = ["TAU", "TOP_K", "Hit", "Index"]

TOP_K = 5
TAU = 0.55
# Queries embedded in another company differ in the seventh decimal; the fourth is what a verdict may rest on.
_DECIMALS = 4
_CACHED_PATIENTS = 256
_CACHED_QUERIES = 16384


class Hit(NamedTuple):
    """One retrieved name.

    Attributes:
        similarity: Cosine to the query.
        atoms: Everything that is called so: the patient's own first, then the core's.
    """

    text: str
    similarity: float
    atoms: tuple[Atom, ...]

    @property
    def in_history(self) -> bool:
        """True when the patient's record holds something that is called so."""
        return any(atom.in_history for atom in self.atoms)


class _Names(NamedTuple):
    """Distinct names, the atoms of each, and one vector a name."""

    texts: tuple[str, ...]
    atoms: tuple[tuple[Atom, ...], ...]
    vectors: Vectors


class Index:
    """General knowledge and any number of patients; see :meth:`build` and :meth:`open`."""

    def __init__(self, names: _Names, encoder: Encoder, *, gpu: bool = True, threads: int = 1) -> None:
        """Use :meth:`build` or :meth:`open`."""
        self._names, self._encoder, self._threads = names, encoder, threads
        self._rows = {text: row for row, text in enumerate(names.texts)}
        self._flat: Any = _flat(names.vectors, gpu) if names.texts else None
        self._patients: OrderedDict[str, _Names] = OrderedDict()
        self._queries: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    @classmethod
    def build(
        cls,
        atoms: Iterable[Atom],
        encoder: Encoder,
        cache_dir: Path | None = None,
        *,
        name: str = "atoms",
        progress: Progress = lambda *_: None,
        gpu: bool = True,
        threads: int = 1,
    ) -> "Index":
        """Index atoms.

        Args:
            atoms: General knowledge.
            encoder: The model.
            cache_dir: Where vectors are kept between runs; None keeps nothing.
            name: Of the cache; names the pack and its version.
            progress: Told how many texts are embedded, of how many.
            gpu: Search on a GPU if faiss was built for it and there is one.
            threads: CPU threads of the search.

        Returns:
            The index. Equal atoms and model give equal results, from the cache or not.
        """
        texts, groups = _grouped(atoms)
        if cache_dir is None:
            vectors = encode_all(texts, encoder, None, progress)
        else:
            cache = VectorCache(cache_dir, name, texts, encoder.fingerprint)
            kept = cache.load()
            if kept is None:
                kept = encode_all(texts, encoder, cache, progress)
                cache.store(kept)
            vectors = kept
        return cls(_Names(texts, groups, vectors), encoder, gpu=gpu, threads=threads)

    @classmethod
    def open(cls, pack: Pack, encoder: Encoder, cache_dir: Path | None = None, **settings: Any) -> "Index":
        """Index a pack, with its vectors from the cache if they are there and whole; see :meth:`build`.

        Args:
            pack: What to index.
            encoder: The model.
            cache_dir: Where vectors are kept; by default in the user's cache.
            settings: ``progress``, ``gpu`` and ``threads`` of :meth:`build`.
        """
        place = cache_dir or default_folder() / "vectors"
        name = f"{pack.name}-{pack.version}-{pack.content[:8]}"
        return cls.build(pack.atoms, encoder, place, name=name, **settings)

    def __len__(self) -> int:
        """Number of distinct names; each has one vector."""
        return len(self._names.texts)

    def add_patient(self, patient: str, atoms: Iterable[Atom]) -> None:
        """Add a patient's atoms, in place of those that the patient had; the least recent patients are forgotten.

        Raises:
            ValueError: If an atom is not tagged as this patient's.
        """
        found = tuple(atoms)
        if any(not atom.in_history or atom.patient != patient for atom in found):
            raise ValueError(f"atoms of {patient} must be in_history and carry the patient's id")
        texts, groups = _grouped(found)
        names = _Names(texts, groups, self._embed(texts))
        with self._lock:
            self._patients[patient] = names
            self._patients.move_to_end(patient)
            if len(self._patients) > _CACHED_PATIENTS:
                self._patients.popitem(last=False)

    def knows(self, patient: str) -> bool:
        """True when the patient's atoms are here."""
        return patient in self._patients

    def search(self, texts: Sequence[str], k: int = TOP_K, patient: str | None = None) -> list[list[Hit]]:
        """Find the names nearest to each text.

        Args:
            texts: Queries.
            k: How many names to return for each.
            patient: Whose record is searched along; nobody else's ever is.

        Returns:
            For each text its hits, nearest first; of equally near ones the patient's own, then by name.

        Raises:
            KeyError: If the patient was not added, or was forgotten.
        """
        mine = self._patients[patient] if patient is not None else None
        queries = self._embed([text.lower() for text in texts])
        general = self._nearest(queries, k) if self._flat is not None else [[] for _ in texts]
        if mine is None or not mine.texts:
            return general
        near = queries @ mine.vectors.T
        return [self._merged(hits, mine, row, k) for hits, row in zip(general, near, strict=True)]

    def _nearest(self, queries: Vectors, k: int) -> list[list[Hit]]:
        # One more than asked for, so that a tie at the end is broken by name and not by chance.
        with _faiss_settings(self._threads):
            similarities, rows = self._flat.search(queries, min(k + 1, len(self)))
        found = []
        for line, near in zip(rows.tolist(), similarities.tolist(), strict=True):
            hits = [
                Hit(self._names.texts[row], round(similarity, _DECIMALS), self._names.atoms[row])
                for row, similarity in zip(line, near, strict=True)
            ]
            found.append(sorted(hits, key=_order)[:k])
        return found

    def _merged(self, general: list[Hit], mine: _Names, near: Vectors, k: int) -> list[Hit]:
        own = [
            Hit(mine.texts[row], round(float(near[row]), _DECIMALS), mine.atoms[row])
            for row in np.argsort(-near, kind="stable")[:k]
        ]
        also = {hit.text: hit.atoms for hit in general}
        united = [hit._replace(atoms=hit.atoms + also.pop(hit.text, ())) for hit in own]
        rest = [hit for hit in general if hit.text in also]
        return sorted((*united, *rest), key=_order)[:k]

    def _embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of lower-cased texts, embedding only what is neither indexed nor recently asked for."""
        with self._lock:
            new = [text for text in dict.fromkeys(texts) if text not in self._rows and text not in self._queries]
        made = dict(zip(new, self._encoder.encode(new), strict=True)) if new else {}
        with self._lock:
            rows = [self._vector(text, made) for text in texts]
            self._queries.update(made)
            for text in list(itertools.islice(self._queries, max(0, len(self._queries) - _CACHED_QUERIES))):
                del self._queries[text]
        if not rows:
            return np.empty((0, self._names.vectors.shape[1]), dtype=np.float32)
        return np.ascontiguousarray(np.stack(rows), dtype=np.float32)

    def _vector(self, text: str, made: dict[str, Vectors]) -> Vectors:
        if text in self._rows:
            vector: Vectors = self._names.vectors[self._rows[text]]
            return vector
        if text in made:
            return made[text]
        self._queries.move_to_end(text)
        return self._queries[text]


def _order(hit: Hit) -> tuple[float, bool, str]:
    return (-hit.similarity, not hit.in_history, hit.text)


def _grouped(atoms: Iterable[Atom]) -> tuple[tuple[str, ...], tuple[tuple[Atom, ...], ...]]:
    """Put atoms of the same words together, in the order in which the words first come."""
    groups: dict[str, list[Atom]] = {}
    for atom in atoms:
        groups.setdefault(atom.text.lower(), []).append(atom)
    return tuple(groups), tuple(map(tuple, groups.values()))


def _flat(vectors: Vectors, gpu: bool) -> Any:
    import faiss

    index: Any = faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    if gpu and hasattr(faiss, "StandardGpuResources") and faiss.get_num_gpus() > 0:
        index = faiss.index_cpu_to_all_gpus(index)
    return index


@contextmanager
def _faiss_settings(threads: int) -> Iterator[None]:
    """Set faiss up for a search; its settings belong to the whole process, so they are put back.

    Below a number of queries, 20 by default, faiss passes over all vectors once for each query. A matrix product passes
    over them once for all, which takes half the time for the few claims of an utterance.
    """
    import faiss

    before = faiss.omp_get_max_threads(), faiss.cvar.distance_compute_blas_threshold
    faiss.omp_set_num_threads(threads)
    faiss.cvar.distance_compute_blas_threshold = 2
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before[0])
        faiss.cvar.distance_compute_blas_threshold = before[1]
