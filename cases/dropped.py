"""What an import leaves out or finds odd, and why: nothing of a source may vanish or change unseen."""

from typing import NamedTuple

__all__ = ["Dropped", "Remark"]


class Dropped(NamedTuple):
    """A row, note or patient of a source that became no case.

    Attributes:
        where: File and line, row or id, so that it can be found.
        why: The reason, in the same words for all that share it: they are counted by it.
        detail: What was wrong with this one.
    """

    where: str
    why: str
    detail: str = ""


class Remark(NamedTuple):
    """Something repaired because it was certain, or left unknown because it was not; the row is used all the same.

    Attributes:
        where: File and line.
        what: In the same words for all that share it.
        detail: This one.
    """

    where: str
    what: str
    detail: str = ""
