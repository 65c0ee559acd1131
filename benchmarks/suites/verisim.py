"""The tables of VeriSim, made from runs of the same interviews with clean and with noisy patients."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from bedside.benchmarks.stats.comparison import holm, paired_test, stars
from bedside.benchmarks.stats.intervals import Interval, difference_interval, mean_interval, relative_interval
from bedside.benchmarks.stats.resampling import Floats
from bedside.benchmarks.suites.audit import outcome_table
from bedside.benchmarks.suites.conversations import Conversation, Key, read_conversations
from bedside.benchmarks.suites.dischargesim import size_of
from bedside.benchmarks.suites.evidence import NEEDS_JUDGE, NOT_COMPARABLE, Evidence
from bedside.benchmarks.suites.failure_modes import ENOUGH, MODES, failure_mode
from bedside.benchmarks.suites.printed import FAILURES, MATCHING, NOISE, PILLARS
from bedside.benchmarks.suites.simulated_patient import refinement_table, severity_table, verifier_table
from bedside.benchmarks.tables.table import Cell, Column, Table, figure, text
from bedside.chat.providers import names_model
from bedside.rewards.diagnosis import Rule, match_diagnosis

__all__ = ["failure_table", "noise_table", "verisim_tables"]

_ACCURACY, _TURNS = "score.accuracy", "score.turns"


def verisim_tables(found: Mapping[str, Evidence], caption: str) -> list[Table]:
    """Return all tables that the conditions at hand allow."""
    clean, noisy = found["clean"], found["noisy"]
    pair = (clean, noisy)
    return [
        noise_table(*pair, caption),
        verifier_table(found, caption),
        severity_table([found["clean"], *(found[f"level-{level}"] for level in (1, 2, 3))], caption),
        refinement_table(noisy, caption),
        _pillars(clean, [found["one-pillar"], noisy, found["three-pillars"]], caption),
        _matching(*pair, caption),
        failure_table(*pair, caption),
        outcome_table(noisy, caption),
    ]


def noise_table(clean: Evidence, noisy: Evidence, caption: str) -> Table:
    """Lay out what noise costs each doctor (table 2)."""
    policies = clean.policies
    ps = holm([_test(clean, noisy, policy) for policy in policies])
    rows = [
        (
            *text(policy, _size(policy), "Model" if names_model(policy) or "/" in policy else "Scripted"),
            *(evidence.cell(policy, _ACCURACY) for evidence in (clean, noisy)),
            figure(_lost(clean, noisy, policy), stars(p)),
            figure(_longer(clean, noisy, policy)),
            Cell(p, text="<0.0001" if p is not None and p < 0.0001 else None),
        )
        for policy, p in zip(policies, ps, strict=True)
    ]
    printed = [
        (*text(f"{name} (printed)", size, kind), *(Cell(value / 100) for value in values), Cell())
        for name, size, kind, *values in NOISE
    ]
    return Table(
        "noise",
        "Diagnosis with clean and with noisy patients (VeriSim, table 2)",
        (
            Column("Model"),
            Column("Size"),
            Column("Type"),
            Column("Clean", digits=1, percent=True, better="↑"),
            Column("Noisy", digits=1, percent=True, better="↑"),
            Column("ΔAcc", digits=1, percent=True, signed=True),
            Column("ΔTurns %", digits=1, percent=True, signed=True),
            Column("p", digits=4),
        ),
        (*rows, *printed),
        caption,
        (
            "Top-1 accuracy in %. Clean: level 0; noisy: two pillars at levels 1 to 3; the same cases and seeds, so "
            "the difference is paired and has an interval of its own. Turns: relative increase of the mean. p: "
            "McNemar's exact test, or sign flips over cases with several runs, after Holm's correction over the "
            "models; *** p < 0.001, ** p < 0.01, * p < 0.05. The paper tests by a paired t-test.",
            "question-list asks a fixed list, so that its turns cannot change. On the open cases the scripted "
            "doctors know the case set: they are upper bounds, not baselines. A small drop of theirs does not show "
            "that the noise is mild.",
            NOT_COMPARABLE,
        ),
    )


def _test(clean: Evidence, noisy: Evidence, policy: str) -> float | None:
    return paired_test(noisy.values(policy, _ACCURACY), clean.values(policy, _ACCURACY), clean.config.seed).p


def _lost(clean: Evidence, noisy: Evidence, policy: str) -> Interval:
    pair = (noisy.values(policy, _ACCURACY), clean.values(policy, _ACCURACY))
    return difference_interval(*pair, clean.config.seed, share=True)


def _longer(clean: Evidence, noisy: Evidence, policy: str) -> Interval:
    return relative_interval(noisy.values(policy, _TURNS), clean.values(policy, _TURNS), clean.config.seed)


def _size(policy: str) -> str:
    size = size_of(policy)
    return "–" if size is None else f"{size:g}B"


def _pillars(clean: Evidence, noisy: Sequence[Evidence], caption: str) -> Table:
    rows = [
        (
            *text(policy, str(count)),
            evidence.cell(policy, _ACCURACY),
            figure(_lost(clean, evidence, policy), stars(_test(clean, evidence, policy))),
            figure(_longer(clean, evidence, policy)),
            evidence.cell(policy, evidence.first("score.patient_realism")),
        )
        for policy in clean.policies
        for count, evidence in enumerate(noisy, 1)
    ]
    printed = [
        (
            *text("Qwen-2.5-72B (printed)", str(count)),
            *(Cell(value / 100) for value in (accuracy, lost, longer)),
            Cell(realism),
        )
        for count, accuracy, lost, longer, realism in PILLARS
    ]
    return Table(
        "pillars",
        "Number of active noise pillars (VeriSim, table A7)",
        (
            Column("Model"),
            Column("# Pillars"),
            Column("Noisy Acc.", digits=1, percent=True, better="↑"),
            Column("ΔAcc", digits=1, percent=True, signed=True),
            Column("ΔTurns %", digits=1, percent=True, signed=True),
            Column("Realism", digits=2),
        ),
        (*rows, *printed),
        caption,
        (
            "Against the same clean interviews as in table 2. Stars: uncorrected paired tests.",
            *(() if clean.judged else (f"Realism {NEEDS_JUDGE}",)),
            NOT_COMPARABLE,
        ),
    )


_RULES: Mapping[str, Rule] = {"Exact string": "exact", "ICD-10": "icd10", "ICD-10 + UMLS": "cascade"}


def _matching(clean: Evidence, noisy: Evidence, caption: str) -> Table:
    said = [_diagnoses(evidence) for evidence in (clean, noisy)]
    rows = []
    for policy in clean.policies:
        for title, rule in _RULES.items():
            pair = [
                _matched(evidence, policy, given, rule) for evidence, given in zip((clean, noisy), said, strict=True)
            ]
            means = (mean_interval(values, clean.config.seed, share=True) for values in pair)
            lost = difference_interval(pair[1], pair[0], clean.config.seed, share=True)
            rows.append((*text(policy, title), *map(figure, means), figure(lost)))
        rows.append((*text(policy, "LLM judge"), *_judged_cells(clean, noisy, policy)))
    printed = [
        (*text(f"{model} (printed)", rule), *(Cell(value / 100) for value in values))
        for number, model in enumerate(("Qwen-2.5-72B", "Mistral-7B"))
        for rule, values in ((rule, both[number]) for rule, both in MATCHING.items())
    ]
    return Table(
        "matching",
        "Accuracy under rules of matching (VeriSim, table A8)",
        (
            Column("Model"),
            Column("Matching rule"),
            Column("Clean", digits=1, percent=True),
            Column("Noisy", digits=1, percent=True),
            Column("Δ", digits=1, percent=True, signed=True),
        ),
        (*rows, *printed),
        caption,
        (
            "ICD-10: the three-character category alone. ICD-10 + UMLS: the cascade used everywhere else, with the "
            "concepts and synonyms of our own knowledge for UMLS. LLM judge: the cascade, and a judge where it does "
            "not tell. Scripted doctors answer in the case set's own wording, so that rules hardly differ for them.",
            *(() if clean.judged else ("–: needs --judge PROVIDER/MODEL.",)),
            NOT_COMPARABLE,
        ),
    )


def _diagnoses(evidence: Evidence) -> dict[Key, str]:
    return {c.key: c.diagnosis or "" for c in read_conversations(evidence.run)}


def _matched(evidence: Evidence, policy: str, said: Mapping[Key, str], rule: Rule) -> Floats:
    scored = ~np.isnan(evidence.values(policy, _ACCURACY))
    matched = [
        [
            float(match_diagnosis(said[policy, case.id, run], case.diagnosis, rule).matched)
            for run in range(evidence.config.runs)
        ]
        for case in evidence.cases
    ]
    return np.where(scored, matched, np.nan)


def _judged_cells(clean: Evidence, noisy: Evidence, policy: str) -> tuple[Cell, ...]:
    if not clean.judged:
        return (Cell(), Cell(), Cell())
    means = (evidence.cell(policy, _ACCURACY) for evidence in (clean, noisy))
    return (*means, figure(_lost(clean, noisy, policy)))


def failure_table(clean: Evidence, noisy: Evidence, caption: str) -> Table:
    """Lay out why doctors were wrong with noisy patients (limitations)."""
    first, second = ({c.key: c for c in read_conversations(evidence.run)} for evidence in (clean, noisy))
    rows = [_failures(clean, noisy, policy, first, second) for policy in clean.policies]
    return Table(
        "failures",
        "Why diagnoses were wrong under noise, % of those that clean patients would have prevented (VeriSim, "
        "limitations)",
        (
            Column("Model"),
            Column("Wrong", digits=0),
            Column("Wrong when clean too", digits=0),
            Column("No answer", digits=0),
            *(Column(title, digits=1, percent=True) for title in MODES.values()),
        ),
        (*rows, (*text("(printed)"), Cell(), Cell(), Cell(), *(Cell(FAILURES[mode] / 100) for mode in MODES))),
        caption,
        (
            f"By rules on the transcripts. Semantic ambiguity: the noisy patient told at least {ENOUGH:.0%} of the "
            "facts that the clean one told, so that what was needed was said. Premature commitment: less was told, "
            "and the doctor asked no longer than the clean patient. Misdirection: less was told although the doctor "
            "asked longer. A doctor with a fixed list cannot ask longer, so that less told is always premature. "
            "Printed: people who read the dialogues of seven language models, all errors.",
        ),
    )


def _failures(
    clean: Evidence,
    noisy: Evidence,
    policy: str,
    first: Mapping[Key, Conversation],
    second: Mapping[Key, Conversation],
) -> tuple[Cell, ...]:
    wrong = noisy.values(policy, _ACCURACY) == 0
    before = clean.values(policy, _ACCURACY) == 0
    keys: list[Key] = [
        (policy, clean.cases[case].id, int(run)) for case, run in zip(*np.nonzero(wrong & ~before), strict=True)
    ]
    answered = [key for key in keys if second[key].diagnosis]
    counts = Counter(failure_mode(second[key], first[key]) for key in answered)
    shares = (Cell(counts[mode] / len(answered) if answered else None, n=counts[mode]) for mode in MODES)
    return (
        Cell(text=policy),
        *(Cell(float(count)) for count in (wrong.sum(), (wrong & before).sum(), len(keys) - len(answered))),
        *shares,
    )
