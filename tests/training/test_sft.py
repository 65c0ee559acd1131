import pytest
import tiny
import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM

from bedside.training.curriculum import Curriculum
from bedside.training.curriculum_folder import write_curriculum
from bedside.training.models import load_policy
from bedside.training.settings import PolicySettings
from bedside.training.sft import CurriculumSettings, build_trainer

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")


def build(folder, monkeypatch, **changes):
    from trl import SFTConfig

    monkeypatch.setenv("HF_DATASETS_CACHE", str(folder / "cache"))
    args = SFTConfig(
        output_dir=str(folder / "out"),
        use_cpu=True,
        bf16=False,
        activation_checkpointing=False,
        per_device_train_batch_size=2,
        max_steps=8,
        learning_rate=1e-2,
        logging_steps=1,
        save_strategy="no",
        report_to=[],
        disable_tqdm=True,
        seed=1,
    )
    settings = CurriculumSettings(curriculum=str(folder / "c"), **changes)
    return build_trainer(
        settings, PolicySettings(lora=True, lora_r=4), args, model=tiny.model(), tokenizer=tiny.tokenizer()
    )


def test_a_policy_learns_what_the_clinicians_of_a_curriculum_say(tmp_path, monkeypatch):
    wanted = Curriculum(count=4, cases="open:train", policies=("checklist",), briefing="compact", max_turns=3)
    write_curriculum(wanted, tmp_path / "c")
    trainer = build(tmp_path, monkeypatch)
    trainer.train()
    losses = [log["loss"] for log in trainer.state.log_history if "loss" in log]
    assert len(losses) == 8
    assert losses[-1] < losses[0]
    with pytest.raises(ValueError, match="no dialogue of at most 10 tokens"):
        build(tmp_path, monkeypatch, longest=10)


def adapted(base, adapters, by):
    model = get_peft_model(AutoModelForCausalLM.from_pretrained(base), LoraConfig(target_modules="all-linear"))
    for name, weight in model.named_parameters():
        if "lora_B" in name:
            weight.data.fill_(by)
    model.save_pretrained(adapters)
    return model


def test_training_goes_on_from_adapters(tmp_path):
    base, adapters = tmp_path / "base", tmp_path / "adapters"
    tiny.model().save_pretrained(base)
    ids = torch.tensor([[7, 8, 9]])
    for by in (0.01, 0.02):  # adapters that are newer than what was merged of them are merged again
        model = adapted(base, adapters, by)
        merged = load_policy(PolicySettings(model=str(adapters), dtype="float32"))
        assert not hasattr(merged, "peft_config") or not merged.peft_config
        assert torch.allclose(merged(ids).logits, model(ids).logits, atol=1e-5)
    with pytest.raises(ValueError, match="cannot be loaded"):
        load_policy(PolicySettings(model=str(tmp_path / "nothing")))


def test_what_is_trained_on_adapters_keeps_what_they_had_learned(tmp_path):
    base, first, second = tmp_path / "base", tmp_path / "first", tmp_path / "second"
    tiny.model().save_pretrained(base)
    adapted(base, first, 0.01)
    merged = load_policy(PolicySettings(model=str(first), dtype="float32"))
    model = adapted(merged.name_or_path, second, 0.02)
    ids = torch.tensor([[7, 8, 9]])
    loaded = AutoModelForCausalLM.from_pretrained(second)
    assert torch.allclose(loaded(ids).logits, model(ids).logits, atol=1e-5)
    assert not torch.allclose(loaded(ids).logits, adapted(base, tmp_path / "alone", 0.02)(ids).logits, atol=1e-3)


def test_a_missing_curriculum_is_told(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="no such folder; write one with `bedside curriculum"):
        build(tmp_path, monkeypatch)
