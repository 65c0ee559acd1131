"""How good the verifier is: precision, recall, F1 and kappa for fabrication, refinement outcomes, latency.

Fabrication is the positive class, as in VeriSim's appendix E.8. Claims are given and judged; utterances are decomposed
by the verifier itself. The refinement figures follow table A4: what becomes of utterances that were rejected, with a
patient that invents something in every third turn.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import orjson
import typer
from rich import box
from rich.console import Console, Group
from rich.table import Table

from bedside.benchmarks.ablation import ablate, ablation_table
from bedside.benchmarks.command import complain, console_width, invoke
from bedside.benchmarks.saboteur import Outcomes, refine
from bedside.cases.case import Case
from bedside.cases.jsonl import CaseError
from bedside.cases.noise import NoiseProfile
from bedside.cases.sources import load_cases
from bedside.cases.verisim import noise_profiles
from bedside.chat.model import ChatError
from bedside.collector import settle_collector
from bedside.envs.llm.patient import SAMPLING
from bedside.verifier.grounding import ground
from bedside.verifier.language.lexicon import core
from bedside.verifier.statements import judge_claims
from bedside.verifier.verifier import RulesVerifier

__all__ = ["Confusion", "Labelled", "Latency", "app", "read_labelled", "read_release", "score"]

DATA = Path(__file__).resolve().parent.parent / "tests" / "data"
CLAIMS, CASES = DATA / "patient_claims.jsonl", DATA / "patient_claims_cases.jsonl"
TURNS, ABLATION_TURNS = 10_000, 100


@dataclass(frozen=True)
class Labelled:
    """One utterance with what it holds by hand: ``claims`` are text, gold label and phenomenon."""

    id: str
    split: str
    case: Case
    doctor: str
    utterance: str
    noise: NoiseProfile
    history: tuple[str, ...]
    rejected: bool
    claims: tuple[tuple[str, str, str], ...]


@dataclass
class Confusion:
    """Counts of a yes-or-no judgment; fabricated is yes."""

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0

    def add(self, *, gold: bool, said: bool) -> None:
        """Count one."""
        name = ("tp" if said else "fn") if gold else ("fp" if said else "tn")
        setattr(self, name, getattr(self, name) + 1)

    @property
    def count(self) -> int:
        """How many were counted."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def precision(self) -> float | None:
        """Of what was called fabricated, the share that is; None if nothing was."""
        return self.tp / (self.tp + self.fp) if self.tp + self.fp else None

    @property
    def recall(self) -> float | None:
        """Of what is fabricated, the share that was found; None if nothing is."""
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else None

    @property
    def f1(self) -> float | None:
        """Harmonic mean of the two."""
        return 2 * self.tp / (2 * self.tp + self.fp + self.fn) if self.tp + self.fp + self.fn else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None where chance alone agrees always."""
        n = self.count
        if not n:
            return None
        chance = ((self.tp + self.fp) * (self.tp + self.fn) + (self.tn + self.fn) * (self.tn + self.fp)) / n**2
        return ((self.tp + self.tn) / n - chance) / (1 - chance) if chance < 1 else None

    def figures(self) -> dict[str, float | int | None]:
        """Return everything by name."""
        return asdict(self) | {name: getattr(self, name) for name in ("precision", "recall", "f1", "kappa")}


@dataclass(frozen=True)
class Latency:
    """Milliseconds of processor time a call of the verifier."""

    median: float
    p99: float


@dataclass(frozen=True)
class Scores:
    """What one set of labelled utterances comes to."""

    claims: Confusion
    utterances: Confusion
    phenomena: dict[str, Confusion]
    labels: Counter[tuple[str, str]]
    latency: Latency


def read_labelled(path: Path, cases: Iterable[Case]) -> list[Labelled]:
    """Read a file of labelled utterances.

    Raises:
        CaseError: A line is no JSON, lacks a field or names an unknown case.
    """
    by_id = {case.id: case for case in cases}
    found = []
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise CaseError(error.strerror or str(error), path=path) from error
    for number, raw in enumerate(lines, 1):
        try:
            row = orjson.loads(raw)
            found.append(_labelled(row, by_id[row["case_id"]]))
        except orjson.JSONDecodeError as error:
            raise CaseError(f"not JSON ({error})", path=path, line=number) from error
        except KeyError as error:
            raise CaseError(f"no {error.args[0]!r}", path=path, line=number) from error
    return found


def _labelled(row: dict[str, Any], case: Case) -> Labelled:
    return Labelled(
        id=row["id"],
        split=row.get("split", "all"),
        case=case,
        doctor=row["doctor"],
        utterance=row["utterance"],
        noise=NoiseProfile(**row.get("noise", {})),
        history=tuple(turn["text"] for turn in row.get("history", ()) if turn["role"] == "patient"),
        rejected=row["has_fabrication"] or bool(row.get("violation")),
        claims=tuple((c["text"], c["gold"], c.get("phenomenon", "")) for c in row["claims"]),
    )


def read_release(folder: Path) -> list[Labelled]:
    """Read the released VeriSim conversations with their labels.

    Raises:
        CaseError: A file is missing or damaged.
    """
    patients = folder / "patients.json"
    cases = {case.id: case for case in load_cases(f"verisim:{patients}")}
    noise = noise_profiles(patients)
    claims: dict[tuple[str, int], list[dict[str, str]]] = {}
    try:
        for line in (folder / "claims.jsonl").read_bytes().splitlines():
            row = orjson.loads(line)
            claim = {"text": row["claim"], "gold": row["gold"], "phenomenon": "released"}
            claims.setdefault((row["patient_id"], row["turn"]), []).append(claim)
        rows = [orjson.loads(line) for line in (folder / "utterances.jsonl").read_bytes().splitlines()]
    except OSError as error:
        raise CaseError(error.strerror or str(error), path=error.filename or folder) from error
    return [
        _labelled(
            row
            | {
                "id": f"{row['patient_id']}-t{row['turn']}",
                "split": "verisim",
                "noise": noise[f"verisim-{row['patient_id']}"],
                "has_fabrication": row["gold_has_fabrication"],
                "claims": claims.get((row["patient_id"], row["turn"]), []),
            },
            cases[f"verisim-{row['patient_id']}"],
        )
        for row in rows
    ]


def score(labelled: Sequence[Labelled]) -> Scores:
    """Judge everything and compare."""
    verifier = RulesVerifier()
    claims, utterances = Confusion(), Confusion()
    phenomena: dict[str, Confusion] = {}
    labels: Counter[tuple[str, str]] = Counter()
    took = []
    for row in labelled:
        grounded = ground(row.case, "interview")
        texts = [text for text, _, _ in row.claims]
        opinions = judge_claims(texts, grounded, row.noise, row.utterance, row.doctor)
        for (_, gold, phenomenon), opinion in zip(row.claims, opinions, strict=True):
            for confusion in (claims, phenomena.setdefault(phenomenon, Confusion())):
                confusion.add(gold=gold == "fabricated", said=opinion.label == "fabricated")
            labels[gold, opinion.label] += 1
        begin = time.thread_time()
        verdict = verifier.verify(row.utterance, grounded, row.noise, row.history, row.doctor)
        took.append(1000 * (time.thread_time() - begin))
        utterances.add(gold=row.rejected, said=verdict.overall == "regenerate")
    latency = Latency(float(np.median(took)), float(np.quantile(took, 0.99))) if took else Latency(0.0, 0.0)
    return Scores(claims, utterances, dict(sorted(phenomena.items())), labels, latency)


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _row(name: str, confusion: Confusion) -> tuple[str, ...]:
    figures = (confusion.precision, confusion.recall, confusion.f1, confusion.kappa)
    counts = (confusion.tp, confusion.fp, confusion.fn, confusion.tn)
    return name, *map(_percent, figures), *map(str, counts)


def _table(title: str, rows: Iterable[tuple[str, ...]], columns: Sequence[str]) -> Table:
    table = Table(*columns, title=title, box=box.SIMPLE, title_justify="left")
    for column in table.columns[1:]:
        column.justify = "right"
    for row in rows:
        table.add_row(*row)
    return table


_COLUMNS = ("", "precision", "recall", "F1", "kappa", "tp", "fp", "fn", "tn")


def _report(scores: dict[str, Scores], outcomes: Outcomes) -> Group:
    rows = [
        _row(f"{split}, {level}", getattr(s, level))
        for split, s in scores.items()
        for level in ("claims", "utterances")
    ]
    parts: list[Table] = [_table("Fabrication", rows, _COLUMNS)]
    for split, found in scores.items():
        phenomena = [_row(name, confusion) for name, confusion in found.phenomena.items()]
        parts.append(_table(f"Claims by phenomenon, {split}", phenomena, _COLUMNS))
        kinds = ("supported", "fabricated", "unverifiable")
        confusion = [(gold, *(str(found.labels[gold, said]) for said in kinds)) for gold in kinds]
        parts.append(_table(f"Gold (rows) against verdict, {split}", confusion, ("", *kinds)))
    refinement = [
        (name.replace("_", " "), str(count), f"{outcomes.share(name):.1%}") for name, count in outcomes.counts().items()
    ]
    parts.append(
        _table(
            f"Refinement of {outcomes.flagged} flagged of {outcomes.turns} turns",
            refinement,
            ("outcome", "turns", "of flagged"),
        )
    )
    latency = [(split, f"{s.latency.median:.2f}", f"{s.latency.p99:.2f}") for split, s in scores.items()]
    parts.append(_table("Milliseconds a call", latency, ("", "median", "p99")))
    return Group(*parts)


def _as_json(scores: dict[str, Scores], outcomes: Outcomes) -> dict[str, Any]:
    return {
        "splits": {
            split: {
                "claims": s.claims.figures(),
                "utterances": s.utterances.figures(),
                "phenomena": {name: confusion.figures() for name, confusion in s.phenomena.items()},
                "labels": {f"{gold} as {said}": n for (gold, said), n in sorted(s.labels.items())},
                "latency_ms": asdict(s.latency),
            }
            for split, s in scores.items()
        },
        "refinement": outcomes.counts() | {"flagged": outcomes.flagged, "turns": outcomes.turns},
    }


def verifier(
    claims: Annotated[Path, typer.Option(help="Labelled utterances.")] = CLAIMS,
    cases: Annotated[Path, typer.Option(help="Cases of theirs that are not among the open ones.")] = CASES,
    verisim: Annotated[
        Path | None, typer.Option(help="Folder of the labelled VeriSim release, to be scored too.")
    ] = None,
    turns: Annotated[
        int | None,
        typer.Option(
            help="Turns to play: with a patient that fabricates on purpose (10000); in each arm of an ablation (100).",
            min=0,
        ),
    ] = None,
    ablation: Annotated[
        bool, typer.Option("--ablation", help="Instead: play --patient with several verifiers, and audit what it says.")
    ] = False,
    patient: Annotated[str, typer.Option(help="Ablation: who plays, as PROVIDER/MODEL.", metavar="SPEC")] = "embedded",
    arms: Annotated[
        str,
        typer.Option(
            help="Ablation: verifiers to compare; ensemble takes the patient's model.", metavar="NAME[,NAME…]"
        ),
    ] = "off,prompt,rules,ensemble",
    auditor: Annotated[
        str, typer.Option(help="Ablation: the verifier that judges all arms.", metavar="NAME")
    ] = "rules",
    max_tokens: Annotated[int, typer.Option(help="Ablation: the most that the patient may write.", min=1)] = 256,
    verifier_tokens: Annotated[
        int | None, typer.Option(help="Ablation: the most that a model may write of the claims of an answer.", min=1)
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Ablation: folder for the episodes.", metavar="DIR")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Measure the rules verifier on labelled claims, and what gets past it when a patient invents on purpose."""
    if ablation:
        limits = (max_tokens, verifier_tokens)
        _compare_arms(patient, arms.split(","), auditor, turns or ABLATION_TURNS, limits, out, as_json=as_json)
        return
    try:
        labelled = read_labelled(claims, [*load_cases("open"), *load_cases(str(cases))])
        labelled += read_release(verisim) if verisim else []
    except (CaseError, ValueError) as error:
        raise typer.Exit(complain(str(error), 2)) from error
    core()
    settle_collector()
    scores = {
        split: score([row for row in labelled if row.split == split])
        for split in dict.fromkeys(r.split for r in labelled)
    }
    outcomes = refine(TURNS if turns is None else turns)
    if as_json:
        sys.stdout.write(orjson.dumps(_as_json(scores, outcomes), option=orjson.OPT_INDENT_2).decode() + "\n")
    else:
        Console(width=console_width()).print(_report(scores, outcomes))
    if outcomes.reached:
        raise typer.Exit(1)


def _compare_arms(
    patient: str,
    arms: Sequence[str],
    auditor: str,
    turns: int,
    limits: tuple[int, int | None],
    out: Path | None,
    *,
    as_json: bool,
) -> None:
    max_tokens, verifier_tokens = limits
    try:
        found = ablate(
            load_cases("open"),
            patient=patient,
            verifiers=[f"ensemble:{patient}" if arm.strip() == "ensemble" else arm.strip() for arm in arms],
            turns=turns,
            auditor=auditor,
            sampling=SAMPLING.model_copy(update={"max_tokens": max_tokens}),
            verifier_tokens=verifier_tokens,
            out=out,
            progress=lambda arm, done: typer.echo(f"{arm}: {done} of {turns} turns", err=True),
        )
    except (ValueError, ChatError) as error:
        raise typer.Exit(complain(str(error), 2)) from error
    if as_json:
        rows = {arm.verifier: arm.figures() | arm.usage.model_dump() | {"turns": arm.turns} for arm in found}
        sys.stdout.write(orjson.dumps(rows, option=orjson.OPT_INDENT_2).decode() + "\n")
    else:
        Console(width=console_width()).print(
            f"patient: {patient}, audited by: {auditor}", ablation_table(found), sep="\n"
        )


app = typer.Typer(add_completion=False)
app.command()(verifier)

if __name__ == "__main__":
    sys.exit(invoke(app, sys.argv[1:], "verifier.py"))
