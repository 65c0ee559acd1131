"""The papers' protocols: stages and their caps, documents, defaults; scripted educators get through them."""

import inspect

import pytest

import bedside
from bedside.clinicians.registry import POLICIES, make_clinician
from bedside.clinicians.rollout import rollout
from bedside.envs.episode import StopReason
from bedside.envs.protocols import DischargeBenchEnv, DischargeSimEnv, VeriSimEnv
from bedside.envs.stages import STAGES, stage_asked

SECTIONS = (
    "Description", "Action Space", "Observation Space", "Starting State", "Rewards", "Episode End", "Arguments",
    "Version History",
)  # fmt: skip
WORDS = "What would you like to know about that?"


def stages_of(env, turns):
    observation, _ = env.reset(seed=1)
    asked = []
    for turn in turns:
        asked.append(observation["request"])
        observation, _, terminated, truncated, _ = env.step(turn)
        if terminated or truncated:
            break
    return [*asked, observation["request"]]


@pytest.mark.parametrize("kind", [DischargeSimEnv, DischargeBenchEnv, VeriSimEnv])
def test_a_protocol_documents_itself_as_gymnasium_asks(kind):
    assert kind.env_id in bedside.ENV_IDS
    for section in SECTIONS:
        assert f"## {section}" in inspect.getdoc(kind)


def test_a_stage_has_five_turns_and_medicines_have_no_cap(open_cases):
    env = DischargeSimEnv(open_cases[:1], documents=False)
    asked = stages_of(env, [f"{WORDS} {n}" for n in range(14)])
    assert asked[:5] == ["stage 1 of 6: warning signs"] * 5
    assert set(asked[5:-1]) == {"stage 2 of 6: medicines"}


def test_an_educator_moves_on_by_saying_so(open_cases):
    env = DischargeSimEnv(open_cases[:1], documents=False)
    asked = stages_of(env, [f"Let us move on to the next topic. {WORDS}"] * 5)
    assert [stage_asked(request) for request in asked] == list(STAGES)


def test_the_briefing_tells_the_stages_and_the_documents_follow(open_cases):
    env = DischargeSimEnv(open_cases)
    clinician = make_clinician("checklist", cases=open_cases, source="open")
    episode = rollout(env, clinician, seed=3)
    assert "warning signs, medicines, diagnosis" in env.briefing
    assert episode.stop is StopReason.COMPLETE
    assert episode.summary
    assert episode.exam_summary


def test_a_scripted_educator_keeps_to_the_order(open_cases):
    env = DischargeSimEnv(open_cases[:1])
    clinician = make_clinician("teachback", cases=open_cases, source="open")
    observation, _ = env.reset(seed=2)
    clinician.reset(2)
    places, over = [], False
    while not over:
        if stage := stage_asked(observation["request"]):
            places.append(STAGES.index(stage))
        observation, _, terminated, truncated, _ = env.step(clinician.act(observation))
        over = terminated or truncated
    assert places == sorted(places)
    assert places[-1] == len(STAGES) - 1


@pytest.mark.parametrize("env_id", ["bedside/DischargeSim-v0", "bedside/DischargeBench-v0"])
@pytest.mark.parametrize("policy", POLICIES["discharge"])
def test_every_scripted_educator_gets_through(env_id, policy, open_cases):
    env = bedside.make(env_id, cases=open_cases[:3])
    episode = rollout(env, make_clinician(policy, cases=open_cases, source="open"), seed=1)
    assert episode.stop in (StopReason.COMPLETE, StopReason.CLOSED_EARLY, StopReason.STALLED)


def test_noise_and_personas_are_drawn_by_the_paper_s_protocol(open_cases):
    env = VeriSimEnv(open_cases)
    for seed in range(5):
        env.reset(seed=seed)
        levels = env.episode.persona.noise.active.values()
        assert len(levels) == 2
        assert all(1 <= level <= 3 for level in levels)
    drawn = set()
    env = DischargeBenchEnv(open_cases)
    for seed in range(8):
        env.reset(seed=seed)
        drawn.add(env.episode.persona.personality)
    assert len(drawn) > 2
