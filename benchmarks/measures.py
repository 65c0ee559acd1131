"""What each score is called in a table, how fine it is told, and where it can lie."""

from dataclasses import dataclass

__all__ = ["MEASURES", "Measure", "measure_of"]


@dataclass(frozen=True)
class Measure:
    """A score as a column.

    Attributes:
        title: Its name in the papers, or a short one.
        share: True if it lies between 0 and 1 by its definition.
        digits: After the decimal point.
        better: ``↑`` if more is better, ``↓`` if less is; empty if neither.
    """

    title: str
    share: bool = True
    digits: int = 3
    better: str = "↑"


MEASURES = {
    "exam": Measure("exam"),
    "exam_before": Measure("exam before", better=""),
    "exam_gain": Measure("exam gain", share=False),
    "tcs": Measure("TCS"),
    "scs": Measure("SCS"),
    "scs_before": Measure("SCS before", better=""),
    "scs_gain": Measure("SCS gain", share=False),
    "wrong_instruction": Measure("wrong instr.", better="↓"),
    "unsafe_advice": Measure("unsafe", better="↓"),
    "readability": Measure("FK grade", share=False, digits=1, better=""),
    "jargon_load": Measure("jargon load", share=False, digits=2, better="↓"),
    "repetitiveness": Measure("repetitiveness", better="↓"),
    "content_coverage": Measure("content"),
    "strategy_use": Measure("strategies"),
    "exam_summary": Measure("exam, summary only"),
    "rouge_l": Measure("RougeL"),
    "concept_f1": Measure("concept F1"),
    "bleurt": Measure("BLEURT", share=False),
    "checklist_accuracy": Measure("AHRQ ACC"),
    "accuracy": Measure("accuracy"),
    "turns": Measure("turns", share=False, digits=1, better=""),
    "fallback_rate": Measure("fallbacks", better="↓"),
    "reward": Measure("reward", share=False),
    "patient_truth": Measure("truth"),
}
"""Measures by the name of their score; ratings of a judge, 1 to 5, have none of their own."""


def measure_of(score: str) -> Measure:
    """Return how a score is shown; one that is not known here is a rating from 1 to 5."""
    return MEASURES.get(score) or Measure(score.replace("_", " "), share=False, digits=2)
