"""What a generator is told about a rejected utterance: the wrong words and what the record holds instead.

A judging model's own reasons are not passed on, unlike those of the rules. The model has seen the hidden diagnosis and
the generator must not, so the generator gets back its own words, entries of the record that it knows anyway, and
sentences that stand here. At discharge the record holds the plan, which the patient has yet to be taught: there the
wrong words are named and nothing else.
"""

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType

from bedside.verifier.grounding import GroundedCase
from bedside.verifier.verdict import Judgment, Violation

__all__ = ["feedback"]

_ADVICE: Mapping[Violation, str] = MappingProxyType(
    {
        "unjustified_denial": "Do not deny what is recorded.",
        "demographic_drift": "Age, sex, job and family stay as recorded.",
        "contradiction": "Do not take back what you said before.",
        "diagnosis_leak": "You do not know what illness this is; do not name one as a fact.",
        "ai_disclosure": "Stay the patient; never speak of being a model.",
        "role_reversal": "You are the patient; do not speak as the clinician.",
        "helper_voice": 'You are the patient, and speak of yourself as "I"; offer no help and give no advice.',
        "unreadable": "Say it more simply, in one or two short sentences.",
    }
)
# Which entries of the record answer a wrong claim of a kind.
_ENTRIES = {
    "symptom": ("symptom",),
    "complaint": ("symptom",),
    "condition": ("condition",),
    "procedure": ("procedure", "test"),
    "medication": ("medication",),
    "drug_class": ("medication",),
    "regimen": ("medication",),
    "allergy": ("allergy",),
    "reaction": ("allergy",),
    "substance": ("social",),
    "habit": ("social",),
}


def feedback(
    judgments: Iterable[Judgment], violations: Collection[Violation], grounded: GroundedCase, *, reasons: bool = False
) -> str:
    """Return what to tell the generator; empty when nothing is wrong.

    Args:
        judgments: On the claims of the utterance.
        violations: What it breaks.
        grounded: The case.
        reasons: Whether the judgments' reasons may be passed on; those of the rules may.
    """
    parts = []
    for judgment in judgments:
        if judgment.label == "fabricated":
            parts.append(f'"{judgment.claim.surface.strip()}": {_why(judgment, grounded, reasons=reasons)}.')
    parts += [advice for violation, advice in _ADVICE.items() if violation in violations]
    return " ".join(dict.fromkeys(parts))


def _why(judgment: Judgment, grounded: GroundedCase, *, reasons: bool) -> str:
    if grounded.scope == "discharge":
        regimen = judgment.claim.kind == "regimen"
        return f"that is not {'how it is taken' if regimen else 'so'}; leave it out"
    return (judgment.reason if reasons else "not as recorded") + _recorded(judgment, grounded)


def _recorded(judgment: Judgment, grounded: GroundedCase) -> str:
    claim = judgment.claim
    kinds = ("family",) if claim.experiencer != "patient" else _ENTRIES.get(claim.kind, ())
    if not kinds or claim.concept in grounded.diagnosis:
        return ""
    known = ", ".join(g.fact.text for g in grounded.record if g.fact.kind in kinds)
    return f"; recorded: {known or 'nothing of the kind'}"
