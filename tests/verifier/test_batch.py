import orjson
import pytest

from bedside.benchmarks.command import invoke
from bedside.cases.jsonl import CaseError
from bedside.cases.sources import load_cases
from bedside.cli import build_app
from bedside.verifier.batch import read_lines, verify_lines
from bedside.verifier.engines import make_verifier
from bedside.verifier.ensemble import EnsembleVerifier
from bedside.verifier.llm.verifier import LLMVerifier
from bedside.verifier.verifier import RulesVerifier

CASES = {case.id: case for case in load_cases("open")}


def write(path, *rows):
    path.write_bytes(b"\n".join(r if isinstance(r, bytes) else orjson.dumps(r) for r in rows) + b"\n")
    return path


def row(**changes):
    return {
        "id": "u1",
        "case_id": "cir-01",
        "doctor": "Medicines?",
        "utterance": "I take lisinopril and warfarin.",
    } | changes


def verdicts(path):
    return [result.row() for result in verify_lines(read_lines(path, CASES), CASES, RulesVerifier())]


def test_an_utterance_is_decomposed(tmp_path):
    (result,) = verdicts(write(tmp_path / "in.jsonl", row()))
    assert result["id"] == "u1"
    assert result["overall"] == "regenerate"
    assert {c["text"]: c["verdict"] for c in result["claims"]} == {
        "lisinopril": "supported",
        "warfarin": "fabricated",
    }
    assert result["violations"] == ["fabrication"]
    assert all(c["reason"] for c in result["claims"])


def test_given_claims_are_judged_as_they_are(tmp_path):
    (result,) = verdicts(
        write(tmp_path / "in.jsonl", row(claims=["patient takes lisinopril", "patient has a headache"]))
    )
    assert [c["text"] for c in result["claims"]] == ["patient takes lisinopril", "patient has a headache"]
    assert [c["verdict"] for c in result["claims"]] == ["supported", "fabricated"]


def test_noise_and_history_are_respected(tmp_path):
    said = [{"role": "doctor", "text": "Do you smoke?"}, {"role": "patient", "text": "I smoke cigarettes."}]
    hidden = row(utterance="I don't smoke cigarettes.", noise={"social_cultural": 2})
    results = verdicts(write(tmp_path / "in.jsonl", hidden, hidden | {"history": said}, hidden | {"noise": None}))
    assert [r["overall"] for r in results] == ["pass", "regenerate", "regenerate"]
    assert results[1]["violations"] == ["contradiction"]


def test_claims_with_other_fields_and_unknown_fields_are_read(tmp_path):
    (result,) = verdicts(
        write(tmp_path / "in.jsonl", row(claims=[{"text": "patient takes lisinopril", "gold": "x"}], more=1))
    )
    assert result["overall"] == "pass"


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (b"{", "line 2: not JSON"),
        (b"[]", "line 2: must be an object"),
        (row(case_id="nobody"), "line 2, field case_id: no case 'nobody'"),
        (row(utterance=3), "line 2, field utterance"),
        (row(claims="x"), "line 2, field claims"),
        (row(history=[{"role": "patient"}]), "line 2, field history.0.text"),
        (row(noise={"memory_recall": 9}), "line 2, field noise.memory_recall"),
        (row(noise={"memory": 1}), "line 2, field noise.memory"),
        ({"id": 1, "case_id": "cir-01"}, "line 2, field utterance"),
    ],
)
def test_what_cannot_be_used_is_told_with_line_and_field(tmp_path, bad, message):
    with pytest.raises(CaseError) as error:
        verdicts(write(tmp_path / "in.jsonl", row(), bad))
    assert message in str(error.value)
    assert "in.jsonl" in str(error.value)


def test_unknown_engine():
    with pytest.raises(ValueError, match="unknown verifier 'magic'"):
        make_verifier("magic")


def run(*args):
    return invoke(build_app(), ["verify", *map(str, args)], "bedside")


def test_command_writes_lines(tmp_path):
    source, out = write(tmp_path / "in.jsonl", row(), b"", row(id=2)), tmp_path / "out.jsonl"
    assert run(source, "--cases", "open", "--out", out) == 0
    assert [orjson.loads(line)["id"] for line in out.read_bytes().splitlines()] == ["u1", 2]


def test_command_prints_what_people_read(tmp_path, capsys):
    assert run(write(tmp_path / "in.jsonl", row()), "--cases", "open") == 0
    shown = capsys.readouterr().out
    assert "regenerate" in shown
    assert "the record lists no warfarin" in shown


@pytest.mark.parametrize(
    "args",
    [
        ["none.jsonl", "--cases", "open"],
        ["in.jsonl", "--cases", "nowhere"],
        ["in.jsonl", "--cases", "open", "--engine", "x"],
    ],
)
def test_command_complains_in_one_line(tmp_path, monkeypatch, capsys, args):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "in.jsonl", row())
    assert run(*args) == 2
    assert capsys.readouterr().err.count("\n") == 1


class NoEvidence:
    def retrieve(self, claims, grounded):
        return [() for _ in claims]

    def describe(self, evidence):
        return ""


def given(tmp_path, verifier):
    path = write(tmp_path / "in.jsonl", row() | {"claims": ["patient takes warfarin"]})
    (result,) = verify_lines(read_lines(path, CASES), CASES, verifier)
    return result.row()


def test_given_claims_fail_closed_when_a_model_cannot_be_read(tmp_path):
    from bedside.chat.scripted import ScriptedModel

    babbler = LLMVerifier(ScriptedModel(lambda _: "no json at all"), NoEvidence())
    alone = given(tmp_path, babbler)
    assert alone["overall"] == "regenerate"
    assert "unreadable" in alone["violations"]
    assert [claim["verdict"] for claim in alone["claims"]] == ["unverifiable"]
    together = given(tmp_path, EnsembleVerifier(RulesVerifier(), babbler))
    assert together["overall"] == "regenerate"
    assert [claim["verdict"] for claim in together["claims"]] == ["fabricated"]
