"""How far an evaluation is, on stderr: a bar on a terminal, a line every half minute elsewhere."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bedside.benchmarks.evaluate import Progress as Callback
from bedside.benchmarks.evaluate import State
from bedside.benchmarks.traffic import state_notes

__all__ = ["show_progress"]

PAUSE_S = 30


@contextmanager
def show_progress() -> Iterator[Callback]:
    """Yield what an evaluation is to call."""
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
        if state.done == state.total or time.monotonic() - last >= PAUSE_S:
            last = time.monotonic()
            notes = ", ".join([state.policy, *state_notes(state, last - began)])
            typer.echo(f"{state.done} of {state.total} episodes ({notes})", err=True)

    return tell
