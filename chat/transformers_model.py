"""A model in this process through transformers: any causal language model with a chat template, on any device.

Calls of concurrent encounters are generated as one batch. Sampling is done here, row by row, each with a generator of
its own that its seed starts: so an answer depends on its question and its seed, and not on its neighbours in the batch.
"""

import math
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bedside.chat.batching import BatchedModel, Question
from bedside.chat.model import ChatError, Completion, EmptyAnswerError, Message, RejectedError, Sampling
from bedside.chat.quirks import alternating, without_system
from bedside.chat.reasoning import strip_reasoning

if TYPE_CHECKING:
    import torch

__all__ = ["TransformersModel"]


class TransformersModel(BatchedModel):
    """A model from a folder, or from the hub by its name; its weights are loaded at the first question.

    Args:
        path: Folder or hub name.
        device: ``cpu``, ``cuda``, ``cuda:1``, ``mps``; ``auto`` takes a GPU if there is one.
        dtype: ``float32``, ``bfloat16``, …; ``auto`` as the weights are stored.
        batch: Most answers generated at once.

    Raises:
        ValueError: The path looks like a folder and there is none.
    """

    def __init__(self, path: str, *, device: str = "auto", dtype: str = "auto", batch: int = 16) -> None:
        if path.startswith((".", "/", "~")) and not Path(path).expanduser().is_dir():
            raise ValueError("there is no such folder")
        super().__init__(f"hf/{path}", batch)
        self._path = str(Path(path).expanduser()) if path.startswith("~") else path
        self._device = device
        self._dtype = dtype

    @property
    def identity(self) -> str:
        """What decides an answer besides the request: the weights, by name and age, and how they are computed with."""
        weights = sorted(p for p in Path(self._path).glob("*") if p.suffix in (".safetensors", ".bin", ".json"))
        return f"{self.name} {self._dtype} {[(p.name, p.stat().st_size, p.stat().st_mtime_ns) for p in weights]}"

    # Everything below runs in the thread of the batches.

    @cached_property
    def _tokenizer(self) -> Any:
        from transformers import AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(self._path, padding_side="left")
        if tokenizer.chat_template is None:
            raise RejectedError(f"{self.name} has no chat template: choose a model that was tuned to chat")
        if tokenizer.pad_token is None:
            tokenizer.pad_token = tokenizer.eos_token
        return tokenizer

    @cached_property
    def _model(self) -> Any:
        import torch
        from transformers import AutoModelForCausalLM

        device = self._device
        if device == "auto":
            device = "cuda" if torch.cuda.is_available() else "cpu"
        model: Any = AutoModelForCausalLM.from_pretrained(self._path, dtype=self._dtype)
        return model.to(device).eval()

    def answer_all(self, questions: Sequence[Question]) -> list[Completion | ChatError]:
        """Answer a batch; see :class:`~bedside.chat.batching.BatchedModel`."""
        try:
            prompts = [self._prompt(question.messages) for question in questions]
        except (OSError, ValueError) as error:
            raise RejectedError(f"{self.name}: {' '.join(str(error).split())}") from None
        lengths = [len(ids) for ids in self._tokenizer(prompts, add_special_tokens=False)["input_ids"]]
        room = getattr(self._model.config, "max_position_embeddings", math.inf)
        answers: list[Completion | ChatError] = []
        fitting = []
        for number, (question, length) in enumerate(zip(questions, lengths, strict=True)):
            answers.append(RejectedError(f"{self.name}: {length} tokens do not fit into its context of {room}"))
            if length + question.sampling.max_tokens <= room:
                fitting.append(number)
        if fitting:
            for number, answer in zip(
                fitting,
                self._generate([prompts[n] for n in fitting], [questions[n].sampling for n in fitting]),
                strict=True,
            ):
                answers[number] = answer
        return answers

    def _prompt(self, messages: Sequence[Message]) -> str:
        """Write a chat as the model's template wants it; some know no system role, or insist on turns."""
        from jinja2 import TemplateError

        forms = (list(messages), alternating(messages), alternating(without_system(messages)))
        for number, form in enumerate(forms):
            try:
                chat = [message.model_dump() for message in form]
                return str(self._tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True))
            except TemplateError:
                if number == len(forms) - 1:
                    raise
        raise AssertionError("unreachable")

    def _generate(self, prompts: list[str], samplings: list[Sampling]) -> list[Completion | ChatError]:
        import torch
        from transformers import GenerationConfig, LogitsProcessorList, StoppingCriteriaList

        inputs = self._tokenizer(prompts, add_special_tokens=False, padding=True, return_tensors="pt").to(
            self._model.device
        )
        width = inputs["input_ids"].shape[1]
        config: Any = GenerationConfig(  # type: ignore[no-untyped-call]
            max_new_tokens=max(s.max_tokens for s in samplings),
            do_sample=False,
            pad_token_id=self._tokenizer.pad_token_id,
            eos_token_id=self._ends,
        )
        with torch.inference_mode():
            output = self._model.generate(
                **{name: inputs[name] for name in ("input_ids", "attention_mask")},
                generation_config=config,
                logits_processor=LogitsProcessorList([_row_sampler(samplings)]),
                stopping_criteria=StoppingCriteriaList([_row_limits(samplings, width)]),
            )
        asked = inputs["attention_mask"].sum(1).tolist()
        return [self._read(row[width:].tolist(), *of) for row, *of in zip(output, asked, samplings, strict=True)]

    @property
    def _ends(self) -> list[int]:
        own = self._model.generation_config.eos_token_id
        ends = own if isinstance(own, list) else [own]
        return sorted({end for end in (*ends, self._tokenizer.eos_token_id) if end is not None})

    def _read(self, tokens: list[int], asked: int, sampling: Sampling) -> Completion | ChatError:
        tokens = tokens[: sampling.max_tokens]
        end = next((i for i, token in enumerate(tokens) if token in self._ends), None)
        said = tokens if end is None else tokens[:end]
        completion = Completion(
            text=strip_reasoning(self._tokenizer.decode(said, skip_special_tokens=True)).strip(),
            prompt_tokens=asked,
            completion_tokens=len(tokens) if end is None else end + 1,
            finish="length" if end is None else "stop",
        )
        if not completion.text:
            return EmptyAnswerError(f"{self.name}: answered without a word ({completion.finish})", completion)
        return completion


def _row_sampler(samplings: Sequence[Sampling]) -> Any:
    """Return a logits processor after which the greedy choice is a sample (the Gumbel-max trick), row by row."""
    import torch
    from transformers import LogitsProcessor

    generators = []
    for sampling in samplings:
        generator = torch.Generator()
        if sampling.seed is None:
            generator.seed()
        else:
            generator.manual_seed(sampling.seed)
        generators.append(generator)

    class RowSampler(LogitsProcessor):
        def __call__(self, input_ids: "torch.Tensor", scores: "torch.Tensor") -> "torch.Tensor":  # noqa: ARG002
            return torch.stack([_noisy(*row) for row in zip(scores, samplings, generators, strict=True)])

    return RowSampler()


def _noisy(scores: "torch.Tensor", sampling: Sampling, generator: "torch.Generator") -> "torch.Tensor":
    """Return scores whose maximum is drawn from the nucleus of the tempered distribution."""
    import torch

    if sampling.temperature <= 0:
        return scores
    scores = scores.float() / sampling.temperature
    ordered, places = scores.softmax(-1).sort(descending=True)
    outside = places[(ordered.cumsum(-1) - ordered) >= sampling.top_p]
    scores = scores.index_fill(0, outside, -math.inf)
    uniform = torch.rand(scores.shape, generator=generator).clamp_(min=1e-20)
    return scores - (-uniform.log()).log().to(scores.device)


def _row_limits(samplings: Sequence[Sampling], width: int) -> Any:
    """Return a criterion that ends each row at its own limit of tokens."""
    import torch
    from transformers import StoppingCriteria

    class RowLimits(StoppingCriteria):
        def __call__(self, input_ids: "torch.Tensor", scores: Any, **_: Any) -> "torch.Tensor":  # noqa: ARG002
            written = input_ids.shape[1] - width
            return torch.tensor([written >= s.max_tokens for s in samplings], device=input_ids.device)

    return RowLimits()
