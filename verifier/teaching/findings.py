"""What a sentence states of what was found and done: the diagnosis, tests, procedures, treatments of the stay."""

import re
from collections.abc import Iterator
from functools import lru_cache

from bedside.cases.fact import AnyFact, Condition, Procedure, Test, Treatment
from bedside.verifier.grounding import GroundedCase, GroundedFact
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence
from bedside.verifier.teaching.fitting import RELAYED, STATED, best_coverage, told_apart
from bedside.verifier.teaching.focus import Focus
from bedside.verifier.teaching.permission import dismisses
from bedside.verifier.teaching.phrases import LIGHT, Bag, Phrase, coverage, phrase_of
from bedside.verifier.teaching.statement import wordings_of

__all__ = ["read_finding"]

_CLEARLY = 0.2
"""By how much another test must fit better to be the one that is meant."""

_DIAGNOSED = Pattern(
    r"\b(?:you (?:have|had|were|came|got|are)|you've (?:got|had|been)|diagnos\w+|call(?:ed|s)?|known as|this "
    r"(?:is|was|means)|it(?:'s| is| was)|that(?:'s| is| was)|"
    r"because (?:of|you)|due to|found|shows?|showed|caused by|in the hospital (?:for|with|because)|here "
    r"(?:for|with|because)|treated (?:you )?for|had an?\b|problem is|means|suffer\w*|happened|reason|"
    r"you (?:bled|tore|caught|developed|fractured|sprained|came down with)|comes? from|came from|turn(?:s|ed) out|"
    r"there(?:'s| is| was| were)|"
    r"(?:was|were) (?:\w+ing|inside|stuck)|(?:brought|landed|put|sent|gave) you|"
    r"(?:treat\w*|car(?:ed|ing)|admitted|operated) (?:on )?(?:you )?(?:for|with)|"
    r"(?:is|was) (?:an?|what|from|your)|made (?:you|your)|broke|"
    r"your (?:\w+ ){1,3}(?:is|was|were|are|has|have|needs?|flared|comes?|came)|"
    r"(?:disease|illness|condition|name|diagnosis|infection) (?:for it |of it )?(?:is|was))\b",
    re.IGNORECASE,
)

# In a sentence that sends for help or waves something away, a disease is named in passing.
_DIAGNOSED_FIRMLY = Pattern(
    r"\b(?:because (?:of|you)|in the hospital|due to|treated|here (?:for|with)|you (?:have|had)|you've (?:got|had)|"
    r"diagnos\w+|your (?:illness|disease))\b",
    re.IGNORECASE,
)

# What was done is told as done; "take metoprolol" is no treatment of this stay.
_DONE = Pattern(
    r"\b(?:was|were|had|has been|have been|did|done|gave|given|got|took|taken|put|showed?|shows?|found|saw|seen|drew|"
    r"drawn|ran|came|brought|sent|made|kept|held|cut|shut|set|went|told|hid|grew|(?!need|bleed)\w+ed|"
    r"result\w*|in the hospital|s/p|status post|underwent|negative|positive|normal)\b",
    re.IGNORECASE,
)
_WAY_IN = re.compile(r"\b(?:intravenous|iv|(?:through|by|into|in) (?:a |the |your )?(?:\w+ and )?(?:vein|nose|iv))\b")
# "Wait until the lab has seen it": that is still to be done.
_AWAITED = re.compile(r"\b(?:until|unless|before)\b.*")
_PARTICULARS = re.compile(r",? (?:with|without|from|due to|after|caused by) ")
_BOTH = re.compile(r" (?:and|with) ")


def _is_diagnosed(text: str, *, aside: bool) -> bool:
    """True when a sentence says that what it names was, or is, so; not only in passing."""
    return bool(_DIAGNOSED_FIRMLY.search(text) if aside else _DIAGNOSED.search(text) or _DONE.search(text))


def _tells(result: Phrase, bag: Bag) -> bool:
    """True when a sentence holds a result that is too particular to be said of anything else."""
    return sum(word not in LIGHT for word, _ in result.weights) >= 2 and coverage(result, bag) >= RELAYED


@lru_cache(maxsize=8192)
def _only_heads(fact: AnyFact, grounded: GroundedCase) -> frozenset[str]:
    """Return the words that name a test or procedure by its kind, if no other of the plan is of that kind: "biopsy"."""
    if not isinstance(fact, Test | Procedure):
        return frozenset()
    others = (g.fact for g in grounded.plan if isinstance(g.fact, Test | Procedure | Treatment) and g.fact is not fact)
    taken = {_head(wording) for other in others for wording in wordings_of(other)}
    own = {_head(wording) for wording in wordings_of(fact)} - taken - LIGHT
    return frozenset(word for word in own if word and not _GENERIC.match(word))


_GENERIC = re.compile(
    r"(?:test|level|removal|remov|repair|count|check|watch|treatment|therapi|stool|bleed|sugar|surgeri)$"
)


def _head(name: str) -> str:
    words = [word for word, _ in phrase_of(re.split(r" (?:of|for|with|by|in|from|to|on) ", name)[0]).weights]
    return words[-1] if words else ""


def _names_another(fact: AnyFact, bag: Bag, focus: Focus, grounded: GroundedCase) -> bool:
    """True when a sentence fits another test clearly better, or tells the result of the one spoken of."""
    if not isinstance(fact, Test | Procedure):
        return False
    others = [g.fact for g in grounded.plan if isinstance(g.fact, Test | Procedure) and g.fact is not fact]
    spoken_of = next((other for other in others if other.id == focus.test_id), None)
    if spoken_of is not None and spoken_of.result and coverage(phrase_of(spoken_of.result), bag) >= STATED:
        return True
    return max((best_coverage(other, bag) for other in others), default=0.0) > best_coverage(fact, bag) + _CLEARLY


@lru_cache(maxsize=8192)
def _short_forms(fact: AnyFact) -> tuple[Phrase, ...]:
    """Return what names a deed of the stay without the way it went in, one of two things done at once, or an illness.

    "Hemin through a vein" is hemin; "lumpectomy with sentinel node biopsy" is told by either; "acute appendicitis
    without perforation" is an acute appendicitis.
    """
    if isinstance(fact, Treatment):
        forms = [_WAY_IN.sub(" ", wording) for wording in wordings_of(fact)]
    elif isinstance(fact, Condition):
        forms = [wording[: more.start()] for wording in wordings_of(fact) if (more := _PARTICULARS.search(wording))]
    elif isinstance(fact, Procedure):
        forms = [half for wording in wordings_of(fact) for half in _BOTH.split(wording)]
    else:
        return ()
    phrases = (phrase_of(" ".join(form.split())) for form in forms)
    return tuple(phrase for phrase in phrases if any(word not in LIGHT for word, _ in phrase.weights))


def read_finding(
    known: GroundedFact, sentence: Sentence, bag: Bag, focus: Focus, grounded: GroundedCase
) -> Iterator[tuple[str, bool, str]]:
    """Diagnosis, tests, procedures and treatments: named in a sentence that says they were so."""
    fact = known.fact
    named = known.concept in bag.concepts or (
        (
            best_coverage(fact, bag) >= STATED
            or not _only_heads(fact, grounded).isdisjoint(bag.stems)
            or any(coverage(form, bag) >= STATED for form in _short_forms(fact))
        )
        and not _names_another(fact, bag, focus, grounded)
    )
    # "It showed no clot" tells a result without naming the test again; naming a test tells that it was done.
    done = ":" in sentence.text or bool(_DONE.search(_AWAITED.sub("", sentence.text)))
    told = fact.kind == "condition" or (done and told_apart(fact, bag, grounded))
    if named and told:
        if isinstance(fact, Test | Procedure):
            focus.test, focus.test_id = sentence.number, fact.id
        aside = focus.alarm == sentence.number or dismisses(sentence.text)
        if fact.kind != "condition" or _is_diagnosed(sentence.text, aside=aside):
            yield fact.id, True, ""
    if isinstance(fact, Test | Procedure) and fact.result:
        near = (named and told) or (focus.test_id == fact.id and focus.tested(sentence.number))
        found = phrase_of(fact.result)
        if near and coverage(found, bag) >= STATED:
            yield f"{fact.id}.result", True, ""
        elif not named and isinstance(fact, Procedure) and done and _tells(found, bag):
            yield fact.id, True, ""  # "the bulge is sealed off" tells that it was mended
    if (
        isinstance(fact, Treatment)
        and fact.purpose
        and named
        and told
        and coverage(phrase_of(fact.purpose), bag) >= STATED
    ):
        yield f"{fact.id}.purpose", True, ""
