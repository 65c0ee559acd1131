"""Every attribute of a complaint has a decided verdict: where the record agrees, where it differs, where it is silent.

Frequency, radiation, quality and what worsens or eases are facts, and made up where the record holds none; how bad it
is, how many times it came, at which hour, how long a spell lasts and since when may be told all the same.
"""

import pytest

from bedside.cases.case import Case
from bedside.cases.noise import NoiseProfile
from bedside.verifier.grounding import ground
from bedside.verifier.verifier import RulesVerifier

PASS, REGENERATE = "pass", "regenerate"
# attribute, its value, what agrees, what differs, and what becomes of the first where the record says nothing of it
ATTRIBUTES = [
    ("onset", "2 weeks ago", "The headaches began two weeks ago.", "The headaches began four months ago.", PASS),
    (
        "timing",
        "twice a week",
        "I get the headaches twice a week.",
        "I get the headaches five times a day.",
        REGENERATE,
    ),
    ("timing", "twice a week", "The headaches come a few times a week.", "The headaches come every night.", REGENERATE),
    ("timing", "three times", "I've had the headache three times.", "I've had the headache ten times.", PASS),
    ("timing", "in the morning", "The headaches come in the morning.", "The headaches come in the evening.", PASS),
    ("duration", "an hour at a time", "Each headache lasts an hour.", "Each headache lasts two days.", PASS),
    ("severity", 4, "The headache is a four out of ten.", "The headache is a nine out of ten.", PASS),
    ("character", "throbbing", "It's a throbbing headache.", "It's a stabbing headache.", REGENERATE),
    ("radiation", "the neck", "It goes into my neck.", "The headache goes down into my right arm.", REGENERATE),
    ("site", "left side of the head", "My headache is on the left.", "My headache is on the right.", PASS),
    ("aggravating", ("bright light",), "Bright light makes it worse.", "Coughing makes it worse.", REGENERATE),
    ("relieving", ("lying down",), "Lying down helps the headache.", "Eating helps the headache.", REGENERATE),
    ("setting", "after a fall", "It started after a fall.", "It started after a car crash.", REGENERATE),
]


def overall(utterance: str, **attributes: object) -> str:
    case = Case.model_validate(
        {
            "id": "head",
            "source": "test",
            "licence": "CC0",
            "demographics": {"age": 44, "sex": "female", "occupation": "baker"},
            "chief_complaint": "I do not feel right",
            "record": [{"kind": "symptom", "id": "head", "text": "headache"} | attributes],
            "diagnosis": {"text": "tension-type headache", "icd10": "G44.2"},
        }
    )
    grounded = ground(case, "interview")
    return RulesVerifier().verify(utterance, grounded, NoiseProfile(), (), "Tell me about the headache.").overall


@pytest.mark.parametrize(("attribute", "value", "agrees", "differs", "unsaid"), ATTRIBUTES)
def test_every_attribute_is_decided(attribute, value, agrees, differs, unsaid):
    assert overall(agrees, **{attribute: value}) == PASS
    assert overall(differs, **{attribute: value}) == REGENERATE
    assert overall(agrees) == unsaid
