"""Claims about marriage, family and housing: a patient who invents a husband has drifted from the case."""

import re
from collections.abc import Iterator
from functools import lru_cache

from bedside.verifier.claim import Claim
from bedside.verifier.claims.answers import NO
from bedside.verifier.claims.focus import Focus
from bedside.verifier.claims.mentions import claim_of
from bedside.verifier.language.context import context_of
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence

__all__ = ["home_of", "homes_of"]

_SPOUSE = r"husband|wife|spouse|hubby"
_PARTNER = r"boyfriend|girlfriend|partner|fianc[eé]e?"
_CHILD = r"sons?|daughters?|kids?|children|child|boys|girls|teenagers?|toddlers?|twins?|\w+ ?-?year ?-?old"
_HOUSEHOLDS = {
    "spouse": rf"\b(?:{_SPOUSE})\b",
    "partner": rf"\b(?:{_PARTNER})\b",
    "child": rf"\b(?:{_CHILD})\b",
    "parent": r"\b(?:mother|mom|mum|father|dad|parents)\b(?!-in)",
    "sibling": r"\b(?:brother|sister)s?\b(?!-in)",
    "roommate": r"\b(?:room|flat|house)mates?\b|"
    r"\b(?:lives?|living|house|flat|apartment|room) with (?:an? |\w+ )?(?:old )?friends?\b",
    "alone": r"\balone\b|\bby myself\b|\bon my own\b|\b(?:there's|it's|with|got) nobody\b|\bnobody (?:else|but)\b|"
    r"\bjust me and (?:the |my |a |\d+ )*(?:cats?|dogs?|birds?|parrot|canary|goldfish|plants|tv)\b|"
    r"\bjust me\b(?! and)|\bwidow\w*",
    "married": r"(?<!were )(?<!was )\bmarried\b|\bmarried (?:to|with|now)\b",
    "single": r"\bsingle\b(?! (?:day|thing|time|night|morning|one))|\bnever (?:been )?married\b",
    "divorced": r"\bdivorce[d]?\b|\bseparated\b|\bex-(?:husband|wife)\b",
    "widowed": r"\bwidow(?:er|ed)?\b|\bsince (?:my |his |her )?(?:husband|wife) (?:died|passed)|\b(?:late|"
    r"dead) (?:husband|wife)\b|\b(?:husband|wife) (?:died|passed|is dead)|"
    r"\bdeath of (?:my |his |her )?(?:husband|wife)\b",
    "childless": r"\bno (?:kids|children)\b|\bchildless\b|\bdon't have (?:any )?(?:kids|children)\b|"
    r"\bnever had (?:any )?(?:kids|children)\b",
    "homeless": r"\bhomeless\b|\b(?:(?:homeless|women's|night|family) shelter|"
    r"(?:liv\w+|stay\w*|sle[ep]\w+|bed|moved|been) (?:\w+ ){0,2}?(?:in|at|into) (?:a|the) (?:\w+ )?shelter)\b|"
    r"\bon the street\b|\bno place (?:to live|right now|"
    "of my own)\b|"
    r"\bliv\w+ in my car\b",
    "own place": r"\bmy own place\b|\bown my home\b|\bmy own (?:house|apartment|home)\b",
    "farm": r"\bfarm\b",
    "dormitory": r"\bdorm\w*\b",
    "institution": r"\bnursing home\b|\bassisted living\b|\bcare home\b|\bsenior community\b",
    "house": r"\b(?:two|one|2|1)-story\b|\bhouse\b(?! ?mate)",
    "apartment": r"\bapartment\b|\bflat\b(?= )|\bwalk-up\b|\bcondo\b",
}
_HOUSEHOLD = {name: Pattern(pattern, re.IGNORECASE) for name, pattern in _HOUSEHOLDS.items()}
_AT_HOME = Pattern(
    r"\b(?:liv(?:e|es|ing) (?:\w+ )?(?:with|alone|by|on|in|at)|lives?\b|share[sd]? (?:a |an )?(?:\w+ "
    r")?(?:flat|apartment|room|house|place|dorm)|at home\b|married|divorce[d]?|widow\w*|single\b|"
    r"homeless|shelter|sleeps? in|"
    r"my (?:husband|wife|boyfriend|girlfriend|partner|spouse)\b|no (?:kids|children)|(?:have|has|had|got) "
    r"(?:\w+ ){0,3}(?:kids|children|sons?|daughters?|boys|girls|twins)\b|by myself|on my own\b|nursing "
    r"home|assisted living|my own place|dorm\b)",
    re.IGNORECASE,
)
_LOVER = Pattern(r"\b(?:boyfriend|girlfriend|fianc[eé]e?)\b", re.IGNORECASE)
# "In a motel since his wife asked him to leave": who parted does not live with the other.
_LEFT = Pattern(
    rf"\b(?:{_SPOUSE}|{_PARTNER}) (?:\w+ )?(?:(?:asked|told|made) (?:him|her|me) to (?:leave|go|move)|"
    r"(?:threw|kicked|put) (?:him|her|me) out|left (?:me|him|her)|moved out|walked out)\b|"
    rf"\b(?:left|moved out on|parted from|split (?:up )?(?:with|from)) (?:his|her|my|the) (?:{_SPOUSE}|{_PARTNER})\b",
    re.IGNORECASE,
)
_COUNTED = Pattern(
    r"\b(\d+|a|an|one|twin|no)(?: \w+){0,2}? (?:sons?|daughters?|kids?|children|boys|girls)\b", re.IGNORECASE
)


@lru_cache(maxsize=4096)
def home_of(text: str) -> frozenset[str]:
    """Return the facts about marriage, family and housing that a text names."""
    found = {name for name, pattern in _HOUSEHOLD.items() if pattern.search(text)}
    if "widowed" in found or "divorced" in found:
        found -= {"spouse"}
    if "spouse" in found and not _LOVER.search(text):
        found -= {"partner"}  # "my wife is my only partner"
    if _LEFT.search(text):
        found = found - {"spouse", "partner"} | {"parted"}
    if "single" in found:
        found -= {"married"}
    if "childless" in found:
        found -= {"child"}
    if re.search(r"\bsince the divorce\b", text, re.IGNORECASE):
        found.add("divorced")
    return frozenset(found)


# "The kids are grown and gone": who has left lives elsewhere.
_GONE = Pattern(
    rf"\b(?:{_CHILD}|{_SPOUSE}|{_PARTNER}|brothers?|sisters?|mother|father|mom|dad|parents|"
    rf"room-?mates?)\b[^,.;]{{0,20}}?"
    r"(?:\b(?:are|is|have|has|all|both)|'s|'re|'ve) (?:\w+ )?(?:grown|gone|moved|left|out of the house|away|"
    r"elsewhere|dead|"
    r"passed)\b",
    re.IGNORECASE,
)
_TEACHES = Pattern(r"\b(?:teach\w*|coach\w*|work\w*|volunteer\w*|drive|look after|nurse)\b", re.IGNORECASE)
_OTHERS_HOME = Pattern(
    r"\b(?:his|her|their) (?:wife|husband)\b|\bmy (?:\w+ )?(?:cousin|friend|brother|sister|son|daughter|"
    r"boss|neighbou?r|mother|father|mom|dad|roommate|colleague)s?(?: \w+){0,3} (?:married|divorced|"
    r"lives?|single|husband|wife|has|had)\b|\bmy (?:wife|husband)'s (?:cousin|friend|brother|sister|"
    r"mother|father)",
    re.IGNORECASE,
)


# "My husband does the shopping": who does so now is alive and there.
_DAILY = Pattern(
    rf"\b(?:{_SPOUSE})(?:'s (?!mother|father|sister|brother|death|funeral|side)| (?:does|is|says|takes|helps|cooks|"
    rf"drives|works|"
    r"looks|comes|brings|makes|gets|keeps|sleeps|snores|thinks|wants|and i|tells|has to|does all)\b)",
    re.IGNORECASE,
)
_OWN_CHILD = r"(?:sons?|daughters?|girls?|boys?|kids?|children|bab(?:y|ies)|twins|toddlers?|little one)"
# A child so young lives at home: "my daughter's nine", "two boys, four and six", "the twins are in kindergarten".
_MINOR = Pattern(
    rf"\b(?:my|our|an?|\d+|the|little|youngest|oldest) (?:\w+ ){{0,2}}?{_OWN_CHILD}(?:(?:'s|'re| is| are|"
    rf",)[ ,]*(?:and |she's |he's |"
    rf"they're |only |just |almost |barely |who's |is )*)(?P<age>\d{{1,2}})\b(?! (?:pounds|feet|of|times|weeks|days|"
    rf"hours|"
    rf"miles|years? (?:ago|older|younger)))|\b(?:my|our|an?) (?P<years>\d{{1,2}})[ -]year[ -]old\b|"
    rf"\b(?:an?|\d+|my) (?:little )?{_OWN_CHILD} of (?P<of>\d{{1,2}})\b|\bi(?:'ve)? (?:got|have) (?:an? |"
    rf"\d+ )little (?:girl|boy|one)s?\b|"
    rf"\b(?:my|our|the) (?:\w+ )?{_OWN_CHILD}(?:'s|'re| is| are| just started| started| goes to| go to)? (?:in |at )?"
    rf"(?:kindergarten|preschool|day ?care|(?:first|second|third|fourth|fifth|sixth) grade|middle school|"
    rf"grade school)\b",
    re.IGNORECASE,
)
_OF_AGE = 18
_LITTLE = Pattern(r"\blittle (?:girl|boy|one)s?\b|\bbab(?:y|ies)\b|\btoddlers?\b", re.IGNORECASE)


def _minor(body: str, *, asked: bool) -> bool:
    """True where a child of one's own is told of that is too young to live elsewhere."""
    if match := _MINOR.search(body):
        age = match["age"] or match["years"] or match["of"]
        return age is None or int(age) < _OF_AGE
    return asked and bool(_LITTLE.search(body))


def homes_of(sentence: Sentence, focus: Focus) -> Iterator[Claim]:
    """Find claims about marriage, family and housing.

    Args:
        sentence: A sentence of the patient, numbers in digits.
        focus: What the question was about.

    Yields:
        Claims of kind ``living``.
    """
    body = sentence.text
    asked = "home" in focus.topics and sentence.number == 0
    of_children = "children" in focus.topics and sentence.number == 0
    match = _AT_HOME.search(body)
    minor = _minor(body, asked=of_children)
    if not match and not asked and not of_children and not minor:
        return
    said = home_of(_GONE.sub(" ", body))
    if of_children and NO.match(body):
        said = said - {"child"} | {"childless"}
    elif minor:
        said |= {"child"}
    if not said or _OTHERS_HOME.search(body) or (not match and _TEACHES.search(body)):
        return
    explicit = bool(re.search(r"\bliv(?:e|es|ing)\b|\bshar(?:e|es|ing)\b|\bsleeps?\b", body, re.IGNORECASE)) or asked
    details = {"home": "|".join(sorted(said)), "lives": "1" if explicit else ""} | ({"minor": "1"} if minor else {})
    if _DAILY.search(body):
        details["daily"] = "1"
    if count := _COUNTED.search(body):
        details["children"] = count[1].lower()
    span = match.span() if match else (0, len(body.rstrip(" .!?")))
    context = context_of(body, *span)._replace(denied=False, experiencer="patient", time="present")
    yield claim_of("living", "living", sentence, span, context, details)
