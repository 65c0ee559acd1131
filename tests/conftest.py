"""What every test gets: the open cases, and no network."""

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import hypothesis
import pytest

from bedside.cases.case import Case
from bedside.cases.sources import load_cases

# A busy machine is no fault of the code, and a suite that passed once passes again.
hypothesis.settings.register_profile("suite", deadline=None, derandomize=True)
hypothesis.settings.load_profile("suite")


@pytest.fixture(autouse=True, scope="session")
def no_network():
    """Let sockets reach this machine only."""
    connect = socket.socket.connect

    def guarded(self, address):
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in (
            "127.0.0.1",
            "::1",
            "localhost",
        ):
            raise AssertionError(f"a test tried to reach {address}")
        return connect(self, address)

    socket.socket.connect = guarded
    yield
    socket.socket.connect = connect


@pytest.fixture
def within() -> Iterator[Callable[[float], AbstractContextManager[None]]]:
    """Bound a block to seconds of processor time by TimeoutError, so that a hang fails and does not hang the tests."""

    def too_slow(*_):
        raise TimeoutError

    @contextmanager
    def bounded(seconds):
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    before = signal.signal(signal.SIGVTALRM, too_slow)
    yield bounded
    signal.signal(signal.SIGVTALRM, before)


@pytest.fixture(scope="session")
def open_cases() -> list[Case]:
    return load_cases("open")


@pytest.fixture(scope="session")
def some_cases(open_cases) -> list[Case]:
    """Three cases of each chapter, for laws that would take minutes over all of them."""
    return [case for case in open_cases if int(case.id[-2:]) % 7 == 1]


@pytest.fixture(scope="session")
def case_of(open_cases):
    """Find an open case by the beginning of its id."""

    def find(prefix: str) -> Case:
        return next(case for case in open_cases if case.id.startswith(prefix))

    return find
