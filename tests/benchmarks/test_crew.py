import gc
import multiprocessing
import os
import signal
import time
from contextlib import closing

import pytest

from bedside.benchmarks.crew import WorkerError, as_completed


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
        elif verb == "collector":
            return gc.get_threshold()[0]
        return number


@pytest.mark.parametrize(("workers", "threads"), [(1, 1), (1, 4), (2, 1), (2, 4)])
def test_every_result_comes_once_with_the_number_of_its_item(workers, threads):
    items = [("sleep", 0.02 if i % 7 == 0 else 0) for i in range(5)] + [("echo", i) for i in range(100)]
    with closing(as_completed(Job, items, workers, threads)) as results:
        assert sorted(results) == [(i, number) for i, (_, number) in enumerate(items)]


@pytest.mark.parametrize(("workers", "threads"), [(1, 4), (2, 2)])
def test_a_slow_item_holds_back_nothing_and_closing_waits_for_nothing(workers, threads):
    drawn = []

    def items():
        for number in range(1000):
            drawn.append(number)
            yield ("sleep", 60) if number == 0 else ("echo", number)

    begin = time.monotonic()
    with closing(as_completed(Job, items(), workers, threads)) as results:
        first = {next(results) for _ in range(200)}
        assert len(first) == 200
        assert first <= {(i, i) for i in range(1, 210)}
        assert len(drawn) <= 210
    assert time.monotonic() - begin < 30
    assert not multiprocessing.active_children()


def test_threads_wait_side_by_side():
    begin = time.monotonic()
    with closing(as_completed(Job, [("sleep", 0.2)] * 20, 1, 20)) as results:
        assert len(list(results)) == 20
    assert time.monotonic() - begin < 2


def test_a_killed_worker_is_noticed():
    with (
        pytest.raises(WorkerError, match="killed by signal 9"),
        closing(as_completed(Job, [("echo", 1), ("die", 0)], 2)) as results,
    ):
        list(results)
    assert not multiprocessing.active_children()


@pytest.mark.parametrize(("workers", "threads"), [(1, 2), (2, 1), (2, 2)])
def test_an_error_in_a_worker_is_told_with_its_trace(workers, threads):
    with (
        pytest.raises(WorkerError, match="ZeroDivisionError: on purpose") as caught,
        closing(as_completed(Job, [("raise", 0)] * 3, workers, threads)) as results,
    ):
        list(results)
    assert "test_crew.py" in caught.value.trace


def test_workers_collect_garbage_seldom_and_the_host_as_it_did_before():
    usual = gc.get_threshold()
    with closing(as_completed(Job, [("collector", None)], workers=2)) as results:
        assert next(results)[1] > 10 * usual[0]
    assert gc.get_threshold() == usual
