"""Does a sentence allow what the plan forbids, or wave away what it warns of?

"A glass of wine won't do any harm", "feel free to drive", "ibuprofen is a good choice for that": permission has many
words, and a reserve ("once your surgeon says so") takes it back. What is allowed must be the forbidden thing itself.
"""

import re
from functools import lru_cache

from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import stem
from bedside.verifier.teaching.kinds import kinds_of
from bedside.verifier.teaching.phrases import FREELY, LIGHT, Bag, Phrase, coverage, phrase_of
from bedside.verifier.teaching.verdicts import verdict

__all__ = ["allows", "defied", "dismisses", "forbidden", "names_forbidden", "verdict_in"]
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
_ORDERS = frozenset(
    """take use eat drink have try start keep go lift play pull drive put do cut pop peel scratch pick soak swim sit
    bend let get bring rub stand cuddle hold add hug send lock look lean tilt push share squeeze flush pour inject
    double triple repeat stack split haul climb chew swallow""".split()
)
"""Orders that give leave, if nothing holds them back."""

_ALLOWS = Pattern(
    rf"\b(?:{verdict('allowed')}|{verdict('unharmed')}|{FREELY})\b"
    r"(?! (?:cause|raise|make|lower|help|irritate|upset|harm|hurt|lead|give|bring|turn|add|affect|trigger|worsen|"
    r"slow|dry|swell|happen|last|be(?! (?:taken|used))))|"
    rf"^\W*(?:(?:yes|sure|just|please|then|and|or|so)\W+)*(?:{'|'.join(sorted(_ORDERS))}|smoke(?! \w+s\b))\b",
    re.IGNORECASE,
)
_RESERVED = Pattern(
    rf"\b(?:{verdict('barred')}|"
    r"not|no|never|avoid|stop\w*|quit\w*|giv\w+ up|cut\w* (?:down|back)|uses? up|replac\w+|"
    r"(?:loss|damage|harm|caused|comes) (?:from|by)|less|without|(?<!right )(?<!straight )away|ask|limit|go easy|"
    r"shade|umbrella|sunscreen|stay (?:under|below)|(?:under|below) \d|"
    r"unless|instead|only if|(?:doctor|surgeon|team|clinic|"
    r"therapist|pharmacist|specialist|\w+ologist|psychiatrist|neurologist|we)(?:'s)? (?:\w+ )?(?:says?|said|clears?|"
    r"cleared|agrees?|okays?|tells?|allows?|approves?))\b|n't\b",
    re.IGNORECASE,
)
# "Keep oxygen 10 feet from any flame", "leave out the pickles".
_APART = Pattern(
    r"\bkeep\b[^.;]{0,40}\b(?:from|off|out|away|apart)\b|\bleav\w+ (?:\w+ ){0,3}out\b|\b(?:feet|far|distance) from\b",
    re.IGNORECASE,
)
_CASE = re.compile(
    r"\W*(?:(?:so|and|but|well|then|now)\W+)*(?:if|when|in case|since|because|while|as long as) [^,;]*, *",
    re.IGNORECASE,
)
_WHO_SAYS = re.compile(r"\b(?:says?|said|agrees?|allows?|cleared|clears?|okays?|approves?)\b", re.IGNORECASE)
_SO = re.compile(
    r".*, so (?=i'd\b|i would\b|you (?:can|could|may|might)\b|go ahead|just\b|feel free|it's (?:fine|okay|all right)|"
    r"(?:take|use|inject|have|drink|eat|put|finish|keep)\b)",
    re.IGNORECASE,
)
_AIM = re.compile(
    r",? so (?:that )?(?:(?:you|he|she|it|they|nobody|no one|everyone|the \w+) \w|(?:there's )?no need)", re.IGNORECASE
)
_EXPLAINS = re.compile(r",? (?:because|that's|that is|they're|it's (?!not)|it is (?!not)) ?\w", re.IGNORECASE)
_LATER = Pattern(r"\b(?:until|only|after|once|when|before)\b", re.IGNORECASE)
_NO_NEED = (
    r"no (?:need|call|reason|cause|sense|point) (?:to|for|in|is needed)|(?:don't|do not) (?:need|have) to|needn't|"
    r"(?:don't|do not) bother|without"
)
_DISMISSES = Pattern(rf"\b(?:{verdict('dismissed')})\b", re.IGNORECASE)
_SENDS = Pattern(
    r"\b(?:call (?:us|911|me|the|your|for|right|at)|911|ambulance|emergency|"
    r"(?<!fever )(?<!pain )(?<!it )(?<!they )(?<!that )(?<!swelling )come (?:right |straight )?(?:back|in|to)|"
    r"get (?:checked|seen|help))\b",
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
def allows(text: str, *, until: bool = False) -> bool:
    """True when a sentence allows or orders something, without any reserve.

    Args:
        text: The sentence.
        until: The prohibition ends some time, so that a sentence about later times goes against nothing.
    """
    if not _ALLOWS.search(text) or _APART.search(text):
        return False
    return not _RESERVED.search(_ALLOWS.sub(" ", verdict_in(text))) and not (until and _LATER.search(text))


def verdict_in(text: str) -> str:
    """Return a sentence without what a negation may stand in and withhold nothing.

    "If the pill doesn't help, a beer is fine", "on the table, so that you don't forget it", "wood is fine, that's your
    legs, not your head": a case, an aim and an explanation are not what is thought of the thing.
    """
    if concluded := _SO.search(text):
        return text[concluded.end() :]
    case = _CASE.match(text)
    if case and not _WHO_SAYS.search(case[0]):
        text = text[case.end() :]
    for tail in (_AIM.search(text), _EXPLAINS.search(text)):
        if tail and _ALLOWS.search(text[: tail.start()]):
            text = text[: tail.start()]
    return text


@lru_cache(maxsize=16384)
def forbidden(text: str) -> tuple[Phrase, ...]:
    """Return each thing that a plan's sentence forbids: wrestling, shared mats, towels."""
    things: list[str] = []
    for part in _CLAUSES.split(text):
        if _FORBIDS.match(part):
            things += _THINGS.split(_TAIL.sub("", _FORBIDS.sub("", part)))
        elif len(halves := _RATHER.split(part)) > 1:
            things += _THINGS.split(re.sub(r"\bfor \w+$|,.*$", "", _TAIL.sub("", halves[1]).strip()))
    phrases = [phrase_of(thing) for thing in things if not re.search(r"\d|\bmore than\b|\bit\b", thing)]
    return tuple(phrase for phrase in phrases if any(s not in LIGHT for s, _ in phrase.weights))


def defied(phrase: Phrase, bag: Bag) -> bool:
    """True when a sentence allows or orders, without any reserve, something that a phrase forbids."""
    return allows(bag.text, until=bool(_UNTIL.search(phrase.text))) and names_forbidden(phrase, bag)


def names_forbidden(phrase: Phrase, bag: Bag) -> bool:
    """True when a sentence names, for better or worse, something that a phrase forbids."""
    return any(_named(thing, bag) for thing in forbidden(phrase.text))


def _named(thing: Phrase, bag: Bag) -> bool:
    """True when a sentence names a forbidden thing: the substance itself, whatever is done with it."""
    if not kinds_of(thing.text).isdisjoint(bag.concepts):
        return True
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
