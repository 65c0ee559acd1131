"""Evaluations of language models at an endpoint that fails in every way it can."""

import os
import subprocess
import sys
import time
from collections import Counter

import orjson
import pytest
import yaml

from bedside.benchmarks import run_eval
from bedside.benchmarks.command import invoke
from bedside.benchmarks.runs import CONFIG, EPISODES, SUMMARY
from bedside.chat.mock_endpoint import Fault, MockEndpoint
from bedside.envs.episode import Episode, StopReason

SECRET = "sk-marker-0123456789"
FAULTS = {
    Fault.RATE_LIMIT: 0.03,
    Fault.SERVER_ERROR: 0.03,
    Fault.DROPPED: 0.03,
    Fault.CUT_OFF: 0.03,
    Fault.MALFORMED: 0.03,
    Fault.HANG: 0.02,
    Fault.EMPTY: 0.03,
    Fault.TRUNCATED: 0.03,
    Fault.REFUSAL: 0.02,
    Fault.DOWN: 0.02,
}
MODEL = "openai/m?timeout=0.5&wait=0.01&retries=2"
SETTINGS = ["--env", "diagnosis", "--policy", MODEL, "--limit", "12", "--runs", "2", "--concurrency", "8"]


@pytest.fixture
def endpoint(monkeypatch):
    with MockEndpoint(faults=FAULTS, seed=3) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        monkeypatch.setenv("OPENAI_API_KEY", SECRET)
        yield endpoint


def evaluate(*args):
    return invoke(run_eval.app, [str(arg) for arg in args], "run_eval.py")


def episodes(run):
    return [Episode.from_json(line) for line in (run / EPISODES).read_bytes().splitlines()]


def contents(run):
    return {name: (run / name).read_bytes() for name in (EPISODES, SUMMARY, CONFIG)}


def test_nothing_is_lost_doubled_or_unaccounted_for(endpoint, tmp_path, capsys):
    assert evaluate(*SETTINGS, "--out", tmp_path, "--json") == 0
    assert set(endpoint.served) == {fault.value for fault in FAULTS} | {"ok"}
    played = episodes(tmp_path)
    assert len({(e.case, e.run) for e in played}) == len(played) == 24
    broken = [e for e in played if e.stop is StopReason.FAULT]
    assert 0 < len(broken) < 24
    # Only what never got better ends an episode, and each says what it was.
    kinds = Counter(e.fault.split(":")[0] for e in broken)
    assert set(kinds) <= {"UnreachableError", "RefusalError", "EmptyAnswerError"}
    assert all("openai/m: " in e.fault for e in broken)
    assert any(e.turns for e in broken)
    scores = orjson.loads(capsys.readouterr().out)[MODEL]["accuracy"]
    assert (scores["n"], scores["unscored"]) == (24 - len(broken), len(broken))
    assert all(e.usage.calls >= len(e.turns) > 0 for e in played if e.stop is not StopReason.FAULT)


def test_killed_and_resumed_the_result_is_that_of_an_undisturbed_run(endpoint, tmp_path):
    assert evaluate(*SETTINGS, "--out", tmp_path / "undisturbed") == 0
    endpoint.latency_s = 0.02
    process = subprocess.Popen(
        [sys.executable, run_eval.__file__, *SETTINGS, "--out", tmp_path / "killed"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    path = tmp_path / "killed" / EPISODES
    while not path.exists() or path.read_bytes().count(b"\n") < 6:
        assert process.poll() is None, process.communicate()
        time.sleep(0.002)
    process.kill()
    process.communicate()
    assert 6 <= path.read_bytes().count(b"\n") < 24
    endpoint.latency_s = 0.0
    assert evaluate(*SETTINGS, "--out", tmp_path / "killed", "--resume") == 0
    assert contents(tmp_path / "killed") == contents(tmp_path / "undisturbed")


def test_faults_are_tried_again_when_resumed_and_the_rest_is_not(endpoint, tmp_path):
    evaluate(*SETTINGS, "--out", tmp_path)
    before = episodes(tmp_path)
    endpoint.faults = {}
    asked = len(endpoint.received)
    assert evaluate(*SETTINGS, "--out", tmp_path, "--resume") == 0
    after = episodes(tmp_path)
    assert [e for e in after if e.stop is StopReason.FAULT] == []
    assert [a for a, b in zip(after, before, strict=True) if b.stop is not StopReason.FAULT] == [
        b for b in before if b.stop is not StopReason.FAULT
    ]
    again = sum(a.usage.calls for a, b in zip(after, before, strict=True) if b.stop is StopReason.FAULT)
    assert len(endpoint.received) - asked == again


def test_a_cached_run_asks_nothing_twice_and_gives_the_same(endpoint, tmp_path, capsys):
    endpoint.faults = {}
    cached = ["--cache", tmp_path / "cache", "--price", "1,2"]
    assert evaluate(*SETTINGS, *cached, "--out", tmp_path / "first") == 0
    asked = len(endpoint.received)
    assert evaluate(*SETTINGS, *cached, "--out", tmp_path / "second") == 0
    assert len(endpoint.received) == asked
    assert contents(tmp_path / "first") == contents(tmp_path / "second")
    assert f"language models: 0 calls, {asked} from the cache" in capsys.readouterr().out
    assert all(e.usage.cost > 0 for e in episodes(tmp_path / "first"))


def test_temperature_and_length_are_sent_and_recorded(endpoint, tmp_path):
    endpoint.faults = {}
    args = ["--env", "discharge", "--policy", "openai/m", "--limit", "1", "--temperature", "0.9", "--max-tokens", "33"]
    assert evaluate(*args, "--price", "openai/m=1,2", "--out", tmp_path) == 0
    assert {(r.body["temperature"], r.body["max_tokens"]) for r in endpoint.received} == {(0.9, 33)}
    config = yaml.safe_load((tmp_path / CONFIG).read_bytes())
    assert (config["temperature"], config["max_tokens"]) == (0.9, 33)
    assert config["prices"] == {"openai/m": [1.0, 2.0]}


def test_the_key_stands_nowhere(endpoint, tmp_path, capfd):
    endpoint.answer = lambda body: "Goodbye. Final Diagnosis: Influenza"
    endpoint.faults = {}
    endpoint.script.extend([(401, f"Incorrect API key provided: {SECRET}."), (401, f"Bearer {SECRET}")])
    args = ["--env", "diagnosis", "--policy", "openai/m", "--limit", "3", "--cache", tmp_path / "cache"]
    assert evaluate(*args, "--out", tmp_path / "run") == 0
    out, err = capfd.readouterr()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) >= 4
    assert not any(b"marker" in path.read_bytes() or "marker" in path.name for path in files)
    assert "marker" not in out + err
    assert "[key]" in (tmp_path / "run" / EPISODES).read_text()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("--policy openai/m?colour=red", "unknown option colour"),
        ("--policy nowhere/m", "write one of openai/MODEL"),
        ("--policy openai/m --price much", "write IN,OUT or MODEL=IN,OUT"),
        ("--policy openai/m --patient nowhere/m", "patient: unknown model 'nowhere/m'"),
        ("--policy openai/m --judge nobody", "unknown judge 'nobody'"),
        ("--policy openai/m --concurrency 0", "--concurrency"),
        ("--policy openai/m --cache {file}", "as a cache"),
        ("--policy openai/m?base_url=http://me:secret@host/v1", "must hold no user or password"),
    ],
)
def test_bad_input_is_one_line_and_code_2(args, message, endpoint, tmp_path, capsys):
    (tmp_path / "file").touch()
    args = args.format(file=tmp_path / "file").split()
    assert evaluate("--env", "diagnosis", *args, "--out", tmp_path / "run") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ")
    assert message in line
    assert not (tmp_path / "run").exists()


def test_without_a_key_or_an_address_nothing_begins(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert evaluate("--env", "diagnosis", "--policy", "openai/m", "--out", tmp_path / "run") == 2
    assert "set OPENAI_API_KEY, or OPENAI_BASE_URL" in capsys.readouterr().err
    assert "OPENAI_API_KEY" not in os.environ
