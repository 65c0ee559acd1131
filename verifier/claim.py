"""Claims: the one currency of the verifier, of topic coverage and of the safety audit.

A claim is one medical assertion found in a text, with everything that decides whether it counts: who it is about,
whether it is denied, how certain it is, and whether it is stated at all or only asked.
"""

from typing import Literal

from bedside.cases.fact import Frozen

__all__ = ["Act", "Certainty", "Claim", "concepts_of"]

Act = Literal["statement", "instruction", "question", "hypothetical"]
Certainty = Literal["certain", "hedged", "belief"]


class Claim(Frozen):
    """One assertion.

    Attributes:
        kind: ``symptom``, ``condition``, ``medication``, ``drug_class``, ``procedure``, ``allergy``, ``social``,
            ``demographic``, ``site``, …: the category of the concept.
        concept: Id in the knowledge (``sx:chest-pain``) or, for what only this case names, ``case:FACT_ID``.
        surface: The words that named it.
        denied: True when its absence is asserted.
        certainty: Plainly said, hedged, or held as a belief ("I read it is lupus").
        experiencer: ``patient``, or the relative or other person it is said of.
        time: ``past`` for what is over ("used to take").
        act: What is done with it; only statements and instructions assert anything.
        attributes: Normalised details: ``dose``, ``frequency``, ``year``, ``ago_days``, ``severity``, ``side``, …
        start: Offset of the mention in the text.
        end: Offset of its end.
        sentence: Number of the sentence that holds it.
    """

    kind: str
    concept: str
    surface: str
    denied: bool = False
    certainty: Certainty = "certain"
    experiencer: str = "patient"
    time: Literal["present", "past"] = "present"
    act: Act = "statement"
    attributes: dict[str, str] = {}
    start: int
    end: int
    sentence: int = 0


def concepts_of(claim: Claim) -> tuple[str, ...]:
    """Return all that the words of a claim may mean."""
    return (claim.concept, *claim.attributes.get("also", "").split())
