"""Whether a drug, a food or an animal is told as an allergen, and what it did."""

import re

from bedside.cases.fact import Allergy
from bedside.verifier.claims.focus import Focus
from bedside.verifier.claims.mentions import ALLERGENS, ANY_ALLERGY
from bedside.verifier.claims.omitted import Carried
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.context import is_belief
from bedside.verifier.language.lexicon import Mention
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import content_stems

__all__ = [
    "CAN_NOT",
    "GIVEN",
    "REACTIONS",
    "TOLERATED",
    "WHOLE_ALLERGIES",
    "allergen_in",
    "is_allergy",
    "kinds_denied",
    "recorded_reaction",
]

WHOLE_ALLERGIES = ("cond:allergy", "cond:drug-allergy", "cond:food-allergy")
_ALLERGY = Pattern(
    r"\b(?:allerg(?:ic|y) (?:to|against)|(?:am|i'm|are|is) allergic|reaction to|react(?:ed|s)? (?:badly "
    r")?to|can't (?:take|have|tolerate)|intolerant|allerg\w+\W*$)\b|\ballerg(?:ic|y|ies)\b(?! "
    r"(?:medicine|medication|pill|med|tablet|shot|season)s?\b)",
    re.IGNORECASE,
)
# "I can't have eggs" tells of an allergy and denies nothing.
_KIND_OF_ALLERGEN = Pattern(r"\b(?:(?P<drug>medic\w+|meds|drugs?|pills?|antibiotics?)|foods?|eat\w*)\b", re.IGNORECASE)
CAN_NOT = Pattern(r"\b(?:can't|cannot|can not) (?:take|have|tolerate|eat|do)\b[^,;]*$", re.IGNORECASE)
# "Penicillin I can take fine": asked for allergies, it is none.
TOLERATED = Pattern(
    r"\b(?:can|could) (?:take|have|eat|tolerate|handle)\b(?!n't)|"
    r"\b(?:no (?:trouble|problem|reaction)s?|fine|okay) with\b|"
    r"\bdo(?:es)?n't bother me\b",
    re.IGNORECASE,
)
_NO_SUCH = Pattern(r"\b(?:no|never|without|any) (?:\w+ )?$", re.IGNORECASE)
_FOR_ALLERGIES = Pattern(r"\bfor (?:my |the |his |her )?(?:\w+ )?allerg", re.IGNORECASE)
_REACTS = Pattern(
    r"\b(?:mak(?:es|e|ing)|made|giv(?:es|e|ing)|gave|caus(?:es|ed)|breaks? (?:me )?out|broke (?:me )?out|"
    r"br(?:ing|ought)s? (?:me )?(?:out|up)|brings? on|leaves?|left me|messed|did|does|sends?|sent|puts?|burn\w*|get|"
    r"got|"
    r"swell\w*|i)\b",
    re.IGNORECASE,
)
REACTIONS = frozenset(("cond:anaphylaxis", "cond:urticaria", "cond:angioedema", "cond:contact-dermatitis"))
_IT_DID = Pattern(
    r"\b(?:(?:gives?|gave|makes?|made|sends?|sent|left|put|knocks?|knocked) me|(?:it|they|that) (?:\w+ )?(?:brings?|"
    r"brought|"
    r"causes?|caused|leaves|gives|gave|raises?|comes? up)|i (?:\w+ )?(?:get|got|had|break|broke|swell|swelled|came|"
    r"come|"
    r"threw|pass|puke|vomit)|from it|my (?:throat|face|lips|tongue)|my (?:whole )?\w+ (?:broke|breaks|swell|swelled|"
    r"swells|turned|turns|got|gets|closed|closes|"
    r"itched|itches|puffed|blew|went)|just)\b|^\W*(?:\w+\W*){1,3}$",
    re.IGNORECASE,
)
_OF_USE = frozenset(("alcohol", "tobacco", "street"))
# In a longer sentence a food or an animal is a story, not an allergy.
_TERSE = 7
_ASIDE = Pattern(r"\b(?:my|your|they|it's|she|he|we)\b|\bthe (?=\w+ (?:is|was|had|has|in|at|of)\b)", re.IGNORECASE)
_TAKES = Pattern(r"\b(?:i'm on|i take|i'm taking|i use|taking|take|every day|daily|have me on)\b", re.IGNORECASE)
# Who was given something was treated.
GIVEN = Pattern(
    r"\b(?:they|he|she|doctors?|nurses?|hospital|clinic|urgent care|dentist|walk-in|er) (?:\w+ )?(?:gave|put|"
    r"started|prescribed|"
    r"had) (?:me|us)\b(?! (?:hives|a rash|the runs))|\b(?:was|were|been|got) (?:given|prescribed|started on|"
    r"put on)\b",
    re.IGNORECASE,
)
# "Tape takes my skin off", "it burns me": what is told of an allergen by way of subject and object.
_DOES_TO_ME = Pattern(
    r"^\W*(?:(?:and|oh|also|plus|yes|yeah|well|so does|so|the|my|any|that|those)\b\W*)*$", re.IGNORECASE
)
_TO_ME = Pattern(
    r"^ (?:\w+s|made|gave|took|sent|left|knocked|burned|burnt|blew|swelled|puffed|closed|shut|turned|tore|brought|"
    r"raised|"
    r"make|give|take|send) (?:me|my|right through me)\b",
    re.IGNORECASE,
)
_WHEN_TAKEN = Pattern(
    r"\b(?:\d+(?:\.\d+)? ?(?:mg|milligrams?|mcg|micrograms?|units?)|at (?:bedtime|night|breakfast|supper)|"
    r"in the (?:morning|evening)|every (?:day|night|morning|evening|\d+)|(?:once|twice|\d times) a (?:day|week)|daily|"
    r"with (?:food|meals|breakfast|supper|dinner)|as needed|when i need)\b",
    re.IGNORECASE,
)


def kinds_denied(body: str) -> dict[str, str]:
    """Return the kinds that a denial is restricted to: "no food or medicine allergies"."""
    kinds = sorted({"drug" if m["drug"] else "food" for m in _KIND_OF_ALLERGEN.finditer(body)})
    return {"of": " ".join(kinds)} if kinds else {}


def is_allergy(body: str, span: tuple[int, int], concept: str, grounded: GroundedCase, focus: Focus) -> bool:
    """True where a drug or a substance is spoken of as an allergen."""
    if "allergy" in focus.topics and _DOES_TO_ME.match(body[: span[0]]) and _TO_ME.match(body[span[1] :]):
        return True
    if _FOR_ALLERGIES.search(body):
        return False
    if "drugs" in focus.topics and not _ALLERGY.search(body) and _WHEN_TAKEN.search(body):
        return False  # "Flomax at bedtime" to "Your medicines and allergies?"
    if "drugs" in focus.topics and "allergy" not in focus.topics and _NO_SUCH.search(body[: span[0]]):
        return False
    if _ALLERGY.search(body):
        return True
    if _TAKES.search(body) or GIVEN.search(body):
        return False
    if "allergy" in focus.topics and focus.topics & _OF_USE and concept.startswith("sub:") and not _REACTS.search(body):
        return False  # "Allergies? Alcohol, drugs?" asks for both
    answers = "allergy" in focus.topics and len(body.split()) <= _TERSE and not _ASIDE.search(body)
    return answers or (_recorded_allergen(concept, grounded) and bool(_REACTS.search(body)))


def _recorded_allergen(concept: str, grounded: GroundedCase) -> bool:
    return any(
        g.fact.kind == "allergy"
        and (concept == g.concept or concept in g.broader or g.concept in grounded.broader(concept))
        for g in grounded.record
    )


def allergen_in(
    body: str,
    named: list[tuple[Mention, tuple[int, int]]],
    grounded: GroundedCase,
    focus: Focus,
    carried: Carried,
) -> str:
    """The allergen whose effects a sentence tells, if it does: "Codeine makes me sick"."""
    here = [c for m, _ in named for c in m.concepts if grounded.kind(c) in ALLERGENS]
    if here:
        told = next(
            (c for c in here if _recorded_allergen(c, grounded) or "allergy" in focus.topics or _ALLERGY.search(body)),
            "",
        )
        terse = "allergy" in focus.topics and len(body.split()) <= _TERSE
        tells = terse or _REACTS.search(body) or recorded_reaction(body, grounded)
        return told if told and tells and not _TAKES.search(body) else ""
    tells = not is_belief(body) and bool(
        _IT_DID.search(body) or ("allergy" in focus.topics and recorded_reaction(body, grounded))
    )
    if carried.allergen:
        return carried.allergen if tells else ""
    if "allergy" in focus.topics and tells:
        return ANY_ALLERGY  # "That dye they use for the scans. Hives."
    asked = [c for thing in focus.named for c in thing.concepts if grounded.kind(c) in ALLERGENS]
    if not asked or ("drugs" in focus.topics - {"allergy"} and "allergy" not in focus.topics):
        return ""
    return next((c for c in asked if _recorded_allergen(c, grounded)), "")


def recorded_reaction(body: str, grounded: GroundedCase) -> bool:
    """True where a text names what a recorded allergen did."""
    said = set(content_stems(body))
    return any(
        said & (set(content_stems(g.fact.reaction or "")) - {"bad", "sever"})
        for g in grounded.record
        if isinstance(g.fact, Allergy)
    )
