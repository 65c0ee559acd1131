import json
import math
import os
import subprocess
import sys

import gymnasium
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import bedside
from bedside.clinicians.registry import make_clinician
from bedside.clinicians.rollout import rollout
from bedside.envs.check import ContractError, check_encounter
from bedside.envs.discharge import DischargeEnv

PERSONAS = ("neutral", "dischargesim:HL1,edu1,deflective", "dischargebench:random", "verisim:random")


@pytest.mark.parametrize("env_id", bedside.ENV_IDS)
@pytest.mark.parametrize("persona", PERSONAS)
def test_every_environment_keeps_the_contract(env_id, persona):
    check_encounter(bedside.make(env_id, persona=persona))


@pytest.mark.parametrize("env_id", bedside.ENV_IDS)
def test_gymnasium_makes_it_by_id(env_id):
    env = gymnasium.make(f"bedside:{env_id}", disable_env_checker=False)
    observation, info = env.reset(seed=3)
    assert observation["briefing"]
    assert info["turn"] == 0
    assert env.unwrapped.env_id == env_id


class Endless(DischargeEnv):
    """An encounter that no farewell ends."""

    def _conclude(self, turn):
        return None, ""


class Leaky(DischargeEnv):
    """An encounter that shows an exam question."""

    def _brief(self, case):
        return super()._brief(case) + case.questions[0].stem


def test_the_checker_finds_what_it_is_for(open_cases):
    with pytest.raises(ContractError, match="no end was reached in 30 turns"):
        check_encounter(Endless(open_cases[:2], max_turns=100), max_steps=30)
    with pytest.raises(ContractError, match="exam question"):
        check_encounter(Leaky(open_cases[:2]))


def test_vector_members_play_as_if_alone(open_cases):
    def make():
        return bedside.make("bedside/Discharge-v0", cases=open_cases)

    vector = SyncVectorEnv([make] * 3, autoreset_mode=AutoresetMode.DISABLED)
    together, _ = vector.reset(seed=[11, 12, 13])
    said, *_ = vector.step(["Hello, how are you feeling about going home?"] * 3)
    for number, seed in enumerate((11, 12, 13)):
        alone = make()
        observation, _ = alone.reset(seed=seed)
        assert observation["briefing"] == together["briefing"][number]
        observation, *_ = alone.step("Hello, how are you feeling about going home?")
        assert observation["patient"] == said["patient"][number]


_PLAY = """
import sys, bedside
from bedside.cases.sources import load_cases
from bedside.clinicians.registry import make_clinician
from bedside.clinicians.rollout import rollout
cases = load_cases("open")[:4]
for env_id in bedside.ENV_IDS:
    policy = "teachback" if "Discharge" in env_id else "infogain"
    env = bedside.make(env_id, cases=cases, persona="dischargebench:random", noise="random")
    clinician = make_clinician(policy, cases=cases, source="open")
    for seed in range(3):
        sys.stdout.buffer.write(rollout(env, clinician, seed).to_json() + b"\\n")
"""


def test_same_seed_same_bytes_under_any_hash_seed():
    def play(hash_seed):
        env = {**os.environ, "PYTHONHASHSEED": hash_seed}
        return subprocess.run([sys.executable, "-c", _PLAY], env=env, capture_output=True, check=True).stdout

    first, second = play("1"), play("987")
    assert first == second
    assert len(first.splitlines()) == 3 * len(bedside.ENV_IDS)


def test_step_rewards_sum_to_the_final_reward(open_cases):
    env = bedside.make("bedside/Discharge-v0", cases=open_cases)
    clinician = make_clinician("checklist", cases=open_cases, source="open")
    observation, _ = env.reset(seed=5)
    clinician.reset(5)
    total, done = 0.0, False
    while not done:
        observation, reward, terminated, truncated, _ = env.step(clinician.act(observation))
        total += reward
        done = terminated or truncated
    assert total == pytest.approx(env.reward.final(env.episode, env.case))
    assert total > 0.2


class Unscorable:
    def potential(self, episode, case):
        return 0.0

    def final(self, episode, case):
        return None


def test_what_cannot_be_scored_is_not_zero(open_cases):
    env = DischargeEnv(open_cases[:1], reward=Unscorable())
    env.reset(seed=0)
    _, reward, terminated, _, _ = env.step("Goodbye.")
    assert terminated
    assert math.isnan(reward)


def test_bad_arguments_say_what_to_do(open_cases):
    with pytest.raises(ValueError, match="unknown environment"):
        bedside.make("bedside/Nothing-v0")
    with pytest.raises(ValueError, match="unknown trait"):
        bedside.make("bedside/Discharge-v0", persona="grumpy")
    with pytest.raises(ValueError, match="unknown noise pillar"):
        bedside.make("bedside/Diagnosis-v0", noise="loudness=3")
    env = bedside.make("bedside/Discharge-v0", cases=open_cases)
    with pytest.raises(RuntimeError, match="reset"):
        env.step("Hello")
    with pytest.raises(ValueError, match="unknown reset option 'patient'"):
        env.reset(seed=1, options={"patient": 3})
    with pytest.raises(ValueError, match="no case 'x'"):
        env.reset(seed=1, options={"case": "x"})
    env.reset(seed=1)
    with pytest.raises(ValueError, match="not int"):
        env.step(3)
    with pytest.raises(ValueError, match="70000 characters"):
        env.step("a" * 70_000)


def test_documents_follow_the_talk(open_cases):
    env = DischargeEnv(open_cases, documents=True)
    observation, _ = env.reset(seed=2)
    assert observation["request"] == "talk"
    observation, _, terminated, truncated, _ = env.step("Goodbye, take care.")
    assert (observation["request"], terminated, truncated) == ("summary", False, False)
    plan = observation["briefing"]
    medicine = next(line for line in plan.splitlines() if line.startswith("- NEW"))
    observation, *_ = env.step(f"You have a new medicine. {medicine}")
    assert observation["request"] == "checklist"
    *_, terminated, _, _ = env.step(json.dumps({"diagnosis": "gout"}))
    assert terminated
    assert env.episode.summary.startswith("You have a new medicine")
    assert len(env.episode.exam_summary) == len(env.case.questions)


def test_a_checklist_that_cannot_be_read_is_asked_for_once_more(open_cases):
    env = DischargeEnv(open_cases, documents=True)
    env.reset(seed=2)
    env.step("Goodbye, take care.")
    env.step("You had gout.")
    observation, _, terminated, _, info = env.step('{"diagnosis": 5}')
    assert (observation["request"], terminated) == ("checklist", False)
    assert "diagnosis" in observation["patient"]
    assert "diagnosis" in info["document_problem"]
    *_, terminated, _, info = env.step("Sorry, no.")
    assert terminated
    assert "JSON" in info["document_problem"]
    assert env.episode.checklist == "Sorry, no."
    env.reset(seed=2)
    env.step("Goodbye, take care.")
    env.step("You had gout.")
    env.step("{")
    *_, terminated, _, info = env.step('Here it is: ```json\n{"diagnosis": "gout"}\n```')
    assert terminated
    assert "document_problem" not in info


def test_an_episode_of_every_policy_survives_its_json(open_cases):
    from bedside.clinicians.registry import POLICIES
    from bedside.envs.episode import Episode

    for kind, env_id in (("discharge", "bedside/Discharge-v0"), ("diagnosis", "bedside/Diagnosis-v0")):
        env = bedside.make(env_id, cases=open_cases[:2])
        for policy in POLICIES[kind]:
            episode = rollout(env, make_clinician(policy, cases=open_cases, source="open"), seed=1)
            assert Episode.from_json(episode.to_json()) == episode
            assert episode.stop is not None
