"""What VeriSim's tables tell of the patient: what the verifier withholds, and what is left of the truth under noise."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from bedside.benchmarks.ablation import Arm, audit
from bedside.benchmarks.effect_rows import surface_rows
from bedside.benchmarks.stats.intervals import Interval, mean_interval
from bedside.benchmarks.suites.conversations import read_conversations
from bedside.benchmarks.suites.evidence import NEEDS_JUDGE, NOT_COMPARABLE, Evidence
from bedside.benchmarks.suites.printed import ABLATION, REFINEMENT, SWEEP
from bedside.benchmarks.tables.table import Cell, Column, Table, figure
from bedside.benchmarks.transcript import read_episodes
from bedside.chat.providers import names_model
from bedside.verifier.verifier import RulesVerifier

__all__ = ["refinement_table", "severity_table", "verifier_table"]

_SURFACE_CASES = 64
"""Cases of the sweep of wordings: every answer is embedded, and 64 cases tell a mean distance to 0.01."""


def verifier_table(found: Mapping[str, Evidence], caption: str) -> Table:
    """Lay out what verification does to what reaches the doctor (table 4)."""
    arms = {name: found.get(name) for name in ("unverified", "prompted", "noisy")}
    audited = {name: _audited(evidence) for name, evidence in arms.items() if evidence is not None}
    named = {"Halluc. Rate": "hallucination", "Consist. Rate": "consistency"}
    rows = []
    for title, printed in ABLATION.items():
        share = title in named
        cells = []
        for (name, evidence), value in zip(arms.items(), printed, strict=True):
            told = Cell(value / 100 if share else value)
            if evidence is None:
                ours = Cell()
            elif share:
                ours = Cell(audited[name].figures()[named[title]], n=audited[name].turns)
            else:
                ours = figure(_realism(evidence))
            cells += [ours, told]
        rows.append((Cell(text=title), *(_scaled(cell, percent=share) for cell in cells)))
    headings = [f"{arm}{kind}" for arm in ("No Ctrl", "Prompt", "Ours") for kind in ("", " (printed)")]
    modelled = names_model(found["noisy"].config.patient)
    return Table(
        "verifier",
        "What the verifier does (VeriSim, table 4)",
        (Column("Metric"), *map(Column, headings)),
        tuple(rows),
        caption,
        (
            "Rates are shares of the patient's answers that reached the doctor, in %, as the rules verifier audits "
            "them. Ours is verified by the same rules, so that its rate is 0 by construction; `python "
            "benchmarks/ablation.py` writes the turns out for people or another engine to judge.",
            "No Ctrl: the same patient, with nothing checked."
            + (
                ""
                if modelled
                else " Prompt: the embedded patient has none to add rules to; add --patient PROVIDER/MODEL."
            ),
            *(() if found["noisy"].judged else (f"Realism {NEEDS_JUDGE}",)),
            NOT_COMPARABLE,
        ),
    )


def _scaled(cell: Cell, *, percent: bool) -> Cell:
    """Write a figure out: the rows of this table have different units."""
    if cell.value is None:
        return cell
    return Cell(cell.value, n=cell.n, text=f"{100 * cell.value:.1f}" if percent else f"{cell.value:.2f}")


def _audited(evidence: Evidence) -> Arm:
    arm, cases, auditor = Arm(evidence.config.verifier), {case.id: case for case in evidence.cases}, RulesVerifier()
    for episode in read_episodes(evidence.run):
        audit(arm, episode, cases[episode.case], auditor)
    return arm


def _realism(evidence: Evidence) -> Interval:
    return mean_interval(evidence.pooled("score.patient_realism"), evidence.config.seed)


def severity_table(levels: Sequence[Evidence], caption: str) -> Table:
    """Lay out wording and truth as both pillars are raised (table A2)."""
    embedded = levels[0].config.patient == "embedded"
    cases = levels[0].cases
    step = max(1, len(cases) // _SURFACE_CASES)
    measured = [row.ours for row in surface_rows(cases[::step])] if embedded else [None] * (2 * len(SWEEP))
    rows = []
    for level, (evidence, printed) in enumerate(zip(levels, SWEEP, strict=True)):
        variation = measured[2 * level]
        passed = _first_drafts_passed(evidence)
        rows.append(
            (
                Cell(text=f"L{level}{' (clean)' if not level else ''}"),
                Cell() if variation is None else figure(variation),
                Cell(printed[0]),
                figure(passed),
                Cell(printed[1] / 100),
                Cell(mean_interval(evidence.pooled("score.accuracy"), evidence.config.seed, share=True).mean),
            )
        )
    return Table(
        "severity",
        "Surface variation and preservation as both pillars are raised (VeriSim, table A2)",
        (
            Column("Severity"),
            Column("Surface var.", digits=2),
            Column("Surface var. (printed)", digits=2),
            Column("Preservation", digits=1, percent=True),
            Column("Preservation (printed)", digits=1, percent=True),
            Column("Accuracy", digits=1, percent=True, interval=False),
        ),
        tuple(rows),
        caption,
        (
            "Preservation: % of answers whose first draft the verifier passed; what then reached the doctor is true "
            "by construction. Surface variation: distance (MiniLM) from the ideal patient's words for the same fact, "
            f"as a share of the distance between different answers, over {len(cases[::step])} of the cases; the "
            "paper's is BioLORD's, so that levels compare and figures do not. Accuracy: pooled over the doctors.",
            *(() if embedded else ("–: wordings are compared for the embedded patient only.",)),
        ),
    )


def _first_drafts_passed(evidence: Evidence) -> Interval:
    shares = {
        c.key: 1 - (sum(c.corrected) + c.fallbacks) / c.turns for c in read_conversations(evidence.run) if c.turns
    }
    values = [
        [
            shares.get((policy, case.id, run), np.nan)
            for policy in evidence.policies
            for run in range(evidence.config.runs)
        ]
        for case in evidence.cases
    ]
    return mean_interval(values, evidence.config.seed, share=True)


def refinement_table(noisy: Evidence, caption: str) -> Table:
    """Lay out what became of rejected answers (table A4)."""
    corrected: Counter[int] = Counter()
    fallbacks = 0
    for conversation in read_conversations(noisy.run):
        fallbacks += conversation.fallbacks
        for attempt, count in enumerate(conversation.corrected, 1):
            corrected[attempt] += count
    counts = (corrected[1], corrected[2], fallbacks, 0)
    flagged = sum(counts)
    rows = [
        (
            Cell(text=outcome),
            Cell(count / flagged if flagged else None, n=count),
            Cell(float(count)),
            Cell(printed / 100),
        )
        for (outcome, printed), count in zip(REFINEMENT.items(), counts, strict=True)
    ]
    return Table(
        "refinement",
        "What became of rejected answers (VeriSim, table A4)",
        (
            Column("Outcome"),
            Column("% of flagged", digits=1, percent=True),
            Column("Answers", digits=0),
            Column("% of flagged (printed)", digits=0, percent=True),
        ),
        tuple(rows),
        caption,
        (
            f"{flagged} answers were flagged. Counted are answers, where the paper counts claims. Reached the Doctor "
            "LLM is 0 by construction: after two failed attempts words without content stand in. The embedded "
            "patient corrects itself at the first attempt by design; a language model does not.",
        ),
    )
