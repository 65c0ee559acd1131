"""The command ``bedside compare``: differences between runs on the same cases, or between the policies of one run.

Clean and noisy, one persona and another, old and new, one model and another: what is compared met the same patients
with the same seeds, so every difference is taken within an episode's pair, and its interval is that of the differences.
The first that is named is what all others are compared with.
"""

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import orjson
import typer
from rich.console import Console

from bedside.benchmarks.command import console_width
from bedside.benchmarks.evaluate import Summary
from bedside.benchmarks.measures import measure_of
from bedside.benchmarks.protocols import kind_of
from bedside.benchmarks.run_eval import bad_input_told
from bedside.benchmarks.runs import RunConfig, RunError, read_config
from bedside.benchmarks.scores import Tables, read_scores, score_tables
from bedside.benchmarks.stats.intervals import difference_interval
from bedside.benchmarks.stats.resampling import Floats
from bedside.benchmarks.tables.formats import as_rich
from bedside.benchmarks.tables.summary import summary_table

__all__ = ["Comparison", "compare", "compare_policies", "compare_runs"]

PAIRED = ("env", "case_hash", "limit", "spread", "shard", "runs", "seed")
"""Settings in which two runs must agree for their episodes to be pairs."""


@dataclass(frozen=True)
class Comparison:
    """How much higher something scores than what it is compared with.

    Attributes:
        name: What it is, in words.
        summary: Mean differences with their intervals, by policy and score.
        settings: What was set differently.
    """

    name: str
    summary: Summary
    settings: tuple[str, ...] = ()


def compare(
    runs: Annotated[list[Path], typer.Argument(help="Finished run folders.", metavar="RUN...")],
    policy: Annotated[
        str,
        typer.Option(
            help="Only these. With one RUN: who is compared, all others with the first; left out: all of the run.",
            metavar="NAME[,NAME…]",
        ),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print all scores as JSON instead of the table.")] = False,
) -> None:
    """Say how much higher each RUN scores than the first, with paired intervals; with one RUN, each policy.

    Runs must have been made with the same cases, --runs and --seed; persona, noise, models and code may differ. Two
    runs of one policy each are compared whatever the policies are called.
    """
    policies = [name.strip() for name in policy.split(",") if name.strip()]
    with bad_input_told():
        kind = kind_of(read_config(runs[0]).env)
        found = compare_runs(runs, policies) if len(runs) > 1 else [compare_policies(runs[0], policies)]
    if as_json:
        sys.stdout.write(orjson.dumps({c.name: c.summary for c in found}, option=orjson.OPT_INDENT_2).decode() + "\n")
        return
    console = Console(width=console_width())
    for comparison in found:
        typer.echo(f"{comparison.name}" + (f" ({'; '.join(comparison.settings)})" if comparison.settings else ""))
        console.print(as_rich(summary_table(comparison.summary, kind, differences=True), console))


def compare_runs(runs: Sequence[Path], policies: Sequence[str] = ()) -> list[Comparison]:
    """Compare each run with the first, policy by policy.

    Args:
        runs: Two or more.
        policies: Only these; empty for all that two runs have in common.

    Raises:
        RunError: A folder is not a finished run, or two do not pair up.
    """
    first, *others = runs
    configs = {run: read_config(run) for run in runs}
    reference = _tables(first, configs[first])
    return [
        _compared(first, run, configs[first], configs[run], reference, _tables(run, configs[run]), policies)
        for run in others
    ]


def compare_policies(run: Path, policies: Sequence[str] = ()) -> Comparison:
    """Compare the policies of a run with the first of them.

    Args:
        run: The run.
        policies: Which, the first being what the others are compared with; empty for all.

    Raises:
        RunError: The folder is not a finished run, or has no two such policies.
    """
    config = read_config(run)
    tables = _tables(run, config)
    chosen = policies or config.policies
    _require(run, config, chosen)
    if len(chosen) < 2:
        raise RunError(f"{run} has only the policy {chosen[0]} to compare; give another run, or two policies")
    first, *others = chosen
    rows = {name: _differences(tables[name], tables[first], config.seed) for name in others}
    return Comparison(f"{run}: less {first}", rows)


def _compared(
    first: Path,
    run: Path,
    before: RunConfig,
    after: RunConfig,
    reference: Tables,
    tables: Tables,
    policies: Sequence[str],
) -> Comparison:
    for name in PAIRED:
        ours, theirs = getattr(before, name), getattr(after, name)
        if ours != theirs:
            raise RunError(f"{first} and {run} cannot be compared in pairs: {name} is {ours} and {theirs}")
    for path, config in ((first, before), (run, after)):
        _require(path, config, policies)
    pairs = {policy: policy for policy in policies or tables if policy in reference}
    if not pairs and len(reference) == len(tables) == 1:
        pairs = {next(iter(tables)): next(iter(reference))}
    if not pairs:
        raise RunError(f"{first} and {run} have no policy in common")
    rows = {ours: _differences(tables[ours], reference[theirs], before.seed) for ours, theirs in pairs.items()}
    return Comparison(f"{run} less {first}", rows, tuple(before.differences(after)))


def _require(run: Path, config: RunConfig, policies: Sequence[str]) -> None:
    for policy in policies:
        if policy not in config.policies:
            raise RunError(f"{run} has no policy {policy!r}; it has {', '.join(config.policies)}")


def _differences(
    ours: dict[str, Floats], theirs: dict[str, Floats], seed: int
) -> dict[str, dict[str, float | int | None]]:
    return {
        name: asdict(difference_interval(values, theirs[name], seed, share=measure_of(name).share))
        for name, values in ours.items()
        if name in theirs
    }


def _tables(run: Path, config: RunConfig) -> Tables:
    return score_tables(read_scores(run), config.runs)
