"""Evidence for claims that no table decides: what a pack and the patient's record call anything like this.

The rules know the core tables and the case's own words. Beyond those, a claim's words are looked up in the pack: the
same words first, then nearly the same letters, then the nearest meaning. What is found is not a verdict. It is
evidence, with where it comes from and what is known of it, for the rules or for a model to judge by.
"""

import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from bedside.verifier.grounding import GroundedCase, GroundedFact
from bedside.verifier.knowledge.atom import Atom, Relations
from bedside.verifier.knowledge.encoder import Encoder, SentenceEncoder
from bedside.verifier.knowledge.index import TAU, TOP_K, Index
from bedside.verifier.knowledge.packs.core import core_pack, relations_of
from bedside.verifier.knowledge.packs.pack import Pack
from bedside.verifier.knowledge.surface import Match, SurfaceHit, SurfaceIndex

__all__ = ["Evidence", "PackRetriever", "Retriever", "Weight", "bare", "open_retriever", "patient_atoms", "weigh"]

Weight = Literal["in_history", "overlap", "foreign", "underspecified"]

_FIELDS = ("symptom", "medication", "procedure", "test", "treatment", "condition", "allergy")
_DRUGS = ("medication", "drug_class")
_CACHED_CASES = 256
_SHOWN_VALUES = 6
# Frames that models put around an extracted claim; they name nothing and would spoil every comparison.
_SUBJECT = r"(?:the |this )?(?:patient|pt|i|he|she|they)(?:'m|'s|'ve| am| is| was| are| were| has| have| had)?"
_VERB = (
    r"takes?|taking|took|uses?|using|has|having|had|feels?|feeling|felt|gets?|getting|got|experienc(?:es|ed|ing)|reports?|"
    r"suffers? from|diagnosed with|prescribed|on|allergic to|underwent|complains? of"
)
_FRAME = re.compile(
    rf"^{_SUBJECT}(?: (?:been|also|currently|regularly))*(?: (?:{_VERB}))?(?: (?:a|an|the|some|my|his|her|their))?\s+",
    re.IGNORECASE,
)


class Evidence(NamedTuple):
    """One atom that a claim may mean (seed 001, E.3).

    Attributes:
        text: The name that was found.
        similarity: One for the same words, less for nearly the same letters, the cosine for a near meaning.
        how: Which of these it is.
        name: What the pack calls the concept.
        in_history: True when the atom is of the patient's record.
        facts: Ids of the facts of the record that it is.
    """

    text: str
    similarity: float
    how: Match
    concept: str
    name: str
    category: str
    source: str
    term_type: str
    code: str
    in_history: bool
    patient: str | None
    relations: Relations

    @property
    def facts(self) -> tuple[str, ...]:
        """Ids of the recorded facts that the atom stands for."""
        return self.relations.get("fact", ())

    @property
    def near(self) -> bool:
        """True when it is close enough to stand for the claim."""
        return self.how != "embedding" or self.similarity >= TAU

    @property
    def cores(self) -> tuple[str, ...]:
        """The core concepts that it is."""
        return self.relations.get("core", (self.concept,))


class Retriever(Protocol):
    """Finds evidence."""

    def retrieve(self, claims: Sequence[str], grounded: GroundedCase) -> list[tuple[Evidence, ...]]:
        """Return, for the words of each claim, the best evidence first; empty if nothing at all is known."""


class PackRetriever:
    """Retrieval from a pack's index and, along with it, from the record of the case that is asked about."""

    def __init__(self, index: Index, atoms: Iterable[Atom], *, k: int = TOP_K, always_embed: bool = False) -> None:
        """Make a retriever.

        Args:
            index: Over the pack.
            atoms: The same pack's atoms, for surface match.
            k: How many names the embedding brings in.
            always_embed: Bring in near meanings even when the words themselves were found, as evidence for a model.
        """
        self._index, self._k, self._always_embed = index, k, always_embed
        known = tuple(atoms)
        self._surface = SurfaceIndex(known)
        self._names = {atom.concept: atom.text for atom in reversed(known) if atom.term_type in ("PT", "IN")}
        self._cases: OrderedDict[str, tuple[GroundedCase, SurfaceIndex]] = OrderedDict()

    def name(self, concept: str) -> str:
        """Return what the pack calls a concept; the id itself if it is not in the pack."""
        return self._names.get(concept, concept)

    def retrieve(self, claims: Sequence[str], grounded: GroundedCase) -> list[tuple[Evidence, ...]]:
        """See :class:`Retriever`."""
        patient, surface = self._enter(grounded)
        texts = [bare(claim) for claim in claims]
        found = [[*self._looked_up(text, surface), *self._looked_up(text, self._surface)] for text in texts]
        # A misspelling of a general name must not stand before the record's own word, nor the reverse.
        for line in found:
            line.sort(key=lambda evidence: (-evidence.similarity, not evidence.in_history))
        lacking = [n for n, line in enumerate(found) if self._always_embed or not line]
        if lacking:
            near = self._index.search([texts[n] for n in lacking], self._k, patient)
            for n, hits in zip(lacking, near, strict=True):
                seen = {(evidence.text, evidence.concept, evidence.in_history) for evidence in found[n]}
                for hit in hits:
                    made = self._made(SurfaceHit(hit.text, hit.similarity, "embedding", hit.atoms))
                    found[n] += [e for e in made if (e.text, e.concept, e.in_history) not in seen]
        return [tuple(line) for line in found]

    def describe(self, evidence: Evidence) -> str:
        """Return one line for a judge's prompt, ids resolved to names."""
        parts = [
            f"concept={evidence.name}",
            f"category={evidence.category}",
            f"source={evidence.source}/{evidence.term_type}",
            f"is_in_history={str(evidence.in_history).lower()}",
        ]
        for relation, values in evidence.relations.items():
            shown = [self.name(value) for value in values[:_SHOWN_VALUES]]
            parts.append(f"{relation}={', '.join(shown)}")
        return f'"{evidence.text}" ({evidence.how}, similarity={evidence.similarity:.2f}; {"; ".join(parts)})'

    def _enter(self, grounded: GroundedCase) -> tuple[str, SurfaceIndex]:
        """Add the case's record beside the index, unless it is there."""
        patient = f"{grounded.case.id}/{'discharge' if grounded.plan else 'interview'}"
        known = self._cases.get(patient)
        if known is None or known[0] is not grounded or not self._index.knows(patient):
            atoms = patient_atoms(grounded, patient)
            self._index.add_patient(patient, atoms)
            known = self._cases[patient] = (grounded, SurfaceIndex(atoms))
            if len(self._cases) > _CACHED_CASES:
                self._cases.popitem(last=False)
        return patient, known[1]

    def _looked_up(self, text: str, surface: SurfaceIndex) -> list[Evidence]:
        return [evidence for hit in surface.find(text) for evidence in self._made(hit)]

    def _made(self, hit: SurfaceHit) -> list[Evidence]:
        return [
            Evidence(
                text=atom.text,
                similarity=hit.similarity,
                how=hit.how,
                concept=atom.concept,
                name=self.name(atom.concept),
                category=atom.category,
                source=atom.source,
                term_type=atom.term_type,
                code=atom.code,
                in_history=atom.in_history,
                patient=atom.patient,
                relations=atom.relations,
            )
            for atom in hit.atoms
        ]


def open_retriever(
    pack: Pack | None = None,
    encoder: Encoder | None = None,
    cache_dir: Path | None = None,
    *,
    always_embed: bool = False,
) -> PackRetriever:
    """Open a retriever; the first time a pack is used with a model, it is embedded, which takes minutes.

    Args:
        pack: From :func:`~bedside.verifier.knowledge.packs.read_pack`; by default the core tables.
        encoder: By default MiniLM.
        cache_dir: Where vectors are kept; by default in the user's cache.
        always_embed: See :class:`PackRetriever`.
    """
    knowledge = pack or core_pack()
    index = Index.open(knowledge, encoder or SentenceEncoder(), cache_dir)
    return PackRetriever(index, knowledge.atoms, always_embed=always_embed)


def bare(claim: str) -> str:
    """Return what a claim is about: "patient takes a blood pressure pill" is about the "blood pressure pill"."""
    found = _FRAME.sub("", claim.strip().rstrip(".!"), count=1)
    return found or claim.strip()


def patient_atoms(grounded: GroundedCase, patient: str) -> tuple[Atom, ...]:
    """Return everything that the record's entries are called, tagged as this patient's.

    What a relative has is not the patient's, and a hidden diagnosis is not in the record.
    """
    found: dict[tuple[str, str], Atom] = {}
    for known in grounded.record:
        if known.fact.kind not in _FIELDS:
            continue
        concept = grounded.lexicon.concepts.get(known.concept)
        relations: Relations = {
            **(relations_of(concept, grounded.lexicon) if concept else {}),
            "fact": (known.fact.id,),
        }
        forms = (known.fact.text, *known.fact.lay, *(concept.forms if concept else ()))
        for form in forms:
            atom = Atom(
                text=form,
                concept=known.concept,
                category=known.fact.kind if known.fact.kind == "allergy" or concept is None else concept.kind,
                lay=form in known.fact.lay or (concept is not None and form in concept.lay),
                source="record",
                code=known.fact.code or "",
                relations=relations,
                in_history=True,
                patient=patient,
            )
            found.setdefault((form.lower(), known.fact.id), atom)
    return tuple(found.values())


def weigh(evidence: Sequence[Evidence], grounded: GroundedCase, kind: str | None = None) -> Weight:
    """Say what retrieved evidence speaks for, by the rules of seed 001 (E.3), one of them narrowed.

    There, attributes that overlap with the record let a claim pass, and the fabrications that were missed are drugs
    and findings that share a class or a site with a recorded one. Here a drug that is named counts as that drug; its
    class speaks for it only when the claim's words are no drug's name.

    Args:
        evidence: Of one claim, from a retriever.
        grounded: The case.
        kind: The claim's. Allergies answer only to allergies: taking penicillin is not being allergic to it.

    Returns:
        ``in_history`` if the record holds it, ``overlap`` if what is known of it agrees with the record, ``foreign``
        if it is something else, ``underspecified`` if nothing known is near enough to say.
    """
    allergy = kind == "allergy"
    near = [item for item in evidence if item.near]
    if not near:
        return "underspecified"
    how, best = near[0].how, max(item.similarity for item in near if item.how == near[0].how)
    leading = [item for item in near if item.how == how and (how == "embedding" or item.similarity == best)]
    if any(item.in_history and (item.category == "allergy") == allergy for item in leading):
        return "in_history"
    named = how != "embedding" and any(item.category == "medication" for item in leading)
    recorded = [known for known in grounded.record if (known.fact.kind == "allergy") == allergy]
    if any(_agrees(item, known, named, grounded) for item in leading for known in recorded):
        return "overlap"
    return "foreign"


def _agrees(item: Evidence, known: GroundedFact, named: bool, grounded: GroundedCase) -> bool:
    kind = known.fact.kind
    if item.category in _DRUGS and kind != "allergy":
        return kind == "medication" and _same_class(item, known, named, grounded)
    if item.category in ("symptom", "condition") and kind not in ("symptom", "condition"):
        return False
    if item.category == "procedure" and kind not in ("procedure", "test", "treatment"):
        return False
    lines = (core for core in item.cores if core in grounded.lexicon)
    return any(core in known.broader or known.concept in grounded.broader(core) for core in lines)


def _same_class(item: Evidence, known: GroundedFact, named: bool, grounded: GroundedCase) -> bool:
    if named:
        return known.concept in item.cores
    classes = frozenset(item.relations.get("drug_class", ()) if item.category == "medication" else item.cores)
    if classes & known.broader:
        return True
    purposes = frozenset(item.relations.get("may_treat", ())) & grounded.lexicon.treats(known.concept)
    # A purpose is shared only with a recorded illness: half of all drugs are for pain or fever, too.
    return any(other.fact.kind in ("condition", "symptom") and other.broader & purposes for other in grounded.record)
