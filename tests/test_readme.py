"""What the README shows is what happens."""

import re
import subprocess
import sys
from pathlib import Path

import bedside
from bedside.cases.noise import NoiseProfile
from bedside.verifier.grounding import ground
from bedside.verifier.verifier import RulesVerifier

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def test_the_loop_prints_what_it_says():
    code, printed = re.search(r"```python\n(.*?)```\s*```\n(.*?)```", README, re.DOTALL).groups()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == printed


def test_the_interview_took_place(case_of):
    spoken = re.findall(r"^> \*\*(Doctor|Patient):\*\* (.*)$", README, re.MULTILINE)
    env = bedside.make("bedside/Diagnosis-v0", cases=[case_of("men-02")], noise="social_cultural=3,memory_recall=2")
    env.reset(seed=3)
    for (who, asked), (answerer, answer) in zip(spoken[::2], spoken[1::2], strict=True):
        assert (who, answerer) == ("Doctor", "Patient")
        observation, *_ = env.step(asked)
        assert observation["patient"] == answer.replace("**", "").replace(" ✓", "")
    assert len(spoken) == 10


def test_the_rejection_reads_as_shown(case_of):
    grounded = ground(case_of("men-02"), "interview")
    said = "I take warfarin 5 mg, and my dad had a heart attack."
    verdict = RulesVerifier().verify(said, grounded, NoiseProfile())
    assert verdict.overall == "regenerate"
    assert re.search(r"`(\"warfarin\".*?)`", README)[1] in verdict.feedback


def test_documented_files_exist():
    root = Path(__file__).parent.parent
    for name in re.findall(r"\]\((docs/[^)]+|CONTRIBUTING.md)\)", README):
        assert (root / name).is_file(), name
    for script in re.findall(r"python ((?:benchmarks|scripts)/\w+\.py)", README):
        assert (root / script).is_file(), script
