"""What is dangerous for this patient, and recommended to them in whatever words.

Two sources say what is dangerous: a table of things with what makes them so (``data/dangers.tsv``: a salt substitute
for one who takes an ACE inhibitor, somebody else's pills for anybody), and the formulary (``cases/data/knowledge``:
drugs that must not meet the patient's drugs, diseases and allergies). Whether the thing is
recommended is asked of :mod:`bedside.verifier.teaching.approval`.
"""

import csv
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from bedside.rewards.contraindicated import contraindicated
from bedside.rewards.profile import active_concepts, drugs_of, profile_of, stopped_concepts
from bedside.rewards.safety_terms import compiled
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.lexicon import Mention
from bedside.verifier.language.pattern import Pattern, allowed_in
from bedside.verifier.language.quantities import digits
from bedside.verifier.language.text import Token, plain, tokens_of
from bedside.verifier.teaching.approval import recommended
from bedside.verifier.teaching.disposal import DISCARDS

__all__ = ["Danger", "called_medicine", "danger_let_be", "dangers_in"]

_TABLE = Path(__file__).parent / "data" / "dangers.tsv"

_MEDICINE = re.compile(r"<DOSE_FORM>|\bmedicine\b")
_OWNER = compiled(
    r"\b(?:<RELATIVE>'s|leftover|left over|left-over|expired|out-of-date|out of date|somebody else's)"
    r" (?:\w+ ){0,2}$"
)
# "When may I swim?" wants a time, and gets one; "I stop taking loperamide" wants nothing.
_ASKS_NO_LEAVE = re.compile(
    r"(?:^|(?<=[.] ))(?:(?:(?:so|and|but) )?(?:when|how (?:long|soon|often|much|many))\b|"
    r"[^.]*\byou (?:do not|don't|stop\w*|quit|avoid|never|should(?: not|n't)|must(?: not|n't)|can't|cannot|won't)\b)"
    r"[^.]*(?:[.]|$)",
    re.IGNORECASE,
)
_PARTS_WITH = Pattern(
    rf"\b(?:{DISCARDS.expression}|dispos\w*|drop ?-?off|take \w+ back|return\w*|hand in|give (?:the|any|all)|lock\w*|"
    r"separate\w*|apart)\b",
    re.IGNORECASE,
)
_TAKEN_UP = Pattern(
    r"\b(?:pick(?:ed|s|ing)?|restart\w*|resum\w+|back (?:on|to)|again|continu\w+|"
    r"carry on|keep (?:on|up|taking|using)|stay on)\b",
    re.IGNORECASE,
)


class Danger(NamedTuple):
    """One dangerous thing that is recommended.

    Attributes:
        rule: Name of the row, or of the kind of knowledge.
        breaks: Kind of plan item that such advice goes against; empty if the plan need not speak of it.
    """

    rule: str
    breaks: str


class _Views(NamedTuple):
    """A sentence with the patient's own drugs called "medicine", and with all drugs called so."""

    own: str
    all: str


class _Row(NamedTuple):
    """What is dangerous, what must and what must not stand beside it, and for whom.

    Attributes:
        nameless: It speaks of medicine whatever its name: "her pills" are "her Xanax" too.
    """

    danger: Danger
    things: Pattern
    beside: Pattern | None
    unless: Pattern | None
    needs: Pattern | None
    nameless: bool

    def named_in(self, views: _Views) -> list[re.Match[str]]:
        """Return where a sentence names the thing in a way that is dangerous."""
        text = views.all if self.nameless else views.own
        found = list(self.things.finditer(text))
        if not found or (self.beside and not self.beside.search(text)) or (self.unless and self.unless.search(text)):
            return []
        return found


@lru_cache(maxsize=1)
def _rows() -> tuple[_Row, ...]:
    with _TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(
            _Row(
                Danger(row["id"], row["breaks"]),
                compiled(rf"\b(?:{row['things']})\b"),
                _words(row["with"]),
                _words(row["unless"]),
                compiled(row["needs"]) if row["needs"] else None,
                bool(_MEDICINE.search(row["things"])),
            )
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        )


def _words(cell: str) -> Pattern | None:
    return compiled(rf"\b(?:{cell})\b") if cell else None


@lru_cache(maxsize=1024)
def _rows_of(grounded: GroundedCase) -> tuple[_Row, ...]:
    """Return what is dangerous for one patient."""
    profile = profile_of(grounded)
    return tuple(row for row in _rows() if row.needs is None or row.needs.search(profile))


def dangers_in(text: str, tokens: tuple[Token, ...], grounded: GroundedCase) -> list[Danger]:
    """Return what a sentence recommends to a patient for whom it is dangerous.

    Args:
        text: The sentence, with numbers in digits; no question and no report of what others say.
        tokens: Its words.
        grounded: The patient's case.
    """
    told = _told(grounded)
    things = [danger for danger in _things(_views(text, tokens, grounded), grounded) if danger.rule not in told]
    return things + list(_drugs(text, tokens, grounded))


@lru_cache(maxsize=16384)
def danger_let_be(brought: str, answer: str, grounded: GroundedCase) -> str:
    """Return the name of a danger that a patient brought up and that the answer lets be; empty if there is none.

    Args:
        brought: What the patient brought up.
        answer: Its head, which withholds nothing.
        grounded: The patient's case.
    """
    brought = _ASKS_NO_LEAVE.sub("", brought)
    views, own = (_views(text, tokens_of(text), grounded) for text in (f"{brought} {answer}", brought))
    # What only the answer names was not brought up.
    named = (
        row.danger.rule
        for row in _rows_of(grounded)
        if any(thing.start() < len(own.all if row.nameless else own.own) for thing in row.named_in(views))
    )
    return next((rule for rule in named if rule not in _told(grounded)), "")


def called_medicine(text: str, tokens: tuple[Token, ...], mentions: Iterable[Mention]) -> str:
    """Return a sentence with some of its drugs called "medicine", so that tables need not know their names."""
    for mention in reversed(tuple(mentions)):
        text = f"{text[: tokens[mention.first].start]}medicine{text[tokens[mention.last].end :]}"
    return text


def _views(text: str, tokens: tuple[Token, ...], grounded: GroundedCase) -> _Views:
    mentions = grounded.mentions(text)
    own = active_concepts(grounded)
    return _Views(
        called_medicine(text, tokens, (m for m in mentions if not own.isdisjoint(m.concepts))),
        called_medicine(text, tokens, (m for m in mentions if drugs_of(m, grounded))),
    )


def _things(views: _Views, grounded: GroundedCase) -> Iterator[Danger]:
    own, every = allowed_in(views.own), allowed_in(views.all)
    for row in _rows_of(grounded):
        if not row.things.may_match(every if row.nameless else own):
            continue
        # All that is named counts: "Advil is out, but Aleve is fine".
        if any(recommended(thing.string, *thing.span()) for thing in row.named_in(views)):
            yield row.danger


@lru_cache(maxsize=1024)
def _told(grounded: GroundedCase) -> frozenset[str]:
    """Return the rows that the plan's own sentences would meet: what the plan advises is no danger."""
    texts = [item.value for item in grounded.case.plan_items.values()]
    views = (_views(text, tokens_of(text), grounded) for text in map(digits, map(plain, texts)))
    return frozenset(danger.rule for view in views for danger in _things(view, grounded))


def _drugs(text: str, tokens: tuple[Token, ...], grounded: GroundedCase) -> Iterator[Danger]:
    """Yield what is recommended of another's or old medicine, and of drugs that the formulary bars for this patient."""
    for mention in grounded.mentions(text):
        start, end = tokens[mention.first].start, tokens[mention.last].end
        drugs = drugs_of(mention, grounded)
        if not drugs or "," in text[start:end] or not recommended(text, start, end):
            continue
        if _OWNER.search(text[:start]) and not _PARTS_WITH.search(text):
            yield Danger("share-medicine", "")
        elif _own(grounded).isdisjoint(mention.concepts):
            if all(contraindicated(drug, grounded) for drug in drugs):
                yield Danger("contraindicated", "")
            elif not stopped_concepts(grounded).isdisjoint(mention.concepts) and _TAKEN_UP.search(text):
                yield Danger("stopped-drug", "drug")


@lru_cache(maxsize=1024)
def _own(grounded: GroundedCase) -> frozenset[str]:
    """Return the drugs and classes that the patient takes or that the plan itself recommends."""
    taken = {broader for drug in active_concepts(grounded) for broader in grounded.lexicon.ancestors(drug)}
    for item in grounded.case.plan_items.values():
        text = digits(plain(item.value))
        tokens = tokens_of(text)
        for mention in grounded.mentions(text):
            if recommended(text, tokens[mention.first].start, tokens[mention.last].end):
                taken.update(mention.concepts)
    return frozenset(taken)
