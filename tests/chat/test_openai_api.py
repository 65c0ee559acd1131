import asyncio
import logging
import threading
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from bedside.chat.backoff import Backoff, retry_after
from bedside.chat.mock_endpoint import Fault, MockEndpoint
from bedside.chat.model import (
    ChatError,
    EmptyAnswerError,
    Message,
    RefusalError,
    RejectedError,
    Sampling,
    UnreachableError,
)
from bedside.chat.openai_api import OpenAIModel

HELLO = [Message(role="system", content="Be kind."), Message(role="user", content="Hello")]
SECRET = "sk-marker-0123456789"
QUICK = Backoff(retries=3, first_s=0.001)


@pytest.fixture
def endpoint():
    with MockEndpoint(answer=lambda body: "Goodbye.") as endpoint:
        yield endpoint


@pytest.fixture
def model(endpoint, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    return OpenAIModel("m", base_url=endpoint.url, timeout_s=0.2, backoff=QUICK)


def sent(endpoint):
    return [received.body for received in endpoint.received]


def test_an_endpoint_answers(endpoint, model):
    endpoint.script.append("<think>hm</think>Hi there.")
    answer = model.complete(HELLO, Sampling(temperature=0.1, max_tokens=5, seed=4))
    assert (answer.text, answer.finish, answer.faults) == ("Hi there.", "stop", ())
    assert answer.prompt_tokens == 3
    assert answer.completion_tokens == 6
    assert answer.latency_s > 0
    (body,) = sent(endpoint)
    assert body == {
        "model": "m",
        "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hello"}],
        "temperature": 0.1,
        "top_p": 0.95,
        "max_tokens": 5,
        "seed": 4,
    }


@pytest.mark.parametrize(
    ("fault", "word"),
    [
        (Fault.RATE_LIMIT, "rate_limit"),
        (Fault.SERVER_ERROR, "server_error"),
        (Fault.DROPPED, "dropped"),
        (Fault.CUT_OFF, "dropped"),
        (Fault.HANG, "timeout"),
        (Fault.MALFORMED, "malformed"),
        ((200, "wrong form"), "malformed"),
        ((502, "<html>Bad gateway"), "server_error"),
    ],
)
def test_what_may_pass_is_tried_again_and_then_given_up(endpoint, model, fault, word):
    endpoint.script.extend([fault, fault, "Here."])
    answer = model.complete(HELLO, Sampling())
    assert (answer.text, answer.faults) == ("Here.", (word, word))
    assert len({str(body) for body in sent(endpoint)}) == 1
    endpoint.script.extend([fault] * 4)
    with pytest.raises(UnreachableError, match=r"openai/m: .*given up after 4 tries") as error:
        model.complete(HELLO, Sampling())
    assert error.value.faults == (word,) * 4


def test_nobody_listens(monkeypatch):
    with MockEndpoint() as endpoint:
        url = endpoint.url
    with pytest.raises(UnreachableError, match="given up after 4 tries"):
        OpenAIModel("m", base_url=url, backoff=QUICK).complete(HELLO, Sampling())


def test_silence_is_asked_again_under_another_seed(endpoint, model):
    endpoint.script.extend([Fault.EMPTY, "<think>only thought", "Here."])
    answer = model.complete(HELLO, Sampling(seed=7))
    assert (answer.text, answer.faults) == ("Here.", ("empty", "empty"))
    assert [body["seed"] for body in sent(endpoint)] == [7, 8, 9]
    # What the silent answers cost is counted too.
    assert answer.prompt_tokens == 9


@pytest.mark.parametrize(("fault", "error"), [(Fault.EMPTY, EmptyAnswerError), (Fault.REFUSAL, RefusalError)])
def test_silence_for_ever_is_told_from_a_broken_endpoint(endpoint, model, fault, error):
    endpoint.script.extend([fault] * 3)
    with pytest.raises(error, match=r"openai/m: .* 3 times") as caught:
        model.complete(HELLO, Sampling())
    assert type(caught.value) is error
    assert caught.value.completion.prompt_tokens == 9


def test_a_cut_answer_says_so(endpoint, model):
    endpoint.script.append(Fault.TRUNCATED)
    answer = model.complete(HELLO, Sampling())
    assert (answer.text, answer.finish) == ("Good", "length")


def test_a_budget_spent_on_reasoning_is_not_spent_again(endpoint, model):
    endpoint.answer = lambda body: "<think>" + "hm " * 20
    endpoint.script.append(Fault.TRUNCATED)
    with pytest.raises(EmptyAnswerError, match="all 5 tokens went into reasoning; allow more"):
        model.complete(HELLO, Sampling(max_tokens=5))
    assert len(endpoint.received) == 1


@pytest.mark.parametrize(
    ("status", "told"),
    [(401, "bad key"), (404, "no such model"), (400, "too long"), (429, "insufficient_quota: pay first")],
)
def test_what_will_not_pass_is_not_tried_again(endpoint, model, status, told):
    endpoint.script.append((status, told))
    with pytest.raises(RejectedError, match=f"openai/m: status {status}: {told}"):
        model.complete(HELLO, Sampling())
    assert len(endpoint.received) == 1


def test_a_rate_limit_is_waited_for(endpoint, model):
    endpoint.retry_after_s = 0.3
    endpoint.script.append(Fault.RATE_LIMIT)
    began = time.monotonic()
    assert model.complete(HELLO, Sampling()).latency_s >= 0.3
    assert time.monotonic() - began >= 0.3
    endpoint.retry_after_s = 3600
    endpoint.script.append(Fault.RATE_LIMIT)
    with pytest.raises(UnreachableError, match="tried again only in 3600 s"):
        model.complete(HELLO, Sampling())


def test_retry_after_is_seconds_or_a_date():
    assert retry_after({"Retry-After": "2.5"}) == 2.5
    assert retry_after({"retry-after-ms": "250", "Retry-After": "9"}) == 0.25
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert 25 < retry_after({"Retry-After": soon}) <= 30
    assert retry_after({}) is None
    assert retry_after({"Retry-After": "soon"}) is None


def test_waits_double_and_follow_from_the_request():
    backoff = Backoff(first_s=1.0, longest_s=10.0)
    waits = [backoff.wait_s(attempt, "request") for attempt in range(6)]
    assert all(0.5 * 2**i <= wait <= 2**i for i, wait in enumerate(waits[:4]))
    assert all(wait <= 10.0 for wait in waits)
    assert waits == [backoff.wait_s(attempt, "request") for attempt in range(6)]
    assert waits != [backoff.wait_s(attempt, "another") for attempt in range(6)]


QUIRKS = [
    (
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        lambda body: body.get("max_completion_tokens") == 256 and "max_tokens" not in body,
    ),
    ("Unsupported value: 'temperature' does not support 0.3 with this model.", lambda body: "temperature" not in body),
    (
        "[{'type': 'extra_forbidden', 'loc': ['seed'], 'msg': 'Extra inputs are not permitted'}]",
        lambda b: "seed" not in b,
    ),
    (
        "System role not supported",
        lambda body: body["messages"] == [{"role": "user", "content": "Be kind.\n\nHello"}],
    ),
]


@pytest.mark.parametrize(("told", "holds"), QUIRKS)
def test_what_an_endpoint_will_not_have_is_learned_once(endpoint, model, told, holds):
    endpoint.script.append((400, told))
    for _ in range(2):
        assert model.complete(HELLO, Sampling(seed=1)).text == "Goodbye."
    bodies = sent(endpoint)
    assert [holds(body) for body in bodies] == [False, True, True]


def test_roles_alternate_for_those_who_insist(endpoint, model):
    endpoint.script.append((400, "Conversation roles must alternate user/assistant/user/assistant/..."))
    model.complete([*HELLO, Message(role="user", content="Hello?")], Sampling())
    assert [m["role"] for m in sent(endpoint)[1]["messages"]] == ["system", "user"]


def test_a_schema_is_passed_on_until_the_endpoint_refuses_it(endpoint, model):
    asked = Sampling(response_schema={"type": "object"})
    endpoint.script.extend(["{}", (400, "no such field"), "{}", "{}"])
    for _ in range(3):
        assert model.complete(HELLO, asked).text == "{}"
    schemas = [body.get("response_format") for body in sent(endpoint)]
    assert [bool(schema) for schema in schemas] == [True, True, False, False]
    assert schemas[0] == {"type": "json_schema", "json_schema": {"name": "answer", "schema": {"type": "object"}}}


def test_a_key_is_sent_and_never_shown(endpoint, model, caplog):
    caplog.set_level(logging.DEBUG)
    endpoint.script.extend([(401, f"Incorrect API key provided: {SECRET}"), (503, f"Bearer {SECRET}")])
    for _ in range(2):
        with pytest.raises(ChatError) as error:
            OpenAIModel("m", base_url=endpoint.url, backoff=Backoff(retries=0)).complete(HELLO, Sampling())
        shown = f"{error.value!r} {error.value.__cause__!r}"
        assert "marker" not in shown
        assert "[key]" in shown
    assert f"Authorization: Bearer {SECRET}" in endpoint.received[0].headers
    assert "marker" not in caplog.text


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("localhost:8000/v1", "must look like http://host:port/v1"),
        ("http://user:hunter2@host/v1", "must hold no user or password"),
        ("http://host:port/v1", "cannot be read"),
    ],
)
def test_a_base_url_is_checked_at_once(url, message):
    with pytest.raises(ValueError, match=message) as error:
        OpenAIModel("m", base_url=url)
    assert "hunter2" not in str(error.value)


def test_a_missing_key_is_explained_at_once(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(ValueError, match="set OPENAI_API_KEY"):
        OpenAIModel("m")


def test_calls_at_once_are_bounded_and_as_many_as_that(endpoint):
    endpoint.latency_s = 0.05
    model = OpenAIModel("m", base_url=endpoint.url, concurrency=8)
    threads = [threading.Thread(target=model.complete, args=(HELLO, Sampling(seed=i))) for i in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert endpoint.peak == 8
    assert len(endpoint.received) == 24


def test_any_event_loop_can_await(endpoint, model):
    endpoint.latency_s = 0.05

    async def many():
        return await asyncio.gather(*(model.acomplete(HELLO, Sampling(seed=i)) for i in range(10)))

    began = time.monotonic()
    assert [answer.text for answer in asyncio.run(many())] == ["Goodbye."] * 10
    assert time.monotonic() - began < 0.45
    assert asyncio.run(many())[0].text == "Goodbye."


def test_privacy_follows_the_address():
    assert OpenAIModel("m", base_url="http://localhost:8000/v1").local
    assert OpenAIModel("m", base_url="http://127.0.0.1:8000/v1").local
    assert not OpenAIModel("m", base_url="https://models.example.org/v1").local


def test_proxies_of_the_environment_are_used_except_for_this_machine(monkeypatch):
    from bedside.chat.connections import _proxy_of

    monkeypatch.setenv("https_proxy", "http://proxy:3128")
    monkeypatch.setenv("no_proxy", "localhost,.internal")
    _proxy_of.cache_clear()
    assert _proxy_of("https://api.example.org/v1/chat/completions") == "http://proxy:3128"
    assert _proxy_of("https://gpu.internal/v1/chat/completions") is None
    assert _proxy_of("http://localhost:8000/v1/chat/completions") is None
    _proxy_of.cache_clear()
