"""The core tables as a pack: every form of every concept, with relations under the names that all packs use."""

from functools import lru_cache

from bedside.verifier.knowledge.atom import Atom, Relations
from bedside.verifier.knowledge.packs.pack import Pack, Source, content_hash
from bedside.verifier.language.lexicon import IDIOM, Concept, Lexicon, core

__all__ = ["atoms_of", "core_atoms", "core_pack", "relations_of"]

CORE = Source("core", "1", "Apache-2.0", "Hand-written for bedside; no licensed vocabulary went in.")
# The names in the tables, and those of the UMLS relations that mean the same (seed 001, E.2).
_RENAMED = {"treats": "may_treat", "site": "finding_site"}
_DRUGS = ("medication", "drug_class")


def relations_of(concept: Concept, lexicon: Lexicon) -> Relations:
    """Return a concept's relations under the packs' names.

    A drug inherits what its classes treat, and counts as of its classes' classes, for patients speak of both.
    """
    found = {_RENAMED.get(name, name): values for name, values in concept.relations.items()}
    if concept.kind == "procedure" and "finding_site" in found:
        found["procedure_site"] = found.pop("finding_site")
    broader = tuple(sorted(lexicon.ancestors(concept.id) - {concept.id}))
    if broader:
        found["drug_class" if concept.kind in _DRUGS else "is_a"] = broader
    if concept.kind in _DRUGS and (treated := lexicon.treats(concept.id)):
        found["may_treat"] = tuple(sorted(treated))
    return found


def atoms_of(concept: Concept, lexicon: Lexicon) -> list[Atom]:
    """Return an atom for each form of a concept."""
    relations, lay = relations_of(concept, lexicon), frozenset(concept.lay)
    return [
        Atom(
            text=form,
            concept=concept.id,
            category=concept.kind,
            lay=form in lay,
            term_type="PT" if form == concept.name else "LAY" if form in lay else "SY",
            relations=relations,
        )
        for form in concept.forms
    ]


@lru_cache(maxsize=1)
def core_atoms() -> tuple[Atom, ...]:
    """Return the atoms of the core tables."""
    lexicon = core()
    return tuple(
        atom for concept in lexicon.concepts.values() if concept.kind != IDIOM for atom in atoms_of(concept, lexicon)
    )


@lru_cache(maxsize=1)
def core_pack() -> Pack:
    """Return the core tables as a pack."""
    return Pack("core", CORE.version, core_atoms(), (CORE,), content_hash(core_atoms()))
