"""Sampling many dialogues side by side, with the key–value cache kept from turn to turn.

On a CPU most of a rollout's time goes into reading prompts. A dialogue of six turns that is read anew for every turn
pays for its briefing six times; here each token is read once. Rows of different lengths share a batch: where one is
shorter, the gap stays in the cache and is masked out, and positions count only what is there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

import torch
from transformers import DynamicCache

__all__ = ["DialogueSampler", "Sampled", "SamplingSettings"]


@dataclass(frozen=True)
class SamplingSettings:
    """How a policy samples its turns.

    Attributes:
        max_tokens: Longest turn, in tokens.
        temperature: 0 takes the likeliest token.
        top_p: Mass of the tokens that are considered; 1 considers all.
        seed: Same seed, same words on the same machine.
    """

    max_tokens: int = 64
    temperature: float = 1.0
    top_p: float = 1.0
    seed: int = 0


@dataclass
class Sampled:
    """One turn of one dialogue.

    Attributes:
        ids: Sampled tokens, with the one that ended the turn, if one did.
        logprobs: Log-probability of each under the distribution it was drawn from.
        closed: True when the policy ended its turn itself; False when it ran into the limit.
    """

    ids: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    closed: bool = False


class DialogueSampler:
    """Keeps the state of a batch of dialogues in one model.

    Args:
        model: A causal language model of transformers.
        end: Ids that end a turn.
        pad: Id to fill gaps with; never attended to.
        settings: How to sample.
    """

    def __init__(self, model: Any, end: Sequence[int], pad: int, settings: SamplingSettings) -> None:
        self._model = model
        self._end = set(end)
        self._pad = pad
        self._settings = settings
        self._cache = DynamicCache()
        inner = model.get_base_model() if hasattr(model, "get_base_model") else model
        # Renamed in transformers 5; the older name warns there, the newer one is unknown before.
        self._cache_name = "cache" if "cache" in signature(inner.forward).parameters else "past_key_values"
        self._mask: torch.Tensor | None = None
        self._generator = torch.Generator(device="cpu").manual_seed(settings.seed % 2**63)

    def turn(self, new: Sequence[Sequence[int]]) -> list[Sampled]:
        """Read what was said to each dialogue since its last turn, and sample the next turn of each.

        Args:
            new: Token ids to read, one list a dialogue, in the order of the batch; none is empty.
        """
        with torch.no_grad():
            logits = self._step(new)
            turns = [Sampled() for _ in new]
            for _ in range(self._settings.max_tokens):
                chosen, logprobs = self._draw(logits)
                open_ = [not turn.closed for turn in turns]
                for turn, token, logprob in zip(turns, chosen.tolist(), logprobs.tolist(), strict=True):
                    if not turn.closed:
                        turn.ids.append(token)
                        turn.logprobs.append(logprob)
                        turn.closed = token in self._end
                logits = self._step([[t] if o else [] for t, o in zip(chosen.tolist(), open_, strict=True)])
                if all(turn.closed for turn in turns):
                    break
        return turns

    def keep(self, rows: Sequence[int]) -> None:
        """Go on with some of the dialogues only; the others are over."""
        index = torch.tensor(list(rows), device=self._model.device)
        self._cache.batch_select_indices(index)
        if self._mask is not None:
            self._mask = self._mask[index]

    def _step(self, new: Sequence[Sequence[int]]) -> torch.Tensor:
        """Append tokens, padded on the left, and return the logits after the last of each row."""
        device = self._model.device
        width = max(map(len, new))
        ids = torch.full((len(new), width), self._pad, dtype=torch.long)
        mask = torch.zeros((len(new), width), dtype=torch.long)
        for row, tokens in enumerate(new):
            if tokens:
                ids[row, width - len(tokens) :] = torch.tensor(list(tokens))
                mask[row, width - len(tokens) :] = 1
        mask = mask.to(device)
        self._mask = mask if self._mask is None else torch.cat([self._mask, mask], dim=1)
        positions = (self._mask.cumsum(dim=1) - 1).clamp(min=0)[:, -width:]
        output = self._model(
            input_ids=ids.to(device),
            attention_mask=self._mask,
            position_ids=positions,
            use_cache=True,
            logits_to_keep=1,
            **{self._cache_name: self._cache},
        )
        logits: torch.Tensor = output.logits[:, -1].float().cpu()
        return logits

    def _draw(self, logits: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return a token a row and its log-probability."""
        if self._settings.temperature <= 0:
            logprobs = torch.log_softmax(logits, dim=-1)
            chosen = logits.argmax(dim=-1)
        else:
            logprobs = torch.log_softmax(self._nucleus(logits / self._settings.temperature), dim=-1)
            chosen = torch.multinomial(logprobs.exp(), 1, generator=self._generator)[:, 0]
        return chosen, logprobs.gather(1, chosen[:, None])[:, 0]

    def _nucleus(self, logits: torch.Tensor) -> torch.Tensor:
        if self._settings.top_p >= 1:
            return logits
        ordered, order = logits.sort(dim=-1, descending=True)
        before = torch.softmax(ordered, dim=-1).cumsum(dim=-1) - torch.softmax(ordered, dim=-1)
        ordered[before >= self._settings.top_p] = -torch.inf
        kept: torch.Tensor = torch.empty_like(logits).scatter(1, order, ordered)
        return kept
