"""The umls pack from the REST service, for licensees who have a key but no release on disk.

The steps are those of seed 001, appendix E.2: resolve each seed term to a concept, take its atoms, then the relations
that the sources assert of their own codes.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from bedside.verifier.knowledge.packs.entry import Entry, Form, atoms_from
from bedside.verifier.knowledge.packs.pack import Pack, write_pack
from bedside.verifier.knowledge.packs.umls import (
    TERM_TYPES,
    category_of,
    relation_name,
    spoken,
    umls_source,
    wanted_term,
)
from bedside.verifier.knowledge.packs.umls_rest import UmlsClient

__all__ = ["build_from_service", "entries"]

READER = "1"
# What asserts relations and can be asked for them by a code.
_ASKED = ("SNOMEDCT_US", "RXNORM", "MED-RT")
_SOURCES = (*TERM_TYPES, "MED-RT")


def entries(client: UmlsClient, seeds: Iterable[str]) -> Iterator[Entry]:
    """Yield the concepts that the seeds name, each once, in the order of the seeds.

    Args:
        client: The service.
        seeds: Names of things, such as those of the core tables.
    """
    seen: set[str] = set()
    for seed in seeds:
        found = client.search(seed, tuple(TERM_TYPES))
        # An exact name of several concepts: the service ranks them, the first is meant.
        if found and found[0] not in seen:
            seen.add(found[0])
            if entry := _entry(client, found[0]):
                yield entry


def _entry(client: UmlsClient, cui: str) -> Entry | None:
    types = client.semantic_types(cui)
    rows = sorted(client.atoms(cui, _SOURCES), key=lambda row: str(row["ui"]))
    named = [row for row in rows if wanted_term(row["rootSource"], row["termType"])]
    categories = {c for row in named if (c := category_of(row["rootSource"], types))}
    category = next((c for c in ("medication", "procedure", "condition", "symptom") if c in categories), None)
    if category is None:
        return None
    forms = [
        Form(
            text=spoken(row["rootSource"], row["termType"], row["name"]),
            term_type=row["termType"],
            lay=row["termType"] == "BN",
            source=row["rootSource"],
            code=_last(row.get("code")),
        )
        for row in named
    ]
    forms.sort(key=lambda form: form.term_type not in ("PT", "IN"))
    codes = {(row["rootSource"], _last(row.get("code"))) for row in rows if row["rootSource"] in _ASKED}
    relations = _relations(client, category, sorted(codes))
    return Entry(f"umls:{cui}", category, "UMLS", cui, tuple(forms), relations)


def _relations(client: UmlsClient, category: str, codes: list[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for source, code in codes:
        for row in client.relations(source, code):
            name = relation_name(category, row.get("additionalRelationLabel") or "")
            # A relation reads from "relatedFrom" to "related"; the other direction says something of the other end.
            if (
                name
                and row.get("relatedIdName")
                and _last(row.get("relatedFromId") or code) == code != _last(row.get("relatedId"))
            ):
                found.setdefault(name, set()).add(row["relatedIdName"])
    return {name: tuple(sorted(values)) for name, values in sorted(found.items())}


def _last(address: Any) -> str:
    """Codes are given as addresses that end in them."""
    return str(address or "").rstrip("/").rsplit("/", 1)[-1]


def build_from_service(client: UmlsClient, out: Path, seeds: Iterable[str]) -> Pack:
    """Build the umls pack by asking the service.

    Returns:
        The pack, as written to ``out``.
    """
    return write_pack(
        out,
        "umls",
        f"{READER}-{client.version}-rest",
        atoms_from(entries(client, seeds)),
        (umls_source(client.version),),
    )
