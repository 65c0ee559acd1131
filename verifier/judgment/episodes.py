"""Judging how long a spell lasts, how often it comes, and whether it was there before."""

import re

from bedside.cases.fact import AnyFact, Condition, Symptom
from bedside.cases.noise import NoiseProfile
from bedside.verifier.claim import Claim
from bedside.verifier.grounding import IRREGULAR, GroundedCase
from bedside.verifier.judgment.places import placed, sites_in
from bedside.verifier.judgment.ruling import Ruling, rule, words_of
from bedside.verifier.judgment.tolerance import COUNT_FACTOR, near
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import all_days, digits, find_quantities
from bedside.verifier.language.text import content_stems

__all__ = ["judge_earlier", "judge_lasting", "judge_often"]

_OFTEN = Pattern(
    r"\b(?:earlier|previous\w*|prior|before|second|third|fourth|again|recurr\w*|repeated\w*|chronic|every|times|"
    r"twice|"
    r"comes? and goes?|on and off|spells|episodes|attacks|short spell|last (?:week|month|year|winter|summer)|"
    r"years?|once a|a month|"
    r"a week)\b",
    re.IGNORECASE,
)
_A_SPELL = 2.0
_AT_MOST = Pattern(r"\b(?:less than|under|at most|up to|no (?:more|longer) than|within)\b", re.IGNORECASE)
_OVER = 1.5
# They come in bouts, whatever the bout at hand looks like.
_RECURRING = frozenset(
    """cond:asthma cond:copd cond:migraine cond:headache-disorder cond:epilepsy cond:gout cond:mental-illness
    cond:allergy cond:kidney-stones cond:crohn-disease cond:ulcerative-colitis cond:sickle-cell-disease
    cond:heart-failure cond:arrhythmia""".split()
)
_ONCE = Pattern(r"\b(?:once|twice)\b(?! (?:a|per|every|daily|each))", re.IGNORECASE)
_NUMBER = Pattern(
    r"(?<![\d.])(\d{1,2})(?: (?:or|to) (\d{1,2}))?\b(?! ?(?:mg|mcg|g|units|years?|pounds|%|out of|/|hours?(?! )|"
    r"minutes?|"
    r"weeks?|months?|days? (?:ago|of)|puffs|tablets?|am\b|pm\b))"
)


def judge_lasting(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:
    """Judge how long a spell is said to last."""
    if claim.denied or claim.act != "statement":
        return rule(claim, "unverifiable", "no length that is stated")
    stated = float(claim.attributes["days"])
    timed = [
        (g.fact, lengths)
        for g in grounded.record
        if isinstance(g.fact, Symptom)
        and (lengths := [d for text in (g.fact.duration, g.fact.timing) if text for d in all_days(text)])
    ]
    for fact, lengths in timed:
        if _AT_MOST.search(f"{fact.duration or ''} | {fact.timing or ''}") and stated > _OVER * max(lengths):
            continue
        if any(near(stated, true, noise, vague=True) for true in lengths):
            return rule(claim, "supported", f"recorded of {fact.text}: {fact.duration or fact.timing}", (fact,))
    spells = [fact for fact, lengths in timed if min(lengths) < _A_SPELL]
    if spells:
        return rule(claim, "fabricated", f"the record says {spells[0].duration or spells[0].timing}", tuple(spells[:1]))
    return rule(claim, "unverifiable", "the record tells no length")


def judge_earlier(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:  # noqa: ARG001
    """Judge whether there was such a spell before."""
    told = tuple(
        g.fact
        for g in grounded.record
        if (
            isinstance(g.fact, Symptom)
            and _OFTEN.search(f"{words_of(g.fact)} | {g.fact.onset or ''} | {g.fact.duration or ''}")
        )
        or (isinstance(g.fact, Condition) and _alike(g.fact, grounded))
    )
    spells = tuple(f for f in told if isinstance(f, Symptom))
    if claim.denied and spells:
        earlier = tuple(
            f
            for f in spells
            if re.search(r"\b(?:earlier|previous|(?:second|third|fourth) time|similar)\b", words_of(f))
        )
        if earlier:
            return rule(
                claim, "fabricated", f"denies what the record holds: {earlier[0].text}", earlier, "unjustified_denial"
            )
        return rule(claim, "unverifiable", "the record does not say how often", spells)
    if claim.denied:
        return rule(claim, "supported", "the record tells of no earlier spell")
    if told:
        return rule(claim, "supported", f"recorded: {told[0].text}", told[:1])
    return rule(claim, "fabricated", "the record tells of no earlier spell")


def _alike(condition: Condition, grounded: GroundedCase) -> bool:
    """True for an illness that may have shown itself like the complaint at hand: at its place or in its words."""
    known = grounded.facts[condition.id]
    told = set(content_stems(words_of(condition)))
    for other in grounded.record:
        if isinstance(other.fact, Symptom) and (
            told & set(content_stems(words_of(other.fact)))
            or any(placed(site, condition, grounded) for site in sites_in(words_of(other.fact)))
        ):
            return True
    return not known.broader.isdisjoint(_RECURRING)


def judge_often(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:
    """Judge how often something happens against every entry that speaks of what was asked."""
    if claim.denied or claim.act != "statement":
        return rule(claim, "unverifiable", "no number that is stated")
    asked = {IRREGULAR.get(s, s) for s in claim.attributes["of"].split()}
    about = [g.fact for g in grounded.record if asked & _told_by(g.fact)]
    counted = [(fact, numbers) for fact in about if (numbers := _counts(fact, rate="rate" in claim.attributes))]
    factor = COUNT_FACTOR[noise.memory_recall]
    stated = [float(n) for n in (claim.attributes.get("rate") or claim.attributes["count"]).split()]
    for fact, numbers in counted:
        if any(min(stated) / factor <= number <= max(stated) * factor for number in numbers):
            return rule(claim, "supported", f"recorded: {fact.text}", (fact,))
    if counted:
        return rule(claim, "fabricated", f"the record says {_said_of(counted[0][0])}", (counted[0][0],))
    return rule(claim, "unverifiable", "the record counts nothing of the kind")


def _told_by(fact: AnyFact) -> set[str]:
    return {IRREGULAR.get(s, s) for s in content_stems(words_of(fact))}


def _said_of(fact: AnyFact) -> str:
    return str(getattr(fact, "timing", None) or fact.text)


def _counts(fact: AnyFact, *, rate: bool) -> list[float]:
    """Return how often an entry says that something happens: times a day, or the numbers that it counts."""
    told = (fact.text, *fact.lay, getattr(fact, "timing", None), getattr(fact, "character", None))
    text = _ONCE.sub(lambda m: "1" if m.group().lower() == "once" else "2", digits(" | ".join(filter(None, told))))
    rates = [float(q.value.split("/")[0]) for q in find_quantities(text) if q.kind == "frequency" and "/" in q.value]
    if rate:
        return rates
    return [float(n) for match in _NUMBER.finditer(text) for n in match.groups() if n] or [r for r in rates if r >= 1.0]
