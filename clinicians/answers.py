"""How a doctor understands a patient: which findings an answer affirms, denies or leaves open.

A doctor has no record to read from. The words it understands are those of the core lexicon and of the
findings that its own knowledge knows; they are laid over the lexicon as the facts of a case are, by grounding
an imaginary patient who has everything.
"""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from bedside.cases.case import Case, Demographics, Diagnosis
from bedside.cases.fact import AnyFact, FamilyHistory
from bedside.clinicians.diagnosis_model import Feature
from bedside.verifier.claim import Claim
from bedside.verifier.claims.extraction import extract_claims
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.lexicon import core
from bedside.verifier.language.text import content_stems

__all__ = ["Answer", "Ear", "Reply"]

Reply = Literal["yes", "no", "unclear"]

_HEDGED = 0.5
_REPEATED = 0.6
"""Share of the words for a finding that an answer must hold to affirm it without a yes."""

_FILLER = (
    r"^\W*(?:(?:um+|uh+|er+|ah|eh|well|oh|hm+|so|honestly|okay|look|let me (?:see|think)|i mean|actually)\b[\s,.…-]*)*"
)
# "I don't know" and "I don't see why you ask" are no denials.
_NO_ANSWER = (
    r"(?! (?:know|remember|recall|see (?:what|why)|follow|get (?:it|the)|understand|think (?:that|it)|"
    r"(?:really )?(?:have the words|know|remember|want)|like|mean|really sure|sure|certain|good|myself))"
)
_NO = re.compile(
    _FILLER + rf"(?:(?:no|nope|nah|never|none|nothing|nobody|not)\b(?! sure| my)|"
    rf"(?:i (?:don't|do not|haven't|have not|didn't|did not|wasn't|am not)|i'm not){_NO_ANSWER}|i can't say i|"
    r"it (?:doesn't|does not|didn't|isn't)|there (?:isn't|aren't|wasn't))\b",
    re.IGNORECASE,
)
_NO_ANYWHERE = re.compile(
    r"\b(?:don't think so|haven't (?:noticed|had|felt|seen)|nothing like that|not that i know|"
    r"don't have (?:that|any)|never had|uh-uh|there(?:'s| is| has)(?: been)? no|been no)\b|, no\W*$",
    re.IGNORECASE,
)
_REST = re.compile(r"\b(?:the|of the) (?:rest|others?)\b", re.IGNORECASE)
_YES = re.compile(
    _FILLER + r"(?:yes|yeah|yep|yup|sure|right|correct|definitely|absolutely|true|m+-?h+m+|uh-?huh|sometimes|"
    r"i (?:do|have|am|did|was|think so|guess so|suppose so)|it (?:does|is|did|has)|a (?:little|bit)|"
    r"there (?:is|was|are)|that's right|kind of|sort of)\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:maybe|might|perhaps|possibly|i think|i guess|i suppose|kind of|sort of|not really sure|probably|"
    r"hard to say|a little|a bit)\b",
    re.IGNORECASE,
)


class Answer(NamedTuple):
    """What one answer tells.

    Attributes:
        reply: What it says to the question that was asked.
        weight: How far the reply can be relied upon.
        present: Findings affirmed, with their weight.
        absent: Findings denied, with their weight.
    """

    reply: Reply
    weight: float
    present: dict[str, float]
    absent: dict[str, float]


class Ear:
    """Finds the features of a body of knowledge in what patients say."""

    def __init__(self, features: Sequence[Feature]) -> None:
        facts = [feature.fact.model_copy(update={"id": f"f{number}"}) for number, feature in enumerate(features)]
        everyone = Case(
            id="knowledge",
            source="knowledge",
            licence="none",
            demographics=Demographics(age=50, sex="female"),
            chief_complaint="everything",
            record=tuple(facts),
            diagnosis=Diagnosis(text="unknown"),
        )
        self._grounded = GroundedCase(everyone, core(), "interview")
        self._features = features
        self._by_concept: dict[str, list[Feature]] = {}
        for feature, fact in zip(features, facts, strict=True):
            self._by_concept.setdefault(self._grounded.facts[fact.id].concept, []).append(feature)

    def listen(self, text: str, asked: Sequence[Feature] = ()) -> Answer:
        """Understand an answer.

        Args:
            text: The patient's words.
            asked: What was asked for: one finding, or the possible answers to an open question about a
                detail.

        Returns:
            What it says of the asked and of any other finding.
        """
        present: dict[str, float] = {}
        absent: dict[str, float] = {}
        wanted = {feature.key for feature in asked}
        for claim in extract_claims(text, self._grounded):
            if claim.act in ("question", "hypothetical") or claim.certainty == "belief":
                continue
            weight = _HEDGED if claim.certainty == "hedged" else 1.0
            for feature in self._meant(claim):
                if not feature.group or feature.key in wanted or "site" in feature.group:
                    (absent if claim.denied else present).setdefault(feature.key, weight)
        reply = self._reply(text, asked, present, absent)
        return Answer(reply, _HEDGED if _UNSURE.search(text) else 1.0, present, absent)

    def _meant(self, claim: Claim) -> list[Feature]:
        """Return the features that a claim is about: the very concept, else one that it is a kind of."""
        named = [claim.concept, *claim.attributes.get("also", "").split()]
        of_family = claim.experiencer not in ("patient", "")
        found = [f for concept in named for f in self._by_concept.get(concept, ()) if _fits(f, family=of_family)]
        if not found and not claim.denied and not of_family:
            broader = self._grounded.broader(claim.concept) - set(named)
            found = [
                f for concept in sorted(broader) for f in self._by_concept.get(concept, ()) if _fits(f, family=False)
            ]
        return found

    @staticmethod
    def _reply(text: str, asked: Sequence[Feature], present: dict[str, float], absent: dict[str, float]) -> Reply:
        wanted = {feature.key for feature in asked}
        if wanted & present.keys():
            return "yes"
        if wanted & absent.keys() or _NO.search(text) or _NO_ANYWHERE.search(text):
            return "no"
        if any(_says(text, feature.fact) for feature in asked):
            return "yes"
        # "Yes, a cough. The rest, no": the yes was to something else that the question named.
        if present.keys() - wanted and _REST.search(text):
            return "no"
        return "yes" if _YES.search(text) and not present.keys() - wanted else "unclear"


def _says(text: str, fact: AnyFact) -> bool:
    """True when an answer repeats most of the words for a finding, as patients do: "I attend a daycare"."""
    stems = set(content_stems(text))
    wordings = (set(content_stems(wording)) for wording in (fact.text, *fact.lay))
    return any(own and len(own & stems) >= _REPEATED * len(own) for own in wordings)


def _fits(feature: Feature, *, family: bool) -> bool:
    return isinstance(feature.fact, FamilyHistory) == family
