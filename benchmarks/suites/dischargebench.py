"""The tables and figures of DischargeBench, made from one run of open-ended talks."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from bedside.benchmarks.measures import measure_of
from bedside.benchmarks.stats.comparison import benjamini_hochberg, paired_test, stars
from bedside.benchmarks.stats.intervals import case_means, mean_interval
from bedside.benchmarks.stats.variance import variance_components
from bedside.benchmarks.suites.audit import audit_table, incomplete_table, outcome_table
from bedside.benchmarks.suites.evidence import NEEDS_JUDGE, Evidence
from bedside.benchmarks.tables.table import Cell, Column, Table, figure, text
from bedside.cases.case import CHAPTERS
from bedside.cases.persona import PERSONALITIES_OF_DISCHARGEBENCH
from bedside.rewards.coverage import WEIGHTS
from bedside.rewards.safety import CELLS

__all__ = ["dischargebench_tables", "main_table"]

_QUALITY = {
    "naturalness": "Naturalness",
    "responsiveness": "Responsiveness",
    "clarity": "Clarity",
    "clinical_relevance": "Clinical Relevance",
}
_BEST = ("best of eight models (printed)", 0.70, 0.72)
_PER_MODEL = ("score.tcs", "score.scs")


def dischargebench_tables(evidence: Evidence, caption: str) -> list[Table]:
    """Return all tables of the suite."""
    chapters = [chapter for chapter in CHAPTERS if any(case.chapter == chapter for case in evidence.cases)]
    tables = [
        cohort_table(evidence, caption),
        main_table(evidence, caption),
        _questions(evidence, caption),
        _claims(evidence, caption),
        _by_chapter(evidence, chapters, caption),
        *(_by_group(evidence, score, "chapter", chapters, " 17", caption) for score in _PER_MODEL),
    ]
    tempers = list(PERSONALITIES_OF_DISCHARGEBENCH)
    quality = evidence.first("part.conversation_quality.naturalness")
    for score, number in (
        *((score, "s 7 and 18") for score in _PER_MODEL),
        (quality, " 19"),
        ("score.readability", " 19"),
    ):
        if score is not None:
            tables.append(_by_group(evidence, score, "personality", tempers, number, caption, against="neutral"))
    tables += [
        audit_table(evidence, caption),
        outcome_table(evidence, caption),
        incomplete_table(evidence, "personality", tempers, caption),
        incomplete_table(evidence, "chapter", chapters, caption),
    ]
    return [*tables, _variance(evidence, caption)] if evidence.config.runs > 1 else tables


def main_table(evidence: Evidence, caption: str) -> Table:
    """Lay out what figures 3 to 5 show: conversation quality, readability, coverage, comprehension, safety."""
    scores = ("tcs", "scs", "scs_before", "wrong_instruction", "unsafe_advice", "exam", "readability", "turns")
    rows = [
        (
            Cell(text=policy),
            *(evidence.cell(policy, f"score.{score}") for score in scores),
            *(evidence.cell(policy, f"part.conversation_quality.{axis}") for axis in _QUALITY),
        )
        for policy in evidence.policies
    ]
    best = (*text(_BEST[0]), Cell(_BEST[1]), Cell(_BEST[2]), *(Cell() for _ in rows[0][3:]))
    titles = {"wrong_instruction": "Wrong Instruction", "unsafe_advice": "Unsafe Advice"}
    return Table(
        "main",
        "Coverage, comprehension, safety, readability and conversation quality (DischargeBench, figures 3 to 5)",
        (
            Column("Model"),
            *(Column.of(score, title=titles.get(score, measure_of(score).title)) for score in scores),
            *(Column(title, digits=2, better="↑") for title in _QUALITY.values()),
        ),
        (*rows, best),
        caption,
        (
            "SCS before is what the untaught patient recalls unaided: what an educator is worth is the difference. The "
            "target of the FK grade is 6 to 8; talk that is easier is no fault. Exam is DischargeSim's.",
            *(() if evidence.judged else (NEEDS_JUDGE,)),
            "Printed: mean of the best of eight language models, with a patient and a judge that are language "
            "models; the paper prints no other figures of these. Not comparable.",
        ),
    )


def cohort_table(evidence: Evidence, caption: str) -> Table:
    """Lay out who the patients are (tables 1 and 3)."""
    cases, policy = evidence.cases, evidence.policies[0]
    ages = [case.demographics.age for case in cases if case.demographics.age is not None]
    sexes: Counter[str] = Counter(case.demographics.sex or "not known" for case in cases)
    races = Counter(case.demographics.race or "not known" for case in cases)
    age = f"{np.mean(ages):.1f} ({np.std(ages, ddof=1):.1f})" if len(ages) > 1 else ""
    rows = [
        text("n", "", "", str(len(cases))),
        text("Age, mean (SD)", "", str(len(cases) - len(ages)), age),
        *_counted("Gender, n (%)", sexes, len(cases)),
        *_counted("Race, n (%)", races, len(cases)),
        *_counted("ICD chapter, n (%)", Counter(case.chapter or "none" for case in cases), len(cases)),
    ]
    for trait in ("personality", "education", "literacy", "recall"):
        drawn = Counter(str(label) for label in evidence.labels(policy, trait).ravel())
        rows += _counted(f"{trait.capitalize()}, sessions (%)", drawn, sum(drawn.values()))
    return Table(
        "cohort",
        "The cohort (DischargeBench, tables 1 and 3)",
        tuple(map(Column, ("Characteristic", "Value", "Missing", "Overall"))),
        tuple(rows),
        caption,
        ("Traits of the patients are drawn anew for each session, the same for every model.",),
    )


def _counted(title: str, counts: Counter[str], total: int) -> list[tuple[Cell, ...]]:
    missing = counts.pop("not known", 0)
    rows = [
        text("" if number else title, value, "" if number else str(missing), f"{count} ({100 * count / total:.1f})")
        for number, (value, count) in enumerate(sorted(counts.items()))
    ]
    return rows or [text(title, "", str(missing), "")]


def _questions(evidence: Evidence, caption: str) -> Table:
    rows = [
        (Cell(text=policy), *(evidence.cell(policy, f"part.tcs.{question}") for question in WEIGHTS))
        for policy in evidence.policies
    ]
    return Table(
        "topics",
        "Topic Checklist Score by question, % of the cases it applies to (DischargeBench, table 5)",
        (Column("Model"), *(Column(question, digits=1, percent=True, interval=False) for question in WEIGHTS)),
        tuple(rows),
        caption,
        (
            "Q1 diagnosis, Q2 new medication, Q2.1 dosage, Q2.2 route, Q2.3 frequency, Q2.4 side effects or "
            "precautions, Q3 treatment during the stay, Q4 treatment after discharge, Q5 return to hospital, Q6 "
            "follow-up.",
        ),
    )


def _claims(evidence: Evidence, caption: str) -> Table:
    cells = [cell for statuses in CELLS.values() for cell in statuses.values()]
    column = "part.wrong_instruction."
    rows = []
    for policy in evidence.policies:
        total = float(np.nansum(evidence.values(policy, f"{column}n")))
        counts = [float(np.nansum(evidence.values(policy, f"{column}{cell}"))) for cell in cells]
        some = int((evidence.values(policy, f"{column}wrong_instruction") > 0).sum())
        shares = (Cell(count / total if total else None, n=int(count)) for count in counts)
        rows.append((Cell(text=policy), Cell(total), *shares, Cell(float(some))))
    return Table(
        "claims",
        "Claim-Level Safety Audit, % of all claims (DischargeBench, table 4)",
        (
            Column("Model"),
            Column("Claims", digits=0),
            *(Column(cell.replace("_", " "), digits=2, percent=True, interval=False) for cell in cells),
            Column("Sessions with one", digits=0),
        ),
        tuple(rows),
        caption,
        (
            "The two harms that an educator makes are wrong instruction (contradicts the plan, harmful) and unsafe "
            "advice (not in the plan, harmful). Sessions with one: those with a wrong instruction, as a rate "
            "hides a single lethal sentence.",
        ),
    )


def _by_chapter(evidence: Evidence, chapters: Sequence[str], caption: str) -> Table:
    rows = []
    keys = [case.chapter or "" for case in evidence.cases]
    for chapter in chapters:
        mine = np.array([key == chapter for key in keys])[:, np.newaxis]
        where = {policy: np.broadcast_to(mine, (len(keys), evidence.config.runs)) for policy in evidence.policies}
        found = (mean_interval(evidence.pooled(s, where), evidence.config.seed, share=True) for s in _PER_MODEL)
        rows.append((Cell(text=chapter), Cell(float(mine.sum())), *map(figure, found)))
    overall = (
        mean_interval(evidence.pooled(score), evidence.config.seed, strata=keys, share=True) for score in _PER_MODEL
    )
    return Table(
        "chapters",
        "TCS and SCS by ICD chapter, pooled over models (DischargeBench, figure 6)",
        (Column("Chapter"), Column("Cases", digits=0), Column("TCS", better="↑"), Column("SCS", better="↑")),
        (*rows, (Cell(text="all"), Cell(float(len(keys))), *map(figure, overall))),
        caption,
        (
            "Pooled over all models of this run, the weak ones too. The last row's interval draws cases within their "
            "chapters. Chapters are compared by eye only: with 16 of them some intervals fall apart by chance.",
            " ".join(f"{chapter}: {CHAPTERS[chapter].lower()}." for chapter in chapters),
        ),
    )


def _by_group(
    evidence: Evidence,
    score: str,
    column: str,
    groups: Sequence[str],
    number: str,
    caption: str,
    against: str = "",
) -> Table:
    """Lay out a score by policy and group; stars mark groups that differ from the group ``against``."""
    rows = []
    for policy in evidence.policies:
        label = evidence.labels(policy, column)
        intervals = [evidence.mean(policy, score, label == group) for group in groups]
        marks = _marks(evidence, policy, score, label, groups, against) if against else [""] * len(groups)
        rows.append((Cell(text=policy), *map(figure, intervals, marks)))
    name = score.removeprefix("score.").removeprefix("part.").replace(".", "-")
    title = measure_of(name).title
    notes = (
        f"Stars: differs from {against} in the same case, sign-flip test over the cases that met both; *** p < 0.001, "
        "** p < 0.01, * p < 0.05 after Benjamini and Hochberg's correction over this table's row.",
    )
    return Table(
        f"{name.replace('_', '-')}-by-{column}",
        f"{title} by {column} (DischargeBench, figure{number})",
        (Column("Model"), *(Column(group, measure_of(name).digits, interval=bool(against)) for group in groups)),
        tuple(rows),
        caption,
        notes if against and evidence.config.runs > 1 else (),
    )


def _marks(
    evidence: Evidence, policy: str, score: str, label: np.ndarray, groups: Sequence[str], against: str
) -> list[str]:
    """Compare groups within the cases that met both: personas change from run to run, cases do not."""
    values = evidence.values(policy, score)

    def of(group: str) -> np.ndarray:
        return case_means(np.where(label == group, values, np.nan))

    ps = [None if group == against else paired_test(of(group), of(against), evidence.config.seed).p for group in groups]
    return [stars(p) for p in benjamini_hochberg(ps)]


def _variance(evidence: Evidence, caption: str) -> Table:
    rows = []
    for policy in evidence.policies:
        cells = [Cell(text=policy)]
        for score in ("tcs", "scs", "exam"):
            found = variance_components(evidence.values(policy, f"score.{score}"))
            cells += (
                [Cell()] * 3 if found is None else [Cell(found.between), Cell(found.within), Cell(found.intraclass)]
            )
        rows.append(tuple(cells))
    parts = ("between cases", "between runs", "ICC")
    return Table(
        "runs",
        "What varies: standard deviation between cases and between runs of a case",
        (
            Column("Model"),
            *(
                Column(f"{measure_of(s).title} {part}", interval=False)
                for s in ("tcs", "scs", "exam")
                for part in parts
            ),
        ),
        tuple(rows),
        caption,
        (
            f"{evidence.config.runs} runs of each case; each draws its own persona, which is part of what varies "
            "between runs. ICC: share of the variance that cases account for.",
        ),
    )
