"""Claims of seeing or hearing what is not there: things at large, or a wife who died, "sitting in her chair"."""

import re
from collections.abc import Iterator

from bedside.verifier.claim import Claim
from bedside.verifier.claims.focus import Focus
from bedside.verifier.claims.mentions import claim_of
from bedside.verifier.language.context import context_of
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence
from bedside.verifier.language.unreal import NOT_THERE

__all__ = ["apparitions_of"]

_KIN = (
    r"(?:wife|husband|mother|mom|mum|father|dad|son|daughter|brother|sister|grandmother|grandma|grandfather|grandpa|"
    r"friend|baby|partner)"
)
_PERCEIVED = Pattern(
    rf"\b(?P<sense>see|seeing|saw|seen|hear|hearing|heard)(?: of)? "
    rf"(?P<whom>(?:my|the) (?P<dead>dead|late|deceased|departed) {_KIN}|my {_KIN}|her|him) "
    r"(?:(?:just|still|out|right) )?(?:sit|stand|walk|talk|call|whisper|look|wav|smil|com|ly|watch)\w*\b",
    re.IGNORECASE,
)
_DIED = Pattern(
    r"\b(?:died|passed(?: away| on)?|dead|death|late|deceased|funeral|buried|lost (?:my|your|him|her))\b", re.IGNORECASE
)
# In dreams and pictures anybody sees them.
_IMAGINED = Pattern(
    r"\b(?:dream\w*|photos?|pictures?|videos?|mind(?:'s eye)?|memor\w+|imagin\w+|wish|used to|heaven|"
    r"the last time|before|when (?:he|she) was)\b",
    re.IGNORECASE,
)
_HALLUCINATION = {"h": "sx:auditory-hallucinations", "s": "sx:visual-hallucinations"}


def apparitions_of(sentence: Sentence, focus: Focus) -> Iterator[Claim]:
    """Find what is told of seeing or hearing somebody who is dead.

    Args:
        sentence: A sentence of the patient.
        focus: What the question was about; it may tell of the death.

    Yields:
        Hallucinations.
    """
    body = sentence.text
    if (unreal := NOT_THERE.search(body)) and not _IMAGINED.search(body):
        context = context_of(body, unreal.start(), unreal.start())
        yield claim_of("symptom", "sx:hallucinations", sentence, unreal.span(), context, {})
        return
    match = _PERCEIVED.search(body)
    if match is None or _IMAGINED.search(body):
        return
    if match["dead"] or _DIED.search(body) or _DIED.search(focus.spoken):
        context = context_of(body, *match.span())
        concept = _HALLUCINATION[match["sense"][0].lower()]
        yield claim_of("symptom", concept, sentence, match.span(), context._replace(experiencer="patient"), {})
