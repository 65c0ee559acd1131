import numpy as np
import pytest

from bedside.benchmarks.runs import SCORES, RunError
from bedside.benchmarks.scores import EPISODE_COLUMNS, Row, ScoreColumns, read_scores, score_tables, to_parquet
from bedside.cases.persona import draw_persona
from bedside.envs.episode import Episode, StopReason, Usage
from bedside.rewards.score import Score


def row(case, policy, values, fault=None):
    episode = Episode(
        env="bedside/Discharge-v0",
        case=case.id,
        persona=draw_persona("dischargebench:anxious,edu1,low,poor", "memory_recall=3"),
        policy=policy,
        seed=2**63 - 1,
        stop=StopReason.FAULT if fault else StopReason.COMPLETE,
        engines={"patient": "embedded", "verifier": "rules", "orchestrator": "embedded"},
        usage=Usage(calls=2, prompt_tokens=30, completion_tokens=4, cost=0.5),
    )
    scores = {name: Score(value=value, parts={"a": value}, engine="judge") for name, value in values.items()}
    return Row.of(episode, case, scores, fault)


@pytest.fixture
def rows(open_cases):
    first, second = open_cases[0], open_cases[-1]
    return [
        row(first, "silent", {"exam": 0.25, "tcs": None}),
        row(second, "silent", {}, "it broke"),
        row(first, "teachback", {"exam": 0.75, "tcs": 1.0}),
        row(second, "teachback", {"exam": 0.5, "tcs": 0.0, "late": 3.0}),
    ]


def table_of(rows, order):
    columns = ScoreColumns(len(rows))
    for number in order:
        columns.add(number, rows[number])
    return columns.table()


def test_a_row_says_what_the_episode_was_and_what_it_scored(rows, open_cases, tmp_path):
    (tmp_path / SCORES).write_bytes(to_parquet(table_of(rows, range(4))))
    table = read_scores(tmp_path)
    names = table.column_names
    assert names[: len(EPISODE_COLUMNS)] == list(EPISODE_COLUMNS)
    assert names[len(EPISODE_COLUMNS) :] == [
        *("score.exam", "score.tcs", "score.late"),
        *("part.exam.a", "part.tcs.a", "part.late.a"),
    ]
    first, broken, *_, last = table.to_pylist()
    assert (first["chapter"], last["chapter"]) == (open_cases[0].chapter, open_cases[-1].chapter)
    about = [first[name] for name in ("personality", "education", "literacy", "recall", "noise.memory_recall")]
    assert about == ["anxious", 1, "low", "poor", 3]
    assert [first[name] for name in ("seed", "stop", "calls", "cost")] == [2**63 - 1, "complete", 2, 0.5]
    assert (first["engine.verifier"], first["engine.scores"], broken["engine.scores"]) == ("rules", "judge", None)
    assert (first["fault"], broken["fault"], broken["stop"]) == (None, "it broke", "fault")
    # Unscored is null and never a number.
    assert (first["score.tcs"], first["score.exam"], broken["score.exam"]) == (None, 0.25, None)
    assert (last["score.late"], first["part.late.a"]) == (3.0, None)


def test_the_order_in_which_episodes_end_leaves_no_trace(rows):
    assert to_parquet(table_of(rows, (3, 1, 0, 2))) == to_parquet(table_of(rows, range(4)))


def test_scores_are_arranged_by_policy_case_and_run(rows):
    tables = score_tables(table_of(rows, range(4)), 1)
    assert list(tables) == ["silent", "teachback"]
    np.testing.assert_array_equal(tables["silent"]["exam"], [[0.25], [np.nan]])
    np.testing.assert_array_equal(score_tables(table_of(rows, range(4)), 2)["teachback"]["exam"], [[0.75, 0.5]])


def test_a_missing_or_torn_file_is_told(rows, tmp_path):
    with pytest.raises(RunError, match=r"no scores\.parquet; finish the run with --resume"):
        read_scores(tmp_path)
    content = to_parquet(table_of(rows, range(4)))
    for torn in (b"", content[:-9], b"x" * 100):
        (tmp_path / SCORES).write_bytes(torn)
        with pytest.raises(RunError, match="is damaged"):
            read_scores(tmp_path)
    (tmp_path / SCORES).write_bytes(to_parquet(table_of(rows, range(4)).drop_columns(["seed"])))
    with pytest.raises(RunError, match="no column seed"):
        read_scores(tmp_path)
