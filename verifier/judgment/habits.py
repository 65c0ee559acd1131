"""Judging what is smoked, drunk and taken for pleasure, and how much of it.

People hide these for shame; with social-cultural noise they may, but they may not invent.
"""

import re

from bedside.cases.fact import AnyFact, SocialHistory
from bedside.cases.noise import NoiseProfile
from bedside.verifier.claim import Claim
from bedside.verifier.claims.amounts import doses_a_day, period_in
from bedside.verifier.claims.habits import aspect_of
from bedside.verifier.grounding import GroundedCase, mentions_in
from bedside.verifier.judgment.ruling import Ruling, rule
from bedside.verifier.judgment.tolerance import AMOUNT_FACTOR, OFTEN_FACTOR, STIGMATISED_ASPECTS, YEARS_OFF, near
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import days as span_days
from bedside.verifier.language.quantities import digits
from bedside.verifier.language.text import plain

__all__ = ["judge_habit", "judge_substance"]

_GENERIC = frozenset(
    (
        "sub:alcohol",
        "sub:tobacco",
        "sub:cigarettes",
        "sub:nicotine",
        "sub:illicit-drugs",
        "sub:liquor",
        "sub:cocktail",
        "sub:pipe",
    )
)
_OPEN = frozenset(("sub:alcohol", "sub:tobacco", "sub:nicotine", "sub:illicit-drugs"))
_ABSTAINS = Pattern(
    r"\b(?:no|not|never|denies|none|non-?\w*smoker|quit|former|abstain\w*|stopped|sober)\b|n't\b|\buntil "
    r"(?:19|20)\d\d\b|\bin (?:his|her) (?:teens|twenties|thirties|forties|youth)\b"
)
# "Smokes marijuana on weekends and no cigarettes" is use all the same.
_USES_NOW = Pattern(r"(?:drinks|smokes|uses|vapes|chews|takes) (?!no\b|never|nothing)")
_FORMER = Pattern(
    r"quit|former|tried|no(?:ne| \w+) (?:since|for)|sober|since (?:19|20)\d\d|in college|used to|stopped|ex-|until|"
    r"smoked|"
    r"\bused\b|drank|in (?:his|her) (?:teens|twenties|"
    r"thirties|forties|youth)"
)


_SMOKES = Pattern(r"\b(?:smok\w+|cigar\w*|cigs?|packs?|pipe)\b", re.IGNORECASE)
_BEFORE_NOW = Pattern(r"\b(\d+ \w+) ago\b")
_PAST_TENSE = Pattern(r"\b(?:smoked|drank|used|until|quit)\b")


def _abstains(text: str) -> bool:
    return bool(_ABSTAINS.search(text.lower())) and not _USES_NOW.match(text.lower())


def _used(text: str) -> bool:
    """True for an entry of use, now or formerly."""
    return not _abstains(text) or bool(_FORMER.search(text) and not re.search(r"\bnever\b", text))


def _about(aspect: str, grounded: GroundedCase) -> tuple[AnyFact, ...]:
    return tuple(g.fact for g in grounded.record if isinstance(g.fact, SocialHistory) and g.fact.aspect == aspect)


def _entries(aspect: str, grounded: GroundedCase) -> tuple[AnyFact, ...]:
    """Entries of a habit, and those that name its substances under another: "smokes marijuana and no cigarettes"."""
    lexicon = grounded.lexicon
    return _about(aspect, grounded) or tuple(
        g.fact
        for g in grounded.record
        if isinstance(g.fact, SocialHistory)
        and any(
            c in lexicon and aspect in lexicon[c].relations.get("aspect", ()) for c in mentions_in(lexicon, g.fact.text)
        )
    )


def _naming(claim: Claim, grounded: GroundedCase) -> tuple[AnyFact, ...]:
    """Entries that name the substance, under whatever habit they stand: "smokes marijuana and no cigarettes"."""
    return tuple(
        g.fact
        for g in grounded.record
        if isinstance(g.fact, SocialHistory) and claim.concept in mentions_in(grounded.lexicon, g.fact.text)
    )


def _excludes(text: str, what: str) -> bool:
    before = r"\b(?:no|not|never|without)(?: \w+)?(?: (?:or|nor|and)(?: \w+)?)?"
    return bool(re.search(rf"{before} {re.escape(what.lower())}", text.lower()))


def _ruled_out(claim: Claim, grounded: GroundedCase) -> tuple[AnyFact, ...]:
    """Entries that say there is none of it: "keeps no birds"."""
    concept = grounded.lexicon.concepts.get(claim.concept)
    names = (claim.surface, concept.name, *concept.forms) if concept else ()
    return tuple(
        g.fact
        for g in grounded.record
        if isinstance(g.fact, SocialHistory) and any(_excludes(g.fact.text, name) for name in names)
    )


def judge_substance(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:
    """Judge the use of a substance."""
    aspect = aspect_of(claim, grounded)
    if aspect not in STIGMATISED_ASPECTS:
        if (
            "kept" in claim.attributes
            and not claim.denied
            and claim.act == "statement"
            and (ruled_out := _ruled_out(claim, grounded))
        ):
            return rule(claim, "fabricated", f"the record says {ruled_out[0].text}", ruled_out)
        return rule(claim, "unverifiable", "a circumstance of life")
    facts = _about(aspect, grounded) or _naming(claim, grounded)
    using = tuple(f for f in facts if not _abstains(f.text))
    if claim.denied and any(_excludes(f.text, claim.surface) for f in facts):
        return rule(claim, "supported", "the record itself says so", facts)
    if claim.time == "past" and claim.concept.startswith("sub:"):
        return _judge_past(claim, aspect, facts, using, noise)
    if claim.denied:
        return _judge_denied(claim, aspect, facts, using, grounded, noise)
    if "tense" in claim.attributes and not using:
        return _judge_past(claim, aspect, facts, using, noise)
    if using and _names(claim.concept, using, grounded):
        return rule(claim, "supported", f"recorded: {using[0].text}", using)
    if using:
        return rule(claim, "fabricated", f"the record says {using[0].text}", using)
    return rule(claim, "fabricated", f"the record holds no use of {aspect}", facts)


def _judge_denied(
    claim: Claim,
    aspect: str,
    facts: tuple[AnyFact, ...],
    using: tuple[AnyFact, ...],
    grounded: GroundedCase,
    noise: NoiseProfile,
) -> Ruling:
    against = using
    if "ever" in claim.attributes and (former := _former(facts, using)):
        against = former
    elif _SMOKES.search(claim.surface) and not any(_SMOKES.search(f.text) for f in using):
        return rule(claim, "supported", "the record holds no smoking", facts)
    elif not using or not _names(claim.concept, using, grounded, strict=True):
        return rule(claim, "supported", f"the record holds no use of {aspect}", facts)
    if noise.social_cultural:
        return rule(claim, "unverifiable", "withheld for shame, which the noise profile permits", against)
    return rule(claim, "fabricated", f"denies recorded use: {against[0].text}", against, "unjustified_denial")


def _former(facts: tuple[AnyFact, ...], using: tuple[AnyFact, ...]) -> tuple[AnyFact, ...]:
    """Return the entries of use that is over."""
    return tuple(f for f in facts if f not in using and _used(f.text.lower()))


def _judge_past(
    claim: Claim, aspect: str, facts: tuple[AnyFact, ...], using: tuple[AnyFact, ...], noise: NoiseProfile
) -> Ruling:
    former = _former(facts, using)
    if former and not using:
        if problem := _wrong_end(claim, former, noise):
            return rule(claim, "fabricated", problem, former)
        return rule(claim, "supported", f"recorded: {former[0].text}", former)
    if once := tuple(f for f in using if _FORMER.search(f.text.lower())):
        return rule(claim, "supported", f"recorded: {once[0].text}", once)
    if using and noise.social_cultural:
        return rule(claim, "unverifiable", "put into the past for shame, which the noise profile permits", using)
    if using:
        return rule(claim, "fabricated", f"the record says {using[0].text}", using)
    if claim.denied:
        return rule(claim, "supported", f"the record holds no use of {aspect}")
    return rule(claim, "fabricated", f"the record holds no use of {aspect} in the past", facts)


def _wrong_end(claim: Claim, former: tuple[AnyFact, ...], noise: NoiseProfile) -> str:
    """Say when it ended according to the record, if another time is stated."""
    told = " | ".join(f.text for f in former)
    years = [int(year) for year in re.findall(r"\b(?:19|20)\d\d\b", told)]
    allowed = YEARS_OFF[noise.memory_recall]
    if "year" in claim.attributes and years and all(abs(int(claim.attributes["year"]) - y) > allowed for y in years):
        return f"the record says {told}"
    spans = [days for match in _BEFORE_NOW.finditer(digits(told)) if (days := span_days(match[1]))]
    if "ago" in claim.attributes and spans:
        stated = float(claim.attributes["ago"])
        if not any(near(stated, true, noise) for true in spans):
            return f"the record says {told}"
    return ""


def _names(concept: str, facts: tuple[AnyFact, ...], grounded: GroundedCase, *, strict: bool = False) -> bool:
    """True unless entries name one substance and the claim another."""
    if concept in _GENERIC:
        return True
    named = {c for f in facts for c in mentions_in(grounded.lexicon, f.text) if c.startswith(("sub:", "drug:"))}
    # An entry that names none ("drinks socially") leaves open which.
    if not named - _OPEN:
        return not strict or concept in named
    return concept in named


def judge_habit(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:
    """Judge how much is smoked or drunk."""
    aspect = claim.attributes["aspect"]
    facts = _entries(aspect, grounded)
    rates = [(rate, f) for f in facts if (rate := doses_a_day(digits(plain(f.text)))) is not None]
    if claim.denied or claim.act != "statement":
        return rule(claim, "unverifiable", "no amount that is stated", facts)
    if all(_abstains(f.text) for f in facts) and claim.time == "present" and not _PAST_TENSE.search(claim.surface):
        return rule(claim, "fabricated", f"the record holds no use of {aspect}", facts)
    if claim.time == "past" and not any(_used(f.text.lower()) for f in facts):
        return rule(claim, "fabricated", f"the record holds no use of {aspect} in the past", facts)
    if not rates or "rate" not in claim.attributes:
        return _judge_how_often(claim, facts, noise)
    least, *others = map(float, claim.attributes["rate"].split())
    most = max((least, *others))
    factor = AMOUNT_FACTOR[noise.memory_recall]
    for (low, high), fact in rates:
        if low / factor <= most and least <= high * factor:
            return rule(claim, "supported", f"recorded: {fact.text}", (fact,))
    (low, _), fact = rates[0]
    if most < low and noise.social_cultural:
        return rule(claim, "unverifiable", "played down for shame, which the noise profile permits", (fact,))
    return rule(claim, "fabricated", f"the record says {fact.text}", (fact,))


def _judge_how_often(claim: Claim, facts: tuple[AnyFact, ...], noise: NoiseProfile) -> Ruling:
    """Judge on which days: "most nights" of what the record knows of Fridays."""
    told = [(period, f) for f in facts if (period := period_in(digits(f.text))) is not None]
    if "period" not in claim.attributes or not told:
        return rule(claim, "unverifiable", "the record gives no amount", facts)
    stated, factor = float(claim.attributes["period"]), OFTEN_FACTOR[noise.memory_recall]
    for period, fact in told:
        if period / factor <= stated <= period * factor:
            return rule(claim, "supported", f"recorded: {fact.text}", (fact,))
    period, fact = told[0]
    if stated < period and noise.social_cultural:
        return rule(claim, "unverifiable", "played down for shame, which the noise profile permits", (fact,))
    return rule(claim, "fabricated", f"the record says {fact.text}", (fact,))
