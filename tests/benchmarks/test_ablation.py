import json

import pytest

from bedside.benchmarks.command import invoke
from bedside.benchmarks.verifier import app
from bedside.chat.providers import PROVIDERS
from bedside.chat.scripted import ScriptedModel
from bedside.envs.episode import Episode


@pytest.fixture
def inventive(monkeypatch):
    """A patient that invents a drug unless its prompt asks it to stay with the record; it keeps who it was asked by."""
    asked = []

    def answer(messages):
        asked.append(messages[0].content)
        return "I see." if "Stay with your record" in messages[0].content else "I take warfarin, clozapine."

    monkeypatch.setitem(PROVIDERS, "inventive", lambda rest: ScriptedModel(answer))
    return asked


def run(capsys, *args):
    code = invoke(app, ["--ablation", *args], "verifier.py")
    return code, capsys.readouterr()


def test_arms_side_by_side(capsys, tmp_path, inventive):
    args = ("--patient", "inventive/x", "--arms", "off,prompt,rules", "--turns", "25", "--out", str(tmp_path), "--json")
    code, shown = run(capsys, *args)
    assert code == 0
    arms = json.loads(shown.out)
    assert arms["off"]["hallucination"] == 1.0
    assert arms["off"]["consistency"] == 0.0
    assert arms["off"]["calls"] == 25
    assert arms["prompt"]["hallucination"] == arms["rules"]["fallback"] == 0.0
    episodes = [Episode.from_json(line) for line in (tmp_path / "off.jsonl").read_bytes().splitlines()]
    assert [len(episode.turns) for episode in episodes] == [20, 5]
    assert len({episode.case for episode in episodes}) == 2


def test_what_rules_do_to_a_patient_that_cannot_be_told(capsys, monkeypatch):
    monkeypatch.setitem(PROVIDERS, "liar", lambda rest: ScriptedModel(lambda messages: "I take warfarin, clozapine."))
    _, shown = run(capsys, "--patient", "liar/x", "--arms", "rules", "--turns", "5", "--json")
    arm = json.loads(shown.out)["rules"]
    assert (arm["hallucination"], arm["fallback"], arm["rejected_per_turn"]) == (0.0, 1.0, 3.0)


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (("--patient", "embedded"), "needs a patient PROVIDER/MODEL"),
        (("--patient", "nobody"), "patient: unknown model 'nobody'"),
        (("--patient", "inventive/x", "--arms", "magic"), "unknown verifier 'magic'"),
    ],
)
def test_what_cannot_be_compared_is_one_line(capsys, inventive, args, complaint):
    code, shown = run(capsys, *args)
    assert code == 2
    assert complaint in shown.err
    assert "Traceback" not in shown.err
