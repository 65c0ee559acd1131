"""The core knowledge pack: hand-written tables of medical concepts with the words people use for them.

Surface forms are found in one pass (Aho-Corasick over stems), leftmost and longest. A concept knows its broader
concepts, a drug its classes and what it treats, so that "blood pressure pill" can be recognised as metoprolol.
"""

import csv
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick, MatchKind

from bedside.verifier.language.quantities import digits
from bedside.verifier.language.text import Token, key, keyed, plain, tokenize

__all__ = ["IDIOM", "Concept", "Lexicon", "Mention", "alike", "core"]

# Figures of speech claim nothing: found like a name, they keep "heart" and "sick" from being read in them.
IDIOM = "idiom"
_CORE = Path(__file__).parent.parent / "data" / "core"
_KIND_OF_TABLE = {
    "symptoms": "symptom",
    "conditions": "condition",
    "drugs": "medication",
    "drug_classes": "drug_class",
    "procedures": "procedure",
    "sites": "site",
    "substances": "substance",
    "relatives": "relative",
    "idioms": IDIOM,
}
_FORM_COLUMNS = ("name", "clinical", "lay", "brands", "forms")
_LAY_COLUMNS = ("lay", "forms")
# Forms that are far oftener another word, or a place: "write that down", "the test", "come back to the hospital".
_AMBIGUOUS = frozenset(map(" {} ".format, ("down", "shot", "test", "pot", "hospit", "ER", "ED"))) | {" emerg  room "}


# What may stand between a subject and what is said of it without changing the name.
_JOINING = frozenset(
    """is was are were be been am has have had just realli so veri pretti quit still also get got kinda littl bit alway
    sometim""".split()
)
_PASSED_OVER = _JOINING | {"like", "about", "rough"}
"""What may stand there in speech besides."""
_UNITS = frozenset("day week month year hour".split())


# Two words that tell are the least that may be left of a name.
_SLIGHT = frozenset(
    """up out down back over on off in it me to of i go come went everyth all not no can't for with at by take
    too""".split()
)


_VERBS = frozenset("had have has got get caught catch".split())
_BEYOND = 4


class Concept(NamedTuple):
    """One medical concept.

    Attributes:
        kind: The table it comes from, in the singular.
        forms: All surface forms, clinical and lay.
        lay: Those that a patient would use.
        broader: Ids of the concepts it is a kind of; for a drug also its classes.
        relations: ``treats``, ``site``, ``icd10``, ``type``, ``aspect``, … as written in the tables.
    """

    id: str
    kind: str
    name: str
    forms: tuple[str, ...]
    lay: tuple[str, ...] = ()
    broader: tuple[str, ...] = ()
    relations: Mapping[str, tuple[str, ...]] = {}


class Mention(NamedTuple):
    """Words in a text that name a concept; ``first`` and ``last`` are token indices, ``last`` included."""

    concepts: tuple[str, ...]
    first: int
    last: int


class Lexicon:
    """Concepts and a matcher for their surface forms."""

    def __init__(self, concepts: Iterable[Concept], extra_forms: Mapping[str, Iterable[str]] | None = None) -> None:
        """Build the matcher.

        Args:
            concepts: What is known.
            extra_forms: Further forms for concept ids, which need not be among ``concepts``.
        """
        self.concepts = {c.id: c for c in concepts}
        named: dict[str, dict[str, None]] = {}
        for concept in self.concepts.values():
            for form in concept.forms:
                named.setdefault(form_key(form), {})[concept.id] = None
                # Claims are read from text whose numbers are digits: "seeing 2 of everything".
                if " " in form:
                    named.setdefault(form_key(digits(form)), {})[concept.id] = None
        for concept_id, forms in (extra_forms or {}).items():
            for form in forms:
                named.setdefault(form_key(form), {})[concept_id] = None
        for form in ("", *_AMBIGUOUS):
            named.pop(form, None)
        for form, ids in [*named.items()]:
            # "Heart is racing" is also said "my heart has been racing": names match without what only joins.
            if len((bare := bared(form)).split()) > 1 and bare not in named:
                named[bare] = dict(ids)
        self._targets = [tuple(ids) for ids in named.values()]
        self._matcher = AhoCorasick(list(named), matchkind=MatchKind.LeftmostLongest) if named else None
        self._by_form = {form: tuple(ids) for form, ids in named.items()}

    def __contains__(self, concept_id: str) -> bool:
        return concept_id in self.concepts

    def __getitem__(self, concept_id: str) -> Concept:
        return self.concepts[concept_id]

    def find(self, tokens: tuple[Token, ...]) -> list[Mention]:
        """Find all mentions, leftmost and longest, without overlap."""
        found = self._without_types_of_others(tokens, self._after_verbs(tokens, self._matches(tokens)))
        bare = _without_measures(tokens)
        if len(bare) == len(tokens) or not self._matcher:
            return found
        for mention in self._matches(tuple(tokens[i] for i in bare)):
            first, last = bare[mention.first], bare[mention.last]
            if last - first <= mention.last - mention.first:
                continue
            within = [f for f in found if first <= f.last and f.first <= last]
            length = mention.last - mention.first + 1
            # "Hair's been falling out" holds "been falling", which is another name.
            if all(first <= f.first and f.last <= last and f.last - f.first + 1 < length for f in within):
                found = [f for f in found if f not in within]
                found.append(Mention(mention.concepts, first, last))
        return sorted(found, key=lambda m: m.first)

    def _after_verbs(self, tokens: tuple[Token, ...], found: list[Mention]) -> list[Mention]:
        """Read "ever had cold sores" as the sores, though "had a cold" begins before."""
        for mention in found:
            first, last = mention.first + 1, mention.last
            if tokens[mention.first].stem not in _VERBS or last == mention.first or last + 1 >= len(tokens):
                continue
            inner = self._matches(tokens[first : last + _BEYOND])
            if inner and inner[0].first == 0 and first + inner[0].last > last:
                longer = Mention(inner[0].concepts, first, first + inner[0].last)
                found = [m for m in found if m is not mention and not (first <= m.first <= longer.last)]
                return self._after_verbs(tokens, sorted((*found, longer), key=lambda m: m.first))
        return found

    def _without_types_of_others(self, tokens: tuple[Token, ...], found: list[Mention]) -> list[Mention]:
        """Leave out a bare "type 1", which is short for a diabetes, where it is the type of the disease beside it."""
        typed = [i for i, m in enumerate(found) if tokens[m.first].stem == "type" and m.last == m.first + 1]
        others = {
            i
            for i in typed
            for other in found[max(i - 1, 0) : i] + found[i + 1 : i + 2]
            if found[i].first - other.last == 1 or other.first - found[i].last == 1
            if any(self.concepts[concept].kind == "condition" for concept in other.concepts)
            and self.ancestors(found[i].concepts[0]).isdisjoint(other.concepts)
        }
        return [mention for i, mention in enumerate(found) if i not in others] if others else found

    def _matches(self, tokens: tuple[Token, ...]) -> list[Mention]:
        if self._matcher is None:
            return []
        text, starts, kept = keyed(tokens)
        found = []
        for pattern, begin, end in self._matcher.find_matches_as_indexes(text):
            first = bisect_right(starts, begin) - 1
            last = bisect_right(starts, end - 1) - 1
            found.append(Mention(self._targets[pattern], kept[first], kept[last]))
        return found

    def named(self, phrase: str) -> tuple[str, ...]:
        """Return the concepts that the whole phrase is a surface form of."""
        return self._by_form.get(form_key(phrase), ())

    @lru_cache(maxsize=65536)  # noqa: B019 - a lexicon lives as long as the process
    def ancestors(self, concept_id: str) -> frozenset[str]:
        """Return the concept and everything it is a kind of."""
        found = {concept_id}
        concept = self.concepts.get(concept_id)
        for broader in concept.broader if concept else ():
            found |= self.ancestors(broader)
        return frozenset(found)

    @lru_cache(maxsize=65536)  # noqa: B019
    def treats(self, concept_id: str) -> frozenset[str]:
        """Return what a drug or class is given for, its classes' indications included."""
        return frozenset(
            target
            for ancestor in self.ancestors(concept_id)
            if ancestor in self.concepts
            for target in self.concepts[ancestor].relations.get("treats", ())
        )


def _without_measures(tokens: tuple[Token, ...]) -> tuple[int, ...]:
    """Which tokens carry a name: not what only joins, nor by how much: "my period's like, 3 weeks late"."""
    if not any(token.text[0] <= "9" for token in tokens):
        return tuple([i for i, t in enumerate(tokens) if t.stem not in _PASSED_OVER])
    kept: list[int] = []
    counted = False
    for index, token in enumerate(tokens):
        after = tokens[index + 1] if index + 1 < len(tokens) else None
        counted = (_is_measure(token, after)) or (counted and token.stem in _UNITS)
        if not counted and token.stem not in _PASSED_OVER:
            kept.append(index)
    return tuple(kept)


def _is_measure(token: Token, after: Token | None) -> bool:
    """True for the number of "3 weeks late" and of "broke 2 ribs"."""
    if after is None or not token.text.isdigit():
        return False
    return after.stem in _UNITS or (token.text != "1" and after.text.endswith("s") and after.stem != "time")


def bared(form: str) -> str:
    """Return the key of a form without the words that only join; the key itself when too little would be left."""
    kept = [stem for stem in form.split() if stem not in _JOINING]
    told = [stem for stem in kept if stem not in _SLIGHT]
    return "".join(f" {stem} " for stem in kept) if len(told) > 1 and "," not in kept else form


@lru_cache(maxsize=65536)
def form_key(form: str) -> str:
    """Return the matching key of a surface form."""
    return key(tokenize(plain(form)))


def _rows(table: str) -> Iterator[dict[str, str]]:
    with (_CORE / f"{table}.tsv").open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def _split(cell: str | None) -> tuple[str, ...]:
    return tuple(filter(None, (part.strip() for part in (cell or "").split("|"))))


def _concept(row: dict[str, str], kind: str) -> Concept:
    columns = {name: _split(cell) for name, cell in row.items()}
    return Concept(
        id=row["id"],
        kind=kind,
        name=row["name"],
        forms=tuple(dict.fromkeys(form for name in _FORM_COLUMNS for form in columns.get(name, ()))),
        lay=tuple(form for name in _LAY_COLUMNS for form in columns.get(name, ())),
        broader=columns.get("is_a", ()) + columns.get("classes", ()) + columns.get("part_of", ()),
        relations={
            name: values
            for name, values in columns.items()
            if values and name not in ("id", "name", "is_a", "classes", "part_of", *_FORM_COLUMNS)
        },
    )


@lru_cache(maxsize=1)
def _groups() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for row in _rows("alike"):
        group = frozenset(_split(row["concepts"]))
        found |= {concept: found.get(concept, frozenset()) | group for concept in group}
    for row in _rows("renderings"):
        found[row["said"]] = found.get(row["said"], frozenset()) | frozenset(_split(row["recorded"]))
    return found


def alike(concept_id: str) -> frozenset[str]:
    """Return the recorded complaints that one may stand for: a numb foot is also said to tingle, who faints falls."""
    return _groups().get(concept_id, frozenset())


@lru_cache(maxsize=1)
def core() -> Lexicon:
    """Return the core pack, read once."""
    return Lexicon(_concept(row, kind) for table, kind in _KIND_OF_TABLE.items() for row in _rows(table))
