"""How the educator speaks, counted: words said again, and technical words left unexplained."""

import re
from collections import Counter
from collections.abc import Sequence

from bedside.envs.episode import Turn
from bedside.rewards.score import Score
from bedside.verifier.language.readability import jargon_of
from bedside.verifier.language.text import plain, sentences

__all__ = ["score_jargon_load", "score_repetitiveness"]

_SPAN = 4
"""Words in a row that count as said again; the usual "rep-4" of neural text generation (Welleck et al. 2020)."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def score_repetitiveness(turns: Sequence[Turn]) -> Score:
    """Return how much of the educator's talk had been said before (DischargeSim, section 3.1).

    Args:
        turns: The encounter.

    Returns:
        Share of the runs of four words, within sentences, that repeat an earlier one: 0 nothing, towards 1 nearly all.
        Evidence holds the sentence that was said most often, if any came twice.
    """
    said = [s.text.strip() for turn in turns for s in sentences(plain(turn.heard))]
    runs = [run for sentence in said for run in _runs(sentence)]
    if not said:
        return Score(value=None, reason="the educator said nothing")
    if not runs:
        return Score(value=0.0)
    most = Counter(text for text in said if len(_WORD.findall(text)) >= _SPAN).most_common(1)
    evidence = {f"said {most[0][1]} times": most[0][0]} if most and most[0][1] > 1 else {}
    return Score(value=1.0 - len(set(runs)) / len(runs), evidence=evidence)


def _runs(sentence: str) -> list[tuple[str, ...]]:
    words = [word.lower() for word in _WORD.findall(sentence)]
    return [tuple(words[start : start + _SPAN]) for start in range(len(words) - _SPAN + 1)]


def score_jargon_load(turns: Sequence[Turn]) -> Score:
    """Return the load of technical words that were not explained.

    Args:
        turns: The encounter.

    Returns:
        Distinct unexplained technical words for every 100 words of the educator; evidence lists them.
    """
    words = sum(len(_WORD.findall(turn.heard)) for turn in turns)
    if not words:
        return Score(value=None, reason="the educator said nothing")
    said = (sentence for turn in turns for sentence in sentences(plain(turn.heard)))
    terms = tuple(dict.fromkeys(word for sentence in said for word in jargon_of(sentence)))
    evidence = {"unexplained": ", ".join(terms)} if terms else {}
    return Score(value=100.0 * len(terms) / words, parts={"terms": float(len(terms))}, evidence=evidence)
