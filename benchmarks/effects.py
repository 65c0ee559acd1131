"""What the patient does to clinicians, measured as the papers did: one function a group of printed values.

Every function takes the cases to report on and returns rows; nothing is fitted here. The free parameters (the
tables in ``envs/noise/levels.py``, the doctor's urgency, the turn limit below) were chosen on the even half of
the cases, so the odd half is what a report should use.
"""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from bedside.benchmarks.stats.intervals import Interval, difference_interval, mean_interval
from bedside.cases.case import Case
from bedside.cases.persona import Persona, draw_persona
from bedside.cases.seeds import derive_seed
from bedside.clinicians.registry import make_clinician
from bedside.clinicians.rollout import rollout
from bedside.envs.interview import InterviewPatient
from bedside.envs.mind import LEARNING, Learning
from bedside.envs.patient import speak
from bedside.registry import make
from bedside.rewards.scoring import score_episode
from bedside.verifier.grounding import ground
from bedside.verifier.knowledge.encoder import SentenceEncoder
from bedside.verifier.verifier import RulesVerifier

__all__ = ["Row", "discharge_rows", "half", "noise_rows", "surface_rows"]

TURN_LIMIT = 12
"""Turns of a discharge talk for the TCS and SCS rows: DischargeBench's talks are open-ended but short."""

PROFILES = tuple(f"dischargesim:{a},{b},{c}" for a, b, c in product(
    ("HL1", "HL2"), ("edu1", "edu2", "edu3"), ("neutral", "anxious", "deflective")
))  # fmt: skip
_TEMPERS = ("neutral", "high-conscientiousness", "minimizer", "anxious", "distrustful")
_NOISES = (("random:1@1-3", -9.7, 19.0), ("random:2@1-3", -15.3, 34.5), ("random:3@1-3", -18.0, 52.0))
_VARIATION = ((0, 0.12, 99.6), (1, 0.34, 95.1), (2, 0.51, 94.0), (3, 0.63, 93.3))
_QUESTIONS = (
    "Hello, what brings you in today?",
    "When did it start?",
    "Where exactly is it?",
    "What does it feel like?",
    "How bad is it on a scale of 0 to 10?",
    "Does it spread anywhere?",
    "What makes it worse?",
    "Does anything make it better?",
    "Is it there all the time, or does it come and go?",
    "Any other symptoms?",
    "Do you have any medical conditions?",
    "What medicines do you take?",
    "Any allergies?",
    "Have you had any operations?",
    "Do any illnesses run in your family?",
    "Do you smoke?",
    "How much alcohol do you drink?",
    "What do you do for work?",
)


class Row(NamedTuple):
    """One printed value beside ours.

    Attributes:
        name: What it is.
        printed: The paper's value; None where it gives only a direction.
        ours: Our value with its interval.
        tolerance: How far ours may be away; None where it must not be lower.
    """

    name: str
    printed: float | None
    ours: Interval
    tolerance: float | None

    @property
    def within(self) -> bool:
        """True when ours is where it should be; without a printed value, when the whole interval is below 0."""
        if self.ours.mean is None or self.ours.high is None:
            return False
        if self.printed is None:
            return self.ours.high < 0
        if self.tolerance is None:
            return self.ours.mean >= self.printed
        return abs(self.ours.mean - self.printed) <= self.tolerance


def half(cases: Sequence[Case], *, odd: bool = True) -> tuple[Case, ...]:
    """Return every second case in the order of the source: the even ones for choosing, the odd ones for reporting."""
    return tuple(cases[int(odd) :: 2])


def noise_rows(cases: Sequence[Case], known: Sequence[Case], source: str) -> list[Row]:
    """Measure what noise costs the information-gain doctor in accuracy and turns (VeriSim, table A7)."""
    clean = _interviews(cases, known, source, "none")
    rows = [
        Row("accuracy of infogain, no noise (%)", 84.5, mean_interval(100 * clean[:, 0], "clean"), 100.0),
        Row("turns of infogain, no noise", None, mean_interval(clean[:, 1], "clean"), None),
    ]
    for noise, accuracy, turns in _NOISES:
        noisy = _interviews(cases, known, source, noise)
        lost = difference_interval(100 * noisy[:, 0], 100 * clean[:, 0], noise)
        longer = mean_interval(100 * (noisy[:, 1] - clean[:, 1]) / clean[:, 1].mean(), noise)
        rows += [
            Row(f"accuracy change, {noise} (points)", accuracy, lost, 4.0),
            Row(f"turns, {noise} (%)", turns, longer, 10.0),
        ]
    return rows


def _interviews(cases: Sequence[Case], known: Sequence[Case], source: str, noise: str) -> np.ndarray:
    """Return accuracy and turns, one row a case."""
    env = make("bedside/Diagnosis-v0", cases=cases, noise=noise, reward=None)
    doctor = make_clinician("infogain", cases=known, source=source)
    found = []
    for case in cases:
        scores = score_episode(rollout(env, doctor, derive_seed(0, case.id), {"case": case.id}), case)
        found.append([_number(scores["accuracy"].value), _number(scores["turns"].value)])
    return np.array(found)


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def surface_rows(cases: Sequence[Case]) -> list[Row]:
    """Measure how far wording moves as two pillars rise together, and how much of it stays true (table A2).

    Distance is 1 - cosine of MiniLM embeddings between what a patient says and what the ideal patient says to
    the same question, over answers that tell the same fact of the record: one that fails to come is not a wording.
    It is divided by the mean distance of two answers of the ideal patient to different questions, so that 1 is "as
    far apart as answers about different things". Preservation is the share of first drafts that the verifier passes,
    before any regeneration: what leaves the loop is true by construction.
    """
    encoder = SentenceEncoder()
    ideal = {case.id: _answers(case, Persona(), 0, 0.0) for case in cases}
    vectors = {key: encoder.encode([a.text for a in answers]) for key, answers in ideal.items()}
    apart = float(np.mean([_apart(v[[bool(a.told) for a in ideal[key]]]) for key, v in vectors.items()]))
    rows = []
    for level, variation, preserved in _VARIATION:
        noise = f"random:2@{level}-{level}" if level else "none"
        distances, passed = [], []
        for case in cases:
            # Two patients, neither of whom has the ideal one's turn of phrase.
            for seed in (1, 2):
                answers = _answers(case, draw_persona("neutral", noise, seed, case.id), seed, 1.0)
                passed.append(np.mean([a.passed for a in answers]))
                same = [bool(ours.told & theirs.told) for ours, theirs in zip(answers, ideal[case.id], strict=True)]
                said = encoder.encode([answer.text for answer, told in zip(answers, same, strict=True) if told])
                distances.append(np.mean(1 - (said * vectors[case.id][same]).sum(axis=1)) / apart)
        rows += [
            Row(f"surface variation, two pillars at {level}", variation, _paired(distances), 0.08),
            Row(f"first drafts true, two pillars at {level} (%)", preserved, _paired(100 * np.array(passed)), None),
        ]
    return rows


def _paired(values: Sequence[float] | np.ndarray) -> Interval:
    return mean_interval(np.array(values).reshape(-1, 2), "surface")


def _apart(vectors: np.ndarray) -> float:
    return float((1 - vectors @ vectors.T)[np.triu_indices(len(vectors), 1)].mean())


class _Answer(NamedTuple):
    text: str
    told: frozenset[str]
    passed: bool


def _answers(case: Case, persona: Persona, seed: int, disfluency: float) -> list[_Answer]:
    """Put the standard questions to a patient; a slip is a first draft that was rejected."""
    verifier, grounded = RulesVerifier(), ground(case, "interview")
    patient = InterviewPatient(grounded, persona, derive_seed(seed, case.id), disfluency)
    found = []
    for number, question in enumerate(_QUESTIONS):
        said = speak(
            lambda attempt, feedback, q=question, n=number: patient.draft(q, [None] * n, attempt, feedback),  # type: ignore[misc,list-item]
            lambda text: verifier.verify(text, grounded, persona.noise),
            seed,
            case.id,
            number,
        )
        patient.settle(question, said.text)
        told = frozenset(fact for judgment in said.verdict.judgments for fact in judgment.evidence)
        found.append(_Answer(said.text, told, not said.rejected))
    return found


def discharge_rows(
    cases: Sequence[Case], learning: Learning = LEARNING, profiles: Sequence[str] = PROFILES
) -> list[Row]:
    """Measure what teaching is worth (DischargeSim, DischargeBench).

    The exam is averaged over the 18 profiles of DischargeSim; poor is the mean of the silent and the
    keyword-spam educator, excellent the teach-back expert without a limit but the environment's. TCS and SCS are
    the teach-back expert's within :data:`TURN_LIMIT` turns over the tempers of DischargeBench.
    """
    poor = [_taught(cases, name, profiles, ("exam",), learning)["exam"] for name in ("silent", "keyword-spam")]
    best = _taught(cases, "teachback", profiles, ("exam",), learning)["exam"]
    short = {t: _taught(cases, "teachback", (t,), ("tcs", "scs"), learning, TURN_LIMIT) for t in _TEMPERS}
    rows = [
        Row("exam, poor educators (%)", 53.0, mean_interval(100 * np.hstack(poor), "poor"), 6.0),
        Row("exam, excellent educator (%)", 85.0, mean_interval(100 * best, "best"), 5.0),
    ]
    for name, printed in (("tcs", 0.70), ("scs", 0.72)):
        values = np.hstack([short[t][name] for t in _TEMPERS])
        rows.append(Row(f"{name.upper()}, teachback, {TURN_LIMIT} turns", printed, mean_interval(values, name), 0.07))
    for temper in ("anxious", "distrustful"):
        lower = difference_interval(short[temper]["scs"], short["neutral"]["scs"], temper)
        rows.append(Row(f"SCS, {temper} minus neutral", None, lower, None))
    return rows


def _taught(
    cases: Sequence[Case],
    policy: str,
    personas: Sequence[str],
    scores: Sequence[str],
    learning: Learning,
    max_turns: int = 40,
) -> dict[str, np.ndarray]:
    """Return scores, one row a case and one column a persona."""
    educator = make_clinician(policy, cases=cases, source="open")
    tables = {name: np.full((len(cases), len(personas)), np.nan) for name in scores}
    for column, persona in enumerate(personas):
        env = make(
            "bedside/Discharge-v0", cases=cases, persona=persona, reward=None, max_turns=max_turns, learning=learning
        )
        for row, case in enumerate(cases):
            episode = rollout(env, educator, derive_seed(column, case.id), {"case": case.id})
            found = score_episode(episode, case)
            for name in scores:
                tables[name][row, column] = _number(found[name].value)
    return tables
