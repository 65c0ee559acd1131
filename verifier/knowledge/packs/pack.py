"""The format of a pack: ``concepts.jsonl``, ``atoms.jsonl`` and a ``manifest.json`` that vouches for both.

Plain JSON lines can be read, compared and repaired with any tool. Nothing in a pack depends on when or where it was
built, so that equal inputs give equal bytes and a content hash says whether an index still fits.
"""

import hashlib
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from bedside.verifier.knowledge.atom import Atom, Relations

__all__ = ["Pack", "PackError", "Source", "content_hash", "default_folder", "read_pack", "write_pack"]

FORMAT = 1
_ATOMS, _CONCEPTS, _MANIFEST = "atoms.jsonl", "concepts.jsonl", "manifest.json"


class PackError(ValueError):
    """A pack that is incomplete, damaged or of another format."""


class Source(NamedTuple):
    """Where forms came from, and on what terms.

    Attributes:
        licence: Name of the licence or terms of use.
        attribution: What has to be said wherever the pack is passed on.
    """

    name: str
    version: str
    licence: str
    attribution: str


class Pack(NamedTuple):
    """A vocabulary in memory.

    Attributes:
        content: SHA-256 over concepts and atoms.
    """

    name: str
    version: str
    atoms: tuple[Atom, ...]
    sources: tuple[Source, ...]
    content: str

    @property
    def concepts(self) -> int:
        """How many concepts the atoms name."""
        return len({atom.concept for atom in self.atoms})

    @property
    def categories(self) -> dict[str, int]:
        """Number of atoms in each category, the largest first."""
        return dict(Counter(atom.category for atom in self.atoms).most_common())

    @property
    def origins(self) -> dict[str, int]:
        """Number of atoms from each source, the largest first."""
        return dict(Counter(atom.source for atom in self.atoms).most_common())


def default_folder() -> Path:
    """Return where packs and indexes are kept unless a folder is given: the user's cache, never the project."""
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "bedside" / "knowledge"


def content_hash(atoms: Iterable[Atom]) -> str:
    """Return the hash that two packs of the same content share."""
    concepts, lines = _encoded(tuple(atoms))
    return _combined(hashlib.sha256(concepts).hexdigest(), hashlib.sha256(lines).hexdigest())


def write_pack(folder: Path, name: str, version: str, atoms: Iterable[Atom], sources: Iterable[Source]) -> Pack:
    """Write a pack; it appears whole or not at all.

    Args:
        folder: Where to; a pack already there is replaced.
        name: ``core``, ``open`` or ``umls``.
        version: Changes whenever the same inputs would give another content.
        atoms: General knowledge only; patients' atoms have no place on disk.
        sources: Every vocabulary that contributed.

    Returns:
        What was written.
    """
    found, origins = tuple(atoms), tuple(sources)
    if any(atom.patient is not None or atom.in_history for atom in found):
        raise ValueError("patients' atoms do not belong in a pack")
    concepts, lines = _encoded(found)
    files = {_CONCEPTS: hashlib.sha256(concepts).hexdigest(), _ATOMS: hashlib.sha256(lines).hexdigest()}
    pack = Pack(name, version, found, origins, _combined(*files.values()))
    manifest = {
        "format": FORMAT,
        "name": name,
        "version": version,
        "content": pack.content,
        "files": files,
        "counts": {"atoms": len(found), "concepts": pack.concepts},
        "categories": pack.categories,
        "origins": pack.origins,
        "sources": [source._asdict() for source in origins],
    }
    written = {_CONCEPTS: concepts, _ATOMS: lines, _MANIFEST: orjson.dumps(manifest, option=orjson.OPT_INDENT_2)}
    _replace(folder, written)
    return pack


def read_pack(folder: Path) -> Pack:
    """Read a pack and check it against its manifest.

    Raises:
        PackError: If anything is missing or does not match.
    """
    try:
        manifest = orjson.loads((folder / _MANIFEST).read_bytes())
        contents = {name: (folder / name).read_bytes() for name in (_CONCEPTS, _ATOMS)}
    except (OSError, orjson.JSONDecodeError) as error:
        raise PackError(f"{folder} holds no readable pack: {error}") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise PackError(f"{folder} is not a pack of format {FORMAT}; build it again")
    for name, content in contents.items():
        if hashlib.sha256(content).hexdigest() != manifest["files"][name]:
            raise PackError(f"{folder / name} is damaged; build the pack again")
    return Pack(
        name=manifest["name"],
        version=manifest["version"],
        atoms=tuple(_decoded(contents[_CONCEPTS], contents[_ATOMS])),
        sources=tuple(Source(**source) for source in manifest["sources"]),
        content=manifest["content"],
    )


def _combined(concepts: str, atoms: str) -> str:
    return hashlib.sha256(f"{concepts}\n{atoms}".encode()).hexdigest()


def _encoded(atoms: tuple[Atom, ...]) -> tuple[bytes, bytes]:
    """Return the two files: relations once for each concept, then a line for each atom."""
    known: dict[str, Relations] = {}
    for atom in atoms:
        if known.setdefault(atom.concept, atom.relations) != atom.relations:
            raise ValueError(f"{atom.concept} has atoms with different relations")
    concepts = ({"id": concept, "relations": dict(relations)} for concept, relations in sorted(known.items()))
    return _lines(concepts), _lines(_plain(atom) for atom in atoms)


def _plain(atom: Atom) -> dict[str, Any]:
    return {
        "text": atom.text,
        "concept": atom.concept,
        "category": atom.category,
        "lay": atom.lay,
        "source": atom.source,
        "term_type": atom.term_type,
        "code": atom.code,
    }


def _lines(rows: Iterable[dict[str, Any]]) -> bytes:
    return b"".join(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_SORT_KEYS) for row in rows)


def _decoded(concepts: bytes, atoms: bytes) -> Iterator[Atom]:
    relations = {
        row["id"]: {name: tuple(values) for name, values in row["relations"].items()}
        for row in map(orjson.loads, concepts.splitlines())
    }
    for row in map(orjson.loads, atoms.splitlines()):
        yield Atom(**row, relations=relations[row["concept"]])


def _replace(folder: Path, files: dict[str, bytes]) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        for name, content in files.items():
            (new / name).write_bytes(content)
        new.chmod(0o755)
        # A folder cannot be renamed over a filled one. A reader in between finds no pack, never a mixed one.
        if folder.exists():
            shutil.rmtree(folder)
        new.rename(folder)
    finally:
        shutil.rmtree(new, ignore_errors=True)
