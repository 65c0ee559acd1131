"""A doctor's summing-up against what the patient knows: what is wrong in it is put right, not nodded through.

The recap is heard as if the patient had said it, and judged as the patient's own words are: whatever the verifier can
tell from the record, the patient can tell the doctor.
"""

import re
from collections.abc import Iterator

from bedside.cases.fact import Allergy, AnyFact, Condition, FamilyHistory, Medication, Procedure, SocialHistory, Symptom
from bedside.cases.noise import NoiseProfile
from bedside.envs.retelling import to_first_person
from bedside.envs.speech.grammar import with_article
from bedside.envs.speech.plan import Plan, Say
from bedside.envs.speech.record import Record
from bedside.verifier.claim import Claim
from bedside.verifier.claims.extraction import extract_claims
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.judgment.rules import judge
from bedside.verifier.verdict import Judgment

__all__ = ["corrections"]

# "You don't take any pills, and your mother had diabetes": the second clause is not denied with the first.
_CLAUSE = re.compile(
    r"[.;:?!]+(?:\s+|$)|(?:,\s*(?:and |but |so |that )?|\s(?:and|but|that) )"
    r"(?=(?:you(?:r|'re|'ve|'d)?|an?|it|the|there|they|no|not|without|he|she)\b)",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"(?<![\s,])[\s,]++(?:(?:is|was) (?:that|this) (?:right|correct|true|so|it|accurate)|am i right|"
    r"(?:did|have) i \w+ (?:that|this|it)(?: right| correctly| straight)?|right|correct|yes|true|yeah)\W*$",
    re.IGNORECASE,
)
_MEDICINES = re.compile(r"\b(?:pills?|medicines?|medications?|tablets?|meds)\b", re.IGNORECASE)
_TAKES = re.compile(r"\b(?:take|takes|taking|on|use|using)\b", re.IGNORECASE)
_NOT = re.compile(r"\b(?:no|not|never|nothing|none|without)\b|n't\b", re.IGNORECASE)
_TIMES = ("ago", "duration", "since", "year", "ago_days")
_PAIN = "sx:pain"
_MOST = 3
"""Corrections in one answer; who hears more wrong than that says so and leaves it there."""


def corrections(heard: str, record: Record, noise: NoiseProfile) -> Plan:
    """Say what is wrong in a recap.

    Args:
        heard: The doctor's words.
        record: What is true.
        noise: What this patient bends itself, it does not object to: a blurred time, a habit that it has denied.

    Returns:
        Corrections, the most a short answer holds; nothing where nothing is wrong.
    """
    found: list[Say] = []
    holds = False
    for clause in _clauses(heard):
        judged = [j for claim in extract_claims(clause, record.grounded) if (j := _judged(claim, record, noise))]
        holds = holds or any(j.label == "supported" for j in judged)
        wrong = [_correction(j, record) for j in judged if j.label == "fabricated" or _painless(j, record)]
        wrong += _of_medicines(clause, record) if not judged else ()
        found += [say for say in wrong if say not in found]
    if not found:
        return ()
    told = (Say("phrase", attribute="recap.no", core=False), *found[:_MOST])
    return (*told, Say("phrase", attribute="recap.rest", core=False)) if holds else told


def _clauses(heard: str) -> Iterator[str]:
    """The recap's clauses in the patient's own person."""
    for part in _CLAUSE.split(_TAG.sub("", heard.strip())):
        if part and re.search(r"\w", part):
            yield f"{to_first_person(_TAG.sub('', part)).strip(' ,')}."


def _judged(claim: Claim, record: Record, noise: NoiseProfile) -> Judgment | None:
    """Judge what the recap says of the patient; not what it says of the illness, which the patient cannot know."""
    ruling = judge(claim, record.grounded, noise)
    return None if ruling.violation == "diagnosis_leak" or claim.certainty == "belief" else ruling.judgment


def _correction(judged: Judgment, record: Record) -> Say:
    claim = judged.claim
    facts = [record.grounded.facts[i].fact for i in judged.evidence if i in record.grounded.facts]
    if facts:
        return _told(facts[0], claim)
    name = _name(claim, record.grounded)
    if claim.denied:
        return Say("phrase", attribute="recap.wrong")
    if claim.experiencer != "patient":
        return Say("phrase", attribute="recap.family", words=name)
    match claim.kind:
        case "symptom":
            return Say("phrase", attribute="deny.named", words=name)
        case "medication" | "drug_class" | "regimen":
            return Say("phrase", attribute="recap.drug", words=claim.surface.lower())
        case "allergy":
            return Say("phrase", attribute="recap.allergy", words=claim.surface.lower())
        case "condition" | "procedure":
            return Say("phrase", attribute="recap.never", words=with_article(name))
    return Say("phrase", attribute="recap.wrong")


def _painless(judged: Judgment, record: Record) -> bool:
    """True for "you have pain" said to somebody whose record knows of none; the verifier lets so vague a word pass."""
    claim = judged.claim
    if claim.concept != _PAIN or claim.denied or claim.experiencer != "patient" or judged.label != "unverifiable":
        return False
    return not any(_PAIN in known.broader for known in record.grounded.record)


def _told(fact: AnyFact, claim: Claim) -> Say:
    """What is so, in place of what was said: the fact where it was denied, the detail where that was wrong."""
    match fact:
        case Symptom():
            return _symptom(fact, claim)
        case Condition():
            return Say("condition", fact)
        case Medication():
            dosed = not claim.denied and (fact.dose or fact.frequency)
            return Say("dose", fact) if dosed else Say("drugs", fact, "drugs.list")
        case Allergy():
            return Say("allergy", fact)
        case FamilyHistory():
            return Say("relative", fact)
        case SocialHistory():
            return Say("social", fact)
        case Procedure():
            return Say("procedure", fact)
    return Say("phrase", attribute="recap.wrong")


def _symptom(fact: Symptom, claim: Claim) -> Say:
    said = claim.attributes
    if not claim.denied and not said.keys().isdisjoint(_TIMES) and (fact.onset or fact.duration):
        return Say("detail", fact, "onset" if fact.onset else "duration")
    if not claim.denied and "severity" in said and fact.severity is not None:
        return Say("detail", fact, "severity")
    if not claim.denied and said.keys() & {"at", "side"} and fact.site:
        return Say("detail", fact, "site")
    return Say("affirm", fact, "recap.do")


def _of_medicines(clause: str, record: Record) -> list[Say]:
    """Set right "you take pills" of who takes none, and "no medicines" of who does."""
    if not (_MEDICINES.search(clause) and (_TAKES.search(clause) or _NOT.search(clause))):
        return []
    if _NOT.search(clause):
        return [Say("drugs", fact, "drugs.list") for fact in record.medications]
    return [] if record.medications else [Say("phrase", attribute="drugs.none")]


def _name(claim: Claim, grounded: GroundedCase) -> str:
    """What was named, as a thing that one has: "been coughing" is a cough."""
    if claim.concept not in grounded.lexicon:
        return claim.surface.lower()
    concept = grounded.lexicon[claim.concept]
    return concept.lay[0] if claim.kind == "procedure" and concept.lay else concept.name
