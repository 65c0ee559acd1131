"""Figures: the numbers, and the drawing of them, in a form that a page, a file and a screen reader can use.

They are drawn here and not by a plotting library, for three reasons: text and colours then follow the page (dark and
light, zoom, print), a figure is a few kilobytes instead of a hundred, and nothing heavy is installed. A figure is made
of panels of one width, which a page lays out as the screen allows and a file puts side by side. Colours are
classes, so that the page decides on them; a file brings its own style.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO

from markupsafe import Markup

__all__ = ["PANEL_WIDTH", "STYLE", "Cell", "Figure", "Panel", "to_csv", "to_svg"]

PANEL_WIDTH = 320

Cell = str | float | int | None

STYLE = """
.fig text { font: 11px "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif; fill: var(--ink);
  font-variant-numeric: tabular-nums; }
.fig .title { font-size: 12.5px; font-weight: 600; }
.fig .note, .fig .tick { fill: var(--muted); }
.fig .grid { stroke: var(--hair); stroke-width: 1; }
.fig .band { fill: var(--z); }
.fig .base { stroke: var(--muted); stroke-width: 1; stroke-dasharray: 3 3; }
.fig .s0 { fill: var(--blue); stroke: var(--blue); } .fig .s1 { fill: var(--red); stroke: var(--red); }
.fig .s2 { fill: var(--green); stroke: var(--green); } .fig .s3 { fill: var(--purple); stroke: var(--purple); }
.fig .s4 { fill: var(--orange); stroke: var(--orange); } .fig .s5 { fill: var(--sky); stroke: var(--sky); }
.fig .quiet { fill: var(--muted); stroke: var(--muted); }
.fig .dot { stroke-width: 1.5; } .fig .hollow { fill: var(--paper); }
.fig .whisker, .fig .slope { stroke-width: 1.75; fill: none; }
.fig .leader { stroke: var(--muted); stroke-width: .75; fill: none; }
.fig .n4 { fill: var(--n4); } .fig .n3 { fill: var(--n3); } .fig .n2 { fill: var(--n2); } .fig .n1 { fill: var(--n1); }
.fig .z { fill: var(--z); }
.fig .p1 { fill: var(--p1); } .fig .p2 { fill: var(--p2); } .fig .p3 { fill: var(--p3); } .fig .p4 { fill: var(--p4); }
.fig text.on { text-anchor: middle; } .fig text.deep { fill: var(--on-deep); }
.fig .end { text-anchor: end; } .fig .mid { text-anchor: middle; }
"""
"""What the classes of a drawing look like, given the colours as custom properties."""

# The light colours of the page, for files; Okabe and Ito's palette, darkened until text in it has enough contrast.
_LIGHT = {
    "ink": "#1b1d22",
    "muted": "#5d636d",
    "hair": "#e3e5e9",
    "paper": "#ffffff",
    "blue": "#0a66a8",
    "red": "#c2500a",
    "green": "#00795a",
    "purple": "#9c4f86",
    "orange": "#9a6b00",
    "sky": "#2f86b8",
    "n4": "#c2500a",
    "n3": "#e08a50",
    "n2": "#f0bb97",
    "n1": "#f9e2d3",
    "z": "#f1f2f4",
    "p1": "#d8e8f4",
    "p2": "#a5cbe7",
    "p3": "#5b9fcf",
    "p4": "#0a66a8",
    "on-deep": "#ffffff",
}
_GAP = 24


@dataclass(frozen=True)
class Panel:
    """One drawing, :data:`PANEL_WIDTH` wide.

    Attributes:
        title: What it shows.
        height: In pixels.
        body: SVG elements.
    """

    title: str
    height: int
    body: Markup

    @property
    def svg(self) -> Markup:
        """The drawing as an element of a page; what it says stands in the table beside it."""
        return Markup(
            '<svg class="fig" width="{w}" height="{h}" viewBox="0 0 {w} {h}" role="img" aria-label="{title}">'
            "{body}</svg>"
        ).format(w=PANEL_WIDTH, h=self.height, title=self.title, body=self.body)


@dataclass(frozen=True)
class Figure:
    """Panels, and the numbers that they show.

    Attributes:
        name: Short name for files and anchors.
        title: What it is.
        caption: How to read it; with units and n.
        panels: The drawings.
        columns: Heads of the table.
        rows: The numbers, a row a mark.
        legend: What the series are called, in the order of their classes; empty if there is but one.
    """

    name: str
    title: str
    caption: str
    panels: tuple[Panel, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    legend: tuple[str, ...] = ()


def to_csv(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """Return a table as CSV; None is an empty field.

    A text that a spreadsheet would take for a formula gets an apostrophe, as spreadsheets themselves write it.
    """
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([f"'{cell}" if isinstance(cell, str) and cell[:1] in "=+-@\t\r" else cell for cell in row])
    return out.getvalue()


def to_svg(figure: Figure, columns: int = 3) -> str:
    """Return a figure as a file that needs nothing else.

    Args:
        figure: What to draw.
        columns: Panels side by side.
    """
    columns = min(columns, len(figure.panels))
    head = 34 + 28 * bool(figure.legend)
    pieces, top, height = [], head, 0
    for number, panel in enumerate(figure.panels):
        column = number % columns
        if number and column == 0:
            top, height = top + height + _GAP, 0
        height = max(height, panel.height)
        pieces.append(
            Markup('<g transform="translate({} {})">{}</g>').format(
                _GAP + column * (PANEL_WIDTH + _GAP), top, panel.body
            )
        )
    width, total = _GAP + columns * (PANEL_WIDTH + _GAP), top + height + _GAP
    legend = Markup("").join(
        Markup('<circle class="dot s{n}{hollow}" cx="{x}" cy="38" r="4"/><text x="{tx}" y="42">{label}</text>').format(
            n=number,
            hollow=" hollow" if number else "",
            x=_GAP + 5 + number * 160,
            tx=_GAP + 14 + number * 160,
            label=label,
        )
        for number, label in enumerate(figure.legend)
    )
    style = STYLE
    # Programs that draw files often know no custom properties, so they are filled in.
    for name, colour in _LIGHT.items():
        style = style.replace(f"var(--{name})", colour)
    return Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" class="fig" width="{w}" height="{h}" viewBox="0 0 {w} {h}">'
        "<title>{title}</title><desc>{caption}</desc><style>{style}</style>"
        '<rect width="{w}" height="{h}" fill="#ffffff"/><text class="title" x="{x}" y="22">{title}</text>'
        "{legend}{body}</svg>\n"
    ).format(
        w=width,
        h=total,
        x=_GAP,
        title=figure.title,
        caption=figure.caption,
        style=Markup(style),  # noqa: S704  # our own
        legend=legend,
        body=Markup("").join(pieces),
    )
