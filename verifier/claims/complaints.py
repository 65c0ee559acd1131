"""Complaints that no table knows: "rainbows around the lights", "my tongue feels thick".

They are recognised by how a complaint is put and compared with the record word by word.
"""

import re

from bedside.cases.fact import SocialHistory
from bedside.cases.noise import NoiseProfile
from bedside.verifier.claim import Claim
from bedside.verifier.claims.extraction import claim_of, normalise
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.judgment.ruling import Ruling, rule, words_of
from bedside.verifier.language.context import context_of, is_question
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence, content_stems, sentences

__all__ = ["complaint_in", "judge_complaint", "unknown_complaint"]

_FRAME = Pattern(
    r"\b(?:i(?:'ve)? (?:also )?(?:have|had|got|been having|been getting|get|feel|felt|noticed|can't|cannot|"
    r"see|saw|hear)|there's|there is|i'm (?:also )?(?:having|getting|seeing|hearing)|"
    r"my (?:whole |left |right |own )?\w+(?: \w+)? (?:is|are|feels?|has gone|have gone|went|gets?|keeps?|"
    r"turned|won't|looks?)|(?:it|they)(?:'s|'ve| has| have) been)\b",
    re.IGNORECASE,
)
_CUE = Pattern(
    r"\b(?:trouble|difficulty|hard time|feelings?|spells?|loss of|pain\w*|ach\w+|hurt\w*|swoll\w+|swell\w*|"
    r"numb\w*|weak\w*|blind\w*|blur\w*|spots?|bumps?|lumps?|sores?|bleed\w*|blood\w*|"
    r"itch\w*|burn\w*|sting\w*|twitch\w*|spasms?|stiff\w*|tingl\w*|cramps?|puffy|droop\w*|crooked|drag\w*|"
    r"thick|raw|dry|cold|blue|hot|red|jolts?|jerk\w*|shak\w+|"
    r"loose|runny|watery|rings?|rainbows?|curtain|double|voices|sleep|appetite|urge|bathroom|memory|vision|balance|"
    r"breath|"
    r"thoughts|energy)\b",
    re.IGNORECASE,
)
_NO_COMPLAINT = Pattern(
    r"\b(?:work|job|wife|husband|kids?|children|family|house|money|boss|worr\w+|stress\w*|scared|afraid|"
    r"nervous|angry|upset|sorry|grateful|hope|question|appointment|doctor|"
    r"better|fine|okay|ok|good|great|lucky|weather|movie|tv|news|bus|car|dog|cat|coffee|concern\w*|feeling "
    r"that)\b",
    re.IGNORECASE,
)
_SHARED = 0.5


def unknown_complaint(sentence: Sentence, grounded: GroundedCase, *, given: bool = False) -> Claim | None:
    """Find a complaint in a sentence in which nothing is named.

    Args:
        sentence: A sentence in the first person.
        grounded: The case.
        given: True for a claim that somebody took for medical already; then a body part is enough.

    Returns:
        A claim of kind ``complaint``, if there is one.
    """
    body = sentence.text
    frame = _FRAME.search(body)
    if frame is None or is_question(body) or _NO_COMPLAINT.search(body):
        return None
    cue = _CUE.search(body)
    site = any(c.startswith("site:") for m in grounded.mentions(sentence.text) for c in m.concepts)
    if not ((site and cue) or (given and (site or cue))):
        return None
    span = (frame.start(), len(body.rstrip(" .!")))
    last = cue.start() if cue else frame.end()
    return claim_of("complaint", "complaint", sentence, span, context_of(body, max(last, frame.end()), span[1]), {})


def complaint_in(text: str, grounded: GroundedCase, *, given: bool = False) -> Claim | None:
    """Find the first such complaint of a text."""
    found = (unknown_complaint(s, grounded, given=given) for s in sentences(normalise(text)))
    return next((claim for claim in found if claim), None)


def judge_complaint(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:  # noqa: ARG001
    """Judge a complaint by the words it shares with the record."""
    if claim.certainty == "belief" or claim.act != "statement" or claim.experiencer != "patient":
        return rule(claim, "unverifiable", "no complaint that is stated")
    said = set(content_stems(claim.surface)) - _FRAME_STEMS
    if not said:
        return rule(claim, "unverifiable", "too vague to check")
    for known in grounded.record:
        if isinstance(known.fact, SocialHistory):
            continue
        shared = said & set(content_stems(words_of(known.fact)))
        if len(shared) >= _SHARED * len(said):
            if claim.denied:
                return rule(claim, "unverifiable", "may deny what the record holds", (known.fact,))
            return rule(claim, "supported", f"in the words of the record: {known.fact.text}", (known.fact,))
    if len(said & set(content_stems(grounded.case.chief_complaint))) >= _SHARED * len(said):
        return rule(claim, "supported", "in the complaint")
    if claim.denied:
        return rule(claim, "supported", "the record holds nothing of the kind")
    return rule(claim, "fabricated", "the record holds nothing of the kind")


_FRAME_STEMS = frozenset("have had got get feel felt notic been having see saw hear also i ve m".split())
