"""Operations that are told by the organ: "Appendix, in '19.", "they put a plate in my ankle", "I had my hip done"."""

import re
from collections.abc import Iterator

from bedside.verifier.claim import Claim
from bedside.verifier.claims.details import side_in
from bedside.verifier.claims.focus import Focus
from bedside.verifier.claims.mentions import claim_of
from bedside.verifier.claims.places import sites_of
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.context import clause_bounds, context_of, is_belief, is_question
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
_SURGEON = r"(?:they|he|she|(?:the |my |a )?(?:doctors?|surgeons?|dentist|specialist|hospital))(?:'ve| have| had|'d)?"
_HARDWARE = (
    r"(?:mesh|plates?|pins?|screws?|rods?|stents?|stitch\w*|staples|grafts?|valve|port|shunt|implants?|coils?|cage|"
    r"balloon)"
)
# Before the organ: who operated, or what was put there.
_BEFORE = Pattern(
    rf"\b{_SURGEON} (?:also |just |then |even |already )?(?:took (?!a look|the edge|my (?:blood|temp|pulse))|"
    rf"removed|drained|sewed|"
    r"stitched|fixed|repaired|replaced|operated on|opened up|pinned|scraped|scoped|lasered|fused|amputated|"
    r"stretched|stented|"
    rf"cut (?!me off)|put (?:\w+ ){{0,3}}?{_HARDWARE} (?:in|into|on|across|through)\b)|"
    r"\b(?:surgery|operation|operated) (?:done )?on\b|"
    rf"\b(?:have|had|got|with) (?:\w+ ){{0,3}}?{_HARDWARE} (?:in|across)\b|"
    r"\b(?:have|had|got|getting) (?:my|both|the|a new) (?=.*\b(?:taken out|removed|replaced|repaired|"
    r"operated on|scoped|fused|"
    r"pinned|amputated)\b)|\b(?:lost|gave up) (?:my|a|one) (?=\w+ (?:in (?:19|20)\d\d|to (?:cancer|infection|"
    r"diabetes)))",
    re.IGNORECASE,
)
_NO_OPERATION = Pattern(
    r"\b(?:blood (?:out of|from)|needles?|swabs?|cuff|iv|samples?|x-?rays?|pictures?|look(?:ed)? at|light|"
    r"bandage|cast|ice|today|"
    r"tonight|this morning|just now)\b",
    re.IGNORECASE,
)
_NEGATED = Pattern(
    r"\b(?:no|not|never|nothing|none|neither|kept|keep|still have|left (?:me )?(?:my|the))\b|n't\b", re.IGNORECASE
)
_NO_ORGAN = frozenset(("site:blood", "site:whole-body", "site:skin"))
_LONGEST = 9
_ANSWERS = 2


def operations_of(sentence: Sentence, focus: Focus, grounded: GroundedCase, claims: list[Claim]) -> Iterator[Claim]:
    """Find organs on which somebody says to have been operated.

    Args:
        sentence: A sentence of the patient.
        focus: What the question was about.
        grounded: The case.
        claims: What the sentence says by itself.

    Yields:
        Claims of kind ``operated``.
    """
    body = sentence.text
    if _NEGATED.search(body) or is_belief(body) or is_question(body):
        return
    if any(c.kind in ("procedure", "condition") and "carried" not in c.attributes for c in claims):
        return
    answers = sentence.number <= _ANSWERS and len(sentence.tokens) <= _LONGEST and _ASKED.search(focus.spoken)
    told = _BEFORE.search(body)
    if not answers and (told is None or _NO_OPERATION.search(body)):
        return
    first, last = (told.end(), clause_bounds(body, told.end())[1]) if told and not answers else (0, len(body))
    year = next((q.value for q in find_quantities(body) if q.kind == "year"), "")
    side = side_in(body) or ""
    for site, start, end in sites_of(sentence, grounded):
        if first <= start and end <= last and site not in _NO_ORGAN:
            details = {"site": site} | ({"year": year} if year else {}) | ({"side": side} if side else {})
            yield claim_of("operated", "operated", sentence, (start, end), context_of(body, start, end), details)
