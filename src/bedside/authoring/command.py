"""``bedside cases``: write, check and import cases."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import orjson
import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, TextColumn, TimeElapsedColumn

from bedside.authoring.balance import ALIKE, balance_findings, balance_table, closest_pairs
from bedside.authoring.finding import Finding
from bedside.authoring.importing import Imported, import_cases
from bedside.authoring.preview import redacted_preview
from bedside.authoring.question_writer import write_questions
from bedside.authoring.rules import check_case
from bedside.authoring.scaffold import BLANK, scaffold
from bedside.cases.case import Case
from bedside.cases.cohort import HOW_TO_PLAY, PROTOCOLS, CohortDraw, Protocol
from bedside.cases.dropped import Remark
from bedside.cases.examination import WRITER, questions_of
from bedside.cases.jsonl import CaseError, read_cases
from bedside.cases.sources import LOADERS, stream_cases
from bedside.chat.model import ChatError, ChatModel
from bedside.chat.privacy import FLAG
from bedside.chat.providers import ChatSettings, chat_model, configure
from bedside.verifier.knowledge.encoder import SentenceEncoder

__all__ = ["cases_app", "check_files"]

CASE_FILES = (".json", ".jsonl")
PREVIEWED = 3
"""How many cases a masked preview shows."""


def cases_app() -> typer.Typer:
    """Put the commands about cases together."""
    app = typer.Typer(no_args_is_help=True, help="Write, check and import cases.")
    app.command("new")(new)
    app.command("check")(check)
    app.command("import")(import_)
    return app


def new(
    file: Annotated[Path, typer.Argument(metavar="FILE.json", help="Where to write it; must not exist.")],
) -> None:
    """Write a case to fill in, with one fact of every kind and a hint in every field.

    Any source reads it, as FILE.json; check it with: bedside cases check FILE.json
    """
    if file.suffix != ".json":
        raise _refusal(f"{file}: a case to fill in is laid out for people; name it with .json")
    case = scaffold("".join(c if c.isalnum() or c in "._-" else "-" for c in file.stem).strip("._-") or "case")
    try:
        with file.open("xb") as out:
            out.write(orjson.dumps(case, option=orjson.OPT_INDENT_2) + b"\n")
    except FileExistsError as error:
        raise _refusal(f"{file}: exists already; choose another name") from error
    except OSError as error:
        raise _refusal(f"{file}: {error.strerror or error}") from error
    typer.echo(f"{file}: replace everything that says {BLANK}, then: bedside cases check {file}")


def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Case files, .jsonl or .json.")],
    cautions: Annotated[
        bool, typer.Option("--cautions", help="Also print what may be right and a clinician should look at.")
    ] = False,
    pairs: Annotated[int, typer.Option(help="Show this many pairs of cases with the most similar notes.")] = 0,
) -> None:
    """Check cases by the rules of the open set: plan, note, questions, doses, diseases, interactions, allergies.

    Prints every problem as file, case, field, then a table. Exit code 1 if there is a problem, 2 if a file cannot be
    read.
    """
    raise typer.Exit(check_files(files, open_set=False, cautions=cautions, pairs=pairs))


def check_files(paths: Sequence[Path], *, open_set: bool, cautions: bool, pairs: int) -> int:
    """Check files, print what was found and a table, and return the exit code.

    Args:
        paths: Case files.
        open_set: Ask for what only the open set promises.
        cautions: Print those too.
        pairs: How many pairs of similar notes to show; a pair above the limit is a problem.

    Returns:
        0 without problems, 1 with some, 2 if a file cannot be read.
    """
    cases: list[Case] = []
    file_of: dict[str, str] = {}
    bad = 0
    for path in paths:
        try:
            read = list(read_cases(path))
        except CaseError as error:
            typer.echo(f"error: {error}", err=True)
            return 2
        for case in read:
            if case.id in file_of:
                typer.echo(f"{path.name}: {case.id}: id: is used in {file_of[case.id]} too", err=True)
                bad += 1
            file_of[case.id] = path.name
            bad += sum(_tell(path.name, case, found, cautions) for found in check_case(case, open_set=open_set))
        cases += read
    for case, found in balance_findings(cases):
        bad += _tell(file_of[case.id], case, found, cautions)
    for pair in closest_pairs(cases, pairs, SentenceEncoder()) if pairs else ():
        too_near = pair.cosine >= ALIKE
        bad += too_near
        typer.echo(f"notes alike {pair.cosine:.3f}: {_name(pair.first)} and {_name(pair.second)}", err=too_near)
    Console().print(balance_table(cases))
    typer.echo(f"{len(cases)} cases, {bad} problems")
    return 1 if bad else 0


def _name(case: Case) -> str:
    return f"{case.id} ({case.diagnosis.text})"


def _tell(file: str, case: Case, found: Finding, cautions: bool) -> bool:
    """Print a finding as file, case, field; say whether it is a problem."""
    problem = found.weight == "problem"
    if problem or cautions:
        kind = "" if problem else "look at: "
        typer.echo(f"{file}: {case.id}: {found.field}: {kind}{found.message}", err=True)
    return problem


def import_(
    source: Annotated[str, typer.Argument(help=f"In whose form the data are: {', '.join(LOADERS)}, or cases.")],
    path: Annotated[Path, typer.Argument(help="The file or folder.")],
    out: Annotated[Path, typer.Option(metavar="FILE.jsonl", help="Where to write the cases.")],
    protocol: Annotated[str, typer.Option(help=f"Draw the cohort of a paper: {' or '.join(PROTOCOLS)}.")] = "",
    seed: Annotated[int, typer.Option(help="Which cohort is drawn.")] = 0,
    questions: Annotated[
        str, typer.Option(help="Who writes exams for cases without: embedded, or PROVIDER/MODEL.", metavar="NAME")
    ] = WRITER,
    redact_preview: Annotated[
        bool, typer.Option("--redact-preview", help="Show the first cases with every letter masked, for logs.")
    ] = False,
    allow_remote_credentialed: Annotated[
        bool, typer.Option(FLAG, help="A model elsewhere may see credentialed cases: their agreement permits it.")
    ] = False,
) -> None:
    """Turn somebody else's data into a case file; say what was kept, what was dropped, and why.

    The cohort of dischargebench is 20 adult cases with a plan from each of 16 chapters, that of verisim 300 cases with a
    known diagnosis. Cases that may not leave the machine stay marked so.
    """
    if source not in LOADERS and source != "cases":
        raise _refusal(f"unknown source {source!r}; there are {', '.join(LOADERS)}, and cases for FILE.jsonl")
    if source == "cases" and path.suffix not in CASE_FILES:
        raise _refusal(f"{path}: a file of cases ends with .jsonl or .json")
    if out.suffix != ".jsonl":
        raise _refusal(f"{out}: name it with .jsonl")
    named = next((name for name in PROTOCOLS if name == protocol), None)
    if protocol and named is None:
        raise _refusal(f"unknown protocol {protocol!r}; there are {', '.join(PROTOCOLS)}")
    spec = str(path) if source == "cases" else f"{source}:{path}"
    preview: list[Case] = []
    try:
        if questions != WRITER:
            configure(ChatSettings(allow_remote_credentialed=allow_remote_credentialed))
        finish = _finishing(None if questions == WRITER else chat_model(questions), preview)
        result = _watched(spec, out, CohortDraw(named, seed) if named else None, finish)
    except (ValueError, ChatError) as error:
        raise _refusal(str(error)) from error
    if redact_preview:
        for case in preview:
            typer.echo("\n".join(redacted_preview(case)))
    _report(result, out, named)
    raise typer.Exit(0 if result.kept else 1)


def _finishing(model: ChatModel | None, preview: list[Case]) -> Callable[[Case], tuple[Case, Remark | None]]:
    """Return what completes each case: questions, of a model if there is one, where the case's author wrote none."""

    def finish(case: Case) -> tuple[Case, Remark | None]:
        remark = None
        if not case.questions:
            case = case.model_copy(update={"questions": questions_of(case)})
        if model is not None and all(question.writer for question in case.questions):
            written = write_questions(case, model)
            if written:
                case = case.model_copy(update={"questions": written})
            else:
                remark = Remark(case.id, "the model wrote no exam that can be used; the embedded one stays")
        if len(preview) < PREVIEWED:
            preview.append(case)
        return case, remark

    return finish


def _watched(
    spec: str, out: Path, draw: CohortDraw | None, finish: Callable[[Case], tuple[Case, Remark | None]]
) -> Imported:
    columns = (TextColumn("{task.completed:,} read"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("", total=None)
        return import_cases(
            stream_cases(spec), out, draw=draw, watch=lambda: progress.advance(task), finish=finish
        )


def _report(result: Imported, out: Path, protocol: Protocol | None) -> None:
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"{result.kept:,} cases in {escape(str(out))}" if result.kept else "no case to keep; nothing was written")
    if chapters := ", ".join(f"{name} {count}" for name, count in sorted(result.chapters.items())):
        console.print(f"by chapter: {chapters}")
    if result.credentialed:
        console.print(f"{result.credentialed:,} are credentialed: they go to no other machine unless you say so")
    for word, counts in (("dropped", result.dropped), ("noted", result.remarks)):
        for why, count in counts.most_common():
            first = "; ".join(" ".join((item.where, item.detail)).strip() for item in result.examples[why])
            console.print(f"{word} {count:,}: {escape(why)} ({escape(first)})")
    if result.cohort and protocol:
        if result.cohort.unfit:
            console.print(f"{result.cohort.unfit:,} cases do not fit the protocol")
        for group, missing in result.cohort.missing.items():
            console.print(f"the source lacks {missing} for {group}")
        console.print(f"play them with {HOW_TO_PLAY[protocol]}")


def _refusal(message: str) -> typer.Exit:
    typer.echo(f"error: {' '.join(message.split())}", err=True)
    return typer.Exit(2)
