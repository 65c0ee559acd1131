import multiprocessing
import os
import signal
import time
from contextlib import closing
from functools import partial

import pytest

from bedside.benchmarks.crew import WorkerError, ordered_map


class Job:
    """Answers with what it is asked to do."""

    def __call__(self, item):
        verb, number = item
        if verb == "sleep":
            time.sleep(number)
        elif verb == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        elif verb == "raise":
            raise ZeroDivisionError("on purpose")
        return number


def refuse():
    raise ValueError("cannot be built")


@pytest.mark.parametrize("workers", [1, 2])
def test_order_is_that_of_the_items(workers):
    items = [("sleep", 0.02 if i % 7 == 0 else 0) for i in range(5)] + [("echo", i) for i in range(100)]
    with closing(ordered_map(Job, items, workers)) as results:
        assert list(results) == [number for _, number in items]


def test_items_are_not_drawn_far_ahead_of_a_slow_one():
    drawn = []

    def items():
        for number in range(1000):
            drawn.append(number)
            yield ("sleep", 0.3) if number == 0 else ("echo", number)

    with closing(ordered_map(Job, items(), 2)) as results:
        next(results)
        assert len(drawn) <= 65


def test_a_killed_worker_is_noticed():
    with (
        pytest.raises(WorkerError, match="killed by signal 9"),
        closing(ordered_map(Job, [("echo", 1), ("die", 0)], 2)) as results,
    ):
        list(results)
    assert not multiprocessing.active_children()


@pytest.mark.parametrize(
    ("build", "message"), [(Job, "on purpose"), (partial(refuse), "cannot be built")], ids=["job", "build"]
)
def test_an_error_in_a_worker_is_told_with_its_trace(build, message):
    with (
        pytest.raises(WorkerError, match=message),
        closing(ordered_map(build, [("raise", 0)] * 3, 2)) as results,
    ):
        list(results)


def test_closing_stops_the_workers_at_once():
    begin = time.monotonic()
    with closing(ordered_map(Job, [("echo", 1), *[("sleep", 60)] * 5], 2)) as results:
        assert next(results) == 1
    assert time.monotonic() - begin < 30
    assert not multiprocessing.active_children()
