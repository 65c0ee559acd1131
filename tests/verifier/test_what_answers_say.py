"""What an answer says beyond its own words: by a yes, by what it points back to, by another value than the record's."""

import pytest
from interviews import interviews, overall

from bedside.cases.noise import NoiseProfile
from bedside.verifier.claims.assent import statement_of
from bedside.verifier.claims.wording import normalise
from bedside.verifier.statements import judge_claims


def labels(case_id: str, *claims: str) -> list[str]:
    return [o.label for o in judge_claims(claims, interviews()[case_id], NoiseProfile())]


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Did you bump your elbow at all?", "I did bump my elbow ."),
        ("Is your nose blocked?", "my nose is blocked."),
        ("Noticed blood in your spit?", "I've noticed blood in my spit."),
        ("What brings you in?", ""),
        ("Do you take any medicines?", ""),
    ],
)
def test_a_question_is_put_as_a_statement(question, statement):
    assert statement_of(question) == statement


@pytest.mark.parametrize(
    ("spoken", "plain"),
    [
        ("It was, um, the left one.", "It was the left 1."),
        ("A hundred and three, I think.", "103, I think."),
        ("I felt, I felt awful.", "I felt awful."),
        ("One, one and a half.", "1, 1.5."),
    ],
)
def test_hesitation_is_left_out(spoken, plain):
    assert normalise(spoken) == plain


@pytest.mark.parametrize(
    ("case_id", "question", "utterance"),
    [
        ("res-02", "Did you bang your head?", "I did, yes, on the door."),
        ("mus-07", "Seeing or hearing things that aren't there?", "A little dog, under the table."),
        ("mus-07", "Any blood when you cough?", "Yes, a bit, the last two days."),
        ("skn-18", "When was your last tetanus shot?", "It was about three years ago."),
        ("bld-07", "Been away lately?", "We were sailing round Norway until two weeks ago."),
        ("ner-07", "Do you take the tablets with food?", "No, always on an empty stomach."),
        ("men-02", "When did you have your last drink?", "The last one was a month ago."),
        ("mus-07", "How are the nights?", "I get the night sweats every single night."),
        ("gen-12", "Could you be pregnant?", "I'm on the implant. My period is, like, two weeks late, though."),
        ("inf-02", "How are your eyes?", "I keep seeing flashing lights on the left."),
        ("cir-05", "Any diabetes?", "Sugar? No, never had that."),
        ("gen-15", "How did the birth go?", "His shoulders got stuck, it took them five minutes."),
        ("bld-07", "Do you smoke or drink?", "I gave it up in my forties. Champagne on show nights, that's all."),
    ],
)
def test_another_value_than_the_records_is_found(case_id, question, utterance):
    assert overall(case_id, question, utterance) == "regenerate"


@pytest.mark.parametrize(
    ("case_id", "question", "utterance"),
    [
        ("skn-18", "When was your last tetanus shot?", "About twelve years ago, I believe."),
        ("bld-07", "Been away lately?", "We were sailing round the Caribbean until two weeks ago."),
        ("ner-07", "Do you take the tablets with food?", "With a meat sandwich, usually."),
        ("end-07", "Did you fall?", "I took a tumble among the roses yesterday. Just the once."),
        ("inj-07", "Are you on any blood thinners?", "Yes, Eliquis, five, twice a day."),
        ("dig-18", "Any allergies?", "Latex, it gives me hives. No food allergies, none to medicines that I know of."),
        ("skn-18", "What bit you?", "A stray at the shelter."),
        ("res-02", "Anyone ill at home?", "My grandbaby had a cold last week."),
        ("inf-17", "Any tick bites?", "Yeah, I pulled one off my leg a week and a half back."),
        ("gen-12", "Any contraception?", "I've got the implant in my arm."),
        ("mus-07", "How often do you sweat at night?", "A couple of times a week."),
    ],
)
def test_what_the_record_tells_in_other_words_passes(case_id, question, utterance):
    assert overall(case_id, question, utterance) == "pass"


def test_a_claim_that_points_back_is_read_after_the_one_before():
    assert labels("inf-05", "The patient takes Prilosec.", "It is 40 mg.") == ["supported", "fabricated"]
    assert labels("inf-05", "The patient takes Prilosec.", "It is 20 mg.") == ["supported", "supported"]


def test_allergies_are_denied_by_kind():
    assert labels("dig-18", "The patient has no food or medicine allergies.") == ["supported"]
    assert labels("dig-18", "The patient has no allergies.") == ["fabricated"]
    assert labels("bld-09", "The patient has no drug allergies.") == ["fabricated"]
    assert labels("bld-09", "The patient has no other allergies.") == ["supported"]
