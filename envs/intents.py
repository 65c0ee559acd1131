"""What a doctor's words want: the vocabulary between understanding a question and answering it.

The names are shared by the patient, by ``bedside understand`` and by whoever measures how well questions are
read.
"""

from typing import NamedTuple

__all__ = ["ATTRIBUTES", "HABITS", "INTENTS", "TALK", "Intent"]

ATTRIBUTES = (
    "onset",
    "duration",
    "site",
    "character",
    "severity",
    "radiation",
    "aggravating",
    "relieving",
    "timing",
)
"""Details of a symptom; without a target they are about the one under discussion."""

HABITS = ("alcohol", "tobacco", "drugs", "sexual", "occupation", "living")
"""Circumstances of life, named as the aspects of a social fact."""

TALK = (
    "empathy",
    "reassurance",
    "summary",
    "explanation",
    "advice",
    "diagnosis_statement",
    "greeting",
    "closing",
)
"""What a doctor says rather than asks."""

INTENTS = (
    "chief_complaint",
    "symptom_presence",
    *ATTRIBUTES,
    "associated",
    "medications",
    "dose",
    "allergies",
    "past_conditions",
    "procedures",
    "family_history",
    *HABITS,
    "age",
    "anything_else",
    *TALK,
    "other",
)


class Intent(NamedTuple):
    """One thing that an utterance wants or does.

    Attributes:
        name: One of :data:`INTENTS`.
        target: The symptom, drug, condition, substance or relative in the words that named it.
        concept: What the target is in the knowledge, a fact of the case (``case:ID``), or, for questions
            outside the usual history, a topic (``topic:travel``).
        asked: True when an answer is expected.
    """

    name: str
    target: str | None = None
    concept: str | None = None
    asked: bool = True
