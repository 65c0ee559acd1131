"""The garbage collector, told what kind of program this is.

Encounters make many small tuples that are kept in caches and hold no cycles, beside tables that stay for ever. Python's
collector counts new objects, not garbage, so with its usual thresholds it walks over all of them again and again:
a quarter of the processor time of a suite, and a fifth of a second within single turns.

Only commands and their worker processes do this: a library leaves the collector of its host alone.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["seldom_collecting", "settle_collector"]

_SELDOM = (50_000, 20, 20)


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Collect less often for a while."""
    usual = gc.get_threshold()
    gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def settle_collector() -> None:
    """Collect less often from now on, and never walk through what this process has built so far."""
    gc.freeze()
    gc.set_threshold(*_SELDOM)
