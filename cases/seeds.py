"""Seeds by hashing.

Every random choice in an encounter draws from a stream of its own, named by what it is for. Adding a component,
or a turn, then never shifts the choices of another; and no global generator is touched, so concurrent episodes
cannot race for one.
"""

import hashlib
import random

__all__ = ["derive_seed", "stream"]


def derive_seed(*parts: object) -> int:
    """Hash the parts into a 63-bit seed.

    Args:
        *parts: What the seed is for, e.g. ``(run_seed, case_id, "patient")``. Only their ``str`` matters.

    Returns:
        The same non-negative integer on every machine and under any ``PYTHONHASHSEED``.
    """
    text = "\x1f".join(map(str, parts)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big") >> 1


def stream(*parts: object) -> random.Random:
    """Return a private random generator seeded with :func:`derive_seed`."""
    return random.Random(derive_seed(*parts))
