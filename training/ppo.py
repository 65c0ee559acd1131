"""Proximal policy optimisation over whole dialogues: ``python training/ppo.py --config training/configs/FILE.yaml``.

TRL dropped PPO with its last single-turn version, so here is a small one that knows turns: rewards come turn by turn
from the environment and stand on the last token of each turn, a value head estimates what is still to come, and the
objective is clipped, over a few epochs of minibatches, with a penalty for leaving the reference policy.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

import torch
from torch import nn

from bedside.cases.case import Case
from bedside.cases.seeds import derive_seed, stream
from bedside.rewards.scoring import score_episode
from bedside.training.actor_critic import ActorCritic, Batch, chosen_logprobs
from bedside.training.advantages import advantages, whiten
from bedside.training.assignments import Assignment, assignments
from bedside.training.chat_tokens import ChatTokens
from bedside.training.command_line import complain, read_settings
from bedside.training.dialogues import Dialogue, Dialogues
from bedside.training.models import adapter_config, load_policy, load_tokenizer
from bedside.training.sampling import DialogueSampler, SamplingSettings
from bedside.training.settings import EncounterSettings, PolicySettings

__all__ = ["PPOSettings", "PPOTrainer", "build_trainer", "main"]


@dataclass
class PPOSettings:
    """How PPO learns."""

    output_dir: str = field(default="runs/ppo", metadata={"help": "Checkpoints and the log."})
    iterations: int = field(default=100, metadata={"help": "Rounds of rollout and optimisation."})
    batch_size: int = field(default=8, metadata={"help": "Encounters a round."})
    minibatch_size: int = field(default=4, metadata={"help": "Encounters an optimiser step."})
    epochs: int = field(default=2, metadata={"help": "Passes over a round."})
    learning_rate: float = field(default=1e-5, metadata={"help": "Of the policy; the value head takes ten times it."})
    clip: float = field(default=0.2, metadata={"help": "Clip range of the probability ratio."})
    value_clip: float = field(default=0.2, metadata={"help": "Clip range of the value."})
    value_weight: float = field(default=0.5, metadata={"help": "Weight of the value loss."})
    kl_weight: float = field(default=0.02, metadata={"help": "Penalty a token for leaving the reference policy."})
    gamma: float = field(default=1.0, metadata={"help": "Discount a token."})
    lam: float = field(default=0.95, metadata={"help": "Of generalised advantage estimation."})
    max_grad_norm: float = field(default=1.0, metadata={"help": "Gradients are clipped to this norm."})
    temperature: float = field(default=1.0, metadata={"help": "Of sampling."})
    top_p: float = field(default=1.0, metadata={"help": "Of sampling; the objective assumes 1."})
    eval_every: int = field(default=20, metadata={"help": "Rounds between held-out evaluations; 0 for none."})
    save_every: int = field(default=20, metadata={"help": "Rounds between checkpoints."})
    resume: bool = field(default=False, metadata={"help": "Go on from the last checkpoint in output_dir."})
    seed: int = field(default=0, metadata={"help": "The same seed gives the same run on the same machine."})
    wandb: bool = field(default=False, metadata={"help": "Log to Weights & Biases, offline without a key."})


class PPOTrainer:
    """Rolls out, estimates, optimises, again and again.

    Args:
        actor: Policy and value head.
        tokens: The policy's chat template.
        dialogues: Plays the encounters.
        cases: All cases that are played, by id.
        train: Ids of the cases to train on.
        settings: How to learn.
        encounters: Persona, noise and length of the encounters.
        held_out: Assignments of the held-out evaluation.
        reference: The policy not to stray from; None when ``actor`` has adapters that can be switched off.
    """

    def __init__(
        self,
        actor: ActorCritic,
        tokens: ChatTokens,
        dialogues: Dialogues,
        cases: Mapping[str, Case],
        train: Sequence[str],
        settings: PPOSettings,
        encounters: EncounterSettings,
        held_out: Sequence[Assignment] = (),
        reference: Any = None,
    ) -> None:
        self.actor = actor
        self.history: list[dict[str, float]] = []
        self._tokens = tokens
        self._dialogues = dialogues
        self._cases = cases
        self._train = list(train)
        self._settings = settings
        self._encounters = encounters
        self._held_out = list(held_out)
        self._reference = reference
        self._optimizer = torch.optim.AdamW(
            [
                {"params": [p for p in actor.model.parameters() if p.requires_grad], "lr": settings.learning_rate},
                {"params": actor.value.parameters(), "lr": 10 * settings.learning_rate},
            ],
            weight_decay=0.0,
        )
        self._iteration = 0
        self._folder = Path(settings.output_dir)

    def train(self) -> None:
        """Run all rounds that are left."""
        if self._settings.resume:
            self._restore()
        self._folder.mkdir(parents=True, exist_ok=True)
        for assigned in self._rounds():
            log = self.round(assigned)
            self._iteration += 1
            done = self._iteration
            if self._settings.eval_every and self._held_out and done % self._settings.eval_every == 0:
                log |= {f"eval/{name}": value for name, value in self.evaluate().items()}
            self._tell(log)
            if done % self._settings.save_every == 0 or done == self._settings.iterations:
                self._save()

    def round(self, assigned: Sequence[Assignment]) -> dict[str, float]:
        """Play one batch of encounters and learn from it; return what there is to log."""
        seed = derive_seed(self._settings.seed, "ppo", self._iteration)
        played = self._play(assigned, self._settings.temperature, seed)
        scored = [dialogue for dialogue in played if dialogue.reward is not None]
        log = {f"encounter/{name}": value for name, value in self._scores(scored).items()}
        log["faults"] = 1 - len(scored) / len(played)
        if scored:
            batch, kl = self._estimated(scored)
            log |= self._optimise(batch) | {"kl": kl, "reward": fmean(d.reward or 0.0 for d in scored)}
        log["environment_share"] = self._dialogues.environment_share()
        return log

    def evaluate(self) -> dict[str, float]:
        """Play the held-out encounters greedily; return the mean of each score."""
        return self._scores(self._play(self._held_out, 0.0, 0))

    def _rounds(self) -> Iterator[list[Assignment]]:
        settings = self._settings
        drawn = list(
            assignments(
                self._train,
                settings.iterations * settings.batch_size,
                persona=self._encounters.persona,
                noise=self._encounters.noise,
                seed=settings.seed,
            )
        )
        for number in range(self._iteration, settings.iterations):
            yield drawn[number * settings.batch_size : (number + 1) * settings.batch_size]

    def _play(self, assigned: Sequence[Assignment], temperature: float, seed: int) -> list[Dialogue]:
        settings = SamplingSettings(self._encounters.turn_tokens, temperature, self._settings.top_p, seed)
        self.actor.eval()
        sampler = DialogueSampler(self.actor.model, self._tokens.end_of_turn, self._tokens.pad, settings)
        return self._dialogues.play(assigned, sampler, settings.max_tokens)

    def _scores(self, played: Sequence[Dialogue]) -> dict[str, float]:
        values: dict[str, list[float]] = {}
        for dialogue in played:
            if dialogue.episode is not None:
                for name, score in score_episode(dialogue.episode, self._cases[dialogue.episode.case]).items():
                    if score.value is not None:
                        values.setdefault(name, []).append(score.value)
        return {name: fmean(found) for name, found in values.items()}

    def _estimated(self, played: Sequence[Dialogue]) -> tuple[Batch, float]:
        """Return the rollouts with advantages, and how far the policy is from the reference (nats a token)."""
        batch = self._tensors(played)
        with torch.no_grad():
            batch.logprobs, batch.values = self.actor(batch.ids, batch.attention, batch.mask.shape[1])
            drift = (batch.logprobs - self._reference_logprobs(batch)) * batch.mask
        penalised = batch.rewards - self._settings.kl_weight * drift
        estimated, batch.returns = advantages(
            penalised, batch.values, batch.mask, self._settings.gamma, self._settings.lam
        )
        batch.advantages = whiten(estimated, batch.mask)
        return batch, float(drift.sum() / batch.mask.sum())

    def _reference_logprobs(self, batch: Batch) -> torch.Tensor:
        reference = self._reference or self.actor.model
        without = nullcontext if self._reference else getattr(reference, "disable_adapter", nullcontext)
        with without():
            output = reference(
                input_ids=batch.ids,
                attention_mask=batch.attention,
                use_cache=False,
                logits_to_keep=batch.mask.shape[1] + 1,
            )
        return chosen_logprobs(output.logits, batch.ids)

    def _tensors(self, played: Sequence[Dialogue]) -> Batch:
        width = max(len(d.prompt) + len(d.ids) for d in played)
        ids = torch.full((len(played), width), self._tokens.pad, dtype=torch.long)
        attention, mask = torch.zeros_like(ids), torch.zeros((len(played), width))
        rewards = torch.zeros((len(played), width))
        for row, dialogue in enumerate(played):
            start, end = len(dialogue.prompt), len(dialogue.prompt) + len(dialogue.ids)
            ids[row, :end] = torch.tensor(dialogue.prompt + dialogue.ids)
            attention[row, :end] = 1
            mask[row, start:end] = torch.tensor(dialogue.mask, dtype=torch.float32)
            for place, reward in zip(dialogue.ends, dialogue.rewards, strict=True):
                rewards[row, start + place] = reward
        device = next(self.actor.parameters()).device
        first = min(len(d.prompt) for d in played)
        return Batch(ids.to(device), attention.to(device), mask[:, first:].to(device), rewards[:, first:].to(device))

    def _optimise(self, batch: Batch) -> dict[str, float]:
        rng = stream(self._settings.seed, "minibatches", self._iteration)
        logs: list[dict[str, float]] = []
        for _ in range(self._settings.epochs):
            order = rng.sample(range(len(batch.ids)), len(batch.ids))
            for start in range(0, len(order), self._settings.minibatch_size):
                logs.append(self._step(batch.rows(order[start : start + self._settings.minibatch_size])))
        return {name: fmean(log[name] for log in logs) for name in logs[0]}

    def _step(self, batch: Batch) -> dict[str, float]:
        """Take one optimiser step (Schulman et al., 2017, equations 7 and 9)."""
        settings = self._settings
        logprobs, values = self.actor(batch.ids, batch.attention, batch.mask.shape[1])
        ratio = torch.exp((logprobs - batch.logprobs) * batch.mask)
        clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
        gain = torch.minimum(ratio * batch.advantages, clipped * batch.advantages)
        near = batch.values + (values - batch.values).clamp(-settings.value_clip, settings.value_clip)
        error = torch.maximum((values - batch.returns) ** 2, (near - batch.returns) ** 2)
        count = batch.mask.sum()
        policy_loss = -(gain * batch.mask).sum() / count
        value_loss = 0.5 * (error * batch.mask).sum() / count
        self._optimizer.zero_grad()
        torch.autograd.backward(policy_loss + settings.value_weight * value_loss)
        norm = nn.utils.clip_grad_norm_(self.actor.parameters(), settings.max_grad_norm)
        self._optimizer.step()
        return {
            "policy_loss": policy_loss.item(),
            "value_loss": value_loss.item(),
            "clipped": ((((ratio - 1).abs() > settings.clip) * batch.mask).sum() / count).item(),
            "grad_norm": norm.item(),
        }

    def _tell(self, log: dict[str, float]) -> None:
        line = {"iteration": self._iteration, **{name: round(value, 6) for name, value in log.items()}}
        self.history.append(line)
        with (self._folder / "log.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        shown = ("reward", "encounter/tcs", "encounter/exam", "kl", "value_loss", "environment_share")
        print(self._iteration, " ".join(f"{name}={line[name]:.3f}" for name in shown if name in line), flush=True)
        if self._settings.wandb:
            import wandb

            wandb.log(line)

    def _save(self) -> None:
        part, folder = self._folder / "checkpoint.part", self._folder / "checkpoint"
        part.mkdir(exist_ok=True)
        self.actor.model.save_pretrained(part)
        self._tokens.tokenizer.save_pretrained(part)
        trained = {name: p for name, p in self.actor.named_parameters() if p.requires_grad}
        state = {"trained": trained, "optimizer": self._optimizer.state_dict(), "iteration": self._iteration}
        torch.save(state, part / "ppo.pt")
        old = self._folder / "checkpoint.old"
        if folder.exists():
            folder.rename(old)
        part.rename(folder)
        if old.exists():
            for path in old.iterdir():
                path.unlink()
            old.rmdir()

    def _restore(self) -> None:
        path = self._folder / "checkpoint" / "ppo.pt"
        if not path.exists():
            return
        state = torch.load(path, weights_only=True)
        self.actor.load_state_dict(state["trained"], strict=False)
        self._optimizer.load_state_dict(state["optimizer"])
        self._iteration = int(state["iteration"])


def build_trainer(
    encounters: EncounterSettings,
    policy: PolicySettings,
    settings: PPOSettings,
    *,
    model: Any = None,
    tokenizer: Any = None,
) -> PPOTrainer:
    """Put a trainer together.

    Args:
        encounters: What to train on.
        policy: What to train.
        settings: How to learn.
        model: The model, if it is not to be loaded as ``policy`` says.
        tokenizer: Its tokenizer, likewise.

    Raises:
        ValueError: A setting cannot be used.
    """
    cases, held_out = encounters.load(encounters.cases), encounters.load(encounters.eval_cases)
    known = list({case.id: case for case in (*cases, *held_out)}.values())
    tokens = ChatTokens(tokenizer or load_tokenizer(policy.model))
    torch.manual_seed(settings.seed)
    model = model or load_policy(policy)
    reference = None
    if (config := adapter_config(policy)) is not None:
        from peft import get_peft_model

        model = get_peft_model(model, config)
    elif settings.kl_weight:
        from copy import deepcopy

        reference = deepcopy(model).eval().requires_grad_(False)
    return PPOTrainer(
        ActorCritic(model),
        tokens,
        Dialogues(lambda: encounters.make(known), tokens, encounters.dialogue_tokens),
        {case.id: case for case in known},
        [case.id for case in cases],
        settings,
        encounters,
        list(
            assignments(
                [case.id for case in held_out],
                len(held_out),
                persona=encounters.persona,
                noise=encounters.noise,
                seed=derive_seed(settings.seed, "eval"),
            )
        ),
        reference,
    )


def main() -> None:
    """Train as the command line says."""
    encounters, policy, settings = read_settings(EncounterSettings, PolicySettings, PPOSettings)
    try:
        build_trainer(encounters, policy, settings).train()
    except ValueError as error:
        complain(error)


if __name__ == "__main__":
    main()
