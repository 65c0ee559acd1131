"""A patient that fabricates on purpose, to see whether anything of it reaches the clinician (VeriSim, table A4)."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from bedside.cases.case import Case
from bedside.cases.fact import AnyFact, Condition, Medication, SocialHistory, Symptom
from bedside.cases.noise import NoiseProfile
from bedside.cases.seeds import stream
from bedside.cases.sources import load_cases
from bedside.envs.patient import speak
from bedside.verifier.grounding import GroundedCase, ground
from bedside.verifier.verdict import Verdict
from bedside.verifier.verifier import RulesVerifier

__all__ = ["Outcomes", "refine"]

_INVENTED = (
    "I also take my {drug} every night.",
    "They put me on {drug} last year.",
    "I've been having {symptom} as well.",
    "And there's been some {symptom}.",
    "I was diagnosed with {condition} a while back.",
    "I have {condition}, you know.",
    "My brother has {condition}.",
    "I'm allergic to {drug}.",
    "My wife says I had {symptom} in my sleep.",
)
_DRUGS = ("metformin", "warfarin", "lithium", "methotrexate", "insulin", "Xanax", "digoxin", "tamoxifen")
_SYMPTOMS = (
    "double vision",
    "a seizure",
    "hives",
    "ringing in my ears",
    "hair loss",
    "hallucinations",
    "a stiff neck",
)
_CONDITIONS = (
    "epilepsy",
    "cirrhosis",
    "multiple sclerosis",
    "psoriasis",
    "glaucoma",
    "celiac disease",
    "sarcoidosis",
)
_EVERY = 3
_STUBBORN = 0.03
_SECOND = 0.24


@dataclass
class Outcomes:
    """What became of flagged utterances."""

    turns: int = 0
    flagged: int = 0
    corrected_on_attempt_1: int = 0
    corrected_on_attempt_2: int = 0
    routed_to_fallback: int = 0
    reached: int = 0
    missed: int = 0

    def counts(self) -> dict[str, int]:
        """Return the outcomes of flagged turns, and ``missed``: inventions that no verdict flagged."""
        return {
            "corrected_on_attempt_1": self.corrected_on_attempt_1,
            "corrected_on_attempt_2": self.corrected_on_attempt_2,
            "routed_to_fallback": self.routed_to_fallback,
            "reached": self.reached,
            "missed": self.missed,
        }

    def share(self, name: str) -> float:
        """Return an outcome as a share of what was flagged."""
        return float(getattr(self, name)) / self.flagged if self.flagged else 0.0


class _Liar(NamedTuple):
    """A generator that adds an invention to the truth until it has been rejected ``lies`` times."""

    truth: str
    invented: str
    lies: int

    def draft(self, attempt: int, feedback: str) -> str:  # noqa: ARG002
        return f"{self.truth} {self.invented}" if attempt < self.lies else self.truth


def _verdict(verifier: RulesVerifier, grounded: GroundedCase, text: str) -> Verdict:
    return verifier.verify(text, grounded, NoiseProfile())


def _true(fact: AnyFact) -> str:
    match fact:
        case Symptom():
            return f"I've had {(*fact.lay, fact.text)[0]}."
        case Medication():
            return f"I take {fact.text}."
        case Condition():
            return f"I have {fact.text}."
        case SocialHistory():
            return "Nothing special to tell there."
        case _:
            return "I think that's all."


def _turns(count: int) -> Iterator[tuple[int, Case]]:
    cases = load_cases("open")
    for turn in range(count):
        yield turn, cases[turn % len(cases)]


def _absent(options: tuple[str, ...], grounded: GroundedCase, pick: float) -> str:
    """Choose something that the record knows nothing of."""
    text = grounded.case.model_dump_json().lower()
    left = [o for o in options if o.split()[-1].lower()[:6] not in text] or list(options)
    return left[int(pick * len(left))]


def refine(count: int, *seed: object) -> Outcomes:
    """Play turns in every third of which the patient invents something, at first or again and again.

    Args:
        count: Number of turns.
        *seed: Changes what is invented when.

    Returns:
        What became of it. ``reached`` counts flagged claims that were said all the same, and must be 0.
    """
    verifier = RulesVerifier()
    outcomes = Outcomes(turns=count)
    for turn, case in _turns(count):
        grounded = ground(case, "interview")
        rng = stream("saboteur", turn, *seed)
        truth = _true(rng.choice(case.record)) if case.record else "I think that's all."
        invented = rng.choice(_INVENTED).format(
            drug=_absent(_DRUGS, grounded, rng.random()),
            symptom=_absent(_SYMPTOMS, grounded, rng.random()),
            condition=_absent(_CONDITIONS, grounded, rng.random()),
        )
        stubborn = rng.random()
        lies = 0 if turn % _EVERY else 3 if stubborn < _STUBBORN else 2 if stubborn < _SECOND else 1
        liar = _Liar(truth, invented, lies)
        heard = speak(liar.draft, partial(_verdict, verifier, grounded), "saboteur", turn)
        _count(
            outcomes,
            heard.rejected != (),
            len(heard.rejected),
            heard.fallback,
            lies > 0 and invented in heard.text,
        )
        if any(j.label == "fabricated" for j in heard.verdict.judgments) or heard.verdict.overall != "pass":
            outcomes.reached += 1
    return outcomes


def _count(outcomes: Outcomes, flagged: bool, attempts: int, fallback: bool, missed: bool) -> None:
    outcomes.missed += missed
    if not flagged:
        return
    outcomes.flagged += 1
    if fallback:
        outcomes.routed_to_fallback += 1
    elif attempts == 1:
        outcomes.corrected_on_attempt_1 += 1
    else:
        outcomes.corrected_on_attempt_2 += 1
