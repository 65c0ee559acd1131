"""How jobs are dealt to workers: those that have something in common to the same one, one after the other.

A process remembers what it has read of a case. Episodes of one case that are played side by side in several processes
make each of them read the same again, and so do episodes that come back to it when it has long been forgotten.
"""

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from itertools import groupby
from typing import Generic, TypeVar

__all__ = ["Dealer"]

Item = TypeVar("Item")


class Dealer(Generic[Item]):
    """Deals numbered items, drawing no more of them than it needs."""

    def __init__(self, items: Iterable[Item], kin: Callable[[Item], Hashable] | None = None) -> None:
        """Begin with all items left.

        Args:
            items: In the order in which they are begun; those that belong together stand together.
            kin: What they have in common; None if each stands alone.
        """
        self._families = groupby(enumerate(items), key=lambda job: kin(job[1]) if kin else job[0])
        self._hands: dict[int, deque[tuple[int, Item]]] = {}

    def next_for(self, worker: int) -> tuple[int, Item] | None:
        """Return the next item with its number; None if none is left.

        Args:
            worker: Who asks. What it began with it goes on with; when nothing is left to begin with, it takes from
                whoever has most to do yet.
        """
        hand = self._hands.setdefault(worker, deque())
        if hand:
            return hand.popleft()
        if family := next(self._families, None):
            hand.extend(family[1])
            return hand.popleft()
        fullest = max(self._hands.values(), key=len)
        return fullest.pop() if fullest else None
