"""The work behind ``bedside cases check`` and ``scripts/check_cases.py``."""

from collections.abc import Sequence
from pathlib import Path

import typer
from rich.console import Console

from bedside.authoring.cohort import ALIKE, closest_pairs, cohort_findings, cohort_table
from bedside.authoring.finding import Finding
from bedside.authoring.rules import check_case
from bedside.cases.case import Case
from bedside.cases.jsonl import CaseError, read_cases
from bedside.verifier.knowledge.encoder import SentenceEncoder

__all__ = ["check_files"]


def check_files(paths: Sequence[Path], *, open_set: bool, cautions: bool, pairs: int) -> int:
    """Check files, print what was found and a table, and return the exit code.

    Args:
        paths: Case files.
        open_set: Ask for what only the open set promises.
        cautions: Print those too.
        pairs: How many pairs of similar notes to show; pairs above the limit are problems in any case.

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
    for case, found in cohort_findings(cases):
        bad += _tell(file_of[case.id], case, found, cautions)
    for pair in closest_pairs(cases, pairs, SentenceEncoder()) if pairs else ():
        too_near = pair.cosine >= ALIKE
        bad += too_near
        typer.echo(f"notes alike {pair.cosine:.3f}: {_name(pair.first)} and {_name(pair.second)}", err=too_near)
    Console().print(cohort_table(cases))
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
