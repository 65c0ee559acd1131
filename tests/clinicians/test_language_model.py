import pytest

from bedside.chat.scripted import ScriptedModel
from bedside.clinicians.language_model import LanguageModelClinician
from bedside.clinicians.registry import make_clinician
from bedside.clinicians.rollout import rollout
from bedside.envs.discharge import DischargeEnv


def test_a_language_model_plays_an_encounter(open_cases):
    said = ["Hello, how are you?", "You had a stay in the hospital. Any questions?", "Goodbye."]
    clinician = LanguageModelClinician(ScriptedModel(said))
    env = DischargeEnv(open_cases[:1])
    episode = rollout(env, clinician, seed=1)
    assert [turn.heard for turn in episode.turns] == said
    assert episode.policy == "scripted"
    assert episode.usage.calls == 3
    assert episode.usage.completion_tokens == sum(len(text.split()) for text in said)


def test_the_model_sees_its_role_the_briefing_and_the_dialogue(open_cases):
    seen = []

    def answer(messages):
        seen.append(list(messages))
        return "Goodbye." if len(seen) == 2 else "Hello."

    env = DischargeEnv(open_cases[:1])
    episode = rollout(env, LanguageModelClinician(ScriptedModel(answer)), seed=1)
    roles = [m.role for m in seen[1]]
    assert roles == ["system", "user", "assistant", "user"]
    assert env.briefing in seen[0][0].content
    assert seen[1][-1].content == episode.turns[0].patient


def test_credentialed_cases_stay_on_this_machine(open_cases, monkeypatch):
    held = [open_cases[0].model_copy(update={"credentialed": True})]
    monkeypatch.setenv("OPENAI_BASE_URL", "https://models.example.org/v1")
    with pytest.raises(ValueError, match="credentialed"):
        make_clinician("openai/m", cases=held, source="x")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:8000/v1")
    assert make_clinician("openai/m", cases=held, source="x").name == "openai/m"
