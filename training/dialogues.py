"""Batches of encounters played by a policy that is being trained, token by token.

Every trainer here rolls out in the same way: prompts are read once, all dialogues take their turns side by side, each
patient answers in words, and the answer becomes tokens that are read but never trained on. What comes out is enough
for any policy gradient: ids, which of them are the policy's, what each turn earned, and the episode for the scores.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from bedside.envs.encounter import Encounter
from bedside.envs.episode import Episode
from bedside.training.assignments import Assignment
from bedside.training.chat_tokens import ChatTokens
from bedside.training.sampling import Sampled

__all__ = ["Dialogue", "Dialogues", "Sampler"]


class Sampler(Protocol):
    """What samples the turns of a batch; :class:`~bedside.training.sampling.DialogueSampler` or a server."""

    def turn(self, new: Sequence[Sequence[int]]) -> list[Sampled]:
        """Read new tokens of each dialogue and sample the next turn of each."""

    def keep(self, rows: Sequence[int]) -> None:
        """Go on with some rows only."""


@dataclass
class Dialogue:
    """One encounter as tokens.

    Attributes:
        assignment: Whom the policy met.
        prompt: Ids of briefing and opening.
        ids: Ids of everything after, the policy's turns and the patient's.
        mask: 1 for the policy's tokens, 0 for all others; as long as ``ids``.
        logprobs: Log-probability of each of the policy's tokens when it was sampled, 0 elsewhere.
        rewards: What each of the policy's turns earned.
        ends: Index in ``ids`` of the last token of each of the policy's turns.
        episode: The record, finished.
        fault: Why there is no reward; empty when all is well.
    """

    assignment: Assignment
    prompt: list[int] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)
    mask: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    episode: Episode | None = None
    fault: str = ""

    @property
    def reward(self) -> float | None:
        """What the encounter was worth; None if it could not be determined."""
        total = sum(self.rewards)
        return None if self.fault or total != total else total

    def say(self, turn: Sampled) -> None:
        """Append a turn of the policy."""
        self.ids += turn.ids
        self.mask += [1] * len(turn.ids)
        self.logprobs += turn.logprobs
        self.ends.append(len(self.ids) - 1)

    def hear(self, ids: list[int]) -> None:
        """Append what the policy reads."""
        self.ids += ids
        self.mask += [0] * len(ids)
        self.logprobs += [0.0] * len(ids)


class Dialogues:
    """Plays batches of encounters; environments are built once and used again.

    Args:
        make_env: Makes an environment with a reward; called once for each row of the largest batch.
        tokens: The chat template of the policy.
        max_tokens: Longest dialogue after its prompt, in tokens; one that would grow longer ends.

    Attributes:
        tokens: As above.
    """

    def __init__(self, make_env: Callable[[], Encounter], tokens: ChatTokens, max_tokens: int) -> None:
        self._make_env = make_env
        self.tokens = tokens
        self._max_tokens = max_tokens
        self._envs: list[Encounter] = []
        self._env_seconds = 0.0
        self._since = time.perf_counter()

    def environment_share(self) -> float:
        """Return which share of the time since the last call was spent in environments, 0 to 1."""
        now = time.perf_counter()
        share = self._env_seconds / max(now - self._since, 1e-9)
        self._env_seconds, self._since = 0.0, now
        return share

    def play(self, assigned: Sequence[Assignment], sampler: Sampler, longest_turn: int) -> list[Dialogue]:
        """Play one encounter for each assignment.

        Args:
            assigned: Whom to meet, row by row.
            sampler: Speaks for the policy.
            longest_turn: Most tokens that ``sampler`` gives in a turn; room for one is kept.

        Returns:
            A dialogue a row. One whose environment failed has a fault and no reward.
        """
        while len(self._envs) < len(assigned):
            self._envs.append(self._make_env())
        dialogues = [Dialogue(assignment) for assignment in assigned]
        new = [self._open(dialogue, env) for dialogue, env in zip(dialogues, self._envs, strict=False)]
        running = list(range(len(dialogues)))
        while running:
            turns = sampler.turn([new[row] for row in running])
            on = []
            for place, (row, turn) in enumerate(zip(running, turns, strict=True)):
                reply = self._exchange(dialogues[row], self._envs[row], turn, longest_turn)
                if reply is not None:
                    new[row] = reply
                    on.append(place)
            if len(on) < len(running):
                running = [running[place] for place in on]
                if running:
                    sampler.keep(on)
        return dialogues

    def _open(self, dialogue: Dialogue, env: Encounter) -> list[int]:
        started = time.perf_counter()
        observation, _ = env.reset(seed=dialogue.assignment.seed, options=dialogue.assignment.options)
        self._env_seconds += time.perf_counter() - started
        dialogue.prompt = self.tokens.opening(observation["briefing"], observation["patient"])
        return dialogue.prompt

    def _exchange(self, dialogue: Dialogue, env: Encounter, turn: Sampled, longest_turn: int) -> list[int] | None:
        """Let the patient answer a turn; return what the policy reads next, or None when the encounter is over."""
        dialogue.say(turn)
        started = time.perf_counter()
        try:
            observation, reward, terminated, truncated, _ = env.step(self.tokens.text(turn.ids))
            dialogue.rewards.append(reward)
            over = terminated or truncated
            reply: list[int] = []
            if not over:
                reply = self.tokens.reply(observation["patient"], closed=turn.closed)
                if len(dialogue.ids) + len(reply) + longest_turn > self._max_tokens:
                    dialogue.rewards[-1] += env.truncate()[0]
                    over = True
        except Exception as error:
            dialogue.fault = f"{type(error).__name__}: {error}"
            over = True
        finally:
            self._env_seconds += time.perf_counter() - started
        if over:
            dialogue.episode = env.episode
            return None
        dialogue.hear(reply)
        return reply
