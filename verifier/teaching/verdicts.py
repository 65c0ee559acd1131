"""The words by which a sentence bars, allows or makes light of what it names, from a reviewed table.

"Beer is out for now", "a beer is fine", "that is nothing to lose sleep over": whichever thing is spoken of, the verdict
on it is one of few. The table (``data/core/verdicts.tsv``) lists them by kind.
"""

import csv
from pathlib import Path
from typing import Literal

__all__ = ["verdict"]

Verdict = Literal[
    "barred",
    "allowed",
    "unharmed",
    "harmless",
    "praised",
    "ordered",
    "waived",
    "dismissed",
    "put-off",
    "unneeded",
    "needed",
    "withheld",
    "warned",
    "reserved",
    "past",
    "left",
    "felt",
    "favored",
    "granted",
]
"""What a sentence makes of a thing: "unharmed" allows by denying harm, "waived" drops a duty, "put-off" lets wait what
cannot, "unneeded" and "needed" are said of a visit, "withheld" holds back what was asked for, "left" denies and
withholds nothing, "felt" answers a feeling, "favored" speaks for it, "granted" gives the listener leave and is no
order."""

_TABLE = Path(__file__).parent.parent / "data" / "core" / "verdicts.tsv"


def verdict(name: Verdict) -> str:
    """Return an expression for all that passes a verdict, to be put between the edges of words."""
    with _TABLE.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return "|".join(row["pattern"] for row in rows if row["verdict"] == name)
