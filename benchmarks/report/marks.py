"""The few shapes that all figures are made of, and the scales that place them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from markupsafe import Markup

__all__ = ["Axis", "apart", "circle", "fitted", "line", "path", "rect", "text"]

# Mean width of a character of the sans-serif faces in use, in ems.
_EM = 0.54


def text(x: float, y: float, said: str, kind: str = "", *, full: str = "") -> Markup:
    """Write words; ``full`` is what the reader gets on hovering where they are shortened."""
    title = Markup("<title>{}</title>").format(full) if full and full != said else ""
    return Markup('<text x="{}" y="{}"{}>{}{}</text>').format(_n(x), _n(y), _kind(kind), said, title)


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    """Draw a straight line."""
    return Markup('<line x1="{}" y1="{}" x2="{}" y2="{}"{}/>').format(_n(x1), _n(y1), _n(x2), _n(y2), _kind(kind))


def circle(x: float, y: float, r: float, kind: str, said: str = "") -> Markup:
    """Draw a dot; ``said`` is what the reader gets on hovering."""
    if not said:
        return Markup('<circle cx="{}" cy="{}" r="{}"{}/>').format(_n(x), _n(y), _n(r), _kind(kind))
    return Markup('<circle cx="{}" cy="{}" r="{}"{}><title>{}</title></circle>').format(
        _n(x), _n(y), _n(r), _kind(kind), said
    )


def rect(x: float, y: float, width: float, height: float, kind: str, said: str = "") -> Markup:
    """Draw a box; ``said`` is what the reader gets on hovering."""
    return Markup('<rect x="{}" y="{}" width="{}" height="{}" rx="2"{}><title>{}</title></rect>').format(
        _n(x), _n(y), _n(width), _n(height), _kind(kind), said
    )


def path(points: Sequence[tuple[float, float]], kind: str) -> Markup:
    """Draw a line through points."""
    return Markup('<path d="M{}"{}/>').format("L".join(f"{_n(x)} {_n(y)}" for x, y in points), _kind(kind))


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _kind(kind: str) -> Markup:
    return Markup(' class="{}"').format(kind) if kind else Markup("")


def fitted(said: str, width: float, size: float = 11) -> str:
    """Shorten a text in its middle, where names of models differ least, until it fits a width in pixels."""
    most = max(3, int(width / (size * _EM)))
    if len(said) <= most:
        return said
    head = (most - 1) // 2
    return f"{said[:head]}…{said[len(said) - (most - 1 - head) :]}"


def apart(wanted: Sequence[float], least: float, low: float, high: float) -> list[float]:
    """Move positions as little as it takes to keep labels from lying on each other.

    Args:
        wanted: Where each would be, in any order.
        least: Smallest distance.
        low: The first position allowed.
        high: The last one, as far as there is room.

    Returns:
        New positions, in the order of ``wanted``.
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    # Blocks of labels that touch, each centred on where its labels wanted to be.
    blocks: list[tuple[list[int], float]] = []
    for i in order:
        members, centre = [i], wanted[i]
        while blocks and blocks[-1][1] + least * (len(blocks[-1][0]) + len(members)) / 2 > centre:
            before, _ = blocks.pop()
            members = before + members
            centre = sum(wanted[j] for j in members) / len(members)
        half = least * (len(members) - 1) / 2
        blocks.append((members, max(min(centre, high - half), low + half)))
    placed = [0.0] * len(wanted)
    for members, centre in blocks:
        for rank, i in enumerate(members):
            placed[i] = centre + least * (rank - (len(members) - 1) / 2)
    return placed


@dataclass(frozen=True)
class Axis:
    """From values to pixels.

    Attributes:
        low: Value at the start.
        high: Value at the end.
        start: Pixel of ``low``.
        end: Pixel of ``high``.
        ticks: Values to mark.
    """

    low: float
    high: float
    start: float
    end: float
    ticks: tuple[float, ...]

    @classmethod
    def over(
        cls,
        values: Iterable[float],
        scale: tuple[float, float] | None,
        start: float,
        end: float,
        *,
        close: bool = False,
    ) -> "Axis":
        """Choose an axis for values.

        Args:
            values: What will be shown.
            scale: What the values can be at most; it is shown whole if they fill a fair part of it.
            start: Pixel of the low end.
            end: Pixel of the high end.
            close: Leave out zero and the rest of the scale, for what is compared with each other only.
        """
        shown = list(values) or [0.0]
        low, high = min(shown), max(shown)
        if close:
            pass
        elif scale is not None and scale[0] >= 0 and high - scale[0] > 0.4 * (scale[1] - scale[0]):
            low, high = scale
        else:
            low, high = min(low, 0.0), max(high, 0.0)
        if high - low < 1e-9:
            high = low + 1.0
        step = _step((high - low) / 4)
        first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
        ticks = tuple(round(number * step, 10) for number in range(first, last + 1))
        return cls(ticks[0], ticks[-1], start, end, ticks)

    def __call__(self, value: float) -> float:
        """Return the pixel of a value; what lies outside is put at the end."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)


def _step(rough: float) -> float:
    """Return the round number next above: 1, 2, 2.5 or 5 times a power of ten."""
    power: float = 10.0 ** floor(log10(rough))
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough * (1 - 1e-9))
