"""What the cautions of a plan's drugs forbid, whichever drug the talk is about."""

from collections.abc import Iterator
from functools import lru_cache

from bedside.cases.fact import Medication
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.teaching.kinds import kinds_of
from bedside.verifier.teaching.permission import defied
from bedside.verifier.teaching.phrases import Bag, Phrase, coverage, phrase_of
from bedside.verifier.teaching.statement import wordings_of

__all__ = ["cautions_defied"]

_TOLD = 0.8
"""Share of a drug's purpose that a sentence must hold to be about it."""


def cautions_defied(bag: Bag, grounded: GroundedCase) -> Iterator[str]:
    """Yield the cautions of drugs that a sentence goes against, whichever drug the talk is about."""
    prohibitions, own = _prohibitions(grounded)
    told = own.union(*(words for purpose, words in _purposes(grounded) if coverage(purpose, bag) >= _TOLD))
    others = bag._replace(stems=bag.stems - told, concepts=bag.concepts - told)
    for item, phrase in prohibitions:
        if defied(phrase, others):
            yield item


@lru_cache(maxsize=1024)
def _prohibitions(grounded: GroundedCase) -> tuple[tuple[tuple[str, Phrase], ...], frozenset[str]]:
    """Return what the cautions of the plan's drugs forbid, and the words and concepts of the drugs, which it allows."""
    found: list[tuple[str, Phrase]] = []
    own: set[str] = set()
    for known in grounded.plan:
        if not isinstance(known.fact, Medication) or known.fact.change == "stopped":
            continue
        own |= {word for wording in wordings_of(known.fact) for word, _ in phrase_of(wording).weights}
        own |= {*known.broader, known.concept}
        for number, caution in enumerate(known.fact.precautions, 1):
            found += [(f"{known.fact.id}.precaution{number}", phrase_of(part)) for part in caution.split(";")]
    particular = (row for row in found if row[1].negative and (kinds_of(row[1].text) or _names_substance(row[1])))
    return tuple(particular), frozenset(own)


@lru_cache(maxsize=1024)
def _purposes(grounded: GroundedCase) -> tuple[tuple[Phrase, frozenset[str]], ...]:
    """Return what the plan's drugs are for, with its words and concepts: to block the salt hormone allows no salt."""
    drugs = (known.fact for known in grounded.plan if isinstance(known.fact, Medication))
    phrases = [phrase_of(fact.purpose) for fact in drugs if fact.purpose]
    return tuple((p, kinds_of(p.text).union((w for w, _ in p.weights), (c for c, _ in p.concepts))) for p in phrases)


def _names_substance(phrase: Phrase) -> bool:
    return any(concept.startswith(("drug:", "class:", "sub:")) for concept, _ in phrase.concepts)
