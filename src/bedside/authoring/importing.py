"""From somebody else's data to a case file, with an account of what was left out."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from bedside.cases.case import Case
from bedside.cases.cohort import Cohort, CohortDraw
from bedside.cases.dropped import Dropped, Remark
from bedside.cases.jsonl import write_cases

__all__ = ["Imported", "import_cases"]

EXAMPLES = 3
"""How many of the rows dropped for one reason are named."""


class Imported(NamedTuple):
    """What an import did.

    Attributes:
        kept: Number of cases written.
        credentialed: How many of them may not leave the machine.
        chapters: Cases by chapter key.
        dropped: Rows left out, by reason.
        remarks: Odd things in rows that were used, by what they were.
        examples: Some of both.
        cohort: What a protocol drew, if one was asked for.
    """

    kept: int
    credentialed: int
    chapters: Counter[str]
    dropped: Counter[str]
    remarks: Counter[str]
    examples: dict[str, list[Dropped | Remark]]
    cohort: Cohort | None


def import_cases(
    items: Iterable[Case | Dropped | Remark],
    out: Path,
    *,
    draw: CohortDraw | None = None,
    watch: Callable[[], None] = lambda: None,
    finish: Callable[[Case], tuple[Case, Remark | None]] = lambda case: (case, None),
) -> Imported:
    """Write the cases of a stream to a file; only a cohort is ever held in memory.

    Args:
        items: Cases and dropped rows, as a loader yields them.
        out: The file; it appears whole or not at all, and not if there is no case to keep.
        draw: Keeps a cohort only.
        watch: Called at every item.
        finish: Completes each case that is kept, and may have something to remark on it.

    Raises:
        CaseError: The file cannot be written.
    """
    account = Imported(0, 0, Counter(), Counter(), Counter(), {}, None)
    cases = _kept(items, account, watch)
    if draw is not None:
        for case in cases:
            draw.show(case)
        cohort = draw.drawn()
        account, cases = account._replace(cohort=cohort), iter(cohort.cases)
    credentialed = 0
    chapters: Counter[str] = Counter()

    def counted() -> Iterator[Case]:
        nonlocal credentialed
        for case in cases:
            credentialed += case.credentialed
            chapters[case.chapter or "-"] += 1
            finished, remark = finish(case)
            if remark:
                _count(account, remark)
            yield finished

    first = next(found := counted(), None)
    kept = 0 if first is None else write_cases(chain((first,), found), out)
    return account._replace(kept=kept, credentialed=credentialed, chapters=chapters)


def _kept(items: Iterable[Case | Dropped | Remark], account: Imported, watch: Callable[[], None]) -> Iterator[Case]:
    seen: set[str] = set()
    for item in items:
        watch()
        if isinstance(item, Case):
            if item.id not in seen:
                seen.add(item.id)
                yield item
                continue
            item = Dropped(item.id, "the id comes a second time")
        _count(account, item)


def _count(account: Imported, item: Dropped | Remark) -> None:
    what, counts = (item.what, account.remarks) if isinstance(item, Remark) else (item.why, account.dropped)
    counts[what] += 1
    examples = account.examples.setdefault(what, [])
    if len(examples) < EXAMPLES:
        examples.append(item)
