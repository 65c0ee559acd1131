"""How far a piece of work is, on stderr: a bar on a terminal, a line every half minute elsewhere."""

import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as BarOfRich

from bedside.benchmarks.evaluate import Progress as Callback
from bedside.benchmarks.evaluate import State
from bedside.benchmarks.traffic import state_notes

__all__ = ["Count", "show_count", "show_progress"]

PAUSE_S = 30


@contextmanager
def show_progress() -> Iterator[Callback]:
    """Yield what an evaluation is to call."""
    if not sys.stderr.isatty():
        yield _lines()
        return
    began = time.monotonic()
    with _bar() as bar:
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


class Count(ABC):
    """Pieces of work that are counted as they are done."""

    def __init__(self, total: int, noun: str) -> None:
        self._total, self._noun, self._done = total, noun, 0

    def tick(self, what: str) -> None:
        """Count one more.

        Args:
            what: Kind of the piece that is done.
        """
        self._done += 1
        self._show(what)

    @abstractmethod
    def _show(self, what: str) -> None:
        """Tell how far the work is."""

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Leave the terminal to others for a while."""
        yield


class _Bar(Count):
    def __init__(self, total: int, noun: str, bar: BarOfRich) -> None:
        super().__init__(total, noun)
        self._bar = bar
        self._task = bar.add_task(noun, total=total)

    def _show(self, what: str) -> None:
        self._bar.update(self._task, completed=self._done, description=what)

    @contextmanager
    def aside(self) -> Iterator[None]:
        self._bar.stop()
        try:
            yield
        finally:
            self._bar.start()


class _Lines(Count):
    def __init__(self, total: int, noun: str) -> None:
        super().__init__(total, noun)
        self._last = time.monotonic()

    def _show(self, what: str) -> None:
        if self._done == self._total or time.monotonic() - self._last >= PAUSE_S:
            self._last = time.monotonic()
            typer.echo(f"{self._done} of {self._total} {self._noun} ({what})", err=True)


@contextmanager
def show_count(total: int, noun: str) -> Iterator[Count]:
    """Yield what is to be told of each piece of work that is done.

    Args:
        total: Pieces in all.
        noun: What they are.
    """
    if not sys.stderr.isatty():
        yield _Lines(total, noun)
        return
    with _bar() as bar:
        yield _Bar(total, noun, bar)


def _bar() -> BarOfRich:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # Standard output may be a file: what is written there is not the bar's to draw.
    return BarOfRich(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)
