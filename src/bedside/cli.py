"""The command line: ``bedside eval``, ``compare``, ``report``, ``show``, ``verify``, ``cases`` and others.

Benchmarks are imported when a command needs them, so that a program that only asks for this module pays
nothing.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from bedside.benchmarks.runs import RunConfig
    from bedside.cases.case import Case

__all__ = ["build_app", "main"]

Run = Annotated[Path, typer.Argument(help="A run folder, the --out of an evaluation.")]


def build_app() -> typer.Typer:
    """Put the commands together."""
    from bedside.authoring.command import cases_app
    from bedside.benchmarks.report.command import report
    from bedside.benchmarks.compare import compare
    from bedside.benchmarks.merge import merge
    from bedside.benchmarks.play import play
    from bedside.benchmarks.rescore import rescore
    from bedside.benchmarks.run_eval import EPILOG, run_eval
    from bedside.benchmarks.score import match, score
    from bedside.benchmarks.understand import understand
    from bedside.benchmarks.verify import verify

    from bedside.training.command import curriculum

    app = typer.Typer(add_completion=False, no_args_is_help=True, rich_markup_mode="rich")

    @app.callback()
    def _about() -> None:
        """Encounters with patients in which clinicians made of language models learn and are measured."""

    app.command("eval", epilog=EPILOG)(run_eval)
    app.command("play")(play)
    app.command("rescore")(rescore)
    app.command("merge")(merge)
    app.command("compare")(compare)
    app.command("report")(report)
    app.command("show")(show)
    app.command("verify")(verify)
    app.command("understand")(understand)
    app.command("score")(score)
    app.command("match")(match)
    app.add_typer(cases_app(), name="cases")
    app.command("curriculum")(curriculum)
    return app


def show(
    run: Run,
    which: Annotated[
        str,
        typer.Argument(help="Number of an episode, or a case; left out: a list.", metavar="[NUMBER|CASE]"),
    ] = "",
) -> None:
    """Print what was said in an episode, what the verifier thought of it, why it ended and what it scored."""
    from rich.console import Console

    from bedside.benchmarks.command import complain
    from bedside.benchmarks.runs import RunError, read_config
    from bedside.benchmarks.transcript import episode_list, pick_episodes, transcript
    from bedside.rewards.scoring import score_episode

    console = Console()
    try:
        config = read_config(run)
        if not which:
            console.print(episode_list(run))
            return
        episodes = pick_episodes(run, which)
    except (ValueError, RunError) as error:
        raise typer.Exit(complain(str(error), 2)) from error
    cases = _cases_of(config)
    for number, episode in episodes:
        case = cases.get(episode.case)
        scores = score_episode(episode, case) if case else {}
        console.print(transcript(number, episode, case, scores))


def _cases_of(config: "RunConfig") -> dict[str, "Case"]:
    """Return the cases of a run, or none and say why: a dialogue can be read without them."""
    from bedside.benchmarks.plan import load_run_cases

    try:
        return {case.id: case for case in load_run_cases(config)}
    except ValueError as error:
        typer.echo(f"warning: shown without scores: {error}", err=True)
        return {}


def main() -> None:
    """Run ``bedside`` as a program."""
    from bedside.benchmarks.command import invoke

    sys.exit(invoke(build_app(), sys.argv[1:], "bedside"))
