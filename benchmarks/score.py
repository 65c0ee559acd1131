"""``bedside score`` and ``bedside match``: scores of transcripts and diagnoses that came from elsewhere."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import orjson
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bedside.benchmarks.command import AllowRemote, complain, console_width
from bedside.cases.jsonl import CaseError
from bedside.cases.sources import load_cases
from bedside.chat.providers import ChatSettings, configure
from bedside.rewards.foreign import Matched, Scored, match_pair, read_pairs, read_transcripts, score_transcript
from bedside.rewards.judges import make_judge

__all__ = ["match", "score"]

Out = Annotated[Path | None, typer.Option(help="Write JSONL here instead of printing a table.")]
_WRONG = ("wrong_instruction", "unsafe_advice")


def score(
    source: Annotated[Path, typer.Argument(metavar="TRANSCRIPTS.jsonl", help="Dialogues, one JSON object a line.")],
    cases: Annotated[str, typer.Option(help="Their cases: open, FILE.jsonl, dischargesim:FILE, …")],
    judge: Annotated[
        str, typer.Option(metavar="ENGINE", help="Who judges: embedded, or a language model as provider/model.")
    ] = "embedded",
    votes: Annotated[int, typer.Option(help="How often a language model is asked for each judgment; odd.")] = 1,
    allow_remote_credentialed: AllowRemote = False,
    out: Out = None,
) -> None:
    """Score dialogues that came from anywhere, with the sentence that earned or lost each credit.

    A line is {"id", "case_id", "turns": [{"role": "educator|doctor|patient", "text"}], "summary"?, "diagnosis"?}. Exam
    and recall are those of the embedded patient, who reads the educator's turns.
    """
    configure(ChatSettings(allow_remote_credentialed=allow_remote_credentialed))
    try:
        by_id = {case.id: case for case in load_cases(cases)}
        lines = list(read_transcripts(source, by_id))
        engine = make_judge(judge, votes=votes, cases=[by_id[line.case_id] for line in lines])
    except (CaseError, ValueError) as error:
        raise typer.Exit(complain(str(error), 2)) from error
    results = [score_transcript(line, by_id[line.case_id], engine) for line in lines]
    if out is not None:
        _write(out, (result.row() for result in results))
        return
    console = Console(width=console_width())
    for result in results:
        _print_scored(result, console)


def match(
    source: Annotated[Path, typer.Argument(metavar="PAIRS.jsonl", help="Diagnoses, one JSON object a line.")],
    out: Out = None,
) -> None:
    """Say which diagnoses are the right ones, which stage decided, and why.

    A line is {"prediction", "reference", "icd10"?, "synonyms"?}.
    """
    try:
        results = [match_pair(pair) for pair in read_pairs(source)]
    except CaseError as error:
        raise typer.Exit(complain(str(error), 2)) from error
    if out is not None:
        _write(out, (result.row() for result in results))
        return
    Console(width=console_width()).print(_match_table(results))


def _write(out: Path, rows: Iterable[dict[str, object]]) -> None:
    part = out.with_name(out.name + ".part")
    count = 0
    try:
        with part.open("wb") as file:
            for row in rows:
                file.write(orjson.dumps(row) + b"\n")
                count += 1
        part.replace(out)
    except OSError as error:
        raise typer.Exit(complain(f"{out}: {error.strerror or error}", 2)) from error
    sys.stderr.write(f"{count} lines in {out}\n")


def _print_scored(result: Scored, console: Console) -> None:
    table = Table(title=Text(f"{result.transcript.id}  {result.transcript.case_id}"), title_justify="left")
    for column in ("score", "value", "by", "why"):
        table.add_column(column)
    for name, score in result.scores.items():
        value = "–" if score.value is None else f"{score.value:.3f}"
        table.add_row(name, value, score.engine, Text(score.reason))
        if name in ("tcs", "accuracy", *_WRONG):
            for part, sentence in score.evidence.items():
                earned = score.parts.get(part)
                mark = "" if earned is None else f"{earned:g}"
                table.add_row(f"  {part}", mark, "", Text(sentence, style="dim"))
        if name == "tcs":
            lost = [part for part, value in score.parts.items() if value == 0 and part not in score.evidence]
            if lost:
                table.add_row("  not stated", "0", "", ", ".join(lost))
    console.print(table)


def _match_table(results: list[Matched]) -> Table:
    right = sum(result.match.matched for result in results)
    table = Table(title=f"{right} of {len(results)} match", title_justify="left")
    for column in ("prediction", "reference", "match", "stage", "why"):
        table.add_column(column)
    for pair, found in results:
        style = "green" if found.matched else "red"
        verdict = Text("yes" if found.matched else "no", style=style)
        table.add_row(Text(pair.prediction), Text(pair.reference), verdict, found.stage, Text(found.why))
    return table
