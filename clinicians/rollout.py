"""The one loop that evaluation, curricula and examples share: a clinician plays one encounter."""

from typing import Any

from bedside.clinicians.clinician import Clinician
from bedside.envs.encounter import Encounter
from bedside.envs.episode import Episode, Usage

__all__ = ["rollout"]


def rollout(env: Encounter, clinician: Clinician, seed: int, options: dict[str, Any] | None = None) -> Episode:
    """Play one encounter to its end.

    Args:
        env: The environment; it is reset.
        clinician: The policy; it is reset with the same seed.
        seed: Seed of the episode.
        options: Passed to ``env.reset``: ``case`` (id), ``run``.

    Returns:
        The finished episode, with the clinician's name in it.
    """
    observation, _ = env.reset(seed=seed, options=options)
    clinician.reset(seed)
    done = False
    while not done:
        observation, _, terminated, truncated, _ = env.step(clinician.act(observation))
        done = terminated or truncated
    usage = env.episode.usage + getattr(clinician, "usage", Usage())
    return env.episode.model_copy(update={"policy": clinician.name, "usage": usage})
