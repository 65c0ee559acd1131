"""Ways of doing that exclude what a plan asks: a bath for what is to stay dry, a chewed pill for one to swallow whole.

The words of a plan say which way, those of a sentence another, and no word of the one stands in the other. The table
(``data/core/contraries.tsv``) pairs them: what is asked, what is contrary to it, and the stance that a sentence needs,
"allows" where the words alone are innocent, "near" and "same" where they must be of a thing like it, or of the very
same, "taken" of a medicine.
"""

import csv
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from bedside.cases.fact import Instruction, Medication
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.context import context_of
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.teaching.approval import allows, verdict_in

__all__ = ["cautions_contraried", "instructions_contraried"]

_TABLE = Path(__file__).parent.parent / "data" / "core" / "contraries.tsv"


# "The test showed that thin drinks go the wrong way": a finding allows nothing.
_REPORTED = re.compile(r"\b(?:showed|shows|found|looked|was|changed from|used to)\b", re.IGNORECASE)


class _Contrary(NamedTuple):
    asked: Pattern
    contrary: Pattern
    stance: str
    unless: Pattern | None

    def allowed_by(self, order: str) -> bool:
        """True for an order that speaks of the other, and does not forbid it."""
        return any(not context_of(order, *match.span()).denied for match in self.contrary.finditer(order))


@lru_cache(maxsize=1)
def _table() -> tuple[_Contrary, ...]:
    with _TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(
            _Contrary(
                Pattern(row["asked"], re.IGNORECASE),
                Pattern(row["contrary"], re.IGNORECASE),
                row["stance"],
                Pattern(rf"\b(?:{row['unless']})", re.IGNORECASE) if row["unless"] else None,
            )
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        )


@lru_cache(maxsize=1024)
def _orders(grounded: GroundedCase) -> tuple[tuple[_Contrary, tuple[str, ...]], ...]:
    """Return the rows of the table that are contrary to instructions of a plan, and to which."""
    told = [known.fact for known in grounded.plan if isinstance(known.fact, Instruction)]
    cautions = (p for known in grounded.plan if isinstance(known.fact, Medication) for p in known.fact.precautions)
    orders = (*(fact.text for fact in told), *cautions)
    found = []
    for row in _table():
        against = tuple(fact.id for fact in told if row.stance != "taken" and row.asked.search(fact.text))
        # "Keep the staples dry for 3 days", and in the next line "showers are fine".
        if against and not any(row.allowed_by(order) for order in orders):
            found.append((row, against))
    return tuple(found)


def instructions_contraried(
    text: str, near: frozenset[str], grounded: GroundedCase, same: frozenset[str] = frozenset()
) -> Iterator[str]:
    """Yield the instructions of a plan to which it is contrary what a sentence tells or allows.

    Args:
        text: The sentence.
        near: Ids of the facts that it shares a word with.
        grounded: The case.
        same: Ids of the facts that it is about.
    """
    for row, orders in _orders(grounded):
        told = tuple(order for order in orders if order in {"near": near, "same": same}.get(row.stance, orders))
        if told and _does(row, text):
            yield from told


def cautions_contraried(fact: Medication, text: str) -> Iterator[str]:
    """Yield the items of a drug to which it is contrary how a sentence tells to take it."""
    for row, item in _ways(fact):
        if _does(row, text):
            yield item


@lru_cache(maxsize=4096)
def _ways(fact: Medication) -> tuple[tuple[_Contrary, str], ...]:
    """Return the items of a drug that say how to take it, each with the row of the table that is contrary to it."""
    found = []
    for row in _table():
        told = [(f"precaution{number}", text) for number, text in enumerate(fact.precautions, 1)]
        if row.stance == "taken":
            told += [("frequency", fact.frequency or ""), ("route", fact.route or "")]
        if not any(row.allowed_by(order) for order in (fact.frequency or "", *fact.precautions)):
            found += [(row, f"{fact.id}.{name}") for name, order in told if row.asked.search(order)]
    return tuple(found)


def _does(row: _Contrary, text: str) -> bool:
    if not row.contrary.search(text) or (row.unless and row.unless.search(text)) or _REPORTED.search(text):
        return False
    text = verdict_in(text)
    if row.stance == "allows" and not allows(text):
        return False
    contexts = (context_of(text, *match.span()) for match in row.contrary.finditer(text))
    told = ("statement", "instruction", "hypothetical") if allows(text) else ("statement", "instruction")
    return any(not context.denied and context.act in told for context in contexts)
