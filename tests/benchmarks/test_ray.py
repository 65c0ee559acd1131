"""Evaluations on a Ray cluster; a local one stands for it."""

import os
import signal
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest
import ray

from bedside.benchmarks.command import invoke
from bedside.benchmarks.crew import WorkerError
from bedside.benchmarks.evaluate import Workforce, evaluate
from bedside.benchmarks.plan import Settings, make_plan
from bedside.benchmarks.ray_crew import as_completed_on_ray
from bedside.benchmarks.run_eval import app
from bedside.benchmarks.runs import CONFIG, EPISODES, SCORES, SUMMARY

SETTINGS = ["--env", "discharge", "--policy", "silent,note-dump", "--limit", "3"]


@pytest.fixture(scope="module", autouse=True)
def cluster():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_AUTH_MODE", "disabled")
        # The workers find this file, and the code that is tested.
        patch.setenv("PYTHONPATH", os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)]))
        ray.init(
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            object_store_memory=100 * 2**20,
            _node_ip_address="127.0.0.1",
        )
    yield
    ray.shutdown()


class Job:
    """Answers with what it is asked to do."""

    def __call__(self, item):
        verb, value = item
        if verb == "raise":
            raise ZeroDivisionError("on purpose")
        if verb == "die" or (verb == "die once" and not Path(value).exists()):
            Path(value).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return value


@pytest.mark.parametrize("threads", [1, 3])
def test_every_result_comes_once_though_a_worker_dies(tmp_path, threads):
    flag = str(tmp_path / "died")
    items = [("echo", i) for i in range(30)]
    items[4] = ("die once", flag)
    with closing(as_completed_on_ray(Job, items, 2, threads)) as results:
        assert sorted(results) == [(i, value) for i, (_, value) in enumerate(items)]


def test_what_kills_every_worker_is_told(tmp_path):
    with (
        pytest.raises(WorkerError, match="died 3 times with the same episode"),
        closing(as_completed_on_ray(Job, [("echo", 1), ("die", str(tmp_path / "x"))], 2)) as results,
    ):
        list(results)


def test_an_error_in_a_worker_is_told_with_its_trace():
    with (
        pytest.raises(WorkerError, match="ZeroDivisionError: on purpose") as caught,
        closing(as_completed_on_ray(Job, [("raise", 0)], 1)) as results,
    ):
        list(results)
    assert "test_ray.py" in caught.value.trace


def kill_a_worker():
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "cmdline").read_bytes().startswith(b"ray::_Actor"):
                os.kill(int(process.name), signal.SIGKILL)
                return True
    return False


def test_the_bytes_are_those_of_the_local_engine_though_a_worker_is_killed(few, tmp_path):
    assert invoke(app, [*SETTINGS, "--cases", str(few), "--out", str(tmp_path / "local")], "run_eval.py") == 0
    killed = []

    def progress(state):
        if state.done == 2:
            killed.append(kill_a_worker())

    plan = make_plan(Settings("discharge", str(few), ("silent", "note-dump"), limit=3))
    evaluate(plan, tmp_path / "ray", Workforce(2, 1, "ray"), progress=progress)
    assert killed == [True]
    for name in (EPISODES, SUMMARY, SCORES, CONFIG):
        assert (tmp_path / "ray" / name).read_bytes() == (tmp_path / "local" / name).read_bytes()


def test_the_command_line_takes_the_engine(few, tmp_path, capsys, monkeypatch):
    args = ["--env", "discharge", "--cases", str(few), "--policy", "silent", "--limit", "1", "--engine", "ray"]
    assert invoke(app, [*args, "--out", str(tmp_path / "run")], "run_eval.py") == 0
    assert (tmp_path / "run" / SUMMARY).exists()
    monkeypatch.setattr("bedside.benchmarks.run_eval.find_spec", lambda name: None)
    assert invoke(app, [*args, "--out", str(tmp_path / "other")], "run_eval.py") == 2
    assert "pip install 'bedside[ray]'" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()
