"""What is told of life that an entry tells of too: when the last shot was, which sea was sailed, with food or without.

A circumstance of life is nothing that a record need hold; but where an entry tells of the same thing, its times, places
and manner are facts.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from bedside.cases.fact import SocialHistory
from bedside.verifier.claim import Claim
from bedside.verifier.claims.focus import Focus
from bedside.verifier.claims.mentions import claim_of, main_concept
from bedside.verifier.grounding import IRREGULAR, GroundedCase
from bedside.verifier.language.context import context_of, is_question
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import find_quantities
from bedside.verifier.language.text import Sentence, content_stems
from bedside.verifier.language.times import spoken_times

__all__ = ["fed_in", "particulars_of", "places_in", "topics_of"]

# Words that entries of all kinds share, and verbs that open them.
_COMMON = frozenset(
    content_stems(
        "has have had was were is are been be take takes took use uses used drink drinks eat eats ate got get go goes "
        "went come came keep live lives work works day days week weeks month months year years ago since until never "
        "not no new some any every other time times one two three four home house people man woman lot little much "
        "many still just now always often make made feel felt think know want day night morning evening today first "
        "yesterday next own old good bad away back out up down off on"
    )
)
_LIVES = ("living", "occupation")
_USED = ("alcohol", "tobacco", "drugs")
_LAST_USE = Pattern(r"\blast\b.*\b(?:dr[aiu]nk|one|drop|dose|cigarette|smoke|hit|fix|use)\b", re.IGNORECASE)
_WHEN = Pattern(r"\b(?:ago|last|until|since)\b")
_PLACE = Pattern(
    r"(?<=[a-z,'] )(?!I\b|I'|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May\b|June|July|"
    r"August|September|October|November|December|Christmas|Easter|Thanksgiving|New Year|God|Lord|Doctor|Doc\b|Dr\b|"
    r"Mr\b|Mrs\b|Mom|Dad|Mum|Tylenol|Advil|English|American)[A-Z][a-z]{3,}"
)
_GOES = Pattern(
    r"\b(?:trips?|travel\w*|sail\w*|fl[ey]w?\w*|cruis\w*|visit\w*|holiday\w*|vacation\w*|back from|came from|abroad|"
    r"(?:go|got|gone|going|went) (?:to|back)|been (?:to|in)|born in|stay\w* in)\b",
    re.IGNORECASE,
)
_MEAL = r"(?:food|meals?|sandwich\w*|milk|toast|breakfast|lunch|dinner|supper|snack|porridge|cereal|meat|cheese|yog\w+)"
_UNFED = Pattern(
    r"\b(?:(?:on an |an )?empty stomach|without (?:any |the )?food|without(?=\W*$|[.,])|fasting|not with food|"
    r"(?:before|between) (?:i eat|food|meals?|eating)|nothing (?:to eat|in my stomach|with (?:it|them)))",
    re.IGNORECASE,
)
_FED = Pattern(
    rf"\b(?:with|after|alongside) (?:my |a |the |some |any )?(?:\w+ )?(?:{_MEAL}|something to eat|bite)\b|"
    r"\bwith(?=\W*$|[.,])|on a full stomach",
    re.IGNORECASE,
)
_OF_PILLS = Pattern(r"\b(?:pills?|tablets?|medic\w+|meds|capsules?|doses?|take (?:it|them|that))\b", re.IGNORECASE)
_SHARED = 2


@lru_cache(maxsize=8192)
def topics_of(text: str) -> frozenset[str]:
    """Return the stems of a text that tell what it is about."""
    return frozenset(IRREGULAR.get(s, s) for s in content_stems(text)) - _COMMON


def places_in(text: str) -> frozenset[str]:
    """Return the names of places in a text about a journey, in lower case."""
    return frozenset(m.group().lower() for m in _PLACE.finditer(text)) if _GOES.search(text) else frozenset()


def fed_in(text: str) -> str:
    """Return whether something is taken ``with`` food or ``without``; empty when a text does not say."""
    return "without" if _UNFED.search(text) else "with" if _FED.search(text) else ""


def particulars_of(sentence: Sentence, grounded: GroundedCase, focus: Focus) -> Iterator[Claim]:
    """Find what a sentence tells of a circumstance that an entry holds too.

    Args:
        sentence: A sentence of the patient, numbers in digits.
        grounded: The case.
        focus: What the question was about; an answer is about that.

    Yields:
        Claims of kind ``particular``, each with the entry that it speaks of.
    """
    body = sentence.text
    if is_question(body):
        return
    if entries := _entries(grounded):
        about = f"{focus.spoken} {body}" if sentence.number == 0 else body
        if (details := _details(sentence, about)) and (entry := _spoken_of(about, entries)):
            span, told = details
            context = context_of(body, *span)
            if context.experiencer == "patient":
                yield claim_of("particular", entry, sentence, span, context, told)
    if sentence.number <= 1 and (fed := fed_in(body)) and _OF_PILLS.search(f"{focus.spoken} {body}"):
        match = _UNFED.search(body) or _FED.search(body)
        assert match is not None
        span = match.span()
        manner = {"fed": fed} | ({"drug": drug} if (drug := _drug_before(sentence, span[0], grounded)) else {})
        yield claim_of("particular", "fed", sentence, span, context_of(body, span[0], span[0]), manner)


def _drug_before(sentence: Sentence, place: int, grounded: GroundedCase) -> str:
    """The drug that is named last before a place."""
    found = ""
    for mention in grounded.mentions(sentence.text):
        concept = main_concept(mention.concepts, grounded)
        if sentence.tokens[mention.last].end - sentence.start <= place and concept.startswith(("drug:", "case:med")):
            found = concept
    return found


def _details(sentence: Sentence, about: str) -> tuple[tuple[int, int], dict[str, str]] | None:
    """A time or a place that a sentence names, and where."""
    body = sentence.text
    found: dict[str, str] = {}
    spans = []
    times = [q for q in find_quantities(body) if q.kind == "ago"]
    spoken = [t for t in spoken_times(body) if t.vague]
    if len(times) == 1:
        found["ago"] = times[0].value
        spans.append((times[0].start, times[0].end))
    elif not times and len(spoken) == 1:
        found |= {"ago": f"{spoken[0].days:g}", "vague": "1"}
        spans.append((spoken[0].start, spoken[0].end))
    if places := places_in(about):
        found["places"] = " ".join(sorted(places))
        if not spans:
            spans.append((0, len(body.rstrip(" .!"))))
    return (spans[0], found) if spans else None


class _Entry(NamedTuple):
    """A circumstance that has a time or a place: what it is about, and whether it tells of a last use."""

    concept: str
    topics: frozenset[str]
    place: bool
    last_use: bool | None


@lru_cache(maxsize=1024)
def _entries(grounded: GroundedCase) -> tuple[_Entry, ...]:
    found = []
    for known in grounded.record:
        fact = known.fact
        if not isinstance(fact, SocialHistory) or fact.aspect in _LIVES:
            continue
        place = bool(places_in(fact.text))
        if place or _WHEN.search(fact.text):
            last_use = "last" in fact.text if fact.aspect in _USED else None
            found.append(_Entry(known.concept, topics_of(fact.text), place, last_use))
    return tuple(found)


def _spoken_of(about: str, entries: tuple[_Entry, ...]) -> str:
    """The circumstance that a sentence speaks of, if one entry shares its topic; empty when none or two do."""
    said = topics_of(about)
    found = []
    for entry in entries:
        shared = len(said & entry.topics)
        if entry.last_use is not None:
            same = entry.last_use and bool(_LAST_USE.search(about))
        else:
            same = shared >= _SHARED or (shared > 0 and entry.place)
        if same:
            found.append(entry.concept)
    return found[0] if len(found) == 1 else ""
