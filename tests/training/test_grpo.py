"""GRPO through TRL's real trainer, with tiny random policies: it learns, it resumes, groups share their patient."""

import pytest
import tiny
import torch

from bedside.envs.discharge import BRIEFINGS
from bedside.registry import make
from bedside.training.grpo import build_trainer
from bedside.training.settings import EncounterSettings, PolicySettings
from bedside.training.trl_adapter import make_conversation

# TRL calls what transformers deprecates; neither is ours to mend.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")
ENCOUNTERS = EncounterSettings(
    cases="open:train", eval_cases="open:dev", briefing="compact", max_turns=2, turn_tokens=10, dialogue_tokens=400
)


@pytest.fixture(autouse=True)
def _quiet_and_short(monkeypatch):
    monkeypatch.setenv("TRL_EXPERIMENTAL_SILENCE", "1")
    # What is told does not matter to a random policy, but reading it takes most of the time.
    monkeypatch.setitem(BRIEFINGS, "compact", lambda case: case.id)


def trainer(folder, *, steps, tools=False, reward=None, **changes):
    from trl import GRPOConfig

    settings = {
        "output_dir": str(folder),
        "use_cpu": True,
        "bf16": False,
        "activation_checkpointing": False,
        "per_device_train_batch_size": 8,
        "num_generations": 4,
        "max_steps": steps,
        "learning_rate": 5e-3,
        "lr_scheduler_type": "constant",
        "report_to": [],
        "logging_steps": 1,
        "save_strategy": "no",
        "seed": 1,
        "disable_tqdm": True,
    }
    args = GRPOConfig(**(settings | changes))
    kind = "qwen3" if tools else "qwen2"
    built = build_trainer(
        ENCOUNTERS,
        PolicySettings(lora=False),
        args,
        model=tiny.model("qwen3" if tools else "chatml", kind=kind),
        tokenizer=tiny.tokenizer("qwen3" if tools else "chatml"),
        tools=tools,
    )
    if reward is not None:
        built.reward_funcs[0] = reward
    return built


def letters(dialogue, **_):
    """A dense reward that a tiny model can learn: the share of one letter in what it says."""
    said = ["".join(turn.clinician for turn in d.episode.turns) for d in dialogue]
    return [text.count("e") / max(len(text), 1) for text in said]


def logged(built, name):
    return [log[name] for log in built.state.log_history if name in log]


def weights(built):
    return {name: tensor.clone() for name, tensor in built.model.state_dict().items()}


def test_reward_rises(tmp_path):
    built = trainer(tmp_path, steps=20, reward=letters)
    built.train()
    earned = logged(built, "reward")
    assert sum(earned[-5:]) > 2 * sum(earned[:5])


def test_scores_go_to_the_log_and_groups_share_their_patient(tmp_path):
    built = trainer(tmp_path, steps=2)
    met = []
    rollout = built.rollout_func

    def spied(prompts, trainer):
        output = rollout(prompts, trainer)
        met.extend(output["dialogue"])
        return output

    built.rollout_func = spied
    built.train()
    for name in ("encounter/tcs", "encounter/exam_gain", "encounter/reward/safety", "environment_share"):
        assert len(logged(built, name)) == 2
    groups = [met[start : start + 4] for start in range(0, len(met), 4)]
    assert len(groups) == 4
    for group in groups:
        assert len({(d.episode.case, d.episode.seed, d.episode.persona, tuple(d.prompt)) for d in group}) == 1
        assert len({tuple(d.ids) for d in group}) > 1
    assert len({group[0].episode.case for group in groups}) == 4


def test_a_resumed_run_ends_with_the_same_weights(tmp_path):
    whole = trainer(tmp_path / "whole", steps=4)
    whole.train()
    first = trainer(tmp_path / "broken", steps=4, save_strategy="steps", save_steps=2)
    first.train()
    again = trainer(tmp_path / "broken", steps=4)
    again.train(resume_from_checkpoint=str(tmp_path / "broken" / "checkpoint-2"))
    assert len(logged(again, "reward")) == 4
    for name, tensor in weights(whole).items():
        assert torch.equal(tensor, weights(again)[name]), name


def test_held_out_cases_are_evaluated_greedily_with_the_benchmarks_scores(tmp_path):
    built = trainer(tmp_path, steps=1, num_generations_eval=1, per_device_eval_batch_size=8)
    built.eval_dataset = built.eval_dataset.select(range(8))
    first = built.evaluate()
    assert {"eval_encounter/tcs", "eval_encounter/exam"} <= first.keys()
    assert built.evaluate()["eval_encounter/exam"] == first["eval_encounter/exam"]


def spoken(completions, **_):
    """The same dense reward for the path of tools."""
    said = ["".join(str(message["content"]) for message in messages) for messages in completions]
    return [text.count("e") / max(len(text), 1) for text in said]


def test_reward_rises_for_a_model_that_calls_tools(tmp_path):
    built = trainer(tmp_path, steps=20, tools=True, reward=spoken, max_completion_length=16)
    built.train()
    earned = logged(built, "reward")
    assert sum(earned[-5:]) > 2 * sum(earned[:5])


def test_a_tool_call_is_a_turn_with_the_patient(open_cases):
    conversation = make_conversation(lambda: make("bedside/Discharge-v0", cases=open_cases, max_turns=3))()
    opening = conversation.reset(case="cir-01", seed=5, prompt="ignored")
    assert "The patient says: " in opening
    assert "DIAGNOSIS" in opening
    answers = [conversation.say_to_patient("You had a heart attack. Take aspirin 81 mg by mouth once daily.")]
    assert conversation.get_reward() > 0
    assert conversation.say_to_patient("Hello?") == "The talk is over; the patient has left."
    again = make_conversation(lambda: make("bedside/Discharge-v0", cases=open_cases, max_turns=3))()
    again.reset(case="cir-01", seed=5)
    assert [again.say_to_patient("You had a heart attack. Take aspirin 81 mg by mouth once daily.")] == answers
    again.say_to_patient("What questions do you have?")
    assert again.say_to_patient("Aspirin can cause bleeding.").endswith("(The talk is over.)")


def test_a_model_that_never_speaks_earns_nothing(open_cases):
    conversation = make_conversation(lambda: make("bedside/Discharge-v0", cases=open_cases))()
    conversation.reset(case="cir-01", seed=5)
    assert conversation.get_reward() == 0.0


def test_a_fault_of_the_environment_is_no_reward(tmp_path, monkeypatch):
    built = trainer(tmp_path, steps=1)
    from bedside.envs.discharge import DischargeEnv

    step = DischargeEnv.step

    def broken(self, action):
        if self.episode.seed % 2:
            raise RuntimeError("boom")
        return step(self, action)

    monkeypatch.setattr(DischargeEnv, "step", broken)
    built.train()
    assert 0 <= logged(built, "encounter/faults")[0] <= 1
