"""Claims about the circumstances of a complaint: what makes it worse or better, where it spreads, what it is like.

No concept of the tables names these, so they are found by the shape of the sentence and compared with the wording of
the record.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from bedside.verifier.claim import Claim
from bedside.verifier.claims.details import side_in
from bedside.verifier.claims.extraction import claim_of
from bedside.verifier.claims.focus import Focus
from bedside.verifier.claims.places import sided_places, sites_of
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.judgment.places import sites_in
from bedside.verifier.language.context import clause_bounds, context_of, is_question
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence

__all__ = ["circumstances_of", "conditions_in", "qualities_in"]

# Conditions under which complaints change, each with the words for it.
_CONDITIONS = {
    "lying": r"l(?:ie|ies|ying|ay|aying|ain)\b(?! to)|flat\b|reclin\w+|on my (?:back|stomach|side)\b",
    "sitting": r"s(?:it|its|itting|at)\b(?! around)|upright",
    "forward": r"forwards?|lean\w*|hunch\w*",
    "bending": r"bend\w*|stoop\w*|tie my shoes",
    "bent": r"(?:keep|hold|kept|held)\w* it bent|bent knee",
    "standing": r"stand\w*|stood|get(?:ting)? up\b(?! at night)",
    "walking": r"walk\w*|step on|on (?:my|her|his) feet",
    "stairs": r"stairs?|steps|hills?|uphill|climb\w*|flights?",
    "exertion": r"exert\w*|exercis\w*|efforts?|activit\w*|active|lift\w*|carry\w*|run(?:ning)?\b(?! in)|"
    r"workouts?|sports?|groceries|shopping|exercise",
    "breathing": r"breath(?:s|ing|e)?\b|inhal\w*",
    "coughing": r"cough\w*",
    "sneezing": r"sneez\w*",
    "swallowing": r"swallow\w*",
    "eating": r"eat\w*|meals?|food|fatty|greasy|spicy|dinners?|lunch|breakfast",
    "moving": r"mov(?:e|es|ing|ement)\b|motion",
    "turning": r"turn(?:s|ing)? (?:over|my|to|in)|roll\w*|twist\w*",
    "rest": r"rest(?:s|ed|ing)?\b|keep\w* still|hold\w* still|relax\w*|stop and",
    "cold": r"cold (?:air|weather|wind)|in the cold|the cold",
    "ice": r"ice\b|cold pack|icing",
    "heat": r"heat\b|heating pad|warm \w+|hot (?:shower|bath|pack|water)|hot days?",
    "sun": r"sun(?:light|shine)?\b",
    "light": r"light (?!touch)|lights?\b(?= \w*$|\W*$)|bright\w*",
    "noise": r"nois\w+|sounds?",
    "touch": r"touch\w*|press\w*|push(?:ing)? on|poke\w*|squeez\w+ it|bump\w*",
    "night": r"nights?|nighttime|bedtime",
    "morning": r"mornings?|wak(?:e|ing) up",
    "evening": r"evenings?",
    "afternoon": r"afternoons?",
    "stress": r"stress\w*|upset",
    "urinating": r"pee\w*|urinat\w*|pass(?:ing)? water|pass(?:es)? urine",
    "chewing": r"chew\w*",
    "driving": r"driv\w+|in the car",
    "talking": r"talk\w*(?! about| to (?:you|my|the))|speak\w*",
    "straining": r"strain\w*",
    "medicine": r"tylenol|advil|ibuprofen|acetaminophen|aspirin|antacids?|tums|painkillers?|pain pills?|"
    r"inhaler|albuterol|ondansetron",
}
_CONDITION = Pattern("|".join(f"(?P<{name}>\\b(?:{words}))" for name, words in _CONDITIONS.items()), re.IGNORECASE)
# One name for what is nearly the same, so that "resting" is borne out by "sitting down".
_KIN_OF = {
    "stairs": {"exertion", "walking"},
    "exertion": {"stairs", "walking", "moving"},
    "walking": {"exertion", "stairs", "moving", "standing"},
    "rest": {"sitting", "lying"},
    "touch": {"moving"},
    "moving": {"walking", "turning", "bending", "exertion", "touch"},
    "turning": {"moving"},
    "evening": {"night"},
    "night": {"evening", "lying"},
    "forward": {"sitting"},
    "sun": {"light"},
    "eating": {"swallowing", "chewing"},
    "chewing": {"eating"},
    "swallowing": {"eating"},
    "bending": {"moving"},
}
_WORSE = Pattern(
    r"\b(?:worse|worst|worsens?|worsened|aggravates?|brings? (?:it|this|that|the \w+(?: \w+)?|\w+ pain) "
    r"(?:on|out)|brings? (?:on|out)|sets? (?:it|this|them) off|"
    r"triggers?|flares?(?: up)?|acts? up|comes? on|does it|murder|hurts?(?: more| worse| most| a lot| bad(?:ly)?|"
    r" like \w+)?(?= "
    r"(?:when|if|to|with|at night|in the morning|after|every time))|"
    r"bad (?=at night|in the (?:morning|evening))|hurts?\W*$|(?:make|makes|made) (?:it|me|the \w+|my \w+) "
    r"(?:hurt|worse|dizzy|short)|hurting(?= when| if)|kills me (?:when|if|to)|can't breathe|every "
    r"time)\b|\bmakes it hurt\b",
    re.IGNORECASE,
)
_BETTER = Pattern(
    r"\b(?:better|eases?(?: off| up)?|(?<!to )helps?\b(?! me\b| us\b| out\b| you\b)|helped|relie(?:ves?|"
    r"ved)|improves?|improved|go(?:es)? away|soothes?|stops? hurting|the only thing)\b",
    re.IGNORECASE,
)
_PARTS = Pattern(
    r",? (?:and|but|so|then) (?=\w+(?: \w+)* (?:makes?|eases?|helps?|brings?|sets?|hurts?)\b)|, (?=(?:if|"
    r"when)\b.{8})|;|\. ",
    re.IGNORECASE,
)
_NOTHING = Pattern(r"\b(?:no|not|nothing|never|doesn't|don't|didn't|isn't|wouldn't|hardly)\b", re.IGNORECASE)
_ASIDE = Pattern(r"\bspeaking of \w+|\b(?:always|i) (?:say|talk)\b.*|\b(?:my|the|we|they|our) .*", re.IGNORECASE)
# So many sentences of an answer still speak of what was asked.
_ANSWERS = 1
_TIMES_OF_DAY = frozenset(("night", "morning", "evening", "afternoon"))

_SPREADS = Pattern(
    r"\b(?:goes|go|going|went|moves?|moved|spreads?|spread|shoots?|shot|travels?|radiates?|radiating|runs?|"
    r"running|boring|straight|all the way|up|down)"
    r" (?:straight |right |all the way |up |down |round |around )*(?:down|up|into|in|to|through|across|"
    r"along|between|towards?)(?: to| into| in)? (?:my |the |both |his |her )?([a-z' ]{3,40})",
    re.IGNORECASE,
)
_LEADING = Pattern(
    r"\b(?:bathroom|toilet|er|hospital|doctor|store|work|bed|floor|school|church|gym|clinic|job|kitchen|"
    r"clinic)\b",
    re.IGNORECASE,
)

_COLOURS = {
    "green": r"green\w*",
    "yellow": r"yellow\w*|pus(?:sy)?",
    "brown": r"brown\w*|rust\w*|coffee|(?:like|as|color of|colour of) (?:\w+ )?(?:cola|coke|coca-cola|tea)",
    "dark": r"dark\b(?! red)",
    "black": r"black|tarry",
    "red": r"(?:bright |dark )?red\b|bloody|blood-streaked|pink\w*|maroon",
    "white": r"white|milky",
    "clear": r"clear",
    "frothy": r"froth\w*|foam\w*|bubbl\w*",
    "foul": r"foul|smelly|stink\w*|stinky|smells? (?:bad|awful)",
    "bile": r"\bbile\b",
    "watery": r"watery",
    "thick": r"thick",
    "cloudy": r"cloudy|murky",
}
_COLOUR = Pattern("|".join(f"(?P<{name}>\\b(?:{words}))" for name, words in _COLOURS.items()), re.IGNORECASE)
_MATTER = Pattern(
    r"\b(?:phlegm|sputum|mucus|gunk|snot|discharge|stuff|stools?|poop|poo|urine|pee|vomit\w*|puk\w*|spit|"
    r"threw up|throw(?:ing)? up|cough(?:ing|ed)? up|bowel movements?|spotting|bile)\b",
    re.IGNORECASE,
)
_FEELS = {
    "sharp": r"sharp|stabb\w+|knife|knives|jabb\w+|piercing",
    "burning": r"burn\w*|on fire",
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
_THEIRS = Pattern(r"\b(?:they|they're|your|he|she|we)\b", re.IGNORECASE)
_NOT_OF_PAIN = Pattern(
    r"\b(?:tearing up|heart|heartbeat|pee|urinat\w+|urine|water|chew\w*|boring (?:job|day)|blood pressure)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=8192)
def conditions_in(text: str) -> frozenset[str]:
    """Return the conditions that a text names, such as "walking" or "night"."""
    return frozenset(str(m.lastgroup) for m in _CONDITION.finditer(text))


def kin_of(name: str) -> frozenset[str]:
    """Return a condition and those that bear it out."""
    return frozenset((name, *_KIN_OF.get(name, ())))


@lru_cache(maxsize=8192)
def qualities_in(text: str) -> frozenset[str]:
    """Return colours and other looks, and ways that pain feels, that a text names."""
    return frozenset(str(m.lastgroup) for pattern in (_COLOUR, _FEEL) for m in pattern.finditer(text))


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
    yield from _modifiers(sentence, focus)
    yield from _radiations(sentence, grounded, focus)
    yield from _qualities(sentence, focus)
    yield from _sides(sentence, grounded, focus)
    for side, site, start, end in (
        sided_places(sentence, sites_of(sentence, grounded)) if _A_SIDE.search(sentence.text) else ()
    ):
        yield _claim("side", sentence, (start, end), {"side": side, "of": site, "part": "1"})
    if (
        "severity" in focus.topics
        and sentence.number == 0
        and (rated := _RATED.search(sentence.text))
        and float(rated[1]) <= _MOST
    ):
        named = " ".join(focus.named[-1].concepts) if focus.named else ""
        yield _claim("severity", sentence, rated.span(), {"severity": rated[1], "of": named})


def _claim(kind: str, sentence: Sentence, span: tuple[int, int], details: dict[str, str]) -> Claim:
    context = context_of(sentence.text, *span)
    return claim_of(kind, kind, sentence, span, context, details)


def _modifiers(sentence: Sentence, focus: Focus) -> Iterator[Claim]:
    body = sentence.text
    start = 0
    answered = False
    for part in _parts(body):
        way = "worse" if _WORSE.search(part) else "better" if _BETTER.search(part) else ""
        rest = _BETTER.sub(" ", _WORSE.sub(" ", part)) if way else ""
        if not way and not answered and sentence.number == 0 and focus.topics & {"worse", "better"}:
            way, rest = ("worse" if "worse" in focus.topics else "better"), _ASIDE.sub(" ", part)
        if not way:
            start = body.find(part, start) + len(part)
            continue
        found = conditions_in(rest)
        if way == "better":
            found -= _TIMES_OF_DAY
        if "bent" in found:
            found -= {"bending", "rest"}
        if found and not _NOTHING.search(part):
            answered = True
            span = (start, start + len(part.rstrip(" .!?")))
            yield _claim("modifier", sentence, span, {"way": way, "what": " ".join(sorted(found))})
        start = body.find(part, start) + len(part)


def _parts(body: str) -> list[str]:
    return [part for part in _PARTS.split(body) if part]


def _radiations(sentence: Sentence, grounded: GroundedCase, focus: Focus) -> Iterator[Claim]:
    body = sentence.text
    matches = list(_SPREADS.finditer(body))
    if (
        focus.topics & {"spreads", "where"}
        and sentence.number <= _ANSWERS
        and not matches
        and not _NOTHING.search(body)
    ):
        # "Where does it hurt?" "Right here, under my ribs.": every part that is named answers.
        for site, start, end in sites_of(sentence, grounded):
            yield _claim("radiation", sentence, (start, end), {"to": site})
        return
    for match in matches:
        if _LEADING.search(match[1]):
            continue
        places = sorted(sites_in(match[1]))
        if places and not _NOTHING.search(body[: match.start()][-25:]):
            details = {"to": " ".join(places)} | ({"side": side} if (side := side_in(match[1])) else {})
            yield _claim("radiation", sentence, match.span(), details)


def _qualities(sentence: Sentence, focus: Focus) -> Iterator[Claim]:
    body = sentence.text
    asked = "quality" in focus.topics and sentence.number == 0 and not _THEIRS.search(body)
    if _MATTER.search(body) or asked:
        for match in _COLOUR.finditer(body):
            if not _NOTHING.search(body[: match.start()]):
                yield _claim("quality", sentence, match.span(), {"look": str(match.lastgroup)})
    if (
        _OF_PAIN.search(body) or asked or (sentence.number == 0 and focus.topics & {"where", "severity"})
    ) and not _NOT_OF_PAIN.search(body):
        for match in _FEEL.finditer(body):
            first, _ = clause_bounds(body, match.start())
            if not _NOTHING.search(body[first : match.start()]):
                yield _claim("quality", sentence, match.span(), {"feel": str(match.lastgroup)})


_RATED = Pattern(r"(?<![\d.])(\d+(?:\.\d+)?)(?: ?(?:/|out of) ?10)?(?=\W|$)(?! ?(?:times|days|hours|weeks|years|mg))")
_MOST = 11
_SIDE_ALONE = Pattern(
    r"^\W*(?:(?:no|uh|um|well|oh|it's|it is|that's|mostly|just|only|always|on|in|over|my|the|round|down|"
    r"low)\b\W*)*(left|right|both)\b(?! now| away|,? (?:so|but|yes|yeah|okay))(?: (?:side|one|arm|leg|knee|"
    r"hip|eye|ear|hand|foot|ankle|calf|shoulder|elbow|wrist)\b)?(?=\W|$)",
    re.IGNORECASE,
)
# "Right, well", "right here": no side.
_FILLER_RIGHT = Pattern(
    r"^\W*(?:(?:uh|um|er|oh|well|okay|ok|so|hmm)\b\W*)*right\b(?:\W*$| here|,| now|\.)(?! ?(?:side|arm|leg))",
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
    if _NOTHING.search(body[: match.start(1)].removeprefix("No,").removeprefix("no,")):
        return
    before = [t for t in sentence.tokens if t.start - sentence.start < match.start()]
    here = [c for m in grounded.find(tuple(before)) for c in m.concepts]
    named = here or (focus.named[-1].concepts if focus.named else ())
    yield _claim("side", sentence, match.span(), {"side": match[1].lower(), "of": " ".join(named)})
