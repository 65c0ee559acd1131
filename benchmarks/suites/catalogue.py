"""The suites there are."""

from bedside.benchmarks.suites.suite import Condition, Suite

__all__ = ["SUITES"]

_CLEAN, _NOISY = Condition("clean", "verisim", noise="none"), Condition("noisy", "verisim", noise="random")
_TALKS = Condition("talks", "dischargebench")

SUITES = {
    suite.name: suite
    for suite in (
        Suite(
            "dischargesim",
            "DischargeSim: six stages, summary, checklist and both exams, each case with all 18 profiles",
            (Condition("profiles", "dischargesim", persona="dischargesim:all"),),
        ),
        Suite(
            "verisim",
            "VeriSim: clean and noisy patients in pairs, one to three pillars, three levels, verifier on and off",
            (
                _CLEAN,
                _NOISY,
                Condition("one-pillar", "verisim", noise="random:1@1-3"),
                Condition("three-pillars", "verisim", noise="random:3@1-3"),
                *(Condition(f"level-{level}", "verisim", noise=f"random:2@{level}-{level}") for level in (1, 2, 3)),
                Condition("unverified", "verisim", noise="random", verifier="off"),
                Condition("prompted", "verisim", noise="random", verifier="prompt", of_models=True),
            ),
        ),
        Suite(
            "dischargebench",
            "DischargeBench: open-ended talks with drawn personas, five runs of each case",
            (_TALKS,),
            runs=5,
        ),
        Suite("quick", "A first look at both encounters: 32 cases of all chapters", (_TALKS, _CLEAN, _NOISY), limit=32),
    )
}
"""Suites by the name that ``--suite`` takes."""
