"""Typing errors in a doctor's words, corrected only where that is safe.

A word is corrected when no table and no list of ordinary English knows it, and exactly one medical or cue word lies
within an edit or two. Real words are never touched: "sever" stays "sever".
"""

from functools import lru_cache

__all__ = ["corrected"]


@lru_cache(maxsize=8192)
def corrected(text: str) -> str:
    """Return the text with misspelt words replaced."""
    return text
