"""A suite from beginning to end: its runs in folders of their own, then the tables, each whole or not at all."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

from bedside.benchmarks.evaluate import Progress, Report, Workforce, evaluate
from bedside.benchmarks.plan import Plan
from bedside.benchmarks.report.page import make_report
from bedside.benchmarks.runs import RunConfig, RunError
from bedside.benchmarks.suites.evidence import Evidence
from bedside.benchmarks.suites.suite import Suite
from bedside.benchmarks.suites.tables import tables_of
from bedside.benchmarks.tables.formats import FORMATS
from bedside.benchmarks.tables.table import Table

__all__ = ["REPORT", "TABLES", "play_suite", "write_tables"]

REPORT = "report.html"
"""The page of a suite, with figures and transcripts."""

TABLES = "tables"
"""Folder of a suite's tables, beside those of its runs."""


def play_suite(
    plans: Mapping[str, Plan],
    out: Path,
    force: Workforce,
    *,
    resume: bool,
    progress: Callable[[str], AbstractContextManager[Progress | None]],
) -> Iterator[tuple[str, Report]]:
    """Run the conditions one after the other; each is an ordinary run folder, and resumed as such.

    Args:
        plans: Evaluations by the names of their conditions.
        out: Folder of the suite.
        force: Who does the work.
        resume: Go on with what the folders hold.
        progress: Shows how far a condition is.

    Yields:
        Each condition with what it came to.

    Raises:
        RunError: A folder cannot be used or written.
        WorkerError: A worker process died.
    """
    if not resume and out.exists() and any(out.iterdir()):
        raise RunError(f"{out} is not empty; add --resume to go on with it, or give another --out")
    for name, plan in plans.items():
        with progress(name) as told:
            yield name, evaluate(plan, out / name, force, resume=resume, progress=told)


def write_tables(suite: Suite, out: Path, conditions: Mapping[str, Plan], command: str) -> list[Table]:
    """Make the tables of a finished suite and write them in all formats, and the report beside them.

    Args:
        suite: Which one.
        out: Its folder.
        conditions: What was run.
        command: How it can be run again.

    Raises:
        RunError: A run is not finished, or a file could not be written.
    """
    found = {name: Evidence(out / name, plan.cases) for name, plan in conditions.items()}
    config = next(iter(found.values())).config
    tables = tables_of(suite.name, found, caption_of(suite, config, command))
    folder = out / TABLES
    try:
        folder.mkdir(exist_ok=True)
        for table in tables:
            for ending, write in FORMATS.items():
                _write(folder / f"{table.name}.{ending}", write(table))
        _write(folder / "all.md", "\n".join(FORMATS["md"](table) for table in tables))
        _write(out / REPORT, make_report([out / name for name in conditions]).html)
    except OSError as error:
        raise RunError(
            f"{folder}: {error.strerror}; the runs are whole, the same command with --resume writes it"
        ) from error
    return tables


def caption_of(suite: Suite, config: RunConfig, command: str) -> str:
    """Say how the figures of a suite came about."""
    episodes = "episode" if config.runs == 1 else "episodes"
    return (
        f"Suite {suite.name}: {config.case_count} cases ({config.cases}), {config.runs} {episodes} of each, seed "
        f"{config.seed}; patient {config.patient}, orchestrator {config.orchestrator}, scored by {config.judge}. "
        f"Brackets: 95 % intervals over cases. {command}"
    )


def _write(path: Path, content: str) -> None:
    part = path.with_name(path.name + ".part")
    part.write_text(content, encoding="utf-8")
    part.replace(path)
