"""Which drug of the plan a talk is about: named in a sentence, or still meant by "it" some sentences later."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from bedside.cases.fact import Medication
from bedside.verifier.grounding import GroundedCase, GroundedFact
from bedside.verifier.language.lexicon import Mention, form_key
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence, tokens_of
from bedside.verifier.teaching.phrases import Bag

__all__ = ["REACH", "Focus", "Memory", "NamedDrug", "drugs_named", "orders_taking"]

NamedDrug = tuple[GroundedFact, tuple[int, int]]
"""A medication of the plan, and where a sentence names it."""

REACH = 4
"""Sentences over which "it" still means the drug named last, and a list its warning heading."""

_LONG_AGO = 99
"""Sentences after which it no longer matters how many."""

_PRONOUN = Pattern(
    r"\b(?:it|its|them|they|(?:this|that|the|your|these|each) (?:new )?(?:medicine|medication|pill|tablet|"
    r"capsule|injection|shot|inhaler|drug|cream|dose|one|1|drops?|patch)s?|(?:with|on|of|from) (?:that|this)(?=\W*$|,)|"
    r"(?:that|this)(?: is|'s| can| may| will| might)|"
    r"(?:start|take|stop|skip|use|try|begin|drop|quit|finish|double|halve|crush|chew|split) "
    r"(?:that|this|those|1|both|2))\b",
    re.IGNORECASE,
)

# An order without an object of its own: "Take 20 mg every morning."
_ORDERS = Pattern(
    r"^\W*(?:(?:please|also|and|then|always|you should|you will|you'll|you need to) )*(?:take|swallow|"
    r"inject|inhale|breathe in|apply|use|put|spray|drink|chew|dissolve|insert|rub|squirt|drop|give yourself|stop|hold|"
    r"skip|keep)\W+(?:\d(?!\S* (?:\w+ ){0,3}(?:of|breaths|steps|minutes|walks))|a half|half|one|two|with|by|every|"
    r"once|twice|this|on an?|at|in "
    r"the|under|before|after|each|if|when|until)",
    re.IGNORECASE,
)

# A drug named only in relation to another: "take it with apixaban", "because it raises lithium".
_ASIDE = Pattern(
    r"\b(?:with|without|from|than|after|before|by|because of|instead of|keeps|keep|raises|lowers|raise|"
    r"lower|affects?|against|unless|along with|for|that|like|while on|while taking)\s+(?:the |your |this |"
    r"any |taking )?(?:(?!mouth\b|skin\b)[a-z]+(?: or| and|, or|, and) ){0,2}$",
    re.IGNORECASE,
)


class Memory(NamedTuple):
    """What the next sentence finds of what was said before it, no finer than it can tell.

    Attributes:
        drugs: Those that "it" can still mean.
        just_now: Whether the sentence before named them.
        alarmed: Whether a warning still covers what is listed.
        visited: Whether talk is still of the visit ``visit_id``.
        tested: Whether talk is still of the test ``test_id``.
    """

    drugs: tuple[GroundedFact, ...]
    just_now: bool
    alarmed: bool
    visited: bool
    visit_id: str
    tested: bool
    test_id: str


@dataclass
class Focus:
    """What a turn is about as it goes on: the drug meant by "it", the visit, the warning list.

    Attributes:
        drugs: Plan medications named last.
        named: True when the present sentence names one.
        alarm: Sentence that last told to come back or call.
        asides_at: Plan medications that the present sentence names only in relation to another, and where.
    """

    drugs: tuple[GroundedFact, ...] = ()
    named: bool = False
    since: int = -_LONG_AGO
    alarm: int = -_LONG_AGO
    visit: int = -_LONG_AGO
    visit_id: str = ""
    test: int = -_LONG_AGO
    test_id: str = ""
    spans: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    all_spans: list[tuple[int, int]] = field(default_factory=list)
    asides_at: tuple[NamedDrug, ...] = ()

    @property
    def asides(self) -> tuple[GroundedFact, ...]:
        """The drugs that the present sentence names only in relation to another."""
        return tuple(known for known, _ in self.asides_at)

    @classmethod
    def of(cls, memory: Memory) -> "Focus":
        """Return the focus that a sentence numbered 0 finds."""
        return cls(
            memory.drugs,
            since=-1 if memory.just_now else -REACH if memory.drugs else -_LONG_AGO,
            alarm=-1 if memory.alarmed else -_LONG_AGO,
            visit=-1 if memory.visited else -_LONG_AGO,
            visit_id=memory.visit_id,
            test=-1 if memory.tested else -_LONG_AGO,
            test_id=memory.test_id,
        )

    def memory(self, number: int) -> Memory:
        """Return what the sentence of a number finds."""
        still = self.still(number)
        return Memory(
            self.drugs if still else (),
            still and number == self.since + 1,
            self.alarmed(number),
            self.visited(number),
            self.visit_id,
            self.tested(number),
            self.test_id,
        )

    def after(self, own: "Focus", number: int) -> "Focus":
        """Return the focus after a sentence.

        Args:
            own: What became of its memory when it was read under the number 0.
            number: Its number.
        """
        return replace(
            own,
            drugs=self.drugs if own.since else own.drugs,
            since=self.since if own.since else number,
            alarm=self.alarm if own.alarm else number,
            visit=self.visit if own.visit else number,
            test=self.test if own.test else number,
        )

    def advance(self, sentence: Sentence, found: tuple[NamedDrug, ...]) -> None:
        """Move on to a sentence, with what :func:`drugs_named` finds in it."""
        main: Sequence[NamedDrug] = [(g, span) for g, span in found if not _ASIDE.search(sentence.text[: span[0]])]
        if (
            not main
            and found
            and not (self.still(sentence.number) and (_PRONOUN.search(sentence.text) or _ORDERS.search(sentence.text)))
        ):
            main = found
        self.named = bool(main)
        self.asides_at = tuple((g, span) for g, span in found if (g, span) not in main)
        self.spans = {}
        for known, span in main:
            self.spans.setdefault(known.fact.id, []).append(span)
        self.all_spans = [span for _, span in found]
        if main:
            self.drugs, self.since = tuple({g.fact.id: g for g, _ in main}.values()), sentence.number

    def still(self, number: int) -> bool:
        """True while "it" can mean the drug named last."""
        return bool(self.drugs) and number - self.since <= REACH

    @property
    def one_taken(self) -> tuple[GroundedFact, ...]:
        """The one drug that an amount can be of, when others spoken of are stopped; empty if it could be several."""
        taken = tuple(k for k in self.drugs if not (isinstance(k.fact, Medication) and k.fact.change == "stopped"))
        return taken if len(taken) == 1 else self.drugs if len(self.drugs) == 1 else ()

    def meant(self, sentence: Sentence, bag: Bag) -> bool:
        """True when a sentence that names no drug goes on about the one named last."""
        if not (self.still(sentence.number) and self.one_taken):
            return False
        if not (_PRONOUN.search(sentence.text) or _ORDERS.search(sentence.text)):
            return False
        return not any(c.startswith("drug:") and c not in self.one_taken[0].broader for c in bag.concepts) or bool(
            self.all_spans
        )

    def alarmed(self, number: int) -> bool:
        """True while a warning still covers what is listed."""
        return 0 <= number - self.alarm <= REACH

    def visited(self, number: int) -> bool:
        """True while talk is still of an appointment."""
        return 0 <= number - self.visit <= 1

    def tested(self, number: int) -> bool:
        """True while talk is still of a test."""
        return number - self.test <= 2


def drugs_named(text: str, mentions: Sequence[Mention], grounded: GroundedCase) -> Iterator[NamedDrug]:
    """Find the plan's medications that a sentence names, with where they stand in it."""
    tokens = tokens_of(text)
    prescribed = [g for g in grounded.plan if isinstance(g.fact, Medication)]
    for mention in mentions:
        span = tokens[mention.first].start, tokens[mention.last].end
        named = [g for g in prescribed if g.concept in mention.concepts]
        if len(named) > 1:
            # Two forms of one drug: the one whose very name is said, if there is one.
            said = form_key(text[span[0] : span[1]])
            named = [g for g in named if said in {form_key(w) for w in (g.fact.text, *g.fact.lay)}] or named
        if not named and any(c.startswith("drug:") for c in mention.concepts):
            named = _of_that_name(form_key(text[span[0] : span[1]]), prescribed)
        for known in named:
            yield known, span
    # "Your blood thinner" means the one drug of that class, unless it only says of what kind another is.
    of_named = {c for m in mentions for c in m.concepts if grounded.kind(c) == "medication"}
    known_kinds = {broader for concept in of_named for broader in grounded.broader(concept)}
    for mention in mentions:
        if not of_named.isdisjoint(mention.concepts) or not known_kinds.isdisjoint(mention.concepts):
            continue
        meant = [g for g in prescribed if not g.broader.isdisjoint(mention.concepts)]
        if len(meant) == 1 and meant[0].concept not in mention.concepts:
            yield meant[0], (tokens[mention.first].start, tokens[mention.last].end)


def _of_that_name(said: str, prescribed: list[GroundedFact]) -> list[GroundedFact]:
    """Return the one drug whose name goes on after what was said: "prednisolone", of "prednisolone acetate"."""
    found = [g for g in prescribed if any(form_key(w).startswith(f"{said} ") for w in (g.fact.text, *g.fact.lay))]
    return found if len(found) == 1 else []


def orders_taking(sentence: str) -> bool:
    """True for an order that leaves out what to take: "Breathe in 3 mL every 6 hours."."""
    return bool(_ORDERS.search(sentence))
