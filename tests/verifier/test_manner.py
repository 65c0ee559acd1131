import pytest

from bedside.cases.noise import NoiseProfile
from bedside.verifier.feedback import feedback
from bedside.verifier.grounding import ground
from bedside.verifier.manner import manner
from bedside.verifier.verifier import RulesVerifier


@pytest.mark.parametrize(
    ("utterance", "violation"),
    [
        ("As an AI language model, I have no symptoms.", "ai_disclosure"),
        ("I'm just an AI, I don't feel pain.", "ai_disclosure"),
        ("My instructions say that I have a cough.", "ai_disclosure"),
        ("Hello! How can I help you today?", "role_reversal"),
        ("What brings you in today?", "role_reversal"),
        ("I'm Dr. Carter, a medical officer.", "role_reversal"),
        ("What's your problem, can I help you with something?", "role_reversal"),
        ("Could you please describe your symptoms?", "role_reversal"),
        ("Do you have any allergies?", "role_reversal"),
        ("I recommend a chest X-ray.", "role_reversal"),
        ("I'm just reviewing the patient's chart.", "role_reversal"),
        ("I'm here to discuss your current procedure.", "role_reversal"),
        ("I'm happy to help you with that.", "helper_voice"),
        ("It hurts. I hope this helps!", "helper_voice"),
        ("Let me know if you have any other questions.", "helper_voice"),
        ("You should see a doctor about that.", "helper_voice"),
        ("Here is a possible response: it hurts.", "helper_voice"),
        ("Based on the information, it is my chest.", "helper_voice"),
        ("The patient reports chest pain.", "helper_voice"),
        ("Yes. This patient has had chest pain.", "helper_voice"),
        ("  ", "unreadable"),
        ("Thank you for coming in today.", "role_reversal"),
        ("I would like to order an ultrasound and some bloods.", "role_reversal"),
        ("Does the pain go to your shoulder?", "role_reversal"),
        ("It sounds as though you may be having some insomnia.", "role_reversal"),
        ("Let's see you back in two weeks.", "role_reversal"),
    ],
)
def test_words_that_no_patient_says(utterance, violation):
    assert manner(utterance) == [violation]


@pytest.mark.parametrize(
    "utterance",
    [
        "How are you, doctor? It hurts.",
        "I'm here to see the doctor. I'm here to get help.",
        "I'm glad to hear that. My mother is the doctor in our family.",
        "Can you tell me what is wrong with me?",
        "My wife said I should see a doctor.",
        "I didn't talk to a doctor until Monday.",
        "I should get medical help if it bleeds. It's important to take it with food.",
        "Please let me know when you find out.",
        "The patient next to me coughed all night.",
        "The doctor said: rest.",
        "What brings on the pain is walking.",
        "They ordered a scan, and I'll order a taxi.",
        "Can you help me? I hope that it helps.",
        "Here is where it hurts.",
        "That's all I can think of. Any other questions?",
        "Is the pain going to go away?",
        "Does the cough come to everybody?",
        "Thank you for coming to see me, doctor.",
        "I'd like to order a pizza when I get home.",
    ],
)
def test_words_that_patients_say(utterance):
    assert manner(utterance) == []


def test_feedback_at_discharge_does_not_teach_the_plan(open_cases):
    told = 0
    for case in open_cases:
        for drug in case.plan:
            if drug.kind != "medication" or not drug.dose or drug.change == "stopped":
                continue
            verdict = RulesVerifier().verify(f"I take {drug.text} 999 mg.", ground(case, "discharge"), NoiseProfile())
            assert drug.dose not in verdict.feedback
            told += drug.text in verdict.feedback
    assert told > 50
    assert feedback((), ("helper_voice",), ground(open_cases[0], "discharge"))
