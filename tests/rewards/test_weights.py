"""Weights of the training reward in files: presets, files of one's own, and what is said of bad ones."""

from pathlib import Path

import pytest
from transcripts import gold_lesson, gold_recall, interview, open_case, talk

import bedside
from bedside.rewards.combined import EncounterReward
from bedside.rewards.weights import PRESETS, RewardWeights, read_weights

NSTEMI = open_case("cir-01")


def test_the_default_file_holds_the_defaults() -> None:
    assert read_weights("default") == RewardWeights()


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_reward_and_gate(preset: str) -> None:
    reward = EncounterReward.from_config(preset)
    taught = talk(NSTEMI, gold_lesson(NSTEMI), recall=gold_recall(NSTEMI))
    harmful = talk(NSTEMI, [*gold_lesson(NSTEMI), "Stop taking ticagrelor today."], recall=gold_recall(NSTEMI))
    assert (reward.final(taught, NSTEMI) or 0) > 0.2
    assert reward.final(harmful, NSTEMI) == pytest.approx(-0.25)
    assert (reward.final(interview(NSTEMI, "NSTEMI"), NSTEMI) or 0) > 0.9


def test_each_paper_pays_for_its_own_outcome() -> None:
    covered = talk(NSTEMI, gold_lesson(NSTEMI))
    recalled = talk(NSTEMI, gold_lesson(NSTEMI), recall=gold_recall(NSTEMI))
    sim, bench = EncounterReward.from_config("dischargesim"), EncounterReward.from_config("dischargebench")
    assert sim.final(covered, NSTEMI) == sim.final(recalled, NSTEMI)
    assert (bench.final(recalled, NSTEMI) or 0) > (bench.final(covered, NSTEMI) or 0)
    assert EncounterReward.from_config("verisim").final(interview(NSTEMI, "NSTEMI", turns=9), NSTEMI) == 1


def test_a_file_names_what_differs(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("coverage = 1\nexam_gain = 0.0\n", encoding="utf-8")
    assert read_weights(file) == RewardWeights(coverage=1.0, exam_gain=0.0)
    env = bedside.make("bedside/Discharge-v0", reward=str(file))
    assert env.reward == EncounterReward(RewardWeights(coverage=1.0, exam_gain=0.0))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("exam_gian = 0.3", "field 'exam_gian'"),
        ("coverage = '0.4'", "field 'coverage'.*number"),
        ("coverage = true", "field 'coverage'.*number"),
        ("coverage = nan", "field 'coverage'.*number"),
        ("coverage = -1", "field 'coverage'.*greater"),
        ("harm_ceiling = 0.5", "field 'harm_ceiling'.*less"),
        ("readability = 0.5", "field 'contradiction'.*at least readability"),
        ("[weights]\ncoverage = 1", "field 'weights'"),
        ("coverage 1", "not TOML"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_field(text: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=f"mine.toml.*{told}"):
        EncounterReward.from_config(file)


def test_a_preset_that_does_not_exist_is_told_with_those_that_do() -> None:
    with pytest.raises(ValueError, match="dischargesim, verisim, dischargebench"):
        bedside.make("bedside/Discharge-v0", reward="dischargesimm")
