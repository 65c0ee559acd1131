"""A finished run on Weights & Biases: what was set, the figures, a table of all episodes, and some of the talks.

Nothing is sent unless the user has said so: without ``WANDB_API_KEY`` or ``WANDB_MODE`` in the environment the log is
kept in the run folder, for ``wandb sync``.
"""

import os
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from bedside.benchmarks.evaluate import Report
from bedside.benchmarks.runs import RunError
from bedside.benchmarks.transcript import read_episodes
from bedside.cases.case import Case
from bedside.chat.privacy import FLAG

__all__ = ["check_wandb", "log_run"]

MOST_ROWS = 10_000
"""Episodes in the table; Weights & Biases shows no more."""

TALKS = 32
"""Talks that are logged in full, spread evenly over the run."""


def check_wandb(cases: Sequence[Case], *, allow_credentialed: bool) -> None:
    """Find out before a run whether it can be logged.

    Args:
        cases: What is played.
        allow_credentialed: Whether credentialed cases may leave this machine.

    Raises:
        ValueError: It cannot; the message says what to do.
    """
    if find_spec("wandb") is None:
        raise ValueError("--wandb needs Weights & Biases: pip install wandb")
    if _mode() != "offline" and not allow_credentialed and any(case.credentialed for case in cases):
        raise ValueError(
            f"--wandb would send talks about credentialed cases away; set WANDB_MODE=offline, or add {FLAG}"
        )


def log_run(report: Report, folder: Path, project: str) -> str:
    """Log a run.

    Args:
        report: What it came to.
        folder: The run folder.
        project: Name of the project there.

    Returns:
        Where the log is, in words.

    Raises:
        RunError: It could not be logged; the run itself is safe.
    """
    import wandb

    try:
        return _logged(wandb, report, folder, project)
    except (wandb.Error, OSError) as error:
        raise RunError(f"not logged to Weights & Biases: {error}; the run is finished, in {folder}") from error


def _logged(wandb: Any, report: Report, folder: Path, project: str) -> str:
    run = wandb.init(
        project=project,
        name=folder.resolve().name,
        dir=str(folder),
        config=report.config.model_dump(mode="json"),
        mode=_mode(),
        settings=wandb.Settings(silent=True),
    )
    for policy, scores in report.summary.items():
        for name, interval in scores.items():
            run.summary.update({f"{policy}/{name}/{end}": value for end, value in interval.items()})
    rows = report.scores.slice(0, MOST_ROWS)
    run.log(
        {
            "episodes": wandb.Table(columns=rows.column_names, data=[list(row.values()) for row in rows.to_pylist()]),
            "talks": wandb.Table(columns=["policy", "case", "run", "stop", "talk"], data=_talks(report, folder)),
        }
    )
    where = f"kept in {run.dir}; send it with: wandb sync" if run.settings.mode == "offline" else str(run.url)
    run.finish()
    return f"wandb: {where}"


def _mode() -> Any:
    return os.environ.get("WANDB_MODE") or ("online" if os.environ.get("WANDB_API_KEY") else "offline")


def _talks(report: Report, folder: Path) -> list[list[Any]]:
    step = max(1, len(report.scores) // TALKS)
    return [
        [episode.policy, episode.case, episode.run, str(episode.stop), episode.dialogue]
        for episode in islice(read_episodes(folder), 0, None, step)
    ]
