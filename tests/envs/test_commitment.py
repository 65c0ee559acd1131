import pytest

from bedside.envs.audible import hear
from bedside.envs.commitment import committed_diagnosis


@pytest.mark.parametrize(
    ("action", "name"),
    [
        ("Final Diagnosis: Myocardial infarction", "Myocardial infarction"),
        ("**Final Diagnosis:** GERD.", "GERD"),
        ("**Final Diagnosis**: *GERD*", "GERD"),
        ("## Final Diagnosis\n\nAcute bronchitis\n\n## Plan\nRest.", "Acute bronchitis"),
        ("Final Diagnosis:\n- Acute bronchitis\n- Asthma", "Acute bronchitis"),
        ("Final Diagnosis:\n1. Acute bronchitis (70 %)\n2. Asthma", "Acute bronchitis (70 %)"),
        ("My final diagnosis is acute appendicitis.", "acute appendicitis"),
        ("The final diagnosis would be: Gout", "Gout"),
        ("Final diagnosis (most likely): Gout", "Gout"),
        ("final diagnosis - influenza", "influenza"),
        ("FINAL DX: Gout", "Gout"),
        ("Final Diagnosis → Gout", "Gout"),
        ("Final Diagnosis = Gout", "Gout"),
        ("Thank you for telling me.\nFINAL DIAGNOSIS: Gout", "Gout"),
        ('```json\n{"final_diagnosis": "Gout"}\n```', "Gout"),
        ("<think>Final Diagnosis: pneumonia? No.</think>Final Diagnosis: Gout", "Gout"),
        ("Final Diagnosis: unclear so far.\nHaving thought again:\nFinal Diagnosis: Gout", "Gout"),
        (
            "Based on fever and cough I am confident. Final Diagnosis: Community-acquired pneumonia.",
            "Community-acquired pneumonia",
        ),
        (
            "Final Diagnosis: Non-ST-elevation myocardial infarction (NSTEMI)",
            "Non-ST-elevation myocardial infarction (NSTEMI)",
        ),
        ("Final Answer: Gout", "Gout"),
        ("Final Diagnosis: I21.4", "I21.4"),
        # None of these commits.
        ("The diagnosis is not clear yet.", None),
        ("Sorry, I cannot give a diagnosis.", None),
        ("Before I give a final diagnosis, do you have a fever?", None),
        ("To reach a final diagnosis I need to know more.", None),
        ("What is the final diagnosis?", None),
        ("Final Diagnosis: pending further questions", None),
        ("My final diagnosis is not yet certain.", None),
        ("Final Diagnosis: I need more information. Do you smoke?", None),
        ("Final Diagnosis: [Name of the condition]", None),
        ("Final Diagnosis: NAME OF THE CONDITION", None),
        ("Final Diagnosis: ___", None),
        ("When I am ready, I will answer with 'Final Diagnosis: ' and the name.", None),
        ("Final Diagnosis:", None),
        ("Could the final diagnosis be gout?", None),
        ("Has a doctor given you a final diagnosis - or only a guess?", None),
        ("", None),
    ],
)
def test_models_commit_in_many_ways_and_speak_of_it_in_others(action, name):
    assert committed_diagnosis(hear(action), asked=False) == name


@pytest.mark.parametrize(
    ("action", "name"),
    [
        ("Acute gout", "Acute gout"),
        ("Final Diagnosis: Gout", "Gout"),
        ("Diagnosis: Gout", "Diagnosis: Gout"),
        (
            "Thank you for all you have told me. With the swollen toe and the sudden start last night, "
            "your symptoms are most consistent with acute gout. Do you have any questions?",
            "Thank you for all you have told me. With the swollen toe and the sudden start last night, "
            "your symptoms are most consistent with acute gout",
        ),
        ("Where does it hurt?", None),
        (
            "I need to know more about your history before I can tell you anything that would be of use to you today.",
            None,
        ),
        ("Not yet clear.", None),
        ("", None),
    ],
)
def test_when_asked_an_answer_without_the_label_will_do(action, name):
    assert committed_diagnosis(hear(action), asked=True) == name
