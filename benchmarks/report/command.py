"""The command ``bedside report``."""

from pathlib import Path
from typing import Annotated

import typer

from bedside.benchmarks.command import complain
from bedside.benchmarks.report.page import EPISODES_SHOWN, figure_files, make_report
from bedside.benchmarks.runs import RunError

__all__ = ["report"]


def report(
    runs: Annotated[
        list[Path], typer.Argument(help="Run folders (the --out of an evaluation), or folders of them.", metavar="RUN…")
    ],
    out: Annotated[Path, typer.Option(help="Where to write the page.", metavar="FILE")] = Path("report.html"),
    episodes: Annotated[
        int, typer.Option(help="Most transcripts to put into it, the telling ones first.", min=0, metavar="N")
    ] = EPISODES_SHOWN,
    figures: Annotated[
        Path | None, typer.Option(help="Write all figures here too, as SVG and CSV.", metavar="DIR")
    ] = None,
    title: Annotated[str, typer.Option(help="Of the page; left out: what was evaluated.", metavar="TEXT")] = "",
) -> None:
    """Make one HTML file of finished runs: tables, figures and transcripts. It needs no network to be read."""
    try:
        made = make_report(runs, episodes=episodes, title=title)
        _write(out, made.html)
        drawn = list(figure_files(made.figures)) if figures else []
        for name, content in drawn:
            _write(figures / name, content) if figures else None
    except RunError as error:
        raise typer.Exit(complain(str(error), 2)) from error
    except OSError as error:
        raise typer.Exit(complain(f"cannot write {error.filename or out}: {error.strerror}", 2)) from error
    for warning in made.warnings:
        typer.echo(f"warning: {warning}", err=True)
    size = len(made.html.encode()) / 1e6
    typer.echo(f"{out}: {made.shown} of {made.episodes} transcripts, {size:.1f} MB")
    if figures:
        typer.echo(f"{figures}: {len(made.figures)} figures as SVG and CSV")


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
