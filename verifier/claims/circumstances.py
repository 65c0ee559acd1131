"""Claims about the circumstances of a complaint: what makes it worse or better, where it spreads, what it is like.

No concept of the tables names these, so they are found by the shape of the sentence and compared with the wording of
the record.
"""

import re
from collections.abc import Iterator

from bedside.verifier.claim import Claim
from bedside.verifier.claims.details import side_in
from bedside.verifier.claims.focus import Focus
from bedside.verifier.claims.mentions import claim_of
from bedside.verifier.claims.modifiers import NOTHING_SAID, modifiers_of
from bedside.verifier.claims.places import sided_places, sites_of
from bedside.verifier.claims.qualities import qualities_of
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.judgment.places import sites_in
from bedside.verifier.language.context import context_of, is_question
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence

__all__ = ["circumstances_of"]

# So many sentences of an answer still speak of what was asked.
_ANSWERS = 1

_SPREADS = Pattern(
    r"\b(?:goes|go|going|went|moves?|moved|spreads?|spread|shoots?|shot|travels?|radiates?|radiating|runs?|gone|"
    r"traveled|moving|"
    r"running|boring|straight|all the way|up|down)"
    r" (?:straight |right |all the way |up |down |round |around )*(?:down|up|into|in|to|through|across|"
    r"along|between|towards?)(?: to| into| in)? (?:my |the |both |his |her )?([a-z' ]{3,40})",
    re.IGNORECASE,
)
# Those who go there are no pain: "they went up my nose".
_WHO_GOES = Pattern(
    r"\b(?:they(?! (?:shoot|hurt|ache|burn|cramp))|he|she|we|i|you|doctors?|surgeons?|nurse|who|tubes?|needles?|camera|"
    r"scope|catheter|food|air|water)(?:'ve|'d|'re|'ll)? (?:\w+ ){0,3}$|"
    r"\b(?:bend|lean|stoop|reach|look|crouch|kneel|sit|get|pick|climb|walk|sweep|wind|calm|settle)\w* $",
    re.IGNORECASE,
)
_SITS = Pattern(
    r"^(?:down|up) in\b|^up to the (?:back teeth|eyeballs|eyes|neck)\b", re.IGNORECASE
)  # "down in the groin" is where it is
_LEADING = Pattern(
    r"\b(?:bathroom|toilet|er|hospital|doctor|store|work|bed|floor|school|church|gym|clinic|job|kitchen|"
    r"clinic)\b",
    re.IGNORECASE,
)


def circumstances_of(sentence: Sentence, grounded: GroundedCase, focus: Focus) -> Iterator[Claim]:
    """Find claims about circumstances.

    Args:
        sentence: A sentence of the patient, numbers in digits.
        grounded: The case.
        focus: What the question was about.

    Yields:
        Claims of kind ``modifier``, ``radiation``, ``quality`` and ``side``.
    """
    if is_question(sentence.text):
        return
    yield from modifiers_of(sentence, focus)
    yield from _radiations(sentence, grounded, focus)
    if "allergy" not in focus.topics:
        yield from qualities_of(sentence, focus)
    yield from _sides(sentence, grounded, focus)
    for side, site, start, end in (
        sided_places(sentence, sites_of(sentence, grounded)) if _A_SIDE.search(sentence.text) else ()
    ):
        if not _IS_FINE.match(sentence.text[end:]):
            yield _claim("side", sentence, (start, end), {"side": side, "of": site, "part": "1"})
    if (
        "severity" in focus.topics
        and sentence.number == 0
        and (rated := _OUT_OF_TEN.search(sentence.text) or _RATED.search(sentence.text))
        and float(rated[1]) <= _MOST
    ):
        named = " ".join(focus.named[-1].concepts) if focus.named else ""
        yield _claim("severity", sentence, rated.span(), {"severity": rated[1], "of": named})


def _claim(kind: str, sentence: Sentence, span: tuple[int, int], details: dict[str, str]) -> Claim:
    context = context_of(sentence.text, *span)
    return claim_of(kind, kind, sentence, span, context, details)


def _radiations(sentence: Sentence, grounded: GroundedCase, focus: Focus) -> Iterator[Claim]:
    body = sentence.text
    matches = list(_SPREADS.finditer(body))
    if (
        focus.topics & {"spreads", "where"}
        and sentence.number <= _ANSWERS
        and not matches
        and not NOTHING_SAID.search(body)
    ):
        # "Where does it hurt?" "Right here, under my ribs.": every part that is named answers.
        for site, start, end in sites_of(sentence, grounded):
            yield _claim("radiation", sentence, (start, end), {"to": site})
        return
    for match in matches:
        if _LEADING.search(match[1]) or _SITS.match(match.group()) or _WHO_GOES.search(body[: match.start()]):
            continue
        places = sorted(sites_in(match[1]))
        if places and not NOTHING_SAID.search(body[: match.start()][-25:]):
            details = {"to": " ".join(places)} | ({"side": side} if (side := side_in(match[1])) else {})
            yield _claim("radiation", sentence, match.span(), details)


_OUT_OF_TEN = Pattern(r"(?<![\d.])(\d+(?:\.\d+)?) ?(?:/|out of) ?10\b", re.IGNORECASE)
# "One day runs into the next", "the one who remembered": no rating.
_RATED = Pattern(
    r"(?<![\d.])(\d+(?:\.\d+)?)(?: ?(?:/|out of) ?10)?(?=\W|$)"
    r"(?! ?(?:times|days?|hours|weeks|years|mg|of|who|that|thing|time|night|minute|more|pills?|tablets?)\b)(?<!the 1)"
)
_MOST = 11
_SIDE_ALONE = Pattern(
    r"^\W*(?:(?:no|uh|um|well|oh|it's|it is|that's|mostly|just|only|always|on|in|over|my|the|round|down|"
    r"low)\b\W*)*(left|right|both)\b(?! now| away|,? (?:so|but|yes|yeah|okay))(?: (?:side|one|arm|leg|knee|"
    r"hip|eye|ear|hand|foot|ankle|calf|shoulder|elbow|wrist)\b)?(?=\W|$)",
    re.IGNORECASE,
)
# "Right, well", "right here": no side.
_FILLER_RIGHT = Pattern(
    r"^\W*(?:(?:uh|um|er|oh|well|okay|ok|so|hmm|it's|it is|that's|just|mostly)\b\W*)*"
    r"right\b(?:\W*$| (?:here|in|on|at|there|where|under|above|"
    r"behind|"
    r"below|between|across|around|over|through|by|near|after|before|when|away|as|about)\b|,| now|"
    r"\.)(?! ?(?:side|arm|leg))",
    re.IGNORECASE,
)
# "Trouble seeing to the right" is a direction.
_TOWARDS = Pattern(
    r"\b(?:se(?:e|es|en|eing)|look\w*|turn\w*|lean\w*|pull\w*|drift\w*|veer\w*|go|went|list\w*) $", re.IGNORECASE
)
# "Lying on the left side" is how it eases.
_POSTURE = Pattern(
    r"\b(?:l(?:ie|ies|ying|ay)|roll\w*|sleep\w*|slept|turn\w*|curl\w*|lean\w*) (?:\w+ )?on (?:my |the )?$",
    re.IGNORECASE,
)
# "My left leg doesn't hurt", "the right one is fine": of the other side.
_IS_FINE = Pattern(
    r"^ ?(?:leg|arm|knee|side|one|eye|ear|hand|foot|hip)?(?: \w+)? ?"
    r"(?:(?:doesn't|don't|didn't|isn't|aren't|wasn't|never|has never|hasn't)\b|(?:is|are|was|feels?|looks?)? ?"
    r"(?:all |just |perfectly )?(?:fine|okay|ok|all right|right as rain|good|normal)\b)",
    re.IGNORECASE,
)
_A_SIDE = Pattern(r"\b(?:left|right)\b", re.IGNORECASE)
_ON_SIDE = Pattern(r"\b(?:on|to|in|at) (?:my |the )?(left|right)(?: hand)?(?: side\b|$|(?=[.,!?]))", re.IGNORECASE)


def _sides(sentence: Sentence, grounded: GroundedCase, focus: Focus) -> Iterator[Claim]:
    """A side that belongs to what was asked about: "On my left side, it's a stabbing"."""
    body = sentence.text
    asked = "where" in focus.topics or bool(focus.named)
    match = (_SIDE_ALONE.match(body) if asked and sentence.number == 0 else None) or _ON_SIDE.search(body)
    if (
        match is None
        or (match[1].lower() == "right" and _FILLER_RIGHT.match(body))
        or re.match(r"\W*(?:that's |all )?right\W*(?:$|,)", body, re.IGNORECASE)
    ):
        return
    if _POSTURE.search(body[: match.start(1)]) or _TOWARDS.search(body[: match.start()]):
        return
    if _IS_FINE.match(body[match.end() :]):
        return
    if NOTHING_SAID.search(body[: match.start(1)].removeprefix("No,").removeprefix("no,")):
        return
    before = [t for t in sentence.tokens if t.start - sentence.start < match.start()]
    here = [c for m in grounded.find(tuple(before)) for c in m.concepts]
    named = here or (focus.named[-1].concepts if focus.named else ())
    yield _claim("side", sentence, match.span(), {"side": match[1].lower(), "of": " ".join(named)})
