"""Consistency with what was said before: a patient may correct itself towards the record, not away from it."""

from collections.abc import Sequence
from functools import lru_cache

from bedside.verifier.claim import Claim, concepts_of
from bedside.verifier.claims.extraction import extract_claims
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.judgment.ruling import Ruling
from bedside.verifier.judgment.tolerance import STIGMATISED_ASPECTS

__all__ = ["contradicts"]


@lru_cache(maxsize=4096)
def _said(text: str, grounded: GroundedCase) -> tuple[Claim, ...]:
    return tuple(c for c in extract_claims(text, grounded) if _stated(c, grounded))


def _stated(claim: Claim, grounded: GroundedCase) -> bool:
    return (
        claim.act == "statement"
        and claim.certainty == "certain"
        and claim.kind not in ("onset", "reaction")
        # Coffee and cats are circumstances; of what is hidden for shame people do contradict themselves.
        and not (claim.kind == "substance" and "aspect" not in claim.attributes and not _hidden(claim, grounded))
        and ":any" not in claim.concept
    )


def _hidden(claim: Claim, grounded: GroundedCase) -> bool:
    aspects = grounded.lexicon[claim.concept].relations.get("aspect", ()) if claim.concept in grounded.lexicon else ()
    return not STIGMATISED_ASPECTS.isdisjoint(aspects)


def contradicts(rulings: Sequence[Ruling], history: Sequence[str], grounded: GroundedCase) -> bool:
    """True when a claim that the record does not bear out takes back an earlier one.

    Args:
        rulings: On the utterance at hand.
        history: The patient's earlier utterances.
        grounded: The case.

    Returns:
        False also for whoever corrects an earlier untruth.
    """
    doubtful = [
        r.judgment.claim for r in rulings if r.judgment.label != "supported" and _stated(r.judgment.claim, grounded)
    ]
    if not doubtful:
        return False
    earlier = [claim for text in history for claim in _said(text, grounded)]
    return any(_opposed(now, then) for now in doubtful for then in earlier)


def _opposed(now: Claim, then: Claim) -> bool:
    if now.experiencer != then.experiencer:
        return False
    if now.kind == then.kind == "demographic":
        return any(then.attributes.get(name, value) != value for name, value in now.attributes.items())
    return now.denied != then.denied and now.time == then.time and bool(set(concepts_of(now)) & set(concepts_of(then)))
