import os
import random
import shutil
import signal
import subprocess
import sys
import time

import orjson
import pytest
import yaml

from bedside import ENV_IDS
from bedside.benchmarks import run_eval
from bedside.benchmarks.command import invoke
from bedside.benchmarks.protocols import PROTOCOLS
from bedside.benchmarks.runs import CONFIG, EPISODES, SCORES, SUMMARY
from bedside.benchmarks.timing import read_timing
from bedside.cases.sources import load_cases
from bedside.clinicians.rollout import rollout
from bedside.envs.episode import Episode, StopReason

POLICIES = "silent,keyword-spam,note-dump"
SETTINGS = ["--env", "discharge", "--policy", POLICIES, "--limit", "3", "--runs", "2", "--seed", "4"]
KEYS = {"mean", "low", "high", "n", "unscored"}


def evaluate(*args):
    return invoke(run_eval.app, [str(arg) for arg in args], "run_eval.py")


def start(*args):
    command = [sys.executable, run_eval.__file__, *SETTINGS, *map(str, args)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def wait_for_lines(run, count, process):
    path = run / EPISODES
    while not path.exists() or path.read_bytes().count(b"\n") < count:
        assert process.poll() is None, process.communicate()
        time.sleep(0.002)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    run = tmp_path_factory.mktemp("finished") / "run"
    assert evaluate(*SETTINGS, "--out", run) == 0
    return run


def same(run, other):
    return all((run / name).read_bytes() == (other / name).read_bytes() for name in (EPISODES, SUMMARY, CONFIG, SCORES))


def test_episodes_stand_in_the_order_of_the_tasks(finished):
    episodes = [Episode.from_json(line) for line in (finished / EPISODES).read_bytes().splitlines()]
    cases = [case.id for case in load_cases("open")[:3]]
    expected = [(policy, case, run) for policy in POLICIES.split(",") for case in cases for run in (0, 1)]
    assert [(e.policy, e.case, e.run) for e in episodes] == expected
    # All policies meet the same patient: what is compared is paired.
    seeds = [e.seed for e in episodes]
    assert seeds[:6] == seeds[6:12] == seeds[12:]
    assert len(set(seeds)) == 6


def test_summary_has_policies_scores_and_nothing_else(finished):
    summary = orjson.loads((finished / SUMMARY).read_bytes())
    assert list(summary) == POLICIES.split(",")
    for scores in summary.values():
        assert {"exam", "scs", "tcs", "reward"} <= set(scores)
        for score in scores.values():
            assert set(score) == KEYS
            assert score["n"] + score["unscored"] == 6
            assert score["mean"] is None or score["low"] <= score["mean"] <= score["high"]


def test_every_played_episode_is_timed_and_a_kept_one_is_not_timed_again(finished, tmp_path):
    timing = read_timing(finished)
    assert {policy: timed.episodes for policy, timed in timing.items()} == dict.fromkeys(POLICIES.split(","), 6)
    assert all(timed.seconds > 0 for timed in timing.values())
    shutil.copytree(finished, tmp_path / "run")
    assert evaluate(*SETTINGS, "--out", tmp_path / "run", "--resume") == 0
    assert read_timing(tmp_path / "run") == timing


def test_json_prints_the_summary_and_nothing_else(finished, tmp_path, capsys):
    shutil.copytree(finished, tmp_path / "run")
    assert evaluate(*SETTINGS, "--out", tmp_path / "run", "--resume", "--json") == 0
    assert capsys.readouterr().out.encode() == (finished / SUMMARY).read_bytes()
    assert same(tmp_path / "run", finished)


def test_table_has_a_row_a_policy(finished, tmp_path, capsys):
    shutil.copytree(finished, tmp_path / "run")
    assert evaluate(*SETTINGS, "--out", tmp_path / "run", "--resume") == 0
    out = capsys.readouterr().out
    policies = POLICIES.split(",")
    assert [
        line.split()[0] for line in out.splitlines() if line.split()[:1] and line.split()[0] in policies
    ] == policies
    assert str(tmp_path / "run") in out


# Begun with two workers and finished in this process: the number of workers leaves no trace either.
def test_killed_and_resumed_gives_the_same_bytes(finished, tmp_path):
    process = start("--out", tmp_path / "run", "--workers", 2)
    wait_for_lines(tmp_path / "run", 4, process)
    process.kill()
    process.communicate()
    assert evaluate(*SETTINGS, "--out", tmp_path / "run", "--resume") == 0
    assert same(tmp_path / "run", finished)


def test_ctrl_c_says_how_to_go_on(finished, tmp_path):
    process = start("--out", tmp_path / "run", "--workers", 2)
    wait_for_lines(tmp_path / "run", 1, process)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "--resume" in err
    assert "Traceback" not in err
    assert out == ""
    assert evaluate(*SETTINGS, "--out", tmp_path / "run", "--resume") == 0
    assert same(tmp_path / "run", finished)


@pytest.mark.parametrize("number", range(2))
def test_torn_anywhere_and_resumed_gives_the_same_bytes(finished, tmp_path, number):
    shutil.copytree(finished, tmp_path / "run")
    (tmp_path / "run" / SUMMARY).unlink()
    size = (finished / EPISODES).stat().st_size
    os.truncate(tmp_path / "run" / EPISODES, random.Random(number).randrange(size))
    assert evaluate(*SETTINGS, "--out", tmp_path / "run", "--resume") == 0
    assert same(tmp_path / "run", finished)


@pytest.fixture
def bad_cases(tmp_path):
    (tmp_path / "malformed.jsonl").write_bytes(b'{"id": "a"}\n')
    (tmp_path / "notjson.jsonl").write_bytes(b"hello\n")
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "file").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("", "give --env, one encounter, or --suite"),
        ("--env surgery", "unknown environment 'surgery'"),
        ("--env discharge --bogus", "--bogus"),
        ("--env discharge --policy teachbak", "did you mean 'teachback'?"),
        ("--env discharge --policy question-list", "is for diagnosis"),
        ("--env discharge --policy silent,silent", "given twice"),
        ("--env discharge --policy silent,", "empty policy name"),
        ("--env discharge --cases {dir}/missing.jsonl", "missing.jsonl"),
        ("--env discharge --cases {dir}/malformed.jsonl", "malformed.jsonl, line 1, field "),
        ("--env discharge --cases {dir}/notjson.jsonl", "notjson.jsonl, line 1"),
        ("--env discharge --cases {dir}/empty.jsonl", "empty.jsonl"),
        ("--env discharge --persona grumpy", "unknown trait 'grumpy'"),
        ("--env discharge --noise random:9", "random:3"),
        ("--env discharge --limit 0", "--limit must be at least 1"),
        ("--env discharge --limit x", "--limit"),
        ("--env discharge --runs 0", "--runs must be at least 1"),
        ("--env discharge --workers 0", "--workers must be at least 1"),
        ("--env discharge --out {dir}/file", "cannot use"),
        ("--env discharge --out {dir}/file/run", "cannot use"),
        ("--env discharge --out {dir}", "not empty; add --resume"),
        ("--env discharge --out {dir} --resume", "holds files but no run"),
    ],
)
def test_bad_input_is_one_line_and_code_2(args, message, bad_cases, capsys, monkeypatch):
    monkeypatch.chdir(bad_cases)
    assert evaluate(*args.format(dir=bad_cases).split()) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    assert line.startswith("error: ")
    assert message in line
    assert not (bad_cases / "runs").exists()


def test_another_seed_does_not_touch_the_folder(finished, tmp_path, capsys):
    shutil.copytree(finished, tmp_path / "run")
    assert evaluate(*SETTINGS[:-1], "5", "--out", tmp_path / "run", "--resume") == 2
    assert "seed was 4, now 5" in capsys.readouterr().err
    assert same(tmp_path / "run", finished)


def test_a_broken_episode_is_recorded_and_unscored(tmp_path, monkeypatch, capsys):
    def breaking(env, clinician, seed, options):
        if options["run"] == 1:
            raise RuntimeError(f"no luck with {object()}")
        return rollout(env, clinician, seed, options)

    monkeypatch.setattr("bedside.benchmarks.player.rollout", breaking)
    args = ["--env", "discharge", "--policy", "silent", "--limit", "2", "--runs", "2", "--json"]
    assert evaluate(*args, "--out", tmp_path) == 0
    captured = capsys.readouterr()
    exam = orjson.loads(captured.out)["silent"]["exam"]
    assert (exam["n"], exam["unscored"]) == (2, 2)
    assert "2 unscored after a fault" in captured.err
    broken = [Episode.from_json(line) for line in (tmp_path / EPISODES).read_bytes().splitlines()][1]
    assert broken.stop is StopReason.FAULT
    assert broken.fault.startswith("RuntimeError: no luck with <object object at 0x…>")


def test_code_1_when_all_episodes_of_a_policy_broke(tmp_path, monkeypatch, capsys):
    def breaking(env, clinician, seed, options):
        if clinician.name == "silent":
            raise RuntimeError("never works")
        return rollout(env, clinician, seed, options)

    monkeypatch.setattr("bedside.benchmarks.player.rollout", breaking)
    args = ["--env", "discharge", "--policy", "silent,note-dump", "--limit", "2"]
    assert evaluate(*args, "--out", tmp_path) == 1
    assert "every episode failed with silent" in capsys.readouterr().err
    summary = orjson.loads((tmp_path / SUMMARY).read_bytes())
    assert summary["silent"]["exam"]["mean"] is None
    assert summary["note-dump"]["exam"]["n"] == 2


def test_diagnosis(tmp_path, capsys):
    args = ["--env", "diagnosis", "--policy", "question-list", "--limit", "2", "--noise", "random", "--json"]
    assert evaluate(*args, "--out", tmp_path) == 0
    assert set(orjson.loads(capsys.readouterr().out)["question-list"]["reward"]) == KEYS


@pytest.mark.parametrize(("name", "protocol"), PROTOCOLS.items())
def test_every_protocol_is_played_and_scored_for_what_it_is(name, protocol, tmp_path):
    """VeriSim's interviews once were scored as talks, because of their name."""
    policy = {"discharge": "checklist", "diagnosis": "question-list"}[protocol.kind]
    assert evaluate("--env", name, "--policy", policy, "--limit", "1", "--max-turns", "6", "--out", tmp_path) == 0
    (line,) = (tmp_path / EPISODES).read_bytes().splitlines()
    episode = Episode.from_json(line)
    assert episode.env == protocol.env
    assert len(episode.turns) <= 6
    own = {"discharge": "tcs", "diagnosis": "accuracy"}[protocol.kind]
    assert orjson.loads((tmp_path / SUMMARY).read_bytes())[policy][own]["n"] == 1
    assert bool(episode.persona.noise.active) == (name == "verisim")


def test_every_registered_environment_belongs_to_a_protocol():
    assert {protocol.env for protocol in PROTOCOLS.values()} == set(ENV_IDS)


def test_a_compact_briefing_is_part_of_the_run(tmp_path):
    settings = ("--env", "discharge", "--policy", "checklist", "--limit", "1", "--out", tmp_path)
    assert evaluate(*settings, "--briefing", "compact") == 0
    assert yaml.safe_load((tmp_path / CONFIG).read_bytes())["briefing"] == "compact"
    assert evaluate(*settings, "--resume") == 2
    assert evaluate(*settings, "--briefing", "long") == 2
