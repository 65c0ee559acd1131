"""Laws of a written summary: a plain and right one helps who can read it, a hard one less, a wrong one misleads."""

import re

import numpy as np
import pytest

from bedside.benchmarks.stats.intervals import difference_interval
from bedside.cases.persona import Persona
from bedside.clinicians.registry import make_clinician
from bedside.clinicians.rollout import rollout
from bedside.envs.discharge import DischargeEnv
from bedside.envs.learner import LearningPatient
from bedside.rewards.exam import score_exam
from bedside.verifier.grounding import ground

READERS = {
    "able": Persona(),
    "low-literacy": Persona(literacy="low"),
    "low-literacy-edu1": Persona(literacy="low", education=1),
    "anxious": Persona(personality="anxious"),
}


@pytest.fixture(scope="module")
def pages(some_cases):
    """The summaries of educators who write plainly, in jargon, or nothing."""
    env = DischargeEnv(some_cases, documents=True)
    written = {}
    for educator in ("checklist", "jargon", "silent"):
        clinician = make_clinician(educator, cases=some_cases, source="open")
        written[educator] = [rollout(env, clinician, 0, {"case": case.id}).summary for case in some_cases]
    return written


def exams(cases, documents, person):
    found = []
    for case, document in zip(cases, documents, strict=True):
        reader = LearningPatient(ground(case, "discharge"), person, 0)
        reader.read(document)
        found.append(score_exam(reader.examine(), case).value)
    return np.array(found)


def effect(better, worse):
    gap = difference_interval(better, worse, "reading")
    return gap.mean, gap.low


@pytest.mark.parametrize("reader", READERS)
def test_a_plain_summary_helps_and_a_hard_one_helps_less(some_cases, pages, reader):
    by = {educator: exams(some_cases, documents, READERS[reader]) for educator, documents in pages.items()}
    mean, low = effect(by["checklist"], by["silent"])
    assert low > 0, (mean, low)
    mean, low = effect(by["checklist"], by["jargon"])
    assert low > 0, (mean, low)
    assert by["jargon"].mean() >= by["silent"].mean()


def test_it_helps_most_who_can_read_it(some_cases, pages):
    gained = {
        name: exams(some_cases, pages["checklist"], person) - exams(some_cases, pages["silent"], person)
        for name, person in READERS.items()
    }
    for burdened in ("low-literacy", "low-literacy-edu1"):
        mean, low = effect(gained["able"], gained[burdened])
        assert low > 0.05, (burdened, mean, low)


@pytest.mark.parametrize("reader", READERS)
def test_a_wrong_summary_misleads(some_cases, pages, reader):
    """Every figure of the page is wrong: doses, times and limits."""
    wrong = [re.sub(r"\d+", lambda figure: str(3 * int(figure[0]) + 1), page) for page in pages["checklist"]]
    right = exams(some_cases, pages["checklist"], READERS[reader])
    mean, low = effect(right, exams(some_cases, wrong, READERS[reader]))
    assert low > 0, (mean, low)


def test_what_a_page_gets_wrong_is_believed(some_cases):
    for case in some_cases:
        drug = next((f for f in case.plan if f.kind == "medication" and f.dose and f.dose.endswith("mg")), None)
        if drug is None:
            continue
        reader = LearningPatient(ground(case, "discharge"), Persona(), 0)
        reader.read(f"Take {drug.text} 7777 mg by mouth.")
        trace = reader.mind.traces[f"{drug.id}.dose"]
        assert trace.wrong
        assert trace.belief > trace.strength
        return
    pytest.fail("no case with a dose in milligrams")


def test_the_length_of_a_page_costs_no_reader_what_it_would_cost_a_listener(some_cases, pages):
    for case, page in zip(some_cases, pages["checklist"], strict=True):
        reader, listener = (LearningPatient(ground(case, "discharge"), Persona(), 0) for _ in range(2))
        reader.read(page)
        listener.draft(page, [], 0, "")
        read, heard = (sum(t.strength for t in p.mind.traces.values()) for p in (reader, listener))
        assert read > heard
