"""Credentialed cases and models elsewhere: one rule for every role."""

import json

import pytest

from bedside.benchmarks.command import invoke
from bedside.benchmarks.plan import Settings, make_plan
from bedside.chat.providers import ChatSettings, configure
from bedside.cli import build_app
from bedside.clinicians.registry import make_clinician
from bedside.envs.engines import make_orchestrator, make_patient
from bedside.rewards.judges import make_judge
from bedside.verifier.engines import make_verifier

ROLES = {
    "clinician": lambda model, cases: make_clinician(model, cases=cases, source="open"),
    "patient": lambda model, cases: make_patient(model, cases=cases),
    "orchestrator": lambda model, cases: make_orchestrator(model, cases=cases),
    "verifier": lambda model, cases: make_verifier(f"llm:{model}", cases=cases),
    "ensemble": lambda model, cases: make_verifier(f"ensemble:{model}", cases=cases),
    "judge": lambda model, cases: make_judge(model, cases=cases),
}


@pytest.fixture
def endpoint(monkeypatch):
    """Point models at an endpoint; nobody calls it, and afterwards all is as before."""

    def point(url, *, allowed=False):
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        configure(ChatSettings(allow_remote_credentialed=allowed))

    yield point
    configure(ChatSettings())


@pytest.fixture
def held(open_cases):
    return [open_cases[0], open_cases[1].model_copy(update={"credentialed": True})]


@pytest.mark.parametrize("role", ROLES)
class TestEveryRole:
    def test_a_remote_model_is_refused_with_rule_and_flag(self, role, endpoint, held):
        endpoint("https://models.example.org/v1")
        with pytest.raises(ValueError, match=r"use agreement forbids.*--allow-remote-credentialed") as refused:
            ROLES[role]("openai/big", held)
        assert held[1].id in str(refused.value)
        assert "openai/big" in str(refused.value)

    def test_open_cases_may_go_anywhere(self, role, endpoint, held):
        endpoint("https://models.example.org/v1")
        assert ROLES[role]("openai/big", held[:1])

    def test_a_model_on_this_machine_may_see_them(self, role, endpoint, held):
        endpoint("http://localhost:8000/v1")
        assert ROLES[role]("openai/big", held)

    def test_the_user_may_allow_it(self, role, endpoint, held):
        endpoint("https://models.example.org/v1", allowed=True)
        assert ROLES[role]("openai/big", held)


@pytest.fixture
def file_of(held, tmp_path):
    path = tmp_path / "held.jsonl"
    path.write_text("".join(case.model_dump_json() + "\n" for case in held))
    return str(path)


@pytest.mark.parametrize("role", ["patient", "orchestrator", "judge", "verifier", "policies"])
def test_an_evaluation_asks_for_the_flag_before_it_starts(role, endpoint, file_of):
    endpoint("https://models.example.org/v1")
    model = {"verifier": "llm:openai/big", "policies": ("openai/big",)}.get(role, "openai/big")
    settings = {"env": "diagnosis", "cases": file_of, role: model}
    with pytest.raises(ValueError, match="--allow-remote-credentialed"):
        make_plan(Settings(**settings))
    make_plan(Settings(**settings, models=ChatSettings(allow_remote_credentialed=True)))


@pytest.mark.parametrize(
    "command",
    [
        ("eval", "--env", "diagnosis", "--policy", "infogain", "--patient", "openai/big", "--cases"),
        ("verify", "--engine", "llm", "--model", "openai/big", "in.jsonl", "--cases"),
        ("score", "--judge", "openai/big", "in.jsonl", "--cases"),
    ],
)
def test_every_command_that_sends_cases_knows_the_flag(command, endpoint, file_of, tmp_path, capsys, monkeypatch):
    endpoint("https://models.example.org/v1")
    monkeypatch.chdir(tmp_path)
    line = {"id": "1", "case_id": "bld-02", "doctor": "", "utterance": "No."}
    line["turns"] = [{"role": "doctor", "text": "Any pain?"}, {"role": "patient", "text": "No."}]
    (tmp_path / "in.jsonl").write_text(json.dumps(line))
    assert invoke(build_app(), [*command, file_of], "bedside") == 2
    assert "--allow-remote-credentialed" in capsys.readouterr().err
