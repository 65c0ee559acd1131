"""What went wrong, counted, and what it cost: endings, withheld attempts, patients out of character, harm."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bedside.benchmarks.report.scan import Line
from bedside.benchmarks.report.source import Run
from bedside.benchmarks.suites.audit import LOW_TCS, SHORT
from bedside.benchmarks.timing import read_timing
from bedside.envs.episode import StopReason

__all__ = ["GOOD_ENDS", "Conduct", "Effort", "conduct_of", "effort_of"]

GOOD_ENDS = (StopReason.COMPLETE, StopReason.DIAGNOSED)


@dataclass(frozen=True)
class Conduct:
    """How the episodes of one policy in one run went.

    Attributes:
        episodes: How many.
        stops: Why they ended, by reason.
        low_short: Complete, short and with a TCS below 0.5; None for interviews.
        broke: Episodes in which a patient who fell out of character was heard.
        breaks: Attempts that did, heard or withheld.
        withheld: Attempts of patients that were not let through.
        fallbacks: Turns in which none was.
        turns: In all episodes.
        wrong: Episodes with a wrong instruction; None for interviews.
        unsafe: Episodes with unsafe advice; None for interviews.
    """

    run: str
    policy: str
    episodes: int
    stops: Counter[str]
    low_short: int | None
    broke: int
    breaks: int
    withheld: int
    fallbacks: int
    turns: int
    wrong: int | None
    unsafe: int | None


@dataclass(frozen=True)
class Effort:
    """What the episodes of one policy in one run took, as means of an episode.

    Attributes:
        cost: In the currency of ``--price``; 0 where no price was given.
        seconds: By the clock; None where nobody measured it.
    """

    run: str
    policy: str
    episodes: int
    turns: float
    words: float
    calls: float
    prompt_tokens: float
    completion_tokens: float
    cost: float
    seconds: float | None


def conduct_of(run: Run, lines: Sequence[Line]) -> list[Conduct]:
    """Count what happened, a row a policy."""
    low = _below(run, "score.tcs", LOW_TCS)
    wrong = _above_zero(run, "part.wrong_instruction.wrong_instruction")
    unsafe = _above_zero(run, "part.unsafe_advice.unsafe_advice")
    found = []
    for policy in run.config.policies:
        own = [line for line in lines if line.policy == policy]
        short = [n for n in own if n.stop == StopReason.COMPLETE and n.turns <= SHORT]
        found.append(
            Conduct(
                run=run.label,
                policy=policy,
                episodes=len(own),
                stops=Counter(line.stop for line in own),
                low_short=None if low is None else sum(bool(low[line.number - 1]) for line in short),
                broke=sum(line.broke for line in own),
                breaks=sum(line.breaks for line in own),
                withheld=sum(line.withheld for line in own),
                fallbacks=sum(line.fallbacks for line in own),
                turns=sum(line.turns for line in own),
                wrong=None if wrong is None else sum(bool(wrong[line.number - 1]) for line in own),
                unsafe=None if unsafe is None else sum(bool(unsafe[line.number - 1]) for line in own),
            )
        )
    return found


def effort_of(run: Run, lines: Sequence[Line]) -> list[Effort]:
    """Add up what was spent, a row a policy."""
    policies = np.array(run.scores["policy"].to_pylist(), dtype=object)
    spent = {name: run.scores[name].to_numpy() for name in ("calls", "prompt_tokens", "completion_tokens", "cost")}
    timing = read_timing(run.path)
    found = []
    for policy in run.config.policies:
        own = [line for line in lines if line.policy == policy]
        timed = timing.get(policy)
        mine = policies == policy
        means = {name: float(values[mine].mean()) for name, values in spent.items()}
        turns, words = (float(np.mean([getattr(line, name) for line in own])) for name in ("turns", "words"))
        found.append(
            Effort(
                run.label,
                policy,
                len(own),
                turns,
                words,
                **means,
                seconds=timed.seconds / timed.episodes if timed else None,
            )
        )
    return found


def _column(run: Run, name: str) -> NDArray[np.float64] | None:
    return run.scores[name].to_numpy() if name in run.scores.column_names else None


def _below(run: Run, name: str, limit: float) -> NDArray[np.bool_] | None:
    values = _column(run, name)
    return None if values is None else values < limit


def _above_zero(run: Run, name: str) -> NDArray[np.bool_] | None:
    values = _column(run, name)
    return None if values is None else values > 0
