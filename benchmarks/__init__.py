"""Evaluation of policies, and measurement of the system itself."""
