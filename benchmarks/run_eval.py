"""Evaluate clinicians: the command ``python benchmarks/run_eval.py``, which is also ``bedside eval``.

This file holds the command line and what it prints, and no decision about the result.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import orjson
import typer
from rich.console import Console

from bedside.benchmarks.command import AllowRemote, complain, console_width, invoke
from bedside.benchmarks.crew import WorkerError
from bedside.benchmarks.evaluate import ENGINES, Report, Workforce, evaluate
from bedside.benchmarks.options import (
    MODELS,
    PATIENTS,
    WHAT,
    AsJson,
    Cache,
    Cases,
    Concurrency,
    Engine,
    Env,
    JudgeName,
    Prices,
    Reward,
    Seed,
    Workers,
    parse_prices,
)
from bedside.benchmarks.plan import Settings, make_plan
from bedside.benchmarks.progress import show_progress
from bedside.benchmarks.protocols import kind_of
from bedside.benchmarks.runs import RunError
from bedside.benchmarks.tables.formats import as_rich
from bedside.benchmarks.tables.summary import summary_table
from bedside.benchmarks.traffic import traffic_line
from bedside.benchmarks.wandb_log import check_wandb, log_run
from bedside.chat.model import Sampling
from bedside.chat.providers import ChatSettings

__all__ = ["EPILOG", "app", "bad_input_told", "failures_told", "print_report", "run_eval", "workforce"]

EPILOG = """
[bold]Examples[/bold]

All scripted educators on the open cases:
[cyan]python benchmarks/run_eval.py --env discharge --workers 2 --out runs/educators[/cyan]

A doctor on DDXPlus, with patients who are hard to understand (two noise pillars at levels 1-3):
[cyan]python benchmarks/run_eval.py --env diagnosis --cases ddxplus:DIR --noise random --out runs/noisy[/cyan]

A model behind an endpoint, 64 calls at once, with answers kept in a cache:
[cyan]OPENAI_BASE_URL=http://localhost:8000/v1 python benchmarks/run_eval.py --env diagnosis --policy openai/MODEL
--concurrency 64 --cache ~/.cache/bedside --out runs/model[/cyan]

The whole of a paper's evaluation, with its tables:
[cyan]python benchmarks/run_eval.py --suite dischargebench --policy teachback --workers 2 --out runs/bench[/cyan]

Go on after an interruption, or try again what ended in a fault: the same command and [cyan]--resume[/cyan].
The files end up identical, byte for byte.

[bold]Results[/bold] in the folder --out: [cyan]config.yaml[/cyan] (what was run), [cyan]episodes.jsonl[/cyan]
(every word, verdict and rejected attempt, one line an episode; read one with [cyan]bedside show[/cyan]),
[cyan]scores.parquet[/cyan] (one row an episode: patient, stop, score.NAME, part.NAME.PART) and
[cyan]summary.json[/cyan] (policy, score: mean, low, high, n, unscored).

[bold]Exit codes[/bold] 0 done · 1 every episode of some policy failed, or a worker process died · 2 bad
input, or a folder that cannot be used · 130 stopped with Ctrl-C.
"""


def run_eval(
    env: Env = "",
    suite: Annotated[
        str,
        typer.Option(
            help="In place of --env: a paper's whole evaluation with its tables: dischargesim, verisim, "
            "dischargebench, or quick for a first look in two minutes.",
            metavar="NAME",
            rich_help_panel=WHAT,
        ),
    ] = "",
    cases: Cases = "open",
    policy: Annotated[
        str,
        typer.Option(
            help="Clinicians, separated by commas: scripted ones, or language models as openai/NAME, hf/DIR, "
            "vllm/NAME, smollm2; left out: all scripted ones of the encounter.",
            metavar="NAME[,NAME…]",
            rich_help_panel=WHAT,
        ),
    ] = "",
    limit: Annotated[
        int | None,
        typer.Option(
            help="Only the first so many cases; in a suite so many from all over the source.",
            metavar="N",
            rich_help_panel=WHAT,
        ),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(
            help="Episodes with each case; left out: 1, or those of the suite.", metavar="K", rich_help_panel=WHAT
        ),
    ] = None,
    seed: Seed = 0,
    shard: Annotated[
        str | None,
        typer.Option(
            help="Only the I-th of N parts of the cases, for another machine to play the others; bedside merge puts "
            "them together.",
            metavar="I/N",
            rich_help_panel=WHAT,
        ),
    ] = None,
    max_turns: Annotated[
        int | None,
        typer.Option(help="Longest talk; left out: that of the environment.", metavar="N", rich_help_panel=WHAT),
    ] = None,
    briefing: Annotated[
        str,
        typer.Option(
            help="What educators are told: full, or compact (about 200 tokens).", metavar="NAME", rich_help_panel=WHAT
        ),
    ] = "full",
    documents: Annotated[
        bool,
        typer.Option(
            "--documents", help="Ask educators for a summary and a checklist after the talk.", rich_help_panel=WHAT
        ),
    ] = False,
    persona: Annotated[
        str,
        typer.Option(
            help="Who the patients are: neutral, anxious, …; dischargesim:HL1,edu3; dischargesim:all for its 18 "
            "profiles in turn; dischargebench:random; …; left out: those of the protocol, else neutral.",
            metavar="SPEC",
            rich_help_panel=PATIENTS,
        ),
    ] = "",
    noise: Annotated[
        str,
        typer.Option(
            help="How they speak: none, random, random:3@1-4, memory_recall=2,…; left out: as in the protocol.",
            metavar="SPEC",
            rich_help_panel=PATIENTS,
        ),
    ] = "",
    patient: Annotated[
        str,
        typer.Option(help="Who plays them: embedded, or PROVIDER/MODEL.", metavar="NAME", rich_help_panel=PATIENTS),
    ] = "embedded",
    verifier: Annotated[
        str,
        typer.Option(
            help="Who checks what they say: rules, llm:PROVIDER/MODEL, ensemble:PROVIDER/MODEL; off and prompt "
            "check nothing and are for the ablation.",
            metavar="NAME",
            rich_help_panel=PATIENTS,
        ),
    ] = "rules",
    orchestrator: Annotated[
        str,
        typer.Option(
            help="Who decides when a talk ends: embedded, or PROVIDER/MODEL.", metavar="NAME", rich_help_panel=PATIENTS
        ),
    ] = "embedded",
    judge: JudgeName = "embedded",
    reward: Reward = "default",
    temperature: Annotated[
        float,
        typer.Option(help="Of clinicians that are language models.", min=0.0, metavar="T", rich_help_panel=MODELS),
    ] = Sampling().temperature,
    max_tokens: Annotated[
        int,
        typer.Option(
            help="Longest turn of clinicians that are language models.", min=1, metavar="N", rich_help_panel=MODELS
        ),
    ] = Sampling().max_tokens,
    price: Prices = None,
    cache: Cache = None,
    allow_remote_credentialed: AllowRemote = False,
    workers: Workers = 1,
    concurrency: Concurrency = 16,
    engine: Engine = "local",
    out: Annotated[Path | None, typer.Option(help="Folder for the results; left out: runs/ENV.", metavar="DIR")] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the folder if it holds a part of this evaluation.")
    ] = False,
    wandb: Annotated[
        str | None,
        typer.Option(
            help="Log the result to this project of Weights & Biases; kept in the folder, and not sent, unless "
            "WANDB_API_KEY or WANDB_MODE is set.",
            metavar="PROJECT",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Let clinicians treat patients, and score them.

    Every policy meets the same patients with the same seeds, so differences between rows are paired.
    """
    folder = out or Path("runs") / (suite or env)
    with bad_input_told():
        if not env and not suite:
            raise ValueError("give --env, one encounter, or --suite, a paper's whole evaluation; see --help")
        if suite and wandb:
            raise ValueError("--wandb logs one run; a suite is many: leave it out, or give --env")
        settings = Settings(
            env=env,
            cases=cases,
            policies=tuple(name.strip() for name in policy.split(",")) if policy.strip() else (),
            persona=persona,
            noise=noise,
            limit=limit,
            runs=1 if runs is None else runs,
            seed=seed,
            verifier=verifier,
            patient=patient,
            judge=judge,
            sampling=Sampling(temperature=temperature, max_tokens=max_tokens),
            models=ChatSettings(
                cache=cache, prices=parse_prices(price), allow_remote_credentialed=allow_remote_credentialed
            ),
            orchestrator=orchestrator,
            max_turns=max_turns,
            briefing=briefing,
            documents=documents,
            reward=reward,
            shard=shard,
        )
        force = workforce(workers, concurrency, engine)
    if suite:
        # Imported where used: it brings what only tables need.
        from bedside.benchmarks.suites.command import run_suite

        run_suite(suite, settings, runs, folder, force, resume=resume, as_json=as_json)
        return
    with bad_input_told():
        plan = make_plan(settings)
        if wandb:
            check_wandb(plan.cases, allow_credentialed=allow_remote_credentialed)
    with failures_told(f"the episodes so far are in {folder}, go on with --resume"), show_progress() as progress:
        report = evaluate(plan, folder, force, resume=resume, progress=progress)
    if wandb:
        with failures_told(f"the run is in {folder}"):
            typer.echo(log_run(report, folder, wandb), err=True)
    print_report(report, folder, as_json=as_json)


def workforce(workers: int, concurrency: int, engine: str) -> Workforce:
    """Check who is to do the work.

    Raises:
        ValueError: There is no such engine, it is not installed, or there is no worker.
    """
    if workers < 1:
        raise ValueError(f"--workers must be at least 1, not {workers}")
    if engine not in ENGINES:
        raise ValueError(f"unknown engine {engine!r}; there are {', '.join(ENGINES)}")
    if engine == "ray" and find_spec("ray") is None:
        raise ValueError("--engine ray needs Ray: pip install 'bedside[ray]', here and on every node")
    return Workforce(workers, concurrency, engine)


@contextmanager
def bad_input_told() -> Iterator[None]:
    """Turn what a user can get wrong into one line and exit code 2."""
    try:
        yield
    except (ValueError, OSError, RunError) as error:
        raise typer.Exit(complain(str(error), 2)) from error


@contextmanager
def failures_told(kept: str) -> Iterator[None]:
    """Turn what can go wrong in an evaluation into one line and an exit code.

    Args:
        kept: Where the episodes so far are, and how to go on.
    """
    try:
        yield
    except RunError as error:
        raise typer.Exit(complain(str(error), 2)) from error
    except WorkerError as error:
        typer.echo(error.trace, err=True, nl=False)
        raise typer.Exit(complain(f"{error}; {kept}", 1)) from error
    except KeyboardInterrupt as error:
        typer.echo(f"\nstopped; {kept}", err=True)
        raise typer.Exit(130) from error


def print_report(report: Report, folder: Path, *, as_json: bool) -> None:
    """Print what an evaluation came to.

    Raises:
        typer.Exit: Every episode of some policy failed.
    """
    if as_json:
        sys.stdout.write(orjson.dumps(report.summary, option=orjson.OPT_INDENT_2).decode() + "\n")
    else:
        console = Console(width=console_width())
        console.print(as_rich(summary_table(report.summary, kind_of(report.config.env)), console))
        typer.echo(_conditions(report))
        if report.traffic.calls or report.traffic.cached:
            typer.echo(traffic_line(report.traffic))
        typer.echo(f"episodes and summary: {folder}")
    for policy, faults in report.faults.items():
        typer.echo(f"warning: {policy}: {len(faults)} unscored after a fault, first {faults[0]}", err=True)
    if report.failed:
        raise typer.Exit(complain(f"every episode failed with {', '.join(report.failed)}", 1))


def _conditions(report: Report) -> str:
    config = report.config
    engines = " and ".join(sorted(report.engines)) or "nobody"
    shard = f", shard {config.shard}" if config.shard else ""
    return (
        f"{config.case_count} cases ({config.cases}{shard}), runs {config.runs}, seed {config.seed}, "
        f"persona {config.persona}, noise {config.noise}, played by: {config.patient}, "
        f"verified by: {config.verifier}, scored by: {engines}"
    )


app = typer.Typer(add_completion=False, rich_markup_mode="rich")
app.command(epilog=EPILOG)(run_eval)

if __name__ == "__main__":
    sys.exit(invoke(app, sys.argv[1:], "run_eval.py"))
