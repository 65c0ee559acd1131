"""Runs scored again: what changes, and that nothing is played."""

import shutil

import orjson
import pytest
import yaml

from bedside.benchmarks import player
from bedside.benchmarks.command import invoke
from bedside.benchmarks.runs import CONFIG, EPISODES, SCORES, SUMMARY, read_config
from bedside.benchmarks.scores import read_scores
from bedside.cli import build_app
from bedside.envs.episode import StopReason

SETTINGS = ["--env", "discharge", "--policy", "silent,teachback", "--limit", "2", "--runs", "2"]


def bedside(*args):
    return invoke(build_app(), [str(arg) for arg in args], "bedside")


@pytest.fixture(scope="module")
def run(tmp_path_factory, few):
    run = tmp_path_factory.mktemp("rescore") / "run"
    assert bedside("eval", *SETTINGS, "--cases", few, "--out", run) == 0
    return run


@pytest.fixture
def nothing_is_played(monkeypatch):
    def never(*args):
        raise AssertionError("an episode was played")

    monkeypatch.setattr(player.Player, "_play", never)


def contents(run):
    return {name: (run / name).read_bytes() for name in (EPISODES, SUMMARY, SCORES, CONFIG)}


def test_the_same_judge_and_weights_give_the_same_bytes(run, nothing_is_played):
    before = contents(run)
    assert bedside("rescore", run) == 0
    again = run.with_name("run-rescored")
    assert contents(again) == contents(run) == before
    # What an interrupted try has left is gone on with.
    (again / SUMMARY).unlink()
    (again / EPISODES).write_bytes(before[EPISODES][:-100])
    assert bedside("rescore", run, "--out", again) == 0
    assert contents(again) == before


def test_other_weights_move_the_reward_and_nothing_else(run, tmp_path, nothing_is_played, capsys):
    (tmp_path / "weights.toml").write_text("coverage = 1.0\nexam_gain = 0.0\nrecall_gain = 0.0\nreadability = 0.0\n")
    assert bedside("rescore", run, "--reward", tmp_path / "weights.toml", "--out", tmp_path / "new", "--json") == 0
    summary, old = orjson.loads(capsys.readouterr().out), orjson.loads((run / SUMMARY).read_bytes())
    assert summary["teachback"]["reward"]["mean"] > old["teachback"]["reward"]["mean"]
    assert {name: s for name, s in summary["teachback"].items() if name != "reward"} == {
        name: s for name, s in old["teachback"].items() if name != "reward"
    }
    row = read_scores(tmp_path / "new").to_pylist()[-1]
    assert row["score.reward"] == pytest.approx(row["score.tcs"] + row["part.reward.safety"])
    assert read_config(tmp_path / "new").reward.coverage == 1.0
    assert (tmp_path / "new" / EPISODES).read_bytes() == (run / EPISODES).read_bytes()


def test_it_says_by_which_code_episodes_were_played(run, tmp_path):
    shutil.copytree(run, tmp_path / "old")
    config = yaml.safe_load((run / CONFIG).read_bytes())
    (tmp_path / "old" / CONFIG).write_text(yaml.safe_dump(config | {"code": "0ld"}))
    assert bedside("rescore", tmp_path / "old", "--out", tmp_path / "new") == 0
    new = read_config(tmp_path / "new")
    assert (new.code, new.played_code) == (config["code"], "0ld")
    assert bedside("rescore", tmp_path / "new", "--out", tmp_path / "newer") == 0
    assert contents(tmp_path / "newer") == contents(tmp_path / "new")


def test_an_episode_that_broke_stays_broken_and_unscored(run, tmp_path, nothing_is_played):
    shutil.copytree(run, tmp_path / "run")
    lines = (run / EPISODES).read_bytes().splitlines()
    broken = orjson.loads(lines[1]) | {"stop": StopReason.FAULT, "fault": "no luck"}
    lines[1] = orjson.dumps(broken, option=orjson.OPT_SORT_KEYS)
    (tmp_path / "run" / EPISODES).write_bytes(b"\n".join([*lines, b""]))
    for _ in range(2):
        assert bedside("rescore", tmp_path / "run", "--out", tmp_path / "new") == 0
        assert (tmp_path / "new" / EPISODES).read_bytes().splitlines() == lines
        row = read_scores(tmp_path / "new").to_pylist()[1]
        assert (row["fault"], row["score.exam"]) == ("no luck", None)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("{dir}/none", "is not a run folder"),
        ("{run} --out {run}", "is the run itself"),
        ("{run} --judge nobody", "unknown judge 'nobody'"),
        ("{run} --reward generous", "reward weights generous"),
        ("{run} --engine moon", "unknown engine 'moon'; there are local, ray"),
        ("{dir}/part", "holds 3 of 8 episodes; finish it first"),
        ("{run} --out {dir}/part --reward verisim", "holds another evaluation (reward was"),
    ],
)
def test_mistakes_are_one_line(args, message, run, tmp_path, capsys):
    shutil.copytree(run, tmp_path / "part")
    (tmp_path / "part" / EPISODES).write_bytes(b"\n".join([*(run / EPISODES).read_bytes().splitlines()[:3], b""]))
    assert bedside("rescore", *args.format(run=run, dir=tmp_path).split()) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
