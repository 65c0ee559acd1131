"""Call 2 of the verifier: is a claim supported by the record, fabricated, or beyond checking?

The record is a closed world: what it does not list did not happen. Noise permits what real patients do (vague times,
amplified severity, hiding what is stigmatised) and nothing else.
"""

import re
from typing import NamedTuple

from bedside.cases.fact import Allergy, AnyFact, Condition, FamilyHistory, Medication, SocialHistory, Symptom
from bedside.cases.noise import NoiseProfile
from bedside.verifier.claim import Claim
from bedside.verifier.grounding import GroundedCase, GroundedFact
from bedside.verifier.quantities import all_days, canonical_dose, canonical_frequency, canonical_route, same_route
from bedside.verifier.text import content_stems
from bedside.verifier.verdict import Judgment, Label, Violation

__all__ = ["Ruling", "judge"]

STIGMATISED_ASPECTS = frozenset(("alcohol", "tobacco", "drugs", "sexual"))
FEELINGS = frozenset(("sx:anxiety", "sx:irritability"))
# By how much a remembered time may differ from the true one, as a factor, by level of memory noise. A hedge without
# noise still allows ordinary rounding.
_TIME_FACTOR = (1.2, 2.0, 4.0, 8.0, 15.0)
_DECADE = 10 * 365.0
_YEARS_OFF = (0, 1, 2, 4, 8)
# Points on a scale of ten by which emotion may raise a recorded severity.
_AMPLIFIED = (1, 2, 4, 10, 10)
_KIN_BLIND = ("patient",)


class Ruling(NamedTuple):
    """A judgment and the constraint it breaks, if any."""

    judgment: Judgment
    violation: Violation | None = None


def judge(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:
    """Judge one claim of the patient.

    Args:
        claim: From the patient's utterance.
        grounded: The record, including the diagnosis that the patient must not give away.
        noise: What the patient is allowed to bend.

    Returns:
        The ruling, with reason and evidence.
    """
    if claim.act in ("question", "hypothetical"):
        return _rule(claim, "unverifiable", "asked or supposed, not asserted")
    if claim.act == "instruction" and (claim.denied or claim.kind not in ("medication", "drug_class")):
        return _rule(claim, "unverifiable", "what is to be done, not what is")
    if not claim.denied and frozenset(_concepts(claim)) & grounded.spoken_of:
        return _rule(claim, "supported", "in the plan")
    if claim.experiencer != "patient":
        return _judge_kin(claim, grounded)
    if leak := _leak(claim, grounded):
        return leak
    judges = {
        "demographic": _judge_demographic,
        "onset": _judge_onset,
        "allergy": _judge_allergy,
        "substance": _judge_substance,
        "drug_class": _judge_drug,
        "medication": _judge_drug,
    }
    return judges.get(claim.kind, _judge_finding)(claim, grounded, noise)


def _rule(
    claim: Claim, label: Label, reason: str, facts: tuple[AnyFact, ...] = (), violation: Violation | None = None
) -> Ruling:
    if label == "fabricated" and violation is None:
        violation = "fabrication"
    evidence = tuple(fact.id for fact in facts)
    return Ruling(Judgment(claim=claim, label=label, reason=reason, evidence=evidence), violation)


def _leak(claim: Claim, grounded: GroundedCase) -> Ruling | None:
    named = claim.concept in grounded.diagnosis and not any(
        g.concept == claim.concept for g in grounded.record
    )
    if not named or claim.denied:
        return None
    if claim.certainty != "certain":
        return _rule(claim, "unverifiable", "a belief about the illness, not a fact")
    return _rule(claim, "fabricated", "states the hidden diagnosis as a fact", violation="diagnosis_leak")


def _concepts(claim: Claim) -> tuple[str, ...]:
    return (claim.concept, *claim.attributes.get("also", "").split())


def _matching(claim: Claim, grounded: GroundedCase, kinds: tuple[type, ...]) -> tuple[GroundedFact, ...]:
    """Facts that the claim renders: the same concept, or one in its line of broader and narrower ones."""
    claimed = _concepts(claim)
    found = []
    for known in grounded.record:
        if not isinstance(known.fact, kinds):
            continue
        for concept in claimed:
            if known.concept == concept or concept in known.broader or known.concept in grounded.broader(concept):
                found.append(known)
                break
    return tuple(found)


def _judge_finding(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:
    """Symptoms, conditions and procedures."""
    kinds = (Symptom, Condition) if claim.kind in ("symptom", "condition") else ()
    known = tuple(
        g for g in _matching(claim, grounded, kinds or (object,)) if kinds or g.fact.kind in ("procedure", "test", "treatment")
    )
    facts = tuple(g.fact for g in known)
    if claim.denied or claim.time == "past" and claim.denied:
        return _judge_denial(claim, grounded, facts, noise)
    if not facts:
        if claim.certainty == "belief" and claim.kind == "condition":
            return _rule(claim, "unverifiable", "a belief about the illness, not a fact")
        if claim.concept in FEELINGS:
            return _rule(claim, "unverifiable", "a feeling")
        if claim.kind == "symptom" and _too_general(claim, grounded):
            return _rule(claim, "unverifiable", "too vague to check")
        if told := [c for c in _concepts(claim) if c in grounded.details]:
            return _rule(claim, "supported", "a detail of what the record holds", grounded.details[told[0]])
        return _rule(claim, "fabricated", f"the record holds no {claim.surface}")
    return _judge_details(claim, facts, noise)


def _too_general(claim: Claim, grounded: GroundedCase) -> bool:
    """Words such as "sick" or "pain" that every record with any complaint bears out."""
    return claim.concept in ("sx:malaise", "sx:unwell", "sx:pain", "sx:discomfort", "sx:worsening-symptoms") and any(
        isinstance(g.fact, Symptom) for g in grounded.record
    )


def _judge_denial(claim: Claim, grounded: GroundedCase, facts: tuple[AnyFact, ...], noise: NoiseProfile) -> Ruling:
    # Denying what is broader than a recorded fact denies that fact; denying what is narrower does not.
    denied = tuple(f for f in facts if any(c in grounded.facts[f.id].broader for c in _concepts(claim)))
    if not denied:
        return _rule(claim, "supported", f"the record holds no {claim.surface}, so denying it is right")
    if noise.social_cultural and all(stigmatised(f, grounded) for f in denied):
        return _rule(claim, "unverifiable", "withheld for shame, which the noise profile permits", denied)
    return _rule(claim, "fabricated", "denies what the record holds", denied, "unjustified_denial")


def stigmatised(fact: AnyFact, grounded: GroundedCase) -> bool:
    """True for facts that people hide for shame."""
    if isinstance(fact, SocialHistory):
        return fact.aspect in STIGMATISED_ASPECTS
    concept = grounded.facts[fact.id].concept
    return concept in grounded.lexicon and bool(grounded.lexicon[concept].relations.get("stigma"))


def _judge_details(claim: Claim, facts: tuple[AnyFact, ...], noise: NoiseProfile) -> Ruling:
    reason = ""
    for fact in facts:
        reason = _wrong_detail(claim, fact, noise)
        if not reason:
            return _rule(claim, "supported", "in the record", (fact,))
    return _rule(claim, "fabricated", reason, facts)


def _wrong_detail(claim: Claim, fact: AnyFact, noise: NoiseProfile) -> str:
    """Say which stated detail disagrees with the fact; empty when none does."""
    details = claim.attributes
    if "year" in details and (true := _year(fact)) is not None:
        off = abs(int(details["year"]) - true)
        if off > _YEARS_OFF[noise.memory_recall]:
            return f"the record says {true}, not {details['year']}"
    if isinstance(fact, Symptom):
        for name in ("ago", "duration"):
            if name in details and (problem := _wrong_time(float(details[name]), fact, noise)):
                return problem
        stated = details.get("severity") or (details.get("severity_word") if details.get("severity_word") == "9" else None)
        if stated and fact.severity is not None and float(stated) - fact.severity > _AMPLIFIED[noise.emotional_state]:
            return f"the record says {fact.severity} out of 10"
        if details.get("side") in ("left", "right") and fact.site:
            opposite = "right" if details["side"] == "left" else "left"
            text = f"{fact.text} {fact.site}".lower()
            if opposite in text and details["side"] not in text:
                return f"the record says {fact.site}"
    return ""


def _year(fact: AnyFact) -> int | None:
    match = re.search(r"\b(?:19|20)\d\d\b", str(getattr(fact, "since", None) or getattr(fact, "when", None) or ""))
    return int(match.group()) if match else None


def _wrong_time(stated: float, fact: Symptom, noise: NoiseProfile) -> str:
    # "4 months ago, worse for 2 weeks" records two times.
    times = [t for text in (fact.onset, fact.duration, fact.timing) if text for t in all_days(text)]
    if not times:
        return ""
    if any(_near(stated, true, noise) for true in times):
        return ""
    return f"the record says {fact.onset or fact.duration}"


def _near(stated: float, true: float, noise: NoiseProfile) -> bool:
    factor = _TIME_FACTOR[noise.memory_recall]
    low, high = sorted((max(stated, 1e-4), max(true, 1e-4)))
    return high / low <= factor and high - low < _DECADE


def _judge_onset(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:
    stated = float(claim.attributes["ago"])
    timed = [g.fact for g in grounded.record if isinstance(g.fact, Symptom) and (g.fact.onset or g.fact.duration)]
    if not timed:
        return _rule(claim, "unverifiable", "the record gives no times")
    agreeing = tuple(f for f in timed if not _wrong_time(stated, f, noise))
    if agreeing:
        return _rule(claim, "supported", "agrees with a recorded time", agreeing[:1])
    return _rule(claim, "fabricated", "agrees with no time in the record", tuple(timed[:1]))


def _judge_kin(claim: Claim, grounded: GroundedCase) -> Ruling:
    if claim.kind not in ("symptom", "condition", "procedure"):
        return _rule(claim, "unverifiable", "about somebody else")
    known = [g for g in grounded.record if isinstance(g.fact, FamilyHistory)]
    facts = tuple(
        g.fact
        for g in known
        if any(c == g.concept or c in g.broader or g.concept in grounded.broader(c) for c in _concepts(claim))
    )
    if claim.denied:
        if facts:
            return _rule(claim, "fabricated", "denies recorded family history", facts, "unjustified_denial")
        return _rule(claim, "supported", "the record holds no such family history")
    if not facts:
        return _rule(claim, "fabricated", f"no {claim.surface} in the recorded family history")
    if claim.experiencer != "family" and not any(_same_relative(claim.experiencer, f) for f in facts):
        return _rule(claim, "fabricated", "the record names another relative", facts)
    return _rule(claim, "supported", "in the recorded family history", facts)


_RELATIVE_NAMES = {"mom": "mother", "mum": "mother", "mama": "mother", "dad": "father", "papa": "father",
                   "grandma": "grandmother", "granny": "grandmother", "nana": "grandmother", "grandpa": "grandfather"}  # fmt: skip


def _same_relative(named: str, fact: AnyFact) -> bool:
    relative = (getattr(fact, "relative", None) or "").lower()
    name = _RELATIVE_NAMES.get(named, named)
    return not relative or name in relative or name.rstrip("s") in relative or name in ("parent", "parents")


def _judge_drug(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:
    facts = tuple(
        g.fact
        for g in grounded.record
        if isinstance(g.fact, Medication) and any(_renders(c, g, grounded) for c in _concepts(claim))
    )
    if (claim.denied or claim.time == "past") and any(f.change == "stopped" for f in facts):
        return _rule(claim, "supported", "stopped according to the plan", facts)
    if claim.denied:
        return _judge_denial(claim, grounded, facts, noise) if claim.kind == "medication" or facts else _rule(
            claim, "supported", f"the record holds no {claim.surface}"
        )
    # "Vapes nicotine", "antacids help": no medicine on the list, but told by the record.
    told = tuple(f for f in grounded.details.get(claim.concept, ()) if not isinstance(f, Allergy))
    if not facts and told:
        return _rule(claim, "supported", "a detail of what the record holds", told)
    if not facts:
        return _rule(claim, "fabricated", f"the record lists no {claim.surface}")
    if claim.time == "past":
        return _rule(claim, "fabricated", f"the record lists {facts[0].text} as taken now", facts)
    reason = ""
    for fact in facts:
        reason = _wrong_regimen(claim, fact)
        if not reason:
            return _rule(claim, "supported", "takes it according to the record", (fact,))
    return _rule(claim, "fabricated", reason, facts)


def _renders(concept: str, known: GroundedFact, grounded: GroundedCase) -> bool:
    """A drug may be named by itself, by its class, or by what it is for ("my blood pressure pill")."""
    if concept == known.concept or concept in known.broader:
        return True
    if concept not in grounded.lexicon or grounded.lexicon[concept].kind != "drug_class":
        return False
    purposes = grounded.lexicon.treats(known.concept)
    return bool(purposes & frozenset(grounded.lexicon[concept].relations.get("treats", ())))


def _wrong_regimen(claim: Claim, fact: Medication) -> str:
    for name, canonical in (("dose", canonical_dose), ("frequency", canonical_frequency), ("route", canonical_route)):
        stated, recorded = claim.attributes.get(name), getattr(fact, name)
        true = canonical(recorded) if recorded else None
        if name == "route" and stated and true and same_route(stated, true):
            continue
        if stated is None or true is None or stated.split(" as ")[0] == true.split(" as ")[0]:
            continue
        if name == "dose" and stated.split()[-1] != true.split()[-1]:
            continue  # pills against milligrams cannot be compared
        return f"the record says {recorded}"
    return ""


def _judge_allergy(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:
    facts = tuple(g.fact for g in _matching(claim, grounded, (Allergy,)))
    if claim.denied:
        return _judge_denial(claim, grounded, facts, noise)
    # "Dander" of an allergy to "cat dander".
    facts = facts or tuple(f for f in grounded.details.get(claim.concept, ()) if isinstance(f, Allergy))
    if facts:
        return _rule(claim, "supported", "a recorded allergy", facts)
    return _rule(claim, "fabricated", f"no allergy to {claim.surface} in the record")


def _judge_substance(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:
    aspect = (grounded.lexicon[claim.concept].relations.get("aspect") or ("other",))[0] if claim.concept in grounded.lexicon else "other"
    if aspect not in STIGMATISED_ASPECTS:
        return _rule(claim, "unverifiable", "a circumstance of life")
    facts = tuple(g.fact for g in grounded.record if isinstance(g.fact, SocialHistory) and g.fact.aspect == aspect)
    using = tuple(f for f in facts if not _abstains(f.text))
    if claim.denied:
        if not using:
            return _rule(claim, "supported", f"the record holds no use of {aspect}", facts)
        if noise.social_cultural:
            return _rule(claim, "unverifiable", "withheld for shame, which the noise profile permits", using)
        return _rule(claim, "fabricated", f"denies recorded use of {aspect}", using, "unjustified_denial")
    if claim.time == "past":
        former = tuple(f for f in facts if re.search(r"quit|former|used to|stopped|ex-", f.text.lower()))
        label: Label = "supported" if former or using else "fabricated"
        return _rule(claim, label, "use in the past", former or using)
    if using:
        return _rule(claim, "supported", f"recorded use of {aspect}", using)
    return _rule(claim, "fabricated", f"the record holds no use of {aspect}", facts)


def _abstains(text: str) -> bool:
    return bool(re.search(r"\b(?:no|not|never|denies|none|non-?\w*smoker|quit|former|abstain\w*|stopped|sober)\b|n't\b", text.lower()))


def _judge_demographic(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:  # noqa: ARG001
    who = grounded.case.demographics
    if claim.denied:
        return _rule(claim, "unverifiable", "says what the patient is not")
    if ("age" in claim.attributes and who.age is None) or ("sex" in claim.attributes and who.sex is None):
        return _rule(claim, "unverifiable", "the record does not say")
    if "age" in claim.attributes:
        right = claim.attributes["age"] == str(who.age)
        return _demographic(claim, right, f"the patient is {who.age}")
    if "sex" in claim.attributes:
        word = claim.attributes["sex"]
        if word == "pregnant":
            pregnant = any("pregnan" in f.text.lower() for f in grounded.case.record)
            return _demographic(claim, pregnant, "the record holds no pregnancy")
        female = word in ("woman", "female", "lady", "girl")
        return _demographic(claim, female == (who.sex == "female"), f"the patient is {who.sex}")
    stated = set(content_stems(claim.attributes["occupation"]))
    told = " ".join(f.text for f in grounded.case.record if isinstance(f, SocialHistory)) + f" {who.occupation or ''}"
    return _demographic(claim, bool(stated & set(content_stems(told))), "the record names another occupation")


def _demographic(claim: Claim, right: bool, reason: str) -> Ruling:
    if right:
        return _rule(claim, "supported", "as recorded")
    return _rule(claim, "fabricated", reason, violation="demographic_drift")
