"""Judges: who scores an encounter, the rules of this project or a language model with the papers' rubrics."""

from bedside.rewards.judges.engines import Judge, make_judge

__all__ = ["Judge", "make_judge"]
