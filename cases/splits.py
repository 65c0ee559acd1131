"""The fixed split of the open set: what is trained on is never what is reported.

The number of a case within its chapter decides, so that every split holds every chapter and a new case never moves an
old one: of each five in a row, three are for training, one for tuning, one for the report.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Literal, get_args

from bedside.cases.case import Case

__all__ = ["SPLITS", "Split", "in_split", "split_of"]

Split = Literal["train", "dev", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)
_TURN: tuple[Split, ...] = ("train", "train", "dev", "test", "train")
_NUMBER = re.compile(r"[a-z]+-(\d+)")


def split_of(case_id: str) -> Split:
    """Return the split that an open case belongs to.

    Args:
        case_id: As in ``cir-01``.

    Raises:
        ValueError: It is no id of the open set.
    """
    match = _NUMBER.fullmatch(case_id)
    if match is None:
        raise ValueError(f"{case_id!r} is no id of the open set, which alone has a fixed split")
    return _TURN[int(match[1]) % len(_TURN)]


def in_split(cases: Iterable[Case], split: Split) -> Iterator[Case]:
    """Yield the cases of one split, in their order."""
    return (case for case in cases if split_of(case.id) == split)
