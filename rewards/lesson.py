"""What the educator taught over a whole encounter: the reading that coverage, safety and shaping share.

Each turn is read once against the plan. Of an item that comes up several times the last statement stands: a patient
goes home with the last thing they heard, so a correction repairs and a contradiction spoils.
"""

from typing import NamedTuple

from bedside.cases.case import Case
from bedside.envs.episode import Episode
from bedside.verifier.grounding import GroundedCase, ground
from bedside.verifier.teaching.conveyed import TAKEN_BACK, Event, read_teaching

__all__ = ["Lesson", "Statement", "lesson_of"]


class Statement(NamedTuple):
    """One plan item said rightly or wrongly in one turn.

    Attributes:
        turn: Number of the turn.
        event: What the verifier read there.
    """

    turn: int
    event: Event


class Lesson(NamedTuple):
    """An encounter as teaching.

    Attributes:
        grounded: The case with its concepts.
        statements: Everything said of the plan, in order.
        last: For each item, the last of these.
    """

    grounded: GroundedCase
    statements: tuple[Statement, ...]
    last: dict[str, Statement]

    def right(self, item: str) -> bool:
        """True when the last word on an item agrees with the plan."""
        return item in self.last and self.last[item].event.right

    def wrong(self, item: str) -> bool:
        """True when the last word on an item disagrees with the plan."""
        return item in self.last and not self.last[item].event.right

    def said(self, item: str) -> str:
        """Return the sentence that had the last word on an item; empty if there was none."""
        return self.last[item].event.said if item in self.last else ""


def lesson_of(episode: Episode, case: Case) -> Lesson:
    """Read an encounter, finished or not, as teaching.

    Args:
        episode: The encounter.
        case: Its case.

    Returns:
        The lesson; the verifier remembers turns it has read, so that reading a growing episode again costs little.
    """
    grounded = ground(case, "discharge")
    guess, about, aside = episode.opening, "", False
    statements: list[Statement] = []
    taught: set[str] = set()
    for number, turn in enumerate(episode.turns):
        reading = read_teaching(turn.heard, grounded, guess, about, aside=aside)
        # What was never taught cannot be taken back.
        events = [event for event in reading.events if event.stated != TAKEN_BACK or event.item in taught]
        statements += (Statement(number, event) for event in events)
        taught.update(event.item for event in events)
        guess, about, aside = turn.patient, reading.about, reading.aside
    last = {statement.event.item: statement for statement in statements}
    return Lesson(grounded, tuple(statements), last)
