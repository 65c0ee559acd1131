"""The script that builds packs, run in this process."""

import importlib.util
from pathlib import Path

import pytest
from test_umls import CHEST, release
from typer.testing import CliRunner

from bedside.verifier.knowledge.packs import read_pack

SCRIPT = Path(__file__).parents[2] / "scripts" / "build_knowledge.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("build_knowledge", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(script, *args):
    return CliRunner().invoke(script.app, [str(arg) for arg in args])


def test_umls_from_files(script, tmp_path):
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("chest pain\n\n")
    args = ("--pack", "umls", "--umls-dir", release(tmp_path), "--out", tmp_path / "umls", "--seeds", seeds)
    result = run(script, *args)
    assert result.exit_code == 0, result.output
    assert {atom.concept for atom in read_pack(tmp_path / "umls").atoms} == {f"umls:{CHEST}"}
    assert (tmp_path / "umls" / "report.json").is_file()


def test_the_cores_forms_are_the_seeds_unless_others_are_given(script, tmp_path):
    run(script, "--pack", "umls", "--umls-dir", release(tmp_path), "--out", tmp_path / "umls")
    names = {atom.text for atom in read_pack(tmp_path / "umls").atoms}
    assert {"Chest pain", "Lopressor"} <= names


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--pack", "umls"), "--umls-dir"),
        (("--pack", "umls", "--umls-rest", "--api-key-env", "NO_SUCH_KEY"), "no UMLS key"),
        (("--pack", "umls", "--umls-dir", "/nowhere"), "lacks MRSTY.RRF"),
    ],
)
def test_what_is_missing_is_said_in_a_line(script, tmp_path, monkeypatch, args, said):
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    result = run(script, *args, "--out", tmp_path / "umls")
    assert result.exit_code == 1
    assert said in " ".join(result.output.split())
    assert "Traceback" not in result.output


def test_the_help_says_what_to_install_with_the_brackets_that_pip_needs(script):
    assert "'bedside[knowledge]'" in run(script, "--help").output
