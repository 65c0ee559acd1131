"""Talks with a patient who asks back: what it says must neither earn nor cost an educator anything."""

import pytest

from bedside.clinicians.registry import make_clinician
from bedside.clinicians.rollout import rollout
from bedside.envs.discharge import DischargeEnv
from bedside.rewards.scoring import score_episode


@pytest.fixture(scope="module")
def played(some_cases):
    """Mean of a score over talks of a scripted educator."""
    env = DischargeEnv(some_cases)

    def mean(policy, name):
        educator = make_clinician(policy, cases=(), source="open")
        talks = ((rollout(env, educator, 1, {"case": case.id}), case) for case in some_cases)
        values = [score_episode(episode, case)[name].value for episode, case in talks]
        return sum(value or 0 for value in values) / len(values)

    return mean


def test_the_expert_is_charged_with_no_wrong_instruction(played):
    assert played("teachback", "wrong_instruction") <= 0.001


def test_keywords_earn_no_topic(played):
    assert played("keyword-spam", "tcs") <= 0.01
