"""Options that several commands of evaluation share, each told once; ``--help`` shows them in these groups."""

from pathlib import Path
from typing import Annotated

import typer

from bedside.benchmarks.command import complain
from bedside.benchmarks.protocols import PROTOCOLS
from bedside.chat.accounted import Price

__all__ = [
    "AsJson",
    "Cache",
    "Cases",
    "Concurrency",
    "Engine",
    "Env",
    "JudgeName",
    "Prices",
    "Reward",
    "Seed",
    "Workers",
    "parse_prices",
]

WHAT, PATIENTS, MODELS, SCORING, WORK = (
    "What is evaluated",
    "Patients",
    "Language models",
    "Scoring",
    "How the work is done (the result is the same)",
)

Env = Annotated[
    str,
    typer.Option(help=f"The encounter, or a paper's protocol: {', '.join(PROTOCOLS)}.", rich_help_panel=WHAT),
]
Cases = Annotated[
    str,
    typer.Option(
        help="Whom to treat: open, ddxplus:DIR, agentclinic:FILE, verisim:FILE, dischargesim:DIR, FILE.jsonl.",
        metavar="SOURCE",
        rich_help_panel=WHAT,
    ),
]
Seed = Annotated[int, typer.Option(help="Seed of the whole evaluation.", metavar="S", rich_help_panel=WHAT)]
JudgeName = Annotated[
    str,
    typer.Option("--judge", help="Who scores: embedded, or PROVIDER/MODEL.", metavar="NAME", rich_help_panel=SCORING),
]
Reward = Annotated[
    str,
    typer.Option(
        help="Weights of the training reward: default, dischargesim, verisim, dischargebench, or a TOML file.",
        metavar="NAME|FILE",
        rich_help_panel=SCORING,
    ),
]
Concurrency = Annotated[
    int, typer.Option(help="Most calls at once to an endpoint.", min=1, metavar="N", rich_help_panel=WORK)
]
Workers = Annotated[int, typer.Option(help="Processes.", metavar="W", rich_help_panel=WORK)]
Engine = Annotated[
    str,
    typer.Option(
        help="Where the processes are: local, or ray (the cluster of RAY_ADDRESS, else one of this machine).",
        metavar="NAME",
        rich_help_panel=WORK,
    ),
]
Cache = Annotated[
    Path | None,
    typer.Option(
        help="Keep answers of language models here and ask nothing twice.",
        envvar="BEDSIDE_CACHE",
        rich_help_panel=MODELS,
    ),
]
Prices = Annotated[
    list[str] | None,
    typer.Option(
        "--price",
        help="Of a million tokens in and out, to count costs: 0.4,1.6 for all models, openai/NAME=0.4,1.6 for one.",
        metavar="[MODEL=]IN,OUT",
        rich_help_panel=MODELS,
    ),
]
AsJson = Annotated[
    bool,
    typer.Option("--json", help="Print summary.json instead of the table, and nothing else, on stdout."),
]


def parse_prices(given: list[str] | None) -> dict[str, Price]:
    """Read what ``--price`` says.

    Raises:
        typer.Exit: It cannot be read; the user has been told.
    """
    prices = {}
    for text in given or []:
        model, _, numbers = text.rpartition("=")
        try:
            into, out = (float(number) for number in numbers.split(","))
        except ValueError:
            raise typer.Exit(complain(f"--price {text}: write IN,OUT or MODEL=IN,OUT", 2)) from None
        prices[model] = (into, out)
    return prices
