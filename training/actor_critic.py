"""The policy with a value head, and the rollouts as tensors, for policy optimisation."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn

__all__ = ["ActorCritic", "Batch", "chosen_logprobs"]


class ActorCritic(nn.Module):
    """A causal language model with a value head on its last hidden state."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model
        self.value = nn.Linear(model.config.hidden_size, 1, dtype=torch.float32)
        nn.init.zeros_(self.value.weight)
        nn.init.zeros_(self.value.bias)

    def forward(self, ids: torch.Tensor, attention: torch.Tensor, last: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the log-probability of each of the last tokens, and the value of the state before it.

        Args:
            ids: Token ids, shape (batch, length).
            attention: 1 for real tokens, same shape.
            last: How many tokens at the end; those before are prompt.

        Returns:
            Log-probabilities and values, shape (batch, last).
        """
        output = self.model(
            input_ids=ids,
            attention_mask=attention,
            output_hidden_states=True,
            use_cache=False,
            logits_to_keep=last + 1,
        )
        values = self.value(output.hidden_states[-1][:, -last - 1 : -1].float())[:, :, 0]
        return chosen_logprobs(output.logits, ids), values


@dataclass
class Batch:
    """Rollouts as tensors: ids and attention of shape (batch, length), all others over the tokens after the prompt."""

    ids: torch.Tensor
    attention: torch.Tensor
    mask: torch.Tensor
    rewards: torch.Tensor
    logprobs: torch.Tensor = field(default_factory=lambda: torch.empty(0))
    values: torch.Tensor = field(default_factory=lambda: torch.empty(0))
    advantages: torch.Tensor = field(default_factory=lambda: torch.empty(0))
    returns: torch.Tensor = field(default_factory=lambda: torch.empty(0))

    def rows(self, rows: Sequence[int]) -> "Batch":
        """Return some of the rollouts."""
        return Batch(**{name: tensor[list(rows)] for name, tensor in vars(self).items()})


def chosen_logprobs(logits: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    """Return the log-probabilities that logits give to the tokens that followed."""
    logprobs = torch.log_softmax(logits[:, :-1].float(), dim=-1)
    return logprobs.gather(2, ids[:, 1 - logits.shape[1] :, None])[:, :, 0]
