"""A model in this process through vLLM, for machines that have it; a vLLM server is an ``openai/`` endpoint instead."""

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import Any

from bedside.chat.batching import BatchedModel, Question
from bedside.chat.model import ChatError, Completion, EmptyAnswerError, RejectedError, Sampling
from bedside.chat.reasoning import strip_reasoning

__all__ = ["VLLMModel"]


class VLLMModel(BatchedModel):
    """A model by its folder or hub name; the engine starts at the first question.

    Args:
        path: Folder or hub name.
        batch: Most chats handed to the engine at once; it schedules them itself.
        **engine: Arguments of ``vllm.LLM``: ``dtype``, ``max_model_len``, ``tensor_parallel_size``, ….

    Raises:
        ValueError: vLLM is not installed.
    """

    def __init__(self, path: str, *, batch: int = 256, **engine: Any) -> None:
        super().__init__(f"vllm/{path}", batch)
        if find_spec("vllm") is None:
            raise ValueError(f"vLLM is not installed: pip install 'bedside[vllm]', or serve it and use openai/{path}")
        self._path = path
        self._options = engine

    @property
    def identity(self) -> str:
        """What decides an answer besides the request: the weights by name, and how they are computed with."""
        return f"{self.name} {sorted(self._options.items())}"

    @cached_property
    def _engine(self) -> Any:
        import vllm

        return vllm.LLM(model=self._path, **self._options)

    def answer_all(self, questions: Sequence[Question]) -> list[Completion | ChatError]:
        """Answer a batch; see :class:`~bedside.chat.batching.BatchedModel`."""
        chats = [[message.model_dump() for message in question.messages] for question in questions]
        params = [_params(question.sampling) for question in questions]
        try:
            outputs = self._engine.chat(chats, params, use_tqdm=False)
        except ValueError as error:
            raise RejectedError(f"{self.name}: {' '.join(str(error).split())}") from None
        return [self._read(output) for output in outputs]

    def _read(self, output: Any) -> Completion | ChatError:
        said = output.outputs[0]
        completion = Completion(
            text=strip_reasoning(said.text).strip(),
            prompt_tokens=len(output.prompt_token_ids),
            completion_tokens=len(said.token_ids),
            finish=said.finish_reason or "stop",
        )
        if not completion.text:
            return EmptyAnswerError(f"{self.name}: answered without a word ({completion.finish})", completion)
        return completion


def _params(sampling: Sampling) -> Any:
    from vllm import SamplingParams
    from vllm.sampling_params import StructuredOutputsParams

    schema = sampling.response_schema
    return SamplingParams(
        temperature=sampling.temperature,
        top_p=sampling.top_p,
        max_tokens=sampling.max_tokens,
        seed=sampling.seed,
        structured_outputs=StructuredOutputsParams(json=schema) if schema is not None else None,
    )
