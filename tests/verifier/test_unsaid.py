"""Answers and their kinds that once flipped a verdict: each true line must pass, each invented one must not."""

import pytest
from interviews import overall

from bedside.verifier.language.kin import kin_named, same_kin


@pytest.mark.parametrize(
    ("case", "doctor", "true", "invented"),
    [
        ("con-02", "How many times do you get up at night?", "Three.", "Nine or ten."),
        ("fhs-13", "How often do you change your pad?", "Every four hours.", "Every hour or so."),
        ("res-04", "Any operations?", "Tonsils, 2005.", "Appendix, 2005."),
        ("end-06", "Which toe did they take?", "One on the right foot.", "The big one, left foot."),
        ("neo-13", "Cancer in the family?", "My brother, lung.", "My sister, breast."),
        ("neo-13", "Do you smoke?", "A pack a day. Quit in 2015.", "A pack a day. Quit in 1995."),
        ("dig-16", "Do you drink?", "I did. A six-pack a day. Gave it up fourteen months ago.", "A six-pack a day."),
        ("bld-15", "How much do you drink?", "A glass on Fridays.", "A bottle of wine most nights."),
        ("gen-07", "Are you a smoker?", "I was. I stopped in 1990.", "I am."),
        ("gen-07", "Are you on Flomax?", "No.", "I've been on it since Christmas."),
        ("skn-10", "Did your tongue swell?", "No.", "Yeah, it feels huge."),
        ("bld-15", "Any allergies?", "Sticky tape. It brings up blisters.", "Sticky tape. I get hives."),
        ("end-06", "How is your sugar?", "I don't know.", "Yesterday 380 in the machine."),
        ("men-15", "Did you use street drugs?", "Never.", "I tried my nephew's cannabis."),
        ("dig-16", "Do you have diabetes?", "Borderline. They warned me in 2023.", "They told me in 2010, yes."),
        ("mus-17", "Which heel?", "Both of them.", "Only the left one."),
        ("inj-18", "Any other injury?", "Didn't hit my head, didn't black out.", "I blacked out."),
    ],
)
def test_what_an_answer_leaves_to_its_question(case, doctor, true, invented):
    assert overall(case, doctor, true) == "pass"
    assert overall(case, doctor, invented) == "regenerate"


@pytest.mark.parametrize(
    ("case", "doctor", "said"),
    [
        ("bld-15", "Are you anxious about this?", "I'm scared stiff."),
        ("bld-15", "Does the leg feel warm?", "Like a hot water bottle."),
        ("con-02", "Anything ease it?", "If I roll on my left it backs off."),
        (
            "fhs-13",
            "How are you feeling?",
            "Sore, but the cold packs help a lot and the bleeding is getting less each day.",
        ),
        ("end-06", "Toe surgery?", "Yes, the second one, right foot, two thousand twenty-two."),
        ("mus-17", "Any trouble in the family?", "My brother's the one with psoriasis, not me."),
        ("sym-17", "Anyone ill at home?", "My grandson had the flu last week."),
    ],
)
def test_true_answers_pass(case, doctor, said):
    assert overall(case, doctor, said) == "pass"


@pytest.mark.parametrize(
    ("said", "recorded", "same"),
    [
        ("maternal aunt", "aunt on his father's side", False),
        ("paternal aunt", "aunt on his father's side", True),
        ("aunt", "aunt on his father's side", True),
        ("grandad", "grandfather", True),
        ("mum", "father", False),
    ],
)
def test_relatives_by_another_name(said, recorded, same):
    assert same_kin(said, recorded) is same
    assert kin_named("my mum's sister").side == "maternal"
