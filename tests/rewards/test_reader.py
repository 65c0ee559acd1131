"""Sentences that were once misread, each of which stands for its kind, on plans of a line or two."""

import pytest
from transcripts import open_case, talk

from bedside.cases.case import Case
from bedside.cases.fact import AnyFact, Condition, FollowUp, Instruction, Medication, ReturnSign, Treatment
from bedside.rewards.lesson import lesson_of
from bedside.rewards.safety import audit
from bedside.verifier.grounding import ground
from bedside.verifier.language.text import sentences
from bedside.verifier.teaching.answering import leans
from bedside.verifier.teaching.conveyed import read_teaching
from bedside.verifier.teaching.permission import dismisses

STOPPED_PRIL = Medication(id="lisinopril", text="lisinopril", purpose="it hurt your kidneys", change="stopped")
NAPROXEN = Medication(
    id="naproxen",
    text="naproxen",
    dose="500 mg",
    route="by mouth",
    frequency="twice daily with food",
    duration="for 10 days",
    purpose="pain",
    precautions=("Do not take ibuprofen or aspirin with it.",),
    change="new",
)
SUMATRIPTAN = Medication(
    id="sumatriptan",
    text="sumatriptan",
    dose="50 mg",
    route="by mouth",
    frequency="once daily as needed",
    purpose="migraine",
    precautions=("Can cause chest tightness; use it on no more than 9 days a month.",),
    change="continued",
)
ZOLPIDEM = Medication(
    id="zolpidem",
    text="zolpidem",
    dose="5 mg",
    route="by mouth",
    frequency="once daily at bedtime",
    duration="for 7 days",
    purpose="sleep",
    precautions=("Can cause drowsiness, never while you take tramadol.",),
    change="new",
)
AMIODARONE = Medication(
    id="amiodarone",
    text="amiodarone",
    dose="200 mg",
    route="by mouth",
    frequency="once daily",
    purpose="a steady heart rhythm",
    change="continued",
)
AMOXICILLIN = Medication(
    id="amoxicillin",
    text="amoxicillin",
    dose="500 mg",
    route="by mouth",
    frequency="three times daily",
    duration="for 7 days",
    purpose="the infection",
    precautions=("Stop it and call for a rash.",),
    change="new",
)
IRON = Medication(
    id="iron",
    text="ferrous sulfate",
    dose="325 mg",
    route="by mouth",
    frequency="once daily",
    purpose="low iron",
    precautions=("Keep it 2 hours apart from calcium.",),
    change="new",
)
ALBUTEROL = Medication(
    id="albuterol",
    text="albuterol",
    dose="3 mL",
    route="inhaled",
    frequency="every 6 hours as needed",
    purpose="wheezing",
    change="new",
)
OXYGEN = Medication(
    id="oxygen",
    text="oxygen",
    dose="12 liters per minute",
    route="inhaled",
    frequency="as needed",
    purpose="cluster headaches",
    change="new",
)


def planned(*facts: AnyFact) -> Case:
    bare = open_case("cir-01").model_copy(update={"plan": facts, "questions": ()})
    return Case.model_validate(bare.model_dump())


def read(case: Case, *texts: str) -> tuple[set[str], set[str]]:
    """Items that end rightly and wrongly stated."""
    last = lesson_of(talk(case, texts), case).last
    return {item for item in last if last[item].event.right}, {item for item in last if not last[item].event.right}


@pytest.mark.parametrize(
    ("facts", "text", "taught"),
    [
        ((Condition(id="dx", text="influenza A"),), "You have influenza A.", {"dx"}),
        ((Condition(id="dx", text="hepatitis A"),), "The blood test shows that you have hepatitis A.", {"dx"}),
        ((NAPROXEN,), "Do not take ibuprofen or aspirin with naproxen.", {"naproxen.precaution1"}),
        (
            (NAPROXEN,),
            "Take naproxen 500 mg with food. Do not take ibuprofen or aspirin.",
            {"naproxen", "naproxen.dose"},
        ),
        (
            (STOPPED_PRIL, FollowUp(id="fu", text="your primary care doctor", when="in 1 week")),
            "We stopped lisinopril. At your primary care doctor in 1 week, ask whether lisinopril is safe again.",
            {"lisinopril", "fu", "fu.when"},
        ),
        (
            (ReturnSign(id="rs", text="a headache that comes back in the house", urgency="911"),),
            "If you get a headache that comes back in the house, do not go back into the house and call 911.",
            {"rs"},
        ),
        (
            (SUMATRIPTAN,),
            "Sumatriptan is 50 mg by mouth once a day as needed. Use it on no more than 9 days a month.",
            {"sumatriptan.frequency", "sumatriptan.precaution1"},
        ),
        ((SUMATRIPTAN,), "Use sumatriptan on no more than 9 days a month.", {"sumatriptan", "sumatriptan.precaution1"}),
        (
            (ZOLPIDEM,),
            "Take zolpidem 5 mg at bedtime for 7 days. It can make you drowsy, never while you take tramadol.",
            {"zolpidem.duration"},
        ),
        (
            (
                AMIODARONE,
                FollowUp(id="fu", text="heart rhythm clinic", when="in 6 weeks", purpose="whether to stop amiodarone"),
            ),
            "You take amiodarone 200 mg once a day. You will see the heart rhythm clinic in 6 weeks to talk about "
            "whether to stop amiodarone.",
            {"amiodarone", "fu", "fu.when", "fu.purpose"},
        ),
        (
            (
                AMIODARONE,
                FollowUp(id="fu", text="heart rhythm clinic", when="in 6 weeks", purpose="to stop amiodarone"),
            ),
            "You take amiodarone 200 mg once a day. You will see the heart rhythm clinic in 6 weeks to stop "
            "amiodarone.",
            {"amiodarone", "fu", "fu.when", "fu.purpose"},
        ),
        (
            (AMOXICILLIN,),
            "Take amoxicillin 500 mg by mouth three times a day for 7 days. Stop it and call for a rash.",
            {"amoxicillin", "amoxicillin.precaution1", "amoxicillin.duration"},
        ),
        (
            (IRON,),
            "Take the iron, ferrous sulfate, 325 mg once a day, and keep it 2 hours apart from calcium.",
            {"iron", "iron.frequency", "iron.precaution1"},
        ),
        (
            (
                Instruction(id="dry", text="Keep the wound dry for 5 days.", area="wound"),
                FollowUp(id="fu", text="surgery clinic", when="in 10 days", purpose="a wound check"),
            ),
            "Keep the wound dry for 5 days. You will see the surgery clinic in 10 days for a wound check.",
            {"dry", "fu", "fu.when", "fu.purpose"},
        ),
        (
            (Instruction(id="band", text="Wear a bracelet that says penicillin.", area="safety"),),
            "Wear a bracelet that says penicillin.",
            {"band"},
        ),
        (
            (ALBUTEROL,),
            "Albuterol helps with wheezing. Breathe in 3 mL every 6 hours as needed.",
            {"albuterol", "albuterol.dose", "albuterol.route", "albuterol.frequency"},
        ),
        (
            (OXYGEN,),
            "Breathe oxygen at 12 liters per minute as needed for cluster headaches.",
            {"oxygen", "oxygen.dose", "oxygen.route", "oxygen.frequency"},
        ),
        (
            (
                Medication(id="ssri", text="escitalopram", purpose="it can drive the mood too high", change="stopped"),
                Instruction(id="drive", text="Do not drive until your doctor says you may.", area="safety"),
            ),
            "We stopped escitalopram because it can drive the mood too high.",
            {"ssri", "ssri.purpose"},
        ),
        (
            (Medication(id="puffs", text="albuterol", dose="2 puffs", frequency="every 4 hours", change="changed"),),
            "Use albuterol 2 puffs every 4 hours. Before, it was every 6 hours, only if you need it.",
            {"puffs", "puffs.frequency"},
        ),
        (
            (Medication(id="eye", text="erythromycin", lay=("eye ointment",), route="in the right eye", change="new"),),
            "It is an eye ointment. Put the erythromycin eye ointment in the right eye.",
            {"eye.route"},
        ),
        (
            (AMIODARONE, Instruction(id="drive", text="Do not drive while you take amiodarone.", area="safety")),
            "Amiodarone can cause drowsiness, so do not drive or drink alcohol.",
            {"drive"},
        ),
        (
            (Instruction(id="lens", text="Wear no contact lenses until the eye clinic allows it.", area="safety"),),
            "Wear no contact lenses until the eye clinic allows it. The visit is for safe lenses or glasses.",
            {"lens"},
        ),
        (
            (
                Medication(
                    id="block",
                    text="eplerenone",
                    dose="50 mg",
                    purpose="blocking the salt hormone",
                    precautions=("No salt substitutes.",),
                    change="new",
                ),
            ),
            "Take 50 mg of eplerenone by mouth twice a day, to block the salt hormone.",
            {"block", "block.purpose"},
        ),
        (
            (
                FollowUp(id="heart", text="cardiology clinic", when="in 4 weeks", purpose="a device"),
                FollowUp(id="brain", text="neurosurgery clinic", when="in 2 weeks", purpose="a scan"),
            ),
            "The neurosurgery clinic sees you in 2 weeks, the heart clinic in 4.",
            {"heart", "heart.when", "brain", "brain.when"},
        ),
        (
            (Treatment(id="gas", text="oxygen at 12 liters by mask"),),
            "We gave you oxygen at 12 liters by mask.",
            {"gas"},
        ),
    ],
    ids=lambda value: value[:50] if isinstance(value, str) else "",
)
def test_what_was_said_is_read(facts: tuple[AnyFact, ...], text: str, taught: set[str]) -> None:
    case = planned(*facts)
    right, wrong = read(case, text)
    assert not wrong
    assert taught <= right
    assert not [
        claim for claim in audit(talk(case, [text]), lesson_of(talk(case, [text]), case)) if claim.status == "harmful"
    ]


def test_stopping_one_drug_when_another_ends_stops_only_the_one() -> None:
    stopped = NAPROXEN.model_copy(update={"change": "stopped"})
    right, wrong = read(planned(AMIODARONE, stopped), "Take amiodarone 200 mg. Stop naproxen when amiodarone ends.")
    assert not wrong
    assert "amiodarone" in right


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("There is just a bit more.", False),
        ("Let me add one point.", False),
        ("I want to make sure I explained that well.", False),
        ("The last part is about your visits.", False),
        ("There is no harm in it.", True),
        ("No, let it be.", True),
        ("Not for a week.", True),
    ],
)
def test_what_is_said_about_the_talk_answers_no_patient(text: str, answers: bool) -> None:
    assert leans(sentences(text)[0]) is answers


@pytest.mark.parametrize(
    ("text", "waved_away"),
    [
        ("There is just a bit more.", False),
        ("We stopped nifedipine because your blood pressure is normal with metoprolol.", False),
        ("Black stools are just the iron.", True),
        ("Do not call, because bleeding is normal.", True),
    ],
)
def test_only_what_makes_light_of_a_sign_dismisses_it(text: str, waved_away: bool) -> None:
    assert dismisses(text) is waved_away


@pytest.mark.parametrize(
    ("answer", "taught"),
    [
        ("Warning signs, bleeding, fainting, sudden, shortness, swollen, painful", False),
        ("Call 911 for fainting, bleeding or a swollen leg.", True),
    ],
)
def test_keywords_answer_no_question(answer: str, taught: bool) -> None:
    case = planned(ReturnSign(id="rs", text="fainting", urgency="911"))
    assert ("rs" in read_teaching(answer, ground(case, "discharge"), "When should I come back?").conveyed) is taught
