"""A person at the terminal, as clinician and as patient."""

import io

import pytest

from bedside.benchmarks.command import invoke
from bedside.benchmarks.runs import SUMMARY, read_config
from bedside.benchmarks.scores import read_scores
from bedside.benchmarks.transcript import read_episodes
from bedside.cli import build_app
from bedside.envs.episode import StopReason


def bedside(*args):
    return invoke(build_app(), [str(arg) for arg in args], "bedside")


@pytest.fixture
def typed(monkeypatch):
    def give(*lines):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))

    return give


def test_a_person_as_clinician_teaches_and_the_talk_is_kept_and_scored(typed, tmp_path, capsys):
    run = tmp_path / "run"
    typed("Hello. You had a heart attack. Call 911 for chest pain.", "/why", "/card", "/quit")
    assert bedside("play", "--case", "cir-01", "--out", run) == 0
    out = capsys.readouterr().out
    assert out.count("you are the clinician") == 2
    assert "the encounter is over: closed_early" in out
    (episode,) = read_episodes(run)
    assert (episode.policy, episode.case, episode.stop) == ("person", "cir-01", StopReason.CLOSED_EARLY)
    assert [turn.heard for turn in episode.turns] == ["Hello. You had a heart attack. Call 911 for chest pain."]
    assert read_scores(run)["score.tcs"].to_pylist()[0] > 0
    # It is a run folder as any other: shown and scored again, and its case is in it.
    assert read_config(run).case_count == 1
    assert bedside("show", run, 1) == 0
    assert "call 911 for chest pain" in capsys.readouterr().out.lower()
    assert bedside("rescore", run, "--out", tmp_path / "again") == 0
    assert (tmp_path / "again" / SUMMARY).read_bytes() == (run / SUMMARY).read_bytes()


def test_a_person_as_patient_is_told_what_is_withheld_and_why(typed, tmp_path, capsys):
    run = tmp_path / "run"
    typed("I take warfarin.", "I have a heavy feeling in my chest.", "/quit")
    args = ["--env", "diagnosis", "--as", "patient", "--case", "cir-01", "--policy", "question-list"]
    assert bedside("play", *args, "--out", run) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "center of the chest" in out
    assert "myocardial infarction" not in out
    assert 'withheld: "warfarin": the record lists no warfarin' in out
    (episode,) = read_episodes(run)
    assert (episode.policy, episode.engines["patient"]) == ("question-list", "person")
    (turn,) = episode.turns
    assert turn.patient == "I have a heavy feeling in my chest."
    assert [attempt.text for attempt in turn.rejected] == ["I take warfarin."]


def test_after_three_refusals_words_without_content_are_heard(typed, tmp_path, capsys):
    typed("I take warfarin.", "I take digoxin.", "I take insulin.", "/quit")
    args = ["--env", "diagnosis", "--as", "patient", "--case", "cir-01"]
    assert bedside("play", *args, "--out", tmp_path / "run") == 0
    (episode,) = read_episodes(tmp_path / "run")
    assert episode.turns[0].fallback
    assert f"heard instead: {episode.turns[0].patient}" in " ".join(capsys.readouterr().out.split())


def test_a_person_who_is_taught_is_examined_by_the_embedded_mind(typed, tmp_path):
    typed("I'm fine, thank you.", "/quit")
    assert bedside("play", "--as", "patient", "--case", "cir-01", "--out", tmp_path / "run") == 0
    assert read_scores(tmp_path / "run")["score.exam"].to_pylist()[0] is not None


def test_every_talk_gets_a_folder_and_a_patient_of_its_own(typed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        typed("Hello!", "/quit")
        assert bedside("play") == 0
    first, second = (next(read_episodes(tmp_path / "runs" / "play" / name)) for name in "12")
    assert first.case != second.case


def test_nothing_said_is_nothing_kept(typed, tmp_path, capsys):
    typed()
    assert bedside("play", "--out", tmp_path / "run") == 0
    assert "nothing is kept" in capsys.readouterr().out
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("--case nobody", "no case 'nobody' in open"),
        ("--env surgery", "unknown environment"),
        ("--as nurse", "nurse"),
        ("--out {dir}", "is not empty"),
    ],
)
def test_mistakes_are_one_line(args, message, tmp_path, capsys):
    (tmp_path / "thesis.txt").write_text("years of work")
    assert bedside("play", *args.format(dir=tmp_path).split()) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
