"""Shards of an evaluation, and the run that they make up."""

import re
import shutil

import pytest

from bedside.benchmarks.command import invoke
from bedside.benchmarks.runs import CONFIG, EPISODES, SCORES, SUMMARY, read_config
from bedside.benchmarks.timing import add_up, read_timing, timing_file
from bedside.cli import build_app

SETTINGS = ["--env", "discharge", "--policy", "silent,note-dump", "--limit", "5", "--runs", "2"]


def bedside(*args):
    return invoke(build_app(), [str(arg) for arg in args], "bedside")


@pytest.fixture(scope="module")
def folder(tmp_path_factory, few):
    folder, settings = tmp_path_factory.mktemp("shards"), [*SETTINGS, "--cases", few]
    assert bedside("eval", *settings, "--out", folder / "whole") == 0
    for number in (1, 2, 3):
        assert bedside("eval", *settings, "--shard", f"{number}/3", "--out", folder / f"part{number}") == 0
    assert bedside("eval", *settings, "--shard", "1/2", "--out", folder / "half") == 0
    assert bedside("eval", *settings, "--shard", "2/3", "--seed", "9", "--out", folder / "seed9") == 0
    return folder


def contents(run):
    return {name: (run / name).read_bytes() for name in (EPISODES, SUMMARY, SCORES, CONFIG)}


def test_merged_shards_are_the_whole_run_byte_for_byte(folder, tmp_path):
    assert [read_config(folder / f"part{number}").case_count for number in (1, 2, 3)] == [2, 2, 1]
    shards = [folder / f"part{number}" for number in (3, 1, 2)]
    assert bedside("merge", tmp_path / "out", *shards) == 0
    assert contents(tmp_path / "out") == contents(folder / "whole")
    assert timing_file(read_timing(tmp_path / "out")) == timing_file(add_up(map(read_timing, shards)))
    # Interrupted, and done again.
    (tmp_path / "out" / SUMMARY).unlink()
    (tmp_path / "out" / EPISODES).write_bytes((folder / "whole" / EPISODES).read_bytes()[:5000])
    assert bedside("merge", tmp_path / "out", *shards) == 0
    assert contents(tmp_path / "out") == contents(folder / "whole")
    assert all((folder / f"part{number}" / SUMMARY).exists() for number in (1, 2, 3))


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ("part1 part3", "shard 2/3 is missing; give all 3"),
        ("part1 part2 part2 part3", "are the same shard, 2/3"),
        ("part1 half", "is shard 1/3 and .*half shard 1/2: they overlap"),
        ("part1 seed9 part3", "are shards of two evaluations .seed was 0, now 9"),
        ("part1 part2 unfinished", "unfinished is not finished; go on with it first"),
        ("part1 part2 torn", "holds 1 of 4 episodes"),
        ("whole part2 part3", "whole is a whole run and no shard"),
    ],
)
def test_what_is_not_one_evaluation_is_refused(folder, tmp_path, runs, message, capsys):
    for name in ("unfinished", "torn"):
        shutil.copytree(folder / "part3", tmp_path / name)
    (tmp_path / "unfinished" / SUMMARY).unlink()
    lines = (folder / "part3" / EPISODES).read_bytes().splitlines(keepends=True)
    (tmp_path / "torn" / EPISODES).write_bytes(lines[0])
    paths = [tmp_path / name if (tmp_path / name).exists() else folder / name for name in runs.split()]
    assert bedside("merge", tmp_path / "out", *paths) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ")
    assert re.search(message, line)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("shard", ["0/3", "4/3", "1", "1/x", "6/6"])
def test_a_shard_that_is_none(shard, few, tmp_path, capsys):
    assert bedside("eval", *SETTINGS, "--cases", few, "--shard", shard, "--out", tmp_path / "out") == 2
    assert "--shard" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
