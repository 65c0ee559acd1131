"""Patients speak in figures and afterthoughts: what is true in them passes, what is invented does not."""

from functools import lru_cache

import pytest

from bedside.cases.case import Case
from bedside.cases.noise import NoiseProfile
from bedside.cases.sources import load_cases
from bedside.verifier.grounding import ground
from bedside.verifier.verifier import RulesVerifier


@lru_cache(maxsize=1)
def cases() -> dict[str, Case]:
    return {case.id: case for case in load_cases("open")}


def overall(case_id: str, question: str, utterance: str) -> str:
    return (
        RulesVerifier().verify(utterance, ground(cases()[case_id], "interview"), NoiseProfile(), (), question).overall
    )


@pytest.mark.parametrize(
    ("case_id", "question", "utterance"),
    [
        ("inj-10", "Who's at home?", "The missus and the baby. I'm sweating bullets about missing work."),
        ("dig-11", "What's the matter?", "The cramps come every ten minutes, like I'm having a baby."),
        ("end-12", "Tell me about the surgery.", "They went up my nose and took out a growth."),
        ("end-12", "What do you take?", "Hydrocortisone, ten twice a day. The thyroid one, seventy-five."),
        ("res-17", "Lost weight?", "Fourteen pounds. My tool belt falls down."),
        ("mus-12", "Kidneys all right?", "They're weak. They told me to lay off the Advil, so I do."),
        ("con-05", "What about blood pressure?", "High since twenty-fifteen."),
        ("con-05", "Do you smoke?", "Weed on the weekend. Never cigarettes."),
        ("skn-08", "How does it look?", "My son says it's oozing and it stinks to high heaven."),
        ("dig-17", "What do you take?", "Synthroid, one twelve."),
    ],
)
def test_what_is_true_passes_however_it_is_put(case_id, question, utterance):
    assert overall(case_id, question, utterance) == "pass"


@pytest.mark.parametrize(
    ("case_id", "question", "utterance"),
    [
        ("con-05", "Any chest pain?", "When I lift I get this tightness across my chest."),
        ("dig-09", "How do your eyes feel?", "Red and sore, like there's sand in them."),
        ("gen-12", "Does it hurt when you pee?", "Burns like hell, and there's blood in it too."),
        ("inj-14", "What did you put on it?", "My wife had some leftover amoxicillin, I've been taking that."),
        ("inj-14", "Any allergies?", "Adhesive tape takes my skin off."),
        ("dig-11", "Do you drink?", "I don't, well, a sherry at Christmas."),
        ("con-09", "Any swelling?", "My ankles have blown up."),
        ("neo-06", "Did they do a biopsy?", "They did one last month."),
        ("ner-11", "Any shaking of the hands?", "Yes, this one, the right one, shakes."),
        ("gen-16", "Anything else?", "I've been coughing up blood."),
        ("skn-15", "Anything else?", "And I cough up blood."),
    ],
)
def test_what_is_invented_is_found_in_passing_too(case_id, question, utterance):
    assert overall(case_id, question, utterance) == "regenerate"
