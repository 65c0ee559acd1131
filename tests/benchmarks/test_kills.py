"""Evaluations that are killed again and again, share a folder, or run out of disk.

``BEDSIDE_KILLS=20 pytest tests/benchmarks/test_kills.py`` kills more often.
"""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from bedside.benchmarks import run_eval
from bedside.benchmarks.command import invoke
from bedside.benchmarks.runs import CONFIG, EPISODES, SCORES, SUMMARY

KILLS = int(os.environ.get("BEDSIDE_KILLS", "3"))
SETTINGS = ["--env", "discharge", "--policy", "silent,note-dump"]
TOTAL = 24


@pytest.fixture(scope="module")
def settings(few):
    return [*SETTINGS, "--cases", str(few)]


def start(settings, run, *args):
    command = [sys.executable, run_eval.__file__, *settings, "--out", str(run), *args]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory, settings):
    run = tmp_path_factory.mktemp("undisturbed") / "run"
    assert invoke(run_eval.app, [*settings, "--out", str(run)], "run_eval.py") == 0
    return run


def same(run, other):
    return all((run / name).read_bytes() == (other / name).read_bytes() for name in (EPISODES, SUMMARY, SCORES, CONFIG))


def lines(run):
    path = run / EPISODES
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_killed_at_random_moments_and_resumed_gives_the_same_bytes(undisturbed, settings, tmp_path):
    run, rng = tmp_path / "run", random.Random(KILLS)
    for number in range(KILLS):
        before = lines(run)
        # Some die while they start, some in the midst of episodes, the last ones while they sum up.
        target = min(TOTAL, before + rng.randrange(2 * TOTAL // KILLS + 1))
        process = start(settings, run, "--resume", "--workers", str(1 + number % 2))
        deadline = time.monotonic() + 120
        while lines(run) < target and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(rng.random() * (0.02 if target > before else 2))
        # The parent alone, or all of it.
        (os.killpg if number % 3 else os.kill)(process.pid, signal.SIGKILL)
        process.communicate()
        assert lines(run) >= before
    process = start(settings, run, "--resume")
    errors = process.communicate(timeout=300)[1]
    assert process.returncode == 0, errors
    assert same(run, undisturbed)


def test_two_evaluations_into_one_folder_do_not_mix(undisturbed, settings, tmp_path):
    first, second = (start(settings, tmp_path / "run", "--resume") for _ in range(2))
    errors = [process.communicate(timeout=300)[1] for process in (first, second)]
    codes = sorted(process.returncode for process in (first, second))
    assert codes == [0, 2], errors
    assert any("in use by another process" in error or "another run" in error for error in errors), errors
    assert same(tmp_path / "run", undisturbed)


@pytest.mark.parametrize("share", [0.0, 0.4, 0.99])
def test_a_full_disk_is_one_line_and_loses_nothing(undisturbed, settings, tmp_path, share):
    """A limit on the size of files stands for the disk; it fails the same call."""
    size = (undisturbed / EPISODES).stat().st_size
    code = (
        f"import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({int(share * size)},) * 2); "
        "from bedside.benchmarks.run_eval import app; from bedside.benchmarks.command import invoke; "
        "sys.exit(invoke(app, sys.argv[1:], 'run_eval.py'))"
    )
    run = tmp_path / "run"
    done = subprocess.run(
        [sys.executable, "-c", code, *settings, "--out", run], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    (line,) = [line for line in done.stderr.splitlines() if "episodes (" not in line]
    assert line.startswith("error: ")
    assert "File too large" in line
    kept = (run / EPISODES).read_bytes()
    assert (undisturbed / EPISODES).read_bytes().startswith(kept)
    assert (len(kept) > 0) == (share > 0)
    assert invoke(run_eval.app, [*settings, "--out", str(run), "--resume"], "run_eval.py") == 0
    assert same(run, undisturbed)
