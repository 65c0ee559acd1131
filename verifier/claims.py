"""Call 1 of the verifier: decompose a text into atomic medical claims, by grammar.

Emotion and small talk name no concept and yield no claim. A mention that is only asked or supposed is a claim too,
with its act, so that whoever reads the claims can tell saying from asking. What an answer leaves out is taken from the
sentence before it or from the question.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from bedside.verifier.claim import Claim
from bedside.verifier.context import Context, context_of, is_belief
from bedside.verifier.details import details_of, nearest
from bedside.verifier.focus import NOTHING, Focus, Named, focus_of
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.lexicon import Mention
from bedside.verifier.quantities import Quantity, digits, find_quantities
from bedside.verifier.ruling import concepts_of
from bedside.verifier.text import Sentence, plain, sentences
from bedside.verifier.times import spoken_times

__all__ = ["ALLERGENS", "ANY_ALLERGY", "claim_of", "extract_claims", "nearest", "normalise"]

CLAIMED_KINDS = ("symptom", "condition", "medication", "drug_class", "procedure", "substance")
ALLERGENS = ("medication", "substance", "drug_class", "allergy")
ANY_ALLERGY = "allergy:any"
_DRUGS = ("medication", "drug_class")
_ALLERGY = re.compile(
    r"\b(?:allerg(?:ic|y) (?:to|against)|(?:am|i'm|are|is) allergic|reaction to|react(?:ed|s)? (?:badly )?to|can't (?:take|have|tolerate)|intolerant|allerg\w+\W*$)\b|\ballerg(?:ic|y|ies)\b(?! (?:medicine|medication|pill|med|tablet|shot|season)s?\b)",
    re.IGNORECASE,
)
_FOR_ALLERGIES = re.compile(r"\bfor (?:my |the |his |her )?(?:\w+ )?allerg", re.IGNORECASE)
_REACTS = re.compile(
    r"\b(?:mak(?:es|e|ing)|made|giv(?:es|e|ing)|gave|caus(?:es|ed)|breaks? (?:me )?out|broke (?:me )?out|br(?:ing|ought)s? (?:me )?out|get|got|swell\w*|i)\b",
    re.IGNORECASE,
)
_REACTIONS = frozenset(("cond:anaphylaxis", "cond:urticaria", "cond:angioedema", "cond:contact-dermatitis"))
_IT_DID = re.compile(r"\b(?:(?:gives?|gave|makes?|made) me|i (?:\w+ )?(?:get|got|had|break|broke|swell|swelled|came|come|threw|pass|puke|vomit)|from it|my (?:throat|face|lips|tongue)|just)\b|^\W*(?:\w+\W*){1,3}$", re.IGNORECASE)
# In a longer sentence a food or an animal is a story, not an allergy.
_TERSE = 7
_ASIDE = re.compile(r"\b(?:my|your|the|they|it's|she|he|we)\b", re.IGNORECASE)
_TAKES = re.compile(r"\b(?:i'm on|i take|i'm taking|i use|taking|takes?|every day|daily|have me on)\b", re.IGNORECASE)
_AGE = re.compile(
    r"\b(?:i'm|i am|im|i've turned|i turned|just turned) (?:a |an |about )?(\d{1,3})(?:[ -]years?[ -](?:olds?|of age)\b|(?= (?:year|now|last|this|next|in)|[.,!?]|$))"
    r"|\b(\d{1,3})[ -]years?[ -]olds? (?:man|woman|male|female)|\bat my age,? (\d{1,3})",
    re.IGNORECASE,
)
_SEX = re.compile(r"\b(?:i'm|i am|as) an? (?:\w+ ){0,2}?(man|woman|male|female|guy|lady|girl|boy)\b|\bi'?m (?:actually |already |about |\d+ \w+ )*(pregnant)\b", re.IGNORECASE)
_WORK = re.compile(
    r"\b(?:i work as|i'm working as|i worked as|my job is|i work for a living as) (?:an? )?([a-z -]{3,40}?)(?=[.,;!?]| and | but | at | in |$)",
    re.IGNORECASE,
)
_PAST_USE = re.compile(r"\b(?:smoked|drank|did|done|used|tried)\b", re.IGNORECASE)
_KIN_AGE = re.compile(r"\b(?:at(?: age)?|aged?|when (?:he|she) was|(?:he|she) was) (?:about |only |just )?(\d{2})\b(?! ?(?:%|mg|pounds|years? ago))|\b(\d{2}) when\b", re.IGNORECASE)
_FED_UP = re.compile(r"\b(?:tired|sick)$", re.IGNORECASE)
_VISIT_TO = re.compile(r"\b(?:see|seeing|saw|visit|appointment with|go to|went to) (?:a |an |the |my )?$", re.IGNORECASE)
_LACK = re.compile(r"^ (?:deficienc|levels?\b|drive\b|bar\b)", re.IGNORECASE)
_VISITED = re.compile(r"^\s*(?:clinic|office|team|doctor|department|nurse|visit|appointment|specialist|program)\b", re.IGNORECASE)
_BEGAN = re.compile(
    r"\b(?:started|began|start|came on|come on|since|been going on|noticed|first|woke (?:me )?up|for the (?:past|last)|for about|for \d|going on|it's been|been (?:there|like)|appeared|ago|\d \w+ back)\b",
    re.IGNORECASE,
)
_ITS_START = re.compile(r"\b(?:start\w*|began|begin|came on)\b", re.IGNORECASE)
_HELPS = re.compile(r"\b(?:helps?|helped|eases?|relie\w+)\b", re.IGNORECASE)
_OTHERS_LIFE = re.compile(r"\b(?:smok\w+|drink\w*|drank|quit|work\w*|married|divorced|lived|living|job|retired|pack|son|daughter|husband|wife|pregnant)\b", re.IGNORECASE)
_NO = re.compile(
    r"^\W*(?:(?:uh|um|er|well|oh|hm+|honestly|me|god|lord|sir|ma'am|doc|doctor|actually|\w+\?)\b\W*)*(?P<no>(?:no|nope|nah|never|none|not (?:that|at all|really|once|to my)|nothing|i (?:don't|haven't|do not|have not|never|didn't)(?= think| not\b|\W*$| (?:use|have|take|had) (?:it|that|any|them)\b))(?!\w))",
    re.IGNORECASE,
)
_YES = re.compile(
    r"^\W*(?:(?:uh|um|er|well|oh|hm+|honestly|actually|god|lord)\b\W*)*(?P<yes>yes|yeah|yep|yup|sure|i do|i have|i did|of course|mhm|uh-huh|afraid so)\b",
    re.IGNORECASE,
)
_IMPLIED = re.compile(r"^\W*(?:all over|every (?:day|night|morning|evening|single)|once or twice|twice|\d+ times|sometimes|now and then|constantly|all the time|a little|a bit|on and off|on my|in my)\b", re.IGNORECASE)
_GOES_ON = re.compile(
    r"^\W*(?:(?:yes|yeah|yep|uh|um|er|well)\W+)*(?:$|(?:i|i've|a|an|some|it|it's|every|all|constant\w*|sometimes|since|for|about|once|twice|\d+|quite|really|there|badly?|that|in|on|both)\b)", re.IGNORECASE
)
_HARDLY = re.compile(r"\b(?:but|except|just|only|sometimes|a little|a bit|until|any ?more|not (?:since|lately|now|yet|today)|think so)\b", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(he|she|they|him|her)\b", re.IGNORECASE)
_SELF = re.compile(r"\b(?:i|i'm|i've|me|my|myself)\b", re.IGNORECASE)
_KIN = re.compile(r"\b(mother|mom|mum|father|dad|brothers?|sisters?|grand(?:mother|father|ma|pa)|uncles?|aunts?|cousins?|wife|husband|son|daughter)\b", re.IGNORECASE)
_SHORT_YEAR = re.compile(r"(?<!\w)'(\d\d)\b(?!')")
_HUNDRED = re.compile(r"\ba (hundred|thousand)\b", re.IGNORECASE)
# "Three hundred three times a day" is 300 mg, three times.
_HUNDRED_TIMES = re.compile(r"\bhundred (?=(?:two|three|four|five|six) times\b)()", re.IGNORECASE)
_THOUSAND = re.compile(r"\b(\d+) thousand\b", re.IGNORECASE)
_POINT = re.compile(r"\b(\d+) point (\d+)\b", re.IGNORECASE)
_OH = re.compile(r"\b1[ -]oh[ -](\d)\b", re.IGNORECASE)
_LATEST_SHORT_YEAR = 40


class _Carried(NamedTuple):
    """What the sentences so far leave for the next: what was named last, which relative, and an allergen."""

    named: Named | None = None
    kin: str = ""
    allergen: str = ""


def _long_year(match: re.Match[str]) -> str:
    return f"{'20' if int(match[1]) < _LATEST_SHORT_YEAR else '19'}{match[1]}"


@lru_cache(maxsize=4096)
def normalise(text: str) -> str:
    """Return the text that claims are read from and their offsets refer to: plain characters, numbers in digits."""
    text = plain(text)
    if "undred" in text or "housand" in text:
        text = _HUNDRED.sub(r"one \1", text)
        text = _HUNDRED_TIMES.sub(r"hundred, \1", text)
    text = digits(text)
    if "'" in text:
        text = _SHORT_YEAR.sub(_long_year, text)
    text = _POINT.sub(r"\1.\2", text)
    return _THOUSAND.sub(lambda m: f"{m[1]}000", _OH.sub(r"10\1", text))


def extract_claims(text: str, grounded: GroundedCase, question: str = "") -> tuple[Claim, ...]:
    """Find the claims of a text about a case.

    Args:
        text: What somebody said.
        grounded: The case; its own words are understood besides the core knowledge.
        question: What the text answers; bare answers are completed from it.

    Returns:
        Claims in the order of the text, with offsets into :func:`normalise`'s output.
    """
    focus = focus_of(question, grounded)
    carried = _Carried(focus.named[-1] if focus.named else None, focus.relative)
    found: list[Claim] = []
    for sentence in sentences(normalise(text)):
        claims = _claims_of(sentence, grounded, focus, carried)
        if sentence.number == 0 and "allergy" in focus.topics and not claims and (none := _NO.match(sentence.text)):
            context = Context(True, "certain", "patient", "present", "statement")
            claims.append(claim_of("allergy", ANY_ALLERGY, sentence, none.span("no"), context, {"asked": "allergy"}))
        elif sentence.number == 0 and focus.asked:
            claims += _bare_answer(sentence, focus, grounded, text, claims)
        found.extend(claims)
        carried = _carry(sentence, claims, carried)
    return tuple(found)


def _carry(sentence: Sentence, claims: list[Claim], carried: _Carried) -> _Carried:
    named = [c for c in claims if c.kind in (*CLAIMED_KINDS, "allergy") and c.concept != ANY_ALLERGY]
    kin = carried.kin
    for relative in _KIN.finditer(sentence.text):
        kin = relative[1].lower()
    if not named:
        return carried._replace(kin=kin)
    last = named[-1]
    allergen = next((c.concept for c in named if c.kind == "allergy" and not c.denied), "")
    return _Carried(Named(concepts_of(last), last.surface), kin, allergen)


def _claims_of(sentence: Sentence, grounded: GroundedCase, focus: Focus, carried: _Carried) -> list[Claim]:
    body = sentence.text
    quantities = find_quantities(body)
    named = _named_in(sentence, grounded)
    spans = [span for _, span in named]
    allergen = _allergen(body, named, grounded, focus, carried)
    claims = []
    for mention, span in named:
        concept = _main(mention.concepts, grounded)
        kind = grounded.kind(concept)
        context = _context(body, span, carried, focus)
        if kind in ALLERGENS and _is_allergy(body, concept, grounded, focus):
            kind = "allergy"
        attributes = details_of(kind, body, span, spans, quantities)
        if allergen and (kind == "symptom" or concept in _REACTIONS) and concept != allergen and context.certainty != "belief":
            kind, attributes = "reaction", {"allergen": allergen}
        if kind == "substance" and _PAST_USE.search(body):
            attributes["tense"] = "past"
        if context.experiencer != "patient" and (age := _KIN_AGE.search(body)):
            attributes["kin_age"] = next(g for g in age.groups() if g)
        others = [c for c in mention.concepts if c != concept]
        if others:
            attributes["also"] = " ".join(others)
        claims.append(claim_of(kind, concept, sentence, span, context, attributes))
    claims.extend(_demographics(sentence, focus))
    if grounded.scope == "discharge":
        return claims  # a plan's "for 7 days" is no history
    if not named:
        claims.extend(_left_out(sentence, quantities, grounded, carried))
    if not any(c.attributes.keys() & {"ago", "duration"} for c in claims):
        claims.extend(_onset(sentence, quantities, named, grounded, focus, carried))
    return claims


def _named_in(sentence: Sentence, grounded: GroundedCase) -> list[tuple[Mention, tuple[int, int]]]:
    """What a sentence names that can be claimed, with where it stands."""
    found: list[tuple[Mention, tuple[int, int]]] = []
    tokens, offset = sentence.tokens, sentence.start
    for mention in grounded.find(tokens):
        span = (tokens[mention.first].start - offset, tokens[mention.last].end - offset)
        if any(t.stem == "allerg" and t.text.lower().startswith("allergi") and t.text.lower() != "allergies" for t in tokens[mention.first : mention.last + 1]):
            # "Allergic to penicillin" names penicillin; the tables hold the words as a condition besides.
            rest = tokens[mention.first + 1 : mention.last + 4]
            inner = [m for m in grounded.find(rest) if grounded.kind(m.concepts[0]) in ALLERGENS]
            if inner:
                mention = inner[0]._replace(first=inner[0].first + mention.first + 1, last=inner[0].last + mention.first + 1)
                span = (tokens[mention.first].start - offset, tokens[mention.last].end - offset)
            elif span[1] - span[0] < 12:
                continue
        if _main(mention.concepts, grounded) and not _in_passing(sentence.text, span):
            if not found or span[0] >= found[-1][1][1]:
                found.append((mention, span))
    return found


def _main(concepts: tuple[str, ...], grounded: GroundedCase) -> str:
    """The first concept that can be claimed; empty when none can."""
    return next((c for c in concepts if c.startswith("case:") or grounded.kind(c) in CLAIMED_KINDS), "")


def _in_passing(body: str, span: tuple[int, int]) -> bool:
    """True for places ("the surgery clinic") and for being fed up ("tired of waiting")."""
    before, after = body[: span[0]], body[span[1] :]
    if _LACK.match(after):
        return True
    if _VISIT_TO.search(before) or _VISITED.match(after):
        return True
    return bool(_FED_UP.search(body[span[0] : span[1]]) and re.match(r"\s+of\b", after, re.IGNORECASE))


def _context(body: str, span: tuple[int, int], carried: _Carried, focus: Focus) -> Context:
    context = context_of(body, *span)
    if context.experiencer == "patient" and focus.relative and not _SELF.search(body):
        return context._replace(experiencer=carried.kin or focus.relative)
    if context.experiencer == "patient" and carried.kin:
        before = body[: span[0]]
        if (pronouns := _PRONOUN.findall(before)) and not _SELF.search(before) and pronouns[0].lower() not in ("him", "her"):
            return context._replace(experiencer=carried.kin)
    return context


def _is_allergy(body: str, concept: str, grounded: GroundedCase, focus: Focus) -> bool:
    if _FOR_ALLERGIES.search(body):
        return False
    if _ALLERGY.search(body):
        return True
    if _TAKES.search(body):
        return False
    answers = "allergy" in focus.topics and len(body.split()) <= _TERSE and not _ASIDE.search(body)
    return answers or (_recorded_allergen(concept, grounded) and bool(_REACTS.search(body)))


def _recorded_allergen(concept: str, grounded: GroundedCase) -> bool:
    return any(
        g.fact.kind == "allergy" and (concept == g.concept or concept in g.broader or g.concept in grounded.broader(concept))
        for g in grounded.record
    )


def _allergen(
    body: str, named: list[tuple[Mention, tuple[int, int]]], grounded: GroundedCase, focus: Focus, carried: _Carried
) -> str:
    """The allergen whose effects a sentence tells, if it does: "Codeine makes me sick"."""
    here = [c for m, _ in named for c in m.concepts if grounded.kind(c) in ALLERGENS]
    if here:
        told = next((c for c in here if _recorded_allergen(c, grounded) or "allergy" in focus.topics or _ALLERGY.search(body)), "")
        return told if told and _REACTS.search(body) and not _TAKES.search(body) else ""
    if carried.allergen:
        return carried.allergen if _IT_DID.search(body) and not is_belief(body) else ""
    asked = [c for thing in focus.named for c in thing.concepts if grounded.kind(c) in ALLERGENS]
    if not asked or "drugs" in focus.topics - {"allergy"} and "allergy" not in focus.topics:
        return ""
    return next((c for c in asked if _recorded_allergen(c, grounded)), "")


def claim_of(
    kind: str, concept: str, sentence: Sentence, span: tuple[int, int], context: Context, attributes: dict[str, str]
) -> Claim:
    """Build a claim from a span of a sentence."""
    start, end = span
    return Claim(
        kind=kind,
        concept=concept,
        surface=sentence.text[start:end],
        denied=context.denied,
        certainty=context.certainty,
        experiencer=context.experiencer,
        time=context.time,
        act=context.act,
        attributes=attributes,
        start=start + sentence.start,
        end=end + sentence.start,
        sentence=sentence.number,
    )


def _demographics(sentence: Sentence, focus: Focus) -> Iterator[Claim]:
    body = sentence.text
    for name, pattern in (("age", _AGE), ("sex", _SEX), ("occupation", _WORK)):
        for match in pattern.finditer(body):
            value = next(g for g in match.groups() if g).lower().strip()
            context = context_of(body, *match.span())
            yield claim_of("demographic", f"demographic:{name}", sentence, match.span(), context, {name: value})
    if "age" in focus.topics and sentence.number == 0 and (bare := re.match(r"\W*(?:i'm |i am )?(\d{1,3})\b(?! ?(?:out|mg|days|weeks|months))", body, re.IGNORECASE)):
        if not _AGE.search(body):
            context = context_of(body, *bare.span())
            yield claim_of("demographic", "demographic:age", sentence, bare.span(1), context, {"age": bare[1]})


def _left_out(
    sentence: Sentence, quantities: tuple[Quantity, ...], grounded: GroundedCase, carried: _Carried
) -> Iterator[Claim]:
    """Details whose owner was named before: "Lipitor. Forty, at night."."""
    concept = _main(carried.named.concepts, grounded) if carried.named and not carried.allergen else ""
    if carried.named is None or not concept or _KIN.search(sentence.text):
        return
    kind = grounded.kind(concept)
    body = sentence.text
    whole = (0, len(body))
    if kind in _DRUGS:
        details = details_of(kind, body, whole, (whole,), quantities)
        details = {k: v for k, v in details.items() if k in ("dose", "frequency", "number")}
        if "number" not in details and "dose" not in details and len(sentence.tokens) <= 8 and (bare := re.match(r"\W*(?:\w+,? ){0,3}?(\d+(?:\.\d+)?)\b(?! ?(?:times?|a day|years?|weeks?|months?|days?|pills?|x))", body)):
            if float(bare[1]) >= 5 and not any(q.start <= bare.start(1) < q.end for q in quantities):
                details["number"] = f"{float(bare[1]):g}"
        if details:
            yield _carried_claim(kind, concept, sentence, details, carried.named)
    elif kind in ("condition", "procedure") or concept.startswith("case:"):
        years = [q for q in quantities if q.kind == "year"]
        if years and not _OTHERS_LIFE.search(body):
            span = (years[0].start, years[0].end)
            yield _carried_claim(kind, concept, sentence, {"year": years[0].value}, carried.named, span)


def _carried_claim(
    kind: str, concept: str, sentence: Sentence, details: dict[str, str], named: Named, span: tuple[int, int] | None = None
) -> Claim:
    others = [c for c in named.concepts if c != concept]
    if others:
        details["also"] = " ".join(others)
    start, end = span or (0, len(sentence.text.rstrip(" .!?")))
    context = context_of(sentence.text, start, end)
    return claim_of(kind, concept, sentence, (start, end), context._replace(denied=False, time="present"), details | {"carried": "1"})


def _onset(
    sentence: Sentence,
    quantities: tuple[Quantity, ...],
    named: list[tuple[Mention, tuple[int, int]]],
    grounded: GroundedCase,
    focus: Focus,
    carried: _Carried,
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
        if named or "job" in focus.topics or _OTHERS_LIFE.search(body):
            return
        symptom = carried.named is None and "when" in focus.topics or carried.named is not None and any(grounded.kind(c) == "symptom" for c in carried.named.concepts)
        if not symptom or len(sentence.tokens) > (9 if "when" in focus.topics else 7):
            return
    elif _OTHERS_LIFE.search(body) and not named:
        return
    for quantity in quantities:
        if quantity.kind in ("ago", "duration"):
            span = (quantity.start, quantity.end)
            yield claim_of("onset", "onset", sentence, span, context_of(body, *span), {"ago": quantity.value})
            return
    if named and not any(grounded.kind(c) in ("symptom",) for m, _ in named for c in m.concepts):
        return
    for time in spoken_times(body):
        span = (time.start, time.end)
        details = {"ago": f"{time.days:g}"} | ({"vague": "1"} if time.vague else {})
        yield claim_of("onset", "onset", sentence, span, context_of(body, *span), details)
        return


def _bare_answer(
    sentence: Sentence, focus: Focus, grounded: GroundedCase, text: str, claims: list[Claim]
) -> list[Claim]:
    """What "yes" affirms and "no" denies of that which the question named."""
    body = sentence.text
    no = _NO.match(body)
    yes = None if no else _YES.match(body)
    implied = None if no or yes or claims or len(focus.asked) > 1 or is_belief(body) else _IMPLIED.match(body)
    if not (no or yes or implied) or len(body.split()) > 12:
        return []
    if yes and (len(focus.asked) > 1 or is_belief(body) or not _GOES_ON.match(body[yes.end() :])):
        return []
    if no and _HARDLY.search(body):
        return []
    whole = normalise(text)
    said = {c for s in sentences(whole) for m in grounded.find(s.tokens) for c in m.concepts}
    lines = {b for c in said for b in grounded.broader(c)}
    match = no or yes or implied
    assert match is not None
    span = match.span("no" if no else "yes" if yes else 0)
    found = []
    for thing in focus.asked:
        concept = _main(thing.concepts, grounded)
        if not concept or said & (grounded.broader(concept) | set(thing.concepts)) or concept in lines:
            continue
        kind = grounded.kind(concept)
        if kind in ALLERGENS and "allergy" in focus.topics:
            kind = "allergy"
        attributes = {"asked": thing.words}
        others = [c for c in thing.concepts if c != concept]
        if others:
            attributes["also"] = " ".join(others)
        experiencer = "family" if "family" in focus.topics else "patient"
        context = Context(bool(no), "certain", focus.relative or experiencer, "present", "statement")
        found.append(claim_of(kind, concept, sentence, span, context, attributes))
    return found
