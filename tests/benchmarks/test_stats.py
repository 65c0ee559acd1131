import numpy as np
import pytest
from scipy.stats import ttest_rel

from bedside.benchmarks.measures import MEASURES, measure_of
from bedside.benchmarks.stats.comparison import benjamini_hochberg, holm, paired_test
from bedside.benchmarks.stats.coverage import DESIGNS, coverage
from bedside.benchmarks.stats.intervals import (
    Interval,
    difference_interval,
    mean_interval,
    relative_interval,
)
from bedside.benchmarks.stats.variance import variance_components
from bedside.rewards.scoring import DIAGNOSIS_SCORES, DISCHARGE_SCORES


def test_mean_is_that_of_case_means():
    # One case was scored once, the other twice: each still weighs half.
    interval = mean_interval([[1.0, np.nan], [0.0, 0.5]], 0)
    assert interval.mean == 0.625
    assert (interval.n, interval.unscored) == (3, 1)


def test_none_is_unscored_and_not_zero():
    assert mean_interval([None, 1.0, 1.0], 0) == Interval(1.0, 1.0, 1.0, 2, 1)


@pytest.mark.parametrize("values", [[], [None, None], [[np.nan, np.nan]]])
def test_nothing_scored(values):
    interval = mean_interval(values, 0)
    assert (interval.mean, interval.low, interval.high, interval.n) == (None, None, None, 0)
    assert interval.unscored == np.size(values)


def test_constant_and_single_case_have_no_width():
    assert mean_interval([0.3] * 9, 0).low == pytest.approx(0.3)
    single = mean_interval([[0.2, 0.4]], 0)
    assert single.low == single.mean == single.high == pytest.approx(0.3)


def test_known_interval_of_a_proportion():
    # The bootstrap of 100 flips with 50 heads is Binomial(100, 0.5) / 100: its quantiles are 0.40 and 0.60.
    interval = mean_interval([0.0, 1.0] * 50, 0)
    assert interval.low == pytest.approx(0.40, abs=0.011)
    assert interval.high == pytest.approx(0.60, abs=0.011)


def test_same_seed_same_interval_whatever_the_block_size(monkeypatch):
    values = np.linspace(0, 1, 37)
    first = mean_interval(values, 5, "x")
    assert mean_interval(values, 5, "x") == first
    assert mean_interval(values, 6, "x") != first
    monkeypatch.setattr("bedside.benchmarks.stats.resampling.BLOCK", 100)
    small = mean_interval(values, 5, "x")
    assert small.low == pytest.approx(first.low, abs=0.02)


def test_runs_of_one_case_are_not_independent():
    cases = np.random.default_rng(0).normal(size=(30, 1))
    once = mean_interval(cases, 0)
    copied = mean_interval(np.repeat(cases, 50, axis=1), 0)
    assert (copied.low, copied.high) == pytest.approx((once.low, once.high))


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_intervals_hold_a_known_truth(design):
    # 300 benchmarks tell 95 % from 91 or 98.5; `benchmarks/interval_coverage.py` is the full study.
    assert 0.91 <= coverage(design, 80, benchmarks=300, resamples=400) <= 0.985


def test_a_share_that_nobody_has_is_not_known_to_be_zero():
    # Hanley and Lippman-Hand 1983: with none in n, up to about 3 in n are possible.
    interval = mean_interval([0.0] * 304, 0, share=True)
    assert (interval.mean, interval.low) == (0.0, 0.0)
    assert 3 / 304 < interval.high < 4 / 304
    assert mean_interval([1.0] * 304, 0, share=True).low == pytest.approx(1 - interval.high)


def test_sparse_share_is_wilsons_interval():
    # Wilson 1927 with Student's t for z; statsmodels gives 0.0104 and 0.0741 for 3 of 100 and z = 1.984.
    interval = mean_interval([1.0] * 3 + [0.0] * 97, 0, share=True)
    z = 1.9842169515
    centre, half = (0.03 + z * z / 200) / (1 + z * z / 100), z * np.sqrt(0.03 * 0.97 / 100 + z * z / 40000)
    half /= 1 + z * z / 100
    assert (interval.low, interval.high) == pytest.approx((centre - half, centre + half))


def test_equal_policies_may_still_differ_a_little():
    interval = difference_interval([1.0] * 100, [1.0] * 100, 0, share=True)
    assert interval.mean == 0
    assert -0.06 < interval.low < -0.03 < 0.03 < interval.high < 0.06


def test_strata_take_what_chapters_differ_by_out_of_the_interval():
    chapters = [number % 4 for number in range(80)]
    values = np.array(chapters) + np.random.default_rng(3).normal(0, 0.1, 80)
    within, plain = mean_interval(values, 0, strata=chapters), mean_interval(values, 0)
    assert within.mean == plain.mean
    assert within.high - within.low < 0.2 * (plain.high - plain.low)
    with pytest.raises(ValueError, match="3 strata for 80 cases"):
        mean_interval(values, 0, strata=[1, 2, 3])


def test_relative_difference():
    low = np.random.default_rng(4).uniform(0.3, 0.7, 60)
    interval = relative_interval(low * 1.2, low, 0)
    assert (interval.mean, interval.low, interval.high) == pytest.approx((0.2, 0.2, 0.2))
    # A ratio to what may be nothing has no interval.
    assert relative_interval(low, [0.0] * 60, 0).mean is None


def test_paired_difference_removes_what_cases_share():
    generator = np.random.default_rng(2)
    hardness = generator.normal(0, 1, size=50)
    better, worse = hardness + 0.1 + generator.normal(0, 0.05, 50), hardness + generator.normal(0, 0.05, 50)
    interval = difference_interval(better, worse, 0)
    assert 0 < interval.low < 0.1 < interval.high < 0.2
    assert mean_interval(better, 0).low < mean_interval(worse, 0).high


def test_a_pair_counts_only_when_both_are_scored():
    interval = difference_interval([1.0, None, 1.0], [0.5, 0.5, None], 0)
    assert (interval.mean, interval.n, interval.unscored) == (0.5, 1, 2)


def test_unpaired_and_wrong_shapes_are_refused():
    with pytest.raises(ValueError, match="not paired"):
        difference_interval([1.0, 2.0], [1.0], 0)
    with pytest.raises(ValueError, match="shape"):
        mean_interval(np.zeros((2, 2, 2)), 0)


def test_mcnemar_of_changes_both_ways():
    # 12 lost, 2 won of 40: two-sided exact binomial p = 2 * P(X <= 2 | 14, 1/2) = 2 * 106 / 16384.
    first, second = [0.0] * 12 + [1.0] * 28, [1.0] * 12 + [0.0] * 2 + [1.0] * 26
    found = paired_test(first, second, 0)
    assert found.method == "McNemar, exact"
    assert found.p == pytest.approx(2 * 106 / 16384)
    assert paired_test(second, second, 0).p == 1.0


def test_sign_flips_agree_with_the_t_test_on_normal_data():
    generator = np.random.default_rng(5)
    first = generator.normal(0.55, 0.2, 60)
    second = first - generator.normal(0.03, 0.1, 60)
    found = paired_test(first, second, 0)
    assert found.method == "sign-flip permutation"
    assert found.p == pytest.approx(ttest_rel(first, second).pvalue, abs=0.01)


def test_sign_flips_are_rarely_wrong_where_nothing_differs():
    generator = np.random.default_rng(6)
    ps = [paired_test(generator.normal(size=(30, 2)), np.zeros((30, 2)), n, resamples=500).p for n in range(300)]
    assert np.mean(np.array(ps) < 0.05) < 0.09
    assert min(ps) > 0


def test_unpaired_tests_are_refused_and_missing_pairs_left_out():
    with pytest.raises(ValueError, match="not paired"):
        paired_test([1.0], [1.0, 2.0], 0)
    assert paired_test([None, 1.0], [1.0, 0.0], 0).n == 1
    assert paired_test([None], [1.0], 0) == (None, "", 0)


def test_corrections_against_a_worked_example():
    ps = [0.01, 0.04, None, 0.03, 0.005]
    assert holm(ps) == pytest.approx([0.03, 0.06, None, 0.06, 0.02])
    assert benjamini_hochberg(ps) == pytest.approx([0.02, 0.04, None, 0.04, 0.02])
    assert benjamini_hochberg([None]) == holm([None]) == [None]


def test_variance_components_are_found_again():
    generator = np.random.default_rng(7)
    values = generator.normal(0, 0.2, (3000, 1)) + generator.normal(0, 0.1, (3000, 5))
    values[generator.random(values.shape) < 0.1] = np.nan
    found = variance_components(values)
    assert (found.between, found.within, found.intraclass) == pytest.approx((0.2, 0.1, 0.8), abs=0.01)


def test_single_runs_tell_nothing_about_runs():
    assert variance_components([0.0, 1.0]) == (pytest.approx(np.sqrt(0.5)), None, None)
    assert variance_components([[0.1, 0.2]]) is None


def test_every_score_says_where_it_can_lie():
    assert {*DISCHARGE_SCORES, *DIAGNOSIS_SCORES} <= MEASURES.keys()
    assert not measure_of("conversation_quality").share
