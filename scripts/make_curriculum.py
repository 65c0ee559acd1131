"""Write verified noisy dialogues for fine-tuning: ``python scripts/make_curriculum.py --out curriculum.jsonl``."""

from pathlib import Path
from typing import Annotated

import typer

from bedside.cases.sources import load_cases
from bedside.training.curriculum import STAGES, write_curriculum


def main(
    out: Annotated[Path, typer.Option(help="The JSONL file to write.")],
    env: Annotated[str, typer.Option(help="bedside/Discharge-v0 or bedside/Diagnosis-v0.")] = "bedside/Discharge-v0",
    cases: Annotated[str, typer.Option(help="Case source, as for run_eval.")] = "open",
    policy: Annotated[str, typer.Option(help="Who speaks.")] = "teachback",
    count: Annotated[int, typer.Option("--n", help="Number of dialogues.")] = 100,
    stages: Annotated[str, typer.Option(help="Stages, easy to hard.")] = ",".join(STAGES),
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 0,
) -> None:
    """Generate verified dialogues, easy to hard, in the messages format that TRL's SFTTrainer takes."""
    try:
        written = write_curriculum(
            out,
            env_id=env,
            cases=load_cases(cases),
            policy=policy,
            count=count,
            stages=stages.split(","),
            seed=seed,
        )
    except (ValueError, OSError) as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from None
    typer.echo(f"{written} dialogues in {out}")


if __name__ == "__main__":
    typer.run(main)
