"""The tables of DischargeSim and its section 5: how much the educator's work depends on who the patient is."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from bedside.benchmarks.stats.comparison import benjamini_hochberg, paired_test, stars
from bedside.benchmarks.stats.intervals import case_means, relative_interval
from bedside.benchmarks.suites.audit import outcome_table
from bedside.benchmarks.suites.evidence import NEEDS_JUDGE, Evidence
from bedside.benchmarks.suites.printed import CONVERSATIONS, SUMMARIES
from bedside.benchmarks.tables.table import Cell, Column, Table, figure
from bedside.rewards.content import DIMENSIONS
from bedside.rewards.strategies import STRATEGIES

__all__ = ["dischargesim_tables", "size_of"]

_LANGUAGE = {"FL": "fluency", "CO": "coherence", "INF": "informativeness", "PER": "personalization"}
_EVIDENCE = {"SC": "semantic_coverage", "FAC": "factuality", "REL": "relevance", "CON": "consistency"}


class _Dimension(NamedTuple):
    """One dimension of section 5: its name, a judge's score of it, and what is counted where no judge rates."""

    title: str
    rated: str
    counted: str | None = None


_DIMENSIONS = (
    _Dimension("Language & Delivery", "score.language_delivery"),
    _Dimension("Human-Centered", "score.human_centred"),
    _Dimension("Content", "score.content_rating", "score.content_coverage"),
    _Dimension("Strategy", "score.strategy_rating", "score.strategy_use"),
    _Dimension("Language & Appropr.", "score.summary_language"),
    _Dimension("Factuality & Compl.", "score.summary_evidence"),
    _Dimension("Exam", "score.exam"),
    _Dimension("Exam, summary", "score.exam_summary"),
    _Dimension("AHRQ", "score.checklist_accuracy"),
)


class _Contrast(NamedTuple):
    """A comparison of section 5: ``(high - low) / low`` between two groups of profiles."""

    trait: str
    high: object
    low: object
    title: str


_CONTRASTS = {
    "literacy": (_Contrast("literacy", "high", "low", "HL2 vs HL1"),),
    "education": (
        _Contrast("education", 2, 1, "Edu2 vs Edu1"),
        _Contrast("education", 3, 1, "Edu3 vs Edu1"),
        _Contrast("education", 3, 2, "Edu3 vs Edu2"),
    ),
    "emotion": (
        _Contrast("personality", "anxious", "deflective", "Anxious vs Deflective"),
        _Contrast("personality", "neutral", "deflective", "Neutral vs Deflective"),
        _Contrast("personality", "anxious", "neutral", "Anxious vs Neutral"),
    ),
}
_FIGURES = {"literacy": "4", "education": "5", "emotion": "6"}


def dischargesim_tables(evidence: Evidence, caption: str) -> list[Table]:
    """Return all tables of the suite."""
    tables = [_conversations(evidence, caption), _summaries(evidence, caption), _delivery(evidence, caption)]
    tables += [_effects(evidence, kind, contrasts, caption) for kind, contrasts in _CONTRASTS.items()]
    if len(evidence.policies) > 1:
        tables.append(_spread(evidence, caption))
    sizes = {policy: size for policy in evidence.policies if (size := size_of(policy))}
    if len(sizes) > 2:
        tables.append(_correlation(evidence, sizes, caption))
    return [*tables, outcome_table(evidence, caption)]


def _conversations(evidence: Evidence, caption: str) -> Table:
    rated = evidence.has("score.content_rating")
    content, strategy = ("content_rating", "strategy_rating") if rated else ("content_coverage", "strategy_use")
    columns = [
        *("score.language_delivery", "score.human_centred"),
        *(f"part.{content}.{name}" for name in DIMENSIONS),
        f"score.{content}",
        *(f"part.{strategy}.{name}" for name in STRATEGIES),
        *(f"score.{strategy}", "score.exam", "score.checklist_accuracy"),
    ]
    titles = ("Language Delivery", "Human Comm", *DIMENSIONS, "Content avg.", *STRATEGIES, "Strategy avg.")
    rows = [
        (
            Cell(text=policy),
            *(evidence.cell(policy, column) for column in columns),
            evidence.cell(policy, "score.exam_before"),
        )
        for policy in evidence.policies
    ]
    ours = Column("", 2) if rated else Column("", 1, percent=True)
    return Table(
        "conversations",
        "Simulated discharge conversations (DischargeSim, table 1)",
        (
            Column("Model"),
            *(Column(title, 2, interval=False, better="↑") for title in titles[:2]),
            *(replace(ours, title=title, interval=False, better="↑") for title in titles[2:]),
            Column("Exam ACC", digits=1, percent=True, better="↑"),
            Column("AHRQ ACC", digits=1, percent=True, better="↑"),
            Column("Exam before", digits=1, percent=True),
        ),
        (*rows, *(_printed_conversation(row, rated=rated) for row in CONVERSATIONS)),
        caption,
        (
            "IRH indications to return, MED medication, DX diagnosis, PDT post-discharge treatment, TDS treatments "
            "and tests during the stay, FU follow-up; FR fostering relationship, GI gathering information, PI "
            "providing information, DM decision making, EBC enabling behaviour change, RE responding to emotions.",
            *(
                ()
                if rated
                else (
                    "Content is the % of the plan's items rightly stated, strategies the % of talks that use each: "
                    f"the paper rates both from 1 to 5, so its figures are left out. {NEEDS_JUDGE}",
                )
            ),
            "AHRQ: scripted educators fill the checklist in from the plan, except silent. Exam before: the same "
            "patients, untaught; the paper has no such column. Printed: other patients, questions and cases, not "
            "comparable.",
        ),
    )


def _printed_conversation(row: tuple[str | float, ...], *, rated: bool) -> tuple[Cell, ...]:
    name, *values = row
    *ratings, exam, checklist = (float(value) for value in values)
    return (
        Cell(text=f"{name} (printed)"),
        *(Cell(rating if rated or number < 2 else None) for number, rating in enumerate(ratings)),
        *(Cell(exam / 100), Cell(checklist / 100), Cell()),
    )


def _summaries(evidence: Evidence, caption: str) -> Table:
    columns = [
        *("score.rouge_l", "score.bleurt", "score.concept_f1"),
        *(f"part.summary_language.{name}" for name in _LANGUAGE.values()),
        "score.summary_language",
        *(f"part.summary_evidence.{name}" for name in _EVIDENCE.values()),
        *("score.summary_evidence", "score.exam_summary"),
    ]
    rows = [(Cell(text=policy), *(evidence.cell(policy, column) for column in columns)) for policy in evidence.policies]
    printed = [
        (Cell(text=f"{name} (printed)"), *(Cell(float(value)) for value in values), Cell(float(exam) / 100))
        for name, *values, exam in SUMMARIES
    ]
    ratings = (*_LANGUAGE, "L&A avg.", *_EVIDENCE, "F&C avg.")
    return Table(
        "summaries",
        "Personal discharge summaries (DischargeSim, table 2)",
        (
            Column("Model"),
            *(Column(title, digits=3, better="↑", interval=False) for title in ("RougeL", "BLEURT", "UMLS-F")),
            *(Column(title, digits=2, interval=False, better="↑") for title in ratings),
            Column("Exam ACC", digits=1, percent=True, better="↑"),
        ),
        (*rows, *printed),
        caption,
        (
            "FL fluency, CO coherence, INF informativeness, PER personalization; SC semantic coverage, FAC "
            "factuality, REL "
            f"relevance, CON consistency, rated from 1 to 5. {'' if evidence.judged else NEEDS_JUDGE}".strip(),
            "UMLS-F is its formula over the concepts of our own knowledge, against the discharge note or, where a "
            "case has none, its plan. BLEURT needs its weights (BEDSIDE_BLEURT). A model without a figure handed in "
            "no summary. Printed: other notes and knowledge, not comparable.",
        ),
    )


def _delivery(evidence: Evidence, caption: str) -> Table:
    columns = (
        "score.readability",
        "part.readability.in_target",
        "score.jargon_load",
        "score.repetitiveness",
        "score.turns",
    )
    rows = [(Cell(text=policy), *(evidence.cell(policy, column) for column in columns)) for policy in evidence.policies]
    return Table(
        "delivery",
        "Language and delivery, as far as it can be counted",
        (
            Column("Model"),
            Column("FK grade", digits=1),
            Column("In grade 6-8", digits=1, percent=True),
            Column("Jargon / 100 words", digits=2, better="↓"),
            Column("Repeated", digits=1, percent=True, better="↓"),
            Column("Turns", digits=1),
        ),
        tuple(rows),
        caption,
        ("Counted, not judged: a talk can be short-worded, free of jargon and still unkind.",),
    )


def _effects(evidence: Evidence, kind: str, contrasts: Sequence[_Contrast], caption: str) -> Table:
    found = [_row(evidence, policy, contrast) for policy in evidence.policies for contrast in contrasts]
    return Table(
        f"effect-of-{kind}",
        f"Relative difference by patients' {kind}, % (DischargeSim, section 5 and figure {_FIGURES[kind]})",
        (
            Column("Model"),
            Column("Comparison"),
            *(Column(dimension.title, digits=1, percent=True, signed=True) for dimension in _DIMENSIONS),
        ),
        tuple(found),
        caption,
        (
            "(first - second) / second of the means over the same cases, the other traits balanced, with 95 % "
            "bootstrap intervals over cases, none where the mean below may be zero. Stars: sign-flip test over "
            "cases, *** p < 0.001, ** p < 0.01, * p < 0.05 after Benjamini and Hochberg's correction over the "
            "dimensions of a row.",
            *(() if evidence.judged else (NEEDS_JUDGE,)),
            "The paper prints directions only: better with high literacy and more education, most of all in Language & "
            "Delivery, Human-Centered and Strategy; anxious patients draw more support; facts hardly change. Scripted "
            "educators adapt little by design, so that their content and documents can differ by nothing.",
        ),
    )


def _row(evidence: Evidence, policy: str, contrast: _Contrast) -> tuple[Cell, ...]:
    pairs = [_pair(evidence, policy, contrast, dimension) for dimension in _DIMENSIONS]
    seed = evidence.config.seed
    ps = benjamini_hochberg([None if pair is None else paired_test(*pair, seed).p for pair in pairs])
    cells = (
        Cell() if pair is None else figure(relative_interval(*pair, seed), stars(p))
        for pair, p in zip(pairs, ps, strict=True)
    )
    return (Cell(text=policy), Cell(text=contrast.title), *cells)


def _pair(
    evidence: Evidence, policy: str, contrast: _Contrast, dimension: _Dimension
) -> tuple[np.ndarray, np.ndarray] | None:
    """Return case means with both groups of patients; the other traits are the same in both, one by one."""
    column = evidence.first(dimension.rated, dimension.counted)
    if column is None:
        return None
    label = evidence.labels(policy, contrast.trait)
    high, low = (evidence.values(policy, column, label == value) for value in (contrast.high, contrast.low))
    return case_means(high), case_means(low)


def _relative(evidence: Evidence, policy: str, contrast: _Contrast, dimension: _Dimension) -> float | None:
    pair = _pair(evidence, policy, contrast, dimension)
    if pair is None:
        return None
    high, low = (float(np.nanmean(side)) if not np.isnan(side).all() else np.nan for side in pair)
    return high / low - 1 if low > 0 and not np.isnan(high) else None


def _all_contrasts() -> list[_Contrast]:
    return [contrast for contrasts in _CONTRASTS.values() for contrast in contrasts]


def _spread(evidence: Evidence, caption: str) -> Table:
    rows = []
    for contrast in _all_contrasts():
        cells = [Cell(text=contrast.title)]
        for dimension in _DIMENSIONS:
            found = [_relative(evidence, policy, contrast, dimension) for policy in evidence.policies]
            known = [value for value in found if value is not None]
            cells.append(Cell(float(np.std(known, ddof=1)) if len(known) > 1 else None, n=len(known)))
        rows.append(tuple(cells))
    return Table(
        "spread",
        "Standard deviation over models of the relative difference, percentage points (DischargeSim, figures 7, 10 "
        "and 12)",
        (Column("Comparison"), *(Column(d.title, digits=1, percent=True) for d in _DIMENSIONS)),
        tuple(rows),
        caption,
        (
            f"Over {len(evidence.policies)} models. A standard deviation of so few is itself uncertain by a third or "
            "more.",
        ),
    )


def size_of(policy: str) -> float | None:
    """Return a model's size in thousand millions of parameters, if its name tells it, as ``qwen2.5-7b`` does."""
    found = re.search(r"(?<![\w.])(\d+(?:\.\d+)?)\s*([bm])(?![a-z0-9])", policy.lower())
    return None if found is None else float(found[1]) / (1000 if found[2] == "m" else 1)


def _correlation(evidence: Evidence, sizes: dict[str, float], caption: str) -> Table:
    rows = []
    for contrast in _all_contrasts():
        cells = [Cell(text=contrast.title)]
        for dimension in _DIMENSIONS:
            pairs = [
                (size, found)
                for policy, size in sizes.items()
                if (found := _relative(evidence, policy, contrast, dimension)) is not None
            ]
            cells.append(_pearson(pairs))
        rows.append(tuple(cells))
    return Table(
        "size",
        "Correlation of model size with the relative difference, Pearson's r (DischargeSim, figures 8, 9, 11 and 13)",
        (Column("Comparison"), *(Column(d.title, digits=2, signed=True) for d in _DIMENSIONS)),
        tuple(rows),
        caption,
        (
            f"Over {len(sizes)} models whose names tell their size. Printed for Qwen 2.5: HL2 vs HL1 r = 0.80 on "
            "average.",
        ),
    )


def _pearson(pairs: Sequence[tuple[float, float]]) -> Cell:
    if len(pairs) < 3:
        return Cell()
    from scipy.stats import pearsonr

    sizes, differences = zip(*pairs, strict=True)
    if np.ptp(sizes) == 0 or np.ptp(differences) == 0:
        return Cell()
    found = pearsonr(sizes, differences)
    return Cell(float(found.statistic), n=len(pairs), mark=stars(float(found.pvalue)))
