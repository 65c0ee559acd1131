"""One pass over ``episodes.jsonl``: what scores do not tell, and where each episode stands in the file.

Lines are read as plain JSON, not as episodes: a report needs a few counts of each of many thousand.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from bedside.benchmarks.runs import EPISODES, RunError
from bedside.verifier.manner import breaks_character

__all__ = ["Line", "read_lines", "scan"]


@dataclass(frozen=True)
class Line:
    """One episode in brief.

    Attributes:
        number: Line in the file from 1, which ``bedside show`` takes.
        start: Offset of the line, in bytes.
        length: Its length, in bytes.
        words: That the clinician said and the patient could hear.
        withheld: Attempts of the patient that the verifier did not let through.
        fallbacks: Turns in which none was fit to be heard.
        breaks: Attempts, heard or withheld, in which the patient said that it is a model.
        broke: Whether such a one was heard.
    """

    number: int
    start: int
    length: int
    policy: str
    case: str
    run: int
    stop: str
    turns: int
    words: int
    withheld: int
    fallbacks: int
    breaks: int
    broke: bool


def scan(run: Path) -> list[Line]:
    """Read the episodes of a finished run in brief.

    Raises:
        RunError: They cannot be read.
    """
    path = run / EPISODES
    lines, start = [], 0
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    lines.append(_brief(orjson.loads(line), number, start, len(line)))
                except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
                    raise RunError(f"{path}, line {number}: not an episode") from error
                start += len(line)
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}") from error
    return lines


def _brief(row: Mapping[str, Any], number: int, start: int, length: int) -> Line:
    turns = row["turns"]
    withheld = [attempt["text"] for turn in turns for attempt in turn["rejected"]]
    broke = sum(breaks_character(turn["patient"]) for turn in turns)
    return Line(
        number=number,
        start=start,
        length=length,
        policy=row["policy"],
        case=row["case"],
        run=row["run"],
        stop=row["stop"],
        turns=len(turns),
        words=sum(len(turn["heard"].split()) for turn in turns),
        withheld=len(withheld),
        fallbacks=sum(turn["fallback"] for turn in turns),
        breaks=broke + sum(map(breaks_character, withheld)),
        broke=broke > 0,
    )


def read_lines(run: Path, lines: Iterable[Line]) -> list[bytes]:
    """Read episodes by their places.

    Raises:
        RunError: They cannot be read.
    """
    try:
        with (run / EPISODES).open("rb") as file:
            found = []
            for line in lines:
                file.seek(line.start)
                found.append(file.read(line.length))
            return found
    except OSError as error:
        raise RunError(f"{run / EPISODES}: {error.strerror}") from error
