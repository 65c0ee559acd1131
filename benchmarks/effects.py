"""What the patient does to clinicians, measured as the papers did, one case at a time.

Nothing is fitted here. The free parameters (the tables in ``envs/noise/levels.py``, the doctor's urgency, the turn
limit below) were chosen on the even half of the cases, so the odd half is what a report should use. A measurement
is a pure function of its case, so that any number of processes share the work and come to the same figures.
"""

import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bedside.cases.case import Case
from bedside.cases.persona import PERSONALITIES_OF_DISCHARGEBENCH, PROFILES_OF_DISCHARGESIM, Persona, draw_persona
from bedside.cases.seeds import derive_seed
from bedside.cases.sources import load_cases
from bedside.clinicians.clinician import Clinician
from bedside.clinicians.registry import make_clinician
from bedside.clinicians.rollout import rollout
from bedside.envs.encounter import Encounter
from bedside.envs.interview import InterviewPatient
from bedside.envs.mind import LEARNING, Learning
from bedside.envs.patient import speak
from bedside.registry import make
from bedside.rewards.combined import match_episode
from bedside.rewards.score import Score
from bedside.rewards.talk import Talk
from bedside.verifier.grounding import ground
from bedside.verifier.knowledge.encoder import SentenceEncoder, Vectors
from bedside.verifier.verifier import RulesVerifier

__all__ = [
    "EFFECTS",
    "LEVELS",
    "NOISES",
    "TURN_LIMIT",
    "Effect",
    "Effects",
    "Found",
    "Job",
    "half",
    "jobs_of",
    "measure_wording",
]

Effect = Literal["interviews", "wordings", "talks"]
EFFECTS: tuple[Effect, ...] = ("interviews", "wordings", "talks")

Found = dict[str, NDArray[np.float64]]
"""What one case came to, by name of the measure; what each array runs over, the measuring method says."""

TURN_LIMIT = 13
"""Turns of a discharge talk for the TCS and SCS rows: of DischargeBench's complete talks nearly all had more than 15
(table 9), the expert's take about 27 where nothing stops them. Chosen so that as much is covered as by the best model.
"""

NOISES = ("none", "random:1@1-3", "random:2@1-3", "random:3@1-3")
LEVELS = (0, 1, 2, 3)

_POOR = ("silent", "keyword-spam")
_EXCELLENT = "teachback"
_LONGEST = 40
_LISTENERS = (1, 2)
"""Seeds of the two patients whose wording is measured; neither has the ideal one's turn of phrase."""

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


class Job(NamedTuple):
    """One effect on one case."""

    effect: Effect
    case: str


def half(cases: Sequence[Case], *, odd: bool = True) -> tuple[Case, ...]:
    """Return every second case in the order of the source: the even ones for choosing, the odd ones for reporting."""
    return tuple(cases[int(odd) :: 2])


def jobs_of(effect: Effect, cases: Iterable[Case]) -> list[Job]:
    """Return the work that an effect on these cases is."""
    return [Job(effect, case.id) for case in cases]


class Effects:
    """Measures jobs; what has to be read and learned for that is read once, when first needed.

    Args:
        source: Whom the doctor interviews, as on the command line. Talks and wordings are of the open cases.
        learning: Parameters of the patient's memory.
        profiles: Patients of the exam.
    """

    def __init__(
        self, source: str = "open", learning: Learning = LEARNING, profiles: Sequence[str] = PROFILES_OF_DISCHARGESIM
    ) -> None:
        self._source = source
        self._learning = learning
        self._profiles = tuple(profiles)

    def __call__(self, job: Job) -> Found:
        """Measure one job."""
        if job.effect == "interviews":
            return self._interviews(self._asked[job.case])
        case = self._taught[job.case]
        return self._talks(case) if job.effect == "talks" else measure_wording(case, self._encoder)

    @cached_property
    def _asked(self) -> dict[str, Case]:
        return {case.id: case for case in load_cases(self._source)}

    @cached_property
    def _taught(self) -> dict[str, Case]:
        return {case.id: case for case in load_cases("open")}

    @cached_property
    def _encoder(self) -> SentenceEncoder:
        return SentenceEncoder()

    @cached_property
    def _doctor(self) -> Clinician:
        return make_clinician("infogain", cases=tuple(self._asked.values()), source=self._source)

    @cached_property
    def _educators(self) -> dict[str, Clinician]:
        cases = tuple(self._taught.values())
        return {name: make_clinician(name, cases=cases, source="open") for name in (*_POOR, _EXCELLENT)}

    @cached_property
    def _consultation(self) -> Encounter:
        return make("bedside/Diagnosis-v0", cases=tuple(self._asked.values()), reward=None)

    @cached_property
    def _rooms(self) -> dict[int, Encounter]:
        """Discharge talks by their greatest number of turns."""
        cases, learning = tuple(self._taught.values()), self._learning
        return {
            most: make("bedside/Discharge-v0", cases=cases, reward=None, max_turns=most, learning=learning)
            for most in (TURN_LIMIT, _LONGEST)
        }

    def _interviews(self, case: Case) -> Found:
        """Return accuracy and turns of the information-gain doctor, one value a noise."""
        accuracy, turns = [], []
        for noise in NOISES:
            options = {"case": case.id, "noise": noise}
            episode = rollout(self._consultation, self._doctor, derive_seed(0, case.id), options)
            accuracy.append(float(match_episode(episode, case).matched))
            turns.append(float(len(episode.turns)))
        return {"accuracy": np.array(accuracy), "turns": np.array(turns)}

    def _talks(self, case: Case) -> Found:
        """Return exams after poor educators and the expert, one a profile, and TCS and SCS, one a temper."""
        brief = [
            self._taught_by(_EXCELLENT, case, n, temper, TURN_LIMIT)
            for n, temper in enumerate(PERSONALITIES_OF_DISCHARGEBENCH)
        ]
        return {
            "poor": _values(self._exam(name, case, n, who) for name in _POOR for n, who in enumerate(self._profiles)),
            "excellent": _values(self._exam(_EXCELLENT, case, n, who) for n, who in enumerate(self._profiles)),
            "tcs": _values(talk.coverage for talk in brief),
            "scs": _values(talk.recall for talk in brief),
        }

    def _exam(self, educator: str, case: Case, number: int, persona: str) -> Score:
        return self._taught_by(educator, case, number, persona, _LONGEST).exam

    def _taught_by(self, educator: str, case: Case, number: int, persona: str, longest: int) -> Talk:
        """Let an educator teach a patient; a talk is scored only for what is asked of it."""
        env = self._rooms[longest]
        options = {"case": case.id, "persona": persona}
        return Talk(rollout(env, self._educators[educator], derive_seed(number, case.id), options), case)


def _values(scores: Iterable[Score]) -> NDArray[np.float64]:
    return np.array([math.nan if score.value is None else score.value for score in scores])


def measure_wording(case: Case, encoder: SentenceEncoder) -> Found:
    """Measure how far wording moves as two pillars rise together, and how much of it stays true (table A2).

    Distance is 1 - cosine of MiniLM embeddings between what a patient says and what the ideal patient says to
    the same question, over answers that tell the same fact of the record: one that fails to come is not a wording.
    Preserved is the share of first drafts that the verifier passes, before any regeneration: what leaves the loop is
    true by construction.

    Returns:
        ``distance`` and ``preserved``, one row a level and one column a patient; ``apart``, the mean distance of two
        answers of the ideal patient to different questions.
    """
    ideal = _answers(case, Persona(), 0, 0.0)
    vectors = encoder.encode([answer.text for answer in ideal])
    distance, preserved = np.empty((len(LEVELS), len(_LISTENERS))), np.empty((len(LEVELS), len(_LISTENERS)))
    for row, level in enumerate(LEVELS):
        noise = f"random:2@{level}-{level}" if level else "none"
        for column, seed in enumerate(_LISTENERS):
            answers = _answers(case, draw_persona("neutral", noise, seed, case.id), seed, 1.0)
            preserved[row, column] = np.mean([answer.passed for answer in answers])
            same = [bool(ours.told & theirs.told) for ours, theirs in zip(answers, ideal, strict=True)]
            said = encoder.encode([answer.text for answer, told in zip(answers, same, strict=True) if told])
            distance[row, column] = np.mean(1 - (said * vectors[same]).sum(axis=1))
    apart = _apart(vectors[[bool(answer.told) for answer in ideal]])
    return {"distance": distance, "preserved": preserved, "apart": np.array(apart)}


def _apart(vectors: Vectors) -> float:
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
