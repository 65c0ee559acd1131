"""``run_eval --suite``: what the user asked for, run as a suite and printed as its tables."""

import sys
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import orjson
import typer
from rich.console import Console

from bedside.benchmarks.command import complain, console_width
from bedside.benchmarks.evaluate import Progress, Report, Workforce
from bedside.benchmarks.plan import Settings, make_plan
from bedside.benchmarks.progress import show_progress
from bedside.benchmarks.run_eval import bad_input_told, failures_told
from bedside.benchmarks.suites.catalogue import SUITES
from bedside.benchmarks.suites.running import REPORT, TABLES, play_suite, write_tables
from bedside.benchmarks.suites.suite import Suite, settings_for
from bedside.benchmarks.tables.formats import as_rich

__all__ = ["run_suite"]


def run_suite(
    name: str,
    common: Settings,
    runs: int | None,
    out: Path,
    force: Workforce,
    *,
    resume: bool,
    as_json: bool,
) -> None:
    """Run a suite and print its tables.

    Args:
        name: Of the suite.
        common: What the user asked for; environment and patients are the suite's.
        runs: Episodes of each case and condition; None for the suite's own number.
        out: Folder of the suite.
        force: Who does the work.
        resume: Go on with what the folder holds.
        as_json: Print the summaries of the conditions, and nothing else.

    Raises:
        typer.Exit: Something cannot be used, or failed; the reason has been told.
    """
    with bad_input_told():
        suite = _named(name, common)
        plans = {condition: make_plan(settings) for condition, settings in settings_for(suite, common, runs).items()}
    reports: dict[str, Report] = {}
    with failures_told(f"the runs so far are in {out}, go on with --resume"):
        for condition, report in play_suite(plans, out, force, resume=resume, progress=_told):
            reports[condition] = report
            _warn(condition, report)
        if not as_json:
            typer.echo("making the tables", err=True)
        tables = write_tables(suite, out, plans, _command(suite, common, runs))
    if as_json:
        summaries = {condition: report.summary for condition, report in reports.items()}
        sys.stdout.write(orjson.dumps(summaries, option=orjson.OPT_INDENT_2).decode() + "\n")
    else:
        console = Console(width=console_width())
        for table in tables:
            console.print(as_rich(replace(table, caption=""), console), "")
        console.print(tables[0].caption, markup=False, highlight=False)
        typer.echo(f"page with figures and transcripts: {out / REPORT}; tables as Markdown, LaTeX, CSV: {out / TABLES}")
        typer.echo(f"runs: {', '.join(str(out / name) for name in plans)}")
    if failed := sorted({policy for report in reports.values() for policy in report.failed}):
        raise typer.Exit(complain(f"every episode of a condition failed with {', '.join(failed)}", 1))


def _named(name: str, common: Settings) -> Suite:
    if name not in SUITES:
        raise ValueError(f"unknown suite {name!r}; there are {', '.join(SUITES)}")
    for option, value in (("env", common.env), ("persona", common.persona), ("noise", common.noise)):
        if value:
            raise ValueError(f"--{option} {value}: a suite has its own; leave it out, or leave out --suite")
    if common.shard:
        raise ValueError("--shard: a suite is not split; shard the runs that it is made of")
    return SUITES[name]


def _told(condition: str) -> AbstractContextManager[Progress]:
    typer.echo(f"{condition}:", err=True)
    return show_progress()


def _warn(condition: str, report: Report) -> None:
    for policy, faults in report.faults.items():
        typer.echo(f"warning: {condition}, {policy}: {len(faults)} unscored after a fault, first {faults[0]}", err=True)


def _command(suite: Suite, common: Settings, runs: int | None) -> str:
    """Return the command line that gives the same figures."""
    parts = ["bedside eval --suite", suite.name, "--cases", common.cases]
    parts += ["--policy", ",".join(common.policies)] if common.policies else []
    parts += ["--limit", str(common.limit)] if common.limit is not None else []
    parts += ["--runs", str(runs)] if runs is not None else []
    for option in ("patient", "orchestrator", "judge", "verifier"):
        value = getattr(common, option)
        parts += [f"--{option}", value] if value != getattr(Settings(""), option) else []
    return " ".join([*parts, "--seed", str(common.seed)])
