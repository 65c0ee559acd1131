"""Which cases are played, and with which patients."""

from collections import Counter

from bedside.benchmarks.evaluate import evaluate
from bedside.benchmarks.plan import Settings, make_plan
from bedside.benchmarks.scores import read_scores


def test_a_spread_limit_takes_cases_from_every_chapter():
    plan = make_plan(Settings("discharge", policies=("silent",), limit=32, spread=True))
    assert Counter(case.chapter for case in plan.cases).most_common()[-1][1] >= 1
    assert len({case.chapter for case in plan.cases}) == 16
    assert len(plan.cases) == 32
    more = make_plan(Settings("discharge", policies=("silent",), limit=10_000, spread=True))
    assert more.cases == more.known


def test_all_profiles_of_dischargesim_meet_each_case_with_one_seed(tmp_path):
    settings = Settings("discharge", policies=("silent",), limit=2, persona="dischargesim:all", runs=2)
    plan = make_plan(settings)
    assert plan.config.runs == 36
    seeds = [task.seed for task in plan.tasks[:36]]
    assert len(set(seeds[:18])) == len(set(seeds[18:])) == 1
    assert seeds[0] != seeds[18]
    evaluate(plan, tmp_path / "run")
    rows = read_scores(tmp_path / "run").select(["case", "literacy", "education", "personality"]).to_pylist()
    met = Counter(tuple(row.values()) for row in rows)
    assert len(met) == 36
    assert set(met.values()) == {2}
