import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bedside.chat.model import ChatError, EmptyAnswerError, Message, Sampling
from bedside.chat.openai_api import OpenAIModel
from bedside.chat.providers import chat_model
from bedside.chat.scripted import ScriptedModel
from bedside.clinicians.language_model import LanguageModelClinician
from bedside.clinicians.registry import make_clinician
from bedside.clinicians.rollout import rollout
from bedside.envs.discharge import DischargeEnv

HELLO = [Message(role="user", content="Hello")]


class Endpoint(BaseHTTPRequestHandler):
    """A chat completions endpoint that answers from a script of (status, content)."""

    def do_POST(self):
        self.server.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        status, content = self.server.script.pop(0) if self.server.script else (200, "Goodbye.")
        body = json.dumps(
            {
                "id": "x",
                "object": "chat.completion",
                "created": 0,
                "model": "m",
                "choices": [
                    {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}
                ],
                "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
            }
        ).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("retry-after-ms", "1")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


@pytest.fixture
def endpoint(monkeypatch):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    server.script, server.asked = [], []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def model(endpoint):
    model = OpenAIModel("m")
    yield model
    model.close()


def test_an_endpoint_answers(endpoint, model):
    endpoint.script = [(200, "<think>hm</think>Hi there.")]
    answer = model.complete(HELLO, Sampling(temperature=0.1, max_tokens=5, seed=4))
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens) == ("Hi there.", 7, 3)
    sent = endpoint.asked[0]
    assert (sent["temperature"], sent["max_tokens"], sent["seed"]) == (0.1, 5, 4)


def test_rate_limits_and_server_errors_are_retried(endpoint, model):
    endpoint.script = [(429, ""), (503, ""), (200, "Here.")]
    assert model.complete(HELLO, Sampling()).text == "Here."
    assert len(endpoint.asked) == 3


@pytest.mark.parametrize("script", [[(200, "")], [(200, "<think>only thought")], [(400, "no")]])
def test_what_is_no_answer_is_an_error(endpoint, model, script):
    endpoint.script = script
    with pytest.raises(ChatError, match="openai/m"):
        model.complete(HELLO, Sampling())


def test_a_schema_is_passed_on_until_the_endpoint_refuses_it(endpoint, model):
    asked = Sampling(response_schema={"type": "object"})
    endpoint.script = [(200, "{}"), (400, "no such field"), (200, "{}"), (200, "{}")]
    for _ in range(3):
        assert model.complete(HELLO, asked).text == "{}"
    sent = [body.get("response_format") for body in endpoint.asked]
    assert [bool(schema) for schema in sent] == [True, True, False, False]
    assert sent[0] == {"type": "json_schema", "json_schema": {"name": "answer", "schema": {"type": "object"}}}


def test_an_answer_without_words_can_be_told_from_a_broken_endpoint(endpoint, model):
    endpoint.script = [(200, "<think>only thought")]
    with pytest.raises(EmptyAnswerError) as empty:
        model.complete(HELLO, Sampling())
    assert empty.value.completion.completion_tokens == 3
    endpoint.script = [(400, "no")]
    with pytest.raises(ChatError) as broken:
        model.complete(HELLO, Sampling())
    assert not isinstance(broken.value, EmptyAnswerError)


def test_a_model_string_needs_a_known_provider():
    with pytest.raises(ValueError, match="openai/MODEL"):
        chat_model("nowhere/model")
    with pytest.raises(ValueError, match="openai/MODEL"):
        chat_model("openai/")


def test_a_missing_key_is_explained(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(ChatError, match="set OPENAI_API_KEY"):
        OpenAIModel("m").complete(HELLO, Sampling())


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
