"""Generalised advantage estimation over the tokens of a dialogue.

The policy acts in tokens, the environment answers in turns. Rewards stand on the last token of each turn, and time runs
over the policy's own tokens only: what the patient says in between is part of the next state and takes no step.
"""

import torch

__all__ = ["advantages", "whiten"]


def advantages(
    rewards: torch.Tensor, values: torch.Tensor, mask: torch.Tensor, gamma: float = 1.0, lam: float = 0.95
) -> tuple[torch.Tensor, torch.Tensor]:
    """Estimate advantages and returns (Schulman et al., 2016, equation 16) over masked tokens.

    Args:
        rewards: Reward of each token, shape (batch, length).
        values: Estimated value of the state in which each token was chosen, same shape.
        mask: 1 for the policy's tokens, 0 for all others, same shape.
        gamma: Discount for each of the policy's tokens.
        lam: Trade-off between bias and variance.

    Returns:
        Advantages and returns, same shape, 0 where the mask is 0.
    """
    estimated = torch.zeros_like(values)
    ahead = torch.zeros_like(values[:, 0])
    value_ahead = torch.zeros_like(values[:, 0])
    for place in range(values.shape[1] - 1, -1, -1):
        own = mask[:, place].to(values.dtype)
        delta = rewards[:, place] + gamma * value_ahead - values[:, place]
        here = delta + gamma * lam * ahead
        estimated[:, place] = own * here
        # A token of the patient's passes on what it was given.
        ahead = own * here + (1 - own) * ahead
        value_ahead = own * values[:, place] + (1 - own) * value_ahead
    return estimated, (estimated + values) * mask


def whiten(values: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Scale masked values to mean 0 and standard deviation 1; others become 0."""
    chosen = values[mask.bool()]
    if chosen.numel() < 2:
        return values * mask
    return (values - chosen.mean()) / (chosen.std() + 1e-8) * mask
