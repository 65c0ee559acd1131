import threading

import pytest
import torch
from pydantic import BaseModel

from bedside.chat.model import Message, RejectedError, Sampling
from bedside.chat.providers import chat_model
from bedside.chat.structured import ask

TURNS = "{% for m in messages %}[{{ m.role }}] {{ m.content }}\n{% endfor %}[assistant]"
NO_SYSTEM = "{% if messages[0].role == 'system' %}{{ raise_exception('no system role') }}{% endif %}" + TURNS
HELLO = [Message(role="system", content="Be kind."), Message(role="user", content="Hello there")]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A model of random weights and a tokenizer, as they stand in a folder after training."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("tiny")
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=300, special_tokens=["<end>"], initial_alphabet=alphabet)
    tokenizer.train_from_iterator(["Hello there, how are you?"], trainer)
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>")
    fast.chat_template = TURNS
    fast.save_pretrained(folder)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(fast),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=256,
        eos_token_id=fast.eos_token_id,
        bos_token_id=None,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def model(tiny):
    return chat_model(f"hf/{tiny}?device=cpu&dtype=float32&batch=8")


def test_a_folder_answers_within_its_limit(model):
    answer = model.complete(HELLO, Sampling(seed=1, max_tokens=12))
    assert answer.text
    assert answer.completion_tokens == 12
    assert answer.finish == "length"
    assert answer.prompt_tokens > 10
    assert model.local


def test_an_answer_depends_on_its_seed_and_not_on_its_neighbours(model):
    alone = [model.complete(HELLO, Sampling(seed=i, max_tokens=8 + i, temperature=1.0)).text for i in range(6)]
    assert len(set(alone)) == 6
    together = {}

    def ask_one(i):
        together[i] = model.complete(HELLO, Sampling(seed=i, max_tokens=8 + i, temperature=1.0)).text

    threads = [threading.Thread(target=ask_one, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [together[i] for i in range(6)] == alone


def test_temperature_zero_is_greedy_whatever_the_seed(model):
    texts = {model.complete(HELLO, Sampling(seed=i, temperature=0.0, max_tokens=8)).text for i in range(3)}
    assert len(texts) == 1


def test_samples_follow_the_distribution(model):
    from bedside.chat.transformers_model import _noisy

    scores = torch.tensor([2.0, 1.0, 0.0, -5.0])
    generator = torch.Generator().manual_seed(0)
    sampling = Sampling(temperature=0.5, top_p=0.95)
    drawn = torch.tensor([int(_noisy(scores, sampling, generator).argmax()) for _ in range(4000)])
    wanted = torch.tensor([2.0, 1.0]).div(0.5).softmax(-1)
    assert abs(float((drawn == 0).float().mean()) - float(wanted[0])) < 0.03
    assert set(drawn.tolist()) == {0, 1}


def test_too_long_a_chat_is_refused_alone(model):
    long = [Message(role="user", content="Hello there " * 200)]
    with pytest.raises(RejectedError, match="do not fit into its context of 256"):
        model.complete(long, Sampling())
    assert model.complete(HELLO, Sampling(seed=1, max_tokens=4)).text


def test_templates_without_a_system_role_get_it_in_the_first_turn(tiny):
    model = chat_model(f"hf/{tiny}?device=cpu&dtype=float32&batch=1")._model
    model._tokenizer.chat_template = NO_SYSTEM
    assert model._prompt(HELLO) == "[user] Be kind.\n\nHello there\n[assistant]"
    model._tokenizer.chat_template = TURNS
    assert model._prompt(HELLO).startswith("[system] Be kind.")


def test_a_model_without_a_template_says_so(tiny, tmp_path):
    import shutil

    bare = tmp_path / "bare"
    shutil.copytree(tiny, bare)
    (bare / "chat_template.jinja").unlink()
    with pytest.raises(RejectedError, match="has no chat template"):
        chat_model(f"hf/{bare}?device=cpu").complete(HELLO, Sampling())


def test_a_folder_without_a_model_says_so(tmp_path):
    with pytest.raises(RejectedError, match=f"hf/{tmp_path}"):
        chat_model(f"hf/{tmp_path}").complete(HELLO, Sampling())


class Fruit(BaseModel):
    name: str


@pytest.fixture(scope="module")
def smollm2():
    return chat_model("smollm2?context=1024&parallel=2&threads=1")


def test_smollm2_answers_and_follows_a_schema(smollm2):
    answer = smollm2.complete(HELLO, Sampling(seed=1, max_tokens=8))
    assert answer.text
    assert 0 < answer.completion_tokens <= 8
    fruit, _ = ask(smollm2, [Message(role="user", content="Name a fruit.")], Fruit, Sampling(seed=1, max_tokens=40))
    assert isinstance(fruit, Fruit)


def test_smollm2_says_what_does_not_fit(smollm2):
    with pytest.raises(RejectedError, match="context size"):
        smollm2.complete([Message(role="user", content="word " * 1200)], Sampling())
