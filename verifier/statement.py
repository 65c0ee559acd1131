"""Does a sentence say anything at all?

Headings, keyword lists and bare topic words hold the right words and state nothing; they must not teach or score.
"""

import re

from bedside.cases.fact import AnyFact, Instruction, Medication
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.phrases import Bag, coverage, phrase_of
from bedside.verifier.quantities import Quantity
from bedside.verifier.regimen import Focus
from bedside.verifier.text import STOPWORDS, Sentence

__all__ = ["is_verbatim", "says_something", "wordings_of"]

_VERB = re.compile(
    r"\b(?:is|are|was|were|be|am|isn't|aren't|wasn't|have|has|had|do|don't|does|did|didn't|will|won't|can|"
    r"can't|could|may|might|should|must|need|needs|take|takes|taking|took|taken|use|"
    r"start|started|stop|stopped|keep|call|come|go|see|get|got|give|gave|given|put|help|helps|watch|weigh|"
    r"check|eat|drink|avoid|"
    r"walk|rest|lift|drive|return|follow|finish|inject|inhale|swallow|apply|rinse|wear|show|showed|found|"
    r"means|mean|called|"
    r"caus\w+|treat\w*|prevent\w*|lower\w*|open\w*|fix\w*|remov\w+|drain\w*|found|test\w*|look\w*|feel|"
    r"made|make|makes|work\w*|clean|change|limit|"
    r"continue|continued|remember|want|know|let|happen\w*|came|went|did|bring|wash|sleep|sit|stand|stay|"
    r"visit|meet|schedul\w+|"
    r"i'll|i'd|i'm|you'll|you're|you've|we've|we'll|we're|it's|that's|there's|what's|he's|she's)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\W*(?:(?:please|also|and|then|always|never)\W+)*(?:take|stop|start|keep|continue|call|come|go|see|avoid|drink|"
    r"eat|walk|rest|lift|do|don't|use|check|weigh|"
    r"watch|inject|inhale|apply|rinse|wear|report|get|limit|finish|stay|shake|change|clean|follow|return|never|"
    r"[A-Z][a-z]+ (?:helps?|can|may|is|was|will|causes?|lowers?|keeps?|prevents?|treats?))\b",
    re.IGNORECASE,
)
_VERBATIM = 0.85


def says_something(sentence: Sentence, focus: Focus, quantities: tuple[Quantity, ...]) -> bool:
    """False for headings, keyword lists and other text in which no one asserts anything."""
    words = len(sentence.tokens)
    if focus.named and any(q.kind in ("dose", "frequency") for q in quantities) and words <= 40:
        return True
    empty = sum(t.text.lower() in STOPWORDS for t in sentence.tokens)
    if focus.alarmed(sentence.number) and sentence.number != focus.alarm and words <= 20:
        return True  # items of a list of warning signs need no verb of their own
    if not (_VERB.search(sentence.text) or focus.alarm == sentence.number):
        return False
    if words <= 12 and _ORDER.match(sentence.text):
        return True
    # A sentence has words that carry no content; a string of keywords has none.
    return empty >= 1 and (words <= 8 or empty / words >= 0.12)


def is_verbatim(sentence: Sentence, bag: Bag, grounded: GroundedCase) -> bool:
    """True for terse sentences that are next to the plan's own, as in "Report unexplained muscle pain"."""
    words = len(sentence.tokens)
    return any(
        len(phrase.split()) * 1.5 + 2 >= words >= 3 and coverage(phrase_of(phrase), bag) >= _VERBATIM
        for known in grounded.plan
        for phrase in _sentences_of(known.fact)
    )


def _sentences_of(fact: AnyFact) -> tuple[str, ...]:
    match fact:
        case Instruction():
            return wordings_of(fact)
        case Medication():
            return fact.precautions
    return ()


def wordings_of(fact: AnyFact) -> tuple[str, ...]:
    """Return all wordings of a fact, its clinical text first."""
    return (fact.text, *fact.lay)
