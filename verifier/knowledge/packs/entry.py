"""What every vocabulary reader yields, and how it becomes atoms: linked to the core, cleaned, without repetition.

A concept whose preferred name or exact synonym is a form of the core inherits the core's relations. That is what
gives a name that only a package knows its drug class, its site, or what it treats.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bedside.verifier.knowledge.atom import Atom, Relations
from bedside.verifier.knowledge.packs.core import relations_of
from bedside.verifier.language.lexicon import Lexicon, core, form_key

__all__ = ["Entry", "Form", "atoms_from", "linked", "sites_in"]

# Kinds of the core that an entry of a category may be: HPO calls "hypertension" a finding, the core a condition.
_KINDS = {
    "symptom": ("symptom", "condition"),
    "condition": ("condition", "symptom"),
    "medication": ("medication", "drug_class"),
    "drug_class": ("drug_class", "medication"),
    "procedure": ("procedure",),
}
_LONGEST = 120
_SPACE = re.compile(r"\s+")


class Form(NamedTuple):
    """One name.

    Attributes:
        exact: True when it means the concept itself, not something broader, narrower or merely related.
        source: Who asserts it, where one concept unites several vocabularies; else the entry's source.
        code: The code there.
    """

    text: str
    term_type: str = "SY"
    lay: bool = False
    exact: bool = True
    source: str = ""
    code: str = ""


class Entry(NamedTuple):
    """One concept of a vocabulary; the first form is its preferred name."""

    concept: str
    category: str
    source: str
    code: str
    forms: tuple[Form, ...]
    relations: Relations


def linked(entry: Entry, lexicon: Lexicon) -> tuple[str, ...]:
    """Return the core concepts that the entry is, going by its exact names."""
    kinds = _KINDS.get(entry.category, ())
    found: dict[str, None] = {}
    for form in entry.forms:
        if form.exact:
            found |= dict.fromkeys(c for c in lexicon.named(form.text) if lexicon[c].kind in kinds)
    # Names of several core concepts name none of them for certain.
    return tuple(found) if len(found) == 1 else ()


def sites_in(name: str) -> tuple[str, ...]:
    """Return the body sites that a name holds, as core ids."""
    lexicon = core()
    found: dict[str, None] = {}
    words = [word for word in re.split(r"[^\w'-]+", name) if word]
    for size in (3, 2, 1):
        for start in range(len(words) - size + 1):
            phrase = " ".join(words[start : start + size])
            found |= dict.fromkeys(c for c in lexicon.named(phrase) if lexicon[c].kind == "site")
    return tuple(sorted(found))


def atoms_from(entries: Iterable[Entry]) -> Iterator[Atom]:
    """Turn entries into atoms; of names that differ only in order, number or articles, the first stays."""
    lexicon = core()
    for entry in entries:
        own = linked(entry, lexicon)
        relations = entry.relations
        category = entry.category
        if own:
            concept = lexicon[own[0]]
            category = concept.kind
            relations = _united(relations_of(concept, lexicon), relations) | {"core": own}
        seen: set[tuple[str, ...]] = set()
        for form in entry.forms:
            text = _SPACE.sub(" ", form.text).strip()
            words = tuple(sorted(form_key(text).split()))
            if not words or words in seen or len(text) > _LONGEST:
                continue
            seen.add(words)
            yield Atom(
                text=text,
                concept=entry.concept,
                category=category,
                lay=form.lay,
                source=form.source or entry.source,
                term_type=form.term_type,
                code=form.code or entry.code,
                relations=relations,
            )


def _united(first: Relations, second: Relations) -> dict[str, tuple[str, ...]]:
    names = dict.fromkeys((*first, *second))
    return {name: tuple(dict.fromkeys((*first.get(name, ()), *second.get(name, ())))) for name in names}
