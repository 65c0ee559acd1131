"""Judging symptoms, conditions, procedures and their times against the record."""

import re
from collections.abc import Iterable

from bedside.cases.fact import Allergy, AnyFact, Condition, FamilyHistory, Medication, SocialHistory, Symptom
from bedside.cases.noise import NoiseProfile
from bedside.verifier.claim import Claim, concepts_of
from bedside.verifier.claims.modifiers import conditions_in
from bedside.verifier.grounding import IRREGULAR, GroundedCase, GroundedFact
from bedside.verifier.judgment.attributes import wrong_detail, wrong_side, wrong_time
from bedside.verifier.judgment.places import elsewhere, meets, placed, sites_in
from bedside.verifier.judgment.resemblance import as_people_say, of_the_place
from bedside.verifier.judgment.ruling import Ruling, in_line, rule, words_of
from bedside.verifier.judgment.tolerance import (
    near,
    stigmatised,
    times_of,
)
from bedside.verifier.language.natures import natures_in
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import content_stems

__all__ = ["judge_denial", "judge_finding", "judge_onset", "matching"]

FEELINGS = frozenset(
    (
        "sx:anxiety",
        "sx:irritability",
        "sx:fear-of-dying",
        "sx:phobic-fear",
        "sx:anger",
        "sx:worthlessness",
        "sx:hopelessness",
    )
)
_HABITS = frozenset(("cond:former-smoker", "cond:tobacco-use-disorder"))
_ROUTINE = frozenset(
    f"proc:{name}"
    for name in """blood-test physical-exam urinalysis iv-line temperature-measurement weight-measurement vital-signs
    blood-pressure-measurement wound-care dental-exam eye-exam pulse-oximetry blood-glucose-test diet-therapy""".split()
)
_GENERAL = frozenset(("sx:malaise", "sx:severe-pain", "sx:unwell", "sx:pain", "sx:discomfort", "sx:worsening-symptoms"))
_HURTS = Pattern(r"\b(?:hurt\w*|pain\w*|sore|burns?|stings?|worse)\b|glass|razor", re.IGNORECASE)
_PAIN = "sx:pain"
_ALLERGY = "cond:allergy"
_ANY_HURT = frozenset(("cond:injury", "cond:laceration"))
# "They don't hurt" is said of what was named last.
_HURT = re.compile(r"hurt(?:s|ing)?", re.IGNORECASE)
_SURGERY = "proc:surgery"
_SEVERE_PAIN = "sx:severe-pain"
_SPREADS = Pattern(
    r"\b(?:shoot\w*|shot|spread\w*|radiat\w*|travel\w*|runs?|running|go(?:es|ing)?|through|down|up)\b", re.IGNORECASE
)
_ABSENT = Pattern(r"\b(?:no|not|without|never|neither|nor)\s+\w+", re.IGNORECASE)
_COMES_AND_GOES = Pattern(
    r"\b(?:comes and goes|on and off|at a time|spells?|episodes?|times|once|twice|attacks?)\b", re.IGNORECASE
)
_YEAR = 365.0
_LIGHT = frozenset(
    "keep feel felt got get have bad feeling really like pass go come run turn time alway constant".split()
)
_PUT_IN = frozenset(content_stems("implant intrauterine coil IUD pump port ring"))
_OF_LIFE = ("exposure", "travel", "other", "sexual")
_DONE = ("procedure", "test", "treatment")
# Who is worse with swallowing has trouble swallowing.
_MADE_WORSE = {
    "sx:difficulty-swallowing": "swallowing",
    "sx:odynophagia": "swallowing",
    "sx:difficulty-walking": "walking",
    "sx:postprandial-symptoms": "eating",
}


def _is_own(fact: AnyFact) -> bool:
    """True for an entry of a family history that may be the patient's: "migraine, the patient or a relative"."""
    return isinstance(fact, FamilyHistory) and "patient" in (fact.relative or "")


def matching(claim: Claim, grounded: GroundedCase, kinds: tuple[type, ...]) -> tuple[GroundedFact, ...]:
    """Return facts that the claim renders: the same concept, or one in its line of broader and narrower ones."""
    return tuple(
        g
        for g in grounded.record
        if (isinstance(g.fact, kinds) or (Condition in kinds and _is_own(g.fact)))
        and any(in_line(c, g, grounded) for c in concepts_of(claim))
    )


def judge_finding(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:
    """Judge symptoms, conditions and procedures."""
    bodily = claim.kind in ("symptom", "condition")
    known = matching(claim, grounded, (Symptom, Condition) if bodily else (object,))
    facts = tuple(g.fact for g in known if bodily or g.fact.kind in _DONE)
    here = tuple(f for f in facts if not _elsewhere(claim, f, grounded))
    if claim.concept == _SURGERY and not here:
        here = tuple(g.fact for g in grounded.record if g.fact.kind == "procedure")
    if claim.denied:
        side = claim.attributes.get("side", "both")
        there = here if side == "both" else tuple(f for f in here if not wrong_side(side, f))
        return judge_denial(claim, grounded, there, noise)
    if claim.concept == _ALLERGY and (
        any_allergy := tuple(g.fact for g in grounded.record if isinstance(g.fact, Allergy))
    ):
        return rule(claim, "supported", "the record holds an allergy", any_allergy)
    if claim.concept in _HABITS:
        return rule(claim, "unverifiable", "told as a habit")
    if claim.concept == _SEVERE_PAIN and "at" not in claim.attributes:
        return rule(claim, "unverifiable", "says how bad it is, not what it is")
    if here:
        ruling = _judge_details(claim, here, noise)
        loose = claim.concept in _ANY_HURT or (claim.attributes.get("carried") and claim.sentence)
        if ruling.violation and loose and _of_that_time(claim, grounded):
            return rule(claim, "unverifiable", "may be said of something else", here)
        return ruling
    if facts:
        return rule(claim, "fabricated", f"the record holds it elsewhere: {facts[0].text}", facts)
    if claim.attributes.get("carried") and (told := _of_that_time(claim, grounded)):
        return rule(claim, "supported", "agrees with a recorded time", told)
    near_by = (of_the_place(claim, grounded) or as_people_say(claim, grounded)) if bodily else ()
    stated = claim.attributes.get("at", "").split()
    if here := tuple(f for f in near_by if not elsewhere(stated, f, grounded)):
        return _judge_details(claim, here, noise)
    if near_by:
        return rule(claim, "fabricated", f"the record holds it elsewhere: {near_by[0].text}", near_by)
    return _judge_unlisted(claim, grounded)


def _of_that_time(claim: Claim, grounded: GroundedCase) -> tuple[AnyFact, ...]:
    """Entries of the year, or the time, that a bare answer names: "Borderline. They told me in 2023."."""
    year, days = claim.attributes.get("year"), claim.attributes.get("duration")
    return tuple(
        g.fact
        for g in grounded.record
        if not isinstance(g.fact, FamilyHistory)
        and (
            (year and year in f"{g.fact.text} {getattr(g.fact, 'since', '')} {getattr(g.fact, 'when', '')}")
            or (days and any(abs(float(days) - true) <= _YEAR / 2 for true in times_of(g.fact)))
        )
    )


def _judge_unlisted(claim: Claim, grounded: GroundedCase) -> Ruling:
    """Judge what no fact of the record is: a belief, a feeling, a word in passing, or an invention."""
    if claim.kind == "condition" and (claim.certainty == "belief" or "opinion" in claim.attributes):
        return rule(claim, "unverifiable", "a belief about the illness, not a fact")
    if claim.concept in FEELINGS:
        return rule(claim, "unverifiable", "a feeling")
    if (
        claim.kind == "symptom"
        and claim.concept in _GENERAL
        and not _hurts_elsewhere(claim, grounded)
        and any(isinstance(g.fact, Symptom) for g in grounded.record)
    ):
        return rule(claim, "unverifiable", "too vague to check")
    if claim.concept in _ROUTINE:
        return rule(claim, "unverifiable", "too ordinary to be checked without a result")
    if told := [c for c in concepts_of(claim) if _told(c, claim, grounded)]:
        return rule(claim, "supported", "a detail of what the record holds", grounded.details[told[0]])
    if _SPREADS.search(claim.surface) and (spread := _spreading_to(sites_in(claim.surface), grounded)):
        return rule(claim, "supported", "recorded as where it spreads", spread)
    if _HURTS.search(claim.surface) and (worse := _worse_with(claim.surface, grounded)):
        return rule(claim, "supported", "recorded as what makes it worse", worse)
    if "asked" in claim.attributes and (lived := _in_life(claim.attributes["asked"], grounded)):
        return rule(claim, "supported", f"recorded: {lived[0].text}", lived)
    if claim.kind == "procedure" and (placed_in := _as_medicine(claim, grounded)):
        return rule(claim, "supported", f"recorded: {placed_in[0].text}", placed_in)
    if worded := _in_words(claim, grounded):
        return rule(claim, "supported", f"in the words of the record: {worded[0].text}", worded)
    if (made := _MADE_WORSE.get(claim.concept)) and (worse := _worse_with(made, grounded)):
        return rule(claim, "supported", "recorded as what makes it worse", worse)
    return rule(claim, "fabricated", f"the record holds no {_named(claim, grounded)}")


def _hurts_elsewhere(claim: Claim, grounded: GroundedCase) -> bool:
    """True for a pain that is given a place where the record holds no complaint: "an ache deep in my hip"."""
    places = claim.attributes.get("at", "").split()
    if claim.concept != _PAIN or not places:
        return False
    return not any(
        (_is_painful(g.fact) and any(placed(place, g.fact, grounded) for place in places))
        or (_PAIN in g.broader and not _elsewhere(claim, g.fact, grounded))
        for g in grounded.record
        if isinstance(g.fact, Symptom | Condition)
    )


def _is_painful(fact: AnyFact) -> bool:
    return isinstance(fact, Condition) or bool({"pain", "swelling", "skin"} & natures_in(words_of(fact)))


def _named(claim: Claim, grounded: GroundedCase) -> str:
    """What a reader is told was claimed: "are like balloons" is swelling."""
    if asked := claim.attributes.get("asked"):
        return asked
    return grounded.lexicon[claim.concept].name if claim.concept in grounded.lexicon else claim.surface


def _elsewhere(claim: Claim, fact: AnyFact, grounded: GroundedCase) -> bool:
    """True when the claim ties its complaint to another part of the body than the fact does."""
    stated = set(claim.attributes.get("at", "").split())
    recorded = grounded.facts[fact.id]
    # A general name ("a cough" of a weak cough) tells no place of its own.
    placeless = claim.concept in recorded.broader and not getattr(fact, "site", None)
    if claim.concept != recorded.concept and not placeless and claim.concept in grounded.lexicon:
        stated |= set(grounded.lexicon[claim.concept].relations.get("site", ()))
    return elsewhere(stated, fact, grounded)


def _spreading_to(places: frozenset[str], grounded: GroundedCase) -> tuple[AnyFact, ...]:
    return tuple(
        g.fact
        for g in grounded.record
        if isinstance(g.fact, Symptom) and g.fact.radiation and meets(places, sites_in(g.fact.radiation))
    )


def _worse_with(what: str, grounded: GroundedCase) -> tuple[AnyFact, ...]:
    named = conditions_in(what)
    return tuple(
        g.fact
        for g in grounded.record
        if isinstance(g.fact, Symptom) and named & conditions_in(" | ".join(g.fact.aggravating))
    )


def _told(concept: str, claim: Claim, grounded: GroundedCase) -> bool:
    """True for what the record says in passing, of that place; the effects of an allergen are no complaint."""
    told = grounded.details.get(concept)
    if not told:
        return told is not None
    stated = claim.attributes.get("at", "").split()
    return any(not isinstance(fact, Allergy) and not elsewhere(stated, fact, grounded) for fact in told)


def _in_words(claim: Claim, grounded: GroundedCase) -> tuple[AnyFact, ...]:
    """Facts whose own words hold all that the claim says, whatever concept the tables take it for."""
    said = _as_regular(content_stems(claim.surface)) - _LIGHT
    if not said or "asked" in claim.attributes:
        return ()
    name = (
        _as_regular(content_stems(grounded.lexicon[claim.concept].name)) if claim.concept in grounded.lexicon else set()
    )
    kinds: tuple[str, ...] = ("symptom", "condition", "procedure", "test", "treatment")
    stated = claim.attributes.get("at", "").split()
    if "allerg" in claim.surface.lower():
        kinds, said = ("allergy",), {s for s in said if not s.startswith("allerg")}
        return tuple(
            g.fact for g in grounded.record if g.fact.kind in kinds and said & set(content_stems(words_of(g.fact)))
        )
    return tuple(
        g.fact
        for g in grounded.record
        if g.fact.kind in kinds
        and not elsewhere(stated, g.fact, grounded)
        and (
            said <= (told := _as_regular(content_stems(_ABSENT.sub(" ", words_of(g.fact)))))
            or (len(name) > 1 and name <= told)
        )
    )


def _as_medicine(claim: Claim, grounded: GroundedCase) -> tuple[AnyFact, ...]:
    """Entries of the device that a procedure puts in, where the record lists it among medicines or habits."""
    said = _as_regular(content_stems(f"{claim.surface} {_named(claim, grounded)}")) & _PUT_IN
    return tuple(
        g.fact
        for g in grounded.record
        if isinstance(g.fact, Medication | SocialHistory) and said & _as_regular(content_stems(words_of(g.fact)))
    )


def _in_life(asked: str, grounded: GroundedCase) -> tuple[AnyFact, ...]:
    """Circumstances that tell of what was asked after: "pulled a tick off his thigh" of tick bites."""
    said = _as_regular(content_stems(asked))
    return tuple(
        g.fact
        for g in grounded.record
        if isinstance(g.fact, SocialHistory)
        and g.fact.aspect in _OF_LIFE
        and 2 * len(said & _as_regular(content_stems(_ABSENT.sub(" ", g.fact.text)))) >= len(said) > 0
    )


def _as_regular(stems: Iterable[str]) -> set[str]:
    return {IRREGULAR.get(s, s) for s in stems}


def judge_denial(claim: Claim, grounded: GroundedCase, facts: tuple[AnyFact, ...], noise: NoiseProfile) -> Ruling:
    """Judge a denial: right about what is not there, permitted about what shames, fabricated otherwise."""
    # Denying what is broader than a recorded fact denies that fact; denying what is narrower does not.
    denied = tuple(f for f in facts if any(c in grounded.facts[f.id].broader for c in concepts_of(claim)))
    what = claim.attributes.get("asked", claim.surface)
    if not denied:
        return rule(claim, "supported", f"the record holds no {what}, so denying it is right")
    if "others" in claim.attributes and claim.kind == "symptom":
        return rule(claim, "supported", "denies others than those that are recorded", denied)
    volunteered = "asked" not in claim.attributes and "at" not in claim.attributes
    if claim.concept in _GENERAL and ("of" in claim.attributes or (volunteered and _HURT.fullmatch(claim.surface))):
        return rule(claim, "unverifiable", "denied of what was just named", denied)
    if any(
        re.search(rf"\b(?:no|without|not) {re.escape(what.lower())}\b", words_of(g.fact).lower())
        for g in grounded.record
    ):
        return rule(claim, "supported", f"the record itself says no {what}", denied)
    if "now" in claim.attributes and all(_COMES_AND_GOES.search(words_of(f)) for f in denied):
        return rule(claim, "unverifiable", "says how it is at the moment", denied)
    if claim.certainty == "hedged" and claim.concept in _GENERAL:
        return rule(claim, "unverifiable", "only the word is denied", denied)
    if noise.social_cultural and all(stigmatised(f, grounded) for f in denied):
        return rule(claim, "unverifiable", "withheld for shame, which the noise profile permits", denied)
    return rule(claim, "fabricated", f"denies what the record holds: {denied[0].text}", denied, "unjustified_denial")


def _judge_details(claim: Claim, facts: tuple[AnyFact, ...], noise: NoiseProfile) -> Ruling:
    reason = ""
    for fact in facts:
        reason = wrong_detail(claim, fact, noise)
        if not reason:
            return rule(claim, "supported", f"recorded: {fact.text}", (fact,))
    return rule(claim, "fabricated", reason, facts)


def judge_onset(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:
    """Judge a time that belongs to no named complaint."""
    stated, vague = float(claim.attributes["ago"]), "vague" in claim.attributes
    timed = [g.fact for g in grounded.record if isinstance(g.fact, Symptom) and times_of(g.fact)]
    if not timed:
        return rule(claim, "unverifiable", "the record gives no times")
    asked = claim.attributes.get("of", "").split()
    if about := tuple(f for f in timed if any(in_line(c, grounded.facts[f.id], grounded) for c in asked)):
        if all(wrong := [wrong_time(stated, f, noise, vague=vague) for f in about]):
            return rule(claim, "fabricated", wrong[0], about)
        timed = list(about)
    said = claim.surface.lower()
    if said.startswith("since") and (
        told := tuple(g.fact for g in grounded.record if said in words_of(g.fact).lower())
    ):
        return rule(claim, "supported", "in the words of the record", told[:1])
    others = (g.fact for g in grounded.record if not isinstance(g.fact, Symptom))
    agreeing = tuple(f for f in timed if not wrong_time(stated, f, noise, vague=vague))
    if found := (*agreeing, *(f for f in others if any(near(stated, t, noise, vague=vague) for t in times_of(f)))):
        return rule(claim, "supported", "agrees with a recorded time", found[:1])
    return rule(claim, "fabricated", "agrees with no time in the record", tuple(timed[:1]))
