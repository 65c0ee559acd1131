"""Operations that are told by the organ alone: "Appendix, in '19." to "Have you had any surgery?"."""

import re
from collections.abc import Iterator

from bedside.verifier.claim import Claim
from bedside.verifier.claims.details import side_in
from bedside.verifier.claims.focus import Focus
from bedside.verifier.claims.mentions import claim_of
from bedside.verifier.claims.places import sites_of
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.context import context_of, is_belief, is_question
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import find_quantities
from bedside.verifier.language.text import Sentence

__all__ = ["operations_of"]

_ASKED = Pattern(
    r"\b(?:surger\w+|operat\w+|procedures?|(?:taken?|took|take|had|cut|have) (?:\w+ ){0,3}?(?:out|off)|removed|"
    r"under the knife|amputat\w+|did they (?:take|remove|cut|do|fix|operate|replace)|was (?:it|that) (?:removed|"
    r"done))\b",
    re.IGNORECASE,
)
_NEGATED = Pattern(r"\b(?:no|not|never|nothing|none|neither|kept|keep|still have|left (?:me )?(?:my|the))\b|n't\b", re.IGNORECASE)
_LONGEST = 9
_ANSWERS = 2


def operations_of(sentence: Sentence, focus: Focus, grounded: GroundedCase, claims: list[Claim]) -> Iterator[Claim]:
    """Find organs that answer a question about operations.

    Args:
        sentence: A sentence of the patient.
        focus: What the question was about.
        grounded: The case.
        claims: What the sentence says by itself.

    Yields:
        Claims of kind ``operated``.
    """
    body = sentence.text
    if sentence.number > _ANSWERS or len(sentence.tokens) > _LONGEST or not _ASKED.search(focus.spoken):
        return
    if any(c.kind in ("procedure", "condition") and "carried" not in c.attributes for c in claims):
        return
    if _NEGATED.search(body) or is_belief(body) or is_question(body):
        return
    year = next((q.value for q in find_quantities(body) if q.kind == "year"), "")
    side = side_in(body) or ""
    for site, start, end in sites_of(sentence, grounded):
        details = {"site": site} | ({"year": year} if year else {}) | ({"side": side} if side else {})
        yield claim_of("operated", "operated", sentence, (start, end), context_of(body, start, end), details)
