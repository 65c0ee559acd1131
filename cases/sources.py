"""Where cases come from: one word names any set of cases.

``open`` is the set that ships with bedside and ``open:train``, ``open:dev``, ``open:test`` are its splits;
``FILE.jsonl`` is a file in bedside's own form, and ``SOURCE:PLACE`` is data of somebody else in the form in which they
release it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from types import MappingProxyType

from bedside.cases.agentclinic import read_agentclinic
from bedside.cases.case import Case
from bedside.cases.ddxplus import read_ddxplus
from bedside.cases.dischargesim import read_dischargesim
from bedside.cases.jsonl import CaseError, read_cases
from bedside.cases.splits import SPLITS, in_split
from bedside.cases.verisim import read_verisim

__all__ = ["LOADERS", "OPEN_CASES", "load_cases"]

OPEN_CASES = Path(__file__).parent / "data" / "open"

LOADERS: Mapping[str, Callable[[Path], Iterable[Case]]] = MappingProxyType(
    {
        "agentclinic": read_agentclinic,
        "ddxplus": read_ddxplus,
        "dischargesim": read_dischargesim,
        "verisim": read_verisim,
    }
)
_FORMS = "open, open:SPLIT, FILE.jsonl, agentclinic:FILE, ddxplus:DIR, dischargesim:DIR, verisim:FILE"


def load_cases(spec: str) -> list[Case]:
    """Load a set of cases.

    Args:
        spec: ``open``, ``open:SPLIT``, ``FILE.jsonl``, ``agentclinic:FILE``, ``ddxplus:DIR``, ``dischargesim:DIR`` or
            ``verisim:FILE``.

    Returns:
        At least one case, in the order of the source; ids are unique.

    Raises:
        CaseError: The source is unknown, missing, damaged or empty.
    """
    cases = list(_stream(spec.strip()))
    if not cases:
        raise CaseError("holds no case", path=spec)
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise CaseError(f"id {case.id!r} comes twice", path=spec, field="id")
        seen.add(case.id)
    return cases


def _stream(spec: str) -> Iterator[Case]:
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
        return iter(LOADERS[name](Path(place).expanduser()))
    if spec.endswith(".jsonl"):
        return read_cases(Path(spec).expanduser())
    raise CaseError(f"unknown source of cases; known: {_FORMS}", path=spec or "''")
