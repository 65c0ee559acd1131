"""Laws of comprehension: who teaches better is understood better, by every kind of patient."""

from statistics import mean

import pytest

from bedside.cases.persona import PERSONALITIES, Persona
from bedside.clinicians.registry import make_clinician
from bedside.clinicians.rollout import rollout
from bedside.envs.discharge import DischargeEnv
from bedside.envs.mind import Mind
from bedside.rewards.scoring import score_episode
from bedside.verifier.grounding import ground
from bedside.verifier.teaching.conveyed import read_teaching

EDUCATORS = ("silent", "keyword-spam", "note-dump", "jargon", "checklist", "teachback")


@pytest.fixture(scope="module")
def one_a_chapter(open_cases):
    return [case for case in open_cases if case.id.endswith("-01")]


def scores(cases, persona, educator, names=("exam", "scs")):
    env = DischargeEnv(cases, persona=persona)
    clinician = make_clinician(educator, cases=cases, source="open")
    found = {name: [] for name in names}
    for seed, case in enumerate(cases):
        episode = rollout(env, clinician, seed, {"case": case.id})
        for name in names:
            found[name].append(score_episode(episode, case)[name].value)
    return {name: mean(values) for name, values in found.items()}


@pytest.mark.parametrize(
    "persona", ["neutral", "dischargesim:HL1,edu1,deflective", "dischargebench:anxious,edu2,low,poor"]
)
def test_better_teaching_is_better_understood(one_a_chapter, persona):
    by = {educator: scores(one_a_chapter, persona, educator) for educator in EDUCATORS}
    for name in ("exam", "scs"):
        silent, spam, dump, jargon, checklist, expert = (by[e][name] for e in EDUCATORS)
        assert expert > checklist > jargon > dump >= silent, (name, by)
        assert abs(spam - silent) <= 0.05, (name, by)
        assert expert - silent > 0.2, (name, by)


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


@pytest.mark.parametrize(
    ("weaker", "why"),
    [
        (Persona(literacy="low"), "low literacy"),
        (Persona(education=1), "little schooling"),
        (Persona(recall="poor"), "poor recall"),
        (Persona(personality="anxious"), "anxiety"),
        (Persona(personality="distrustful"), "distrust"),
    ],
)
def test_what_burdens_the_patient_lowers_comprehension(case_of, weaker, why):
    jargon = ("You had a myocardial infarction with ischemia.", *LESSON)
    plain_case = case_of("cir-01")
    assert strength(taught(plain_case, weaker, jargon)) < strength(taught(plain_case, Persona(), jargon)), why


def test_repeating_four_times_gains_nothing_over_twice(case_of):
    twice, four_times = (taught(case_of("cir-01"), times=n) for n in (2, 4))
    assert strength(taught(case_of("cir-01"))) < strength(twice)
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
