"""The six stages of a discharge talk, in DischargeSim's order (section 2.2), and how a clinician is told of them."""

import re
from typing import NamedTuple

from bedside.cases.fact import Topic

__all__ = ["STAGES", "Stage", "moves_on", "request_for", "stage_asked"]

_MOVES_ON = re.compile(
    r"\b(?:(?:let(?:'s| us)|we (?:can|will)|i(?:'ll| will| want to| would like to)|shall we) (?:now )?"
    r"(?:move|go|turn) (?:on|to)\b|moving on|next (?:topic|stage|is|comes?)|"
    r"(?:next|now),? (?:let(?:'s| us) )?(?:talk|speak|go|look|turn|the\b|we))",
    re.IGNORECASE,
)


class Stage(NamedTuple):
    """One stage.

    Attributes:
        topic: What is taught in it.
        title: Its name in plain words.
        most_turns: Its cap; None for no cap.
    """

    topic: Topic
    title: str
    most_turns: int | None = 5


STAGES = (
    Stage(Topic.RETURN_SIGNS, "warning signs"),
    Stage(Topic.MEDICATION, "medicines", None),
    Stage(Topic.DIAGNOSIS, "diagnosis"),
    Stage(Topic.POST_DISCHARGE, "care at home"),
    Stage(Topic.TREATMENTS, "hospital stay"),
    Stage(Topic.FOLLOW_UP, "appointments"),
)


def request_for(stage: Stage, number: int, count: int) -> str:
    """Return what the observation asks for in a stage, such as ``stage 2 of 6: medicines``."""
    return f"stage {number} of {count}: {stage.title}"


def stage_asked(request: str) -> Stage | None:
    """Return the stage that a request names; None for any other request."""
    title = request.partition(": ")[2] if request.startswith("stage ") else ""
    return next((stage for stage in STAGES if stage.title == title), None)


def moves_on(heard: str) -> bool:
    """True when the educator says that the next topic is due."""
    return bool(_MOVES_ON.search(heard))
