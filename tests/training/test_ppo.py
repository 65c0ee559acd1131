"""PPO: advantages against numbers worked out by hand, a bandit with a known best arm, a run that learns and resumes."""

import pytest
import tiny
import torch

from bedside.envs.discharge import BRIEFINGS
from bedside.training.advantages import advantages, whiten
from bedside.training.dialogues import Dialogue
from bedside.training.ppo import PPOSettings, build_trainer
from bedside.training.settings import EncounterSettings, PolicySettings

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")


def test_advantages_by_hand():
    # Two own tokens, one of the patient's, one own token. gamma 0.5, lambda 0.5.
    rewards = torch.tensor([[0.0, 1.0, 0.0, 2.0]])
    values = torch.tensor([[1.0, 2.0, 99.0, 4.0]])
    mask = torch.tensor([[1.0, 1.0, 0.0, 1.0]])
    # last: 2 - 4 = -2; before: 1 + 0.5 * 4 - 2 = 1, plus 0.25 * -2 = 0.5; first: 0 + 0.5 * 2 - 1 = 0, plus 0.25 * 0.5
    estimated, returns = advantages(rewards, values, mask, gamma=0.5, lam=0.5)
    assert estimated.tolist() == [[0.125, 0.5, 0.0, -2.0]]
    assert returns.tolist() == [[1.125, 2.5, 0.0, 2.0]]


def test_lambda_one_is_the_return_less_the_value():
    rewards, mask = torch.tensor([[1.0, 2.0, 3.0]]), torch.ones(1, 3)
    estimated, returns = advantages(rewards, torch.tensor([[5.0, 5.0, 5.0]]), mask, gamma=1.0, lam=1.0)
    assert returns.tolist() == [[6.0, 5.0, 3.0]]
    assert estimated.tolist() == [[1.0, 0.0, -2.0]]


def test_whitened_values_ignore_what_is_masked():
    values = whiten(torch.tensor([[1.0, 3.0, 100.0]]), torch.tensor([[1.0, 1.0, 0.0]]))
    assert values[0, 2] == 0
    assert values[0, :2].mean().abs() < 1e-6


def build(folder, **changes):
    settings = {
        "output_dir": str(folder),
        "iterations": 3,
        "batch_size": 8,
        "minibatch_size": 4,
        "learning_rate": 3e-3,
        "eval_every": 0,
        "save_every": 2,
        "kl_weight": 0.0,
        "seed": 1,
    }
    encounters = EncounterSettings(
        cases="open:train", eval_cases="open:dev", briefing="compact", max_turns=2, turn_tokens=8, dialogue_tokens=400
    )
    return build_trainer(
        encounters,
        PolicySettings(lora=False),
        PPOSettings(**(settings | changes)),
        model=tiny.model(),
        tokenizer=tiny.tokenizer(),
    )


@pytest.fixture(autouse=True)
def _short_briefing(monkeypatch):
    # What is told does not matter to a random policy, but reading it takes most of the time.
    monkeypatch.setitem(BRIEFINGS, "compact", lambda case: case.id)


def dense(trainer, reward):
    """Replace the reward of each turn by one that a tiny model can learn."""
    play = trainer._dialogues.play

    def played(*args):
        dialogues = play(*args)
        for dialogue in dialogues:
            dialogue.rewards = [reward(turn.clinician) for turn in dialogue.episode.turns]
        return dialogues

    trainer._dialogues.play = played


def test_reward_rises(tmp_path):
    trainer = build(tmp_path, iterations=16)
    dense(trainer, lambda text: text.count("e") / max(len(text), 1))
    trainer.train()
    earned = [line["reward"] for line in trainer.history]
    assert sum(earned[-5:]) > 2 * sum(earned[:5])
    assert all(0 <= line["environment_share"] <= 1 for line in trainer.history)


class Bandit:
    """One token is one pull: two arms of three pay nothing, the others a little, and one of them most."""

    best = 42

    def play(self, assigned, sampler, longest_turn):
        dialogues = [Dialogue(assignment, prompt=[7, 8, 9]) for assignment in assigned]
        for dialogue, turn in zip(dialogues, sampler.turn([d.prompt for d in dialogues]), strict=True):
            dialogue.say(turn)
            arm = turn.ids[0]
            dialogue.rewards.append(1.0 if arm == self.best else 0.3 * (arm % 3 == 0))
        return dialogues

    def environment_share(self):
        return 0.0


def test_a_bandit_finds_arms_that_pay_and_then_the_best(tmp_path):
    trainer = build(tmp_path, iterations=60, batch_size=64, minibatch_size=32, learning_rate=3e-3, save_every=100)
    trainer._encounters.turn_tokens = 1
    trainer._dialogues = Bandit()
    trainer.train()
    earned = [line["reward"] for line in trainer.history]
    assert earned[0] < 0.2
    assert sum(earned[-5:]) / 5 > 0.9


def test_a_resumed_run_ends_with_the_same_weights(tmp_path):
    whole = build(tmp_path / "whole", iterations=4)
    whole.train()
    build(tmp_path / "broken", iterations=2).train()
    again = build(tmp_path / "broken", iterations=4, resume=True)
    again.train()
    assert [line["iteration"] for line in again.history] == [3, 4]
    for name, tensor in whole.actor.state_dict().items():
        assert torch.equal(tensor, again.actor.state_dict()[name]), name


def test_the_penalty_holds_the_policy_near_the_reference(tmp_path):
    free = build(tmp_path / "free", iterations=8, kl_weight=1e-9)
    held = build(tmp_path / "held", iterations=8, kl_weight=1.0)
    for trainer in (free, held):
        dense(trainer, lambda text: float(text.count("e")))
        trainer.train()
    assert held.history[-1]["kl"] < free.history[-1]["kl"]
