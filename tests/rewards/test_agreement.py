"""Agreement statistics against published values: of their authors, and of the three papers."""

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bedside.benchmarks.agreement import agreements, read_ratings, report
from bedside.benchmarks.command import invoke
from bedside.rewards.agreement import (
    average,
    bootstrap,
    cohen_kappa,
    expand,
    f1,
    gwet_ac2,
    percent_agreement,
    relative_reduction,
    spearman,
    weighted_kappa,
)

TABLES = Path(__file__).parents[1] / "data" / "dischargesim_tables.tsv"
grades = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=30)


def raters(table: list[list[int]]) -> tuple[list[float], list[float]]:
    """Both raters of a table of counts."""
    cells = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    return [float(i) for i, _ in cells], [float(j) for _, j in cells]


def test_verifier_against_experts_as_in_verisim_e8() -> None:
    predicted, labelled = expand(tp=71, fp=5, fn=8, tn=116)
    assert cohen_kappa(predicted, labelled) == pytest.approx(0.86, abs=0.005)
    assert f1(predicted, labelled) == pytest.approx(0.91, abs=0.01)
    assert pytest.approx(0.93, abs=0.005) == 71 / (71 + 5)
    assert pytest.approx(0.90, abs=0.005) == 71 / (71 + 8)


def test_hallucination_reduction_of_verisim_table_4() -> None:
    assert relative_reduction(24.2, 6.7) == pytest.approx(0.723, abs=0.0005)


def test_averages_of_dischargesim_tables_1_and_2() -> None:
    """The paper prints averages of unrounded columns, some cut off instead of rounded: two cents at most."""
    with TABLES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert len(rows) == 72
    for row in rows:
        assert average([float(v) for v in row["dimensions"].split()]) == pytest.approx(
            float(row["printed"]), abs=0.0151
        )


def test_example_of_cohen_1968() -> None:
    one, other = raters([[44, 7, 9], [5, 20, 5], [1, 3, 6]])
    disagreement = np.array([[0, 1, 3], [1, 0, 6], [3, 6, 0]])
    assert cohen_kappa(one, other) == pytest.approx(0.492, abs=0.001)
    assert weighted_kappa(one, other, 1 - disagreement / 6) == pytest.approx(0.348, abs=0.001)


def test_paradox_of_gwet_2002() -> None:
    one, other = raters([[118, 5], [2, 0]])
    assert percent_agreement(one, other) == pytest.approx(0.944)
    assert cohen_kappa(one, other) == pytest.approx(-0.0234, abs=0.0005)
    assert gwet_ac2(one, other) == pytest.approx(0.9408, abs=0.0005)


def test_spearman_with_ties() -> None:
    assert spearman([1, 2, 3, 4], [1, 2, 3, 4]) == pytest.approx(1)
    assert spearman([1, 2, 3, 4, 5], [5, 6, 7, 8, 7]) == pytest.approx(0.8208, abs=0.0001)


def test_what_is_not_defined_is_missing() -> None:
    assert cohen_kappa([1, 1], [1, 1]) is None
    assert gwet_ac2([1, 1], [1, 1]) is None
    assert spearman([1, 1], [1, 2]) is None
    assert f1([0, 0], [0, 0]) is None
    assert bootstrap(cohen_kappa, [1, 1, 1], [1, 1, 1])[:3] == (None, None, None)
    assert average([None]) is None


@given(grades)
def test_symmetric_and_at_most_one(rated: list[tuple[int, int]]) -> None:
    one, other = [float(a) for a, _ in rated], [float(b) for _, b in rated]
    for statistic in (cohen_kappa, weighted_kappa, gwet_ac2, spearman, percent_agreement):
        value, mirrored = statistic(one, other), statistic(other, one)
        assert (value is None) == (mirrored is None)
        if value is not None:
            assert value == pytest.approx(mirrored)
            assert value <= 1 + 1e-9


def test_interval_holds_the_value_and_is_repeatable() -> None:
    one, other = raters([[20, 5], [5, 20]])
    interval = bootstrap(cohen_kappa, one, other, samples=300, seed=3)
    assert interval == bootstrap(cohen_kappa, one, other, samples=300, seed=3)
    assert interval.low is not None
    assert interval.low < interval.value < interval.high


ROWS = """item,dimension,rater,role,rating
1,clarity,ann,human,1
1,clarity,bob,human,2
1,clarity,judge,judge,1
2,clarity,ann,human,3
2,clarity,bob,human,3
2,clarity,judge,judge,3
3,clarity,ann,human,5
3,clarity,bob,human,
3,clarity,judge,judge,5
"""


def test_file_is_compared_pair_by_pair(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text(ROWS)
    human, judge = agreements(read_ratings(path), samples=100)
    assert (human.pair, human.raters, human.figures["percent"].value) == ("human-human", 1, 0.5)
    assert (judge.pair, judge.raters, judge.figures["percent"].value) == ("judge-human", 2, 0.75)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("role", "kind", "line 1: no column 'role'"),
        ("judge,judge,1", "judge,robot,1", "line 4, column 'role': 'robot'"),
        ("ann,human,3", "ann,human,good", "line 5, column 'rating': 'good'"),
        ("2,clarity,ann", "1,clarity,ann", "line 5: 'ann' has rated '1'"),
    ],
)
def test_unusable_files_are_told(tmp_path: Path, old: str, new: str, message: str, capsys) -> None:
    import typer

    path = tmp_path / "ratings.csv"
    path.write_text(ROWS.replace(old, new, 1))
    app = typer.Typer()
    app.command()(report)
    assert invoke(app, [str(path)], "agreement.py") == 2
    assert message in capsys.readouterr().err
