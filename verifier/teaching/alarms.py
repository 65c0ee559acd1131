"""What a sentence says of a warning sign: come back for it, or let it be.

A sign is let be by words that dismiss it ("that is normal"), and by words that only put it off ("give it a week",
"bring it up when you come in"). "Don't wait to see if it settles" holds such words and urges; a sentence that also
sends for help puts nothing off.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from bedside.cases.fact import ReturnSign
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence
from bedside.verifier.teaching.fitting import STATED, best_coverage, relays
from bedside.verifier.teaching.focus import Focus
from bedside.verifier.teaching.permission import dismisses
from bedside.verifier.teaching.phrases import Bag, Phrase, coverage, phrase_of
from bedside.verifier.teaching.statement import wordings_of
from bedside.verifier.teaching.verdicts import verdict

__all__ = ["puts_off", "read_return_sign"]

_CLEARLY = 0.7
"""Share of one of several signs that a sentence must hold to name it."""

_NAMED = 0.33
"""Share of a sign that is enough to dismiss it."""

_MILD = Pattern(
    r"\b(?:mild|slight\w*|minor|small|a little|a bit|light|some|low-grade|spotting|unless|but|not normal|"
    r"aren't|isn't|tired)\b|n't normal",
    re.IGNORECASE,
)
_PUTS_OFF = Pattern(rf"\b(?:{verdict('put-off')})\b", re.IGNORECASE)
# "Don't wait to see if it settles", "cannot wait until your visit", "rather than sleeping it off".
_URGES = Pattern(
    r"\b(?:(?:do not|don't|never|cannot|can't|can not|must not|mustn't|should not|shouldn't|won't|will not|"
    r"not something to|not one to|nothing to|no time to|too serious to|is not the time to|rather than|instead of|"
    r"without) (?:\w+ ){0,2}?"
    r"(?:wait\w*|giv\w+ (?:it|this|that)|sleep\w*|rid(?:e|ing)|sit|sitting|hop(?:e|ing)|tough\w*|ignor\w+|shrug\w*|"
    r"brush\w*|let|leav\w+|put\w* (?:it|this|that|off)|delay\w*|hold\w* off|hesitat\w*|dismiss\w*|mention))\b[^.;,]*",
    re.IGNORECASE,
)
_SENDS = Pattern(
    r"\b(?:call (?:us|911|me|the|your|for|right|at|an)|911|ambulance|emergency|"
    r"come (?:right |straight )?(?:back|in|to)|go (?:right |straight )?to|get (?:checked|seen|help)|present to|"
    r"activate ems)\b",
    re.IGNORECASE,
)
_NOT_SENT = Pattern(
    r"\b(?:no|not|never|without|instead of|rather than|before|unless|only|when|skip|avoid|until|if)\b|n't\b",
    re.IGNORECASE,
)
_CLAUSE_EDGE = re.compile(r"[,;:]|\bbut\b")


def read_return_sign(
    fact: ReturnSign, sentence: Sentence, bag: Bag, focus: Focus, grounded: GroundedCase
) -> Iterator[tuple[str, bool, str]]:
    """Read what a sentence states of one warning sign.

    Yields:
        Item id, whether it agrees with the plan, and what was said if not.
    """
    waved = _waves_off(_without_wording(fact, sentence.text))
    clearly = best_coverage(fact, bag) >= STATED or any(coverage(p, bag) >= _CLEARLY for p in _alternatives(fact))
    # What is only put off must be the sign itself, and no sign of those that the office is to be called about.
    late = fact.urgency != "clinic" and (clearly or _shares_concept(fact, bag)) and puts_off(sentence.text)
    let_be = (waved and _names(fact, bag)) or late
    if let_be and not (_MILD.search(sentence.text) or relays(bag, grounded)):
        yield fact.id, False, "dismissed"
        return
    if not clearly:
        return
    if (waved or late) and focus.alarm != sentence.number:
        yield fact.id, False, "dismissed"
    elif focus.alarmed(sentence.number):
        yield fact.id, True, ""


@lru_cache(maxsize=16384)
def _waves_off(text: str) -> bool:
    """True for "that is normal", but not for "don't wait to see if it settles"."""
    text = _URGES.sub(" ", text)
    return dismisses(text) and not _sends(text)


@lru_cache(maxsize=16384)
def puts_off(text: str) -> bool:
    """True when a sentence lets something wait for which help is to be sought: "see if it settles by morning"."""
    text = _URGES.sub(" ", text)
    # To call the office in the morning is no help that is sent for.
    return bool(_PUTS_OFF.search(text)) and not _sends(_PUTS_OFF.sub(" ", text))


def _without_wording(fact: ReturnSign, text: str) -> str:
    """Return a sentence without a sign's own words, which may deny something: "energy with no need for sleep"."""
    if "no need" not in text:
        return text
    for wording in wordings_of(fact):
        text = re.sub(re.escape(wording), "", text, flags=re.IGNORECASE)
    return text


def _sends(text: str) -> bool:
    """True when a clause sends for help and nothing in it takes that back: "with no urine for 8 hours, call 911"."""
    for call in _SENDS.finditer(text):
        edges = [edge.end() for edge in _CLAUSE_EDGE.finditer(text, 0, call.start())]
        if not _NOT_SENT.search(text[edges[-1] if edges else 0 : call.start()]):
            return True
    return False


def _names(fact: ReturnSign, bag: Bag) -> bool:
    """True when a sentence names a sign, be it without its particulars: to dismiss it needs no more."""
    return best_coverage(fact, bag) >= _NAMED or _shares_concept(fact, bag)


def _shares_concept(fact: ReturnSign, bag: Bag) -> bool:
    phrases = [phrase_of(wording) for wording in wordings_of(fact)]
    known = {c for phrase in phrases for c, _ in phrase.concepts if c.startswith(("sx:", "cond:"))}
    return not known.isdisjoint(bag.concepts)


@lru_cache(maxsize=4096)
def _alternatives(fact: ReturnSign) -> tuple[Phrase, ...]:
    """Return the signs that "fainting or a racing heartbeat" holds; each is a reason to come back by itself."""
    parts = [part for wording in wordings_of(fact) for part in re.split(r",? or |, ", wording)]
    phrases = [phrase_of(part) for part in parts]
    return tuple(phrase for phrase in phrases if len(phrase.weights) > 1 or phrase.concepts)
