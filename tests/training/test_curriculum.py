import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import orjson
import pytest

from bedside.training.curriculum import STAGES, write_curriculum

SCRIPT = Path(__file__).parents[2] / "scripts" / "make_curriculum.py"


def write(path, cases, **changes):
    settings = {"env_id": "bedside/Discharge-v0", "policy": "checklist", "count": 4, "stages": tuple(STAGES), "seed": 1}
    return write_curriculum(path, cases=cases, **(settings | changes))


def test_rows_are_chats_that_a_trainer_takes(open_cases, tmp_path):
    path = tmp_path / "c.jsonl"
    assert write(path, open_cases[:3]) == 4
    rows = [orjson.loads(line) for line in path.read_bytes().splitlines()]
    assert [row["stage"] for row in rows] == list(STAGES)
    for row in rows:
        roles = [message["role"] for message in row["messages"]]
        assert roles[:3] == ["system", "user", "assistant"]
        assert roles[-1] == "assistant"
        assert all(first != second for first, second in pairwise(roles[1:]))
        assert row["scores"]["tcs"] > 0.9
    assert rows[0]["persona"].count("=") == 0
    assert rows[-1]["persona"].count("=") == 3


def test_same_seed_same_bytes(open_cases, tmp_path):
    write(tmp_path / "a.jsonl", open_cases[:3])
    write(tmp_path / "b.jsonl", open_cases[:3])
    write(tmp_path / "c.jsonl", open_cases[:3], seed=2)
    first, second, other = ((tmp_path / f"{n}.jsonl").read_bytes() for n in "abc")
    assert first == second != other


def test_bad_settings_are_told(open_cases, tmp_path):
    with pytest.raises(ValueError, match="unknown stage 'brutal'"):
        write(tmp_path / "x.jsonl", open_cases, stages=["brutal"])
    with pytest.raises(ValueError, match="at least 1"):
        write(tmp_path / "x.jsonl", open_cases, count=0)
    assert not (tmp_path / "x.jsonl").exists()


def test_the_script(tmp_path):
    out = tmp_path / "s.jsonl"
    done = subprocess.run(
        [sys.executable, SCRIPT, "--out", out, "--n", "2"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"2 dialogues in {out}\n"
    wrong = subprocess.run(
        [sys.executable, SCRIPT, "--out", out, "--policy", "nobody"], capture_output=True, text=True, check=False
    )
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("error: unknown policy 'nobody'")
