"""A contract test that users run on their own encounters, as ours are."""

import math
import pickle
import re
from typing import Any

from gymnasium.utils.env_checker import check_env

from bedside.cases.fact import Frozen
from bedside.envs.encounter import Encounter, Observation
from bedside.envs.episode import Episode, StopReason

__all__ = ["ContractError", "check_encounter"]

_SCRIPT = (
    "Hello, how are you today?",
    "What brings you in, and when did it start?",
    "<think>hidden reasoning</think>Do you have any questions for me?",
    "",
    "Take your medicine every day \u200b and call us if you feel worse.",
    "Can you tell me that back in your own words?",
)
_FAREWELL = "Final Diagnosis: influenza. Goodbye, take care."


class ContractError(AssertionError):
    """An encounter breaks its contract; the message says which clause and how."""


def check_encounter(env: Encounter, *, seed: int = 7, max_steps: int = 200) -> None:
    """Check that an environment keeps the contract of an encounter.

    Beyond Gymnasium's own checker: observations and actions are text; a seed decides every byte, in this instance and
    in a pickled copy; reasoning is not heard; nothing of the answer key is shown; every patient turn carries a passing
    verdict; an end is reached, in time, with a stop reason; the record survives a round trip; what is over stays over.

    Args:
        env: The environment, without wrappers. It is reset.
        seed: Seed of the trial episodes.
        max_steps: Within how many turns an end must be reached.

    Raises:
        ContractError: A clause is broken.
    """
    check_env(env, skip_render_check=True)
    first, shown = _play(env, seed, max_steps)
    again, _ = _play(env, seed, max_steps)
    twin, _ = _play(pickle.loads(pickle.dumps(env)), seed, max_steps)  # noqa: S301 - our own bytes
    _require(first.to_json() == again.to_json(), "the same seed gave another episode in the same instance")
    _require(first.to_json() == twin.to_json(), "the same seed gave another episode in a copy")
    _require(Episode.from_json(first.to_json()) == first, "the episode does not survive its own JSON")
    _check_speech(first)
    _check_secrets(env, shown)
    try:
        env.step("Are you still there?")
    except RuntimeError:
        return
    raise ContractError("step() after the end must raise RuntimeError")


def _require(holds: bool, complaint: str) -> None:
    if not holds:
        raise ContractError(complaint)


def _play(env: Encounter, seed: int, max_steps: int) -> tuple[Episode, list[Any]]:
    observation, info = env.reset(seed=seed)
    shown: list[Any] = [observation, info]
    _check_observation(env, observation)
    for number in range(max_steps):
        action = _SCRIPT[number] if number < len(_SCRIPT) else _FAREWELL
        observation, reward, terminated, truncated, info = env.step(action)
        shown += [observation, info]
        _check_observation(env, observation)
        _require(isinstance(reward, float), f"reward is {type(reward).__name__}, not float")
        _require(not (terminated and truncated), "an episode is either terminated or truncated")
        if terminated or truncated:
            _check_end(env.episode, reward, truncated=truncated)
            return env.episode, shown
    raise ContractError(f"no end was reached in {max_steps} turns, though the clinician took leave")


def _check_observation(env: Encounter, observation: Observation) -> None:
    _require(env.observation_space.contains(observation), "an observation lies outside the observation space")
    _require(bool(observation["briefing"].strip()), "the briefing is empty")


def _check_end(episode: Episode, reward: float, *, truncated: bool) -> None:
    _require(episode.stop is not None, "the episode ended without a stop reason")
    assert episode.stop is not None
    _require(episode.stop.truncated == truncated, f"stop reason {episode.stop} does not fit truncated={truncated}")
    _require(math.isfinite(reward) or math.isnan(reward), "the reward is infinite")
    _require(episode.stop is not StopReason.FAULT, f"the encounter broke: {episode.fault}")


def _check_speech(episode: Episode) -> None:
    for turn in episode.turns:
        _require("hidden reasoning" not in turn.heard, "the patient heard a reasoning block")
        _require("\u200b" not in turn.heard, "the patient heard an invisible character")
        _require(turn.verdict.overall == "pass", f"unverified words reached the clinician: {turn.patient!r}")
        _require(bool(turn.patient.strip()), "the patient said nothing")


def _check_secrets(env: Encounter, shown: list[Any]) -> None:
    case = env.case
    text = " ".join(_strings(shown)).lower()
    for question in case.questions:
        _require(question.stem.lower() not in text, f"exam question {question.id!r} was shown")
    if env.scope == "interview":
        for name in (case.diagnosis.text, *case.diagnosis.synonyms):
            leaked = re.search(rf"\b{re.escape(name.lower())}\b", text)
            _require(not leaked, f"the hidden diagnosis was shown: {name!r}")


def _strings(value: Any) -> list[str]:
    match value:
        case str():
            return [value]
        case dict():
            return [s for v in value.values() for s in _strings(v)]
        case list() | tuple():
            return [s for v in value for s in _strings(v)]
        case Frozen():
            return _strings(value.model_dump())
        case _:
            return []
