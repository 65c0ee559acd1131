"""The command ``bedside merge``: the shards of an evaluation, played on several machines, put together.

The folder that comes out is the one that a single machine would have written, byte for byte. Scores are taken from the
shards, not computed again: a judge that is a language model need not be asked twice, and the cases need not be here.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from bedside.benchmarks.evaluate import Report
from bedside.benchmarks.folder import FinishedRun, RunFolder, Task
from bedside.benchmarks.options import AsJson
from bedside.benchmarks.plan import parse_shard, tasks_of
from bedside.benchmarks.run_eval import bad_input_told, print_report
from bedside.benchmarks.runs import SUMMARY, RunConfig, RunError, read_config
from bedside.benchmarks.scores import join_scores, read_scores
from bedside.benchmarks.timing import add_up, read_timing, timing_file

__all__ = ["merge", "merge_shards"]


def merge(
    out: Annotated[Path, typer.Argument(help="Folder for the whole run.")],
    runs: Annotated[list[Path], typer.Argument(help="All its shards, in any order.", metavar="RUN...")],
    as_json: AsJson = False,
) -> None:
    """Put the shards of an evaluation (run_eval --shard I/N) together in OUT, as if one machine had played it.

    The same command goes on after an interruption.
    """
    with bad_input_told():
        report = merge_shards(runs, out)
    print_report(report, out, as_json=as_json)


def merge_shards(runs: Sequence[Path], out: Path) -> Report:
    """Write the run that the shards make up.

    Args:
        runs: All shards.
        out: The new run folder.

    Raises:
        RunError: They are not the finished shards of one evaluation, each once, or ``out`` cannot be used or written.
    """
    shards = _in_order(runs)
    configs = [read_config(run) for run in shards]
    tables = [read_scores(run) for run in shards]
    cases = _interleaved(shards, [_cases_of(table) for table in tables])
    config = configs[0].whole.model_copy(update={"case_count": len(cases)})
    tasks = tasks_of(config, cases)
    with ExitStack() as stack:
        sources: dict[Task, FinishedRun] = {}
        rows: dict[Task, int] = {}
        for run, part, table in zip(shards, configs, tables, strict=True):
            own = tasks_of(part, _cases_of(table))
            sources |= dict.fromkeys(own, stack.enter_context(FinishedRun.open(run, own)))
            rows |= {task: number for number, task in enumerate(own, len(rows))}
        folder = stack.enter_context(RunFolder.open(out, config, tasks, resume=True))
        for task in tasks:
            if not folder.keeps(task):
                folder.append(sources[task].line(task))
        report = Report.of(config, join_scores(tables, [rows[task] for task in tasks]))
        folder.finish(timing_file(add_up(map(read_timing, shards))) | report.files)
    return report


def _in_order(runs: Sequence[Path]) -> list[Path]:
    """Return the shards by number.

    Raises:
        RunError: One is missing, given twice, not finished, no shard, or one of another evaluation.
    """
    first = read_config(runs[0])
    found: dict[int, Path] = {}
    counts = set()
    for run in runs:
        config = read_config(run)
        number, count = _shard_of(run, config)
        if changed := first.whole.differences(config.whole):
            raise RunError(f"{runs[0]} and {run} are shards of two evaluations ({'; '.join(changed)})")
        if number in found and count in counts:
            raise RunError(f"{found[number]} and {run} are the same shard, {config.shard}; give each once")
        if not (run / SUMMARY).exists():
            raise RunError(f"{run} is not finished; go on with it first (--resume)")
        found[number] = run
        counts.add(count)
        if len(counts) > 1:
            raise RunError(f"{runs[0]} is shard {first.shard} and {run} shard {config.shard}: they overlap")
    (total,) = counts
    if missing := [f"{number}/{total}" for number in range(1, total + 1) if number not in found]:
        raise RunError(f"shard {', '.join(missing)} is missing; give all {total}")
    return [found[number] for number in sorted(found)]


def _shard_of(run: Path, config: RunConfig) -> tuple[int, int]:
    if config.shard is None:
        raise RunError(f"{run} is a whole run and no shard: it was made without --shard")
    return parse_shard(config.shard)


def _cases_of(scores: Any) -> list[str]:
    cases: list[str] = scores["case"].unique().to_pylist()
    return cases


def _interleaved(shards: Sequence[Path], cases: Sequence[Sequence[str]]) -> list[str]:
    """Undo the dealing out: shard I of N has every N-th case from the I-th on."""
    total = sum(map(len, cases))
    for number, (run, own) in enumerate(zip(shards, cases, strict=True)):
        if len(own) != len(range(number, total, len(shards))):
            raise RunError(f"{run} has {len(own)} cases, which is not its part of {total}")
    return [cases[number % len(shards)][number // len(shards)] for number in range(total)]
