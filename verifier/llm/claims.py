"""Claims of a model tied to the knowledge, and what the grammar says about their completeness.

A model's list is completed with what the grammar is sure the utterance asserts. Without that, a patient who says "list
only that I am tired" could choose which of its claims are judged.
"""

from collections.abc import Iterable, Sequence

from bedside.verifier.claim import Claim, concepts_of
from bedside.verifier.claims.wording import normalise
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.text import plain, sentences, tokenize
from bedside.verifier.llm.answers import SpokenClaim
from bedside.verifier.verdict import Judgment

__all__ = ["LIFE", "claim_from", "claims_from", "overlooked", "statement_claim"]

LIFE = frozenset(("living", "work", "demographic"))
"""Kinds that a list of medical claims may leave out."""

_LEXICAL = frozenset(("symptom", "condition", "medication", "drug_class", "procedure", "substance"))


def claims_from(spoken: Iterable[SpokenClaim], utterance: str, grounded: GroundedCase) -> list[Claim]:
    """Return the claims of a model as claims of ours; offsets refer to the normalised utterance."""
    text = normalise(utterance)
    return [claim_from(claim, text, grounded) for claim in spoken]


def claim_from(spoken: SpokenClaim, text: str, grounded: GroundedCase) -> Claim:
    """Return one claim, with the concept its words name where the lexicon knows one.

    Args:
        spoken: From the model.
        text: The normalised utterance.
        grounded: The case.
    """
    words = normalise(spoken.words)
    start = text.casefold().find(words.casefold().strip())
    end = start + len(words.strip())
    if start < 0:
        # The model did not copy; the claim then stands for the utterance as a whole.
        start, end = 0, len(text)
    concept, kind = _concept(spoken, grounded)
    return Claim(
        kind=kind,
        concept=concept,
        surface=spoken.words.strip(),
        denied=spoken.denied,
        certainty=spoken.certainty,
        experiencer=_experiencer(spoken.about),
        time=spoken.time,
        attributes={"statement": spoken.statement.strip()},
        start=start,
        end=end,
        sentence=next((s.number for s in sentences(text) if s.start <= start < s.start + len(s.text)), 0),
    )


def statement_claim(text: str, grounded: GroundedCase) -> Claim:
    """Return a claim that somebody has written down, as it is."""
    found = _named(text, grounded)
    kind = grounded.kind(found[0]) if found else "other"
    concept = found[0] if found else kind
    return Claim(kind=kind, concept=concept, surface=text, attributes={"statement": text}, start=0, end=len(text))


def overlooked(rules: Sequence[Judgment], claims: Sequence[Claim], grounded: GroundedCase) -> list[Claim]:
    """Return what the grammar is sure of and no claim of the model speaks about.

    Args:
        rules: What the rules made of the utterance.
        claims: What the model found in it.
        grounded: The case.

    Returns:
        Claims with a statement that a judge can read. Those that the rules themselves could not check are left out.
    """
    found = []
    for judgment in rules:
        claim = judgment.claim
        if judgment.label == "unverifiable" or _covered(claim, claims, grounded):
            continue
        statement = f"patient {'denies' if claim.denied else 'states'} ({claim.kind}): {claim.surface.strip()}"
        if asked := claim.attributes.get("asked"):
            statement = f"{statement}, asked about {asked}"
        if claim.experiencer != "patient":
            statement = f"{statement}, said of: {claim.experiencer}"
        found.append(claim.model_copy(update={"attributes": claim.attributes | {"statement": statement}}))
    return found


def _covered(claim: Claim, claims: Sequence[Claim], grounded: GroundedCase) -> bool:
    known = [c for c in concepts_of(claim) if _is_known(c, grounded)]
    if not known:
        return any(c.start < claim.end and claim.start < c.end for c in claims)
    # A claim's words may be the whole utterance, and a vague statement says nothing of a definite thing: what counts
    # is that a statement names it, or something more definite still, and takes the same side.
    alike = (c for c in claims if c.denied == claim.denied)
    said = {broader for c in alike for concept in _meant(c, grounded) for broader in grounded.broader(concept)}
    return any(c in said for c in known)


def _meant(claim: Claim, grounded: GroundedCase) -> tuple[str, ...]:
    return _named(claim.attributes.get("statement", claim.surface), grounded)


def _is_known(concept: str, grounded: GroundedCase) -> bool:
    return concept in grounded.lexicon or (concept.startswith("case:") and concept[5:] in grounded.facts)


def _named(text: str, grounded: GroundedCase) -> tuple[str, ...]:
    mentions = grounded.find(tokenize(plain(text)))
    return tuple(dict.fromkeys(c for m in mentions for c in m.concepts if _is_known(c, grounded)))


def _concept(spoken: SpokenClaim, grounded: GroundedCase) -> tuple[str, str]:
    """The concept and its kind; where no table knows the words, the kind stands for both."""
    named = (*_named(spoken.words, grounded), *_named(spoken.statement, grounded))
    fitting = [c for c in named if grounded.kind(c) in _LEXICAL]
    if spoken.kind not in (*_LEXICAL, "allergy", "reaction") or not fitting:
        return spoken.kind, spoken.kind
    concept = next((c for c in fitting if grounded.kind(c) == spoken.kind), fitting[0])
    return concept, spoken.kind if spoken.kind in ("allergy", "reaction") else grounded.kind(concept)


def _experiencer(about: str) -> str:
    who = about.strip().lower()
    return "patient" if who in ("patient", "the patient", "self", "me", "i") else who
