"""Transcripts and diagnoses from elsewhere: scored, explained, or refused with the field that is wrong."""

from pathlib import Path

import orjson
import pytest
from transcripts import gold_lesson, open_case

from bedside.benchmarks.command import invoke
from bedside.cases.case import Case
from bedside.cases.jsonl import CaseError
from bedside.cli import build_app
from bedside.rewards.foreign import LISTENER, Transcript, read_pairs, read_transcripts, score_transcript

NSTEMI = open_case("cir-01")
CASES = {NSTEMI.id: NSTEMI}


def line(**fields: object) -> dict[str, object]:
    turns = [{"role": "patient", "text": "Hello."}]
    for text in gold_lesson(NSTEMI):
        turns += [{"role": "educator", "text": text}, {"role": "patient", "text": "Okay."}]
    return {"id": "t1", "case_id": NSTEMI.id, "turns": turns, **fields}


def written(path: Path, *rows: dict[str, object]) -> Path:
    path.write_bytes(b"\n".join(orjson.dumps(row) for row in rows))
    return path


def test_gold_transcript_scores_as_in_our_own_episodes() -> None:
    scored = score_transcript(Transcript.model_validate(line(summary=" ".join(gold_lesson(NSTEMI)))), NSTEMI)
    assert scored.scores["tcs"].value == 1
    assert (scored.scores["exam_gain"].value or 0) > 0
    assert (scored.scores["exam_summary"].value or 0) >= (scored.scores["exam_before"].value or 0)
    assert scored.engines["exam"] == LISTENER
    assert scored.engines["tcs"] == "embedded"
    assert "fallback_rate" not in scored.scores
    assert scored.claims
    assert {claim["cell"] for claim in scored.row()["claims"]} >= {"faithful_relay"}


def test_one_who_says_nothing_leaves_the_listener_as_it_was() -> None:
    turns = [{"role": "educator", "text": "Good morning."}]
    scored = score_transcript(Transcript.model_validate(line(turns=turns)), NSTEMI)
    assert scored.scores["exam_gain"].value == 0
    assert scored.scores["tcs"].value == 0


def test_runs_of_one_role_are_one_turn() -> None:
    turns = [{"role": "educator", "text": t} for t in ("Hello.", "You had a heart attack.")]
    scored = score_transcript(Transcript.model_validate(line(turns=turns)), NSTEMI)
    assert scored.scores["turns"].value == 1
    assert scored.scores["tcs"].parts["Q1"] == 1


@pytest.mark.parametrize(
    ("fields", "accuracy"),
    [
        ({"diagnosis": "heart attack"}, 1),
        ({"diagnosis": "gastritis"}, 0),
        ({"turns": [{"role": "doctor", "text": "Final Diagnosis: NSTEMI"}]}, 1),
        ({"turns": [{"role": "doctor", "text": "Does it hurt?"}, {"role": "patient", "text": "Yes."}]}, 0),
    ],
)
def test_interviews_are_scored_by_their_diagnosis(fields: dict[str, object], accuracy: float) -> None:
    scored = score_transcript(Transcript.model_validate(line(**fields)), NSTEMI)
    assert scored.scores["accuracy"].value == accuracy


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"case_id": "nobody"}, "case_id"),
        ({"turns": []}, "turns"),
        ({"turns": [{"role": "patient", "text": "Hello."}]}, "turns"),
        ({"turns": [{"role": "nurse", "text": "Hello."}]}, "turns.0.role"),
        ({"id": "t0"}, "id"),
    ],
)
def test_unusable_transcripts_are_told_by_line_and_field(
    tmp_path: Path, fields: dict[str, object], field: str, capsys
) -> None:
    path = written(tmp_path / "t.jsonl", line(id="t0"), line(**fields))
    with pytest.raises(CaseError, match=f"line 2, field {field}"):
        list(read_transcripts(path, CASES))
    assert invoke(build_app(), ["score", str(path), "--cases", "open"], "bedside") == 2
    assert f"line 2, field {field}" in capsys.readouterr().err


def test_commands_write_one_line_each(tmp_path: Path, capsys) -> None:
    out = tmp_path / "out.jsonl"
    path = written(tmp_path / "t.jsonl", line())
    assert invoke(build_app(), ["score", str(path), "--cases", "open", "--out", str(out)], "bedside") == 0
    (row,) = [orjson.loads(text) for text in out.read_bytes().splitlines()]
    assert row["scores"]["tcs"]["value"] == 1
    assert row["scores"]["tcs"]["evidence"]["Q1"]
    assert invoke(build_app(), ["score", str(path), "--cases", "open"], "bedside") == 0
    assert "tcs" in capsys.readouterr().out

    pairs = written(tmp_path / "p.jsonl", {"prediction": "MI", "reference": "heart attack", "icd10": "I21.9"})
    assert invoke(build_app(), ["match", str(pairs), "--out", str(out)], "bedside") == 0
    row = orjson.loads(out.read_bytes())
    assert (row["match"], row["stage"]) == (True, "icd10")
    assert row["why"]
    assert invoke(build_app(), ["match", str(pairs)], "bedside") == 0
    assert "1 of 1 match" in capsys.readouterr().out


def test_unusable_pairs_are_told(tmp_path: Path) -> None:
    for row, field in (
        ({"prediction": "MI"}, "reference"),
        ({"prediction": "MI", "reference": "x", "icd10": "?"}, "icd10"),
    ):
        with pytest.raises(CaseError, match=f"line 1, field {field}"):
            list(read_pairs(written(tmp_path / "p.jsonl", row)))


def test_a_case_without_plan_cannot_be_taught(tmp_path: Path) -> None:
    bare = Case.model_validate(NSTEMI.model_copy(update={"plan": (), "questions": ()}).model_dump())
    with pytest.raises(CaseError, match="no discharge plan"):
        list(read_transcripts(written(tmp_path / "t.jsonl", line()), {bare.id: bare}))
