"""What a sentence names that can be claimed."""

import re

from bedside.verifier.claim import Claim
from bedside.verifier.claims.senses import in_passing, of_the_talk
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.context import Context
from bedside.verifier.language.lexicon import Mention
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence

__all__ = ["ALLERGENS", "ANY_ALLERGY", "CLAIMED_KINDS", "claim_of", "main_concept", "named_in"]

CLAIMED_KINDS = ("symptom", "condition", "medication", "drug_class", "procedure", "substance")
ALLERGENS = ("medication", "substance", "drug_class", "allergy")
ANY_ALLERGY = "allergy:any"
_COMPARED = Pattern(
    r"\b(?:like|as \w+ as|such a|same as) (?:an?|the|some|my old) (?:\w+ ){0,2}$|\b(?:non|ex)-$|"
    r"\b(?:like|as if|as though) (?:i|i'm|i'd|i've|somebody|someone|they|you|you're|he|she|we)\b[^,;.]*$",
    re.IGNORECASE,
)
# "That migraine stuff, sumatriptan" is a drug.
_REMEDY = Pattern(
    r"^ (?:stuff|medicines?|medications?|meds?|pills?|tablets?|drugs?|powders?|syrup|cream|ointment|spray|drops|"
    r"remedy|diary|"
    r"support group|class(?:es)?|season|screening|leaflet|hotline)\b",
    re.IGNORECASE,
)


def named_in(sentence: Sentence, grounded: GroundedCase) -> list[tuple[Mention, tuple[int, int]]]:
    """What a sentence names that can be claimed, with where it stands."""
    found: list[tuple[Mention, tuple[int, int]]] = []
    tokens, offset = sentence.tokens, sentence.start
    for mention in grounded.mentions(sentence.text):
        span = (tokens[mention.first].start - offset, tokens[mention.last].end - offset)
        if any(
            t.stem == "allerg" and t.text.lower().startswith("allergi") and t.text.lower() != "allergies"
            for t in tokens[mention.first : mention.last + 1]
        ):
            # "Allergic to penicillin" names penicillin; the tables hold the words as a condition besides.
            rest = tokens[mention.first + 1 : mention.last + 4]
            inner = [m for m in grounded.find(rest) if grounded.kind(m.concepts[0]) in ALLERGENS]
            if inner:
                mention = inner[0]._replace(
                    first=inner[0].first + mention.first + 1, last=inner[0].last + mention.first + 1
                )
                span = (tokens[mention.first].start - offset, tokens[mention.last].end - offset)
            elif span[1] - span[0] < 12:
                continue
        apart = not found or span[0] >= found[-1][1][1]
        concept = main_concept(mention.concepts, grounded)
        if not apart or not concept or in_passing(sentence.text, span):
            continue
        if of_the_talk(sentence.text, span, concept, grounded):
            continue
        if grounded.kind(concept) in ("symptom", "condition") and _REMEDY.match(sentence.text[span[1] :]):
            continue
        if grounded.kind(concept) != "symptom" and _COMPARED.search(sentence.text[: span[0]]):
            continue  # "like a hot water bottle"
        found.append((mention, span))
    return found


def main_concept(concepts: tuple[str, ...], grounded: GroundedCase) -> str:
    """The first concept that can be claimed; empty when none can."""
    return next((c for c in concepts if c.startswith("case:") or grounded.kind(c) in CLAIMED_KINDS), "")


def claim_of(
    kind: str,
    concept: str,
    sentence: Sentence,
    span: tuple[int, int],
    context: Context,
    attributes: dict[str, str],
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
