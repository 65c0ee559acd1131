"""Does a sentence allow what the plan forbids, or wave away what it warns of?

"A glass of wine won't do any harm", "feel free to drive", "ibuprofen is a good choice for that": permission has many
words, and a reserve ("once your surgeon says so") takes it back. What is allowed must be the forbidden thing itself.
"""

import re
from functools import lru_cache

from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import stem
from bedside.verifier.teaching.approval import allows, clause_at
from bedside.verifier.teaching.kinds import kinds_of, members_in
from bedside.verifier.teaching.phrases import LIGHT, Bag, Phrase, coverage, phrase_of
from bedside.verifier.teaching.verdicts import verdict

__all__ = ["defied", "dismisses", "forbidden", "names_forbidden"]
_UNNAMED = 0.3
"""Share of a forbidden thing beside its concept that a sentence may leave out: oxycodone is no "similar pain pill"."""

_ALLOWED = 0.65
"""Share of a forbidden thing that a sentence must name to allow it."""

_CONSUMED = frozenset(map(stem, "take drink eat use have any more".split()))
"""What one does with a substance; to allow it is to allow this."""

_DRINK = frozenset(("alcohol",))
"""One word in the paraphrases with "drink", which is said of water too."""

_TAIL = Pattern(
    r"\b(?:until|unless|for (?:the )?(?:next |first )?\d|while|because|if|when|(?:with|near|around|after|before|"
    r"on top of|beside) it)\b.*$",
    re.IGNORECASE,
)
_UNTIL = Pattern(r"\b(?:until|unless|for (?:the )?(?:next |first )?\d|if|when|while)\b", re.IGNORECASE)
_FORBIDS = Pattern(
    r"^\W*(?:please )?(?:do not|don't|never|(?:steer|keep|stay) clear of|"
    r"(?:(?:take|use|drink|eat|have|get|do|wear|put) )?no|avoid|"
    r"stay (?:off|away from|out of)|give up|stop|leave out|cut out|leave off|keep (?:off|away from))\b",
    re.IGNORECASE,
)
# "Take showers instead of baths", "use acetaminophen, not ibuprofen": what must not be stands second.
_RATHER = re.compile(r"\b(?:instead of|rather than)\b|, not\b", re.IGNORECASE)
_CLAUSES = re.compile(
    r"[;.]|,? (?:and|but) (?=(?:do not|don't|never|(?:(?:take|use|drink|eat|have|get|do|wear|put) )?no|avoid)\b)",
    re.IGNORECASE,
)
_THINGS = re.compile(r",? (?:and|or) |, ")
_NO_NEED = (
    r"no (?:need|call|reason|cause|sense|point) (?:to|for|in|is needed)|(?:don't|do not) (?:need|have) to|needn't|"
    r"(?:don't|do not) bother|without"
)
_DISMISSES = Pattern(rf"\b(?:{verdict('dismissed')})\b", re.IGNORECASE)
_SENDS = Pattern(
    r"\b(?:call (?:us|911|me|the|your|for|right|at)|911|ambulance|emergency|"
    r"(?<!fever )(?<!pain )(?<!it )(?<!they )(?<!that )(?<!swelling )come (?:right |straight )?(?:back|in|to)|"
    r"^\W*come (?:as well |too |also |here )?(?:for|if|when|with)|"
    r"get (?:checked|seen|help)|present to|activate ems)\b",
    re.IGNORECASE,
)
_NOT_SENT = Pattern(
    rf"\b(?:{_NO_NEED}|not|never|n't|no|instead of|rather than|before you|unless|only)\b[^.;:]{{0,40}}$", re.IGNORECASE
)


# "We stopped it because your pressure is normal": a reason of the team's, not what to think of a sign.
_TEAMS_REASON = re.compile(r"\bwe (?:\w+ )?(?:stopped|changed|lowered|raised|held)\b[^.;]*\bbecause\b.*", re.IGNORECASE)


@lru_cache(maxsize=16384)
def dismisses(text: str) -> bool:
    """True when a sentence waves something away: it is normal, it will pass, there is no need to call."""
    return bool(_DISMISSES.search(_TEAMS_REASON.sub("", text))) and not _sends(text)


def _sends(text: str) -> bool:
    """True when a sentence does send for help: "it is common, but call 911 if it does not stop"."""
    return any(not _NOT_SENT.search(text[: call.start()]) for call in _SENDS.finditer(text))


@lru_cache(maxsize=16384)
def forbidden(text: str) -> tuple[Phrase, ...]:
    """Return each thing that a plan's sentence forbids: wrestling, shared mats, towels."""
    things: list[str] = []
    for part in _CLAUSES.split(text):
        if _FORBIDS.match(part):
            things += _each(_TAIL.sub("", _FORBIDS.sub("", part)))
        elif len(halves := _RATHER.split(part)) > 1:
            things += _THINGS.split(re.sub(r"\bfor \w+$|,.*$", "", _TAIL.sub("", halves[1]).strip()))
    phrases = [phrase_of(thing) for thing in things if not re.search(r"\d|\bmore than\b|\bit\b", thing)]
    return tuple(phrase for phrase in phrases if any(s not in LIGHT for s, _ in phrase.weights))


def _each(things: str) -> list[str]:
    """Return things that are listed; "cheese or milk that is raw" bars no other cheese."""
    listed, which, clause = things.partition(" that is ")
    return [f"{thing}{which}{clause}" for thing in _THINGS.split(listed)]


def defied(phrase: Phrase, bag: Bag) -> bool:
    """True when a sentence allows or orders, without any reserve, something that a phrase forbids."""
    if not (allows(bag.text, until=bool(_UNTIL.search(phrase.text))) and names_forbidden(phrase, bag)):
        return False
    # "Bananas are out, apples are fine": what is allowed is another thing.
    kinds = frozenset(kind for thing in forbidden(phrase.text) for kind in kinds_of(thing.text)) & bag.concepts
    places = tuple(members_in(bag.text, kinds))
    return not places or any(_lets(bag.text, *clause_at(bag.text, *place)) for place in places)


def _lets(text: str, first: int, last: int) -> bool:
    return text[first:last] == text or allows(text[first:last])


def names_forbidden(phrase: Phrase, bag: Bag) -> bool:
    """True when a sentence names, for better or worse, something that a phrase forbids."""
    return any(_named(thing, bag) for thing in forbidden(phrase.text))


def _named(thing: Phrase, bag: Bag) -> bool:
    """True when a sentence names a forbidden thing: the substance itself, whatever is done with it."""
    if not kinds_of(thing.text).isdisjoint(bag.concepts):
        return True
    if thing.negative:
        return False  # "Milk that is not pasteurized": what is pasteurized has the same words.
    if not thing.concepts:
        return coverage(thing, bag) >= _ALLOWED
    named = [
        words
        for concept, words in thing.concepts
        if concept in bag.concepts or (words <= bag.stems and words != _DRINK)
    ]
    if not named:
        return False  # "Drink water" shares a word with "do not drink beer".
    missing = sum(w for s, w in thing.weights if s not in bag.stems and not any(s in words for words in named))
    consumed = sum(w for s, w in thing.weights if s in _CONSUMED and s not in bag.stems)
    return missing - consumed <= _UNNAMED
