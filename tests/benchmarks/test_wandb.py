"""Runs logged to Weights & Biases, which is never reached here."""

import pytest
import wandb

from bedside.benchmarks import wandb_log
from bedside.benchmarks.command import invoke
from bedside.benchmarks.run_eval import app
from bedside.benchmarks.runs import SUMMARY
from bedside.chat.privacy import FLAG

SETTINGS = ["--env", "discharge", "--policy", "silent,note-dump", "--limit", "2"]


@pytest.fixture
def evaluate(few):
    return lambda *args: invoke(app, [*SETTINGS, "--cases", str(few), *map(str, args)], "run_eval.py")


@pytest.fixture(autouse=True)
def nobody_is_logged_in(monkeypatch):
    monkeypatch.delenv("WANDB_API_KEY", raising=False)
    monkeypatch.delenv("WANDB_MODE", raising=False)


@pytest.mark.filterwarnings("default")
def test_without_a_key_the_log_is_kept_in_the_folder(evaluate, tmp_path, capsys, monkeypatch):
    logged = {}
    monkeypatch.setattr(wandb.Run, "log", lambda self, data: logged.update(data, summary=dict(self.summary)))
    run = tmp_path / "run"
    assert evaluate("--out", run, "--wandb", "bedside") == 0
    assert "send it with: wandb sync" in capsys.readouterr().err
    assert list((run / "wandb").glob("offline-run-*"))
    assert (run / SUMMARY).exists()
    assert logged["summary"]["note-dump/tcs/mean"] > logged["summary"]["silent/tcs/mean"] == 0
    assert len(logged["episodes"].data) == len(logged["talks"].data) == 4
    assert "score.exam" in logged["episodes"].columns
    policy, case, _, _, talk = logged["talks"].data[2]
    assert (policy, case) == ("note-dump", logged["episodes"].data[2][1])
    assert "CLINICIAN: " in talk
    # The folder is still a run.
    assert evaluate("--out", run, "--resume") == 0


def test_a_missing_wandb_is_told_before_anything_runs(evaluate, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(wandb_log, "find_spec", lambda name: None)
    assert evaluate("--out", tmp_path / "run", "--wandb", "bedside") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == "error: --wandb needs Weights & Biases: pip install wandb"
    assert not (tmp_path / "run").exists()


def test_what_cannot_be_logged_is_one_line_and_the_run_is_kept(evaluate, tmp_path, capsys, monkeypatch):
    def refused(**settings):
        raise wandb.Error("no such project")

    monkeypatch.setattr(wandb, "init", refused)
    assert evaluate("--out", tmp_path / "run", "--wandb", "bedside") == 2
    assert "error: not logged to Weights & Biases: no such project" in capsys.readouterr().err
    assert (tmp_path / "run" / SUMMARY).exists()
    assert invoke(app, ["--suite", "quick", "--wandb", "bedside", "--out", str(tmp_path / "suite")], "run_eval.py") == 2
    assert "--wandb logs one run" in capsys.readouterr().err


def test_talks_about_credentialed_cases_are_not_sent_away(open_cases, monkeypatch):
    cases = [open_cases[0].model_copy(update={"credentialed": True})]
    wandb_log.check_wandb(cases, allow_credentialed=False)
    monkeypatch.setenv("WANDB_API_KEY", "x" * 40)
    with pytest.raises(ValueError, match=FLAG):
        wandb_log.check_wandb(cases, allow_credentialed=False)
    wandb_log.check_wandb(cases, allow_credentialed=True)
    monkeypatch.setenv("WANDB_MODE", "offline")
    wandb_log.check_wandb(cases, allow_credentialed=False)
