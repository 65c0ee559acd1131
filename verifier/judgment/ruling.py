"""A ruling: the judgment on one claim, with the constraint that the claim breaks."""

from typing import NamedTuple

from bedside.cases.fact import AnyFact
from bedside.verifier.claim import Claim
from bedside.verifier.grounding import GroundedCase, GroundedFact
from bedside.verifier.verdict import Judgment, Label, Violation

__all__ = ["Ruling", "in_line", "rule", "words_of"]


class Ruling(NamedTuple):
    """A judgment and the constraint it breaks, if any."""

    judgment: Judgment
    violation: Violation | None = None


def rule(
    claim: Claim,
    label: Label,
    reason: str,
    facts: tuple[AnyFact, ...] = (),
    violation: Violation | None = None,
) -> Ruling:
    """Build a ruling; what is fabricated always breaks a constraint."""
    if label == "fabricated" and violation is None:
        violation = "fabrication"
    evidence = tuple(fact.id for fact in facts)
    return Ruling(Judgment(claim=claim, label=label, reason=reason, evidence=evidence), violation)


def in_line(concept: str, known: GroundedFact, grounded: GroundedCase) -> bool:
    """True when a concept is that of a fact, or broader, or narrower."""
    return known.concept == concept or concept in known.broader or known.concept in grounded.broader(concept)


_TOLD = (
    "site",
    "character",
    "radiation",
    "timing",
    "setting",
    "onset",
    "duration",
    "result",
    "reaction",
    "purpose",
)
_LISTED = ("aggravating", "relieving")


def words_of(fact: AnyFact) -> str:
    """Return everything that a fact says in words."""
    told = vars(fact)  # asking a model for what it lacks is slow
    parts = [fact.text, *fact.lay, *(told.get(name) or "" for name in _TOLD)]
    parts += [word for name in _LISTED for word in told.get(name) or ()]
    return " | ".join(filter(None, parts))
