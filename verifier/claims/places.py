"""Where on the body: the places that a sentence ties to a complaint, and the side of a named part.

"My calf's been cramping" and "swelling in both ankles" name a complaint and a place; only the two together can be told
from what the record holds elsewhere.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence

__all__ = ["place_of", "sided_places", "sites_of"]

_BEFORE = re.compile(
    r"(?:'s|'ve|is|are|was|were|am|be|been|being|has|have|had|got|gets?|getting|goes|went|gone|feels?|felt|feeling|"
    r"looks?|keeps?|"
    r"kept|don't|doesn't|didn't|isn't|aren't|wasn't|weren't|never|not|started|starts|swollen|swelled|swole|puffed|blown|up|out|really|just|also|all|so|a|bit|little|very|pretty|"
    r"kind|of|kinda|sort|sorta|still|always|"
    r"been|too|quite|super|a lot|both|like|is all|left|right|on|that|this|same|side|there|as|well|now)",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"(?:is|are|was|were|by|just|deep|low|high|in|on|of|at|under|behind|around|near|down|across|over|inside|between|"
    r"all|up|along|"
    r"above|below|to|my|the|"
    r"both|one|his|her|this|that|left|right|upper|lower|whole|entire|side|sides|part|back|front|top|bottom|right "
    r"here|here|down|there|mostly|and|or|really|of)",
    re.IGNORECASE,
)
_PREPOSITION = Pattern(
    r"\b(?:by|in|on|of|at|under|behind|around|near|down|across|over|inside|between|up|along|above|"
    r"below)\b",
    re.IGNORECASE,
)
_AND = re.compile(r"(?:,|and|or|my|the|both|left|right)", re.IGNORECASE)
_ANOTHERS = Pattern(r"\b(?:your|his|her|their|our|people's) (?:\w+ )?$", re.IGNORECASE)
# "The back of my leg" is of the leg.
_FACE_OF = Pattern(
    r"\b(back|front|side|top|bottom) (?=of (?:(?:my|the|his|her|both|each|one|that|this) |it\b|them\b))", re.IGNORECASE
)
_REACH = 5
_SIDE = ("left", "right")
_SIDE_OF = Pattern(r"\b(left|right) (?:hand )?side of(?: my| the)?\b", re.IGNORECASE)
# "Left lower leg": a word may stand between the side and the part.
_BETWEEN_SIDE = frozenset("lower upper inner outer front back big little".split())
# Said of life and manner, not of one's body: "on the other hand", "by heart", "behind my back".
_PHRASE = Pattern(
    r"\b(?:other hand|at hand|by heart|heart of|back (?:then|in|to|at|when|home|from|up|on|and forth|now|here|there)|"
    r"(?:came|come|coming|go|going|went|get|got|getting|be|brought|bring|way|years?|weeks?|months?|days?|winters?|"
    r"few|far|right|sew|sewed|sewn|stitched|put|grew|grow|gave|give|took|take|sent|send|pull|pulled|paid|pay|it|them|"
    r"call|called|step|hold|held) back|on (?:my|his|her) feet|face (?:it|up|that)|head (?:out|over|home|to)|"
    r"first[ -]hand|hand (?:in|it|over)|skin (?:in|and bones)|back of my mind|off my chest|on my mind|heart out|"
    r"back teeth|(?:at|in|round|around) the back\b(?! of)|next to|tip of my tongue|(?:shut|keep|watch|"
    r"open)\w* (?:my|your|his|her) (?:big )?mouth|"
    r"(?:your|my|her|"
    r"his) mouth shut|to (?:my|your|his|her) face|a while back|by the hand|foot the|eye on|eyes on|ear to)\b",
    re.IGNORECASE,
)


def sites_of(sentence: Sentence, grounded: GroundedCase) -> list[tuple[str, int, int]]:
    """Return the parts of the body that a sentence names by themselves, with where they stand in it."""
    phrases = [m.span() for pattern in (_PHRASE, _FACE_OF) for m in pattern.finditer(sentence.text)]
    found = []
    for mention in grounded.mentions(sentence.text):
        site = next((c for c in mention.concepts if c.startswith("site:")), "")
        if not site or (len(mention.concepts) > 1 and any(not c.startswith("site:") for c in mention.concepts)):
            continue
        start = sentence.tokens[mention.first].start - sentence.start
        end = sentence.tokens[mention.last].end - sentence.start
        if _ANOTHERS.search(sentence.text[:start]):
            continue
        if not any(a < end and start < b for a, b in phrases):
            found.append((site, start, end))
    return found


def place_of(body: str, span: tuple[int, int], sites: list[tuple[str, int, int]]) -> str:
    """Return the sites that a mention is tied to: right after it ("in my calf") or as its subject ("my calf is")."""
    start, end = span
    found = []
    reached = end
    for site, first, last in sites:
        if (
            first >= reached
            and _only(_AFTER, body[reached:first])
            and (reached > end or _PREPOSITION.search(body[end:first]) or _PREPOSITION.match(body[first:last]))
        ):
            found.append(site)
            reached = last
    reached, words = start, _BEFORE
    for site, first, last in reversed(sites):
        if last <= reached and _only(words, body[last:reached]):
            words = _AND  # "My feet and ankles are"
            found.append(site)
            reached = first
    return " ".join(dict.fromkeys(found))


def _only(words: re.Pattern[str], between: str) -> bool:
    parts = re.findall(r"[\w]+(?:'\w+)?|'\w+|[,;:]", between)
    if len(parts) > _REACH:
        return False
    return all(words.fullmatch(p) or words.fullmatch(p.split("'")[-1]) for p in parts)


def sided_places(sentence: Sentence, sites: list[tuple[str, int, int]]) -> Iterator[tuple[str, str, int, int]]:
    """Find parts that are named with a side: "my right knee".

    Yields:
        Side, site, start and end.
    """
    for side_of in _SIDE_OF.finditer(sentence.text):
        for site, start, end in sites:
            if 0 <= start - side_of.end() <= len(" my "):
                yield side_of[1].lower(), site, side_of.start(), end
    starts = {t.start - sentence.start: i for i, t in enumerate(sentence.tokens)}
    for site, start, end in sites:
        index = starts[start]
        first = sentence.tokens[index]
        if first.text.lower() in _SIDE:
            yield first.text.lower(), site, start, end
            continue
        before = sentence.tokens[max(0, index - 2) : index]
        for token, follower in pairwise((*before, first)):
            if token.text.lower() in _SIDE and (follower is first or follower.text.lower() in _BETWEEN_SIDE):
                yield token.text.lower(), site, token.start - sentence.start, end
