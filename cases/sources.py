"""Where cases come from: one word names any set of cases.

``open`` is the set that ships with bedside and ``open:train``, ``open:dev``, ``open:test`` are its splits;
``FILE.jsonl`` is a file in bedside's own form, and ``SOURCE:PLACE`` is data of somebody else in the form in which they
release it.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from types import MappingProxyType

from bedside.cases.agentclinic import read_agentclinic
from bedside.cases.case import Case
from bedside.cases.ddxplus import read_ddxplus
from bedside.cases.dischargesim import read_dischargesim
from bedside.cases.dropped import Dropped, Remark
from bedside.cases.fhir import read_fhir
from bedside.cases.jsonl import CaseError, read_cases
from bedside.cases.mimic_ed import read_mimic_ed
from bedside.cases.mimic_note import read_mimic_notes
from bedside.cases.simple import read_simple
from bedside.cases.splits import SPLITS, in_split
from bedside.cases.synthea import read_synthea
from bedside.cases.verisim import read_verisim

__all__ = ["LOADERS", "OPEN_CASES", "Loader", "load_cases", "stream_cases"]

OPEN_CASES = Path(__file__).parent / "data" / "open"

Loader = Callable[[Path], Iterable[Case | Dropped | Remark]]
"""Reads what somebody else released, piece by piece; a loader may refuse a file with :class:`CaseError`, or drop a
row and go on."""


def _of_one_file(read: Loader, pattern: str) -> Loader:
    """Let a folder stand for the one file in it that the loader can read."""

    def read_place(place: Path) -> Iterable[Case | Dropped | Remark]:
        if not place.is_dir():
            return read(place)
        files = sorted(place.glob(pattern))
        if len(files) == 1:
            return read(files[0])
        there = f"name one of the files: {', '.join(file.name for file in files)}" if files else f"no {pattern} here"
        raise CaseError(there, path=place)

    return read_place


LOADERS: Mapping[str, Loader] = MappingProxyType(
    {
        "agentclinic": _of_one_file(read_agentclinic, "*.jsonl"),
        "ddxplus": read_ddxplus,
        "dischargesim": read_dischargesim,
        "fhir": read_fhir,
        "mimic-ed": read_mimic_ed,
        "mimic-note": read_mimic_notes,
        "simple": _of_one_file(read_simple, "*.json"),
        "synthea": read_synthea,
        "verisim": _of_one_file(read_verisim, "*.json"),
    }
)
_FORMS = "open, open:SPLIT, FILE.jsonl, " + ", ".join(f"{name}:PLACE" for name in LOADERS)
_LOG = logging.getLogger(__name__)


def load_cases(spec: str) -> list[Case]:
    """Load a set of cases.

    Args:
        spec: ``open``, ``open:SPLIT``, ``FILE.jsonl``, ``FILE.json`` or ``SOURCE:PLACE`` with a key of
            :data:`LOADERS`.

    Returns:
        At least one case, in the order of the source; ids are unique. How many rows a loader dropped is logged.

    Raises:
        CaseError: The source is unknown, missing, damaged or empty.
    """
    cases: list[Case] = []
    dropped: list[Dropped] = []
    for item in stream_cases(spec):
        if isinstance(item, Case):
            cases.append(item)
        elif isinstance(item, Dropped):
            dropped.append(item)
    if dropped:
        _LOG.warning("%s: left out %d, the first at %s: %s", spec, len(dropped), dropped[0].where, dropped[0].why)
    if not cases:
        raise CaseError("holds no case", path=spec)
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise CaseError(f"id {case.id!r} comes twice", path=spec, field="id")
        seen.add(case.id)
    return cases


def stream_cases(spec: str) -> Iterator[Case | Dropped | Remark]:
    """Stream a set of cases and what was left out of it; see :func:`load_cases`."""
    return iter(_stream(spec.strip()))


def _stream(spec: str) -> Iterable[Case | Dropped | Remark]:
    name, colon, place = spec.partition(":")
    if name == "open":
        cases = chain.from_iterable(map(read_cases, sorted(OPEN_CASES.glob("*.jsonl"))))
        if not colon:
            return cases
        split = next((split for split in SPLITS if split == place), None)
        if split is None:
            raise CaseError(f"there is no split {place!r}; there are {', '.join(SPLITS)}", path=spec)
        return in_split(cases, split)
    if name in LOADERS:
        if not place:
            raise CaseError(f"say where the data are, as in {name}:PLACE", path=spec)
        return LOADERS[name](Path(place).expanduser())
    if spec.endswith((".jsonl", ".json")):
        return read_cases(Path(spec).expanduser())
    raise CaseError(f"unknown source of cases; known: {_FORMS}", path=spec or "''")
