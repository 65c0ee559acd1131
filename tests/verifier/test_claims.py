import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bedside.cases.noise import NoiseProfile
from bedside.cases.sources import load_cases
from bedside.verifier.claims.extraction import extract_claims
from bedside.verifier.claims.utterance import claims_in
from bedside.verifier.claims.wording import normalise
from bedside.verifier.grounding import ground
from bedside.verifier.language.lexicon import core
from bedside.verifier.language.times import recorded_days, spoken_times
from bedside.verifier.statements import first_person
from bedside.verifier.verifier import RulesVerifier

CASES = {case.id: case for case in load_cases("open")}
HEART = ground(CASES["cir-01"], "interview")


def found(text: str, question: str = "") -> dict[str, object]:
    return {claim.kind: claim for claim in claims_in(text, HEART, question)}


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("A hundred and two point six", "102.6"),
        ("since '98", "since 1998"),
        ("back in '04", "back in 2004"),
        ("one-oh-one", "101"),
        ("a thousand units", "1000 units"),
        ("five thousand units", "5000 units"),
        ("three hundred three times a day", "300, 3 times a day"),
    ],
)
def test_normalise(text, plain):
    assert normalise(text) == plain


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("since yesterday", 1.0),
        ("3 weeks now", 21.0),
        ("last night it began", 0.6),
        ("a couple of months", 60.0),
        ("2 nights back", 2.0),
        ("the day before yesterday", 2.0),
    ],
)
def test_spoken_times(text, days):
    assert [time.days for time in spoken_times(text)] == [days]


@pytest.mark.parametrize(
    "text",
    [
        "it lasts 5 hours",
        "2 times a week",
        "every 3 days",
        "40 years old",
        "I'm 9 weeks pregnant",
        "in 2 weeks",
    ],
)
def test_spans_that_are_no_times_before_now(text):
    assert spoken_times(text) == ()


def test_recorded_times_of_several_kinds():
    assert set(recorded_days("4 months ago, worse for 2 weeks")) == {120.0, 14.0}
    assert 0.6 in recorded_days("last night, after the pain began")


@pytest.mark.parametrize(
    ("text", "question", "kind", "attribute", "value"),
    [
        ("It goes down my left arm.", "", "radiation", "side", "left"),
        ("Climbing stairs makes it worse.", "", "modifier", "way", "worse"),
        ("If I rest, it eases off.", "", "modifier", "way", "better"),
        ("I cough up green phlegm.", "", "quality", "look", "green"),
        ("I smoke two packs a day.", "", "habit", "rate", "40"),
        ("Ten a day.", "Do you smoke?", "habit", "rate", "10"),
        ("I live with my wife.", "", "living", "home", "spouse"),
        ("I drive a truck for a living.", "", "work", "jobs", "drive"),
        ("I'm fifty-eight.", "", "demographic", "age", "58"),
        ("Fifty-eight.", "How old are you?", "demographic", "age", "58"),
        ("My sugar was four hundred.", "", "reading", "numbers", "400"),
        ("I lost twenty pounds.", "", "reading", "of", "weight"),
        ("They found protein in my urine.", "", "result", "found", "protein in my urine"),
        ("Seven out of ten.", "How bad is the pain?", "severity", "severity", "7"),
    ],
)
def test_circumstances(text, question, kind, attribute, value):
    assert found(text, question)[kind].attributes[attribute] == value


@pytest.mark.parametrize(
    ("answer", "question", "concept", "denied"),
    [
        ("No.", "Do you have any chest pain?", "sx:chest-pain", True),
        ("Never had it.", "Have you ever had pneumonia?", "cond:pneumonia", True),
        ("Yes, I have.", "Have you had a stroke?", "cond:stroke", False),
    ],
)
def test_bare_answers_speak_of_what_was_asked(answer, question, concept, denied):
    (claim,) = extract_claims(answer, HEART, question)
    assert (claim.concept, claim.denied) == (concept, denied)


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        ("Yes.", "Do you have fever or chills?"),  # which of them?
        ("No.", "Has the pain changed?"),
        ("No.", "Is the pain worse at night?"),
        ("Yes, yes, speaking of which.", "Do you have a fever?"),
        ("Hard to say.", "Do you have a fever?"),
    ],
)
def test_answers_that_leave_open_what_they_are_about(answer, question):
    assert extract_claims(answer, HEART, question) == ()


@pytest.mark.parametrize(
    "text",
    [
        "I'm so worried, you know?",
        "The parking here is terrible, I drove around the block four times.",
        "Thank you, doctor, that's kind of you.",
        "I don't know what to tell you.",
        "Traffic was bad this morning.",
    ],
)
def test_feelings_and_small_talk_claim_nothing(text):
    assert [
        claim for claim in claims_in(text, HEART) if claim.kind not in ("symptom",) or claim.concept != "sx:anxiety"
    ] == []


@pytest.mark.parametrize(
    ("given_text", "spoken"),
    [
        ("patient takes aspirin", "i take aspirin"),
        ("The patient's chest feels tight", "my chest feels tight"),
        ("patient has never smoked", "i've never smoked"),
        ("the patient does not smoke", "i don't smoke"),
        ("patient is 54", "i'm 54"),
    ],
)
def test_third_person_becomes_first(given_text, spoken):
    assert first_person(given_text) == spoken


@given(st.text(max_size=300), st.text(max_size=100))
def test_any_text_gets_a_verdict(text, question):
    verdict = RulesVerifier().verify(text, HEART, NoiseProfile(), (text,), question)
    assert verdict.overall in ("pass", "regenerate")
    assert all(0 <= j.claim.start <= j.claim.end <= len(normalise(text)) for j in verdict.judgments)


WORDS = st.lists(
    st.sampled_from(
        "i my have had no not never take pain chest left right two years ago since 2010 mg ten aspirin "
        "wife smoke , . ? allergic to worse when "
        "the doctor said cancer stairs drink beer a day patient's mother green cough out of it's 50 and".split()
    ),
    max_size=30,
).map(" ".join)


@given(WORDS, WORDS)
def test_any_words_get_a_verdict(text, question):
    first = RulesVerifier().verify(text, HEART, NoiseProfile(), (), question)
    assert first == RulesVerifier().verify(text, HEART, NoiseProfile(), (), question)


def test_every_concept_of_a_claim_is_one_that_can_be_looked_up():
    path = Path(__file__).parent.parent / "data" / "patient_claims.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    said = [(row["case_id"], row["utterance"], row["doctor"]) for row in rows if row["case_id"] in CASES]
    said += [("inf-11", text, "Any drugs?") for text in ("Never.", "Clean since 2022.", "Some, in college.")]
    concepts = {
        claim.concept
        for case_id, text, question in said
        for claim in claims_in(text, ground(CASES[case_id], "interview"), question)
    }
    kinds = ("sub:", "sx:", "cond:", "drug:", "class:", "proc:")
    assert not [concept for concept in concepts if concept.startswith(kinds) and concept not in core()]
