"""What a sentence leaves out: the owner of a dose, the start of a complaint.

It is taken from the sentence before, or from the question.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from bedside.verifier.claim import Claim, concepts_of
from bedside.verifier.claims.details import details_of
from bedside.verifier.claims.focus import Focus, Named
from bedside.verifier.claims.mentions import ANY_ALLERGY, CLAIMED_KINDS, claim_of, main_concept
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.context import context_of
from bedside.verifier.language.kin import KIN
from bedside.verifier.language.lexicon import Mention
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import Quantity
from bedside.verifier.language.text import Sentence
from bedside.verifier.language.times import spoken_times

__all__ = ["Carried", "carry", "left_out", "onset"]

_LONE = Pattern(r"\W*(?:\w+,? ){0,3}?(\d+(?:\.\d+)?)\b(?! ?(?:times?|a day|years?|weeks?|months?|days?|pills?|x))")
_NUMBER = Pattern(r"\b\d+(?:\.\d+)?\b(?! ?(?:hours?|days?|weeks?|months?|years?|minutes?|o'clock|am\b|pm\b))")
# "It's the forty milligram", "from ten to fifty": of the drug that was named, whatever was named after it.
_OF_A_DRUG = Pattern(
    r"\b\d+(?:\.\d+)? ?(?:mg|milligrams?|mcg|micrograms?|units?)\b|\bfrom \d+(?:\.\d+)? (?:up |down )?to \d+\b",
    re.IGNORECASE,
)
_CHANGED_TO = Pattern(
    r"\b(?:from \d+(?:\.\d+)?(?: ?(?:mg|milligrams?))? (?:up |down )?to|(?:raised|upped|increased|lowered|cut|put up|"
    r"bumped|reduced|changed)(?: \w+){0,2}? to) (\d+(?:\.\d+)?)\b(?! ?(?:days|weeks|times|a day|pills|tablets))",
    re.IGNORECASE,
)
_SHORT = 8
_A_MOMENT = 0.1
_FEWEST = 5
_DRUGS = ("medication", "drug_class")
_BEGAN = Pattern(
    r"\b(?:started|began|(?<!wouldn't )(?<!won't )(?<!to )start|came on|come on|since|been going on|noticed|first|"
    r"woke (?:me )?up|for the "
    r"(?:past|last)|for about|for \d|going on|it's been|been (?:there|like)|appeared|ago|\d \w+ back)\b",
    re.IGNORECASE,
)
_ITS_START = Pattern(r"\b(?:start\w*|began|begin|came on)\b", re.IGNORECASE)
_YEARS = Pattern(r"\b(\d{1,2}) years\b(?! old)", re.IGNORECASE)
_GRADUALLY = Pattern(r"\b(?:gradual\w*|slowly|bit by bit|little by little)\b", re.IGNORECASE)
_HELPS = Pattern(r"\b(?:helps?|helped|eases?|relie\w+)\b", re.IGNORECASE)
_OTHERS_LIFE = Pattern(
    r"\b(?:smok\w+|drink\w*|drank|quit|work\w*|married|divorced|lived|living|job|retired|pack|son|daughter|"
    r"husband|wife|pregnant|partner|together|we|we've|we're|dating|engaged)\b",
    re.IGNORECASE,
)


# "And a pill at bedtime for the cholesterol" begins another.
_ANOTHER_DRUG = Pattern(
    r"\b(?:an?|another|the other|one|some) (?:\w+ )?(?:pill|tablet|capsule|one|shot|patch|spray|inhaler|"
    r"thing)\b.*\bfor\b|"
    r"\b(?:another|the other) (?:one|pill|tablet|thing)\b|"
    r"^\W*(?:and |but )?(?:the|my) (?!dose|strength|number|tablets?|pills?|bottle|label|box|script|ones?\b|last|first)"
    r"[a-z]+(?: [a-z]+)?(?:'s| is| are|,) ",
    re.IGNORECASE,
)
# "I've slung sacks for thirty years" is how long one has done it.
_DOES_SO_LONG = Pattern(
    r"^\W*(?:for )?\d{1,2} years(?: now)?,? (?:and )?(?:i|we)(?:'ve| have)? (?!had\b|felt\b|got\b|noticed\b|"
    r"been (?:having|getting|"
    r"feeling|like|hurting)\b)\w+|"
    r"\b(?:i|we)(?:'ve| have)(?: always)? (?!had\b|felt\b|noticed\b|got\b|gotten\b|suffered\b|put up\b|lived with\b|"
    r"been (?:having|getting|feeling|like|hurting|aching|itching|coughing|sick|ill|bad|this|that|short|dizzy|tired)\b)"
    r"\w+[^.;]*?\b\d{1,2} years\b",
    re.IGNORECASE,
)


class Carried(NamedTuple):
    """What the sentences so far leave for the next.

    Attributes:
        named: What was named last.
        kin: Which relative.
        allergen: What was said not to be tolerated.
        illness: The first illness of the last sentence that named one.
        drug: The one drug of the last sentence that named any.
    """

    named: Named | None = None
    kin: str = ""
    allergen: str = ""
    illness: Named | None = None
    drug: Named | None = None


def carry(sentence: Sentence, claims: list[Claim], carried: Carried) -> Carried:
    """Return what a sentence leaves for the next."""
    named = [c for c in claims if c.kind in (*CLAIMED_KINDS, "allergy") and c.concept != ANY_ALLERGY]
    kin = carried.kin
    for relative in KIN.finditer(sentence.text):
        kin = relative[1].lower()
    if not named:
        return carried._replace(kin=kin)
    last = named[-1]
    allergen = next((c.concept for c in named if c.kind == "allergy" and not c.denied), "")
    ill = next(
        (Named(concepts_of(c), c.surface) for c in named if c.kind == "condition" and c.act == "statement"), None
    )
    drugs = {c.concept: Named(concepts_of(c), c.surface) for c in named if c.kind in _DRUGS and not c.denied}
    drug = next(iter(drugs.values())) if len(drugs) == 1 else None if drugs else carried.drug
    return Carried(Named(concepts_of(last), last.surface), kin, allergen, ill or carried.illness, drug)


def left_out(
    sentence: Sentence, quantities: tuple[Quantity, ...], grounded: GroundedCase, carried: Carried
) -> Iterator[Claim]:
    """Details whose owner was named before: "Lipitor. Forty, at night."."""
    if carried.drug and not carried.allergen and _OF_A_DRUG.search(sentence.text):
        carried = carried._replace(named=carried.drug)
    concept = main_concept(carried.named.concepts, grounded) if carried.named and not carried.allergen else ""
    if carried.named is None or not concept or KIN.search(sentence.text):
        return
    lasting = next((c for c in carried.named.concepts if grounded.kind(c) in ("condition", "procedure")), "")
    concept = lasting if grounded.kind(concept) == "symptom" and lasting else concept
    kind = grounded.kind(concept)
    body = sentence.text
    whole = (0, len(body))
    if kind in _DRUGS:
        if _ANOTHER_DRUG.search(body):
            return
        details = details_of(kind, body, whole, (whole,), quantities)
        details = {k: v for k, v in details.items() if k in ("dose", "frequency", "number", "strength")}
        if not details.keys() & {"number", "dose"} and (number := _lone_number(sentence, quantities)):
            details["number"] = number
        if details:
            yield _carried_claim(kind, concept, sentence, details, carried.named)
    elif kind in ("condition", "procedure") or concept.startswith("case:"):
        if (ago := _YEARS.search(body)) and not (_OTHERS_LIFE.search(body) or _DOES_SO_LONG.search(body)):
            details = {"duration": f"{365 * float(ago[1]):g}"}
            yield _carried_claim(kind, concept, sentence, details, carried.named, ago.span())
        years = [q for q in quantities if q.kind == "year"]
        if years and not _OTHERS_LIFE.search(body):
            span = (years[0].start, years[0].end)
            yield _carried_claim(kind, concept, sentence, {"year": years[0].value}, carried.named, span)


def _lone_number(sentence: Sentence, quantities: tuple[Quantity, ...]) -> str:
    """A number that opens a short answer and must be a dose: "Maybe 200, I think"."""
    if (changed := _CHANGED_TO.search(sentence.text)) and float(changed[1]) >= _FEWEST:
        return f"{float(changed[1]):g}"
    bare = _LONE.match(sentence.text)
    if bare is None or len(sentence.tokens) > _SHORT or float(bare[1]) < _FEWEST:
        return ""
    measured = any(q.start <= bare.start(1) < q.end for q in quantities)
    return "" if measured else f"{float(bare[1]):g}"


def _carried_claim(
    kind: str,
    concept: str,
    sentence: Sentence,
    details: dict[str, str],
    named: Named,
    span: tuple[int, int] | None = None,
) -> Claim:
    others = [c for c in named.concepts if c != concept]
    if others:
        details["also"] = " ".join(others)
    start, end = span or (0, len(sentence.text.rstrip(" .!?")))
    context = context_of(sentence.text, start, end)
    return claim_of(
        kind,
        concept,
        sentence,
        (start, end),
        context._replace(denied=False, time="present"),
        details | {"carried": "1"},
    )


def onset(
    sentence: Sentence,
    quantities: tuple[Quantity, ...],
    named: list[tuple[Mention, tuple[int, int]]],
    grounded: GroundedCase,
    focus: Focus,
    carried: Carried,
) -> Iterator[Claim]:
    """A time that no concept in the sentence owns: "It started three days ago"."""
    body = sentence.text
    began = _BEGAN.search(body)
    owners = {grounded.kind(c) for c in (carried.named.concepts if carried.named and not named else ())}
    if owners and not owners & {"symptom", "allergy"} and not _ITS_START.search(body):
        return  # "That was two months ago", of an operation
    if (focus.topics & {"better", "worse"} or _HELPS.search(body)) and not _ITS_START.search(body):
        return  # "for about an hour" is how long it helps
    if not began:
        if named or "job" in focus.topics or _OTHERS_LIFE.search(body) or _DOES_SO_LONG.search(body):
            return
        symptom = (carried.named is None and "when" in focus.topics) or (
            carried.named is not None and any(grounded.kind(c) == "symptom" for c in carried.named.concepts)
        )
        if not symptom or len(sentence.tokens) > (9 if "when" in focus.topics else 7):
            return
    elif (_OTHERS_LIFE.search(body) or _DOES_SO_LONG.search(body)) and not named:
        return
    for quantity in quantities:
        if quantity.kind == "duration" and float(quantity.value) < _A_MOMENT:
            continue  # "fuzzy for a couple of minutes" is how long, not since when
        if quantity.kind in ("ago", "duration") and not _GRADUALLY.search(body):
            span = (quantity.start, quantity.end)
            context = context_of(body, *span)
            if context.experiencer != "somebody":
                details = {"ago": quantity.value} | ({} if named else _begun(sentence, focus))
                yield claim_of("onset", "onset", sentence, span, context, details)
            return
    if named and not any(grounded.kind(c) in ("symptom",) for m, _ in named for c in m.concepts):
        return
    yield from _as_people_say(sentence, {} if named else _begun(sentence, focus)) if not _GRADUALLY.search(body) else ()


def _begun(sentence: Sentence, focus: Focus) -> dict[str, str]:
    """What the question asks the start of: "When did the leaking start?" "Two years back."."""
    asked = "when" in focus.topics or (len(focus.asked) == 1 and bool(_ITS_START.search(sentence.text)))
    if not asked or sentence.number or len(focus.named) != 1:
        return {}
    return {"of": " ".join(focus.named[0].concepts)}


def _as_people_say(sentence: Sentence, begun: dict[str, str]) -> Iterator[Claim]:
    """The first time of a sentence that is said in words: "last night", "three weeks now"."""
    body = sentence.text
    for time in spoken_times(body):
        if time.vague and _NUMBER.search(body):
            continue  # "102.5 this morning" is when it was read
        span = (time.start, time.end)
        details = {"ago": f"{time.days:g}"} | ({"vague": "1"} if time.vague else {}) | begun
        context = context_of(body, *span)
        if context.experiencer != "somebody":
            yield claim_of("onset", "onset", sentence, span, context, details)
        return
