"""What a sentence says about the things it names: how much, how often, since when, which side, how bad.

Each detail belongs to the mention it stands nearest to, for one sentence may name several.
"""

import re
from collections.abc import Sequence

from bedside.verifier.language.context import clause_bounds
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import Quantity
from bedside.verifier.language.times import spoken_times

__all__ = ["details_of", "is_strength", "nearest", "side_in"]

Span = tuple[int, int]

_SEVERITY = Pattern(
    r"\b(\d+(?:\.\d+)?) ?(?:/|out of|on a scale of 1 to) ?10\b"
    r"|\b(?:a|an|it's|it is|maybe|about|like|rate it|say) (?:a |an )?(\d+)\b(?= (?:for|right|now|at|maybe)|"
    r"[.,!?]|$)",
    re.IGNORECASE,
)
_SEVERITY_WORDS = (
    (
        "9",
        r"worst(?= (?:\w+ )?(?:pain|headache|ache|ever|of my life|i've|i have|thing|it's|it has))|unbearable|"
        r"excruciating|10 out of 10|agony|agonizing",
    ),
    ("8", r"terrible|horrible|awful|severe|really bad|so bad|very bad|intense|very strong"),
    ("5", r"moderate|pretty bad|quite bad|medium"),
    ("3", r"mild|slight|a little|a bit|not too bad|minor"),
)
_SEVERITY_WORD = Pattern(
    "|".join(f"(?P<s{value}>\\b(?:{words})\\b)" for value, words in _SEVERITY_WORDS), re.IGNORECASE
)
_SIDE = Pattern(
    r"\b(left|right|both)\b(?!\s*(?:now|away|after|before|there|here|up|at|then|in front|through|over|off|"
    r"to|across|around|behind|below|beneath|under|above|between|along|next|beside|down)\b|'s? right)"
    r"(?=\s+\w|\W*$)",
    re.IGNORECASE,
)
_NOT_A_SIDE = Pattern(
    r"(?:\b(?:all|that's|that is|is that|you're|not|quite|just|about|feel|feels|feeling|be|is|i'm|i|have|"
    r"has|had|got|nothing|what's|anything|pills|some)\s+$"
    r"|\b(?:see|look\w*|turn\w*) (?:to|on) the\s+$)",
    re.IGNORECASE,
)
# So many times in all; "three times a day" is a rate.
_COUNT = Pattern(
    r"\b(?:(\d+) times|(once|twice))\b"
    r"(?! (?:a|an|per|every|each|daily|in a|more|or|the|as|worse|over|i|my|it|we|they)\b)",
    re.IGNORECASE,
)
# When it comes, day by day; "last night" and "this morning" are when it came.
_HOUR = Pattern(r"\b(?:in the|at|every|most|during the|by) (morning|afternoon|evening|night)s?\b", re.IGNORECASE)
_STARTED = Pattern(r"\b(?:started|began|came on|first|woke|since|until|till|took|take|taking)\b", re.IGNORECASE)
_COUNTED = {"once": "1", "twice": "2"}
_OF_DRUGS = ("dose", "frequency", "route")
_OF_TIMES = ("ago", "year", "duration")
_REGIMEN = ("dose", "number", "frequency")
# "The lisinopril, that's a forty, ibuprofen for the knees": forty is said of what stands before.
_APPOSITION = Pattern(
    r"[,;]\s*(?:(?:that's|that is|that one's|it's|it is|they're|those are|which is|is|the|an?|just|only|about|"
    r"maybe|like|say|i think|at)\b\s*)*$",
    re.IGNORECASE,
)
_ALONE = Pattern(
    r"(?<![\w.'-])(\d+(?:\.\d+)?)(?= of (?:it|something|that|[a-z]{6,})\b|\W*$|"
    r"[,;](?! ?\d+\b(?! ?(?:times|x\b|a day|in the|at|with|every|pills?|tablets?)))| (?:every|at|"
    r"in the|once|twice|a day|mornings?|daily|up to|\d+ times?)\b)"
)
# "One twenty-five", once its words are digits.
_AS_SPOKEN = Pattern(r"(?<![\d.])([1-9])[ -]([1-9]\d)(?=\W*$|[,;] |[,;]?$)(?! ?(?:am|pm))")
# "Another one", "two of them", "one and a half" count things, not milligrams.
_FEWEST = 5
_HALVES = (0.5, 1.5)
_THE = Pattern(r"(?:,|\bthat's|\bit's|\bis|\bon) the $", re.IGNORECASE)
_SINCE = Pattern(r"\b(?:since|after|until|before|when|woke|ago|last|yesterday)\W*$", re.IGNORECASE)

# "Sugar since 1999, weak kidneys": the year is that of the sugar, whether or not a table knows it.
_ANOTHERS = re.compile(
    r"\s*(?!(?:that|it|this|and|but|maybe|only|just|always|ever|even|been|i|ive|had|on|off|all|long|well|way|not)\b)"
    r"[a-z]+ (?:since|from) |.*\ban? [a-z]+ (?:for (?:about |over |almost |nearly )?)?",
    re.IGNORECASE,
)


_DOING = re.compile(
    r"\W*(?:and |so |but |then )*(?:i|we|he|she)(?:'d|'ve)? (?!had\b|have\b|got\b|get\b|felt\b|feel\b|noticed?\b|"
    r"started\b|began\b|"
    r"been\b|was\b|am\b|can't sleep|woke)\w+",
    re.IGNORECASE,
)
# "Four days ago, the nausea a day after": not four.
_LATER = re.compile(
    r",? (?:\w+ ){0,2}?(?:about )?(?:an?|the|\d+|a few)(?: next)? (?:day|night|morning|week|hour|month)s? "
    r"(?:after(?:wards?)?|later|before that)(?=\W*$|[,.;]| that\b)|,? (?:\w+ ){0,2}?the next (?:day|night|morning)\b",
    re.IGNORECASE,
)
# "Ever since they replaced my knee three days ago": the time is that of what was done.
_WAS_DONE = re.compile(
    r"\b(?:they|he|she|the doctors?|the surgeons?) (?:replaced|took|did|put|operated|fixed|gave|cut|"
    r"removed|opened|sent|let|changed|stopped|started me|switched|"
    r"raised|upped|lowered|doubled)\b[^,;.]*$",
    re.IGNORECASE,
)
_SINCE_WHEN = re.compile(r"\b(?:ago|back|since|now|started|began|going on|already|past|last)\b", re.IGNORECASE)
_OF_WHAT = re.compile(
    r" of (?:the |this |that |my |all )*(?!it\b|this\b|that\b|them\b|now\b|"
    r"course\b)\w",
    re.IGNORECASE,
)


def details_of(
    kind: str, body: str, span: Span, spans: Sequence[Span], quantities: Sequence[Quantity]
) -> dict[str, str]:
    """Collect the details of one mention.

    Args:
        kind: Category of its concept.
        body: The sentence.
        span: Where the mention stands in it.
        spans: Where all mentions stand.
        quantities: What is measured in the sentence.

    Returns:
        Normalised details by name.
    """
    drug = kind in ("medication", "drug_class")
    later = bool(_LATER.match(body, span[1]))
    found: dict[str, str] = {}
    for quantity in quantities:
        if kind == "symptom" and quantity.kind in _OF_TIMES and (later or _is_of_a_deed(body, quantity, span)):
            continue
        if quantity.kind in (*(_OF_DRUGS if drug else _OF_TIMES), "year") and nearest(body, quantity, spans) == span:
            found.setdefault(quantity.kind, quantity.value)
    if drug:
        if "dose" not in found and (number := _bare_number(body, span, spans, quantities)):
            found |= number
        return found
    if kind == "symptom":
        found |= _severity(body, span, spans)
    if kind in ("symptom", "condition", "procedure") and (side := _side(body, span, spans)):
        found["side"] = side
    if kind in ("symptom", "condition") and not later and not found.keys() & {"ago", "duration"}:
        found |= _since(body, span, spans)
    if kind == "symptom":
        # "A need to pee every hour" is a name.
        found |= {
            q.kind: q.value
            for q in quantities
            if q.kind == "frequency"
            and q.start >= span[1]
            and "," not in body[span[1] : q.start].strip(" ,")
            and nearest(body, q, spans) == span
        }
        found |= _count(body, span, spans) | _hour(body, span, spans)
    return found


def _is_of_a_deed(body: str, quantity: Quantity, span: Span) -> bool:
    """True for a time that tells when something was done to the patient, before or after the complaint is named."""
    deed = _WAS_DONE.search(body, 0, quantity.start)
    return deed is not None and not deed.start() <= span[0] < quantity.start


def _bare_number(body: str, span: Span, spans: Sequence[Span], quantities: Sequence[Quantity]) -> dict[str, str]:
    """A number without a unit beside a drug: "Lipitor, 40, at night"; "the 4" is no count of tablets."""
    spoken = _AS_SPOKEN.search(body)
    if spoken and nearest(body, Quantity("number", "", *spoken.span()), spans) == span:
        return {"number": str(100 * int(spoken[1]) + int(spoken[2]))}
    for match in _ALONE.finditer(body):
        measured = any(q.start <= match.start() < q.end for q in quantities)
        if not measured and not _SINCE.search(body[: match.start()]):
            number = Quantity("number", match[1], *match.span())
            strength = is_strength(match[1]) or bool(_THE.search(body[: match.start()]))
            if (
                (float(match[1]) >= _FEWEST or strength)
                and nearest(body, number, spans) == span
                and abs(match.start() - span[1]) < 40
            ):
                return {"number": f"{float(match[1]):g}"} | ({"strength": "1"} if strength else {})
    return {}


def is_strength(number: str) -> bool:
    """True for small numbers that nobody counts tablets by: "two and a half", "point two five"."""
    return "." in number and float(number) not in _HALVES


def _severity(body: str, span: Span, spans: Sequence[Span]) -> dict[str, str]:
    if number := _SEVERITY.search(body):
        value = float(number[1] or number[2])
        if value <= 11 and nearest(body, Quantity("severity", "", *number.span()), spans) == span:
            return {"severity": f"{value:g}"}
    if (word := _SEVERITY_WORD.search(body)) and nearest(body, Quantity("severity", "", *word.span()), spans) == span:
        return {"severity_word": str(word.lastgroup)[1:]}
    return {}


def _count(body: str, span: Span, spans: Sequence[Span]) -> dict[str, str]:
    """How many times it came: "I've fallen three times in two weeks"."""
    for match in _COUNT.finditer(body):
        if nearest(body, Quantity("count", "", *match.span()), spans) == span:
            return {"count": match[1] or _COUNTED[match[2].lower()]}
    return {}


def _hour(body: str, span: Span, spans: Sequence[Span]) -> dict[str, str]:
    """The part of the day at which it comes: "mostly in the evenings"."""
    for match in _HOUR.finditer(body):
        if not _STARTED.search(body) and nearest(body, Quantity("hour", "", *match.span()), spans) == span:
            return {"hour": match[1].lower()}
    return {}


def _since(body: str, span: Span, spans: Sequence[Span]) -> dict[str, str]:
    for time in spoken_times(body):
        if span[0] <= time.start < span[1]:
            continue  # a part of the name: "abscess treated with 10 days of clindamycin"
        own = clause_bounds(body, time.start)[0]
        if own != clause_bounds(body, span[0])[0] and _DOING.match(body, own):
            continue  # "I couldn't lift a thing yesterday, that's how weak I am"
        when = Quantity("ago", "", time.start, time.end)
        if not _is_of_a_deed(body, when, span) and nearest(body, when, spans) == span:
            # "Half an hour before I knew where I was" is how long, unless something says that it is since when.
            name = "ago" if time.days >= 1 or time.vague or _SINCE_WHEN.search(body) else "duration"
            return {name: f"{time.days:g}"} | ({"vague": "1"} if time.vague else {})
    return {}


def _side(body: str, span: Span, spans: Sequence[Span]) -> str | None:
    for match in _SIDE.finditer(body):
        if _NOT_A_SIDE.search(body[: match.start()]):
            continue
        if nearest(body, Quantity("side", "", *match.span()), spans) == span:
            return match[1].lower()
    return None


def side_in(text: str) -> str | None:
    """Return the side that a text names first, if any."""
    for match in _SIDE.finditer(text):
        if not _NOT_A_SIDE.search(text[: match.start()]):
            return match[1].lower()
    return None


def _is_apposition(body: str, quantity: Quantity, spans: Sequence[Span]) -> bool:
    """True where a measure stands between commas behind a name, and does not open the next one."""
    before, after = body[: quantity.start], body[quantity.end :].lstrip()
    named_before = any(end <= quantity.start for _, end in spans)
    return named_before and (not after or after[0] in ",.;") and bool(_APPOSITION.search(before))


def nearest(body: str, quantity: Quantity, spans: Sequence[Span]) -> Span | None:
    """Return the mention that a quantity belongs to: the closest, crossing "and" or a comma only if it must."""
    item = body[max(body.rfind(",", 0, quantity.start), body.rfind(";", 0, quantity.start)) + 1 : quantity.start]
    if _ANOTHERS.fullmatch(item) and not any(
        quantity.start - len(item) <= start < quantity.start for start, _ in spans
    ):
        return None
    if (owner := _OF_WHAT.match(body, quantity.end)) and not any(
        quantity.end < start <= owner.end() for start, _ in spans
    ):
        return None  # "three days of the running, the dribbling since yesterday"
    best, best_cost = None, float("inf")
    said_after = quantity.kind in _REGIMEN and _is_apposition(body, quantity, spans)
    for start, end in spans:
        if said_after and start > quantity.start:
            continue
        between = body[end : quantity.start] if end <= quantity.start else body[quantity.end : start]
        cost: float = len(between.split())
        cost += 6 * len(re.findall(r"\band\b|;|\bplus\b|\bthen\b|\bwhile\b", between)) + 2 * between.count(",")
        # Details usually follow what they detail.
        cost += 0.5 if end > quantity.start else 0.0
        if cost < best_cost:
            best, best_cost = (start, end), cost
    return best
