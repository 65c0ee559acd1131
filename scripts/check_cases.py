"""Check case files: ``python scripts/check_cases.py [FILE.jsonl …]``; the same as ``bedside cases check --open``.

Much of what makes a case unusable can be found by a program: a plan that its own note does not state, a dose out of
the usual range, a pair of drugs that must not meet, a record that gives the diagnosis away, a question that cannot be
answered, a plan that perfect teaching does not get full marks for.
"""

from pathlib import Path
from typing import Annotated

import typer

from bedside.authoring.command import check_files
from bedside.cases.sources import OPEN_CASES


def main(
    files: Annotated[list[Path] | None, typer.Argument(help="Case files; the open set if none is given.")] = None,
    cautions: Annotated[bool, typer.Option(help="Also print what a clinician should look at.")] = False,
    pairs: Annotated[int, typer.Option(help="Show this many pairs of cases with the most similar notes.")] = 0,
) -> None:
    """Check cases of the open set; print every problem as file, case, field, then a table. Exit code 1 if any."""
    paths = files or sorted(OPEN_CASES.glob("*.jsonl"))
    raise typer.Exit(check_files(paths, open_set=True, cautions=cautions, pairs=pairs))


if __name__ == "__main__":
    typer.run(main)
