"""The command ``bedside rescore``: a run scored again, by another judge, with other weights or by newer code.

Scores are pure functions of episodes, so nothing is played. The run that is given stays as it is: what comes out is a
run folder of its own, which every command reads, and which says in ``config.yaml`` who scored, with which weights and
code, and by which code the episodes were played.
"""

from pathlib import Path
from typing import Annotated

import typer

from bedside.benchmarks.command import AllowRemote
from bedside.benchmarks.evaluate import score_again
from bedside.benchmarks.options import (
    SCORING,
    AsJson,
    Cache,
    Concurrency,
    Engine,
    Prices,
    Workers,
    parse_prices,
)
from bedside.benchmarks.plan import make_scoring_plan
from bedside.benchmarks.progress import show_progress
from bedside.benchmarks.run_eval import bad_input_told, failures_told, print_report, workforce
from bedside.benchmarks.runs import RunError, read_config
from bedside.chat.providers import ChatSettings

__all__ = ["rescore"]


def rescore(
    run: Annotated[Path, typer.Argument(help="A finished run folder.")],
    judge: Annotated[
        str | None,
        typer.Option(
            help="Who scores: embedded, or PROVIDER/MODEL; left out: who scored before.",
            metavar="NAME",
            rich_help_panel=SCORING,
        ),
    ] = None,
    reward: Annotated[
        str | None,
        typer.Option(
            help="Weights of the training reward: a preset or a TOML file; left out: those from before.",
            metavar="NAME|FILE",
            rich_help_panel=SCORING,
        ),
    ] = None,
    price: Prices = None,
    cache: Cache = None,
    allow_remote_credentialed: AllowRemote = False,
    workers: Workers = 1,
    concurrency: Concurrency = 16,
    engine: Engine = "local",
    out: Annotated[
        Path | None, typer.Option(help="Folder for the new run; left out: RUN-rescored.", metavar="DIR")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Score the episodes of RUN again and write a new run folder; nothing is played, and RUN stays as it is.

    The same command goes on after an interruption.
    """
    folder = out or run.with_name(f"{run.resolve().name}-rescored")
    with bad_input_told():
        if folder.resolve() == run.resolve():
            raise RunError(f"--out {folder} is the run itself; give another folder")
        models = ChatSettings(
            cache=cache, prices=parse_prices(price), allow_remote_credentialed=allow_remote_credentialed
        )
        force = workforce(workers, concurrency, engine)
        plan = make_scoring_plan(read_config(run), judge, reward, models)
    kept = f"what was copied so far is in {folder}, go on with the same command"
    with failures_told(kept), show_progress() as progress:
        report = score_again(plan, run, folder, force, progress=progress)
    print_report(report, folder, as_json=as_json)
