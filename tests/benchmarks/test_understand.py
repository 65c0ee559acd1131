"""``bedside understand``: what it prints, and how it complains."""

from pathlib import Path

import orjson
import pytest

from bedside.benchmarks.command import invoke
from bedside.cli import build_app


def run(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = invoke(build_app(), ["understand", str(path)], "bedside")
    out = capsys.readouterr()
    return code, out.out, out.err


def test_intents_line_by_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "said.jsonl"
    path.write_text('{"id": "a", "text": "When did the fever start, and do you smoke?"}\n\n{"id": 2, "text": "Hm."}\n')
    code, out, _ = run(path, capsys)
    assert code == 0
    assert [orjson.loads(line) for line in out.splitlines()] == [
        {
            "id": "a",
            "intents": [{"intent": "onset", "target": "fever"}, {"intent": "tobacco", "target": None}],
        },
        {"id": 2, "intents": [{"intent": "other", "target": None}]},
    ]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("nonsense", "line 1: not JSON"),
        ('["a"]', "not list"),
        ('{"id": 1}', "text missing"),
        ('{"id": 1, "text": 3}', "text must be a string"),
        ('{"id": null, "text": "Hm."}', "id must be"),
    ],
)
def test_what_is_wrong_is_said(line: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "said.jsonl"
    path.write_text(line + "\n")
    code, out, err = run(path, capsys)
    assert code == 2
    assert not out
    assert told in err


def test_a_missing_file_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(tmp_path / "none.jsonl", capsys)
    assert code == 2
    assert "No such file" in err
