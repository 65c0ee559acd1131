"""How well doctors' words are understood, on our own utterances; those of "test" and of the three sets put
away are not tuned on."""

import csv
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from bedside.cases.sources import load_cases
from bedside.envs.intents import INTENTS
from bedside.envs.understanding import understand
from bedside.verifier.grounding import GroundedCase, ground

UTTERANCES = Path(__file__).parent.parent / "data" / "doctor_utterances.tsv"


@cache
def grounded() -> GroundedCase:
    return ground(load_cases("open")[3], "interview")


def utterances(*splits: str) -> list[tuple[str, list[tuple[str, str]]]]:
    with UTTERANCES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        (row["text"], [labelled(label) for label in row["intents"].split("; ")])
        for row in rows
        if row["split"] in splits
    ]


def labelled(label: str) -> tuple[str, str]:
    name, _, target = label.partition(":")
    return name, target


def names(text: str) -> list[str]:
    return [intent.name for intent in understand(text, grounded())]


def f1(split: str) -> float:
    hits = wrong = missed = 0
    for text, labels in utterances(split):
        gold = Counter(name for name, _ in labels)
        found = Counter(names(text))
        common = sum((gold & found).values())
        hits, wrong, missed = (
            hits + common,
            wrong + found.total() - common,
            missed + gold.total() - common,
        )
    return 2 * hits / (2 * hits + wrong + missed)


def test_there_are_enough_utterances_of_every_intent() -> None:
    rows = utterances("dev", "test")
    counts = Counter(name for _, labels in rows for name, _ in labels)
    assert len(utterances("test")) >= 150
    assert len(rows) >= 1000
    assert set(counts) == set(INTENTS)
    assert min(counts.values()) >= 2


@pytest.mark.parametrize(
    ("split", "least"),
    [("dev", 0.96), ("test", 0.92), ("put away", 0.92), ("put away again", 0.85), ("put away later", 0.81)],
)
def test_intents_are_understood(split: str, least: float) -> None:
    assert f1(split) >= least


def test_what_is_asked_about_is_named() -> None:
    wanted = right = 0
    for text, labels in utterances("dev", "test"):
        found = understand(text, grounded())
        for name, target in labels:
            named = [i.target for i in found if i.name == name and i.target]
            if target and any(i.name == name for i in found):
                wanted += 1
                right += any(target in word or word in target for word in named)
    assert right / wanted >= 0.9


@pytest.mark.parametrize("text", ["So it began on Monday. Is that right?", "You take aspirin. Did I get that right?"])
def test_a_tag_of_its_own_asks_nothing_more(text: str) -> None:
    assert len(names(text)) == 1


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Can you sleep with the pain?", "severity"),
        ("The pain goes to some other part?", "radiation"),
        ("Is the pain still there?", "timing"),
    ],
)
def test_what_is_known_to_be_there_is_asked_about(text: str, name: str) -> None:
    assert names(text) == [name]


def test_words_of_no_table_are_near_those_of_it() -> None:
    assert names("Fancy a pint of an evening?") == ["alcohol"]
    assert names("how r u feelin 2day") == ["chief_complaint"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Do you have a cough, sorry, a fever I meant?", ["symptom_presence"]),
        ("Do you smoke, no hang on, do you drink?", ["alcohol"]),
        ("Is it the left, or rather, when did it start?", ["onset"]),
        ("Sorry, where is it?", ["site"]),
    ],
)
def test_a_question_that_is_taken_back_is_not_answered(text: str, wanted: list[str]) -> None:
    assert names(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("That helps. Do you smoke?", ["tobacco"]),
        ("That's good to know. Any nausea?", ["symptom_presence"]),
        ("In other words, have you had high blood pressure?", ["past_conditions"]),
        ("Let me put that another way: any nausea?", ["symptom_presence"]),
        ("Does that help?", ["relieving"]),
        ("What helps?", ["relieving"]),
        ("In other words, your heart isn't pumping well.", ["explanation"]),
    ],
)
def test_what_a_doctor_says_between_questions_asks_for_nothing(text: str, wanted: list[str]) -> None:
    assert names(text) == wanted


def test_a_diagnosis_that_is_announced_is_one_whatever_it_names() -> None:
    assert names("Final Diagnosis: aftercare following coronary artery bypass surgery") == ["diagnosis_statement"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Any medical problems, medications or allergies?", ["past_conditions", "medications", "allergies"]),
        ("What do you take, and how much of it?", ["medications", "dose"]),
        ("I think you have gout, so I'll start you on allopurinol.", ["diagnosis_statement", "advice"]),
        ("Warfarin, are you still on that?", ["medications"]),
    ],
)
def test_several_things_in_one_breath_are_told_apart(text: str, wanted: list[str]) -> None:
    assert names(text) == wanted


def test_a_drug_is_no_clipped_word() -> None:
    assert ("medications", "aspirin") in [(i.name, i.target) for i in understand("do you take aspirin", grounded())]


def test_several_intents_in_the_order_of_the_words() -> None:
    found = understand("I'm sorry to hear that. When did the fever start, and do you have any nausea?", grounded())
    assert [(i.name, i.target) for i in found] == [
        ("empathy", None),
        ("onset", "fever"),
        ("symptom_presence", "nausea"),
    ]


@pytest.mark.parametrize(
    ("text", "name", "target"),
    [
        ("You don't have any chest pain, do you?", "symptom_presence", "chest pain"),
        ("No fever at all?", "symptom_presence", "fever"),
        ("I suppose you haven't had any vomiting?", "symptom_presence", "vomiting"),
        ("So it isn't worse with exercise?", "aggravating", None),
        ("You're not allergic to anything?", "allergies", None),
    ],
)
def test_negative_and_leading_forms_keep_their_intent(text: str, name: str, target: str | None) -> None:
    assert (name, target) in [(i.name, i.target) for i in understand(text, grounded())]


@pytest.mark.parametrize(
    ("text", "concept"),
    [("Any naussea?", "sx:nausea"), ("do u have diarhea", "sx:diarrhea"), ("Any headahces?", "sx:headache")],
)
def test_typing_errors_are_corrected(text: str, concept: str) -> None:
    assert concept in [i.concept for i in understand(text, grounded())]


@pytest.mark.parametrize("text", ["The form is from Texas.", "I want to be fair with you.", "Is that your coat?"])
def test_real_words_are_left_alone(text: str) -> None:
    assert not any(i.name == "symptom_presence" for i in understand(text, grounded()))


def test_the_case_s_own_words_are_understood() -> None:
    patient = grounded()
    fact = next(f for f in patient.case.record if f.kind == "symptom" and f.lay)
    found = understand(f"Do you have {fact.lay[0]}?", patient)
    assert patient.facts[fact.id].concept in [i.concept for i in found]


@pytest.mark.parametrize("text", ["", "   ", "???", "\n\n", "é" * 300, "a" * 5000, "?!" * 500])
def test_any_text_is_understood_somehow(text: str) -> None:
    assert names(text)


@pytest.mark.parametrize("text", ["yo whats wrong with u today", "Whats up?", "hows ur day... what brings u in"])
def test_slang_is_no_riddle(text: str) -> None:
    assert "chief_complaint" in names(text)
