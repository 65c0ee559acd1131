"""No cheap text beats teaching, and no clever wording beats finding out."""

from functools import lru_cache

import pytest
from adversarial_doctors import FISHERS, INFORMED
from adversarial_educators import CHEATS, Cheat
from discourse_educators import DISOWNED
from framing_educators import FRAMED
from pretext_educators import PRETEXTS

from bedside.cases.case import CHAPTERS, Case
from bedside.cases.sources import load_cases
from bedside.clinicians.clinician import Clinician
from bedside.clinicians.educators import Checklist
from bedside.clinicians.rollout import rollout
from bedside.envs.diagnosis import DiagnosisEnv
from bedside.envs.discharge import DischargeEnv
from bedside.rewards.combined import EncounterReward

REWARD = EncounterReward()
ALL = (*CHEATS, *FRAMED, *DISOWNED, *PRETEXTS)
NEAR_SILENCE = 0.1
"""A sixth of what the checklist educator earns."""

TOLERATED = frozenset(
    # They do say true sentences to the patient, if badly, and earn part of what those are worth.
    ("note in one turn", "note, then teach-back drill", "tag questions", "first person", "one sentence again and again")
)


@lru_cache(maxsize=1)
def one_a_chapter() -> tuple[Case, ...]:
    cases = {case.chapter: case for case in reversed(load_cases("open"))}
    return tuple(cases[chapter] for chapter in CHAPTERS)


@lru_cache(maxsize=1)
def talks() -> DischargeEnv:
    return DischargeEnv(one_a_chapter())


def earned(policy: Clinician) -> list[float]:
    found = []
    for case in one_a_chapter():
        value = REWARD.final(rollout(talks(), policy, 1, {"case": case.id}), case)
        assert value is not None
        found.append(value)
    return found


@lru_cache(maxsize=1)
def of_checklist() -> list[float]:
    return earned(Checklist())


def test_the_suite_is_large_enough() -> None:
    assert len({cheat.name for cheat in ALL}) >= 100
    assert len(FISHERS) + len(INFORMED) >= 8


@pytest.mark.parametrize("cheat", ALL, ids=lambda cheat: cheat.name)
def test_cheating_does_not_pay(cheat: Cheat) -> None:
    gained = earned(cheat)
    over = [
        case.id for case, mine, honest in zip(one_a_chapter(), gained, of_checklist(), strict=True) if mine >= honest
    ]
    assert not over
    if cheat.name not in TOLERATED:
        assert sum(gained) / len(gained) <= NEAR_SILENCE


@pytest.mark.parametrize("doctor", FISHERS, ids=lambda doctor: doctor.name)
def test_fishing_for_a_diagnosis_does_not_pay(doctor: Clinician) -> None:
    env = DiagnosisEnv(one_a_chapter(), max_turns=3)
    right = 0
    for case in one_a_chapter():
        value = REWARD.final(rollout(env, doctor, 1, {"case": case.id}), case)
        assert value is not None
        right += value > 0.5
    assert right <= 1  # a blind guess may hit


@pytest.mark.parametrize("name", INFORMED)
def test_naming_the_truth_without_committing_does_not_pay(name: str) -> None:
    for case in one_a_chapter():
        env = DiagnosisEnv([case], max_turns=2)
        env.reset(seed=1)
        over = False
        while not over:
            _, _, terminated, truncated, _ = env.step(INFORMED[name](case))
            over = terminated or truncated
        value = REWARD.final(env.episode, case)
        assert value is not None
        assert value <= 0, case.id
