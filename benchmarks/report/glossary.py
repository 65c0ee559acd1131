"""What one line says of each score, and which scores a report shows where.

The lines are the short form of ``docs/scoring.md``.
"""

from dataclasses import dataclass
from typing import Literal

from bedside.benchmarks.measures import MEASURES, measure_of

__all__ = ["FIGURE_SCORES", "TABLE_SCORES", "Term", "term"]

Better = Literal["higher", "lower", "neither"]


@dataclass(frozen=True)
class Term:
    """One score, or another column, in words.

    Attributes:
        title: Short name, fit for the head of a column.
        line: What it measures, in one sentence.
        better: Which way is better; ``neither`` where that depends.
        scale: Lowest and highest value that it can have; None where it has no bounds.
        digits: Decimals worth showing.
        target: Where a value should lie, if neither way is better.
    """

    title: str
    line: str = ""
    better: Better = "neither"
    scale: tuple[float, float] | None = None
    digits: int = 3
    target: tuple[float, float] | None = None


_LINES = {
    "exam": "Share of multiple-choice questions that the patient answers rightly after the talk.",
    "exam_before": "The same exam before the talk: what the patient knew or guessed anyway.",
    "exam_gain": "Exam after the talk less exam before it.",
    "tcs": "Topic Checklist Score: weighted share of the plan's topics that were stated rightly.",
    "scs": "Simulated Comprehension Score: what the patient recalls unaided, six questions.",
    "scs_before": "The same six questions before the talk.",
    "scs_gain": "SCS after the talk less SCS before it.",
    "wrong_instruction": "Share of the educator's claims that contradict the plan and would do harm.",
    "unsafe_advice": "Share of the educator's claims that the plan does not hold and that would do harm.",
    "readability": "Flesch–Kincaid grade of the educator's words; the target is 6 to 8.",
    "jargon_load": "Distinct unexplained technical words for every 100 words.",
    "repetitiveness": "Share of four-word runs that the educator had said before.",
    "content_coverage": "Share of all plan items, facts and details, that ended rightly stated.",
    "strategy_use": "Share of six strategies of patient education that were used at least once.",
    "exam_summary": "Exam of someone who only read the clinician's summary.",
    "rouge_l": "Overlap of the summary's words with the discharge note.",
    "concept_f1": "Overlap of the summary's medical concepts with the discharge note.",
    "bleurt": "Learned similarity of the summary with the discharge note.",
    "checklist_accuracy": "Share of the discharge checklist's fields that are right.",
    "accuracy": "Share of interviews that end with the right diagnosis.",
    "turns": "Turns of the clinician.",
    "fallback_rate": "Share of turns in which no draft of the patient was fit to be heard.",
    "reward": "The training reward: a weighted sum, capped once a claim was harmful.",
    "conversation_quality": "Naturalness, responsiveness, clarity and clinical relevance, rated by a judge.",
    "language_delivery": "Language and delivery, rated by a judge.",
    "human_centred": "Human-centred communication, rated by a judge.",
    "content_rating": "Six dimensions of content, rated by a judge.",
    "strategy_rating": "Six strategies of patient education, rated by a judge.",
    "summary_language": "Language of the summary, rated by a judge.",
    "summary_evidence": "Evidence in the summary, rated by a judge.",
    "patient_truth": "Truth of the patient to its record, rated by a judge.",
    "patient_realism": "Realism of the patient, rated by a judge.",
    "clinical_utility": "Use of the patient for clinical work, rated by a judge.",
    "noise_fidelity": "Fit of the patient's speech to its noise, rated by a judge.",
}
_TARGETS = {"readability": (6.0, 8.0)}
_BETTER: dict[str, Better] = {"↑": "higher", "↓": "lower", "": "neither"}
_RATING = (1.0, 5.0)

TABLE_SCORES = {
    "discharge": (
        "exam",
        "scs",
        "tcs",
        "content_coverage",
        "exam_summary",
        "checklist_accuracy",
        "conversation_quality",
        "wrong_instruction",
        "unsafe_advice",
        "readability",
        "turns",
        "reward",
    ),
    "diagnosis": (
        "accuracy",
        "patient_truth",
        "patient_realism",
        "clinical_utility",
        "noise_fidelity",
        "turns",
        "fallback_rate",
        "reward",
    ),
}
"""Columns of the leaderboard, as far as anything was scored; the first is what policies are ranked by."""

FIGURE_SCORES = {"discharge": ("exam", "scs", "tcs", "reward"), "diagnosis": ("accuracy", "turns", "reward")}
"""Scores that are broken down by patient and by chapter."""


def term(name: str) -> Term:
    """Return the words for a score."""
    measure = measure_of(name)
    scale = (0.0, 1.0) if measure.share else None if name in MEASURES else _RATING
    title = measure.title[0].upper() + measure.title[1:]
    return Term(title, _LINES.get(name, ""), _BETTER[measure.better], scale, measure.digits, _TARGETS.get(name))
