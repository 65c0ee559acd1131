import fcntl
import os
import subprocess
import sys

import orjson
import pytest

from bedside.benchmarks.folder import RunFolder, Task
from bedside.benchmarks.runs import (
    CONFIG,
    EPISODES,
    SUMMARY,
    RunConfig,
    RunError,
    read_config,
)

CONFIGURATION = RunConfig(
    env="bedside/Discharge-v0",
    cases="open",
    case_count=2,
    case_hash="ab",
    policies=("silent", "teachback"),
    persona="neutral",
    noise="none",
    runs=1,
    seed=0,
    limit=None,
    code="cd",
    versions={"python": "3.11"},
)
TASKS = [Task(policy, case, 0, 7) for policy in ("silent", "teachback") for case in ("a", "b")]
LINES = [orjson.dumps({"policy": t.policy, "case": t.case, "run": t.run, "seed": t.seed}) for t in TASKS]


def begun(path, lines=2):
    with RunFolder.open(path, CONFIGURATION, TASKS, resume=False) as folder:
        for line in LINES[:lines]:
            folder.append(line)
    return path


def reopen(path, config=CONFIGURATION, tasks=TASKS):
    return RunFolder.open(path, config, tasks, resume=True)


def test_what_was_written_is_kept(tmp_path):
    run = begun(tmp_path / "deep" / "run")
    with reopen(run) as folder:
        assert [folder.kept(task) for task in TASKS] == [*LINES[:2], None, None]
        folder.append(LINES[2])
        folder.append(LINES[3])
        folder.finish({SUMMARY: b"{}\n"})
    assert (run / EPISODES).read_bytes() == b"".join(line + b"\n" for line in LINES)
    assert sorted(p.name for p in run.iterdir()) == [CONFIG, EPISODES, SUMMARY]
    assert read_config(run) == CONFIGURATION


@pytest.mark.parametrize("torn", [LINES[2][:9], LINES[2], b"\0\0\0\0\n", b"{}\n"])
def test_a_torn_last_line_is_cut(tmp_path, torn):
    run = begun(tmp_path / "run")
    with (run / EPISODES).open("ab") as file:
        file.write(torn)
    with reopen(run) as folder:
        assert [folder.kept(task) for task in TASKS] == [*LINES[:2], None, None]
        folder.append(LINES[2])
    assert (run / EPISODES).read_bytes() == b"".join(line + b"\n" for line in LINES[:3])


def faulty(line):
    return orjson.dumps(orjson.loads(line) | {"stop": "fault"})


def test_episodes_come_in_any_order_and_end_in_that_of_the_tasks(tmp_path):
    with RunFolder.open(tmp_path / "run", CONFIGURATION, TASKS, resume=False) as folder:
        for number in (2, 0, 3):
            folder.append(LINES[number])
    with reopen(tmp_path / "run") as folder:
        assert [folder.kept(task) for task in TASKS] == [LINES[0], None, *LINES[2:]]
        folder.append(LINES[1])
        folder.finish({SUMMARY: b"{}\n"})
        # Still locked, although the file is another one.
        with pytest.raises(RunError, match="in use"), reopen(tmp_path / "run"):
            pass
    assert (tmp_path / "run" / EPISODES).read_bytes() == b"".join(line + b"\n" for line in LINES)
    assert sorted(p.name for p in (tmp_path / "run").iterdir()) == [CONFIG, EPISODES, SUMMARY]


def test_a_fault_is_played_again_and_its_second_try_stands(tmp_path):
    run = tmp_path / "run"
    with RunFolder.open(run, CONFIGURATION, TASKS, resume=False) as folder:
        for line in (LINES[0], faulty(LINES[1]), LINES[2], faulty(LINES[3])):
            folder.append(line)
        folder.finish({SUMMARY: b"{}\n"})
    for _ in range(2):
        with reopen(run) as folder:
            # Figures that are about to change are gone until there are new ones.
            assert not (run / SUMMARY).exists()
            assert folder.kept(TASKS[1]) is None
            assert folder.kept(TASKS[2]) == LINES[2]
    with reopen(run) as folder:
        folder.append(LINES[1])
    with reopen(run) as folder:
        assert folder.kept(TASKS[1]) == LINES[1]
        folder.append(faulty(LINES[3]))
        folder.finish({SUMMARY: b"{}\n"})
    assert (run / EPISODES).read_bytes().splitlines() == [*LINES[:3], faulty(LINES[3])]


def test_killed_before_the_configuration_was_written(tmp_path):
    (tmp_path / EPISODES).touch()
    (tmp_path / f"{CONFIG}.part").write_bytes(b"{")
    with reopen(tmp_path) as folder:
        assert folder.kept(TASKS[0]) is None


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda run: (run / EPISODES).write_bytes(b"rubbish\n" + LINES[0] + b"\n"), "line 1: not an episode"),
        (
            lambda run: (run / EPISODES).write_bytes(LINES[1].replace(b'"b"', b'"x"') + b"\n" + LINES[0] + b"\n"),
            "line 1: silent with x, run 0, does not belong",
        ),
        (
            lambda run: (run / EPISODES).write_bytes(b"\n".join([*LINES, LINES[0], b""])),
            "line 5: .* is there twice",
        ),
        (lambda run: (run / CONFIG).unlink(), "has episodes but no config"),
        (lambda run: (run / CONFIG).write_bytes(b"{}"), "config.yaml, field env"),
        (lambda run: (run / CONFIG).write_bytes(b"env: [a"), "config.yaml: not YAML: .* line 1"),
    ],
    ids=["rubbish", "strange", "twice", "no-config", "bad-config", "torn-config"],
)
def test_a_folder_that_cannot_be_trusted_is_refused_and_left_alone(tmp_path, spoil, message):
    run = begun(tmp_path / "run")
    spoil(run)
    before = (run / EPISODES).read_bytes()
    with pytest.raises(RunError, match=message), reopen(run):
        pass
    assert (run / EPISODES).read_bytes() == before


def test_another_evaluation_is_refused_and_the_setting_named(tmp_path):
    run = begun(tmp_path / "run")
    other = CONFIGURATION.model_copy(update={"seed": 3, "code": "ef", "versions": {}, "cases": "./open"})
    with (
        pytest.raises(RunError, match=r"\(seed was 0, now 3; bedside's code was cd, now ef\)"),
        reopen(run, other),
    ):
        pass


def test_never_overwrites(tmp_path):
    run = begun(tmp_path / "run")
    with (
        pytest.raises(RunError, match="not empty; add --resume"),
        RunFolder.open(run, CONFIGURATION, TASKS, resume=False),
    ):
        pass
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(RunError, match="holds files but no run"), reopen(tmp_path):
        pass


def test_two_processes_in_one_folder(tmp_path):
    run = begun(tmp_path / "run")
    with (run / EPISODES).open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(RunError, match="in use by another process"), reopen(run):
            pass
    with reopen(run):
        pass


def test_a_file_in_the_way(tmp_path):
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "file" / "run"):
        with pytest.raises(RunError, match="cannot use"), reopen(path):
            pass


FULL_DISK = """
import resource, sys
sys.path.insert(0, {here!r})
from test_runs import *
resource.setrlimit(resource.RLIMIT_FSIZE, (len(LINES[0]) + 20, resource.RLIM_INFINITY))
from pathlib import Path
path = Path({path!r})
with RunFolder.open(path, CONFIGURATION, TASKS, resume=True) as folder:
    folder.append(LINES[0])
    try:
        folder.append(LINES[1])
    except RunError as error:
        print(error)
"""


def test_a_full_disk_loses_nothing(tmp_path):
    with RunFolder.open(tmp_path / "run", CONFIGURATION, TASKS, resume=False):
        pass
    script = FULL_DISK.format(here=os.path.dirname(__file__), path=str(tmp_path / "run"))  # noqa: PTH120
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "File too large" in done.stdout
    assert "--resume" in done.stdout
    with reopen(tmp_path / "run") as folder:
        assert [folder.kept(task) for task in TASKS[:2]] == [LINES[0], None]
