import subprocess
import sys

import orjson
import pytest

from bedside.benchmarks.command import invoke
from bedside.cli import build_app

SETTINGS = ["--env", "discharge", "--limit", 2]


def bedside(*args):
    return invoke(build_app(), [str(arg) for arg in args], "bedside")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for name, persona in (("calm", "neutral"), ("anxious", "anxious")):
        args = [*SETTINGS, "--policy", "silent,note-dump", "--persona", persona]
        assert bedside("eval", *args, "--out", folder / name) == 0
    return folder


def test_module_runs_and_help_names_the_commands():
    done = subprocess.run([sys.executable, "-m", "bedside", "--help"], capture_output=True, text=True, check=True)
    assert all(command in done.stdout for command in ("eval", "compare", "show"))


def test_show_lists_episodes(runs, capsys):
    assert bedside("show", runs / "calm") == 0
    assert len(capsys.readouterr().out.splitlines()) == 5


def test_show_prints_a_transcript_by_number_and_all_of_a_case(runs, capsys):
    assert bedside("show", runs / "calm", 4) == 0
    out = capsys.readouterr().out
    assert "clinician note-dump" in out
    assert "stop: " in out
    assert "exam" in out
    case = out.split("case ")[1].split()[0]
    assert bedside("show", runs / "calm", case) == 0
    assert capsys.readouterr().out.count("stop: ") == 2


def test_text_of_models_cannot_steer_the_terminal(runs, tmp_path, capsys):
    run = tmp_path / "run"
    run.mkdir()
    (run / "config.yaml").write_bytes((runs / "calm" / "config.yaml").read_bytes())
    line = (runs / "calm" / "episodes.jsonl").read_bytes().splitlines()[0]
    evil = line.replace(b'"opening":"', b'"opening":"[bold]x[/nothing]\\u001b[2J')
    (run / "episodes.jsonl").write_bytes(evil + b"\n")
    assert bedside("show", run, 1) == 0
    out = capsys.readouterr().out
    assert "[bold]x[/nothing]" in out
    assert "\x1b" not in out


def means(run, policy, name):
    return orjson.loads((run / "summary.json").read_bytes())[policy][name]["mean"]


def test_compare_says_how_much_higher_each_run_scores_than_the_first(runs, capsys):
    calm, anxious = runs / "calm", runs / "anxious"
    assert bedside("compare", calm, anxious, calm, "--json") == 0
    found = orjson.loads(capsys.readouterr().out)
    assert list(found) == [f"{anxious} less {calm}", f"{calm} less {calm}"]
    rows = found[f"{anxious} less {calm}"]["note-dump"]
    changes = {name: means(anxious, "note-dump", name) - means(calm, "note-dump", name) for name in ("turns", "reward")}
    assert any(changes.values())
    assert {name: rows[name]["mean"] for name in changes} == pytest.approx(changes)
    assert found[f"{calm} less {calm}"]["silent"]["exam"]["mean"] == 0
    assert bedside("compare", calm, anxious) == 0
    assert f"{anxious} less {calm} (persona was neutral, now anxious)" in capsys.readouterr().out


def test_compare_of_one_run_is_between_its_policies(runs, capsys):
    run = runs / "calm"
    assert bedside("compare", run, "--json") == 0
    (rows,) = orjson.loads(capsys.readouterr().out).values()
    gained = means(run, "note-dump", "tcs") - means(run, "silent", "tcs")
    assert list(rows) == ["note-dump"]
    assert rows["note-dump"]["tcs"]["mean"] == pytest.approx(gained)
    assert bedside("compare", run, "--policy", "note-dump,silent", "--json") == 0
    (rows,) = orjson.loads(capsys.readouterr().out).values()
    assert rows["silent"]["tcs"]["mean"] == pytest.approx(-gained)


def test_runs_of_one_policy_each_are_compared_whatever_they_are_called(runs, tmp_path, capsys):
    for policy in ("silent", "note-dump"):
        assert bedside("eval", *SETTINGS, "--policy", policy, "--out", tmp_path / policy) == 0
    capsys.readouterr()
    assert bedside("compare", tmp_path / "silent", tmp_path / "note-dump", "--json") == 0
    (rows,) = orjson.loads(capsys.readouterr().out).values()
    gained = means(runs / "calm", "note-dump", "tcs") - means(runs / "calm", "silent", "tcs")
    assert rows["note-dump"]["tcs"]["mean"] == pytest.approx(gained)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["show", "{runs}/none"], "is not a run folder"),
        (["show", "{runs}/calm", "999"], "no episode and no case '999'"),
        (["compare", "{runs}/calm", "{runs}/none"], "is not a run folder"),
        (["compare", "{runs}/calm", "--policy", "silent"], "only the policy silent to compare"),
        (["compare", "{runs}/calm", "--policy", "silent,jargon"], "has no policy 'jargon'; it has silent, note-dump"),
        (["compare", "{runs}/calm", "{runs}/anxious", "--policy", "jargon"], "has no policy 'jargon'"),
        (["merge", "{runs}/out", "{runs}/calm"], "is a whole run and no shard"),
        (["flatter"], "flatter"),
    ],
)
def test_mistakes_are_one_line(runs, args, message, capsys):
    assert bedside(*(arg.format(runs=runs) for arg in args)) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ")
    assert message in line
