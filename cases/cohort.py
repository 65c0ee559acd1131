"""The papers' cohorts, drawn from any source: which cases, by a seed, however many there are.

A case's rank is a hash of seed and id, so the draw does not depend on the order of the source, and a source that
grows changes only those that the new cases displace. Only the cohort is held in memory.
"""

import heapq
from typing import Literal, NamedTuple, get_args

from bedside.cases.case import CHAPTERS, Case
from bedside.cases.seeds import derive_seed

__all__ = ["HOW_TO_PLAY", "PROTOCOLS", "Cohort", "CohortDraw", "Protocol"]

Protocol = Literal["dischargebench", "verisim"]
PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)

CASES_A_CHAPTER = 20
"""DischargeBench, table 1."""
CASES_OF_VERISIM = 300
"""VeriSim, section 4.1."""
HOW_TO_PLAY = {"dischargebench": "--persona dischargebench:random", "verisim": "--noise random"}
"""The protocol's other half, drawn for each case when it is played: what to say to ``bedside eval``."""


class Cohort(NamedTuple):
    """A drawn cohort.

    Attributes:
        cases: In the order of their ids.
        missing: What the source could not fill, by chapter (``all`` for a cohort without chapters).
        unfit: Number of cases that cannot take part.
    """

    cases: tuple[Case, ...]
    missing: dict[str, int]
    unfit: int


class CohortDraw:
    """Draws a cohort from cases that are shown to it one by one.

    Args:
        protocol: ``dischargebench``: 20 cases with a plan from each of the 16 merged chapters, adults.
            ``verisim``: 300 cases with a known diagnosis and at least one symptom.
        seed: Other seeds give other cohorts.
    """

    def __init__(self, protocol: Protocol, seed: int) -> None:
        self.protocol = protocol
        self.seed = seed
        self._wanted = dict.fromkeys(CHAPTERS, CASES_A_CHAPTER) if self._by_chapter else {"all": CASES_OF_VERISIM}
        self._best: dict[str, list[tuple[int, str, Case]]] = {group: [] for group in self._wanted}
        self._unfit = 0

    @property
    def _by_chapter(self) -> bool:
        return self.protocol == "dischargebench"

    def show(self, case: Case) -> None:
        """Consider one case."""
        group = (case.chapter or "") if self._by_chapter else "all"
        if group not in self._best or not self._fits(case):
            self._unfit += 1
            return
        # A heap of negative ranks keeps the smallest ranks and gives up the largest first.
        entry = (-derive_seed("cohort", self.protocol, self.seed, case.id), case.id, case)
        heap = self._best[group]
        if len(heap) < self._wanted[group]:
            heapq.heappush(heap, entry)
        else:
            heapq.heappushpop(heap, entry)

    def _fits(self, case: Case) -> bool:
        age = case.demographics.age
        if self._by_chapter:
            return bool(case.plan) and (age is None or age >= 18)
        return case.diagnosis.known and any(fact.kind == "symptom" for fact in case.record)

    def drawn(self) -> Cohort:
        """Return the cohort of all cases shown so far."""
        cases = sorted((case for heap in self._best.values() for _, _, case in heap), key=lambda case: case.id)
        missing = {
            group: wanted - len(self._best[group])
            for group, wanted in self._wanted.items()
            if len(self._best[group]) < wanted
        }
        return Cohort(tuple(cases), missing, self._unfit)
