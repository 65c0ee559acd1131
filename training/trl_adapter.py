"""Encounters in TRL's terms, both ways that its trainers know.

``make_rollout`` is for plain chat models: whole dialogues are sampled turn by turn, and the mask says which tokens
are the policy's. ``make_conversation`` is for models that call tools: speaking to the patient is their only one. Both
take the same encounters and the same rewards.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from bedside.cases.case import Case
from bedside.cases.seeds import derive_seed
from bedside.envs.encounter import Encounter
from bedside.envs.episode import Episode
from bedside.rewards.scoring import score_episode
from bedside.training.assignments import Assignment
from bedside.training.dialogues import Dialogue, Dialogues
from bedside.training.difficulty import Difficulty
from bedside.training.sampling import DialogueSampler, Sampled, SamplingSettings

__all__ = ["Conversation", "encounter_reward", "make_conversation", "make_rollout"]

_TASK = "Speak with the patient through the tool say_to_patient, one message at a time, until you have said goodbye."


class _ContextSampler:
    """Samples through the trainer's own engine (vLLM), which keeps no state of ours: every turn sends all ids."""

    def __init__(self, trainer: Any) -> None:
        self._trainer = trainer
        self._ids: list[list[int]] = []

    def turn(self, new: Sequence[Sequence[int]]) -> list[Sampled]:
        self._ids = [[*old, *ids] for old, ids in zip(self._ids or [[] for _ in new], new, strict=True)]
        completions, logprobs = self._trainer._generate_single_turn(self._ids, None, {}, 1)
        end = set(self._trainer.eos_token_ids)
        turns = [
            Sampled(list(ids), list(probs) if probs else [0.0] * len(ids), ids[-1] in end)
            for ids, probs in zip(completions, logprobs or [None] * len(completions), strict=True)
        ]
        self._ids = [[*old, *turn.ids] for old, turn in zip(self._ids, turns, strict=True)]
        return turns

    def keep(self, rows: Sequence[int]) -> None:
        self._ids = [self._ids[row] for row in rows]


def make_rollout(
    dialogues: Dialogues, settings: SamplingSettings, difficulty: Difficulty | None = None
) -> Callable[[list[Any], Any], dict[str, Any]]:
    """Return a ``rollout_func`` for TRL's online trainers.

    Args:
        dialogues: Plays the encounters.
        settings: How the policy samples; the seed is mixed with the training step, so that a resumed run samples
            what an undisturbed one would have.
        difficulty: Makes patients harder as the policy gets better. Members of a group stay alike, because it sees
            nothing but the assignment.

    Returns:
        A function of prompts (see :class:`~bedside.training.assignments.Assignment`) and trainer. Besides what TRL
        asks for, it gives ``dialogue``, one :class:`~bedside.training.dialogues.Dialogue` a row, to rewards.
    """
    from accelerate.utils import gather_object

    def rollout(prompts: list[Any], trainer: Any) -> dict[str, Any]:
        step = int(trainer.state.global_step)
        assigned = [Assignment.from_prompt(prompt) for prompt in prompts]
        training = bool(trainer.model.training)
        if difficulty is not None and training:
            assigned = [difficulty.assign(assignment) for assignment in assigned]
        seed = derive_seed(settings.seed, "rollout", training, step, trainer.accelerator.process_index, assigned)
        drawn = replace(settings, seed=seed, temperature=settings.temperature if training else 0.0)
        played = _play(dialogues, assigned, trainer, drawn)
        if difficulty is not None and training:
            difficulty.learn(gather_object([dialogue.reward for dialogue in played]))
        return {
            "prompt_ids": [dialogue.prompt for dialogue in played],
            "completion_ids": [dialogue.ids for dialogue in played],
            "env_mask": [dialogue.mask for dialogue in played],
            "logprobs": [dialogue.logprobs for dialogue in played] if trainer.use_vllm else None,
            "dialogue": played,
        }

    return rollout


def _play(
    dialogues: Dialogues, assigned: Sequence[Assignment], trainer: Any, settings: SamplingSettings
) -> list[Dialogue]:
    if trainer.use_vllm:
        return dialogues.play(assigned, _ContextSampler(trainer), settings.max_tokens)
    from trl.models import unwrap_model_for_generation

    with unwrap_model_for_generation(
        trainer.model_wrapped, trainer.accelerator, gather_deepspeed3_params=trainer.args.ds3_gather_for_generation
    ) as model:
        was_training = model.training
        model.eval()  # dropout would make the sampled tokens another policy's
        try:
            tokens = dialogues.tokens
            return dialogues.play(
                assigned, DialogueSampler(model, tokens.end_of_turn, tokens.pad, settings), settings.max_tokens
            )
        finally:
            model.train(was_training)


def encounter_reward(
    cases: Sequence[Case], dialogues: Dialogues, difficulty: Difficulty | None = None
) -> Callable[..., list[float | None]]:
    """Return TRL's reward function for rollouts of :func:`make_rollout`: what each encounter was worth.

    Every part of the reward, the papers' scores, safety rates, transcripts and the environment's share of a step go
    to the trainer's log.

    Args:
        cases: The cases that are played.
        dialogues: What plays them.
        difficulty: Its level is logged.
    """
    by_id = {case.id: case for case in cases}

    def encounter(dialogue: list[Dialogue], log_metric: Any = None, log_extra: Any = None, **_: Any) -> list[Any]:
        if log_metric is not None:
            for name, value in _means([d.episode for d in dialogue if d.episode], by_id).items():
                log_metric(f"encounter/{name}", value)
            log_metric("encounter/faults", sum(bool(d.fault) for d in dialogue) / len(dialogue))
            # Rewards come once a step, so the time since the last ones is a whole step with its optimisation.
            log_metric("environment_share", dialogues.environment_share())
            if difficulty is not None:
                log_metric("difficulty", difficulty.level)
        if log_extra is not None:
            log_extra("case", [d.assignment.case for d in dialogue])
            log_extra("transcript", [d.episode.dialogue if d.episode else "" for d in dialogue])
        return [d.reward for d in dialogue]

    return encounter


def _means(episodes: Sequence[Episode], cases: dict[str, Case]) -> dict[str, float]:
    """Return the mean of each score and reward part over the episodes that have it."""
    values: dict[str, list[float]] = {}
    for episode in episodes:
        scores = score_episode(episode, cases[episode.case])
        for name, score in scores.items():
            if score.value is not None:
                values.setdefault(name, []).append(score.value)
        for name, part in scores["reward"].parts.items():
            if part is not None:
                values.setdefault(f"reward/{name}", []).append(part)
    return {name: sum(found) / len(found) for name, found in values.items()}


class Conversation:
    """One encounter as an environment of TRL with a single tool.

    TRL offers every public method but ``reset`` and ``get_reward`` to the model, so there is exactly one.
    """

    def __init__(self, env: Encounter) -> None:
        self._env = env
        self._earned = 0.0
        self._running = False

    def reset(self, case: str, seed: int, persona: str = "neutral", noise: str = "none", **_: Any) -> str:
        """Meet the patient of a row of the data set; return briefing and first words."""
        options = {"case": case, "persona": persona, "noise": noise}
        observation, _info = self._env.reset(seed=int(seed), options=options)
        self._earned, self._running = 0.0, True
        return f"{observation['briefing']}\n\n{_TASK}\n\nThe patient says: {observation['patient']}"

    def say_to_patient(self, message: str) -> str:
        """Say something to the patient and hear the answer.

        Args:
            message: What you say aloud, in plain words.

        Returns:
            What the patient answers.
        """
        if not self._running:
            return "The talk is over; the patient has left."
        observation, reward, terminated, truncated, _ = self._env.step(message)
        self._earned += reward
        self._running = not (terminated or truncated)
        return observation["patient"] if self._running else f"{observation['patient']}\n(The talk is over.)"

    def get_reward(self) -> float | None:
        """Return what the encounter was worth; one that the model left unfinished ends here."""
        if self._running:
            self._earned += self._env.truncate()[0]
            self._running = False
        return None if self._earned != self._earned else self._earned


def make_conversation(make_env: Callable[[], Encounter]) -> Callable[[], Conversation]:
    """Return an ``environment_factory`` for TRL's online trainers.

    Args:
        make_env: Makes an environment with a reward.

    Returns:
        What makes a :class:`Conversation`. Rows of the data set need the columns ``prompt`` (with one user message, to
        which the briefing is appended), ``case`` and ``seed``, and may have ``persona`` and ``noise``.
    """
    return lambda: Conversation(make_env())
