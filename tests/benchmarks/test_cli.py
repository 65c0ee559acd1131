import subprocess
import sys

import pytest

from bedside.benchmarks.command import invoke
from bedside.cli import build_app


def bedside(*args):
    return invoke(build_app(), [str(arg) for arg in args], "bedside")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for name, persona in (("calm", "neutral"), ("anxious", "anxious")):
        args = ["--env", "discharge", "--policy", "silent,note-dump", "--limit", 2, "--persona", persona]
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
    (run / "config.json").write_bytes((runs / "calm" / "config.json").read_bytes())
    line = (runs / "calm" / "episodes.jsonl").read_bytes().splitlines()[0]
    evil = line.replace(b'"opening":"', b'"opening":"[bold]x[/nothing]\\u001b[2J')
    (run / "episodes.jsonl").write_bytes(evil + b"\n")
    assert bedside("show", run, 1) == 0
    out = capsys.readouterr().out
    assert "[bold]x[/nothing]" in out
    assert "\x1b" not in out


def test_compare_pairs_two_runs(runs, capsys):
    assert bedside("compare", runs / "calm", runs / "anxious", "--json") == 0
    assert '"note-dump"' in capsys.readouterr().out
    assert bedside("compare", runs / "calm", runs / "calm") == 0
    assert "+0.000 [+0.000, +0.000]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["show", "{runs}/none"], "is not a run folder"),
        (["show", "{runs}/calm", "999"], "no episode and no case '999'"),
        (["compare", "{runs}/calm", "{runs}/none"], "is not a run folder"),
        (["flatter"], "flatter"),
    ],
)
def test_mistakes_are_one_line(runs, args, message, capsys):
    assert bedside(*(arg.format(runs=runs) for arg in args)) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ")
    assert message in line
