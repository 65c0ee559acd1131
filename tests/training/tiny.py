"""Tiny random policies with real chat templates, made here: nothing is downloaded."""

from functools import cache
from importlib.resources import files

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM, Qwen3Config, Qwen3ForCausalLM

CHATML = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
NO_SYSTEM = (
    "{% if messages[0]['role'] == 'system' %}{{ raise_exception('no system role') }}{% endif %}"
    "{% for message in messages %}<|turn|>{{ message['role'] }}: {{ message['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|turn|>assistant: {% endif %}"
)
TEMPLATES = {"chatml": CHATML, "qwen3": "qwen3", "llama3": "llama3", "no-system": NO_SYSTEM}
ENDS = {"chatml": "<|im_end|>", "qwen3": "<|im_end|>", "llama3": "<|eot_id|>", "no-system": "<|end|>"}
_SPECIAL = ["<|pad|>", "<|im_start|>", "<|im_end|>", "<|turn|>", "<|end|>", "<|begin_of_text|>"]
_SPECIAL += ["<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"]
_CORPUS = ["Take one pill by mouth every day.", "Call the clinic if you have a fever.", "What should I do at home?"]


@cache
def tokenizer(template="chatml"):
    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=320, special_tokens=_SPECIAL, initial_alphabet=alphabet, show_progress=False
    )
    raw.train_from_iterator(_CORPUS, trainer)
    fast = PreTrainedTokenizerFast(
        tokenizer_object=raw,
        bos_token="<|begin_of_text|>",
        eos_token=ENDS[template],
        pad_token="<|pad|>",
        additional_special_tokens=_SPECIAL[1:],
        padding_side="left",
    )
    text = TEMPLATES[template]
    if text in ("qwen3", "llama3"):
        text = (files("trl") / "chat_templates" / f"{text}.jinja").read_text()
    fast.chat_template = text
    return fast


def model(template="chatml", *, kind="qwen2"):
    torch.manual_seed(0)
    config_class, model_class = {
        "qwen2": (Qwen2Config, Qwen2ForCausalLM),
        "qwen3": (Qwen3Config, Qwen3ForCausalLM),
    }[kind]
    fast = tokenizer(template)
    config = config_class(
        vocab_size=len(fast),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=4096,
        tie_word_embeddings=True,
        eos_token_id=fast.eos_token_id,
        pad_token_id=fast.pad_token_id,
    )
    return model_class(config)
