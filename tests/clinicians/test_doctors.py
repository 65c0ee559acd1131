import re
from pathlib import Path

import numpy as np
import pytest

from bedside.cases.case import Case, Demographics, Diagnosis
from bedside.cases.fact import Condition, FamilyHistory, SocialHistory, Symptom
from bedside.clinicians.answers import Ear
from bedside.clinicians.case_knowledge import case_knowledge
from bedside.clinicians.diagnosis_model import Belief, Feature, Knowledge
from bedside.clinicians.doctors import InformationGain, QuestionList
from bedside.clinicians.registry import POLICIES, make_clinician
from bedside.envs.briefing import diagnosis_briefing

DDXPLUS = Path(__file__).parents[1] / "data" / "ddxplus"


def symptom(name, *lay):
    return Symptom(id=name.replace(" ", "-"), text=name, lay=lay)


def case(name, *record):
    return Case(
        id=name.replace(" ", "-"),
        source="test",
        licence="none",
        demographics=Demographics(age=40, sex="female"),
        chief_complaint=record[0].text,
        record=record,
        diagnosis=Diagnosis(text=name),
    )


CASES = (
    case("influenza", symptom("fever", "a high temperature"), symptom("cough"), symptom("muscle aches")),
    case(
        "migraine",
        symptom("headache"),
        symptom("nausea"),
        FamilyHistory(id="fam", text="migraine", relative="mother"),
    ),
    case("pneumonia", symptom("fever"), symptom("cough"), symptom("chest pain"), symptom("chills")),
    case(
        "alcohol withdrawal",
        symptom("nausea"),
        symptom("tremor", "shaky hands"),
        SocialHistory(id="alc", text="drinks ten beers a day", aspect="alcohol"),
    ),
    case("gout", symptom("joint pain"), Condition(id="htn", text="hypertension", lay=("high blood pressure",))),
)


class Patient:
    """Says yes to the words of its record, after ``puzzled`` non-answers and ``denials`` of the truth."""

    def __init__(self, of, puzzled=0, denials=0):
        self.case = of
        self.puzzled = puzzled
        self.denials = denials

    def answer(self, question):
        if "brings you" in question:
            return f"I have {self.case.record[0].text}."
        if "other symptoms" in question:
            return "I'm not sure, to be honest."
        if self.puzzled:
            self.puzzled -= 1
            return "Sorry, what do you mean?"
        names = [w for f in self.case.record for w in (f.text, *f.lay)]
        names += ["alcohol"] if any(f.kind == "social" for f in self.case.record) else []
        if not any(name in question.lower() for name in names):
            return "No, I haven't."
        if self.denials:
            self.denials -= 1
            return "No, never."
        return "Yes, I have."


def interview(doctor, patient, seed=1, most=40):
    """Return the doctor's turns."""
    doctor.reset(seed)
    said, text = [], "Hello."
    while not said or "Final Diagnosis" not in said[-1]:
        request = "diagnose" if len(said) == most - 1 else "ask"
        said.append(doctor.act({"briefing": diagnosis_briefing(patient.case), "patient": text, "request": request}))
        assert len(said) <= most, "the doctor does not obey the last request"
        text = patient.answer(said[-1])
    return said


def doctor(name="infogain", cases=CASES):
    return make_clinician(name, cases=cases, source="test")


@pytest.mark.parametrize("name", POLICIES["diagnosis"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_finds_the_diagnosis_by_asking(name, case):
    said = interview(doctor(name), Patient(case))
    assert all(turn.endswith(("?", ".")) for turn in said[:-1])
    if name == "infogain":
        assert said[-1] == f"Final Diagnosis: {case.diagnosis.text}"


@pytest.mark.parametrize("name", POLICIES["diagnosis"])
def test_same_seed_same_words_also_after_another_patient(name):
    one = doctor(name)
    first = interview(one, Patient(CASES[2]), seed=5)
    interview(one, Patient(CASES[0]), seed=6)
    assert interview(one, Patient(CASES[2]), seed=5) == first == interview(doctor(name), Patient(CASES[2]), seed=5)


@pytest.mark.parametrize("name", POLICIES["diagnosis"])
def test_commits_when_told_to(name):
    assert len(interview(doctor(name), Patient(CASES[0]), most=3)) == 3


def test_asks_once_more_in_other_words_when_not_understood():
    said = interview(doctor(), Patient(CASES[3], puzzled=1))
    assert said[3] in {feature.reworded for feature in case_knowledge(CASES).features}
    assert said[-1] == "Final Diagnosis: alcohol withdrawal"


def test_never_asks_the_same_question_twice_without_need():
    for number in range(len(CASES)):
        said = interview(doctor(), Patient(CASES[number]))
        bare = [re.sub(r"^(?:Thank you|I see|Okay|That helps)\. ", "", turn) for turn in said]
        assert len(set(bare)) == len(bare)


def test_a_denied_stigma_is_probed_once_with_empathy():
    knowledge = Knowledge(
        diagnoses=("withdrawal", "flu"),
        prior=np.array([0.5, 0.5]),
        features=(
            Feature(
                "alcohol",
                SocialHistory(id="a", text="drinks alcohol", aspect="alcohol", lay=("alcohol",)),
                "Do you drink alcohol?",
                "Do you have a drink now and then?",
                sensitive=True,
            ),
        ),
        chance=np.array([[0.95], [0.05]]),
    )
    shy = InformationGain(knowledge, Ear(knowledge.features))
    patient = Patient(CASES[3], denials=1)
    said = interview(shy, patient)
    probe = said[3]
    assert "Do you drink alcohol?" in probe
    assert re.search(r"personal|judge|hard to talk", probe)
    assert said[-1] == "Final Diagnosis: withdrawal"
    assert sum("alcohol" in turn for turn in interview(shy, Patient(CASES[3], denials=2))) == 2


@pytest.fixture(scope="module")
def ear():
    return Ear(case_knowledge(CASES).features)


def feature(name):
    return [f for f in case_knowledge(CASES).features if name in f.fact.text]


@pytest.mark.parametrize(
    ("text", "asked", "reply"),
    [
        ("Yes, I do.", "fever", "yes"),
        ("Um, no, nothing like that.", "fever", "no"),
        ("I've had a high temperature since Monday.", "fever", "yes"),
        ("Well, I haven't had a fever.", "fever", "no"),
        ("I don't think so.", "fever", "no"),
        ("What do you mean?", "fever", "unclear"),
        ("The weather is nice.", "fever", "unclear"),
    ],
)
def test_yes_and_no(ear, text, asked, reply):
    assert ear.listen(text, feature(asked)).reply == reply


def test_hears_what_was_not_asked_for_and_whose_it_is(ear):
    answer = ear.listen("I have a cough but no fever. My mother had migraine.")
    told = {
        name: {f.fact.text for f in case_knowledge(CASES).features if f.key in getattr(answer, name)}
        for name in ("present", "absent")
    }
    assert told == {"present": {"cough", "migraine"}, "absent": {"fever"}}
    assert all(key.startswith("family") for key in answer.present if "migraine" in key)


def test_a_hedged_answer_weighs_less(ear):
    assert ear.listen("Maybe, I think so.", feature("fever")).weight < ear.listen("Yes.", feature("fever")).weight


def two_diseases():
    features = tuple(Feature(name, symptom(name), f"Any {name}?", f"{name}?") for name in ("fever", "rash", "itch"))
    chance = np.array([[0.9, 0.5, 0.02], [0.1, 0.5, 0.02]])
    return Knowledge(("a", "b"), np.array([0.5, 0.5]), features, chance)


def test_the_most_telling_question_has_the_highest_gain():
    gains = Belief(two_diseases()).gains()
    assert gains.argmax() == 0
    assert (gains >= -1e-12).all()
    assert gains[1] == pytest.approx(0, abs=1e-9)


def test_belief_moves_with_the_weight_of_an_answer_and_never_to_certainty():
    moved = []
    for weight in (0.5, 1.0):
        belief = Belief(two_diseases())
        belief.update("fever", present=True, weight=weight)
        moved.append(belief.best[1])
    assert 0.5 < moved[0] < moved[1] < 1.0
    assert belief.posterior.sum() == pytest.approx(1)
    belief.update("fever", present=False)
    assert belief.best[0] in ("a", "b")


def test_cases_with_one_diagnosis_are_one_hypothesis():
    knowledge = case_knowledge((*CASES, CASES[0].model_copy(update={"id": "again"})))
    assert knowledge.diagnoses == tuple(sorted(case.diagnosis.text for case in CASES))
    assert knowledge.prior.sum() == pytest.approx(1)
    assert knowledge.prior.max() == pytest.approx(2 / 6)


def test_ddxplus_doctor_learns_from_profiles_and_asks_in_sentences():
    clinician = make_clinician("infogain", cases=CASES, source=f"ddxplus:{DDXPLUS}")
    assert isinstance(clinician, InformationGain)
    said = interview(clinician, Patient(CASES[0]))
    assert all(re.match(r"[A-Z].*[?.]$", turn) for turn in said[:-1])
    assert len(said) > 5


def test_knowledge_is_built_once_for_a_source():
    one, other = doctor(), doctor("question-list")
    assert isinstance(other, QuestionList)
    assert one._knowledge is other._knowledge


def test_an_unknown_policy_names_those_there_are():
    with pytest.raises(ValueError, match=r"unknown policy 'expert'.*teachback.*infogain"):
        make_clinician("expert", cases=CASES, source="test")


def test_a_doctor_without_cases_is_refused():
    with pytest.raises(ValueError, match="at least one case"):
        make_clinician("infogain", cases=(), source="nothing")
