"""``bedside understand``: what the patient makes of a doctor's words, for whoever wonders why it answered so."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from bedside.benchmarks.command import complain
from bedside.cases.case import Case, Demographics, Diagnosis
from bedside.envs.audible import hear
from bedside.envs.understanding import understand as understood
from bedside.verifier.grounding import GroundedCase, ground

__all__ = ["anybody", "understand"]


def understand(
    source: Annotated[Path, typer.Argument(metavar="FILE.jsonl", help='Doctor\'s utterances, {"id", "text"} a line.')],
) -> None:
    """Print what the patient understood: {"id", "intents": [{"intent", "target"}]} a line, in the same order.

    Words that only a case's own record holds are not known here; all others are read as in an interview.
    """
    try:
        lines = list(_lines(source))
    except ValueError as error:
        raise typer.Exit(complain(str(error), 2)) from error
    except OSError as error:
        raise typer.Exit(complain(f"{source}: {error.strerror or error}", 2)) from error
    patient = anybody()
    for line in lines:
        intents = [{"intent": i.name, "target": i.target} for i in understood(hear(line["text"]), patient)]
        sys.stdout.write(orjson.dumps({"id": line["id"], "intents": intents}).decode() + "\n")


def _lines(source: Path) -> Iterator[dict[str, Any]]:
    """Read the utterances.

    Raises:
        ValueError: A line is not an object with an id and a text; the message says which and why.
    """
    for number, raw in enumerate(source.read_bytes().splitlines(), 1):
        if not raw.strip():
            continue
        where = f"{source}, line {number}"
        try:
            line = orjson.loads(raw)
        except orjson.JSONDecodeError as error:
            raise ValueError(f"{where}: not JSON: {error}") from error
        if not isinstance(line, dict):
            raise ValueError(f'{where}: an object {{"id", "text"}} is wanted, not {type(line).__name__}')
        if missing := [key for key in ("id", "text") if key not in line]:
            raise ValueError(f"{where}: {' and '.join(missing)} missing")
        if not isinstance(line["text"], str):
            raise ValueError(f"{where}: text must be a string, not {type(line['text']).__name__}")
        if not isinstance(line["id"], str | int) or isinstance(line["id"], bool):
            raise ValueError(f"{where}: id must be a string or a whole number, not {type(line['id']).__name__}")
        yield line


def anybody() -> GroundedCase:
    """Return a patient of whom nothing is known, so that only general words are understood."""
    case = Case(
        id="anybody",
        source="understand",
        licence="none",
        demographics=Demographics(age=50, sex="female"),
        chief_complaint="not feeling well",
        record=(),
        diagnosis=Diagnosis(text="unknown"),
    )
    return ground(case, "interview")
