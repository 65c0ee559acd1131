"""What a judging model must answer, and when an answer is complete enough to be believed.

The peers of this project count a judgment that cannot be read as a pass. Here an answer counts only if it is whole:
every claim judged once, every support backed by an entry of the record that exists, and the key of this very request
copied. The key is why JSON that a patient speaks can never pass for the answer, even if a model repeats it.
"""

from collections.abc import Collection, Sequence
from typing import Literal

from pydantic import BaseModel, Field

from bedside.verifier.claim import Certainty, Claim
from bedside.verifier.verdict import Label

__all__ = ["Extraction", "Judgments", "SpokenClaim", "WholeViolation", "check_judgments"]

Kind = Literal[
    "symptom",
    "condition",
    "medication",
    "drug_class",
    "dose",
    "procedure",
    "test",
    "allergy",
    "reaction",
    "substance",
    "demographic",
    "work",
    "living",
    "onset",
    "severity",
    "reading",
    "other",
]
WholeViolation = Literal[
    "unjustified_denial",
    "demographic_drift",
    "contradiction",
    "diagnosis_leak",
    "ai_disclosure",
    "role_reversal",
]
# More than any utterance of fifty words can hold; whoever lists more has lost the thread.
_MOST_CLAIMS = 60


class SpokenClaim(BaseModel):
    """One claim as the model has put it."""

    statement: str = Field(min_length=1, max_length=400)
    words: str = Field(min_length=1, max_length=1000)
    kind: Kind
    about: str = Field(min_length=1, max_length=60)
    denied: bool
    certainty: Certainty
    time: Literal["present", "past"]


class Extraction(BaseModel):
    """The answer to call 1."""

    key: str
    claims: list[SpokenClaim] = Field(max_length=_MOST_CLAIMS)


class Ruled(BaseModel):
    """The verdict on one claim; the reason comes first because a model reasons as it writes."""

    claim: int
    reason: str = Field(min_length=1, max_length=1000)
    evidence: list[str]
    verdict: Label


class Judgments(BaseModel):
    """The answer to call 2."""

    key: str
    verdicts: list[Ruled]
    violations: list[WholeViolation]


def check_judgments(answer: Judgments, claims: Sequence[Claim], known: Collection[str], *, backed: bool = True) -> None:
    """Check that an answer judges every claim once and invents no evidence.

    Args:
        answer: What the model said.
        claims: What it was asked about, in the order of their numbers.
        known: Ids that the record has.
        backed: Whether what is supported must name an entry.

    Raises:
        ValueError: The answer cannot be used; the message says what is missing.
    """
    numbers = sorted(ruled.claim for ruled in answer.verdicts)
    if numbers != list(range(1, len(claims) + 1)):
        raise ValueError(f"There must be exactly one verdict for each of the claims 1 to {len(claims)}.")
    for ruled in answer.verdicts:
        if any(entry not in known for entry in ruled.evidence):
            raise ValueError(f"Claim {ruled.claim}: its evidence names an id that the record does not have.")
        needs = backed and ruled.verdict == "supported" and not claims[ruled.claim - 1].denied
        if needs and not ruled.evidence:
            raise ValueError(f"Claim {ruled.claim} is called supported, but no entry of the record is named for it.")
