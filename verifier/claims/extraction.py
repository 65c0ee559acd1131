"""Call 1 of the verifier: decompose a text into atomic medical claims, by grammar.

Emotion and small talk name no concept and yield no claim. A mention that is only asked or supposed is a claim too,
with its act, so that whoever reads the claims can tell saying from asking.
"""

import re

from bedside.verifier.claim import Claim
from bedside.verifier.claims.allergens import (
    CAN_NOT,
    GIVEN,
    REACTIONS,
    TOLERATED,
    WHOLE_ALLERGIES,
    allergen_in,
    is_allergy,
    kinds_denied,
    recorded_reaction,
)
from bedside.verifier.claims.answers import bare_answer, of_what_was_asked
from bedside.verifier.claims.counts import counts_of
from bedside.verifier.claims.demographics import demographics_of
from bedside.verifier.claims.details import details_of, nearest
from bedside.verifier.claims.focus import Focus, focus_of
from bedside.verifier.claims.habits import EVER
from bedside.verifier.claims.kin import kin_in
from bedside.verifier.claims.mentions import ALLERGENS, ANY_ALLERGY, claim_of, main_concept, named_in
from bedside.verifier.claims.omitted import Carried, carry, left_out, onset
from bedside.verifier.claims.operations import operations_of
from bedside.verifier.claims.places import place_of, sites_of
from bedside.verifier.claims.purposes import purposes_in
from bedside.verifier.claims.stuffs import stuffs_of
from bedside.verifier.claims.wording import spoken
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.context import Context, clause_bounds, context_of
from bedside.verifier.language.lexicon import Mention
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import find_quantities
from bedside.verifier.language.text import Sentence, content_stems

__all__ = ["ALLERGENS", "ANY_ALLERGY", "claim_of", "extract_claims", "nearest"]

_INJECTS = "cond:intravenous-drug-use"
_ECHO = 3
_DRUGS = ("medication", "drug_class")
_HAS_PLACE = ("symptom", "procedure", "condition")
# A bird that flew into the window is none that one keeps.
_KEEPS = Pattern(
    r"\bi(?:'ve|'d)? (?:\w+ ){0,2}?(?:got|have|had|keep|kept|own|raise|breed|clean\w*|clear\w*|handle\w*|live with|"
    r"work with)\b",
    re.IGNORECASE,
)
_ONCE = Pattern(r"\b(?:once|one time|(?:years|a while|long) (?:ago|back)|back in|last time)\b", re.IGNORECASE)
# "My wife had some amoxicillin left, I've been taking that."
_TAKES_IT = Pattern(
    r"\bi(?:'ve| have|'m)? (?:just |also )?(?:been )?(?:took|take|taking|tried|using|had|swallowed|started|used|"
    r"popped) "
    r"(?:it|that|them|one|1|2|some|those|a (?:few|couple))\b",
    re.IGNORECASE,
)
_PAST_USE = Pattern(r"\b(?:smoked|drank|did|done|used|tried|chewed|injected|snorted|vaped)\b", re.IGNORECASE)
_KIN_AGE = Pattern(
    r"\b(?:at(?: age)?|aged?|when (?:he|she) was|(?:he|she) was) (?:about |only |just )?(\d{2})\b(?! ?(?:%|"
    r"mg|pounds|years? ago))|\b(\d{2}) when\b",
    re.IGNORECASE,
)
# What others take it for is no diagnosis; only a clinician makes one.
_OPINION = Pattern(
    r"\b(?:my|the|our|his|her) (?:[\w']+ ){0,2}?(?:mother|mom|mum|father|dad|brother|sister|son|daughter|wife|"
    r"husband|partner|"
    r"boyfriend|girlfriend|friend|neighbou?r|roommate|boss|coworker|aunt|uncle|cousin|grand\w+|in-law|trainer|"
    r"coach)s?"
    r"(?:[- ]in[- ]law)? (?:[\w']+ ){0,6}?(?:says?|said|thinks?|thought|swears?|reckons?|figures?|tells|told|goes|"
    r"keeps|guess\w*|"
    r"is (?:sure|convinced|certain)|bets?|(?:she|he)'s like|is like)\b|\b(?:people|they|everyone|"
    r"everybody) (?:online|at work|at home) "
    r"(?:say|think)",
    re.IGNORECASE,
)
# "A bad asthma attack in high school" is an event, and more than the illness.
_ATTACK = Pattern(r"\b(?:attacks?|flare(?:[- ]?ups?)?|episodes?|exacerbations?|crisis|bouts?)\b", re.IGNORECASE)
_LONG_AGO = Pattern(
    r"\b(?:in (?:high school|college|grade school|school|my (?:teens|twenties|thirties|childhood))|last (?:year|"
    r"winter|summer|spring|"
    r"fall)|years? (?:ago|back)|when i was|as a (?:kid|child|teenager)|once|back in|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_DIAGNOSED = Pattern(
    r"\b(?:doctors?|they|nurse|clinic|hospital|specialist|diagnosed|told|tests?|scan|i have|i've got|i've had|i had|"
    r"since)\b",
    re.IGNORECASE,
)
_NOW = Pattern(r"\b(?:right now|at the moment|now|currently|this minute|today)\b", re.IGNORECASE)
# "No pain in other joints" denies none that was told.
_OTHERS = Pattern(r"\b(?:other|another|else|elsewhere|besides|apart from|except|new \w+)\b", re.IGNORECASE)
# "The baby was delivered with forceps" tells what the mother went through.
_BIRTH = Pattern(r"\b(?:forceps|c-?section|cesarean|vacuum|suction)\b", re.IGNORECASE)
_OF_THE_CHILD = Pattern(
    r"\b(?:the|my|our) (?:baby|twins|son|daughter|boy|girl|little one) (?:was|were|had to be|came|got)\b", re.IGNORECASE
)
_NEXT_WORDS = 12
_GENERAL_PAIN = frozenset(("sx:pain", "sx:discomfort", "sx:bleeding", "sx:itching", "sx:swelling"))
_OF_A_PART = Pattern(
    r"\b(?:middle|cent(?:er|re)|rest|edges?|part|top|side|inside|outside) of (?:it|them)\b[^,.;]*$", re.IGNORECASE
)
_OF_IT = Pattern(r"^\W*(?:but |and |no,? |oh |well,? )*(?:it|they|that|those|these|them)\b", re.IGNORECASE)
_PRONOUN = Pattern(r"\b(he|she|they|him|her)\b", re.IGNORECASE)
_SELF = Pattern(r"\b(?:i|i'm|i've|me|my|myself)\b", re.IGNORECASE)
# "You've got cold hands, doctor", "your nurse has a cough".
_YOURS = Pattern(r"\b(?:your (?:\w+ ){0,2}|you(?:'ve got| have| had| look) (?:an? |the |some )?)$", re.IGNORECASE)
# Who is spoken of and not named is not the patient: "she has it in her hands".
_HE_OR_SHE = Pattern(
    r"^\W*(?:(?:and|but|so|then|well|oh|because|since|now) )*(?:he|she)(?:'s|'d)?+(?! (?:says?|said|thinks?|told|"
    r"tells|gave|"
    r"put|did|does|took|takes|wants?|found|noticed?|saw|sees|talking|giving|putting|"
    r"starting|sending)\b)(?:(?!\b(?:i|i'm|i've|me|my|myself)\b).)*$",
    re.IGNORECASE,
)


def extract_claims(text: str, grounded: GroundedCase, question: str = "") -> tuple[Claim, ...]:
    """Find the claims of a text about a case.

    Args:
        text: What somebody said.
        grounded: The case; its own words are understood besides the core knowledge.
        question: What the text answers; bare answers are completed from it.

    Returns:
        Claims in the order of the text, with offsets into :func:`~bedside.verifier.claims.wording.normalise`'s output.
    """
    focus = focus_of(question, grounded)
    carried = Carried(focus.named[-1] if focus.named else None, focus.relative)
    found: list[Claim] = []
    echo = focus
    for sentence in spoken(text):
        claims = [_as_asked(c, focus, grounded) for c in _claims_of(sentence, grounded, focus, carried)]
        if sentence.number == 0 and question:
            claims += of_what_was_asked(sentence, focus, grounded)
            claims += bare_answer(sentence, focus, grounded, text, claims)
        elif sentence.number and echo is not focus:
            claims += bare_answer(sentence, echo, grounded, sentence.text, claims)
        elif grounded.scope == "interview":
            claims += kin_in(sentence, focus, grounded, carried.illness or carried.named, claims)
        if grounded.scope == "interview":
            claims += operations_of(sentence, focus, grounded, claims)
            claims += counts_of(sentence, focus) if question else ()
        found.extend(claims)
        carried = carry(sentence, claims, carried)
        echo = _echoed(sentence, focus, grounded) or focus
    return tuple(found)


def _echoed(sentence: Sentence, focus: Focus, grounded: GroundedCase) -> Focus | None:
    """What a patient asks back to answer it at once: "Sugar? No, not me."."""
    if not sentence.asks or len(sentence.tokens) > _ECHO:
        return None
    said = set(content_stems(sentence.text))
    for thing in focus.asked:  # "Sugar?", of diabetes
        names = (form for c in thing.concepts if c in grounded.lexicon for form in grounded.lexicon[c].forms)
        if said and any(said <= set(content_stems(name)) for name in names):
            return focus._replace(asked=(thing,), named=(thing,))
    return focus_of(f"Any {sentence.text.strip()}", grounded)


def _as_asked(claim: Claim, focus: Focus, grounded: GroundedCase) -> Claim:
    """Read "not pain, no" to "any chest pain?" as a denial of chest pain, and of no other."""
    if claim.sentence or not claim.denied or len(focus.asked) != 1 or claim.kind != "symptom":
        return claim
    asked = main_concept(focus.asked[0].concepts, grounded)
    if not asked or claim.concept not in grounded.broader(asked) - {asked}:
        return claim
    return claim.model_copy(
        update={"concept": asked, "attributes": claim.attributes | {"also": " ".join(focus.asked[0].concepts)}}
    )


def _claims_of(sentence: Sentence, grounded: GroundedCase, focus: Focus, carried: Carried) -> list[Claim]:
    body = sentence.text
    quantities = find_quantities(body)
    named = named_in(sentence, grounded)
    named = sorted((*named, *stuffs_of(sentence, focus, [span for _, span in named])), key=lambda found: found[1])
    spans = [span for _, span in named]
    sites = sites_of(sentence, grounded) if named else []
    allergen = allergen_in(body, named, grounded, focus, carried)
    claims = []
    for mention, span in named:
        concept = _meant(mention, grounded)
        kind = grounded.kind(concept)
        context = _context(body, span, carried, focus)
        if kind in ALLERGENS:
            kind, context = _as_allergen(kind, body, span, concept, context, grounded, focus)
        if concept in WHOLE_ALLERGIES and context.denied:
            kind, concept = "allergy", ANY_ALLERGY
        if allergen and kind == "procedure":
            continue  # "it tore my tendon, I was in a boot": what came of it
        attributes = details_of(kind, body, span, spans, quantities)
        if sites and kind in _HAS_PLACE and (place := place_of(body, span, sites)):
            attributes["at"] = place
        if (
            allergen
            and (kind == "symptom" or concept in REACTIONS or recorded_reaction(body[span[0] : span[1]], grounded))
            and concept != allergen
            and context.certainty != "belief"
        ):
            kind, attributes = "reaction", {"allergen": allergen}
        if concept in _GENERAL_PAIN and context.denied and _is_of_it(body, span):
            attributes["of"] = "it"
        attributes |= _remarks(kind, body, span, context, opinion="opinion" in focus.topics)
        others = [c for c in mention.concepts if c != concept]
        if others:
            attributes["also"] = " ".join(others)
        claims.append(claim_of(kind, concept, sentence, span, context, attributes))
    claims.extend(demographics_of(sentence, focus))
    if grounded.scope == "discharge":
        return claims  # a plan's "for 7 days" is no history
    claims.extend(purposes_in(sentence, [span for m, span in named if grounded.kind(m.concepts[0]) in _DRUGS]))
    if not named:
        claims.extend(left_out(sentence, quantities, grounded, carried))
    if not any(c.attributes.keys() & {"ago", "duration"} for c in claims):
        claims.extend(onset(sentence, quantities, named, grounded, focus, carried))
    return claims


def _is_of_it(body: str, span: tuple[int, int]) -> bool:
    """True for "it doesn't hurt", said of what was named, or of a part of that."""
    before = body[: span[0]]
    clause = body[clause_bounds(body, span[0])[0] : span[0]]
    return bool(_OF_IT.search(before) or _OF_IT.search(clause) or _OF_A_PART.search(before))


def _as_allergen(
    kind: str,
    body: str,
    span: tuple[int, int],
    concept: str,
    context: Context,
    grounded: GroundedCase,
    focus: Focus,
) -> tuple[str, Context]:
    """Return what is told of a drug or a substance: an allergy to it, that there is none, or what it is besides."""
    if is_allergy(body, span, concept, grounded, focus):
        return "allergy", context._replace(denied=context.denied and not CAN_NOT.search(body[: span[0]]))
    if "allergy" in focus.topics and TOLERATED.search(body[span[1] :]):
        return "allergy", context._replace(denied=True)
    return kind, context


def _meant(mention: Mention, grounded: GroundedCase) -> str:
    """What a mention is taken for: to inject drugs is a habit, unless it is listed among the illnesses."""
    concept = main_concept(mention.concepts, grounded)
    return "sub:injection-drugs" if concept == _INJECTS and not grounded.holds(concept) else concept


def _remarks(kind: str, body: str, span: tuple[int, int], context: Context, *, opinion: bool) -> dict[str, str]:
    """What a sentence adds to a mention besides its details: a past use, a relative's age, whose opinion it is."""
    found = {}
    if kind == "substance" and _PAST_USE.search(body):
        found["tense"] = "past"
    if kind == "substance" and context.denied and EVER.search(body):
        found["ever"] = "1"
    if kind == "allergy" and context.denied:
        found |= kinds_denied(body)
    if kind == "substance" and _KEEPS.search(body[: span[0]]):
        found["kept"] = "1"
    if context.experiencer != "patient" and (age := _KIN_AGE.search(body)):
        found["kin_age"] = next(g for g in age.groups() if g)
    if context.denied and _NOW.search(body):
        found["now"] = "1"
    if context.denied and _OTHERS.search(body[clause_bounds(body, span[0])[0] : clause_bounds(body, span[0])[1]]):
        found["others"] = "1"
    if kind in _DRUGS and (GIVEN.search(body) or _ONCE.search(body)):
        found["given"] = "1"
    if kind == "condition" and context.certainty == "certain" and opinion and not _DIAGNOSED.search(body):
        found["opinion"] = "own"
    if kind == "condition" and _OPINION.search(body[: span[0]]):
        found["opinion"] = "1"
    if kind == "condition" and _ATTACK.search(body[span[0] : span[1] + _NEXT_WORDS]) and _LONG_AGO.search(body):
        found["event"] = "1"
    return found


def _context(body: str, span: tuple[int, int], carried: Carried, focus: Focus) -> Context:
    context = context_of(body, *span)
    if context.experiencer != "patient" and (
        _TAKES_IT.search(body[span[1] :]) or (_BIRTH.search(body[span[0] : span[1]]) and _OF_THE_CHILD.search(body))
    ):
        return context._replace(experiencer="patient")
    if context.experiencer == "patient" and focus.relative and not _SELF.search(body):
        return context._replace(experiencer=carried.kin or focus.relative)
    if context.experiencer == "patient" and carried.kin:
        before = body[: span[0]]
        if (
            (pronouns := _PRONOUN.findall(before))
            and not _SELF.search(before)
            and pronouns[0].lower() not in ("him", "her")
        ):
            return context._replace(experiencer=carried.kin)
    before = body[clause_bounds(body, span[0])[0] : span[0]]
    if context.experiencer == "patient" and _YOURS.search(before):
        return context._replace(experiencer="somebody")
    if context.experiencer == "patient" and _HE_OR_SHE.match(before):
        return context._replace(experiencer=carried.kin or "somebody")
    return context
