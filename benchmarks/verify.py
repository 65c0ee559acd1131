"""``bedside verify``: judge utterances from a file, to read or to go on with."""

import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import orjson
import typer
from rich.console import Console
from rich.text import Text

from bedside.benchmarks.command import AllowRemote, complain
from bedside.cases.jsonl import CaseError
from bedside.cases.sources import load_cases
from bedside.chat.providers import ChatSettings, configure
from bedside.verifier.batch import Verified, read_lines, verify_line
from bedside.verifier.claims.wording import normalise
from bedside.verifier.engines import make_verifier

__all__ = ["painted", "verify"]

_COLOURS = {"supported": "green", "fabricated": "bold red", "unverifiable": "yellow"}


def verify(
    source: Annotated[Path, typer.Argument(metavar="INPUT.jsonl", help="Utterances, one JSON object a line.")],
    cases: Annotated[str, typer.Option(help="Their cases: open, FILE.jsonl, verisim:FILE, …")],
    out: Annotated[Path | None, typer.Option(help="Write JSONL here instead of printing.")] = None,
    engine: Annotated[str, typer.Option(help="Who judges: rules, llm or ensemble.")] = "rules",
    model: Annotated[str, typer.Option(help="The model of llm and ensemble, as provider/model.")] = "",
    allow_remote_credentialed: AllowRemote = False,
) -> None:
    """Judge what patients say against their records, claim by claim.

    A line of INPUT is {"id", "case_id", "doctor", "utterance", "history"?, "claims"?, "noise"?}; given claims are
    judged as they are, otherwise the utterance is decomposed. A verdict is supported, fabricated or unverifiable.
    """
    configure(ChatSettings(allow_remote_credentialed=allow_remote_credentialed))
    try:
        by_id = {case.id: case for case in load_cases(cases)}
        verifier = make_verifier(f"{engine}:{model}" if model else engine, cases=by_id.values())
        lines = list(read_lines(source, by_id))
    except (CaseError, ValueError) as error:
        raise typer.Exit(complain(str(error), 2)) from error
    results = (verify_line(line, by_id[line.case_id], verifier) for line in lines)
    if out is None:
        console = Console()
        counts: Counter[str] = Counter()
        for result in results:
            counts[result.overall] += 1
            console.print(painted(result))
        console.print(f"{counts['pass']} pass, {counts['regenerate']} regenerate")
        return
    part = out.with_name(out.name + ".part")
    try:
        with part.open("wb") as file:
            for result in results:
                file.write(orjson.dumps(result.row()) + b"\n")
        part.replace(out)
    except OSError as error:
        raise typer.Exit(complain(f"{out}: {error.strerror or error}", 2)) from error
    sys.stderr.write(f"{len(lines)} verdicts in {out}\n")


_SHOWN = 2000
"""Characters of an utterance that a reader is shown; all of it is judged."""


def painted(result: Verified) -> Text:
    """Return a verdict to be read: the utterance with each claim in its colour, then the claims with reasons."""
    line = result.line
    text = Text(f"{line.id}  {line.case_id}  ")
    text.append(result.overall, style="green" if result.overall == "pass" else "bold red")
    if result.violations:
        text.append(f"  {', '.join(result.violations)}", style="red")
    if line.doctor:
        text.append(f"\n  Doctor: {line.doctor}", style="dim")
    said = Text(normalise(line.utterance))
    for judgment in sorted(result.judgments, key=lambda j: j.label == "fabricated"):
        said.stylize(_COLOURS[judgment.label], judgment.claim.start, judgment.claim.end)
    text.append("\n  Patient: ").append_text(said[:_SHOWN])
    if len(said) > _SHOWN:
        text.append(f" ... ({len(said):,} characters)", style="dim")
    for claim, times in Counter(result.claims).items():
        text.append("\n    ").append(f"{claim.verdict:12}", style=_COLOURS[claim.verdict])
        text.append(f" {claim.text}").append(
            f" ({claim.reason}{f'; said {times} times' if times > 1 else ''})", style="dim"
        )
    return text.append("\n")
