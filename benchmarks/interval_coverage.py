"""How often our 95 % intervals hold the truth: ``python benchmarks/interval_coverage.py``.

The table in ``docs/benchmark.md`` comes from here. It takes minutes; a small part of it is a test.
"""

import sys
from typing import Annotated

import typer

from bedside.benchmarks.command import complain, invoke
from bedside.benchmarks.stats.coverage import DESIGNS, SIZES, coverage

__all__ = ["app", "interval_coverage"]


def interval_coverage(
    benchmarks: Annotated[int, typer.Option(help="Simulated for each figure.", metavar="N")] = 2000,
    resamples: Annotated[int, typer.Option(help="Case sets drawn for each interval.", metavar="B")] = 2000,
) -> None:
    """Simulate benchmarks of known truth and print the share of intervals that hold it, as a Markdown table."""
    if benchmarks < 1 or resamples < 1:
        raise typer.Exit(complain("--benchmarks and --resamples must be at least 1", 2))
    typer.echo(f"| what is measured | {' | '.join(f'{size} cases' for size in SIZES)} |")
    typer.echo(f"|---|{'---|' * len(SIZES)}")
    for design in DESIGNS:
        held = [coverage(design, size, benchmarks, resamples) for size in SIZES]
        typer.echo(f"| {design.name} | {' | '.join(f'{share:.3f}' for share in held)} |")


app = typer.Typer(add_completion=False)
app.command()(interval_coverage)

if __name__ == "__main__":
    sys.exit(invoke(app, sys.argv[1:], "interval_coverage.py"))
