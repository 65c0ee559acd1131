"""A case tied to the knowledge: which concepts its facts are, and which words name them.

The core tables cannot know every wording of every record. The facts' own texts and lay forms are laid over them, so
that whatever a case calls something is understood in that case.
"""

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from rapidfuzz.distance import OSA

from bedside.cases.case import Case
from bedside.cases.fact import AnyFact, Fact, Symptom
from bedside.verifier.admission_history import told_in_history
from bedside.verifier.language.context import context_of
from bedside.verifier.language.lexicon import Lexicon, Mention, core
from bedside.verifier.language.text import EMPTY, Token, content_stems, plain, stem, tokenize, tokens_of

__all__ = ["IRREGULAR", "GroundedCase", "GroundedFact", "Scope", "ground"]

_KINDS_OF_FACT = {
    "symptom": ("symptom", "condition"),
    "condition": ("condition", "symptom"),
    "medication": ("medication", "drug_class"),
    "procedure": ("procedure",),
    "test": ("procedure",),
    "treatment": ("procedure", "medication", "drug_class"),
    "allergy": ("medication", "substance", "drug_class"),
    "family": ("condition", "symptom", "procedure"),
}
_DETAILS = (
    "site", "character", "setting", "timing", "aggravating", "relieving", "radiation", "reaction", "purpose", "result",
)  # fmt: skip
_GENERAL_WORDS = frozenset(
    "drugs antibiotics medicines medication iodine food foods stings products bites pills".split()
)
# "Sweating with the pain" is no pain, nor is "swelling without itch" an itch.
_BECAUSE = re.compile(
    r"\b(?:because of|due to|caused by|with the|during|before|after|since|from|when|without|with no|but not?|"
    r"and not?)\b"
)
_NOT_GIVEN = re.compile(
    r"\b(?:got|had|has had|took|takes?|uses?|given|received|on|with) (?:no|neither) (?:\w+ )?$|"
    r"\b(?:not|never) (?:\w+ )?(?:taken|took|take|had|given|got|started|used|been on|on|received)(?: any|"
    r" an?)? (?:\w+ )?$",
    re.IGNORECASE,
)
# "One tumble in the garden" is a fall; the bare words are no names, for a temperature falls too.
_A_FALL = re.compile(
    r"\b(?:an?|one|two|three|several|repeated|recent|the) (?:\w+ )?(?:falls?|tumbles?)\b|^falls?\b|"
    r"\bfalling (?:backwards?|forwards?|down|over|off)\b|\b(?:fell|fallen)\b(?! asleep)"
)
_LONG_WORD = 7
_LETTERS_OFF = 2
_PLAIN_WORDS = frozenset("anybody everybody nobody somebody anything everything something".split())
_CACHED_CASES = 1024


class GroundedFact(NamedTuple):
    """A fact and the concept it is; ``broader`` holds the concept and all it is a kind of."""

    fact: AnyFact
    concept: str
    broader: frozenset[str]


Scope = Literal["interview", "discharge"]


class GroundedCase:
    """A case with its concepts and a matcher for its words.

    Attributes:
        record: What the patient may truly say. At discharge that includes the plan and the diagnosis; in an interview
            the plan lies in the future and the diagnosis is hidden.
        plan: What is to be taught.
        spoken_of: Concepts that the plan asserts in passing: what a drug is for, what a test showed.
        diagnosis: Concepts that would give a hidden diagnosis away; empty at discharge.
        scope: Which of the two encounters.
    """

    def __init__(self, case: Case, lexicon: Lexicon, scope: Scope = "interview") -> None:
        self.case = case
        self.scope: Scope = scope
        self.lexicon = lexicon
        self._forms: dict[str, list[str]] = {}
        lived = tuple(self._ground(fact) for fact in case.record)
        self.plan = tuple(self._ground(fact) for fact in case.plan) if scope == "discharge" else ()
        self.record = (*lived, *self.plan)
        self.spoken_of = frozenset(
            concept
            for known in self.plan
            for attribute in ("purpose", "result")
            for concept in mentions_in(lexicon, getattr(known.fact, attribute, None) or "")
        )
        self.diagnosis = self._diagnosis() if scope == "interview" else frozenset[str]()
        self.facts = {g.fact.id: g for g in self.record}
        self._overlay = Lexicon((), self._forms)

    def __reduce__(self) -> tuple[object, ...]:
        # The matcher cannot be pickled; a copy in another process grounds the case anew.
        return ground, (self.case, self.scope)

    def _ground(self, fact: AnyFact) -> GroundedFact:
        kinds = _KINDS_OF_FACT.get(fact.kind)
        own = f"case:{fact.id}"
        if kinds is None:
            return GroundedFact(fact, own, frozenset((own,)))
        # The first kind that fits wins: "anxiety" in a symptom list is the symptom, not the disorder.
        named = [c for c in self.lexicon.named(fact.text) if self.lexicon[c].kind in kinds]
        named.sort(key=lambda c: kinds.index(self.lexicon[c].kind))
        concept = named[0] if named else own
        broader = self.lexicon.ancestors(concept) if named else frozenset((own, *self._parts(fact, kinds)))
        if fact.kind == "symptom" and _A_FALL.search(" | ".join((fact.text, *fact.lay))):
            broader |= {"sx:falls"}
        # "Very little urine" beside "little dark urine" says that it is a decreased urination.
        broader |= {told for lay in fact.lay for told in self.lexicon.named(lay) if self.lexicon[told].kind in kinds}
        self._forms.setdefault(concept, []).extend((fact.text, *fact.lay, *self._joined_names(fact)))
        if fact.kind == "allergy":
            # "The tape" to somebody allergic to adhesive tape is that tape.
            self._forms[concept] += [w for w in fact.text.split() if len(w) > 3 and w.lower() not in _GENERAL_WORDS]
        return GroundedFact(fact, concept, broader)

    def _joined_names(self, fact: AnyFact) -> Iterator[str]:
        """Yield what else a drug of two is called, "lisinopril with hydrochlorothiazide", if none is taken alone."""
        first, _, second = fact.text.partition("-") if fact.kind == "medication" else (fact.text, "", "")
        alone = {other.text for other in (*self.case.plan, *self.case.record)}
        if min(len(first), len(second)) < _LONG_WORD or "-" in second or not alone.isdisjoint((first, second)):
            return
        for join in ("with", "and", "plus"):
            yield f"{first} {join} {second}"
            yield f"{second} {join} {first}"

    def _parts(self, fact: Fact, kinds: tuple[str, ...]) -> set[str]:
        """Concepts named by a part of the fact's text: "burning chest pain at night" is chest pain."""
        found: set[str] = set()
        for concept in mentions_in(self.lexicon, _BECAUSE.split(fact.text)[0]):
            if self.lexicon[concept].kind in kinds:
                found |= self.lexicon.ancestors(concept)
        return found

    @cached_property
    def details(self) -> dict[str, tuple[AnyFact, ...]]:
        """Concepts that any words of the record or the chief complaint name, with the facts that do.

        "Itching" as an allergy's reaction, "former smoker" among the habits, "seeing spots" in the complaint: not
        facts of their own, but told by the record all the same. A relative's illness is not the patient's.
        """
        found: dict[str, tuple[AnyFact, ...]] = dict.fromkeys(self._affirmed(self.case.chief_complaint), ())
        for known in self.record:
            for text in _texts(known.fact):
                for concept in self._affirmed(text):
                    found[concept] = (*found.get(concept, ()), known.fact)
        return found

    @cached_property
    def history(self) -> frozenset[str]:
        """Concepts that the note's history affirms, which need not be facts of the record."""
        return told_in_history(self.case.note, self.lexicon)

    def _affirmed(self, text: str) -> Iterator[str]:
        tokens = tokenize(plain(text))
        for mention in self.lexicon.find(tokens):
            span = tokens[mention.first].start, tokens[mention.last].end
            # A drug that did not help was taken all the same, unless it was never given.
            drug = self.lexicon[mention.concepts[0]].kind == "medication" and not _NOT_GIVEN.search(text[: span[0]])
            if drug or not context_of(text, *span).denied:
                yield from mention.concepts

    @cached_property
    def secrets(self) -> tuple[frozenset[str], ...]:
        """Names of the hidden diagnosis that no table holds, as sets of stems; none that the record itself uses."""
        if self.scope == "discharge":
            return ()
        told = [set(content_stems(text)) for g in self.record for text in (g.fact.text, *g.fact.lay)]
        told.append(set(content_stems(self.case.chief_complaint)))
        names = (self.case.diagnosis.text, *self.case.diagnosis.synonyms)
        found = [frozenset(IRREGULAR.get(s, s) for s in content_stems(name)) for name in names]
        return tuple(s for s in dict.fromkeys(found) if s and _telling(s) and not any(s <= t for t in told))

    def mentions(self, sentence: str) -> tuple[Mention, ...]:
        """Find all mentions in a sentence, as :meth:`find` does; one that was heard before is not searched again."""
        return _mentions(sentence, self)

    def find(self, tokens: tuple[Token, ...]) -> list[Mention]:
        """Find all mentions; where the case's own words and the core's overlap, the longer wins, the case's first."""
        own = self._overlay.find(tokens)
        taken = {i for m in own for i in range(m.first, m.last + 1)}
        own += [m for m in self._misspelt(tokens) if m.first not in taken]
        general = self._apart(self.lexicon.find(tokens), tokens)
        if not own:
            return general
        found: list[Mention] = []
        for mention in sorted((*own, *general), key=lambda m: (-_words(m, tokens), m not in own, m.first)):
            if all(mention.last < f.first or mention.first > f.last for f in found):
                found.append(mention)
        return sorted(found, key=lambda m: m.first)

    @cached_property
    def _spellings(self) -> dict[str, str]:
        """Long words that name drugs and illnesses of the record, with the concept they name."""
        found: dict[str, str] = {}
        for known in self.record:
            if known.fact.kind in ("medication", "condition"):
                found |= dict.fromkeys(re.findall(r"[a-z]{7,}", known.fact.text.lower()), known.concept)
        return found

    def _misspelt(self, tokens: tuple[Token, ...]) -> list[Mention]:
        """Read "lisinapril" as the lisinopril of the record: a long word two letters off, known by no other name."""
        found = []
        for index, token in enumerate(tokens):
            word = token.text.lower()
            if len(word) < _LONG_WORD or word in self._spellings or word in _PLAIN_WORDS:
                continue
            for spelling, concept in self._spellings.items():
                if spelling[0] != word[0] or stem(word) == stem(spelling):
                    continue
                off = OSA.distance(word, spelling, score_cutoff=_LETTERS_OFF)
                if off <= _LETTERS_OFF and not self.lexicon.find((token,)):
                    found.append(Mention((concept,), index, index))
        return found

    def _apart(self, mentions: list[Mention], tokens: tuple[Token, ...]) -> list[Mention]:
        """Read "oxycodone, acetaminophen" as two drugs, not as the product that combines them."""
        if not any(m.last > m.first and self._listed(m, tokens) for m in mentions):
            return mentions
        found: list[Mention] = []
        for mention in mentions:
            if mention.last == mention.first or not self._listed(mention, tokens):
                found.append(mention)
                continue
            for index in range(mention.first, mention.last + 1):
                found += [m._replace(first=index, last=index) for m in self.lexicon.find(tokens[index : index + 1])]
        return found

    def _listed(self, mention: Mention, tokens: tuple[Token, ...]) -> bool:
        words = tokens[mention.first : mention.last + 1]
        gap = any(b.start - a.end > 1 for a, b in pairwise(words))
        return gap and all(self.lexicon[c].kind == "medication" for c in mention.concepts)

    def holds(self, concept: str) -> bool:
        """True when the record holds a concept, or one that it is a kind of."""
        return any(known.concept == concept or concept in known.broader for known in self.record)

    def kind(self, concept: str) -> str:
        """Return the category of a concept, of the knowledge or of this case."""
        if concept.startswith("case:"):
            return self.facts[concept[5:]].fact.kind
        return self.lexicon[concept].kind

    def broader(self, concept: str) -> frozenset[str]:
        """Return a concept and all it is a kind of."""
        if concept.startswith("case:"):
            return self.facts[concept[5:]].broader
        return self.lexicon.ancestors(concept)

    def meanings(self, mentions: Iterable[Mention]) -> frozenset[str]:
        """Return what is mentioned with all it is a kind of; wine and vodka are alcohol."""
        found = {broader for m in mentions for concept in m.concepts for broader in self.broader(concept)}
        aspects = {a for c in found if c.startswith("sub:") for a in self.lexicon[c].relations.get("aspect", ())}
        return frozenset(found | {f"sub:{aspect}" for aspect in aspects if f"sub:{aspect}" in self.lexicon})

    def _diagnosis(self) -> frozenset[str]:
        names = (self.case.diagnosis.text, *self.case.diagnosis.synonyms)
        return frozenset(
            concept
            for name in names
            for concept in self.lexicon.named(name)
            if self.lexicon[concept].kind == "condition"
        )


IRREGULAR = {
    "tore": "tear",
    "torn": "tear",
    "broke": "break",
    "broken": "break",
    "bled": "bleed",
    "fell": "fall",
    "fallen": "fall",
}


def _words(mention: Mention, tokens: tuple[Token, ...]) -> int:
    """How many words of a mention count; "have a running" names no more than "running nostril"."""
    return sum(t.stem not in EMPTY for t in tokens[mention.first : mention.last + 1])


def _telling(stems: frozenset[str]) -> bool:
    """One short word ("mono" aside, "cold") says too little to be a name."""
    return len(stems) > 1 or all(len(s) > 3 or s.isupper() for s in stems)


def _texts(fact: AnyFact) -> Iterator[str]:
    """Everything that a fact says in words of or about the patient."""
    if fact.kind == "family":
        return
    yield from (fact.text, *fact.lay)
    if fact.kind == "allergy":
        yield f"allergic to {fact.text}"
    if fact.kind == "social":
        yield f"I {fact.text}"
    if isinstance(fact, Symptom):
        yield from (f"worse with {factor}" for factor in fact.aggravating)
        yield from (f"better with {factor}" for factor in fact.relieving)
    for name in _DETAILS:
        value = getattr(fact, name, None)
        yield from (value,) if isinstance(value, str) else value or ()


@lru_cache(maxsize=8192)
def _mentions(sentence: str, grounded: GroundedCase) -> tuple[Mention, ...]:
    return tuple(grounded.find(tokens_of(sentence)))


def mentions_in(lexicon: Lexicon, phrase: str) -> tuple[str, ...]:
    """Return the concepts that a phrase mentions, in order."""
    return tuple(dict.fromkeys(c for m in lexicon.find(tokenize(plain(phrase))) for c in m.concepts))


_grounded: OrderedDict[tuple[int, Scope], GroundedCase] = OrderedDict()


def ground(case: Case, scope: Scope) -> GroundedCase:
    """Return the grounded case; the most recent thousand are kept, for encounters come back to the same cases."""
    key = id(case), scope
    found = _grounded.get(key)
    if found is None or found.case is not case:
        found = _grounded[key] = GroundedCase(case, core(), scope)
        if len(_grounded) > _CACHED_CASES:
            _grounded.popitem(last=False)
    return found
