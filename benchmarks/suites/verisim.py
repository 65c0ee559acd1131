"""The tables of VeriSim, made from runs of the same interviews with clean and with noisy patients."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from bedside.benchmarks.ablation import Arm, audit
from bedside.benchmarks.effects import surface_rows
from bedside.benchmarks.stats.comparison import holm, paired_test, stars
from bedside.benchmarks.stats.intervals import Interval, difference_interval, mean_interval, relative_interval
from bedside.benchmarks.stats.resampling import Floats
from bedside.benchmarks.suites.audit import outcome_table
from bedside.benchmarks.suites.conversations import Conversation, Key, read_conversations
from bedside.benchmarks.suites.dischargesim import size_of
from bedside.benchmarks.suites.evidence import NEEDS_JUDGE, Evidence
from bedside.benchmarks.suites.failure_modes import ENOUGH, MODES, failure_mode
from bedside.benchmarks.suites.printed import ABLATION, FAILURES, MATCHING, NOISE, PILLARS, REFINEMENT, SWEEP
from bedside.benchmarks.tables.table import Cell, Column, Table, figure, text
from bedside.benchmarks.transcript import read_episodes
from bedside.chat.providers import names_model
from bedside.rewards.diagnosis import Rule, match_diagnosis
from bedside.verifier.verifier import RulesVerifier

__all__ = ["noise_table", "verisim_tables"]

_ACCURACY, _TURNS = "score.accuracy", "score.turns"
_SURFACE_CASES = 64
"""Cases of the sweep of wordings: every answer is embedded, and 64 cases tell a mean distance to 0.01."""

_OTHERS = "Printed: other doctors, and a patient that is a language model; not comparable."


def verisim_tables(found: Mapping[str, Evidence], caption: str) -> list[Table]:
    """Return all tables that the conditions at hand allow."""
    clean, noisy = found["clean"], found["noisy"]
    pair = (clean, noisy)
    return [
        noise_table(*pair, caption),
        _ablation(found, caption),
        _sweep([found["clean"], *(found[f"level-{level}"] for level in (1, 2, 3))], caption),
        _refinement(noisy, caption),
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
            Cell(p),
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
            "On the open cases the scripted doctors know the case set: they are upper bounds, not baselines. A small "
            "drop of theirs does not show that the noise is mild.",
            _OTHERS,
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


def _ablation(found: Mapping[str, Evidence], caption: str) -> Table:
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
            _OTHERS,
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


def _sweep(levels: Sequence[Evidence], caption: str) -> Table:
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
                Cell(mean_interval(evidence.pooled(_ACCURACY), evidence.config.seed, share=True).mean),
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


def _refinement(noisy: Evidence, caption: str) -> Table:
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
            _OTHERS,
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
            _OTHERS,
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
            "asked longer. Printed: people who read the dialogues of seven language models, all errors.",
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
