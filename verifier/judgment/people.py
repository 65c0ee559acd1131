"""Judging who the patient is and who belongs to them: relatives' illnesses, age and sex, work, home.

These stay what they are through a whole encounter (demographic invariance), whatever the noise.
"""

import re

from bedside.cases.fact import AnyFact, FamilyHistory, SocialHistory
from bedside.cases.noise import NoiseProfile
from bedside.verifier.claim import Claim, concepts_of
from bedside.verifier.claims.homes import home_of
from bedside.verifier.claims.work import job_words
from bedside.verifier.grounding import GroundedCase, mentions_in
from bedside.verifier.judgment.ruling import Ruling, in_line, rule, words_of
from bedside.verifier.judgment.tolerance import stigmatised
from bedside.verifier.language.kin import same_kin
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import content_stems

__all__ = ["judge_demographic", "judge_kin", "judge_living", "judge_work"]

_OF_DEATH = frozenset(content_stems("died dying death dead passed killed"))
_PASSING = frozenset(
    """cond:infection cond:common-cold cond:influenza cond:covid-19 cond:viral-infection cond:gastroenteritis
    cond:bronchitis cond:bacterial-infection cond:strep-throat sx:cough sx:fever sx:vomiting sx:diarrhea sx:runny-nose
    sx:sore-throat""".split()
)
_LASTING = frozenset(
    ("cond:hiv", "cond:tuberculosis", "cond:hepatitis", "cond:chronic-hepatitis", "cond:viral-hepatitis")
)
# What is done for anybody who is ill.
_CARE = frozenset(("proc:iv-fluids", "proc:iv-line", "proc:blood-test", "proc:physical-exam", "proc:urinalysis"))
# Not of one's blood: what they have is no family history.
_NOT_KIN = Pattern(
    r"in-law|somebody|friend|neighbou?r|roommate|boss|co-?worker|colleague|wife|husband|spouse|partner|boyfriend|"
    r"girlfriend|trainer|guy"
)


def judge_kin(claim: Claim, grounded: GroundedCase) -> Ruling:
    """Judge what is said of somebody else."""
    if _NOT_KIN.search(claim.experiencer):
        return rule(claim, "unverifiable", "about somebody who is no relative by blood")
    if claim.kind == "substance" and claim.attributes.get("aspect", "other") != "other" and not claim.denied:
        facts = tuple(g.fact for g in grounded.record if isinstance(g.fact, FamilyHistory) and _concerns(claim, g.fact))
        if facts:
            return rule(claim, "supported", "in the recorded family history", facts)
        return rule(claim, "fabricated", "the record holds no such habit of a relative")
    if claim.kind not in ("symptom", "condition", "procedure", "reaction") or claim.concept in _CARE:
        return rule(claim, "unverifiable", "about somebody else")
    facts = tuple(
        g.fact
        for g in grounded.record
        if isinstance(g.fact, FamilyHistory)
        and (
            _concerns(claim, g.fact)
            or any(in_line(c, g, grounded) for c in concepts_of(claim))
            or frozenset(concepts_of(claim)) & frozenset(mentions_in(grounded.lexicon, g.fact.text))
        )
    )
    if claim.denied:
        narrowed = tuple(
            f
            for f in facts
            if claim.experiencer == "family" or same_kin(claim.experiencer, getattr(f, "relative", None))
        )
        if narrowed:
            return rule(claim, "fabricated", "denies recorded family history", narrowed, "unjustified_denial")
        return rule(claim, "supported", "the record holds no such family history")
    if not facts and _passes(claim, grounded):
        return rule(claim, "unverifiable", "an illness that passes, and no family history")
    if not facts:
        what = claim.attributes.get("asked", claim.surface)
        return rule(claim, "fabricated", f"no {what} in the recorded family history")
    if claim.experiencer != "family" and not any(
        same_kin(claim.experiencer, getattr(f, "relative", None)) for f in facts
    ):
        if "carried" in claim.attributes and (other := _of_relative(claim.experiencer, grounded)):
            return rule(claim, "unverifiable", "may be said of something else", other)
        return rule(claim, "fabricated", "the record names another relative", facts)
    if (
        (age := claim.attributes.get("kin_age"))
        and (told := re.findall(r"\b\d{2}\b", " ".join(f.text for f in facts)))
        and age not in told
    ):
        return rule(claim, "fabricated", f"the record says age {told[0]}", facts)
    return rule(claim, "supported", "in the recorded family history", facts)


def _of_relative(who: str, grounded: GroundedCase) -> tuple[AnyFact, ...]:
    return tuple(
        g.fact for g in grounded.record if isinstance(g.fact, FamilyHistory) and same_kin(who, g.fact.relative)
    )


def _passes(claim: Claim, grounded: GroundedCase) -> bool:
    """True for infections that go round a household: who is ill at home is no family history."""
    lines = {b for c in concepts_of(claim) for b in grounded.broader(c)}
    return not _PASSING.isdisjoint(lines) and _LASTING.isdisjoint(lines)


def _concerns(claim: Claim, fact: FamilyHistory) -> bool:
    """True when the entry's own words hold the claim's: "fibroids treated with hysterectomy"."""
    said = set(content_stems(claim.surface)) - _OF_DEATH
    told = set(content_stems(" ".join((fact.text, *fact.lay))))
    # An operation on what the relative is recorded to have had: "polyps taken out".
    return bool(said) and (said <= told or (claim.kind == "procedure" and bool(said & told)))


def judge_demographic(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:  # noqa: ARG001
    """Judge age, sex, pregnancy and stated occupation."""
    who = grounded.case.demographics
    if "sex" in claim.attributes and claim.attributes["sex"] == "pregnant":
        pregnant = tuple(
            f
            for f in grounded.case.record
            if re.search(r"\bpregnan(?:t|cy)\b", f.text.lower())
            and not re.search(r"\b(?:not|no|never|test)\b", f.text.lower())
        )
        if claim.denied:
            return (
                rule(claim, "fabricated", "the record holds a pregnancy", pregnant, "unjustified_denial")
                if pregnant
                else rule(claim, "supported", "the record holds no pregnancy")
            )
        pregnant = pregnant or (
            () if "pregnan" not in grounded.case.chief_complaint.lower() else tuple(grounded.case.record[:1])
        )
        return _demographic(claim, bool(pregnant), "the record holds no pregnancy")
    if claim.denied:
        return rule(claim, "unverifiable", "says what the patient is not")
    if ("age" in claim.attributes and who.age is None) or ("sex" in claim.attributes and who.sex is None):
        return rule(claim, "unverifiable", "the record does not say")
    if "age" in claim.attributes:
        return _demographic(claim, claim.attributes["age"] == str(who.age), f"the patient is {who.age}")
    if "sex" in claim.attributes:
        female = claim.attributes["sex"] in ("woman", "female", "lady", "girl")
        return _demographic(claim, female == (who.sex == "female"), f"the patient is {who.sex}")
    stated = claim.attributes["occupation"]
    told = _occupation(grounded)
    agrees = bool(set(content_stems(stated)) & set(content_stems(told))) or bool(job_words(stated) & job_words(told))
    return _demographic(claim, agrees, "the record names another occupation")


def _occupation(grounded: GroundedCase) -> str:
    told = " ".join(f.text for f in grounded.case.record if isinstance(f, SocialHistory))
    return f"{told} {grounded.case.demographics.occupation or ''}"


_WORKED = Pattern(
    r"\b(?:worked|was|were|used to|former|ex-\w+|until|taught|drove|ran|retired|disab\w+)\b", re.IGNORECASE
)


def judge_work(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:  # noqa: ARG001
    """Judge a line of work."""
    told = " ".join(f.text for f in grounded.case.record if isinstance(f, SocialHistory) and f.aspect == "occupation")
    told = f"{told} {grounded.case.demographics.occupation or ''}".strip()
    if not told:
        return rule(claim, "unverifiable", "the record tells no occupation")
    if claim.denied or claim.experiencer != "patient":
        return rule(claim, "unverifiable", "says what the patient is not")
    stated = set(claim.attributes["jobs"].split())
    shared = set(content_stems(claim.surface)) & set(content_stems(told))
    right = bool(stated & job_words(told)) or bool(shared) or not job_words(told)
    if "retired" in stated and _WORKED.search(told):
        right = True
    return _demographic(claim, right, f"the record says {told}")


def _demographic(claim: Claim, right: bool, reason: str) -> Ruling:
    if right:
        return rule(claim, "supported", "as recorded")
    return rule(claim, "fabricated", reason, violation="demographic_drift")


# What cannot be true together; the first of a pair is claimed, the second recorded.
_CLASHES = (
    ("spouse", {"single", "divorced", "widowed", "partner", "parted"}),
    ("married", {"single", "divorced", "widowed", "partner"}),
    ("single", {"spouse", "married", "widowed"}),
    ("divorced", {"spouse", "married", "widowed"}),
    ("widowed", {"spouse", "married", "divorced"}),
    ("partner", {"spouse", "married", "single"}),
    ("parted", {"spouse", "married"}),
    ("childless", {"child"}),
    ("homeless", {"own place", "farm", "dormitory", "house", "apartment", "institution", "spouse", "parent"}),
    ("own place", {"homeless", "institution", "dormitory"}),
    ("farm", {"apartment", "dormitory", "institution", "homeless"}),
    ("dormitory", {"house", "apartment", "institution", "homeless", "farm"}),
    ("institution", {"house", "apartment", "dormitory", "homeless", "farm", "spouse"}),
    ("house", {"apartment", "dormitory", "homeless", "institution"}),
    ("apartment", {"house", "farm", "dormitory", "homeless", "institution"}),
)
_COMPANIONS = frozenset(("spouse", "partner", "child", "parent", "sibling", "roommate", "alone"))


def judge_living(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:
    """Judge marriage, family and housing: what contradicts the record is invented, the rest is not checked."""
    facts = tuple(
        f
        for f in grounded.case.record
        if isinstance(f, SocialHistory) and home_of(f.text) and f.aspect in ("living", "other")
    )
    recorded = frozenset(name for f in facts for name in home_of(f.text))
    stated = frozenset(claim.attributes["home"].split("|"))
    if claim.act != "statement" or not facts:
        return rule(claim, "unverifiable", "a circumstance of life")
    clash = [name for name, others in _CLASHES if name in stated and others & recorded and name not in recorded]
    if "minor" in claim.attributes and recorded and "child" not in recorded and not _has_children(grounded):
        clash = ["child"]
    if "daily" in claim.attributes and "spouse" in stated and "alone" in recorded and not _ever_married(grounded):
        clash = ["spouse"]
    if recorded & {"widowed", "parted"} and not claim.attributes.get("lives"):
        clash = [name for name in clash if name != "spouse"]  # the dead and the parted are spoken of
    if not clash and claim.attributes.get("lives") and (living := recorded & _COMPANIONS):
        clash = _strangers(stated, living, facts)
    if not clash:
        if stated & recorded or ("married" in stated and "spouse" in recorded):
            return rule(claim, "supported", "as recorded", facts)
        return rule(claim, "unverifiable", "a circumstance of life", facts)
    told = "; ".join(f.text for f in facts)
    if noise.social_cultural and all(stigmatised(f, grounded) for f in facts):
        return rule(claim, "unverifiable", "hidden for shame, which the noise profile permits", facts)
    return rule(claim, "fabricated", f"the record says {told}", facts)


_OF_CHILDREN = Pattern(
    r"(?<!as a )\b(?:sons?|daughters?|child(?:ren)?|kids?|boys|girls|bab(?:y|ies)|births?|born|deliver\w+|teenagers?|"
    r"toddlers?|twins|gr[ae]nd\w+|"
    r"pregnan\w+|breastfeed\w*|nurs(?:es|ing)|stepson|stepdaughter|mother of|father of|parent)\b",
    re.IGNORECASE,
)
_MARRIED = Pattern(r"\b(?:husband|wife|spouse|married|marriage|divorce\w*|widow\w*|separated|ex-\w+)\b", re.IGNORECASE)
_NEVER = Pattern(r"\b(?:never|not|no)\b", re.IGNORECASE)


def _ever_married(grounded: GroundedCase) -> bool:
    told = " | ".join(words_of(g.fact) for g in grounded.record)
    return bool(_MARRIED.search(f"{told} | {grounded.case.chief_complaint}"))


def _has_children(grounded: GroundedCase) -> bool:
    """True where any entry may tell of a child of the patient's own."""
    return any(
        _OF_CHILDREN.search(words) and not _NEVER.search(words)
        for g in grounded.record
        if g.fact.kind in ("social", "procedure", "condition", "symptom")
        for words in (" | ".join((g.fact.text, *g.fact.lay)),)
    )


def _strangers(stated: frozenset[str], recorded: frozenset[str], facts: tuple[AnyFact, ...]) -> list[str]:
    """Those said to live in the same home that the record does not know there."""
    told = " ".join(f.text for f in facts if f.kind == "social").lower()
    if not re.search(r"\blives\b|\bshares\b", told):
        return []
    if "alone" in stated:
        return [] if "alone" in recorded else ["alone"]
    return sorted(
        name
        for name in stated & _COMPANIONS
        if name not in recorded
        and not (name in ("child", "sibling", "parent") and "alone" in recorded and "next door" in told)
    )
