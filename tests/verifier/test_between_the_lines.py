"""What an answer leaves to its question, to a place, to a figure of speech."""

import pytest

from bedside.cases.case import Case
from bedside.cases.noise import NoiseProfile
from bedside.verifier.grounding import ground, mentions_in
from bedside.verifier.language.lexicon import core
from bedside.verifier.manner import manner
from bedside.verifier.verifier import RulesVerifier

CASE = Case.model_validate(
    {
        "id": "between-the-lines",
        "source": "test",
        "licence": "CC0",
        "demographics": {"age": 52, "sex": "female", "occupation": "teacher"},
        "chief_complaint": "Pain in the left knee",
        "record": [
            {
                "kind": "symptom", "id": "knee", "text": "left knee pain", "site": "left knee", "onset": "2 weeks ago",
                "duration": "10 minutes at a time", "relieving": ["rest"], "aggravating": ["climbing stairs"],
            },
            {"kind": "symptom", "id": "swell", "text": "swelling of the hands", "site": "both hands"},
            {"kind": "condition", "id": "htn", "text": "hypertension", "since": "2018"},
            {"kind": "condition", "id": "asthma", "text": "asthma"},
            {"kind": "medication", "id": "amlo", "text": "amlodipine", "dose": "5 mg", "frequency": "once daily"},
            {"kind": "allergy", "id": "shell", "text": "shellfish", "reaction": "hives"},
            {"kind": "family", "id": "fam", "text": "thyroid disease", "relative": "sister"},
            {"kind": "social", "id": "tob", "text": "smokes five cigarettes a day", "aspect": "tobacco"},
        ],
        "diagnosis": {"text": "osteoarthritis of the knee", "icd10": "M17.12", "synonyms": ["osteoarthritis"]},
    }
)  # fmt: skip


def overall(doctor: str, said: str, **noise: int) -> str:
    return RulesVerifier().verify(said, ground(CASE, "interview"), NoiseProfile(**noise), (), doctor).overall


@pytest.mark.parametrize(
    ("doctor", "true", "invented"),
    [
        ("Any swelling?", "My hands are all puffy.", "My feet and ankles are like balloons."),
        ("Which knee?", "The left one.", "The right one."),
        ("Does anything hurt?", "My left knee.", "They fixed my right knee last year."),
        ("Where does it hurt?", "Right here, in my knee.", "Under my ribs."),
        ("Any fever?", "Works like a charm, no fever.", "Off and on, mostly evenings."),
        ("Do you smoke?", "Five a day.", "Me? No, never."),
        ("How many cigarettes do you smoke?", "Five.", "A pack, more on weekends."),
        ("Any thyroid trouble in the family?", "My sister, yes.", "Yes, my mother."),
        ("Do you take anything?", "A little white pill for my pressure.", "A little white pill for my sugar."),
        ("What medicines do you take?", "Amlodipine. Five.", "Amlodipine. Ten."),
        ("Any allergies to medication?", "None that I know of.", "Penicillin, my throat closes."),
        ("Has your heart been acting up?", "It's fine.", "It races."),
        ("How long does it last?", "Ten minutes or so.", "Three hours."),
        ("Any asthma?", "I've had asthma, yes.", "I had a bad asthma attack in high school."),
        ("Have you been to the hospital for it?", "Never been in hospital for asthma.", "Twice last winter."),
        ("How far do you get?", "I could eat a horse, I skipped lunch.", "I see two of everything."),
        ("Anything else?", "My left knee's been aching.", "My lips are cracked and sore."),
        ("Anything else?", "My hands look puffy.", "And my jaw clicks and hurts."),
        ("What do you use for it?", "Amlodipine, that's all.", "I also wear a patch, changed each day."),
        ("Any operations?", "No, I kept my appendix.", "They put a plate in my ankle."),
        ("Anything in the toilet?", "Nothing unusual.", "There was some blood on the paper."),
        ("Did you hurt it?", "No, it just came on.", "I banged it on the bench."),
        ("Anything else?", "Sorry, I can't remember the exact date.", "My fingers have been curling up on me."),
        ("Do you feel well otherwise?", "I nearly cried when the nurse was nice to me.", "I cry all day long."),
        ("Any vomiting?", "Not once.", "I was sick twice in the car."),
        (
            "Does anyone in the family have thyroid trouble?",
            "My sister had it.",
            "My sister. And my mother had it too.",
        ),
        ("Do you drink a lot of caffeine?", "I have three energy drinks a day.", "I have three beers a day."),
        ("Is it serious?", "My neighbor says it's osteoarthritis.", "They told me it's osteoarthritis."),
        ("What about the neighbors?", "My daughter-in-law has bronchitis.", "I have bronchitis."),
        ("How is work?", "It's been a nightmare.", "I've been having nightmares."),
    ],
)
def test_what_is_left_out_is_understood(doctor: str, true: str, invented: str):
    assert (overall(doctor, true), overall(doctor, invented)) == ("pass", "regenerate")


def test_shame_may_hide_a_habit_that_only_the_question_names():
    assert overall("Do you smoke?", "Me? No, never.", social_cultural=2) == "pass"


def test_to_deny_a_lie_is_to_affirm():
    assert overall("Do you drink?", "I'd be lying if I said I never had wine with dinner.") == "regenerate"


@pytest.mark.parametrize("said", ["Me duele el pecho desde hace dos horas.", "Болит грудь уже два часа", "x" * 500])
def test_what_cannot_be_read_is_not_let_through(said: str):
    assert manner(said) == ["unreadable"]


@pytest.mark.parametrize("said", ["Mucinex.", "El Paso, los angeles before that, and my chest hurts", "La la la, no."])
def test_names_and_songs_are_read(said: str):
    assert manner(said) == []


@pytest.mark.parametrize(
    ("told", "diabetes"),
    [
        ("Chiari malformation type 1", False),
        ("type 2 respiratory failure", False),
        ("type 1, since I was nine", True),
        ("diabetes, type 2", True),
        ("hypertension and type 2", True),
    ],
)
def test_the_type_of_another_disease_is_no_diabetes(told: str, diabetes: bool):
    concepts = mentions_in(core(), told)
    assert any("cond:diabetes" in core().ancestors(concept) for concept in concepts) is diabetes
