import multiprocessing
import os
import signal
import time
from contextlib import closing

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


@pytest.mark.parametrize("workers", [1, 2])
def test_order_is_that_of_the_items(workers):
    items = [("sleep", 0.02 if i % 7 == 0 else 0) for i in range(5)] + [("echo", i) for i in range(100)]
    with closing(ordered_map(Job, items, workers)) as results:
        assert list(results) == [number for _, number in items]


def test_a_slow_item_holds_back_little_and_closing_waits_for_nothing():
    drawn = []

    def items():
        for number in range(1000):
            drawn.append(number)
            yield ("sleep", 60 if number > 90 else 0.3) if number in (0, 91, 92) else ("echo", number)

    begin = time.monotonic()
    with closing(ordered_map(Job, items(), 2)) as results:
        assert next(results) == 0.3
        assert len(drawn) <= 65
        for _ in range(90):
            next(results)
    assert time.monotonic() - begin < 30
    assert not multiprocessing.active_children()


def test_a_killed_worker_is_noticed():
    with (
        pytest.raises(WorkerError, match="killed by signal 9"),
        closing(ordered_map(Job, [("echo", 1), ("die", 0)], 2)) as results,
    ):
        list(results)
    assert not multiprocessing.active_children()


def test_an_error_in_a_worker_is_told_with_its_trace():
    with (
        pytest.raises(WorkerError, match="ZeroDivisionError: on purpose") as caught,
        closing(ordered_map(Job, [("raise", 0)] * 3, 2)) as results,
    ):
        list(results)
    assert "test_crew.py" in caught.value.trace
