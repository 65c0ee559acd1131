"""A policy in training writes whatever it likes, for as long as it likes: no turn may hold up the environment."""

import base64
from random import Random

import pytest

import bedside

LENGTH = 20_000
SECONDS = 10.0

TURNS = {
    "a word": "a" * LENGTH,
    "digits": "1" * LENGTH,
    "blanks": " " * LENGTH + "x",
    "lines": "\n" * LENGTH + "x",
    "dashes": "-" * LENGTH,
    "stars": "*" * LENGTH,
    "apostrophes": "'" * LENGTH,
    "contractions": "a'" * (LENGTH // 2),
    "hyphens": "a-" * (LENGTH // 2),
    "brackets": "<(" * (LENGTH // 2),
    "a list": "- ab\n" * (LENGTH // 5),
    "base64": base64.b64encode(Random(1).randbytes(LENGTH * 3 // 4)).decode(),
}


@pytest.mark.parametrize("environment", ["bedside/Discharge-v0", "bedside/Diagnosis-v0"])
@pytest.mark.parametrize("turn", TURNS.values(), ids=TURNS)
def test_no_turn_holds_up_the_environment(environment, turn, within):
    env = bedside.make(environment)
    env.reset(seed=3)
    with within(SECONDS):
        env.step(turn)
        observation, *_ = env.step(f"Do you have any pain? {turn}")
    assert env.observation_space.contains(observation)
    assert observation["patient"]
