"""What each score is called in a report, what one line says of it, and which way is better.

The lines are the short form of ``docs/scoring.md``; a score that is not listed is shown under its own name.
"""

from dataclasses import dataclass
from typing import Literal

__all__ = ["FIGURE_SCORES", "TABLE_SCORES", "Term", "term"]

Better = Literal["higher", "lower", "neither"]


@dataclass(frozen=True)
class Term:
    """One score in words.

    Attributes:
        title: Short name, fit for the head of a column.
        line: What it measures, in one sentence.
        better: Which way is better; ``neither`` where that depends.
        scale: Lowest and highest value that it can have; None where it has no bounds.
        digits: Decimals worth showing.
        target: Where a value should lie, if neither way is better.
    """

    title: str
    line: str
    better: Better = "higher"
    scale: tuple[float, float] | None = (0.0, 1.0)
    digits: int = 3
    target: tuple[float, float] | None = None


_RATING = (1.0, 5.0)
_GAIN = (-1.0, 1.0)

_TERMS = {
    "exam": Term("Exam", "Share of multiple-choice questions that the patient answers rightly after the talk."),
    "exam_before": Term("Exam before", "The same exam before the talk: what the patient knew or guessed anyway."),
    "exam_gain": Term("Exam gain", "Exam after the talk less exam before it.", scale=_GAIN),
    "tcs": Term("TCS", "Topic Checklist Score: weighted share of the plan's topics that were stated rightly."),
    "scs": Term("SCS", "Simulated Comprehension Score: what the patient recalls unaided, six questions."),
    "scs_before": Term("SCS before", "The same six questions before the talk."),
    "scs_gain": Term("SCS gain", "SCS after the talk less SCS before it.", scale=_GAIN),
    "wrong_instruction": Term(
        "Wrong instr.", "Share of the educator's claims that contradict the plan and would do harm.", "lower"
    ),
    "unsafe_advice": Term("Unsafe", "Share of claims that the plan does not hold and that would do harm.", "lower"),
    "readability": Term(
        "FK grade",
        "Flesch–Kincaid grade of the educator's words; the target is 6 to 8.",
        "neither",
        None,
        1,
        (6.0, 8.0),
    ),
    "jargon_load": Term("Jargon", "Distinct unexplained technical words for every 100 words.", "lower", None, 1),
    "repetitiveness": Term("Repetition", "Share of four-word runs that the educator had said before.", "lower"),
    "content_coverage": Term("Content", "Share of all plan items, facts and details, that ended rightly stated."),
    "strategy_use": Term("Strategies", "Share of six strategies of patient education used at least once.", "neither"),
    "exam_summary": Term("Exam, summary", "Exam of someone who only read the clinician's summary."),
    "rouge_l": Term("ROUGE-L", "Overlap of the summary's words with the discharge note."),
    "concept_f1": Term("Concept F1", "Overlap of the summary's medical concepts with the discharge note."),
    "bleurt": Term("BLEURT", "Learned similarity of the summary with the discharge note.", scale=None),
    "checklist_accuracy": Term("Checklist", "Share of the discharge checklist's fields that are right."),
    "accuracy": Term("Accuracy", "Share of interviews that end with the right diagnosis."),
    "turns": Term("Turns", "Turns of the clinician.", "neither", None, 1),
    "fallback_rate": Term("Fallbacks", "Share of turns in which no draft of the patient was fit to be heard.", "lower"),
    "reward": Term("Reward", "The training reward: a weighted sum, capped when a claim was harmful.", scale=_GAIN),
    "conversation_quality": Term("Conversation", "Quality of the conversation as a judge rates it.", scale=_RATING),
    "language_delivery": Term("Delivery", "Language and delivery as a judge rates them.", scale=_RATING),
    "human_centred": Term("Human-centred", "Human-centred communication as a judge rates it.", scale=_RATING),
    "content_rating": Term("Content rating", "Six content dimensions as a judge rates them.", scale=_RATING),
    "strategy_rating": Term("Strategy rating", "Six strategies as a judge rates them.", scale=_RATING),
    "summary_language": Term("Summary language", "Language of the summary as a judge rates it.", scale=_RATING),
    "summary_evidence": Term("Summary evidence", "Evidence in the summary as a judge rates it.", scale=_RATING),
    "patient_truth": Term("Patient truth", "Truth of the patient to its record, rated by a judge.", scale=_RATING),
    "patient_realism": Term("Patient realism", "Realism of the patient, rated by a judge.", scale=_RATING),
    "clinical_utility": Term("Utility", "Use of the patient for clinical work, rated by a judge.", scale=_RATING),
    "noise_fidelity": Term(
        "Noise fidelity", "Fit of the patient's speech to its noise, rated by a judge.", scale=_RATING
    ),
}

TABLE_SCORES = {
    "discharge": (
        "exam",
        "scs",
        "tcs",
        "content_coverage",
        "wrong_instruction",
        "unsafe_advice",
        "readability",
        "turns",
        "reward",
    ),
    "diagnosis": ("accuracy", "turns", "fallback_rate", "reward"),
}
"""Columns of the leaderboard; the first is what policies are ranked by."""

FIGURE_SCORES = {"discharge": ("exam", "scs", "tcs", "reward"), "diagnosis": ("accuracy", "turns", "reward")}
"""Scores that are broken down by patient and by chapter."""


def term(name: str) -> Term:
    """Return the words for a score; its own name where it has none."""
    return _TERMS.get(name) or Term(name, "", "neither", None)
