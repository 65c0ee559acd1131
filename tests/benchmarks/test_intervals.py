import numpy as np
import pytest

from bedside.benchmarks.intervals import Interval, difference_interval, mean_interval


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
    monkeypatch.setattr("bedside.benchmarks.intervals.BLOCK", 100)
    small = mean_interval(values, 5, "x")
    assert small.low == pytest.approx(first.low, abs=0.02)


def test_runs_of_one_case_are_not_independent():
    cases = np.random.default_rng(0).normal(size=(30, 1))
    once = mean_interval(cases, 0)
    copied = mean_interval(np.repeat(cases, 50, axis=1), 0)
    assert (copied.low, copied.high) == pytest.approx((once.low, once.high))


def test_coverage_on_simulated_benchmarks():
    generator = np.random.default_rng(1)
    covered = 0
    for number in range(300):
        values = generator.normal(0.6, 0.2, size=(40, 1)) + generator.normal(0, 0.1, size=(40, 3))
        interval = mean_interval(values, number, resamples=1000)
        covered += interval.low <= 0.6 <= interval.high
    assert 0.90 <= covered / 300 <= 0.98


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
