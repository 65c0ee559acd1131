"""What a built pack holds, for the eye: counts, a few probes, and a cross-check against an independent table.

``faker-healthcare-provider`` lists diseases with codes and drugs "for testing only". It is no source of ours; where it
disagrees with a pack, one of the two deserves a look.
"""

import ast
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from bedside.verifier.knowledge.atom import Atom
from bedside.verifier.knowledge.packs.pack import Pack
from bedside.verifier.knowledge.surface import SurfaceIndex
from bedside.verifier.language.lexicon import core

__all__ = ["PROBES", "CrossCheck", "cross_check", "probe", "summary"]

PROBES = (
    "water pill", "blood thinner", "sugar diabetes", "heart cath", "chest feels heavy", "can't catch my breath",
    "throwing up", "metoprolol", "lopressor", "gallbladder attack", "walking pneumonia", "pink eye", "swollen ankles",
)  # fmt: skip


class CrossCheck(NamedTuple):
    """Agreement with the independent table; the lists name what disagrees.

    Attributes:
        diseases: How many it lists, and how many the pack knows by name.
        codes: Of those known, how many carry a code of the same three characters.
        treatments: Pairs of drug and disease that both know, and how many of them the pack bears out.
    """

    diseases: tuple[int, int]
    codes: tuple[int, int]
    treatments: tuple[int, int]
    other_codes: tuple[str, ...]
    not_borne_out: tuple[str, ...]


def summary(pack: Pack) -> dict[str, Any]:
    """Return the counts of a pack."""
    return {
        "pack": pack.name,
        "version": pack.version,
        "content": pack.content,
        "atoms": len(pack.atoms),
        "distinct names": len({atom.text.lower() for atom in pack.atoms}),
        "concepts": pack.concepts,
        "lay": sum(atom.lay for atom in pack.atoms),
        "with relations": sum(bool(atom.relations) for atom in pack.atoms),
        "linked to the core": sum("core" in atom.relations or atom.source == "core" for atom in pack.atoms),
        "categories": pack.categories,
        "sources": pack.origins,
    }


def probe(atoms: Sequence[Atom], queries: Sequence[str] = PROBES) -> dict[str, list[str]]:
    """Return what each query finds by its surface alone."""
    surface = SurfaceIndex(atoms)
    return {
        query: [f"{hit.text} = {hit.atoms[0].concept} ({hit.how})" for hit in surface.find(query)] for query in queries
    }


def cross_check(pack: Pack) -> CrossCheck | None:
    """Compare with ``faker-healthcare-provider``; None if it is not installed."""
    spec = find_spec("faker_healthcare")
    if spec is None or spec.origin is None:
        return None
    table = _literal(Path(spec.origin).parent / "disease_correlations.py", "DISEASE_CORRELATIONS")
    codes = _codes(pack)
    known = {name: codes[name.lower()] for name in table if name.lower() in codes}
    coded = {name: mine for name, mine in known.items() if mine}
    other = [f"{name}: {table[name]['icd10']} there, {' '.join(sorted(mine))} here" for name, mine in coded.items()
             if table[name]["icd10"][:3] not in {code[:3] for code in mine}]  # fmt: skip
    pairs = [(drug, name) for name, about in table.items() for drug in about["medications"]]
    checked = [(drug, name, answer) for drug, name in pairs if (answer := _treats(drug, name)) is not None]
    refused = tuple(f"{drug} for {name}" for drug, name, answer in checked if not answer)
    return CrossCheck(
        diseases=(len(table), len(known)),
        codes=(len(coded), len(coded) - len(other)),
        treatments=(len(checked), len(checked) - len(refused)),
        other_codes=tuple(other),
        not_borne_out=refused,
    )


def _codes(pack: Pack) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for atom in pack.atoms:
        found.setdefault(atom.text.lower(), set()).update(atom.relations.get("icd10", ()))
    return found


def _treats(drug: str, disease: str) -> bool | None:
    """True if the core holds that the drug treats the disease, or what it is a kind of; None if it lacks either."""
    lexicon = core()
    drugs = [c for c in lexicon.named(drug) if lexicon[c].kind in ("medication", "drug_class")]
    diseases = [c for c in lexicon.named(disease) if lexicon[c].kind in ("condition", "symptom")]
    if not drugs or not diseases:
        return None
    treated = frozenset().union(*(lexicon.treats(c) for c in drugs))
    return any(treated & lexicon.ancestors(c) for c in diseases)


def _literal(path: Path, name: str) -> dict[str, Any]:
    """Read a table out of a module without running the module."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        target = node.target if isinstance(node, ast.AnnAssign) else None
        if isinstance(target, ast.Name) and target.id == name and isinstance(node, ast.AnnAssign) and node.value:
            found: dict[str, Any] = ast.literal_eval(node.value)
            return found
    raise ValueError(f"{path} holds no {name}")
