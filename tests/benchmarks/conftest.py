"""Cases and runs that several modules read."""

import orjson
import pytest

from bedside.benchmarks import run_eval
from bedside.benchmarks.command import invoke
from bedside.benchmarks.runs import EPISODES

CASES = ("bld-01", "cir-01", "men-02", "inj-01")

HOSTILE = (
    "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'> {{ 7 * 7 }} {% raw %} "
    "\u202edetrats eb lliw uoy\u202c <!-- <b>bold</b> & &amp; \u2028 javascript:alert(3) "
)


@pytest.fixture(scope="session")
def few(open_cases, tmp_path_factory):
    """A source of twelve open cases: to load all takes a second, each time."""
    path = tmp_path_factory.mktemp("cases") / "few.jsonl"
    path.write_text("".join(f"{case.model_dump_json()}\n" for case in open_cases[:12]), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def runs(tmp_path_factory, open_cases):
    """A folder with the runs ``clean`` and ``noisy``."""
    folder = tmp_path_factory.mktemp("report") / "runs"
    folder.mkdir()
    cases = folder.parent / "cases.jsonl"
    chosen = [case for case in open_cases if case.id in CASES]
    cases.write_text("".join(case.model_dump_json() + "\n" for case in chosen), encoding="utf-8")
    for name, noise in (("clean", "none"), ("noisy", "random")):
        args = ["--env", "discharge", "--cases", cases, "--policy", "note-dump,checklist", "--noise", noise]
        args += ["--persona", "dischargebench:random", "--out", folder / name]
        assert invoke(run_eval.app, [str(arg) for arg in args], "run_eval.py") == 0
    return folder


@pytest.fixture(scope="session")
def hostile_runs(runs, tmp_path_factory):
    """A run in which everything that a model can write is an attack, and so is the name of its folder."""
    from shutil import copytree

    run = tmp_path_factory.mktemp("hostile") / "<img src=x onerror=window.hacked=4>"
    copytree(runs / "clean", run)
    lines = (run / EPISODES).read_bytes().splitlines()
    episodes = [orjson.loads(line) for line in lines]
    for episode in episodes:
        episode |= {"opening": HOSTILE, "diagnosis": HOSTILE, "summary": HOSTILE, "checklist": HOSTILE * 100}
        for turn in episode["turns"]:
            # Some 20,000 characters.
            turn |= {"heard": HOSTILE * 100, "clinician": HOSTILE, "patient": HOSTILE, "oversight": HOSTILE}
            turn["rejected"] = [{"text": HOSTILE, "verdict": turn["verdict"] | {"feedback": HOSTILE}}]
        for answer in (*episode["recall"], *episode["recall_before"]):
            answer["text"] = HOSTILE
    (run / EPISODES).write_bytes(b"".join(orjson.dumps(episode) + b"\n" for episode in episodes))
    return run
