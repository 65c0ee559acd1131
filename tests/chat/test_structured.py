import json

import pytest
from pydantic import BaseModel

from bedside.chat.model import ChatError, Completion, EmptyAnswerError, Message, Sampling
from bedside.chat.scripted import ScriptedModel
from bedside.chat.structured import Tally, UnreadableError, ask, read_json, with_schema


class Fruit(BaseModel):
    name: str
    count: int = 1


class Basket(BaseModel):
    fruits: list[Fruit]


QUESTION = [Message(role="system", content="Be terse."), Message(role="user", content="Which fruit?")]
PEAR = Fruit(name="pear", count=2)


class Recorder:
    """A model that remembers what it was asked."""

    name, local = "recorder", True

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), []

    def complete(self, messages, sampling):
        self.asked.append((list(messages), sampling))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, Completion) else Completion(text=answer)


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "pear", "count": 2}',
        '```json\n{"name": "pear", "count": 2}\n```',
        '```\n{"name": "pear", "count": 2}\n```\nAnything else?',
        'Of course! Here it is:\n{"name": "pear", "count": 2}\nI hope this helps.',
        '{"name": "pear", "count": 2,}',
        '{"name": "pear",\n "count": "2", }',
        '<think>an {"name": "apple"}? no</think>{"name": "pear", "count": 2}',
        '<reasoning>{ hm</reasoning>\n{"name": "pear", "count": 2}',
        'It might be {"name": "apple"}</think>{"name": "pear", "count": 2}',
        '{"name": "pear", "count": 2} or once more {"count": 2, "name": "pear"}',
        'As [asked] {in this form}: {"name": "pear", "count": 2}',
        '{"name": "pear", "count": 2, "note": "he said \\"{\\\\\\"name\\\\\\": 1}\\" }"}',
    ],
)
def test_what_a_model_puts_around_its_answer_does_not_matter(text):
    assert read_json(text, Fruit) == PEAR


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no JSON"),
        ("I'm sorry, but I can't help with that.", "no JSON"),
        ("PASS", "no JSON"),
        ('{"name": "pear", "count": 2', "not closed"),
        ('{"name": "pear", "count": 2} then {"name": "ap', "not closed"),
        ('{"name": "pear', "not closed"),
        ('{"name": pear}', "malformed"),
        ('{"name": "pear", "name": "apple"}', "malformed"),
        ("[" * 50_000 + "]" * 50_000, "malformed"),
        ('{"name": "pear", "count": "many"}', "count"),
        ('{"count": 2}', "name"),
        ('["pear", 2]', "wrong"),
        ('{"name": "pear"} no, {"name": "apple"}', "several"),
        ('<think>{"name": "pear"}', "no JSON"),
        ("x" * 300_000, "too long"),
    ],
)
def test_what_cannot_be_read_for_sure_is_not_read(text, problem):
    with pytest.raises(UnreadableError, match=problem):
        read_json(text, Fruit)


def test_a_part_of_an_answer_that_breaks_off_is_never_taken_for_the_whole():
    class Loose(BaseModel):
        name: str = ""

    with pytest.raises(UnreadableError, match="not closed"):
        read_json('{"fruits": [{"name": "pear"}, {"name": "app', Loose)


def test_a_complaint_repeats_nothing_of_the_answer():
    with pytest.raises(UnreadableError) as told:
        read_json('{"name": "pear", "count": "SECRET"}', Fruit)
    assert "SECRET" not in str(told.value)


def test_the_schema_is_told_in_the_prompt_and_to_the_provider():
    model = Recorder('{"name": "pear", "count": 2}')
    answer, completions = ask(model, QUESTION, Fruit, Sampling(temperature=0.0))
    assert (answer, len(completions)) == (PEAR, 1)
    messages, sampling = model.asked[0]
    assert messages[0] == QUESTION[0]
    assert messages[1].content.startswith("Which fruit?")
    assert json.dumps(Fruit.model_json_schema()) in messages[1].content
    assert sampling.response_schema == Fruit.model_json_schema()
    assert messages == with_schema(QUESTION, Fruit)


def test_a_bad_answer_is_asked_for_again_with_what_was_wrong():
    model = Recorder('{"name": "pear", "count": "two"}', '{"name": "pear", "count": 2}')
    answer, completions = ask(model, QUESTION, Fruit, Sampling())
    assert (answer, len(completions)) == (PEAR, 2)
    said, told = model.asked[1][0][-2:]
    assert (said.role, said.content) == ("assistant", '{"name": "pear", "count": "two"}')
    assert "count" in told.content


def test_it_gives_up_after_the_retries():
    model = Recorder(*["no idea"] * 9)
    answer, completions = ask(model, QUESTION, Fruit, Sampling(), retries=3)
    assert answer is None
    assert len(completions) == len(model.asked) == 4
    assert ask(Recorder("nothing"), QUESTION, Fruit, Sampling(), retries=0)[0] is None


def test_a_check_can_refuse_what_the_schema_allows():
    def few(fruit):
        if fruit.count > 2:
            raise ValueError("too many fruits")

    model = Recorder('{"name": "pear", "count": 5}', '{"name": "pear", "count": 2}')
    assert ask(model, QUESTION, Fruit, Sampling(), check=few)[0] == PEAR
    assert "too many fruits" in model.asked[1][0][-1].content


def test_an_answer_that_was_cut_off_gets_more_room():
    cut = Completion(text='{"fruits": [{"name": "pear"', finish="length")
    model = Recorder(cut, '{"fruits": []}')
    answer, _ = ask(model, QUESTION, Basket, Sampling(max_tokens=10))
    assert answer == Basket(fruits=[])
    assert model.asked[1][1].max_tokens == 20
    assert "be brief" in model.asked[1][0][-1].content


def test_an_empty_answer_is_asked_for_again_and_counted():
    empty = EmptyAnswerError("m: empty", Completion(text="", prompt_tokens=4))
    answer, completions = ask(Recorder(empty, '{"name": "pear", "count": 2}'), QUESTION, Fruit, Sampling())
    assert answer == PEAR
    assert completions[0].prompt_tokens == 4


def test_an_unreachable_model_is_not_asked_again():
    model = Recorder(ChatError("down"), '{"name": "pear"}')
    with pytest.raises(ChatError, match="down"):
        ask(model, QUESTION, Fruit, Sampling())
    assert len(model.asked) == 1


def test_usage_is_summed_over_all_tries():
    tally = Tally()
    for _ in range(2):
        _, completions = ask(ScriptedModel(["hm", '{"name": "pear"}']), QUESTION, Fruit, Sampling())
        tally.add(completions)
    assert tally.calls == 4
    assert tally.completion_tokens == 2 * (1 + 2)
    assert tally.prompt_tokens == 2 * sum(c.prompt_tokens for c in completions)
