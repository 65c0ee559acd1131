"""The case as its owner knows it: what there is to tell, found by what is asked."""

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import TypeVar

from bedside.cases.fact import (
    Allergy,
    AnyFact,
    Condition,
    Fact,
    FamilyHistory,
    Medication,
    Procedure,
    SocialHistory,
    Symptom,
    Test,
    Treatment,
)
from bedside.verifier.grounding import GroundedCase, GroundedFact, mentions_in
from bedside.verifier.language.text import content_stems

__all__ = ["Record", "record_of"]

_ABSTAINS = re.compile(r"\b(?:no|not|never|denies|none|non-?\w*smoker|abstain\w*)\b|n't\b")
_MODIFIERS = {
    "aggravating": re.compile(
        r"\b(?:worse|worsens|worsening|increasing|caused|provoked|triggered) (?:with|after|when|by|on|"
        r"lying|during)\b|\brelieved\b.*\bworse\b"
    ),
    "relieving": re.compile(r"\b(?:reliev\w+|eased|better|improv\w+) (?:by|with|when|after|on)\b"),
    "timing": re.compile(
        r"\b(?:worse|worsening|symptoms) (?:at night|in the (?:morning|evening)|over|during the)\b|"
        r"\bprogressive(?:ly)?\b"
    ),
}
_EMPTY = frozenset(
    [
        "feel",
        "felt",
        "chang",
        "notic",
        "problem",
        "troubl",
        "pain",
        "better",
        "wors",
        "time",
        "today",
        "normal",
        "still",
        "ever",
        "start",
        "left",
        "right",
        "side",
        "much",
        "usual",
        "doctor",
        "symptom",
        "anyth",
        "someth",
        "hurt",
        "sinc",
        "after",
        "when",
        "have",
        "manag",
        "area",
        "bodi",
        "month",
        "week",
        "year",
        "day",
        "past",
        "last",
        "recent",
        "three",
        "more",
        "than",
        "near",
        "anyon",
        "four",
        "work",
        "live",
        "home",
        "without",
    ]
)
_TISSUES = {
    "site:joint": tuple(
        f"site:{part}" for part in "knee hip shoulder elbow wrist ankle finger toe hand foot jaw spine back".split()
    ),
    "site:muscle": tuple(
        f"site:{part}" for part in "arm leg thigh calf back shoulder buttock forearm upper-arm".split()
    ),
}
"""Where a pain of joints or muscles may be."""
F = TypeVar("F", bound=Fact)


class Record:
    """One patient's facts by kind.

    Attributes:
        main: The symptom that brought the patient; None in a record without symptoms.
    """

    def __init__(self, grounded: GroundedCase) -> None:
        self.grounded = grounded
        self.case = grounded.case
        self.facts = tuple(g.fact for g in grounded.record)
        self.symptoms = self._of(Symptom)
        self.conditions = self._of(Condition)
        self.medications = self._of(Medication)
        self.allergies = self._of(Allergy)
        self.family = self._of(FamilyHistory)
        self.social = self._of(SocialHistory)
        self.procedures = tuple(f for f in self.facts if isinstance(f, Procedure | Test | Treatment))
        self.main = self._main()
        self._found: dict[tuple[str, tuple[type, ...]], tuple[AnyFact, ...]] = {}

    def _of(self, kind: type[F]) -> tuple[F, ...]:
        return tuple(f for f in self.facts if isinstance(f, kind))

    def _main(self) -> Symptom | None:
        """The symptom whose words the chief complaint shares most; the first one if it shares none."""
        complaint = set(content_stems(self.case.chief_complaint))
        named: set[str] = set()
        for concept in mentions_in(self.grounded.lexicon, self.case.chief_complaint):
            named |= self.grounded.broader(concept)

        def likeness(fact: Symptom) -> tuple[int, int]:
            known = self.grounded.facts[fact.id].concept in named
            return 2 * known + len(complaint & self._stems(fact)), bool(fact.onset)

        return max(self.symptoms, key=likeness, default=None)

    @cached_property
    def unmentioned(self) -> tuple[Symptom, ...]:
        """Symptoms that the chief complaint does not speak of already."""
        complaint = set(content_stems(self.case.chief_complaint))
        named = set(mentions_in(self.grounded.lexicon, self.case.chief_complaint))
        return tuple(
            s
            for s in self.symptoms
            if self.grounded.facts[s.id].concept not in named and not complaint & self._stems(s)
        )

    def named(self, concept: str, *kinds: type) -> tuple[AnyFact, ...]:
        """Return the facts that a concept renders, exact ones first; also broader and narrower ones."""
        key = concept, kinds
        if key not in self._found:
            self._found[key] = tuple(
                g.fact for g in sorted(self._matching(concept, kinds), key=lambda g: g.concept != concept)
            )
        return self._found[key]

    def _matching(self, concept: str, kinds: tuple[type, ...]) -> list[GroundedFact]:
        broader = self.grounded.broader(concept)
        return [
            g
            for g in self.grounded.record
            if isinstance(g.fact, kinds)
            and (concept in g.broader or g.concept in broader)
            and not self._elsewhere(g, concept)
        ]

    def _elsewhere(self, known: GroundedFact, concept: str) -> bool:
        """True for pain in the throat where chest pain is asked about: its place makes it another thing."""
        site = getattr(known.fact, "site", None)
        if not site or concept in known.broader or concept not in self.grounded.lexicon:
            return False
        asked = set(self.grounded.lexicon[concept].relations.get("site", ()))
        asked.update(*(_TISSUES.get(place, ()) for place in tuple(asked)))
        words = " ".join((site, *known.fact.lay))
        own = {c for c in mentions_in(self.grounded.lexicon, words) if c.startswith("site:")}
        return bool(asked and own) and not self._around(asked) & own and not self._around(own) & asked

    def _around(self, places: Iterable[str]) -> set[str]:
        """Return places with all that they are parts of."""
        return {whole for place in places for whole in (place, *self.grounded.broader(place))}

    def gives_away(self, text: str | None) -> bool:
        """Return True when words name the hidden diagnosis."""
        hidden = self.grounded.diagnosis
        return bool(text and hidden) and any(c in hidden for c in mentions_in(self.grounded.lexicon, text or ""))

    @staticmethod
    def abstains(fact: SocialHistory) -> bool:
        """Return True for a habit that the patient does not have."""
        return bool(_ABSTAINS.search(fact.text.lower()))

    def modifiers(self, name: str) -> tuple[Symptom, ...]:
        """Return symptoms that are a detail of the others, as "symptoms worse at night" is ``timing``."""
        pattern = _MODIFIERS.get(name)
        return tuple(s for s in self.symptoms if pattern is not None and pattern.search(s.text.lower()))

    def sharing(self, text: str, least: int = 1, *, habits: bool = False) -> tuple[AnyFact, ...]:
        """Return the symptom or condition that shares most content words with a text.

        Args:
            text: A question that names nothing the record is known to hold.
            least: Fewer words in common do not count.
            habits: Look among the circumstances of life too.
        """
        asked = {s for s in content_stems(text) if len(s) > 3 and s not in _EMPTY}
        known: tuple[AnyFact, ...] = (*self.symptoms, *self.conditions, *(self.social if habits else ()))
        scored = [(len(asked & self._stems(f)), f) for f in known]
        best = max((score for score, _ in scored), default=0)
        return tuple(f for score, f in scored if score == best)[:1] if best >= least else ()

    def touches(self, text: str, fact: Fact) -> bool:
        """Return True when a text has any telling word of a fact in it."""
        return bool({s for s in content_stems(text) if len(s) > 3 and s not in _EMPTY} & self._stems(fact))

    def shares(self, text: str, fact: Fact) -> bool:
        """Return True when a question has the words of a fact in it, so that "yes" tells all of it."""
        asked = {s for s in content_stems(text) if len(s) > 3}
        own = set(content_stems(fact.text))
        return bool(asked & self._stems(fact)) and len(own - asked) <= 1

    def _stems(self, fact: Fact) -> set[str]:
        return {stem for text in (fact.text, *fact.lay) for stem in content_stems(text)}

    def social_about(self, *aspects: str) -> tuple[SocialHistory, ...]:
        """Return the circumstances of some aspects."""
        return tuple(f for f in self.social if f.aspect in aspects)


@lru_cache(maxsize=1024)
def record_of(grounded: GroundedCase) -> Record:
    """Return the record of a case, built once."""
    return Record(grounded)
