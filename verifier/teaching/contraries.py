"""Ways of doing that exclude what a plan asks: a bath for what is to stay dry, a chewed pill for one to swallow whole.

The words of a plan say which way, those of a sentence another, and no word of the one stands in the other. The table
(``data/core/contraries.tsv``) pairs them: what is asked, what is contrary to it, and the stance that a sentence needs:
"favored" where it must recommend the contrary, "allows" where the words alone are innocent, "any" where telling is
enough, "near" and "same" where they must be of a thing like what is asked, or of the very same, "taken" of a medicine.
In a contrary ``<salt>`` stands for what :mod:`~bedside.verifier.teaching.kinds` holds of that kind, ``~`` for a few
words or none, ``{thing}`` for the thing that is asked ("wear the sling").
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
from bedside.verifier.language.pattern import Pattern, allowed_in
from bedside.verifier.language.text import STOPWORDS, stem, tokenize
from bedside.verifier.teaching.approval import allows, recommended, verdict_in
from bedside.verifier.teaching.kinds import members_in
from bedside.verifier.teaching.verdicts import verdict

__all__ = ["cautions_contraried", "instructions_contraried", "tells_why_stopped"]

_TABLE = Path(__file__).parent.parent / "data" / "core" / "contraries.tsv"
_KIND = re.compile(r"<([a-z -]+)>\|?")
_FEW_WORDS = r"(?:[\w'-]+ ){0,4}?"

# "The test showed that thin drinks go the wrong way": a finding allows nothing.
# What a drug is for, what was before, when help is sent for and why a drug was stopped orders nothing of the kind.
_REPORTED = re.compile(
    r"\b(?:showed|shows|found|looked|was|changed from|used to|previously|indication|craving)\b|"
    r"^\W*(?:come|go|present|activate|call)\b[^.;]*\b(?:911|emergency|ED|ER)\b",
    re.IGNORECASE,
)
_STOPPED = re.compile(r"^\W*we (?:\w+ )?(?:stopped|held)\b", re.IGNORECASE)

# "Taking the sling off at night is a common mistake".
_WARNS = Pattern(
    rf"\b(?:{verdict('barred')}|danger\w*|unsafe|risk\w*|mistake|(?<!not a )bad idea|harmful|worse|"
    r"(?:can|could|may|might|will|would) (?:\w+ )?(?:cause|raise|lead|hurt|irritate|damage|break|slow|tear|burn|infect|"
    r"bleed|slip|faint|fall|reopen|swell))\b",
    re.IGNORECASE,
)
# "You can hang it above your head": where it is the listener's doing, "can" supposes nothing.
_GIVES_LEAVE = re.compile(r"^(?!.*\bif\b).*\byou(?:'re| are)? (?:can|could|may|might|free|welcome)\b", re.IGNORECASE)
# "No bananas until the visit", and "after the visit bananas are fine".
_ENDS = re.compile(
    r"\b(?:until|unless|while|for (?:the )?(?:next |first )?\d|for \w+ (?:weeks?|days?|months?))\b", re.IGNORECASE
)
_LATER = Pattern(r"\b(?:until|once|after (?:the|your|you|\d)|as soon as (?:the|your)|by then)\b", re.IGNORECASE)
# "Running day and night, but switch it off for red blood": an exception is no recommendation.
_EXCEPTION = re.compile(r"\b(?:but|except|unless|if)\b", re.IGNORECASE)


class _Row(NamedTuple):
    asked: Pattern
    contrary: str
    stance: str
    unless: Pattern | None


class _Contrary(NamedTuple):
    """What is contrary to an order, and what another order of the plan recommends though it has the same words."""

    doing: Pattern | re.Pattern[str] | None
    kinds: frozenset[str]
    stance: str
    unless: Pattern | None
    recommended: frozenset[frozenset[str]]
    ends: bool

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where a text names what is contrary."""
        if self.doing is not None:
            yield from (match.span() for match in self.doing.finditer(text))
        if self.kinds:
            yield from members_in(text, self.kinds)

    def told_in(self, text: str, told: str) -> bool:
        """True when a sentence tells or allows what is contrary.

        Args:
            text: The sentence.
            told: The same without cases and aims.
        """
        return any(self._takes_stance(told, *place) for place in self.places(told)) and not (
            (self.unless and self.unless.search(text)) or (self.ends and _LATER.search(text))
        )

    def _takes_stance(self, text: str, start: int, end: int) -> bool:
        if any(words <= _stems(text[start:end]) for words in self.recommended):
            return False
        if self.stance == "favored":
            return recommended(text, start, end)
        if not (allows(text) if self.stance == "allows" else not _WARNS.search(f"{text[:start]} {text[end:]}")):
            return False
        context = context_of(text, start, end)
        told = context.act in ("statement", "instruction") or bool(_GIVES_LEAVE.search(text[:start]))
        return told and not context.denied


@lru_cache(maxsize=1)
def _table() -> tuple[_Row, ...]:
    with _TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(
            _Row(
                Pattern(rf"\b(?:{row['asked']})", re.IGNORECASE),
                row["contrary"],
                row["stance"],
                Pattern(rf"\b(?:{row['unless']})", re.IGNORECASE) if row["unless"] else None,
            )
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        )


def _asking(order: str) -> list[_Row]:
    """Return the rows that may speak of an order."""
    allowed = allowed_in(order)
    return [row for row in _table() if row.asked.may_match(allowed)]


def _contrary(row: _Row, order: str, orders: tuple[str, ...]) -> _Contrary | None:
    """Return what is contrary to an order, by a row of the table; None if the row speaks of other orders."""
    asked = row.asked.search(order)
    if asked is None:
        return None
    kinds = frozenset(f"kind:{name}" for name in _KIND.findall(row.contrary))
    told = _KIND.sub("", row.contrary).rstrip("|").replace("~", _FEW_WORDS)
    thing = re.escape((asked.groupdict().get("thing") or "").rstrip("s"))
    doing = _doing_with(told.replace("{thing}", thing)) if "{thing}" in told else _doing(told)
    contrary = _Contrary(doing, kinds, row.stance, row.unless, frozenset(), bool(_ENDS.search(order)))
    # "Keep the staples dry for 3 days", and in the next line "showers are fine".
    return contrary._replace(
        recommended=frozenset(
            _stems(text[start:end])
            for text in orders
            for start, end in contrary.places(text)
            if not context_of(text, start, end).denied and not _EXCEPTION.search(text[:start])
        )
    )


@lru_cache(maxsize=1024)
def _doing(told: str) -> Pattern | None:
    return Pattern(rf"\b(?:{told})(?!\w)", re.IGNORECASE) if told else None


@lru_cache(maxsize=1024)
def _doing_with(told: str) -> re.Pattern[str]:
    """Compile what names a thing of one plan; a :class:`Pattern` for each would have all words screened anew."""
    return re.compile(rf"\b(?:{told})(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=16384)
def _stems(text: str) -> frozenset[str]:
    words = tokenize(text)
    return frozenset(stem(w.text) for w in words if w.text.lower() not in STOPWORDS) or frozenset(w.text for w in words)


@lru_cache(maxsize=1024)
def _orders(grounded: GroundedCase) -> tuple[tuple[_Contrary, frozenset[str]], ...]:
    """Return what is contrary to the instructions of a plan, and to which."""
    told = [known.fact for known in grounded.plan if isinstance(known.fact, Instruction)]
    cautions = (p for known in grounded.plan if isinstance(known.fact, Medication) for p in known.fact.precautions)
    orders = (*(fact.text for fact in told), *cautions)
    found: dict[_Contrary, set[str]] = {}
    for fact in told:
        for row in _asking(fact.text):
            if row.stance != "taken" and (contrary := _contrary(row, fact.text, orders)):
                found.setdefault(contrary, set()).add(fact.id)
    return tuple((contrary, frozenset(against)) for contrary, against in found.items())


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
    told = _told(text)
    found: set[str] = set()
    for contrary, orders in _orders(grounded) if told else ():
        against = orders & {"near": near, "same": same}.get(contrary.stance, orders)
        if not against <= found and contrary.told_in(text, told):
            found |= against
    yield from sorted(found)


def _told(text: str) -> str:
    """Return what a sentence tells or allows, without cases and aims; empty if it is a report."""
    return "" if _REPORTED.search(text) or tells_why_stopped(text) else verdict_in(text)


def tells_why_stopped(text: str) -> bool:
    """True for "we stopped it because it blocks levothyroxine": what is said of the other drug orders nothing."""
    return bool(_STOPPED.match(text))


def cautions_contraried(fact: Medication, text: str) -> Iterator[str]:
    """Yield the items of a drug to which it is contrary how a sentence tells to take it."""
    told = _told(text)
    for contrary, item in _ways(fact) if told else ():
        if contrary.told_in(text, told):
            yield item


@lru_cache(maxsize=4096)
def _ways(fact: Medication) -> tuple[tuple[_Contrary, str], ...]:
    """Return what is contrary to the items of a drug that say how to take it, and to which."""
    orders = (fact.frequency or "", *fact.precautions)
    told = [(f"precaution{number}", text) for number, text in enumerate(fact.precautions, 1)]
    found = [
        (_contrary(row, order, orders), f"{fact.id}.{name}")
        for name, order in (*told, ("frequency", fact.frequency or ""), ("route", fact.route or ""))
        for row in _asking(order)
        if row.stance == "taken" or name not in ("frequency", "route")
    ]
    return tuple((contrary, item) for contrary, item in found if contrary)
