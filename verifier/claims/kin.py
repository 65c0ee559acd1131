"""Relatives in few words: "my brother, lung" to a question about cancer, "my mother too" after the father's illness."""

import re
from collections.abc import Iterator

from bedside.verifier.claim import Claim
from bedside.verifier.claims.focus import Focus, Named
from bedside.verifier.claims.mentions import claim_of, main_concept
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.context import Context, is_belief, is_question
from bedside.verifier.language.kin import KIN, compound_in
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence

__all__ = ["kin_in"]

_LONGEST = 12
_LONGEST_SAME = 18
_SHORT = 4
_OF_KIN = ("condition", "symptom", "procedure")
_SAME = Pattern(
    r"\b(?:too|as well|also|the same|likewise|(?:died|dead|passed|went)(?: away)? (?:of|from|with) (?:it|that)|(?:has|"
    r"had|have|got|gets) (?:it|that|one|1|them)|both)\b",
    re.IGNORECASE,
)
_NEGATED = Pattern(r"\b(?:no|not|never|nothing|none|neither|nobody)\b|n't\b", re.IGNORECASE)
# "I had it too": the illness of whoever was named before.
_ME_TOO = Pattern(
    r"\bi(?:'ve)? (?:also |once )?(?:had|have|got|get|caught) (?:it|that|the same|one|1)(?: thing)?,? "
    r"(?:too|as well|also|myself)\b|\b(?:i also|me,? too i|so i) (?:had|have|got) (?:it|that)\b|"
    r"^\W*(?:and )?(?:so (?:did|do|have) i|me,? too|same (?:here|with me))\b",
    re.IGNORECASE,
)
_THE_SAME = Pattern(r"\b(?:did|had|has|got|died of|went) the same\b", re.IGNORECASE)
_ANOTHER_CLAUSE = Pattern(r",? (?:and|but|when|because) (?:i|we)\b.*", re.IGNORECASE)
# "My mother had it in the ovaries", where the talk is of a cancer.
_IT_IN = Pattern(
    r"\b(?:had|has|got|of|from|with) (?:it|that|one|1)\b.{0,20}\bin (?:the|her|his|their|both) \w+", re.IGNORECASE
)
# "Sister Agnes" is in holy orders.
_TITLE = re.compile(r"\b(?:Sister|Brother|Father|Mother) [A-Z][a-z]+")
_CANCER = Pattern(r"\b(?:cancer|tumou?rs?)\b", re.IGNORECASE)
_ANY_CANCER = "cond:cancer"


def kin_in(
    sentence: Sentence, focus: Focus, grounded: GroundedCase, named: Named | None, claims: list[Claim]
) -> Iterator[Claim]:
    """Find relatives who are said to have what stands elsewhere.

    Args:
        sentence: A sentence of the patient.
        focus: What the question was about.
        grounded: The case.
        named: What was named last before this sentence, in the answer or else in the question.
        claims: What the sentence says by itself.

    Yields:
        A claim for each relative.
    """
    body = sentence.text
    if any(c.kind in _OF_KIN for c in claims) or is_belief(body) or is_question(body):
        return
    if named and sentence.number and (own := _ME_TOO.search(body)):
        yield from _of_oneself(sentence, own.span(), named, grounded)
        return
    if _NEGATED.search(_ANOTHER_CLAUSE.sub("", body)):
        return
    longest = _LONGEST if sentence.number == 0 or not _SAME.search(body) else _LONGEST_SAME
    if len(sentence.tokens) > longest or not KIN.search(_TITLE.sub(" ", body)):
        return
    thing = _cancer_of(sentence, focus, grounded, named) or _asked(sentence, focus, grounded, named)
    if thing is None:
        return
    concept = main_concept(thing.concepts, grounded)
    if not concept:
        return
    details = {"asked": thing.words} | (
        {"also": " ".join(o)} if (o := [c for c in thing.concepts if c != concept]) else {}
    )
    if sentence.number and named and not _THE_SAME.search(body):
        details["carried"] = "1"
    for who, start, end in _relatives(body):
        context = Context(False, "certain", who, "present", "statement")
        yield claim_of(grounded.kind(concept), concept, sentence, (start, end), context, details)


def _of_oneself(sentence: Sentence, span: tuple[int, int], named: Named, grounded: GroundedCase) -> Iterator[Claim]:
    concept = main_concept(named.concepts, grounded)
    if concept and grounded.kind(concept) in _OF_KIN:
        others = [c for c in named.concepts if c != concept]
        details = {"also": " ".join(others)} if others else {}
        context = Context(False, "certain", "patient", "present", "statement")
        yield claim_of(grounded.kind(concept), concept, sentence, span, context, details)


def _relatives(body: str) -> Iterator[tuple[str, int, int]]:
    if compound := compound_in(body):
        yield compound
        return
    for match in KIN.finditer(body):
        yield match[1].lower(), *match.span()


def _cancer_of(sentence: Sentence, focus: Focus, grounded: GroundedCase, named: Named | None) -> Named | None:
    """The cancer of the organ that a relative is named with: "My brother, lung"."""
    spoken_of = _CANCER.search(focus.spoken) and "family" in focus.topics
    of_it = _IT_IN.search(sentence.text) and any(_is_cancer(g.concept, grounded) for g in grounded.record)
    if not spoken_of and not of_it and not (named and any(_is_cancer(c, grounded) for c in named.concepts)):
        return None
    for mention in grounded.find(sentence.tokens):
        words = " ".join(t.text for t in sentence.tokens[mention.first : mention.last + 1])
        found = grounded.lexicon.named(f"{words} cancer") or tuple(
            concept.id
            for concept in grounded.lexicon.concepts.values()
            if _ANY_CANCER in concept.broader and set(concept.relations.get("site", ())) & set(mention.concepts)
        )
        if found:
            return Named(found, f"{words} cancer".lower())
    return None


def _is_cancer(concept: str, grounded: GroundedCase) -> bool:
    return _ANY_CANCER in grounded.broader(concept)


def _asked(sentence: Sentence, focus: Focus, grounded: GroundedCase, named: Named | None) -> Named | None:
    if sentence.number == 0:
        if "family" not in focus.topics:
            return None
        things = [
            t for t in focus.named if grounded.kind(main_concept(t.concepts, grounded) or t.concepts[0]) in _OF_KIN
        ]
        return things[0] if len(things) == 1 else None
    if named is None or not (_SAME.search(sentence.text) or len(sentence.tokens) <= _SHORT):
        return None
    concept = main_concept(named.concepts, grounded)
    return named if concept and grounded.kind(concept) in (*_OF_KIN, "family") else None
