"""Claims about what a complaint looks and feels like: green phlegm, a stabbing pain."""

import re
from collections.abc import Iterator
from functools import lru_cache

from bedside.verifier.claim import Claim
from bedside.verifier.claims.focus import Focus
from bedside.verifier.claims.mentions import claim_of
from bedside.verifier.claims.modifiers import NOTHING_SAID
from bedside.verifier.language.context import clause_bounds, context_of
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence

__all__ = ["qualities_in", "qualities_of"]

_COLOURS = {
    "green": r"green\w*",
    "yellow": r"yellow\w*|pus(?:sy)?",
    "brown": r"brown\w*|rust\w*|coffee|(?:like|as|color of|colour of) (?:\w+ )?(?:cola|coke|coca-cola|tea)",
    "dark": r"dark\b(?! red)",
    "black": r"black|tarry",
    "red": r"(?:bright |dark )?red(?:dish|ness)?\b|bloody|blood-streaked|pink\w*|maroon",
    "white": r"white|milky",
    "clear": r"clear",
    "frothy": r"froth\w*|foam\w*|bubbl\w*",
    "foul": r"foul|smelly|stink\w*|stench|reek\w*|fishy|bad(?:ly)? smell\w*|"
    r"smell\w* (?:\w+ )?(?:bad|awful|terrible|horrible|rotten|off|strong|like)",
    "bile": r"\bbile\b",
    "watery": r"watery",
    "thick": r"thick",
    "cloudy": r"cloudy|murky",
    "clotted": r"clots?\b|clotted",
}
_COLOUR = Pattern("|".join(f"(?P<{name}>\\b(?:{words}))" for name, words in _COLOURS.items()), re.IGNORECASE)
_MATTER = Pattern(
    r"\b(?:phlegm|sputum|mucus|gunk|snot|discharge|stuff|stools?|poop|poo|urine|pee|vomit\w*|puk\w*|spit|"
    r"threw up|throw(?:ing)? up|(?:it|stuff|that|what)(?:'s| is)? com(?:es?|ing) (?:back )?up|"
    r"br(?:ing\w*|ought) (?:\w+ )?(?:back )?up|"
    r"cough(?:ing|ed)? up|bowel movements?|spotting|bile)\b",
    re.IGNORECASE,
)
# What bleeds: clots are told of it, and not of a vein.
_BLEEDING = Pattern(
    r"\b(?:periods?|bleed\w*|pads?|tampons?|(?:pass\w*|came|come|comes|coming)(?: \w+){0,3}) (?:[^.;]*\b)?clots?\b|"
    r"\bclots? (?:\w+ ){0,3}(?:like|the size|as big|as large|in the (?:toilet|pad))\b",
    re.IGNORECASE,
)
_FEELS = {
    "sharp": r"sharp|stabb\w+|knife|knives|jabb\w+|piercing",
    "burning": r"(?<!i )(?<!he )(?<!she )(?<!we )(?<!they )burn\w*(?! (?:up|the|my|his|her|a|some)\b)|on fire",
    "throbbing": r"throb\w*|pound\w*|puls\w+",
    "tearing": r"tearing|ripping",
    "electric": r"electric\w*|shock-like",
    "shooting": r"shooting\b(?! (?:down|up|into|to|across|through))",
    "crampy": r"cramp\w*|gripping|colicky",
    "dull": r"dull",
    "aching": r"ach(?:e|es|ing|y)",
    "pressing": r"press(?:ing|ure)|squeez\w*|tight\w*|"
    r"heav\w*|weight|crush\w*|band\b",
    "boring": r"boring|gnawing|drilling",
    "steady": r"steady|constant",
}
_FEEL = Pattern("|".join(f"(?P<{name}>\\b(?:{words})\\b)" for name, words in _FEELS.items()), re.IGNORECASE)
_OF_PAIN = Pattern(
    r"\b(?:pain\w*|hurts?|aches?|headaches?|it|it's|that's|feels?|more of|kind of|sort of|throat|chest|"
    r"head|feeling|sensation)\b",
    re.IGNORECASE,
)
_ABOUT_PAIN = Pattern(r"\b(?:pain\w*|hurts?|aches?|headaches?)\b", re.IGNORECASE)
# "This morning it had gone green": still of what was asked after.
_IT = Pattern(r"\b(?:it|it's|that's)\b", re.IGNORECASE)
_THEIRS = Pattern(r"\b(?:they|they're|your|he|she|we)\b", re.IGNORECASE)
_NOT_OF_PAIN = Pattern(
    r"\b(?:tearing up|heart|heartbeat|pee|urinat\w+|urine|water|chew\w*|boring (?:job|day|stuff|old|food|life|diet|"
    r"desk)|blood pressure)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=8192)
def qualities_in(text: str) -> frozenset[str]:
    """Return colours and other looks, and ways that pain feels, that a text names."""
    return frozenset(str(m.lastgroup) for pattern in (_COLOUR, _FEEL) for m in pattern.finditer(text))


def qualities_of(sentence: Sentence, focus: Focus) -> Iterator[Claim]:
    """Find claims about looks and feels.

    Args:
        sentence: A sentence of the patient, numbers in digits.
        focus: What the question was about.

    Yields:
        Claims of kind ``quality``.
    """
    body = sentence.text
    asked = "quality" in focus.topics and sentence.number == 0 and not _THEIRS.search(body)
    answers = sentence.number == 0 or _IT.search(body)
    of_matter = answers and _MATTER.search(focus.spoken) and not _THEIRS.search(body)
    bleeding = bool(_BLEEDING.search(body))
    if bleeding or _MATTER.search(body) or asked or of_matter:
        for match in _COLOUR.finditer(body):
            if match.lastgroup == "clotted" and not bleeding:
                continue
            if not NOTHING_SAID.search(body[: match.start()]):
                yield _claim("quality", sentence, match.span(), {"look": str(match.lastgroup)})
    if (
        _OF_PAIN.search(body)
        or asked
        or (sentence.number == 0 and (focus.topics & {"where", "severity"} or _ABOUT_PAIN.search(focus.spoken)))
    ) and not _NOT_OF_PAIN.search(body):
        for match in _FEEL.finditer(body):
            first, _ = clause_bounds(body, match.start())
            if not NOTHING_SAID.search(body[first : match.start()]):
                yield _claim("quality", sentence, match.span(), {"feel": str(match.lastgroup)})


def _claim(kind: str, sentence: Sentence, span: tuple[int, int], details: dict[str, str]) -> Claim:
    return claim_of(kind, kind, sentence, span, context_of(sentence.text, *span), details)
