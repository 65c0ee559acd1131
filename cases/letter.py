"""The layout of a letter to a patient: headings, list items, paragraphs, and the sentences in them.

Narrow pages break lines where a sentence goes on, and lists have no blank lines between their items.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from bedside.cases.directions import BLANK

__all__ = ["Line", "lines_of", "sentences_of"]

_BULLET = re.compile(r"^\s*(?:[-*•·–>✓□+#]+\s*|o\s+(?=[A-Z(\"])|\(?\d{1,2}[.)]\s+|\(?[a-h][.)]\s+)")


class Line(NamedTuple):
    """A heading, an item of a list, or a paragraph.

    Attributes:
        bullet: True for an item with a mark or a number before it, which ``text`` does not have.
    """

    text: str
    heading: bool
    bullet: bool


_NARROWEST, _WIDEST, _RAGGED = 60, 90, 15


def lines_of(text: str) -> Iterator[Line]:
    """Yield headings, items and paragraphs, with the lines that a narrow page broke joined."""
    held = ""
    bullet = False
    lengths = sorted(len(line) for line in text.splitlines() if len(line) <= _WIDEST)
    # Where one line alone is that long, the page is not narrow.
    width = lengths[-1] if len(lengths) > 1 and lengths[-2] > max(_NARROWEST, lengths[-1] - _RAGGED) else _WIDEST
    shouted = text.isupper()
    length = 0
    for raw in [*text.splitlines(), ""]:
        line = " ".join(raw.split())
        if BLANK not in line:
            line = line.strip("=_ ")
        starts = _BULLET.match(line) is not None
        heading = bool(line) and _is_heading(line, shouted)
        # Had the next word fitted on the line, the line was ended on purpose.
        # A heading, too, may be broken: "… for any of the / following:".
        heading = heading and not (held and line[0].islower() and not bullet and held[-1] not in ".!?:")
        ended = bool(line) and line[0].isupper() and (length > width or length + 1 + len(line.split()[0]) <= width)
        length = len(raw.rstrip())
        if held and (not line or starts or heading or ended):
            yield Line(held, _is_heading(held, shouted), bullet)
            held = ""
        if not line:
            continue
        if heading:
            yield Line(_BULLET.sub("", line), heading=True, bullet=False)
        elif held:
            held = f"{held} {line}"
            if held.endswith(":"):
                yield Line(held, heading=True, bullet=False)
                held = ""
        else:
            held, bullet = _BULLET.sub("", line), starts


def _is_heading(line: str, shouted: bool) -> bool:
    """Say whether a line is a heading: by its end, or by capitals where not the whole text is in capitals."""
    words = line.split()
    letters = re.sub(r"[^A-Za-z]", "", line)
    capitals = not shouted and letters.isupper() and len(letters) > 5 and 1 < len(words) < 10
    return line.endswith(":") or (line.endswith("?") and len(words) < 14) or capitals


def sentences_of(text: str) -> Iterator[str]:
    """Yield the sentences and clauses of a line that can be an order of their own."""
    for part in re.split(
        r"(?<=[.!?])(?<!\b[DM]r\.)(?<!\bMs\.)(?<!Mrs\.)(?<!\bSt\.)\s+(?=[A-Z\"'(])|;\s+|"
        r"\.(?=[A-Z][a-z])|,? (?:and )?(?=(?:please )?call (?:your |the )?(?:md|doctor)\b[^.]*\bif\b)",
        text,
    ):
        if part.strip(" .;_-"):
            yield part.strip()
