"""Judging complaints that no table names: by the part of the body, or by the words they share with the record."""

import re

from bedside.cases.fact import AnyFact, FamilyHistory, SocialHistory
from bedside.cases.noise import NoiseProfile
from bedside.verifier.claim import Claim
from bedside.verifier.claims.complaints import channels_in
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.judgment.places import elsewhere, meets, placed, sites_in
from bedside.verifier.judgment.ruling import Ruling, rule, words_of
from bedside.verifier.language.happenings import HAPPENINGS
from bedside.verifier.language.natures import natures_in
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import content_stems

__all__ = ["judge_complaint"]

_SHARED = 0.5
# High blood pressure is no blood that was seen.
_OF_BLOOD = Pattern(
    r"\b(?:in|of) (?:the |my )?blood\b|\b(?:rh\W?)?(?:negative|positive) blood\b|"
    r"\bblood (?:fats?|infection|poisoning|cancer|disease|disorder|lipids?)\b|"
    r"\b(?:high|low|bad|thin) blood\b|\bblood is high\b|\b(?:red |white )?blood[ -](?:pressure|sugar|glucose|counts?|"
    r"cells?|"
    r"thinners?|clots?|tests?|vessels?|type|levels?)\b",
    re.IGNORECASE,
)
_HAPPENED = ("symptom", "condition", "procedure", "test", "treatment")
_FRAME_STEMS = frozenset("have had got get feel felt notic been having see saw hear also i ve m".split())
_WHEN = frozenset(
    content_stems("last night day week month year morning evening today yesterday since ago now time start began")
)
_MATTER = {
    "blood": frozenset("blood bloodi bleed bled hemorrhag nosebl clot maroon coffe pink cola".split()),
    "pus": frozenset("pus drain drainag discharg purul pustul ooz abscess boil yellow green goo gunk".split()),
    "injury": frozenset(
        """fell fall bang hit twist injuri injur blow knock bump struck kick accid sprain crash smash slip trip stumbl
        jam wrench roll stub cut drop thrown broke fractur bruis crush""".split()
    ),
    "fluid": frozenset(
        "fluid leak leakag drain drainag discharg drip ooz weep wet pus water runni milk urin saliva drool".split()
    ),
    "slime": frozenset("slime mucus slimi".split()),
    "worms": frozenset("worm".split()),
}


def judge_complaint(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:  # noqa: ARG001
    """Judge a complaint that no table names."""
    if claim.certainty == "belief" or claim.act != "statement" or claim.experiencer != "patient":
        return rule(claim, "unverifiable", "no complaint that is stated")
    told = _told(claim, grounded)
    if told is None:
        return rule(claim, "unverifiable", "too vague to check")
    if told and claim.denied:
        return rule(claim, "unverifiable", "may deny what the record holds", told)
    if told:
        return rule(claim, "supported", f"in the words of the record: {told[0].text}", told)
    if _in_complaint(claim, grounded):
        return rule(claim, "supported", "in the complaint")
    if claim.denied:
        return rule(claim, "supported", "the record holds nothing of the kind")
    return rule(claim, "fabricated", "the record holds nothing of the kind")


def _told(claim: Claim, grounded: GroundedCase) -> tuple[AnyFact, ...] | None:
    """The facts that bear a complaint out; None where it says too little."""
    facts = [g.fact for g in grounded.record if not isinstance(g.fact, SocialHistory | FamilyHistory)]
    if matter := claim.attributes.get("matter"):
        signs = _MATTER["blood" if matter.startswith("blood") else matter]
        told = words_of if matter == "injury" else lambda fact: _names(fact, grounded)
        channel = claim.attributes.get("channel", "")
        return tuple(
            f for f in facts if signs & set(content_stems(_OF_BLOOD.sub(" ", told(f)))) and _from(channel, words_of(f))
        )
    if happening := claim.attributes.get("happening"):
        signs = HAPPENINGS[happening].recorded
        return tuple(f for f in facts if f.kind in _HAPPENED and signs & set(content_stems(words_of(f))))
    if site := claim.attributes.get("site"):
        wrong = claim.attributes["wrong"]
        natures = natures_in(wrong)
        here = tuple(f for f in facts if f.kind in ("symptom", "condition", "procedure") and placed(site, f, grounded))
        return tuple(f for f in here if not natures or natures & natures_in(_names(f, grounded)))
    said = _said(claim)
    if not said:
        return None
    stated = sites_in(claim.surface)
    return tuple(
        f
        for f in facts
        if len(said & set(content_stems(words_of(f)))) >= _SHARED * len(said) and not elsewhere(stated, f, grounded)
    )


def _from(channel: str, told: str) -> bool:
    """True unless what was seen came out another way than an entry tells."""
    ways = channels_in(told)
    return not channel or not ways or channel in ways


def _names(fact: AnyFact, grounded: GroundedCase) -> str:
    """The words of an entry, with all the names of what it is."""
    concept = grounded.facts[fact.id].concept
    forms = grounded.lexicon[concept].forms if concept in grounded.lexicon else ()
    return " | ".join((words_of(fact), *forms))


def _said(claim: Claim) -> set[str]:
    return set(content_stems(claim.surface)) - _FRAME_STEMS - _WHEN


def _in_complaint(claim: Claim, grounded: GroundedCase) -> bool:
    complaint = grounded.case.chief_complaint
    if site := claim.attributes.get("site"):
        natures = natures_in(claim.attributes["wrong"])
        alike = not natures or bool(natures & natures_in(complaint))
        return alike and meets((site,), sites_in(complaint))
    if matter := claim.attributes.get("matter"):
        signs = _MATTER["blood" if matter.startswith("blood") else matter] | {"red"}
        return bool(signs & set(content_stems(complaint))) and _from(claim.attributes.get("channel", ""), complaint)
    if happening := claim.attributes.get("happening"):
        return bool(HAPPENINGS[happening].recorded & set(content_stems(complaint)))
    said = _said(claim)
    return bool(said) and len(said & set(content_stems(complaint))) >= _SHARED * len(said)
