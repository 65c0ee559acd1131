"""Call 2 of the verifier: is a claim supported by the record, fabricated, or beyond checking?

The record is a closed world: what it does not list did not happen. Noise permits what real patients do (vague times,
amplified severity, hiding what is stigmatised) and nothing else. Each kind of claim has a judge of its own.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from bedside.cases.fact import AnyFact
from bedside.cases.noise import NoiseProfile
from bedside.verifier.claim import Claim, concepts_of
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.judgment.allergies import judge_allergy, judge_reaction
from bedside.verifier.judgment.bodily import judge_finding, judge_onset
from bedside.verifier.judgment.complaints import judge_complaint
from bedside.verifier.judgment.episodes import judge_earlier, judge_lasting, judge_often
from bedside.verifier.judgment.habits import judge_habit, judge_substance
from bedside.verifier.judgment.medicines import judge_drug, judge_form, judge_purpose
from bedside.verifier.judgment.operations import judge_operation
from bedside.verifier.judgment.particulars import judge_particular
from bedside.verifier.judgment.people import judge_demographic, judge_kin, judge_living, judge_work
from bedside.verifier.judgment.pursuits import judge_pursuit
from bedside.verifier.judgment.ruling import Ruling, rule
from bedside.verifier.judgment.settings import judge_circumstance
from bedside.verifier.judgment.tolerance import stigmatised, year_of

__all__ = ["Ruling", "judge", "stigmatised"]

Judge = Callable[[Claim, GroundedCase, NoiseProfile], Ruling]

_JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        "demographic": judge_demographic,
        "work": judge_work,
        "living": judge_living,
        "pursuit": judge_pursuit,
        "particular": judge_particular,
        "onset": judge_onset,
        "lasting": judge_lasting,
        "earlier": judge_earlier,
        "often": judge_often,
        "operated": judge_operation,
        "allergy": judge_allergy,
        "reaction": judge_reaction,
        "substance": judge_substance,
        "habit": judge_habit,
        "complaint": judge_complaint,
        "drug_class": judge_drug,
        "medication": judge_drug,
        "regimen": judge_drug,
        "purpose": judge_purpose,
        "form": judge_form,
    }
    | dict.fromkeys(
        ("modifier", "radiation", "quality", "severity", "side", "reading", "result", "visit", "device"),
        judge_circumstance,
    )
)
_NAMED = frozenset(("symptom", "condition", "medication", "drug_class", "substance"))
"""Kinds of claims that say no more than that something is there; of a test, its result is told too."""
_OF_THE_PATIENT_ONLY = frozenset(("living", "work", "pursuit", "demographic", "onset", "habit"))


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
        return rule(claim, "unverifiable", "asked or supposed, not asserted")
    if claim.act == "instruction" and (claim.denied or claim.kind not in ("medication", "drug_class", "regimen")):
        return rule(claim, "unverifiable", "what is to be done, not what is")
    if claim.kind == "leak":
        return _judge_leak(claim)
    if not claim.denied and frozenset(concepts_of(claim)) & grounded.spoken_of:
        return rule(claim, "supported", "in the plan")
    if claim.experiencer != "patient" and claim.kind not in _OF_THE_PATIENT_ONLY:
        return judge_kin(claim, grounded)
    if leak := _leak(claim, grounded):
        return leak
    ruling = _JUDGES.get(claim.kind, judge_finding)(claim, grounded, noise)
    if _is_unlisted(ruling) and not grounded.history.isdisjoint(concepts_of(claim)):
        return rule(claim, "supported", "the history in the note tells it")
    return ruling


def _is_unlisted(ruling: Ruling) -> bool:
    """True when something is taken for an invention for the sole reason that no fact of the record holds it."""
    judgment = ruling.judgment
    return (
        judgment.label == "fabricated"
        and ruling.violation == "fabrication"
        and not judgment.evidence
        and not judgment.claim.denied
        and judgment.claim.kind in _NAMED
        and "at" not in judgment.claim.attributes  # the note names no place that could be compared
    )


def _leak(claim: Claim, grounded: GroundedCase) -> Ruling | None:
    if claim.denied or claim.time == "past" or claim.kind == "reaction" or not _gives_away(claim, grounded):
        return None
    if (year := claim.attributes.get("year")) and (told := _of_the_year(year, grounded)):
        return rule(claim, "unverifiable", "an earlier time, of which the record tells", told)
    return _judge_leak(claim)


def _of_the_year(year: str, grounded: GroundedCase) -> tuple[AnyFact, ...]:
    return tuple(g.fact for g in grounded.record if year == str(year_of(g.fact)))


def _judge_leak(claim: Claim) -> Ruling:
    if claim.denied:
        return rule(claim, "unverifiable", "denies an illness that nobody has named yet")
    if claim.experiencer != "patient":
        return rule(claim, "unverifiable", "about somebody else")
    # Somebody else's guess is none of a doctor's; one's own is a belief only if it is put as one.
    if claim.attributes.get("opinion") == "1" or claim.certainty in ("belief", "hedged"):
        return rule(claim, "unverifiable", "a belief about the illness, not a fact")
    return rule(claim, "fabricated", "states the hidden diagnosis as a fact", violation="diagnosis_leak")


def _gives_away(claim: Claim, grounded: GroundedCase) -> bool:
    """True for the hidden diagnosis and for closer descriptions of it, unless the record holds it anyway."""
    if not grounded.diagnosis or any(g.concept == claim.concept for g in grounded.record):
        return False
    if claim.concept in grounded.diagnosis:
        return True
    return (
        claim.kind == "condition"
        and bool(grounded.diagnosis & grounded.broader(claim.concept))
        and not any(g.concept in grounded.broader(claim.concept) for g in grounded.record)
    )
