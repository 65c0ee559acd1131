import pytest

from bedside.clinicians.grammar import aim, effect, lowered, reason, warning, with_article


@pytest.mark.parametrize(
    ("phrase", "spoken"),
    [
        ("heart attack", "a heart attack"),
        ("irregular heartbeat", "an irregular heartbeat"),
        ("MRI of the brain", "an MRI of the brain"),
        ("urine test for germs", "a urine test for germs"),
        ("iron deficiency anemia from blood loss", "iron deficiency anemia from blood loss"),
        ("thyroid and liver blood tests", "thyroid and liver blood tests"),
        ("third round of chemo", "the third round of chemo"),
        ("your dentist", "your dentist"),
        ("closing the hole", "closing the hole"),
        ("bad tooth pulled", "a bad tooth pulled"),
        ("", ""),
    ],
)
def test_article(phrase, spoken):
    assert with_article(phrase) == spoken


@pytest.mark.parametrize(
    ("purpose", "said"),
    [
        ("preventing a stroke", "to prevent a stroke"),
        (
            "lowering prednisone safely and adding tocilizumab",
            "to lower prednisone safely and add tocilizumab",
        ),
        ("easier urination", "to make urination easier"),
        (
            "high blood pressure and protecting the kidneys",
            "for high blood pressure and to protect the kidneys",
        ),
        ("walking and balance training", "for walking and balance training"),
        ("irregular heartbeat", "for an irregular heartbeat"),
        ("swelling in the airways", "for swelling in the airways"),
    ],
)
def test_aim(purpose, said):
    assert aim(purpose) == said


def test_effect_of_a_drug():
    assert effect("preventing a stroke") == "helps prevent a stroke"
    assert effect("quitting smoking") == "helps you quit smoking"
    assert effect("pain") == "is for pain"


@pytest.mark.parametrize(
    ("purpose", "said"),
    [
        ("it can make the ulcer bleed again", "because it can make the ulcer bleed again"),
        ("poor iron absorption", "because of poor iron absorption"),
        (
            "no longer needed as the tumor has shrunk",
            "because it is no longer needed as the tumor has shrunk",
        ),
        ("estrogen raises the risk of clots", "because estrogen raises the risk of clots"),
        ("too much of it injured your liver", "because too much of it injured your liver"),
        ("risk of low blood pressure", "because of the risk of low blood pressure"),
    ],
)
def test_reason(purpose, said):
    assert reason(purpose) == said


@pytest.mark.parametrize(
    ("precaution", "said"),
    [
        ("Can cause bleeding.", "It can cause bleeding."),
        ("Can cause dizziness; stand up slowly.", "It can cause dizziness, so stand up slowly."),
        ("Stand up slowly; it can make you dizzy.", "Stand up slowly, because it can make you dizzy."),
        ("Swallow it whole; never chew it.", "Swallow it whole, and never chew it."),
        ("Report dark urine.", "Tell your doctor if you have dark urine while you take it."),
        ("Safe; only rarely upsets the stomach.", "It is safe and only rarely upsets the stomach."),
        ("Do not stop it suddenly.", "Do not stop it suddenly."),
    ],
)
def test_warning(precaution, said):
    assert warning(precaution) == said


def test_names_keep_their_capital():
    assert lowered("Take it with food.") == "take it with food."
    assert lowered("CT scan") == "CT scan"
    assert lowered("Crohn's disease") == "Crohn's disease"
