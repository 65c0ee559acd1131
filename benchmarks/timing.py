"""How long episodes took: the one thing about a run that another try does not reproduce, so it has a file to itself."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from bedside.benchmarks.runs import TIMING, RunError

__all__ = ["Timed", "Timing", "add_up", "read_timing", "timing_file"]


@dataclass(frozen=True)
class Timed:
    """What the episodes of one policy took to play, as far as that was measured.

    Attributes:
        episodes: How many were.
        seconds: Of all of them together, by the clock; many may have been played at once.
    """

    episodes: int
    seconds: float

    def __add__(self, other: "Timed") -> "Timed":
        return Timed(self.episodes + other.episodes, self.seconds + other.seconds)


Timing = dict[str, Timed]
"""By policy."""


def add_up(timings: Iterable[Timing]) -> Timing:
    """Put together what several sittings or shards took."""
    total: Timing = {}
    for timing in timings:
        for policy, timed in timing.items():
            total[policy] = total.get(policy, Timed(0, 0.0)) + timed
    return total


def read_timing(run: Path) -> Timing:
    """Read what the episodes of a run took; nothing where nobody measured it.

    Raises:
        RunError: The file cannot be read.
    """
    path = run / TIMING
    try:
        return {policy: Timed(**timed) for policy, timed in orjson.loads(path.read_bytes()).items()}
    except FileNotFoundError:
        return {}
    except (OSError, orjson.JSONDecodeError, AttributeError, TypeError) as error:
        raise RunError(f"{path}: cannot be read; delete it, no score depends on it") from error


def timing_file(timing: Timing) -> dict[str, bytes]:
    """Return the content of ``timing.json`` by its name; nothing where nothing was timed."""
    rows = {policy: asdict(timed) | {"seconds": round(timed.seconds, 3)} for policy, timed in timing.items()}
    return {TIMING: orjson.dumps(rows, option=orjson.OPT_INDENT_2) + b"\n"} if rows else {}
