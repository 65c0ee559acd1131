"""What of the plan is given away when an answer lets be what was brought up: a beer, an old pill, a black stool."""

from collections.abc import Iterator

from bedside.cases.fact import AnyFact, Instruction, Medication, ReturnSign
from bedside.verifier.claims.wording import normalise
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.quantities import days
from bedside.verifier.language.text import sentences
from bedside.verifier.teaching.contraries import instructions_contraried
from bedside.verifier.teaching.permission import names_forbidden
from bedside.verifier.teaching.phrases import Bag, Phrase, coverage, phrase_of
from bedside.verifier.teaching.prohibitions import cautions_defied
from bedside.verifier.teaching.statement import wordings_of
from bedside.verifier.teaching.weighing import weighed

__all__ = ["given_away", "signs_waved_off"]

_SIGN = 0.6
"""Share of a warning sign that a patient's words must hold to be about it."""

_LEAVE = "go ahead"
"""Stands for any words that give leave."""


def given_away(brought: str, own: Bag, grounded: GroundedCase) -> Iterator[tuple[str, str]]:
    """Yield the items of the plan that leave for what was brought up goes against, and how.

    Args:
        brought: What the patient brought up.
        own: The answer.
        grounded: The case.
    """
    said = [weighed(s.text, grounded) for s in sentences(normalise(brought))]
    if not said:
        return
    bag = _joined([part.bag for part in said])._replace(text=_LEAVE)
    both = bag.joined(own)
    for known in grounded.plan:
        fact = known.fact
        if (
            isinstance(fact, Instruction)
            and not _as_late(fact, own.text)
            and any(_lent(phrase_of(w), both, own) for w in wordings_of(fact))
        ):
            yield fact.id, "the opposite"
        elif _is_stopped(fact) and any(g.fact.id == fact.id for part in said for g, _ in part.drugs):
            yield fact.id, "told to take it"
    for item in instructions_contraried(f"You can {brought}", frozenset(), grounded):
        yield item, "the contrary"
    for item in cautions_defied(bag, grounded):
        yield item, "the opposite"


def _lent(phrase: Phrase, both: Bag, own: Bag) -> bool:
    """True when question and answer together name what a phrase forbids, and not the answer alone."""
    return names_forbidden(phrase, both) and not names_forbidden(phrase, own)


def _as_late(fact: Instruction, answer: str) -> bool:
    """True for "give it a week": leave from the day on from which the plan gives it too."""
    told, said = days(fact.text), days(answer)
    return said is not None and said >= (told or 1)


def _is_stopped(fact: AnyFact) -> bool:
    return isinstance(fact, Medication) and fact.change == "stopped"


def signs_waved_off(brought: str, grounded: GroundedCase) -> Iterator[tuple[str, str]]:
    """Yield the warning signs that were brought up and for which nobody was sent for."""
    for sentence in sentences(normalise(brought)):
        bag = weighed(sentence.text, grounded).bag
        for known in grounded.plan:
            if isinstance(known.fact, ReturnSign) and _names(known.fact, bag):
                yield known.fact.id, "dismissed"


def _names(fact: ReturnSign, bag: Bag) -> bool:
    phrases = [phrase_of(part) for wording in wordings_of(fact) for part in (wording, *wording.split(" or "))]
    return any(coverage(phrase, bag) >= _SIGN and (len(phrase.weights) > 1 or phrase.concepts) for phrase in phrases)


def _joined(bags: list[Bag]) -> Bag:
    first, *others = bags
    for other in others:
        first = first.joined(other)
    return first
