import subprocess
import sys
from dataclasses import replace

import orjson

from bedside.benchmarks import throughput
from bedside.benchmarks.budgets import measure_evaluation, measure_retrieval, measure_training
from bedside.benchmarks.command import invoke
from bedside.benchmarks.saturation import saturate


def test_every_figure_is_measured_and_judged():
    # A process of its own: the script pins itself to one core.
    command = [sys.executable, throughput.__file__, "--only", "turns,import", "--seconds", "0.1", "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    figures = orjson.loads(done.stdout)
    assert len(figures) == 5 * len(throughput.PAIRS) + 2
    assert all(figure["value"] >= 0 for figure in figures)
    # Budgets are for a quiet machine; here only verdict and exit code must agree.
    assert done.returncode == (0 if all(figure["passed"] for figure in figures) else 1)


def test_an_endpoint_is_kept_busy():
    alone, busy = saturate("diagnosis", 1, 1, 1), saturate("diagnosis", 12, 12, 1)
    assert (alone.calls, alone.peak) == (9, 1)
    assert (busy.calls, busy.peak) == (12 * 9, 12)
    # On a quiet machine it is 12 times; what must not be is that one waits for another.
    assert busy.rate > 2 * alone.rate


def test_a_turn_costs_no_more_than_it_did():
    """Held by its ratio to a text environment that does nothing: times are for a quiet machine only."""
    ratios = throughput.turn_ratios()
    assert set(ratios) == set(throughput.LIMITS)
    slow = {name for name, ratio in ratios.items() if ratio > throughput.LIMITS[name]}
    # Once is no measurement on a machine that does other things.
    assert not slow or not {name for name in slow if throughput.turn_ratios()[name] > throughput.LIMITS[name]}, ratios


def test_every_budget_of_the_design_has_its_figure(monkeypatch):
    """With few cases, rounds and turns: that they are measured, not how fast it is here."""
    make_plan = measure_evaluation.__globals__["make_plan"]
    monkeypatch.setitem(
        measure_evaluation.__globals__, "make_plan", lambda settings: make_plan(replace(settings, limit=4))
    )
    took, times = measure_evaluation(workers=1)
    assert (took.budget, took.unit) == (60, "s")
    assert 0 < times.value < 10
    (search,) = measure_retrieval(rounds=2)
    assert search.value > 0
    assert search.budget == 50
    (share,) = measure_training(turns=1)
    assert 0 < share.value < 1
    assert share.budget == 0.05


def test_an_unknown_section_is_one_line(capsys):
    assert invoke(throughput.app, ["--only", "turns,flattery"], "throughput.py") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "unknown section 'flattery'" in line
