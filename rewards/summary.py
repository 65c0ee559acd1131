"""Scores of the personal discharge summary (DischargeSim, section 3.2 and table 2).

Compared with the discharge note, or where a case has none, with the plan line by line: words by ROUGE-L, medical
concepts by the formula of UMLS-F1 over the concepts that our knowledge has, and BLEURT where its weights are at hand.
"""

import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from bedside.cases.case import Case
from bedside.envs.briefing import plan_text
from bedside.rewards.score import Score
from bedside.verifier.language.lexicon import core
from bedside.verifier.language.text import plain, tokenize

__all__ = ["BLEURT_WEIGHTS", "SUMMARY_SCORES", "score_summary"]

BLEURT_WEIGHTS = "BEDSIDE_BLEURT"
"""Environment variable with the folder of BLEURT weights in the form of Hugging Face (model and tokenizer)."""

SUMMARY_SCORES = ("rouge_l", "concept_f1", "bleurt")

_KINDS = ("symptom", "condition", "medication", "drug_class", "procedure", "substance")


def score_summary(summary: str | None, case: Case) -> dict[str, Score]:
    """Compare a summary with what it should tell.

    Args:
        summary: What the clinician wrote; None if nothing was handed in.
        case: The case.

    Returns:
        ``rouge_l`` (F measure), ``concept_f1`` (F1; parts hold precision and recall) and ``bleurt``, unscored unless
        :data:`BLEURT_WEIGHTS` names its weights.
    """
    reference = case.note or plan_text(case.plan)
    if summary is None or not summary.strip():
        reason = "no summary was handed in" if summary is None else "the summary is empty"
        return dict.fromkeys(SUMMARY_SCORES, Score(value=None, reason=reason))
    if not reference:
        return dict.fromkeys(SUMMARY_SCORES, Score(value=None, reason="the case has no discharge plan"))
    return {
        "rouge_l": _rouge_l(summary, reference),
        "concept_f1": _concept_f1(summary, reference),
        "bleurt": _bleurt(summary, reference),
    }


def _rouge_l(summary: str, reference: str) -> Score:
    found = _rouge().score(reference, summary)["rougeL"]
    return Score(value=found.fmeasure, parts={"precision": found.precision, "recall": found.recall})


@lru_cache(maxsize=1)
def _rouge() -> Any:
    # Imported where used: it brings a tokenizer library that most runs have no need of.
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(["rougeL"], use_stemmer=True)


def _concept_f1(summary: str, reference: str) -> Score:
    """Return precision, recall and F1 of the concepts (DischargeSim, appendix B)."""
    said, wanted = _concepts(summary), _concepts(reference)
    if not wanted:
        return Score(value=None, reason="the reference names no concept that the knowledge has")
    both = len(said & wanted)
    parts: dict[str, float | None] = {
        "precision": both / len(said) if said else 0.0,
        "recall": both / len(wanted),
    }
    value = 2 * both / (len(said) + len(wanted))
    evidence = (
        {"not in the reference": ", ".join(sorted(core()[c].name for c in said - wanted))} if said - wanted else {}
    )
    return Score(value=value, parts=parts, evidence=evidence)


def _concepts(text: str) -> frozenset[str]:
    lexicon = core()
    mentions = lexicon.find(tokenize(plain(text)))
    return frozenset(m.concepts[0] for m in mentions if lexicon[m.concepts[0]].kind in _KINDS)


def _bleurt(summary: str, reference: str) -> Score:
    folder = os.environ.get(BLEURT_WEIGHTS, "")
    if not folder:
        return Score(value=None, reason=f"no BLEURT weights: set {BLEURT_WEIGHTS} to their folder")
    try:
        return Score(value=_bleurt_value(folder, summary, reference), engine=f"bleurt:{Path(folder).name}")
    except (OSError, ValueError) as error:
        return Score(value=None, reason=f"{BLEURT_WEIGHTS}={folder}: {str(error).splitlines()[0]}")


def _bleurt_value(folder: str, summary: str, reference: str) -> float:
    import torch

    tokenizer, model = _bleurt_model(folder)
    pair = tokenizer([reference], [summary], truncation="longest_first", max_length=512, return_tensors="pt")
    with torch.no_grad():
        return float(model(**pair).logits.flatten()[0])


@lru_cache(maxsize=1)
def _bleurt_model(folder: str) -> tuple[Any, Any]:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    if not Path(folder).is_dir():
        raise ValueError("no such folder")
    local: dict[str, Any] = {"local_files_only": True}
    return (
        AutoTokenizer.from_pretrained(folder, **local),
        AutoModelForSequenceClassification.from_pretrained(folder, **local).eval(),
    )
