"""Does a sentence allow what the plan forbids, or wave away what it warns of?

"A glass of wine won't do any harm", "feel free to drive", "ibuprofen is a good choice for that": permission has many
words, and a reserve ("once your surgeon says so") takes it back. What is allowed must be the forbidden thing itself.
"""

import re
from functools import lru_cache

from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import stem
from bedside.verifier.teaching.phrases import FREELY, LIGHT, Bag, Phrase, coverage, phrase_of

__all__ = ["allows", "defied", "dismisses", "forbidden"]

_ALLOWED = 0.7
"""Share of a forbidden thing that a sentence must name to allow it."""

_CONSUMED = frozenset(map(stem, "take drink eat use have any more".split()))
"""What one does with a substance; to allow it is to allow this."""

_TAIL = Pattern(
    r"\b(?:until|unless|for (?:the )?(?:next |first )?\d|while|because|if|when|with it)\b.*$", re.IGNORECASE
)
_UNTIL = Pattern(r"\b(?:until|unless|for (?:the )?(?:next |first )?\d|if|when|while)\b", re.IGNORECASE)
_FORBIDS = Pattern(
    r"^\W*(?:please )?(?:do not|don't|never|no|avoid|stay (?:off|away from|out of)|stop)\b", re.IGNORECASE
)
# "Take showers instead of baths", "use acetaminophen, not ibuprofen": what must not be stands second.
_RATHER = re.compile(r"\b(?:instead of|rather than)\b|, not\b", re.IGNORECASE)
_CLAUSES = re.compile(r"[;.]|,? (?:and|but) (?=(?:do not|don't|never|no|avoid)\b)", re.IGNORECASE)
_THINGS = re.compile(r",? (?:and|or) |, ")
_ALLOWS = Pattern(
    r"\b(?:(?<!it )(?<!that )(?<!which )(?<!they )(?:can|may|could)|okay|ok|fine|safe|go ahead|feel free|free to|"
    rf"all right|alright|allowed|permitted|harmless|{FREELY}|"
    r"(?:good|great|fine|nice|perfect) (?:way|idea|choice|option|thing|pick)|"
    r"(?:good|great|healthy) for (?:you|your|the|that)|(?:will|should|helps?|really) help\w*|enjoy|"
    r"treat yourself|keep \w+ing|as well|"
    r"(?:every )?now and then|once in a while|in moderation|from time to time|occasional\w*|back to (?:\w+ )?\w+ing)\b"
    r"(?! (?:cause|raise|make|lower|help|be(?! (?:taken|used))))|"
    r"^\W*(?:(?:yes|sure|just|please|then)\W+)*(?:take|use|eat|drink|have|try|start|keep|go|lift|play|pull|drive|smoke|"
    r"put|do|cut|pop|peel|scratch|pick|soak|swim|sit|bend)\b",
    re.IGNORECASE,
)
_RESERVED = Pattern(
    r"\b(?:not|no|never|avoid|stop\w*|quit\w*|giv\w+ up|cut\w* (?:down|back)|uses? up|replac\w+|"
    r"(?:loss|damage|harm|caused|comes) (?:from|by)|less|without|away|ask|limit|"
    r"unless|instead|only if|(?:doctor|surgeon|team|clinic|"
    r"therapist|pharmacist|specialist|\w+ologist|psychiatrist|neurologist|we)(?:'s)? (?:\w+ )?(?:says?|said|clears?|"
    r"cleared|agrees?|okays?|tells?|allows?|approves?))\b|n't\b",
    re.IGNORECASE,
)
_LATER = Pattern(r"\b(?:until|only|after|once|when|before)\b", re.IGNORECASE)
_DISMISSES = Pattern(
    r"\b(?:no need to (?:come|call|worry|return|go)|(?:don't|do not) (?:need to )?(?:come back|call|worry|return|go)|"
    r"nothing (?:to|that should) (?:worry|be (?:\w+ )?(?:alarmed|concerned|worried|scared)|alarm|concern|fear)|"
    r"no (?:cause|reason) (?:for|to) (?:alarm|worry|concern|panic|call|come)|"
    r"(?:goes|go|clears?|passes) (?:away|off|up|by) (?:by itself|by themselves|on (?:its|their) own)|"
    r"(?:will|should|usually|often) (?:just )?(?:pass|settle|clear up|go away|get better|sort itself)|"
    r"(?:can|could|you|just|then|and) (?:just |simply |safely )?(?:wait|treat (?:it|that|this|them)? ?at home|"
    r"ride it out|sleep it off|shrug it off|put up with|mention it (?:at|when)|leave it (?:alone|be|for)|"
    r"give it (?:a|an|some|1|2|3))|(?:can|could) (?:be treated|be left|go on for)|"
    r"(?<!not )(?<!n't )(?<!never )ignore|wait it out|wait and see|just wait|treat (?:it )?at home|"
    r"(?:is|are) (?:very |quite |pretty |perfectly |totally |just |a )?(?:normal|harmless|common|typical|expected|"
    r"to be expected|part of)|not (?:a )?(?:serious|concern|worry)|(?:don't|do not) bother|"
    r"no worries|(?:that is|that's|it is|it's|is) (?:just|only) (?:from|the|a|your)|only (?:shows|means)|"
    r"just (?:stay|rest|sleep|lie|drink|go (?:back )?to bed))\b",
    re.IGNORECASE,
)


def dismisses(text: str) -> bool:
    """True when a sentence waves something away: it is normal, it will pass, there is no need to call."""
    return bool(_DISMISSES.search(text))


def allows(text: str, *, until: bool = False) -> bool:
    """True when a sentence allows or orders something, without any reserve.

    Args:
        text: The sentence.
        until: The prohibition ends some time, so that a sentence about later times goes against nothing.
    """
    if not _ALLOWS.search(text):
        return False
    rest = _ALLOWS.sub(" ", text)
    return not _RESERVED.search(rest) and not (until and _LATER.search(text))


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
    return allows(bag.text, until=bool(_UNTIL.search(phrase.text))) and any(
        _named(thing, bag) for thing in forbidden(phrase.text)
    )


def _named(thing: Phrase, bag: Bag) -> bool:
    """True when a sentence names a forbidden thing: the substance itself, whatever is done with it."""
    if not thing.concepts:
        return coverage(thing, bag) >= _ALLOWED
    named = [words for concept, words in thing.concepts if concept in bag.concepts or words <= bag.stems]
    if not named:
        return False  # "Drink water" shares a word with "do not drink beer".
    missing = sum(w for s, w in thing.weights if s not in bag.stems and not any(s in words for words in named))
    consumed = sum(w for s, w in thing.weights if s in _CONSUMED and s not in bag.stems)
    return missing - consumed <= 1.0 - _ALLOWED
