"""Call 1 of the verifier: decompose a text into atomic medical claims, by grammar.

Emotion and small talk name no concept and yield no claim. A mention that is only asked or supposed is a claim too,
with its act, so that whoever reads the claims can tell saying from asking.
"""

import re
from functools import lru_cache

from bedside.verifier.claim import Claim
from bedside.verifier.context import Context, context_of
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.lexicon import Mention
from bedside.verifier.quantities import Quantity, digits, find_quantities
from bedside.verifier.text import Sentence, plain, sentences

__all__ = ["extract_claims", "normalise"]

CLAIMED_KINDS = ("symptom", "condition", "medication", "drug_class", "procedure", "substance")
_SEVERITY = re.compile(r"\b(\d+(?:\.\d+)?) ?(?:/|out of|on a scale of 1 to) ?10\b|\b(?:a|an|it's|maybe|about|like|rate it) (?:a |an )?(\d+)\b(?= (?:for|right|now|at)|[.,!?]|$)", re.IGNORECASE)
_SEVERITY_WORDS = (
    ("9", r"worst|unbearable|excruciating|10 out of 10|terrible|horrible|awful|agony|killing me|agonizing"),
    ("8", r"severe|really bad|so bad|very bad|intense|very strong"),
    ("5", r"moderate|pretty bad|quite bad|medium"),
    ("3", r"mild|slight|a little|a bit|not too bad|minor"),
)  # fmt: skip
_SEVERITY_WORD = re.compile("|".join(f"(?P<s{value}>\\b(?:{words})\\b)" for value, words in _SEVERITY_WORDS), re.IGNORECASE)
_SIDE = re.compile(r"\b(left|right|both)\b", re.IGNORECASE)
_ALLERGY = re.compile(r"\b(?:allerg\w+|reaction to|react(?:ed|s)? (?:badly )?to|can't (?:take|have|tolerate)|intolerant)\b", re.IGNORECASE)
_AGE = re.compile(r"\b(?:i'm|i am|im) (?:a |an )?(\d{1,3})(?:[ -]years?[ -]olds?\b|(?= (?:year|now)|[.,!?]|$))|\b(\d{1,3})[ -]years?[ -]olds? (?:man|woman|male|female)|\bat my age,? (\d{1,3})", re.IGNORECASE)
_SEX = re.compile(r"\b(?:i'm|i am|as) an? (?:\w+ ){0,2}?(man|woman|male|female|guy|lady|girl|boy)\b|\bi'?m (pregnant)\b", re.IGNORECASE)
_WORK = re.compile(r"\b(?:i work as|i'm working as|my job is|i work for a living as) (?:an? )?([a-z -]{3,40}?)(?=[.,;!?]| and | but | at | in |$)", re.IGNORECASE)
_FED_UP = re.compile(r"\b(?:tired|sick)$", re.IGNORECASE)
_VISIT_TO = re.compile(r"\b(?:see|seeing|saw|visit|appointment with|go to|went to) (?:a |an |the |my )?$", re.IGNORECASE)
_VISITED = re.compile(r"^\s*(?:clinic|office|team|doctor|department|nurse|visit|appointment|specialist|program)\b", re.IGNORECASE)
_BEGAN = re.compile(r"\b(?:started|began|start|came on|come on|since|been going on|noticed|first|woke up|for the (?:past|last)|for about|going on)\b", re.IGNORECASE)


@lru_cache(maxsize=4096)
def normalise(text: str) -> str:
    """Return the text that claims are read from and their offsets refer to: plain characters, numbers in digits."""
    return digits(plain(text))


def extract_claims(text: str, grounded: GroundedCase) -> tuple[Claim, ...]:
    """Find the claims of a text about a case.

    Args:
        text: What somebody said.
        grounded: The case; its own words are understood besides the core knowledge.

    Returns:
        Claims in the order of the text, with offsets into :func:`normalise`'s output.
    """
    found: list[Claim] = []
    for sentence in sentences(normalise(text)):
        found.extend(_claims_of(sentence, grounded))
    return tuple(found)


def _claims_of(sentence: Sentence, grounded: GroundedCase) -> list[Claim]:
    body, offset = sentence.text, sentence.start
    quantities = find_quantities(body)
    mentions = [m for m in grounded.find(sentence.tokens) if _claimed(m, grounded)]
    spans = [(sentence.tokens[m.first].start - offset, sentence.tokens[m.last].end - offset) for m in mentions]
    claims = []
    for mention, (start, end) in zip(mentions, spans, strict=True):
        if _VISIT_TO.search(body[:start]) or _VISITED.match(body[end:]):
            continue  # "the surgery clinic" is a place, not an operation
        if _FED_UP.search(body[start:end]) and re.match(r"\s+of\b", body[end:], re.IGNORECASE):
            continue  # "tired of waiting" is no fatigue
        context = context_of(body, start, end)
        concept = next(c for c in mention.concepts if grounded.kind(c) in CLAIMED_KINDS or c.startswith("case:"))
        kind = "allergy" if _ALLERGY.search(body) and grounded.kind(concept) in ("medication", "substance", "drug_class", "allergy") else grounded.kind(concept)
        attributes = _attributes(kind, body, (start, end), spans, quantities)
        others = [c for c in mention.concepts if c != concept]
        if others:
            attributes["also"] = " ".join(others)
        claims.append(_claim(kind, concept, body, (start, end), context, attributes, sentence.number, offset))
    claims.extend(_demographics(body, sentence.number, offset))
    if not any(c.attributes.keys() & {"ago", "duration"} for c in claims):
        claims.extend(_onset(body, quantities, sentence.number, offset))
    return claims


def _claimed(mention: Mention, grounded: GroundedCase) -> bool:
    return any(c.startswith("case:") or grounded.kind(c) in CLAIMED_KINDS for c in mention.concepts)


def _claim(
    kind: str,
    concept: str,
    body: str,
    span: tuple[int, int],
    context: Context,
    attributes: dict[str, str],
    number: int,
    offset: int,
) -> Claim:
    start, end = span
    return Claim(
        kind=kind,
        concept=concept,
        surface=body[start:end],
        denied=context.denied,
        certainty=context.certainty,
        experiencer=context.experiencer,
        time=context.time,
        act=context.act,
        attributes=attributes,
        start=start + offset,
        end=end + offset,
        sentence=number,
    )


_OF_DRUGS = ("dose", "frequency", "route")
_OF_TIMES = ("ago", "year", "duration")


def _attributes(
    kind: str, body: str, span: tuple[int, int], spans: list[tuple[int, int]], quantities: tuple[Quantity, ...]
) -> dict[str, str]:
    wanted = _OF_DRUGS if kind in ("medication", "drug_class") else _OF_TIMES
    found: dict[str, str] = {}
    for quantity in quantities:
        if quantity.kind in (*wanted, "year") and nearest(body, quantity, spans) == span:
            found.setdefault(quantity.kind, quantity.value)
    if kind == "symptom":
        found |= _severity(body, span, spans)
        if side := _SIDE.search(body, max(0, span[0] - 12), span[1] + 12):
            found["side"] = side[1].lower()
    return found


def _severity(body: str, span: tuple[int, int], spans: list[tuple[int, int]]) -> dict[str, str]:
    if number := _SEVERITY.search(body):
        value = float(number[1] or number[2])
        if value <= 10 and nearest(body, Quantity("severity", "", *number.span()), spans) == span:
            return {"severity": f"{value:g}"}
    if (word := _SEVERITY_WORD.search(body)) and nearest(body, Quantity("severity", "", *word.span()), spans) == span:
        return {"severity_word": str(word.lastgroup)[1:]}
    return {}


def nearest(body: str, quantity: Quantity, spans: list[tuple[int, int]]) -> tuple[int, int] | None:
    """Return the mention that a quantity belongs to: the closest, crossing "and" or a comma only if it must."""
    best, best_cost = None, float("inf")
    for start, end in spans:
        between = body[end : quantity.start] if end <= quantity.start else body[quantity.end : start]
        cost: float = len(between.split())
        cost += 6 * len(re.findall(r"\band\b|;|\bplus\b|\bthen\b|\bwhile\b", between)) + 2 * between.count(",")
        # Details usually follow what they detail.
        cost += 0.5 if end > quantity.start else 0.0
        if cost < best_cost:
            best, best_cost = (start, end), cost
    return best


def _demographics(body: str, number: int, offset: int) -> list[Claim]:
    found = []
    for name, pattern in (("age", _AGE), ("sex", _SEX), ("occupation", _WORK)):
        for match in pattern.finditer(body):
            value = next(g for g in match.groups() if g)
            context = context_of(body, match.start(), match.end())
            attributes = {name: value.lower().strip()}
            found.append(_claim("demographic", f"demographic:{name}", body, match.span(), context, attributes, number, offset))
    return found


def _onset(body: str, quantities: tuple[Quantity, ...], number: int, offset: int) -> list[Claim]:
    """A time that no concept in the sentence owns: "It started three days ago"."""
    if not _BEGAN.search(body):
        return []
    found = []
    for quantity in quantities:
        if quantity.kind in ("ago", "duration"):
            span = (quantity.start, quantity.end)
            context = context_of(body, *span)
            found.append(_claim("onset", "onset", body, span, context, {"ago": quantity.value}, number, offset))
    return found
