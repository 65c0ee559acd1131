"""The garbage collector, told what kind of program this is.

Encounters make many small tuples that are kept in caches and hold no cycles, beside tables that stay for ever. Python's
collector counts new objects, not garbage, so with its usual thresholds it walks over all of them again and again:
a quarter of the processor time of a suite, and a fifth of a second within single turns.
"""

import gc

__all__ = ["settle_collector"]

_NEW_OBJECTS = 50_000
_ROUNDS = 20


def settle_collector() -> None:
    """Exempt what this process has built so far from collection, and collect the rest less often.

    For processes of our own only: a library leaves the collector of its host alone.
    """
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS, _ROUNDS, _ROUNDS)
