"""Scores: pure functions of a finished or running episode and its case."""
