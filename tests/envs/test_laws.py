"""Laws of comprehension: who teaches better is understood better, by every kind of patient."""

from itertools import product
from statistics import mean

import numpy as np
import pytest

from bedside.benchmarks.stats.intervals import difference_interval
from bedside.cases.persona import PERSONALITIES, Persona
from bedside.clinicians.registry import make_clinician
from bedside.clinicians.rollout import rollout
from bedside.envs.discharge import DischargeEnv
from bedside.envs.mind import Mind
from bedside.rewards.exam import score_exam
from bedside.rewards.recall import score_recall
from bedside.verifier.grounding import ground
from bedside.verifier.teaching.conveyed import read_teaching

EDUCATORS = ("silent", "keyword-spam", "note-dump", "jargon", "checklist", "teachback")
# Every trait of every axis, spread over the cases so that each case meets one patient and each law all kinds of them.
PERSONAS = tuple(
    Persona(personality=personality, education=education, literacy=literacy, recall=recall)
    for recall, education, literacy, personality in product(
        ("good", "fair", "poor"), (1, 2, 3), ("high", "low"), PERSONALITIES
    )
)


def persona_of(number):
    return PERSONAS[(number * 31) % len(PERSONAS)]


@pytest.fixture(scope="module")
def taught_by(some_cases):
    """Every case taught once by every educator, with the same patient each time."""
    env = DischargeEnv(some_cases)
    played = {}
    for educator in EDUCATORS:
        clinician = make_clinician(educator, cases=some_cases, source="open")
        played[educator] = []
        for number, case in enumerate(some_cases):
            person = persona_of(number)
            spec = f"dischargebench:{person.personality},edu{person.education},{person.literacy},{person.recall}"
            played[educator].append(rollout(env, clinician, number, {"case": case.id, "persona": spec}))
    return played


def test_the_personas_of_the_laws_have_every_trait(some_cases):
    met = [persona_of(number) for number in range(len(some_cases))]
    for axis, levels in (("personality", 6), ("education", 3), ("literacy", 2), ("recall", 3)):
        assert len({getattr(person, axis) for person in met}) == levels


def effect(better, worse):
    """Return the mean difference, the ends of its 95 % interval and its standardized size, paired by case."""
    gained = np.array(better) - np.array(worse)
    found = difference_interval(np.array(better), np.array(worse), "law")
    return found.mean, found.low, found.high, gained.mean() / max(gained.std(), 1e-9)


def test_better_teaching_is_better_understood(some_cases, taught_by):
    for name, score in (("exam", lambda e, c: score_exam(e.exam, c)), ("scs", lambda e, c: score_recall(e.recall, c))):
        by = {
            educator: [score(e, c).value for e, c in zip(episodes, some_cases, strict=True)]
            for educator, episodes in taught_by.items()
        }
        for worse, better, least in (
            ("note-dump", "jargon", 0.2),
            ("jargon", "checklist", 0.1),
            ("checklist", "teachback", 0.4),
            ("silent", "teachback", 0.8),
        ):
            mean_, low, high, size = effect(by[better], by[worse])
            assert low > 0, (name, better, worse, mean_, low, high, size)
            assert size > least, (name, better, worse, mean_, low, high, size)
        assert np.mean(by["note-dump"]) >= np.mean(by["silent"])
        assert abs(np.mean(by["keyword-spam"]) - np.mean(by["silent"])) < 0.02


@pytest.mark.parametrize("educator", ["note-dump", "jargon", "checklist"])
@pytest.mark.parametrize(
    "burden",
    [
        {"literacy": "low"},
        {"education": 1},
        {"recall": "poor"},
        {"personality": "anxious"},
        {"personality": "distrustful"},
    ],
    ids=lambda burden: "-".join(map(str, *burden.items())),
)
def test_every_burden_lowers_comprehension_whoever_teaches(some_cases, taught_by, educator, burden):
    def learned(person):
        found = []
        for case, episode in zip(some_cases, taught_by[educator], strict=True):
            mind = Mind(case, person, seed=0)
            for turn in episode.turns:
                mind.hear(read_teaching(turn.heard, ground(case, "discharge")))
            found.append(strength(mind))
        return found

    mean_, low, high, size = effect(learned(NEUTRAL), learned(NEUTRAL.model_copy(update=burden)))
    assert low > 0, (mean_, low, high, size)
    assert size > 0.5, (mean_, low, high, size)


LESSON = (
    "You had a heart attack.",
    "Take aspirin 81 mg by mouth once a day.",
    "Do not lift more than 5 pounds with your right arm for 1 week.",
    "Call 911 if you have chest pain that lasts more than 5 minutes.",
    "You will see the cardiology clinic in 2 weeks.",
)


NEUTRAL = Persona()


def taught(case, persona=NEUTRAL, lesson=LESSON, times=1):
    mind = Mind(case, persona, seed=0)
    for _ in range(times):
        for turn in lesson:
            mind.hear(read_teaching(turn, ground(case, "discharge")))
    return mind


def strength(mind):
    return mean(trace.strength for trace in mind.traces.values())


@pytest.mark.parametrize("person", PERSONAS[::13], ids=lambda person: person.label)
def test_repeating_four_times_gains_nothing_over_twice(case_of, person):
    twice, four_times = (taught(case_of("cir-01"), person, times=n) for n in (2, 4))
    assert strength(taught(case_of("cir-01"), person)) < strength(twice)
    assert strength(four_times) <= strength(twice)


def test_wrong_teaching_is_believed(case_of):
    case = case_of("cir-01")
    mind = taught(case)
    right = mind.traces["aspirin.dose"].strength
    mind.hear(read_teaching("Take aspirin 325 mg by mouth once a day.", ground(case, "discharge")))
    assert mind.traces["aspirin.dose"].wrong == "325 mg"
    assert mind.traces["aspirin.dose"].strength < right
    mind.hear(read_teaching("I was wrong. Take aspirin 81 mg by mouth once a day.", ground(case, "discharge")))
    assert mind.traces["aspirin.dose"].belief < mind.traces["aspirin.dose"].strength


def test_a_wrong_belief_picks_the_wrong_option(case_of):
    case = case_of("cir-01")
    question = next(q for q in case.questions if any(i.endswith((".dose", ".frequency")) for i in q.about))
    mind = Mind(case, Persona(), seed=0)
    trace = mind.traces[question.about[0]]
    trace.strength, trace.wrong, trace.belief = 0.2, "something else", 0.6
    assert mind.answer(question).chosen == "distractor"


def test_saying_it_back_makes_it_stay(case_of):
    heard, said = taught(case_of("cir-01")), taught(case_of("cir-01"))
    got, missed = said.say_back(["aspirin", "aspirin.dose", "dx"])
    assert got
    assert all(said.traces[item].strength > heard.traces[item].strength for item in got)
    assert all(said.traces[item].missed for item in missed)


def test_what_was_known_does_not_fade(open_cases):
    for case in open_cases[:8]:
        mind = Mind(case, Persona(recall="poor"), seed=1)
        before = {q.id: mind.answer(q) for q in case.questions}
        for _ in range(60):
            mind.hear(read_teaching("The weather is nice today.", ground(case, "discharge")))
        assert {q.id: mind.answer(q) for q in case.questions} == before


@pytest.mark.parametrize("personality", PERSONALITIES)
def test_a_stronger_memory_never_answers_worse(open_cases, personality):
    for case in open_cases[:6]:
        mind = Mind(case, Persona(personality=personality), seed=0)
        for question in case.questions:
            right = []
            for level in (0.0, 0.25, 0.5, 0.75, 1.0):
                for item in question.about:
                    mind.traces[item].strength = level
                right.append(mind.answer(question).chosen == "answer")
            assert right == sorted(right)
