"""The report: one self-contained HTML file with everything that run folders hold, made to be read by people.

Numbers come from ``scores.parquet``, transcripts from ``episodes.jsonl``; nothing is played or judged again. The file
loads nothing from anywhere, and whatever a model or a case wrote stays text in it.
"""
