"""Curricula: verified, graded, resumable, the same bytes, and read by the library that will train on them."""

import orjson
import pytest
import tiny
from typer.testing import CliRunner

from bedside.cli import build_app
from bedside.training import curriculum_folder
from bedside.training.chat_tokens import ChatTokens
from bedside.training.curriculum import STAGES, Curriculum, DialogueMaker, stages_between
from bedside.training.curriculum_folder import write_curriculum
from bedside.training.sft import supervised

SMALL = {"count": 6, "cases": "open:train", "policies": ("checklist",), "briefing": "compact", "max_turns": 6}


@pytest.fixture(autouse=True)
def _small_shards(monkeypatch):
    monkeypatch.setattr(curriculum_folder, "_SHARD", 2)


def rows(folder, split="train"):
    return [orjson.loads(line) for line in (folder / f"{split}.jsonl").read_bytes().splitlines()]


def test_rows_are_chats_with_what_they_were_worth(tmp_path):
    assert write_curriculum(Curriculum(**SMALL), tmp_path) == {"played": 6, "kept": 6, "duplicates": 0}
    found = rows(tmp_path)
    assert [row["stage"] for row in found] == ["easy", "easy", "mild", "medium", "medium", "hard"]
    for row in found:
        roles = [message["role"] for message in row["messages"]]
        assert roles[:3] == ["system", "user", "assistant"]
        assert roles[-1] == "assistant"
        assert row["noise"].count("=") == {"easy": 0, "mild": 1, "medium": 2, "hard": 3}[row["stage"]]
        assert row["verdicts"]["fabricated"] == 0
        assert row["reward"] == pytest.approx(sum(row["reward_parts"].values()), abs=1e-6)
    card = (tmp_path / "README.md").read_text()
    assert "| medium | 2 |" in card
    assert "6 dialogues of 6 cases (open:train), seed 0" in card


def test_datasets_reads_it_and_trl_learns_from_it(tmp_path):
    from datasets import load_dataset

    write_curriculum(Curriculum(**SMALL), tmp_path / "c")
    loaded = load_dataset(str(tmp_path / "c"), split="train", cache_dir=str(tmp_path / "cache"))
    assert loaded.num_rows == 6
    assert [dict(m) for m in loaded[0]["messages"]] == rows(tmp_path / "c")[0]["messages"]


def test_an_interrupted_curriculum_goes_on_to_the_same_bytes(tmp_path, monkeypatch):
    write_curriculum(Curriculum(**SMALL), tmp_path / "whole")
    row = DialogueMaker.row

    def breaks(self, number):
        if number == 3:
            raise KeyboardInterrupt
        return row(self, number)

    monkeypatch.setattr(DialogueMaker, "row", breaks)
    with pytest.raises(KeyboardInterrupt):
        write_curriculum(Curriculum(**SMALL), tmp_path / "broken")
    assert not (tmp_path / "broken" / "train.jsonl").exists()
    played = []
    monkeypatch.setattr(DialogueMaker, "row", lambda self, number: played.append(number) or row(self, number))
    write_curriculum(Curriculum(**SMALL), tmp_path / "broken")
    assert played == [2, 3, 4, 5]
    for name in ("train.jsonl", "train.parquet", "README.md"):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "broken" / name).read_bytes()


def test_other_settings_are_refused(tmp_path):
    write_curriculum(Curriculum(**SMALL), tmp_path)
    with pytest.raises(ValueError, match="holds a curriculum of other settings"):
        write_curriculum(Curriculum(**SMALL | {"seed": 1}), tmp_path)


def test_the_command(tmp_path):
    run = CliRunner()
    options = ["--n", "2", "--policy", "checklist", "--briefing", "compact", "--max-turns", "4", "--workers", "1"]
    for split in ("train", "test"):
        done = run.invoke(build_app(), ["curriculum", "--out", str(tmp_path), "--split", split, *options])
        assert done.exit_code == 0, done.output
        assert f"2 dialogues in {tmp_path}" in done.output.replace("\n", "")
    train, test = ({row["case"] for row in rows(tmp_path, split)} for split in ("train", "test"))
    assert not train & test
    assert "split: test" in (tmp_path / "README.md").read_text()
    wrong = run.invoke(build_app(), ["curriculum", "--out", str(tmp_path / "x"), "--stages", "brutal"])
    assert wrong.exit_code == 2
    assert "unknown stage 'brutal'; known are easy, mild, medium, hard" in wrong.output
    assert not (tmp_path / "x").exists()


def test_spans_of_stages():
    assert stages_between("easy..hard") == tuple(STAGES)
    assert stages_between("mild..medium") == ("mild", "medium")
    assert stages_between("hard") == ("hard",)


@pytest.mark.parametrize("template", ["chatml", "qwen3", "llama3"])
def test_the_loss_counts_what_the_clinician_said_and_the_end_of_each_turn(template):
    tokens = ChatTokens(tiny.tokenizer(template))
    messages = [
        {"role": "system", "content": "Teach."},
        {"role": "user", "content": "Hello."},
        {"role": "assistant", "content": "Take one pill a day."},
        {"role": "user", "content": "Okay."},
        {"role": "assistant", "content": "Goodbye."},
    ]
    row = supervised(tokens, messages)
    learned = [i for i, own in zip(row["input_ids"], row["assistant_masks"], strict=True) if own]
    end = tiny.ENDS[template]
    assert tokens.tokenizer.decode(learned) == f"Take one pill a day.{end}Goodbye.{end}"
    assert "Okay." in tokens.tokenizer.decode(row["input_ids"])
