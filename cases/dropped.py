"""What an import leaves out, and why: nothing of a source may vanish unseen."""

from typing import NamedTuple

__all__ = ["Dropped"]


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
