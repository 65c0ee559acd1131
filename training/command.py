"""``bedside curriculum``: verified noisy dialogues from the command line."""

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bedside.training.curriculum import STAGES, Curriculum, stages_between
from bedside.training.curriculum_folder import write_curriculum

__all__ = ["curriculum"]


def curriculum(
    out: Annotated[Path, typer.Option(help="The dataset's folder. An interrupted run goes on where it was.")],
    count: Annotated[int, typer.Option("--n", help="Number of dialogues.")] = 1000,
    stages: Annotated[str, typer.Option(help=f"A span or a list of {', '.join(STAGES)}.")] = "easy..hard",
    split: Annotated[str, typer.Option(help="train, dev, test, or all cases; splits share no case.")] = "train",
    env: Annotated[str, typer.Option(help="A registered environment.")] = "bedside/Discharge-v0",
    cases: Annotated[str, typer.Option(help="Case source, as for eval.")] = "open",
    policy: Annotated[
        str,
        typer.Option(
            help="Clinicians, or provider/model, separated by commas: checklist is quick, teachback asks back and "
            "takes three times as long."
        ),
    ] = "checklist",
    persona: Annotated[str, typer.Option(help="Persona of every patient, or PAPER:random.")] = "dischargebench:random",
    briefing: Annotated[str, typer.Option(help="full, or compact for small models.")] = "full",
    max_turns: Annotated[int, typer.Option(help="Longest talk.")] = 40,
    workers: Annotated[int, typer.Option(help="Processes; the bytes do not depend on it.")] = 2,
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 0,
) -> None:
    """Write verified dialogues, easy to hard, as JSONL and Parquet in the messages format, with a dataset card."""
    columns = (TextColumn("dialogues"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        wanted = Curriculum(
            count=count,
            env=env,
            cases=cases if split == "all" else f"{cases}:{split}",
            policies=tuple(policy.split(",")),
            persona=persona,
            stages=stages_between(stages),
            briefing=briefing,
            max_turns=max_turns,
            seed=seed,
        )
        with Progress(*columns) as bar:
            task = bar.add_task("", total=count)
            counts = write_curriculum(
                wanted, out, split=split, workers=workers, progress=lambda done, _: bar.update(task, completed=done)
            )
    except (ValueError, OSError, RuntimeError) as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from None
    typer.echo(f"{counts['kept']} dialogues in {out} ({counts['duplicates']} duplicates left out)")
