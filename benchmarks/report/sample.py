"""Which episodes a report shows in full: few enough for one file, chosen so that nobody need wonder how.

Of every policy in every run first its worst and its best episode, then one of each kind of trouble, then cases in a
fixed random order that is the same everywhere, so that one case can be read with several policies.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

import numpy as np

from bedside.benchmarks.report.failures import GOOD_ENDS
from bedside.benchmarks.report.glossary import TABLE_SCORES
from bedside.benchmarks.report.scan import Line
from bedside.benchmarks.report.source import Run
from bedside.cases.seeds import derive_seed
from bedside.envs.episode import StopReason

__all__ = ["in_order_of_interest"]


def in_order_of_interest(runs: Sequence[tuple[Run, Sequence[Line]]]) -> Iterator[tuple[Run, Line]]:
    """Return all episodes, the ones to show first; policies and runs take turns.

    Args:
        runs: Each with its episodes.
    """
    queues = []
    for run, lines in runs:
        for policy in run.config.policies:
            own = [line for line in lines if line.policy == policy]
            queues.append([(run, line) for line in _ordered(run, own)])
    for row in zip_longest(*queues):
        yield from (entry for entry in row if entry is not None)


def _ordered(run: Run, lines: Sequence[Line]) -> list[Line]:
    shuffled = sorted(lines, key=lambda line: derive_seed("report", line.case, line.run))
    column = f"score.{TABLE_SCORES[run.kind][0]}"
    # Where every episode broke there is no such column.
    values = run.scores[column].to_numpy() if column in run.scores.column_names else np.full(len(run.scores), np.nan)
    scored = [line for line in shuffled if not np.isnan(values[line.number - 1])]
    first = [worst_or_best(scored, key=lambda line: values[line.number - 1]) for worst_or_best in (min, max) if scored]
    for trouble in (
        lambda line: line.stop == StopReason.FAULT,
        lambda line: line.stop not in GOOD_ENDS,
        lambda line: line.breaks > 0,
        lambda line: line.fallbacks > 0,
        lambda line: line.withheld > 0,
    ):
        first += [line for line in shuffled if trouble(line)][:1]
    return list(dict.fromkeys([*first, *shuffled]))
