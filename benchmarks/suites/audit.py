"""How sessions ended and whether both stayed in their roles (DischargeBench, table 9 and figures 23 and 24)."""

from collections.abc import Sequence

import numpy as np

from bedside.benchmarks.stats.intervals import mean_interval
from bedside.benchmarks.stats.resampling import Floats
from bedside.benchmarks.suites.conversations import Conversation, Key, read_conversations
from bedside.benchmarks.suites.evidence import Evidence
from bedside.benchmarks.suites.printed import AUDIT
from bedside.benchmarks.tables.table import Cell, Column, Table, figure, text
from bedside.envs.episode import StopReason

__all__ = ["LOW_TCS", "SHORT", "audit_table", "incomplete_table", "outcome_table"]

SHORT = 15
"""Most turns of a complete session that counts as short (table 9)."""

LOW_TCS = 0.5
"""A short session below this Topic Checklist Score taught too little (table 9)."""


def audit_table(evidence: Evidence, caption: str) -> Table:
    """Lay out the audit of complete sessions (table 9), with the clinician's own breaks of character besides."""
    read = {conversation.key: conversation for conversation in read_conversations(evidence.run)}
    rows = [_audited(evidence, policy, read) for policy in evidence.policies]
    printed = [(*text(f"{model} (printed)"), *(Cell(value) for value in counts[:1])) for model, *counts in AUDIT]
    for number, (_, _complete, *counts) in enumerate(AUDIT):
        complete = float(_complete)
        short, broke, low, retained = (Cell(float(count)) for count in counts)
        printed[number] += (_share(short, complete), _share(broke, complete), Cell(), _share(low, complete), retained)
    return Table(
        "audit",
        "Clean-complete case audit (DischargeBench, table 9)",
        (
            Column("Model"),
            Column("Complete", digits=0),
            Column("Short n (%)", digits=0),
            Column("Char-break n (%)", digits=0),
            Column("Educator break n (%)", digits=0),
            Column("Low-TCS short n (%)", digits=0),
            Column("Retained", digits=0),
        ),
        (*rows, *printed),
        caption,
        (
            f"Complete: ended by the orchestrator with every topic spoken of. Short: at most {SHORT} turns, a turn "
            "being what both say once. Char-break: the patient said that it is an AI; educator break: the educator "
            f"did. Low-TCS short: short with a TCS below {LOW_TCS}. Retained: complete without char-breaks and "
            "low-TCS short sessions. Percentages are of complete sessions.",
            "The embedded patient cannot fall out of role, and every patient's words are checked for it before they "
            "are heard: its zero is by construction. Printed: 1,600 sessions with a patient that is a language "
            "model; not comparable.",
        ),
    )


def _audited(evidence: Evidence, policy: str, read: dict[Key, Conversation]) -> tuple[Cell, ...]:
    mine = _grid(evidence, policy, read)
    complete = np.array([[c.stop == StopReason.COMPLETE for c in row] for row in mine])
    short = complete & np.array([[c.turns <= SHORT for c in row] for row in mine])
    broke = complete & np.array([[c.patient_broke for c in row] for row in mine])
    educator = complete & np.array([[c.clinician_broke for c in row] for row in mine])
    low = short & (evidence.values(policy, "score.tcs") < LOW_TCS)
    total = int(complete.sum())
    counts = [Cell(float(mask.sum())) for mask in (short, broke, educator, low)]
    return (
        Cell(text=policy),
        Cell(float(total), n=complete.size),
        *(_share(count, total) for count in counts),
        Cell(float((complete & ~broke & ~low).sum())),
    )


def _share(count: Cell, total: float) -> Cell:
    assert count.value is not None
    return Cell(count.value, mark=f" ({100 * count.value / total:.1f})" if total else "")


def _grid(evidence: Evidence, policy: str, read: dict[Key, Conversation]) -> list[list[Conversation]]:
    return [[read[policy, case.id, run] for run in range(evidence.config.runs)] for case in evidence.cases]


def outcome_table(evidence: Evidence, caption: str) -> Table:
    """Lay out how sessions ended, by policy (DischargeBench, figure 23A)."""
    stops = {policy: evidence.labels(policy, "stop") for policy in evidence.policies}
    found = [stop for stop in StopReason if any((ends == str(stop)).any() for ends in stops.values())]
    rows = [
        (Cell(text=policy), *(_proportion((ends == str(stop)).astype(float), evidence) for stop in found))
        for policy, ends in stops.items()
    ]
    return Table(
        "outcomes",
        "How sessions ended, % (as in DischargeBench, figure 23A)",
        (Column("Model"), *(Column(str(stop).replace("_", " "), digits=1, percent=True) for stop in found)),
        tuple(rows),
        caption,
        ("closed early: the educator took leave with a topic of the plan never spoken of.",)
        if StopReason.CLOSED_EARLY in found
        else (),
    )


def incomplete_table(evidence: Evidence, column: str, groups: Sequence[str], caption: str) -> Table:
    """Lay out the share of sessions that were not complete, by policy and group (figures 23B and 24).

    Args:
        evidence: The run.
        column: What sessions are grouped by: ``personality`` or ``chapter``.
        groups: Its values, in order.
        caption: Of the table.
    """
    rows = []
    for policy in evidence.policies:
        broken_off = (evidence.labels(policy, "stop") != str(StopReason.COMPLETE)).astype(float)
        label = evidence.labels(policy, column)
        cells = (_proportion(np.where(label == group, broken_off, np.nan), evidence) for group in groups)
        rows.append((Cell(text=policy), *cells))
    figure_number = "23B" if column == "personality" else "24"
    return Table(
        f"incomplete-by-{column}",
        f"Sessions that were not complete by {column}, % (DischargeBench, figure {figure_number})",
        (
            Column("Model"),
            *(Column(group, digits=1, percent=True, interval=column == "personality") for group in groups),
        ),
        tuple(rows),
        caption,
    )


def _proportion(values: Floats, evidence: Evidence) -> Cell:
    return figure(mean_interval(values, evidence.config.seed, share=True))
