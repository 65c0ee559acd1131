"""Judging drugs: whether one is taken at all, and whether as recorded."""

import re
from collections.abc import Mapping

from bedside.cases.fact import Allergy, AnyFact, Medication, SocialHistory
from bedside.cases.noise import NoiseProfile
from bedside.verifier.claim import Claim, concepts_of
from bedside.verifier.claims.details import is_strength
from bedside.verifier.grounding import GroundedCase, GroundedFact, mentions_in
from bedside.verifier.judgment.bodily import judge_denial
from bedside.verifier.judgment.ruling import Ruling, rule, words_of
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import (
    canonical_dose,
    canonical_frequency,
    canonical_route,
    digits,
    same_route,
)
from bedside.verifier.language.text import content_stems

__all__ = ["judge_drug", "judge_form", "judge_purpose"]

# Words for what drugs are for that name no illness by themselves.
_PURPOSES = frozenset(
    content_stems(
        "pressure sugar thyroid heart nerves cholesterol blood water stomach prostate bladder bones eyes "
        "mood lungs breathing kidneys liver joints back knees head acid clots circulation rhythm"
    )
)
# "One in the morning and one at night" counts tablets.
_FEW = 5.0
_DAYTIMES = (
    ("morning", r"morning|breakfast"),
    ("noon", r"noon|lunch|midday"),
    ("night", r"evening|night|bedtime|supper|dinner"),
)

_STOPPED = Pattern(
    r"\b(?:stopped|quit|gave up|ran out of|has run out of|no longer takes?|has not taken|has not been taking|skips|"
    r"skipped) (?:taking |using |filling )?"
    r"(?P<what>.*?(?:pill|tablet|drug|medicine|medication|med|inhaler|insulin|drop|injection|shot|"
    r"[a-z]+(?:in|ol|ide|ine|ate|one|pril|tan|lin))s?)\b",
    re.IGNORECASE,
)
_PILLS = frozenset(
    content_stems(
        "all any his her my the pills tablets drugs medicines medications meds inhalers take taking use using"
    )
)

# How a form is given, and the words for it that a record may use.
_ROUTES_OF = {
    "patch": ("topical", "transdermal"),
    "inhaler": ("inhaled",),
    "nebulizer": ("inhaled",),
    "drops": ("ophthalmic", "otic", "nasal"),
    "spray": ("nasal", "sublingual"),
    "cream": ("topical", "vaginal", "rectal"),
    "injection": ("injected", "subcutaneous", "intramuscular", "intravenous"),
    "suppository": ("rectal", "vaginal"),
}
_WORDS_OF = {
    "patch": "patch",
    "inhaler": "inhal|puff",
    "nebulizer": "nebuli|inhal|breathing treatment",
    "drops": "drop",
    "spray": "spray",
    "cream": "cream|ointment|steroid|salve|jelly|petrol|lotion",
    "injection": "shot|inject|vaccin|insulin|booster|jab|depo",
    "suppository": "supposit",
}


def judge_drug(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:
    """Judge a drug or a class of drugs."""
    facts = tuple(
        g.fact
        for g in grounded.record
        if isinstance(g.fact, Medication) and any(_renders(c, g, grounded) for c in concepts_of(claim))
    )
    what = claim.attributes.get("asked", claim.surface)
    if (claim.denied or claim.time == "past") and any(f.change == "stopped" for f in facts):
        return rule(claim, "supported", "stopped according to the plan", facts)
    if facts and (claim.denied or claim.time == "past") and (told := _given_up(facts, grounded)):
        return rule(claim, "supported", f"the record itself says so: {told[0].text}", told)
    if claim.denied:
        return judge_denial(claim, grounded, facts, noise)
    if not facts and (told := _told(claim, grounded)):
        return rule(claim, "supported", "a detail of what the record holds", told)
    if not facts and "given" in claim.attributes and (known := _not_tolerated(claim, grounded)):
        return rule(claim, "supported", f"given once, and not tolerated: {known[0].text}", known)
    if not facts and claim.certainty == "belief":
        return rule(claim, "unverifiable", "a belief, not a fact")
    if not facts:
        return rule(claim, "fabricated", f"the record lists no {what}")
    if claim.time == "past":
        return rule(claim, "fabricated", f"the record lists {facts[0].text} as taken now", facts)
    reason = ""
    for fact in facts:
        reason = _wrong_regimen(claim, fact)
        if not reason:
            return rule(claim, "supported", f"takes it according to the record: {fact.text}", (fact,))
    return rule(claim, "fabricated", reason, facts)


def _given_up(facts: tuple[Medication, ...], grounded: GroundedCase) -> tuple[AnyFact, ...]:
    """Entries that tell of a listed drug that it is no longer taken: "stopped the bowel tablets"."""
    names = {s for f in facts for s in content_stems(" ".join((f.text, *f.lay, f.purpose or "")))}
    found = []
    for known in grounded.record:
        if isinstance(known.fact, SocialHistory) and (over := _STOPPED.search(known.fact.text)):
            of_which = set(content_stems(over["what"])) - _PILLS
            if of_which & names or not of_which:
                found.append(known.fact)
    return tuple(found)


def judge_purpose(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:  # noqa: ARG001
    """Judge a drug that is named by what it is for."""
    if claim.denied or claim.time == "past":
        return rule(claim, "unverifiable", "says what is not taken, and names no drug")
    purpose = claim.attributes["for"]
    named = {c for c in mentions_in(grounded.lexicon, purpose) if grounded.lexicon[c].kind in ("condition", "symptom")}
    stems = set(content_stems(purpose))
    if not named and not stems & _PURPOSES:
        return rule(claim, "unverifiable", "too vague to check")
    for known in grounded.record:
        if not isinstance(known.fact, Medication):
            continue
        treated = {b for c in grounded.lexicon.treats(known.concept) for b in grounded.lexicon.ancestors(c)}
        treated |= set(mentions_in(grounded.lexicon, known.fact.purpose or ""))
        names = {
            s for c in treated if c in grounded.lexicon for f in grounded.lexicon[c].forms for s in content_stems(f)
        }
        if named & treated or (not named and stems & (names | set(content_stems(known.fact.purpose or "")))):
            return rule(claim, "supported", f"takes it according to the record: {known.fact.text}", (known.fact,))
    return rule(claim, "fabricated", f"the record lists no drug for {purpose}")


def judge_form(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:  # noqa: ARG001
    """Judge a medicine of which only the form is named: something recorded must be given that way."""
    if claim.denied or claim.act != "statement" or claim.experiencer != "patient":
        return rule(claim, "unverifiable", "no medicine that is taken")
    form = claim.attributes["form"]
    for known in grounded.record:
        route = getattr(known.fact, "route", None) or ""
        if isinstance(known.fact, Medication) and canonical_route(route) in _ROUTES_OF[form]:
            return rule(claim, "supported", f"takes it according to the record: {known.fact.text}", (known.fact,))
        if re.search(
            rf"\b(?:{_WORDS_OF[form]})",
            f"{words_of(known.fact)} {getattr(known.fact, 'dose', None) or ''}",
            re.IGNORECASE,
        ):
            return rule(claim, "supported", f"recorded: {known.fact.text}", (known.fact,))
    return rule(claim, "fabricated", f"the record lists no {claim.surface}")


def _told(claim: Claim, grounded: GroundedCase) -> tuple[AnyFact, ...]:
    """Facts that mention the drug in passing ("relieved by antacids"); an allergy to it is no sign of taking it."""
    for concept in concepts_of(claim):
        if told := tuple(f for f in grounded.details.get(concept, ()) if f.kind != "allergy"):
            return told
    return ()


def _not_tolerated(claim: Claim, grounded: GroundedCase) -> tuple[AnyFact, ...]:
    return tuple(
        g.fact
        for g in grounded.record
        if isinstance(g.fact, Allergy) and any(g.concept in grounded.broader(c) for c in concepts_of(claim))
    )


def _renders(concept: str, known: GroundedFact, grounded: GroundedCase) -> bool:
    """A drug may be named by itself, by its class, or by what it is for ("my blood pressure pill")."""
    if concept == known.concept or concept in known.broader or _is_part(concept, known.concept):
        return True
    if concept not in grounded.lexicon or grounded.lexicon[concept].kind != "drug_class":
        return False
    purposes = grounded.lexicon.treats(known.concept)
    return bool(purposes & frozenset(grounded.lexicon[concept].relations.get("treats", ())))


_RATE = re.compile(r"(\d+(?:\.\d+)?)/day")


def _is_part(drug: str, combined: str) -> bool:
    """True for one of the drugs that a recorded product combines."""
    return drug.startswith("drug:") and drug.removeprefix("drug:") in combined.removeprefix("drug:").split("-")


def _wrong_regimen(claim: Claim, fact: Medication) -> str:
    details = claim.attributes
    if "number" in details and fact.dose and not _same_number(details, fact.dose):
        return f"the record says {fact.dose}"
    for name, canonical in (
        ("dose", canonical_dose),
        ("frequency", canonical_frequency),
        ("route", canonical_route),
    ):
        stated, recorded = details.get(name), getattr(fact, name)
        true = canonical(recorded) if recorded else None
        if name == "route" and stated and true and same_route(stated, true):
            continue
        if stated is None or true is None or stated.split(" as ")[0] == true.split(" as ")[0]:
            continue
        if name == "frequency" and _as_seldom(stated, true):
            continue
        if name == "dose" and stated.split()[-1] != true.split()[-1]:
            continue  # pills against milligrams cannot be compared
        return f"the record says {recorded}"
    return _wrong_daytime(details.get("daytime", ""), fact)


def _as_seldom(stated: str, recorded: str) -> bool:
    """True for a rate that what is taken as needed allows: "nearly every day" of one every 6 hours as needed."""
    rates = [_RATE.match(text) for text in (stated, recorded)]
    return "as needed" in recorded and all(rates) and float(rates[0][1]) <= float(rates[1][1])  # type: ignore[index]


def _same_number(details: Mapping[str, str], dose: str) -> bool:
    number = details["number"]
    doses = [float(n) for n in re.findall(r"\d+(?:\.\d+)?", digits(dose))]
    counted = float(number) < _FEW and "strength" not in details and not is_strength(number)
    return (counted and min(doses, default=_FEW) >= _FEW) or any(n == float(number) for n in doses)


def _wrong_daytime(stated: str, fact: Medication) -> str:
    recorded = {name for name, pattern in _DAYTIMES if re.search(pattern, (fact.frequency or "").lower())}
    if not stated or not recorded or set(stated.split()) & recorded:
        return ""
    return f"the record says {fact.frequency}"
