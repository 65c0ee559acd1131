"""The papers' evaluations with one command: what is run, what the tables hold, and what is told when it cannot be."""

import shutil
from contextlib import nullcontext

import numpy as np
import orjson
import pytest

from bedside.benchmarks import run_eval
from bedside.benchmarks.command import invoke
from bedside.benchmarks.evaluate import Workforce
from bedside.benchmarks.plan import Settings, load_run_cases, make_plan
from bedside.benchmarks.runs import CONFIG, EPISODES, SCORES, SUMMARY, TIMING, read_config
from bedside.benchmarks.scores import read_scores
from bedside.benchmarks.suites.catalogue import SUITES
from bedside.benchmarks.suites.conversations import Conversation, read_conversations
from bedside.benchmarks.suites.dischargesim import size_of
from bedside.benchmarks.suites.evidence import Evidence
from bedside.benchmarks.suites.failure_modes import failure_mode
from bedside.benchmarks.suites.running import REPORT, TABLES, play_suite, write_tables
from bedside.benchmarks.suites.simulated_patient import verifier_table
from bedside.benchmarks.suites.suite import settings_for
from bedside.benchmarks.suites.tables import tables_of
from bedside.envs.episode import Episode
from bedside.rewards.scoring import score_episode


def evaluate(*args):
    return invoke(run_eval.app, [str(arg) for arg in args], "run_eval.py")


def evidence_of(run):
    return Evidence(run, load_run_cases(read_config(run)))


def row(table, name):
    return next(cells for cells in table.rows if cells[0].text == name)


def cell(table, name, title):
    number = next(n for n, column in enumerate(table.columns) if column.title == title)
    return row(table, name)[number]


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    out = tmp_path_factory.mktemp("bench") / "out"
    settings = ["--suite", "dischargebench", "--policy", "silent,note-dump,checklist", "--limit", "4", "--runs", "2"]
    assert evaluate(*settings, "--out", out) == 0
    return out


@pytest.fixture(scope="module")
def bench_tables(bench):
    return {table.name: table for table in tables_of("dischargebench", {"talks": evidence_of(bench / "talks")}, "")}


@pytest.fixture(scope="module")
def interviews(tmp_path_factory):
    return tmp_path_factory.mktemp("interviews") / "out"


@pytest.fixture(scope="module")
def interview_tables(interviews):
    suite, common = SUITES["verisim"], Settings("", policies=("infogain",), limit=4)
    plans = {name: make_plan(settings) for name, settings in settings_for(suite, common, None).items()}
    for name, report in play_suite(plans, interviews, Workforce(), resume=False, progress=lambda _: nullcontext()):
        assert not report.faults, name
    assert list(plans) == [condition.name for condition in suite.conditions if not condition.of_models]
    return {table.name: table for table in write_tables(suite, interviews, plans, "")}


def test_every_condition_is_a_run_folder_and_every_table_has_all_formats(bench):
    assert {entry.name for entry in bench.iterdir()} == {"talks", TABLES, REPORT}
    assert {entry.name for entry in (bench / "talks").iterdir()} == {CONFIG, EPISODES, SCORES, SUMMARY, TIMING}
    endings = {"main": 0, "audit": 0, "chapters": 0}
    for name in endings:
        for ending in ("md", "tex", "csv"):
            assert (bench / TABLES / f"{name}.{ending}").stat().st_size
    assert "bedside eval --suite dischargebench" in (bench / TABLES / "main.md").read_text()


def test_resumed_suite_has_the_same_bytes(bench, tmp_path):
    shutil.copytree(bench, tmp_path / "out")
    lines = (tmp_path / "out" / "talks" / EPISODES).read_bytes().splitlines(keepends=True)
    (tmp_path / "out" / "talks" / EPISODES).write_bytes(b"".join(lines[:7]) + lines[7][:50])
    shutil.rmtree(tmp_path / "out" / TABLES)
    settings = ["--suite", "dischargebench", "--policy", "silent,note-dump,checklist", "--limit", "4", "--runs", "2"]
    assert evaluate(*settings, "--out", tmp_path / "out", "--resume") == 0
    for path in [*(bench / "talks").iterdir(), *(bench / TABLES).iterdir()]:
        if path.name == TIMING:
            continue  # by the clock
        assert (tmp_path / "out" / path.relative_to(bench)).read_bytes() == path.read_bytes(), path


def test_a_folder_with_something_in_it_is_not_written_over(bench, capsys):
    assert evaluate("--suite", "dischargebench", "--limit", "4", "--out", bench) == 2
    assert "is not empty; add --resume" in capsys.readouterr().err


def test_main_table_agrees_with_the_summary(bench, bench_tables):
    summary = orjson.loads((bench / "talks" / SUMMARY).read_bytes())
    for title, score in (("TCS", "tcs"), ("SCS", "scs"), ("Wrong Instruction", "wrong_instruction")):
        for policy in ("note-dump", "checklist"):
            assert cell(bench_tables["main"], policy, title).value == summary[policy][score]["mean"]
            assert cell(bench_tables["main"], policy, title).low == summary[policy][score]["low"]
    assert cell(bench_tables["main"], "checklist", "Clarity").value is None


def test_audit_counts_what_the_episodes_hold(bench, bench_tables):
    episodes = [Episode.from_json(line) for line in (bench / "talks" / EPISODES).read_bytes().splitlines()]
    for policy in ("note-dump", "checklist"):
        complete = [e for e in episodes if e.policy == policy and e.stop == "complete"]
        short = [e for e in complete if len(e.turns) <= 15]
        assert cell(bench_tables["audit"], policy, "Complete").value == len(complete)
        assert cell(bench_tables["audit"], policy, "Short n (%)").value == len(short)
    assert sum(c.value or 0 for c in row(bench_tables["outcomes"], "checklist")[1:]) == pytest.approx(1)


def test_pooled_chapters_are_means_over_all_policies(bench, bench_tables):
    rows = read_scores(bench / "talks").select(["chapter", "score.tcs"]).to_pylist()
    for cells in bench_tables["chapters"].rows[:-1]:
        mine = [r["score.tcs"] for r in rows if r["chapter"] == cells[0].text]
        assert cells[2].value == pytest.approx(np.mean(mine))


def test_no_figure_is_infinite_or_made_up(bench_tables, interview_tables):
    for table in (*bench_tables.values(), *interview_tables.values()):
        assert table.rows, table.name
        for cells in table.rows:
            for found in cells:
                assert found.value is None or np.isfinite(found.value)
                if found.low is not None:
                    assert found.low <= found.value <= found.high


def test_noise_table_is_paired_and_tested(interviews, interview_tables):
    clean, noisy = (orjson.loads((interviews / name / SUMMARY).read_bytes())["infogain"] for name in ("clean", "noisy"))
    table = interview_tables["noise"]
    lost = noisy["accuracy"]["mean"] - clean["accuracy"]["mean"]
    assert cell(table, "infogain", "ΔAcc").value == pytest.approx(lost)
    longer = noisy["turns"]["mean"] / clean["turns"]["mean"] - 1
    assert cell(table, "infogain", "ΔTurns %").value == pytest.approx(longer)
    assert 0 < cell(table, "infogain", "p").value <= 1
    assert cell(table, "Qwen-2.5-72B (printed)", "ΔAcc").value == pytest.approx(-0.153)


def test_a_fabrication_that_was_not_verified_is_counted(interviews, interview_tables, tmp_path):
    assert read_config(interviews / "unverified").verifier == "off"
    shutil.copytree(interviews, tmp_path / "out")
    episodes = tmp_path / "out" / "unverified" / EPISODES
    lines = [orjson.loads(line) for line in episodes.read_bytes().splitlines()]
    lines[0]["turns"][0]["patient"] = "I take warfarin and lithium, and I had a stroke."
    episodes.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))

    def figures(table):
        return {cells[0].text: [c.text for c in cells[1:]] for cells in table.rows}

    found = {name: evidence_of(tmp_path / "out" / name) for name in ("unverified", "noisy")}
    before, after = figures(interview_tables["verifier"]), figures(verifier_table(found, ""))
    assert float(after["Halluc. Rate"][0]) > float(before["Halluc. Rate"][0])
    assert float(after["Consist. Rate"][0]) < float(before["Consist. Rate"][0])
    # The paper's second arm needs a prompt, and the verified patient has nothing to find.
    assert after["Consist. Rate"][2] is None
    assert after["Consist. Rate"][4] == "100.0"


def test_matching_rules_only_get_more_lenient(interview_tables):
    rows = [cells for cells in interview_tables["matching"].rows if cells[0].text == "infogain"]
    accuracy = [cells[2].value for cells in rows[:3]]
    assert accuracy[0] <= accuracy[2]
    assert accuracy[1] <= accuracy[2]


def test_profiles_are_compared_in_pairs(tmp_path):
    out = tmp_path / "out"
    assert evaluate("--suite", "dischargesim", "--policy", "checklist", "--limit", "2", "--out", out) == 0
    evidence = evidence_of(out / "profiles")
    assert evidence.config.runs == 18
    tables = {table.name: table for table in tables_of("dischargesim", {"profiles": evidence}, "")}
    low, high = (
        evidence.values("checklist", "score.exam", evidence.labels("checklist", "literacy") == level)
        for level in ("low", "high")
    )
    effect = next(c for c in tables["effect-of-literacy"].rows if c[1].text == "HL2 vs HL1")
    exam = [column.title for column in tables["effect-of-literacy"].columns].index("Exam")
    assert effect[exam].value == pytest.approx(np.nanmean(high) / np.nanmean(low) - 1)
    assert cell(tables["conversations"], "checklist", "AHRQ ACC").value > 0
    assert "spread" not in tables


def test_policies_of_one_encounter_leave_the_other_out():
    found = settings_for(SUITES["quick"], Settings("", policies=("teachback",)), None)
    assert list(found) == ["talks"]
    both = settings_for(SUITES["quick"], Settings("", policies=("infogain", "openai/model")), 3)
    assert both["talks"].policies == ("openai/model",)
    assert both["noisy"].policies == ("infogain", "openai/model")
    assert {settings.runs for settings in both.values()} == {3}


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--suite", "dischargesin"], "unknown suite 'dischargesin'; there are dischargesim, verisim"),
        (
            ["--suite", "verisim", "--policy", "teachback"],
            "no encounter for teachback; it has diagnosis: question-list",
        ),
        (["--suite", "quick", "--noise", "random"], "--noise random: a suite has its own"),
        (["--suite", "quick", "--shard", "1/2"], "a suite is not split"),
        (["--suite", "quick", "--runs", "0"], "--runs must be at least 1"),
        (["--suite", "quick", "--limit", "0"], "--limit must be at least 1"),
        (["--suite", "quick", "--cases", "nowhere.jsonl"], "nowhere.jsonl"),
        ([], "give --env, one encounter, or --suite"),
    ],
)
def test_what_cannot_be_run_is_one_line(args, told, tmp_path, capsys):
    assert evaluate(*args, "--out", tmp_path / "out") == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def conversation(told, turns=10):
    return Conversation(("p", "c", 0), "diagnosed", turns, "flu", False, False, 0, (), frozenset(told))


@pytest.mark.parametrize(
    ("noisy", "turns", "mode"),
    [("abcde", 14, "ambiguity"), ("abcd", 8, "ambiguity"), ("ab", 14, "misdirection"), ("ab", 8, "premature")],
)
def test_failure_modes(noisy, turns, mode):
    assert failure_mode(conversation(noisy, turns), conversation("abcde")) == mode


def test_conversations_hold_what_the_episodes_hold(interviews, interview_tables, open_cases):
    cases = {case.id: case for case in open_cases}
    read = list(read_conversations(interviews / "noisy"))
    lines = (interviews / "noisy" / EPISODES).read_bytes().splitlines()
    for brief, line in zip(read, lines, strict=True):
        episode = Episode.from_json(line)
        assert brief.turns == len(episode.turns)
        assert brief.fallbacks == sum(turn.fallback for turn in episode.turns)
        assert sum(brief.corrected) == sum(bool(turn.rejected) and not turn.fallback for turn in episode.turns)
        assert brief.told <= {fact.id for fact in cases[episode.case].record}
        assert (score_episode(episode, cases[episode.case])["turns"].value) == brief.turns


def test_a_model_that_says_so_breaks_character(bench, tmp_path):
    lines = (bench / "talks" / EPISODES).read_bytes().splitlines()
    episode = orjson.loads(lines[-1])
    episode["turns"][0]["patient"] = "As an AI language model, I have no pain."
    episode["turns"][1]["heard"] = "I am just an AI, so I cannot examine you."
    (tmp_path / EPISODES).write_bytes(orjson.dumps(episode) + b"\n")
    (broken,) = read_conversations(tmp_path)
    assert broken.patient_broke
    assert broken.clinician_broke


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("openai/qwen2.5-7b-instruct", 7),
        ("vllm/Llama-3.3-70B", 70),
        ("hf/SmolLM2-135M", 0.135),
        ("openai/qwen2.5-0.5b", 0.5),
        ("openai/gpt-4.1-mini", None),
        ("teachback", None),
    ],
)
def test_sizes_are_read_from_names(name, size):
    assert size_of(name) == size
