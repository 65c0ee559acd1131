import subprocess
import sys

import orjson

from bedside.benchmarks import throughput


def test_every_figure_is_measured_and_judged():
    # A process of its own: the script pins itself to one core.
    command = [sys.executable, throughput.__file__, "--seconds", "0.1", "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    figures = orjson.loads(done.stdout)
    assert len(figures) == 5 * len(throughput.PAIRS) + 2
    assert all(figure["value"] >= 0 for figure in figures)
    # Budgets are for a quiet machine; here only verdict and exit code must agree.
    assert done.returncode == (0 if all(figure["passed"] for figure in figures) else 1)


def test_an_endpoint_is_kept_busy():
    alone, busy = throughput.saturate("diagnosis", 1, 1, 1), throughput.saturate("diagnosis", 12, 12, 1)
    assert (alone.calls, alone.peak) == (9, 1)
    assert (busy.calls, busy.peak) == (12 * 9, 12)
    # On a quiet machine it is 12 times; what must not be is that one waits for another.
    assert busy.rate > 2 * alone.rate
