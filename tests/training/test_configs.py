"""Every configuration that ships is one that its trainer takes."""

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from bedside.training.ppo import PPOSettings
from bedside.training.settings import EncounterSettings, PolicySettings
from bedside.training.sft import CurriculumSettings

TRAINING = Path(__file__).parents[2] / "training"


def taken_by(name):
    from trl import GRPOConfig, SFTConfig

    if "sft" in name:
        return CurriculumSettings, PolicySettings, SFTConfig
    return EncounterSettings, PolicySettings, PPOSettings if "ppo" in name else GRPOConfig


@pytest.mark.parametrize("path", sorted((TRAINING / "configs").glob("*.yaml")), ids=lambda path: path.stem)
def test_a_configuration_names_only_what_its_trainer_knows(path):
    known = {field.name for kind in taken_by(path.stem) for field in dataclasses.fields(kind)}
    assert not yaml.safe_load(path.read_text()).keys() - known


@pytest.mark.parametrize("script", ["grpo", "ppo"])
def test_a_setting_that_cannot_be_used_is_one_line(script, tmp_path):
    command = [sys.executable, TRAINING / f"{script}.py", "--output_dir", tmp_path / "out", "--cases", "nowhere"]
    command += ["--use_cpu", "--bf16", "false"] if script == "grpo" else []
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1].startswith("error: nowhere: unknown source of cases")
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()
