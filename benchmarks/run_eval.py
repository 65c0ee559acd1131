"""Evaluate clinicians: the command ``python benchmarks/run_eval.py``, which is also ``bedside eval``.

This file holds the command line and what it prints, and no decision about the result.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import orjson
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bedside.benchmarks.command import AllowRemote, complain, console_width, invoke
from bedside.benchmarks.crew import WorkerError
from bedside.benchmarks.evaluate import Progress as Callback
from bedside.benchmarks.evaluate import Report, State, evaluate
from bedside.benchmarks.plan import Plan, Settings, make_plan
from bedside.benchmarks.protocols import PROTOCOLS
from bedside.benchmarks.runs import RunError
from bedside.benchmarks.tables import summary_table
from bedside.benchmarks.traffic import state_notes, traffic_line
from bedside.chat.accounted import Price
from bedside.chat.model import Sampling
from bedside.chat.providers import ChatSettings

__all__ = ["EPILOG", "app", "run_eval"]

EPILOG = """
[bold]Examples[/bold]

All scripted educators on the open cases:
[cyan]python benchmarks/run_eval.py --env discharge --workers 2 --out runs/educators[/cyan]

A doctor on DDXPlus, with patients who are hard to understand (two noise pillars at levels 1-3):
[cyan]python benchmarks/run_eval.py --env diagnosis --cases ddxplus:DIR --noise random --out runs/noisy[/cyan]

A model behind an endpoint, 64 calls at once, with answers kept in a cache:
[cyan]OPENAI_BASE_URL=http://localhost:8000/v1 python benchmarks/run_eval.py --env diagnosis --policy openai/MODEL
--concurrency 64 --cache ~/.cache/bedside --out runs/model[/cyan]

Go on after an interruption, or try again what ended in a fault: the same command and [cyan]--resume[/cyan].
The files end up identical, byte for byte.

[bold]Results[/bold] in the folder --out: [cyan]config.json[/cyan] (what was run), [cyan]episodes.jsonl[/cyan]
(every word, verdict and rejected attempt, one line an episode; read one with [cyan]bedside show[/cyan]),
[cyan]scores.parquet[/cyan] (one row an episode: patient, stop, score.NAME, part.NAME.PART) and
[cyan]summary.json[/cyan] (policy, score: mean, low, high, n, unscored).

[bold]Exit codes[/bold] 0 done · 1 every episode of some policy failed, or a worker process died · 2 bad
input, or a folder that cannot be used · 130 stopped with Ctrl-C.
"""


def run_eval(
    env: Annotated[str, typer.Option(help=f"The encounter, or a paper's protocol: {', '.join(PROTOCOLS)}.")],
    cases: Annotated[
        str,
        typer.Option(
            help="Whom to treat: open, ddxplus:DIR, agentclinic:FILE, verisim:FILE, dischargesim:DIR, FILE.jsonl.",
            metavar="SOURCE",
        ),
    ] = "open",
    policy: Annotated[
        str,
        typer.Option(
            help="Clinicians, separated by commas: scripted ones, or language models as openai/NAME, hf/DIR, "
            "vllm/NAME, smollm2; left out: all scripted ones of the encounter.",
            metavar="NAME[,NAME…]",
        ),
    ] = "",
    persona: Annotated[
        str,
        typer.Option(
            help="Who the patients are: neutral, anxious, …; dischargesim:HL1,edu3; dischargebench:random; …; left "
            "out: those of the protocol, else neutral.",
            metavar="SPEC",
        ),
    ] = "",
    noise: Annotated[
        str,
        typer.Option(
            help="How they speak: none, random, random:3@1-4, memory_recall=2,…; left out: as in the protocol.",
            metavar="SPEC",
        ),
    ] = "",
    verifier: Annotated[
        str,
        typer.Option(
            help="Who checks what patients say: rules, llm:PROVIDER/MODEL, ensemble:PROVIDER/MODEL; off and prompt "
            "check nothing and are for the ablation.",
            metavar="NAME",
        ),
    ] = "rules",
    patient: Annotated[
        str, typer.Option(help="Who plays the patients: embedded, or PROVIDER/MODEL.", metavar="NAME")
    ] = "embedded",
    orchestrator: Annotated[
        str, typer.Option(help="Who decides when a talk ends: embedded, or PROVIDER/MODEL.", metavar="NAME")
    ] = "embedded",
    judge: Annotated[str, typer.Option(help="Who scores: embedded, or PROVIDER/MODEL.", metavar="NAME")] = "embedded",
    documents: Annotated[
        bool, typer.Option("--documents", help="Ask educators for a summary and a checklist after the talk.")
    ] = False,
    temperature: Annotated[
        float, typer.Option(help="Of clinicians that are language models.", min=0.0, metavar="T")
    ] = Sampling().temperature,
    max_tokens: Annotated[
        int, typer.Option(help="Longest turn of clinicians that are language models.", min=1, metavar="N")
    ] = Sampling().max_tokens,
    concurrency: Annotated[
        int, typer.Option(help="Most calls at once to an endpoint. The result is the same.", min=1, metavar="N")
    ] = 16,
    cache: Annotated[
        Path | None,
        typer.Option(help="Keep answers of language models here and ask nothing twice.", envvar="BEDSIDE_CACHE"),
    ] = None,
    price: Annotated[
        list[str] | None,
        typer.Option(
            help="Of a million tokens in and out, to count costs: 0.4,1.6 for all models, openai/NAME=0.4,1.6 for one.",
            metavar="[MODEL=]IN,OUT",
        ),
    ] = None,
    allow_remote_credentialed: AllowRemote = False,
    max_turns: Annotated[
        int | None, typer.Option(help="Longest talk; left out: that of the environment.", metavar="N")
    ] = None,
    briefing: Annotated[
        str, typer.Option(help="What educators are told: full, or compact (about 200 tokens).", metavar="NAME")
    ] = "full",
    limit: Annotated[int | None, typer.Option(help="Only the first so many cases.", metavar="N")] = None,
    runs: Annotated[int, typer.Option(help="Episodes with each case.", metavar="K")] = 1,
    seed: Annotated[int, typer.Option(help="Seed of the whole evaluation.", metavar="S")] = 0,
    workers: Annotated[int, typer.Option(help="Processes. The result is the same with any number.", metavar="W")] = 1,
    out: Annotated[Path | None, typer.Option(help="Folder for the results; left out: runs/ENV.", metavar="DIR")] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the folder if it holds a part of this evaluation.")
    ] = False,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print summary.json instead of the table, and nothing else, on stdout."),
    ] = False,
) -> None:
    """Let clinicians treat patients, and score them.

    Every policy meets the same patients with the same seeds, so differences between rows are paired.
    """
    names = tuple(name.strip() for name in policy.split(",")) if policy.strip() else ()
    folder = out or Path("runs") / env
    try:
        settings = Settings(
            env,
            cases,
            names,
            persona,
            noise,
            limit,
            runs,
            seed,
            verifier,
            patient,
            judge,
            Sampling(temperature=temperature, max_tokens=max_tokens),
            ChatSettings(cache=cache, prices=_prices(price or []), allow_remote_credentialed=allow_remote_credentialed),
            orchestrator,
            max_turns,
            briefing,
            documents,
        )
        plan = _checked_plan(settings, workers)
        with _progress() as callback:
            report = evaluate(plan, folder, workers=workers, concurrency=concurrency, resume=resume, progress=callback)
    except RunError as error:
        raise typer.Exit(complain(str(error), 2)) from error
    except WorkerError as error:
        typer.echo(error.trace, err=True, nl=False)
        raise typer.Exit(complain(f"{error}; the episodes so far are kept, go on with --resume", 1)) from error
    except KeyboardInterrupt as error:
        typer.echo(f"\nstopped; the episodes so far are in {folder}, go on with --resume", err=True)
        raise typer.Exit(130) from error
    _print(plan, report, folder, as_json=as_json)
    if report.failed:
        raise typer.Exit(complain(f"every episode failed with {', '.join(report.failed)}", 1))


def _checked_plan(settings: Settings, workers: int) -> Plan:
    try:
        if workers < 1:
            raise ValueError(f"--workers must be at least 1, not {workers}")
        return make_plan(settings)
    except (ValueError, OSError) as error:
        raise typer.Exit(complain(str(error), 2)) from error


def _prices(given: list[str]) -> dict[str, Price]:
    prices = {}
    for text in given:
        model, _, numbers = text.rpartition("=")
        try:
            into, out = (float(number) for number in numbers.split(","))
        except ValueError:
            raise typer.Exit(complain(f"--price {text}: write IN,OUT or MODEL=IN,OUT", 2)) from None
        prices[model] = (into, out)
    return prices


def _print(plan: Plan, report: Report, folder: Path, *, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(orjson.dumps(report.summary, option=orjson.OPT_INDENT_2).decode() + "\n")
    else:
        console = Console(width=console_width())
        console.print(summary_table(report.summary, plan.kind, console))
        config = plan.config
        engines = " and ".join(sorted(report.engines)) or "nobody"
        typer.echo(
            f"{config.case_count} cases ({config.cases}), runs {config.runs}, seed {config.seed}, "
            f"persona {config.persona}, noise {config.noise}, played by: {config.patient}, "
            f"verified by: {config.verifier}, scored by: {engines}"
        )
        if report.traffic.calls or report.traffic.cached:
            typer.echo(traffic_line(report.traffic))
        typer.echo(f"episodes and summary: {folder}")
    for policy, faults in report.faults.items():
        typer.echo(f"warning: {policy}: {len(faults)} unscored after a fault, first {faults[0]}", err=True)


@contextmanager
def _progress() -> Iterator[Callback]:
    """Show progress on stderr: a bar on a terminal, a line every half minute elsewhere."""
    if not sys.stderr.isatty():
        yield _lines()
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    began = time.monotonic()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def update(state: State) -> None:
            told = ", ".join([state.policy, *state_notes(state, time.monotonic() - began)])
            bar.update(task, completed=state.done, total=state.total, description=told.replace("[", "\\["))

        yield update


def _lines() -> Callback:
    last = began = time.monotonic()

    def tell(state: State) -> None:
        nonlocal last
        if state.done == state.total or time.monotonic() - last >= 30:
            last = time.monotonic()
            notes = ", ".join([state.policy, *state_notes(state, last - began)])
            typer.echo(f"{state.done} of {state.total} episodes ({notes})", err=True)

    return tell


app = typer.Typer(add_completion=False, rich_markup_mode="rich")
app.command(epilog=EPILOG)(run_eval)

if __name__ == "__main__":
    sys.exit(invoke(app, sys.argv[1:], "run_eval.py"))
