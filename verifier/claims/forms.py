"""Medicines that are told by their form alone: "I wear a patch", "they gave me a shot", "I've got drops for it"."""

import re
from collections.abc import Iterator, Sequence

from bedside.verifier.claim import Claim
from bedside.verifier.claims.mentions import claim_of
from bedside.verifier.language.context import clause_bounds, context_of, is_question
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence

__all__ = ["FORMS", "forms_of"]

FORMS = {
    "patch": r"patch(?:es)?\b(?! of\b| on (?:my|the) (?:skin|face|arm|back|tongue|lung))",
    "inhaler": r"(?:rescue |blue |brown |purple |steroid )?(?:inhalers?|puffers?)\b",
    "nebulizer": r"nebuli[sz]ers?\b|breathing treatments?\b",
    "drops": r"(?:eye|ear|nose)? ?drops\b(?! (?:of|off|down|to|out|in the|when|by|dead|below))",
    "spray": r"(?:nasal|nose|nitro|throat|mouth) spray\b",
    "cream": r"(?:\w+ )?(?:cream|ointment|salve)\b(?! (?:cheese|in my|"
    "of))(?<!ice cream)(?<!sour cream)(?<!whipped cream)",
    "injection": r"(?:shots?|injections?|jabs?)\b(?! (?:of (?:whiske?y|tequila|vodka|rum|espresso)|in the dark|"
    "at|through|up|"
    r"down))",
    "suppository": r"suppositor(?:y|ies)\b",
}
_FORM = Pattern("|".join(f"(?P<{name}>\\b(?:{words}))" for name, words in FORMS.items()), re.IGNORECASE)
_TAKES = Pattern(
    r"\b(?:i(?:'ve| have)? (?:also |still |just |only |even |always |sometimes |usually )?(?:use|used|using|"
    r"wear|wore|wearing|take|"
    r"took|put|rub|apply|got|get|had|have|been|tried|carry|do|need)|i'm (?:also |still )?(?:on|using|wearing|"
    r"taking|getting)|"
    r"(?:they|he|she|doctors?|dentist|nurse|clinic|urgent care|walk-in)(?:'ve| have| has|'s)? (?:\w+ )?(?:gave|"
    r"give|gives|put|puts|"
    r"prescribed|given|got|started)(?: me)?|(?:was|been|got) (?:given|prescribed|put on)|there's|plus)\b"
    r"(?: (?:me|on|up|to|with|in|given|using|getting|a|an|the|my|some|one|two|\d+|more|this|that|those|of|each|"
    r"every|new|little|"
    r"blood|daily|weekly|monthly|special|prescription|other|different|another))*\s*$",
    re.IGNORECASE,
)


def forms_of(sentence: Sentence, taken: Sequence[tuple[int, int]]) -> Iterator[Claim]:
    """Find medicines of which only the form is named.

    Args:
        sentence: A sentence of the patient.
        taken: Where drugs and other things are named; a form beside one of them is its form.

    Yields:
        Claims of kind ``form``.
    """
    body = sentence.text
    if is_question(body):
        return
    for match in _FORM.finditer(body):
        first, last = clause_bounds(body, match.start())
        if not _TAKES.search(body[first : match.start()]) or any(a < last and first < b for a, b in taken):
            continue
        context = context_of(body, *match.span())
        yield claim_of("form", "form", sentence, match.span(), context, {"form": str(match.lastgroup)})
