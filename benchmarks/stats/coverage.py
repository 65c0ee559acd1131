"""Do the intervals hold the truth as often as they say? Simulated benchmarks of which the truth is known.

The designs look like what is reported: exams near the top, topic scores in the middle, safety rates that are nearly
always zero, right or wrong in one run or in five, and differences of the same on the same cases.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bedside.benchmarks.stats.intervals import (
    Interval,
    difference_interval,
    mean_interval,
    relative_interval,
)
from bedside.benchmarks.stats.resampling import Floats
from bedside.cases.seeds import derive_seed

__all__ = ["DESIGNS", "SIZES", "Design", "coverage"]

SIZES = (50, 100, 320)
"""Cases: the fewest and the most that are usually reported."""

Generator = np.random.Generator


@dataclass(frozen=True)
class Design:
    """A benchmark of known truth.

    Attributes:
        name: What it is like.
        truth: What the interval should hold.
        measure: Draws the data for a number of cases and returns the interval.
    """

    name: str
    truth: float
    measure: Callable[[Generator, int, int], Interval]


def coverage(design: Design, cases: int, benchmarks: int, resamples: int, seed: int = 0) -> float:
    """Return the share of simulated benchmarks whose interval holds the truth.

    Args:
        design: What is simulated.
        cases: In each benchmark.
        benchmarks: How many are simulated.
        resamples: Of each interval.
        seed: Of the data.
    """
    generator = np.random.default_rng(derive_seed(seed, design.name, cases))
    held = 0
    for _ in range(benchmarks):
        found = design.measure(generator, cases, resamples)
        if found.low is not None and found.high is not None:
            held += found.low - 1e-9 <= design.truth <= found.high + 1e-9
    return held / benchmarks


def _mean(draw: Callable[[Generator, int], Floats], *, share: bool = True) -> Callable[[Generator, int, int], Interval]:
    return lambda generator, cases, resamples: mean_interval(
        draw(generator, cases), "coverage", share=share, resamples=resamples
    )


def _binary(p: float) -> Design:
    return Design(f"right or wrong, {p:g} right", p, _mean(lambda g, n: (g.random(n) < p).astype(float)))


def _rate(prevalence: float) -> Design:
    # Of the cases with a harmful claim, a tenth of the claims is harmful on average.
    return Design(
        f"harm in {prevalence:.0%} of the cases",
        prevalence * 0.1,
        _mean(lambda g, n: np.where(g.random(n) < prevalence, g.beta(2, 18, n), 0.0)),
    )


def _changed(name: str, worse: float, better: float) -> Design:
    def measure(generator: Generator, cases: int, resamples: int) -> Interval:
        clean = (generator.random(cases) < 0.7).astype(float)
        lost = worse / 0.7
        gained = better / 0.3
        chance = generator.random(cases)
        noisy = np.where(clean > 0, chance >= lost, chance < gained).astype(float)
        return difference_interval(noisy, clean, "coverage", share=True, resamples=resamples)

    return Design(name, better - worse, measure)


def _scores(generator: Generator, cases: int) -> Floats:
    return generator.beta(4, 1.7, cases)


def _paired_scores(generator: Generator, cases: int, resamples: int) -> Interval:
    hard = generator.normal(0, 0.2, cases)
    first = hard + generator.normal(0.65, 0.1, cases)
    second = hard + generator.normal(0.6, 0.1, cases)
    return difference_interval(first, second, "coverage", resamples=resamples)


def _five_runs(generator: Generator, cases: int, resamples: int) -> Interval:
    own = generator.normal(0.6, 0.2, size=(cases, 1))
    return mean_interval(own + generator.normal(0, 0.15, size=(cases, 5)), "coverage", resamples=resamples)


def _within_chapters(generator: Generator, cases: int, resamples: int) -> Interval:
    chapters = np.arange(cases) % 16
    # The chapters are these 16: their own means are part of the truth, which is 0.6 as they sum to nothing.
    values = 0.6 + 0.02 * (chapters - chapters.mean()) + generator.normal(0, 0.15, cases)
    return mean_interval(values, "coverage", strata=chapters.tolist(), resamples=resamples)


def _ratio(generator: Generator, cases: int, resamples: int) -> Interval:
    low = _scores(generator, cases)
    return relative_interval(low * 1.1 + generator.normal(0, 0.05, cases), low, "coverage", resamples=resamples)


DESIGNS = (
    Design("score, symmetric", 0.6, _mean(lambda g, n: g.normal(0.6, 0.2, n), share=False)),
    Design("topic score, mean 0.70", 4 / 5.7, _mean(_scores)),
    Design("exam of ten questions, mean 0.93", 18 / 19.4, _mean(lambda g, n: g.binomial(10, g.beta(18, 1.4, n)) / 10)),
    Design(
        "recall, 0.98, most cases 1", 0.98, _mean(lambda g, n: 1 - (g.random(n) < 0.12) * g.choice([1, 2, 3], n) / 12)
    ),
    Design(
        "turns, skewed",
        float(np.exp(2.2 + 0.35**2 / 2)),
        _mean(lambda g, n: np.exp(g.normal(2.2, 0.35, n)), share=False),
    ),
    _binary(0.5),
    _binary(0.8),
    _binary(0.9),
    _binary(0.95),
    _rate(0.2),
    _rate(0.06),
    Design("right or wrong, five runs, 0.75", 0.75, _mean(lambda g, n: g.binomial(5, g.beta(3, 1, n)) / 5)),
    Design("score, five runs of a case", 0.6, _five_runs),
    Design("score, cases within chapters", 0.6, _within_chapters),
    Design("paired difference of scores", 0.05, _paired_scores),
    _changed("paired difference of accuracy, -0.15", 0.20, 0.05),
    _changed("paired difference of accuracy, -0.03", 0.05, 0.02),
    Design("relative difference", 0.1, _ratio),
)
"""What is simulated."""
