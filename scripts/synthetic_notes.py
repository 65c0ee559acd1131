"""Notes of nobody in the shape of MIMIC-IV-Note, as many as wanted, and how well an import reads them.

    python scripts/synthetic_notes.py write --n 100000 --out notes
    bedside cases import mimic-note notes --out notes.jsonl
    python scripts/synthetic_notes.py score notes notes.jsonl

They are the open cases retold in many forms: for trying the loaders at scale, and a pipeline on a laptop that will
run on credentialed data elsewhere.
"""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bedside.authoring.synthetic.agreement import agreement, f1
from bedside.authoring.synthetic.hospital import read_answers, write_hospital
from bedside.cases.jsonl import CaseError, read_cases
from bedside.cases.sources import load_cases

app = typer.Typer(no_args_is_help=True, help="Synthetic discharge notes with their answers.")
_CONSOLE = Console(soft_wrap=True)


@app.command()
def write(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder to write; must not have notes yet.")],
    n: Annotated[int, typer.Option("--n", min=1, help="Number of admissions.")] = 1000,
    seed: Annotated[int, typer.Option(help="Which notes.")] = 0,
    cases: Annotated[str, typer.Option(help="Set of cases to retell.")] = "open",
) -> None:
    """Write discharge.csv.gz, the hosp tables and answers.jsonl."""
    if (out / "note").exists():
        typer.echo(f"{out} has notes already; name another folder, or remove it", err=True)
        raise typer.Exit(2)
    told = load_cases(cases)
    with Progress(transient=True, console=Console(stderr=True)) as progress:
        task = progress.add_task("notes", total=n)
        write_hospital(out, told, n, seed, watch=lambda: progress.advance(task))
    typer.echo(f"{n:,} admissions in {out}")


@app.command()
def score(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="What `write` wrote.")],
    imported: Annotated[Path, typer.Argument(metavar="FILE.jsonl", help="The cases that were imported from it.")],
    wrong: Annotated[int, typer.Option(help="Show this many disagreements.")] = 0,
) -> None:
    """Compare imported cases with the answers; print F1 by field and by habit of the notes."""
    try:
        result = agreement(read_cases(imported), read_answers(folder))
    except (CaseError, OSError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error
    _CONSOLE.print("notes: " + ", ".join(f"{count:,} {what}" for what, count in sorted(result.outcome.items())))
    both = {"drugs": Counter[str](), "others": Counter[str]()}
    for kind, counts in result.kinds.items():
        both["drugs" if kind.startswith("drug") else "others"] += counts
    _print("field", {**{f"all of {name}": counts for name, counts in both.items()}, **result.kinds})
    _print("habit, of what", {" ".join(key): counts for key, counts in sorted(result.habits.items())})
    for row in result.wrong[:wrong]:
        _CONSOLE.print(" | ".join(row), markup=False, highlight=False)


def _print(name: str, rows: dict[str, Counter[str]]) -> None:
    table = Table(name, *("F1", "right", "extra", "missed"))
    for row, counts in rows.items():
        table.add_row(row, f"{f1(counts):.3f}", *(f"{counts[what]:,}" for what in ("right", "extra", "missed")))
    _CONSOLE.print(table)


if __name__ == "__main__":
    app()
