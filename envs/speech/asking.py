"""One intent of a question, with all that its answer may depend on."""

import re
from typing import NamedTuple

from bedside.envs.intents import Intent
from bedside.envs.speech.record import Record
from bedside.envs.speech.state import State

__all__ = ["MOST_NEW", "YES_OR_NO", "Asking"]

MOST_NEW = 2
"""Facts that an open question brings out at once; a real patient names a few and waits."""

YES_OR_NO = re.compile(
    r"(?:^|[.,;?!] ?(?:and |or |so )?)(?:do|does|did|are|is|was|were|have|has|any|would|ever)\b"
    r"(?!.*\b(?:how|what|who|where|which)\b)"
)
"""Opens a question that yes or no answers."""


class Asking(NamedTuple):
    """One intent with all that its answer may depend on; ``heard`` is in lower case."""

    intent: Intent
    record: Record
    state: State
    heard: str
