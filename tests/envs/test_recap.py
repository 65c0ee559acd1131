"""A recap with something false in it is put right; a true one is confirmed."""

import re
from collections.abc import Iterator

import pytest

from bedside.cases.case import Case
from bedside.cases.fact import Allergy, Condition, Medication, Symptom
from bedside.cases.noise import NoiseProfile
from bedside.cases.persona import Persona
from bedside.envs.interview import InterviewPatient
from bedside.envs.learner import LearningPatient
from bedside.envs.patient import Utterance, speak
from bedside.envs.speech.record import record_of
from bedside.verifier.grounding import ground
from bedside.verifier.verifier import RulesVerifier

VERIFIER = RulesVerifier()
NO_NOISE = NoiseProfile()
REFUSED = re.compile(r"\b(?:not|no|never|nobody|hang on|wait|stop you)\b|n't\b", re.IGNORECASE)


def reply(case: Case, recap: str, noise: NoiseProfile = NO_NOISE, seed: int = 7) -> Utterance:
    grounded = ground(case, "interview")
    patient = InterviewPatient(grounded, Persona(noise=noise), seed, disfluency=0.0)
    return speak(
        lambda attempt, feedback: patient.draft(recap, (), attempt, feedback),
        lambda text: VERIFIER.verify(text, grounded, noise, (), recap),
        seed,
    )


def refuses(said: str) -> bool:
    return bool(REFUSED.search(said))


def called(fact: Symptom | Condition) -> str:
    return fact.lay[0] if fact.lay else fact.text


def complaint(case: Case) -> str:
    return called(next(f for f in case.record if isinstance(f, Symptom)))


def lacks(case: Case, concept: str) -> bool:
    grounded = ground(case, "interview")
    return concept not in grounded.details and not any(concept in known.broader for known in grounded.record)


def false_recaps(case: Case) -> Iterator[tuple[str, str]]:
    """Recaps with one thing wrong, by the kind of the wrong thing."""
    has = complaint(case)
    drug = next((f for f in case.record if isinstance(f, Medication) and "mg" in (f.dose or "")), None)
    if lacks(case, "sx:hemoptysis"):
        yield "symptom", f"So you have {has}, and you've been coughing up blood, is that right?"
    if lacks(case, "drug:warfarin"):
        yield "medicine", f"Let me sum up: you've had {has}, and you take warfarin. Did I get that right?"
    if lacks(case, "cond:asthma"):
        yield "history", f"Let me make sure I've got this: you have {has} and a history of asthma, correct?"
    if drug:
        yield "dose", f"To summarize, you have {has}, and you take {drug.text} 7 mg. Is that correct?"
        yield "no medicine", f"Let me sum up: you have {has}, and you don't take any medicines. Is that right?"
    if not any(isinstance(f, Allergy) for f in case.record):
        yield "allergy", f"So you have {has} and you're allergic to peanuts, right?"
    if record_of(ground(case, "interview")).main is not None:
        yield "denied symptom", f"So to sum up, you don't have {has}, and you have no fever, is that right?"


def true_recaps(case: Case) -> Iterator[str]:
    has = complaint(case)
    for fact in case.record:
        if isinstance(fact, Medication) and fact.dose:
            yield f"To summarize, you have {has}, and you take {fact.text} {fact.dose}. Is that correct?"
        if isinstance(fact, Condition):
            yield f"Let me make sure I've got this: you have {has} and a history of {called(fact)}, correct?"
        if isinstance(fact, Allergy):
            yield f"So you have {has} and you're allergic to {fact.text}, right?"


def test_what_is_false_in_a_recap_is_put_right(some_cases) -> None:
    nodded: dict[str, list[str]] = {}
    total = 0
    for case in some_cases:
        for kind, recap in false_recaps(case):
            total += 1
            said = reply(case, recap)
            if said.fallback or not refuses(said.text):
                nodded.setdefault(kind, []).append(f"{case.id}: {recap} -> {said.text}")
    assert total > 150
    assert sum(map(len, nodded.values())) <= 0.02 * total, nodded


def test_what_is_true_in_a_recap_is_confirmed(some_cases) -> None:
    total = 0
    objected = []
    for case in some_cases:
        for recap in true_recaps(case):
            total += 1
            said = reply(case, recap).text
            if refuses(said):
                objected.append((recap, said))
    assert total > 100
    assert len(objected) <= 0.02 * total, objected


@pytest.mark.parametrize(
    ("recap", "expected"),
    [
        ("So you take warfarin and you have had asthma, is that right?", ("warfarin", "asthma")),
        ("So to sum up, your chest feels heavy, and you have no allergies, correct?", ("sulfa",)),
        ("You told me that your chest felt heavy and that it started two years ago.", ("one week ago",)),
    ],
)
def test_the_false_part_is_named(case_of, recap: str, expected: tuple[str, ...]) -> None:
    said = reply(case_of("cir-01"), recap).text
    assert refuses(said)
    assert all(word in said for word in expected), said


def test_a_name_with_and_in_it_is_one_fact_of_two(case_of) -> None:
    said = reply(
        case_of("ner-04"), "So you have weak, heavy legs, and you've been coughing up blood, is that right?"
    ).text
    assert refuses(said)
    assert "coughing up blood" in said


def test_a_patient_who_hides_a_habit_does_not_object_to_its_absence(case_of) -> None:
    recap = "So your chest feels heavy, and you don't drink alcohol, is that right?"
    assert "beers" in reply(case_of("cir-01"), recap).text
    assert "beers" not in reply(case_of("cir-01"), recap, NoiseProfile(social_cultural=4)).text


def test_at_discharge_one_knows_ones_own_history_better(case_of) -> None:
    grounded = ground(case_of("cir-01"), "discharge")
    patient = LearningPatient(grounded, Persona(), 3, disfluency=0.0)
    wrong = patient.draft("Before we go on: you told me you are allergic to penicillin, right?", (), 0, "")
    assert "not allergic to penicillin" in wrong
    right = patient.draft("And you are allergic to sulfa antibiotics, is that right?", (), 0, "")
    assert not refuses(right)
