import pytest

from bedside.verifier.language.context import context_of, is_question


def context(sentence: str, mention: str):
    start = sentence.index(mention)
    return context_of(sentence, start, start + len(mention))


@pytest.mark.parametrize(
    ("sentence", "mention", "denied"),
    [
        ("No, I don't have a fever.", "fever", True),
        ("No fever, no chills, but a cough.", "chills", True),
        ("No fever, no chills, but a cough.", "cough", False),
        ("I don't have chest pain, nausea or vomiting.", "vomiting", True),
        ("It's not that I don't have pain.", "pain", False),
        ("I'm not without pain.", "pain", False),
        ("I ain't got no pain.", "pain", True),
        ("Fever? No.", "Fever", True),
        ("I never had a rash.", "rash", True),
        ("I can't say no, I do have the cough.", "cough", False),
        ("I don't know, maybe some nausea.", "nausea", False),
        ("I'm not sure about the fever.", "fever", False),
        ("No, it's the cough that bothers me.", "cough", False),
    ],
)
def test_denial(sentence, mention, denied):
    assert context(sentence, mention).denied is denied


@pytest.mark.parametrize(
    ("sentence", "mention", "certainty"),
    [
        ("I have a fever.", "fever", "certain"),
        ("Maybe I had a fever.", "fever", "hedged"),
        ("I think it was a rash.", "rash", "hedged"),
        ("I read online it is lupus.", "lupus", "belief"),
        ("It must be cancer.", "cancer", "belief"),
        ("I'm scared it's a stroke.", "stroke", "belief"),
    ],
)
def test_certainty(sentence, mention, certainty):
    assert context(sentence, mention).certainty == certainty


@pytest.mark.parametrize(
    ("sentence", "mention", "who"),
    [
        ("My mother had a heart attack.", "heart attack", "mother"),
        ("Diabetes runs in my family.", "Diabetes", "family"),
        ("My wife says I turned blue.", "turned blue", "patient"),
        ("My husband noticed my swelling.", "swelling", "patient"),
        ("My son has asthma and I have a cough.", "cough", "patient"),
        ("I have asthma.", "asthma", "patient"),
    ],
)
def test_experiencer(sentence, mention, who):
    assert context(sentence, mention).experiencer == who


@pytest.mark.parametrize(
    ("sentence", "mention", "act"),
    [
        ("Do you have a fever?", "fever", "question"),
        ("If I get chest pain I call.", "chest pain", "hypothetical"),
        ("It can cause bleeding.", "bleeding", "hypothetical"),
        ("It's there to prevent clots.", "clots", "hypothetical"),
        ("I have chest pain, you know?", "chest pain", "statement"),
        ("If I walk fast, my chest hurts.", "chest hurts", "statement"),
    ],
)
def test_act(sentence, mention, act):
    assert context(sentence, mention).act == act


def test_past():
    assert context("I used to take aspirin.", "aspirin").time == "past"
    assert context("I take aspirin.", "aspirin").time == "present"


@pytest.mark.parametrize(
    ("sentence", "asks"),
    [
        ("Where does it hurt?", True),
        ("do you have any pain", True),
        ("It hurts here, you know?", False),
        ("Take it twice a day.", False),
        ("What worries me is the dose.", False),
    ],
)
def test_questions_are_told_from_statements(sentence, asks):
    assert is_question(sentence) is asks


def test_a_gap_of_blanks_is_crossed_once(within):
    sentence = "I have a cough" + " " * 20_000 + "but no fever"
    with within(0.5):
        use = context_of(sentence, sentence.index("fever"), len(sentence))
    assert use.denied
