"""A Gymnasium text space for real prose.

``gymnasium.spaces.Text`` accepts ASCII letters and digits only unless given every admissible character, and a
character set of all of Unicode costs seconds and megabytes. This one bounds the length alone.
"""

from typing import Any

from gymnasium import spaces

__all__ = ["Prose"]

_PRINTABLE = "".join(map(chr, range(32, 127)))


class Prose(spaces.Text):
    """Any ``str`` of at most ``max_length`` characters, empty included; samples are printable ASCII."""

    def __init__(self, max_length: int, *, seed: int | None = None) -> None:
        super().__init__(max_length, min_length=0, charset=_PRINTABLE, seed=seed)

    def contains(self, x: Any) -> bool:
        """Return whether ``x`` is a string within the bounds."""
        return isinstance(x, str) and len(x) <= self.max_length

    def __repr__(self) -> str:
        return f"Prose(max_length={self.max_length})"
