"""The calibration table: what is compared with what, on small numbers of cases."""

import orjson

from bedside.benchmarks.calibration import app
from bedside.benchmarks.command import invoke
from bedside.benchmarks.effect_rows import Row, surface_rows
from bedside.benchmarks.effects import Effects, Job, half
from bedside.benchmarks.fitting import fit, misfit
from bedside.benchmarks.stats.intervals import Interval
from bedside.cases.sources import load_cases
from bedside.envs.mind import LEARNING, Learning


def row(printed: float | None, mean: float, high: float, tolerance: float | None) -> Row:
    return Row("x", printed, Interval(mean, mean, high, 3, 0), tolerance)


def test_halves_share_nothing_and_leave_nothing_out() -> None:
    cases = tuple(load_cases("open"))
    even, odd = half(cases, odd=False), half(cases)
    assert not set(even) & set(odd)
    assert len(even) + len(odd) == len(cases)


def test_a_row_is_within_its_tolerance_above_its_floor_or_below_zero() -> None:
    assert row(-10.0, -7.0, 0.0, 4.0).within
    assert not row(-10.0, -5.0, 0.0, 4.0).within
    assert row(95.0, 99.0, 100.0, None).within
    assert not row(95.0, 94.0, 100.0, None).within
    assert row(None, -0.2, -0.1, None).within
    assert not row(None, -0.2, 0.1, None).within


def test_any_number_of_processes_prints_the_same_rows(capsys):
    def printed(*options: str) -> str:
        assert invoke(app, ["--limit", "2", *options], "calibration.py") == 0
        return capsys.readouterr().out

    alone, shared = printed("--json"), printed("--json", "--workers", "2")
    assert alone == shared
    rows = orjson.loads(alone)
    table = printed().splitlines()
    assert len(table) == len(rows) + 2
    assert all(line.startswith(row["name"]) for line, row in zip(table[1:-1], rows, strict=True))


def test_a_case_comes_to_the_same_whatever_was_measured_before():
    first, second = (case.id for case in half(load_cases("open"))[:2])
    fresh = Effects(profiles=("dischargesim:HL1,edu1,anxious",))
    used = Effects(profiles=("dischargesim:HL1,edu1,anxious",))
    for effect in ("interviews", "talks"):
        used(Job(effect, second))
        found, again = fresh(Job(effect, first)), used(Job(effect, first))
        assert {name: values.tolist() for name, values in found.items()} == {
            name: values.tolist() for name, values in again.items()
        }


def test_wording_moves_away_and_stays_true() -> None:
    rows = surface_rows(load_cases("open")[:4])
    variation = [r.ours.mean for r in rows if r.name.startswith("surface")]
    assert variation == sorted(variation)
    assert all(r.ours.mean is not None and r.ours.mean >= 95 for r in rows if r.name.startswith("first drafts"))


def test_fitting_finds_the_parameters_that_were_hidden() -> None:
    hidden = LEARNING.model_copy(update={"gain": 0.5, "recall_demand": (0.05, 0.75)})

    def loss(tried: Learning) -> float:
        return abs(tried.gain - hidden.gain) + abs(tried.recall_demand[1] - hidden.recall_demand[1])

    found = list(fit((), loss=loss, rounds=4))
    losses = [value for _, value in found]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.2 * losses[0]
    assert {found[-1][0].distress} == {LEARNING.distress}


def test_misfit_counts_tolerances_and_skips_what_has_no_printed_value() -> None:
    assert misfit([row(50.0, 56.0, 60.0, 6.0), row(None, -0.2, -0.1, None)]) == 1.0
