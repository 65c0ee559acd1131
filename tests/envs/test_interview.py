"""The interview patient tells the truth, only when asked, and as its noise allows."""

import random
import re
import time
from functools import cache
from itertools import pairwise

import pytest

from bedside.cases.case import Case
from bedside.cases.noise import PILLARS, NoiseProfile
from bedside.cases.persona import Persona, draw_persona
from bedside.cases.sources import load_cases
from bedside.envs.interview import MOST_WORDS, InterviewPatient
from bedside.envs.noise.cognitive import belief_of
from bedside.envs.speech.record import record_of
from bedside.envs.speech.voice import phrases
from bedside.verifier.grounding import GroundedCase, ground
from bedside.verifier.verifier import RulesVerifier

QUESTIONS = (
    "Hello, what brings you in today?",
    "When did it start?",
    "How long have you had this?",
    "What does it feel like?",
    "How bad is it on a scale of 1 to 10?",
    "Does it spread anywhere?",
    "What makes it worse?",
    "Does anything make it better?",
    "Is it constant or does it come and go?",
    "Where exactly is it?",
    "Any other symptoms?",
    "Do you have a fever, chills or nausea?",
    "Any shortness of breath or cough?",
    "Do you have any medical conditions?",
    "What medications do you take, and what doses?",
    "Any allergies?",
    "Have you had any surgeries?",
    "Does anyone in your family have heart disease, cancer or diabetes?",
    "How much alcohol do you drink?",
    "Do you smoke or use any drugs?",
    "Are you sexually active?",
    "What do you do for work, and who do you live with?",
    "How old are you?",
    "Have you traveled recently?",
    "Is there anything else you'd like to tell me?",
    "I'm so sorry, that must be hard.",
    "Don't worry, we'll take good care of you.",
    "I'd like to run some blood tests.",
    "I think you may have lupus.",
    "Thank you, goodbye.",
)
VERIFIER = RulesVerifier()


@cache
def cases() -> tuple[Case, ...]:
    return tuple(load_cases("open"))


def patient(name: str, seed: int = 0, *, disfluency: float = 0.0, **noise: int) -> InterviewPatient:
    case = next(c for c in cases() if c.id.startswith(name))
    persona = Persona(noise=NoiseProfile(**noise))
    return InterviewPatient(ground(case, "interview"), persona, seed, disfluency)


def ask(someone: InterviewPatient, *questions: str) -> list[str]:
    said = []
    for question in questions:
        text = someone.draft(question, [None] * someone.state.turns, 0, "")  # type: ignore[list-item]
        someone.settle(question, text)
        said.append(text)
    return said


def passes(text: str, grounded: GroundedCase, persona: Persona) -> bool:
    return VERIFIER.verify(text, grounded, persona.noise).overall == "pass"


def test_what_the_record_does_not_hold_is_denied() -> None:
    (said,) = ask(patient("cir-01"), "Have you had any rash, diarrhea or double vision?")
    assert said.lower().startswith(("no", "i haven't", "there's been no", "there's no", "not"))


def test_what_the_record_holds_is_affirmed() -> None:
    (said,) = ask(patient("cir-01"), "Are you nauseous?")
    assert not said.lower().startswith("no")


def test_a_mixed_question_gets_a_mixed_answer() -> None:
    (said,) = ask(patient("cir-01"), "Do you have nausea, fever or a rash?")
    assert any(word in said.lower() for word in ("nausea", "stomach"))
    assert "fever or rash" in said.lower()


def test_only_what_was_asked_is_told() -> None:
    grounded = ground(next(c for c in cases() if c.id.startswith("cir-01")), "interview")
    for seed in range(8):
        (said,) = ask(patient("cir-01", seed), "Do you smoke?")
        evidence = {i for j in VERIFIER.verify(said, grounded, NoiseProfile()).judgments for i in j.evidence}
        assert evidence <= {"social-tobacco"}


def test_several_questions_are_all_answered() -> None:
    (said,) = ask(patient("cir-01"), "How old are you, do you smoke, and do you have any allergies?")
    assert "58" in said
    assert "smoke" in said
    assert "sulfa" in said


def test_an_open_question_brings_out_what_is_new() -> None:
    someone = patient("cir-01")
    first, second = ask(someone, "Any other symptoms?", "Any other symptoms?")
    assert first != second


def test_a_detail_without_a_name_is_of_the_symptom_under_discussion() -> None:
    someone = patient("bld-01")
    said = ask(someone, "Do you get headaches?", "How bad are they, from 0 to 10?")
    assert "four" in said[1].lower()


def test_stigmatised_facts_open_to_empathy() -> None:
    someone = patient("cir-01", social_cultural=3)
    (first,) = ask(someone, "Do you drink alcohol?")
    (again,) = ask(someone, "I'm not here to judge you, I only want to help. How much do you drink?")
    assert "beer" not in first
    assert "beer" in again


def test_the_most_reluctant_needs_more() -> None:
    someone = patient("cir-01", social_cultural=4)
    said = ask(
        someone,
        "Do you drink alcohol?",
        "I'm not here to judge. Do you drink?",
        "I understand that this is hard to talk about. How much alcohol do you drink?",
    )
    assert ["beer" in text for text in said] == [False, False, True]


def test_without_that_noise_nothing_is_hidden() -> None:
    (said,) = ask(patient("cir-01"), "Do you drink alcohol?")
    assert "beer" in said


def test_hidden_from_nobody_is_what_nobody_is_ashamed_of() -> None:
    (said,) = ask(patient("cir-01", social_cultural=4), "Do you have high blood pressure?")
    assert not said.lower().startswith("no")


def test_unknown_jargon_is_asked_back_once() -> None:
    someone = patient("cir-01", health_literacy=3)
    first, second = ask(someone, "Do you have any dyspnea?", "Do you have any dyspnea?")
    assert first.endswith("?") or "mean" in first or "is" in first
    assert first != second


@pytest.mark.parametrize("pillar", [p for p in PILLARS if p != "social_cultural"])
def test_what_fails_to_come_is_never_denied(pillar: str) -> None:
    for seed in range(12):
        someone = patient("cir-01", seed, **{pillar: 4})
        for said in ask(someone, "Do you have high blood pressure?", "Are you nauseous?"):
            assert not said.lower().startswith(("no,", "no.", "nope", "i don't have", "i haven't"))


def test_a_gap_stays_a_gap_and_a_tangent_ends() -> None:
    def failing(pillar: str, again: int) -> int:
        asked = ["Have you had any surgeries?"] * (again + 1)
        said = [ask(patient("cir-01", seed, **{pillar: 4}), *asked)[-1] for seed in range(60)]
        return sum("appendix" not in text.lower() for text in said)

    for pillar in ("memory_recall", "communication_style"):
        assert failing(pillar, 0) >= failing(pillar, 3)
    assert failing("memory_recall", 3) > failing("communication_style", 3)


def test_same_seed_same_bytes() -> None:
    def encounter(seed: int) -> list[str]:
        return ask(patient("gen-02", seed, disfluency=1.0, memory_recall=2, emotional_state=2), *QUESTIONS)

    assert encounter(3) == encounter(3)
    assert encounter(3) != encounter(4)


def test_a_draft_changes_nothing_until_it_is_settled() -> None:
    someone = patient("gen-02", social_cultural=3)
    before = someone.state
    drafts = [someone.draft("Do you drink?", [], 0, "") for _ in range(3)]
    assert len(set(drafts)) == 1
    assert someone.state == before
    someone.settle("Do you drink?", "I'm not sure.")
    assert someone.state.told == before.told


def test_a_remark_comes_before_what_is_told_but_never_before_yes_or_no() -> None:
    remarks = phrases()["memory.lead.3"]
    told, answered = [], []
    for number, case in enumerate(cases()[::12]):
        record = record_of(ground(case, "interview"))
        drink = [f for f in record.social_about("alcohol") if not record.abstains(f)]
        if drink:
            told += ask(patient(case.id, number, memory_recall=3), "How much alcohol do you drink?")
        for drug in record.medications[:1]:
            answered += ask(patient(case.id, number, memory_recall=3), f"Do you take {drug.text}?")
    assert len(told) >= 8
    assert len(answered) >= 15
    assert sum(said.startswith(remarks) for said in told) >= len(told) / 3, told
    assert not [said for said in answered if said.startswith(remarks)]


def test_asked_for_one_drug_most_say_yes_and_no_more() -> None:
    said = []
    for number, case in enumerate(cases()[::12]):
        for drug in record_of(ground(case, "interview")).medications[:1]:
            said += ask(patient(case.id, number), f"Do you take {drug.text}?")
    assert sum(len(answer.split()) <= 5 for answer in said) >= 0.6 * len(said), said


def test_a_question_about_the_family_is_answered_with_nothing_of_ones_own() -> None:
    (said,) = ask(patient("bld-01"), "Has anyone in your family had fibroids treated with hysterectomy?")
    assert "mother" in said.lower()
    assert "omeprazole" not in said.lower()


def test_two_questions_are_not_answered_in_the_same_words() -> None:
    for number, case in enumerate(cases()[::6]):
        (said,) = ask(patient(case.id, number), "What makes it better or worse?")
        sentences = said.rstrip(".").split(". ")
        assert all(a != b for a, b in pairwise(sentences)), said


def test_a_complaint_that_is_a_sentence_is_said_as_it_stands() -> None:
    (said,) = ask(patient("sym-08"), "What brings you in today?")
    assert "My heart pounds and skips" in said


def test_later_attempts_say_less() -> None:
    someone = patient("gen-02", disfluency=1.0, communication_style=2, emotional_state=3)
    for question in QUESTIONS:
        lengths = [len(someone.draft(question, [], attempt, "x").split()) for attempt in (0, 2)]
        assert lengths[1] <= max(lengths[0], 12)


def words(pillar: str, level: int, count: str) -> float:
    """Return how often something happens over several patients and questions."""
    happened = 0
    for name in ("cir-01", "gen-02", "dig-02", "res-01"):
        for seed in range(3):
            said = ask(patient(name, seed, **{pillar: level}), *QUESTIONS[:24])
            happened += sum(len(t.split()) for t in said) if count == "words" else sum(_has(t, count) for t in said)
    return happened


def _has(text: str, family: str) -> bool:
    return any(
        variant.split("{x}")[0].strip() and variant.split("{x}")[0] in text
        for key, variants in phrases().items()
        if key.startswith(family)
        for variant in variants
    )


@pytest.mark.parametrize(
    ("pillar", "sign"),
    [
        ("emotional_state", "emotion."),
        ("cognitive_processing", "belief"),
        ("communication_style", "style.tangent"),
        ("memory_recall", "memory"),
    ],
)
def test_noise_grows_with_its_level(pillar: str, sign: str) -> None:
    counts = [words(pillar, level, sign) for level in (0, 1, 2, 3)]
    assert counts[0] == 0
    assert counts == sorted(counts)
    assert counts[3] > counts[1]


def test_numbers_are_avoided_without_literacy() -> None:
    (said,) = ask(patient("cir-01", health_literacy=3), "How bad is it, from 0 to 10?")
    assert "eight" not in said.lower()


def test_beliefs_never_touch_the_truth() -> None:
    for case in cases():
        record = record_of(ground(case, "interview"))
        for seed in range(5):
            named = set(record.grounded.lexicon.named(belief_of(record, seed)))
            assert not named & record.grounded.diagnosis


@pytest.mark.parametrize("pillar", PILLARS)
def test_the_truth_survives_every_pillar_at_its_worst(pillar: str) -> None:
    failed = total = 0
    rng = random.Random(pillar)
    for case in cases()[::4]:
        persona = Persona(noise=NoiseProfile(**{pillar: 4}))
        grounded = ground(case, "interview")
        someone = InterviewPatient(grounded, persona, 1)
        for question in rng.sample(QUESTIONS, 20):
            (said,) = ask(someone, question)
            failed += not passes(said, grounded, persona)
            total += 1
            assert 0 < len(said.split()) <= MOST_WORDS
    assert failed / total <= 0.02


def test_first_attempts_pass_under_random_noise() -> None:
    failed = total = 0
    for number, case in enumerate(cases()):
        persona = draw_persona("dischargebench:random", "random", number)
        grounded = ground(case, "interview")
        someone = InterviewPatient(grounded, persona, number)
        for question in random.Random(number).sample(QUESTIONS, 20):
            (said,) = ask(someone, question)
            failed += not passes(said, grounded, persona)
            total += 1
    assert failed / total <= 0.015


def test_every_ornament_is_free_of_medical_content() -> None:
    grounded = ground(next(c for c in cases() if c.id.startswith("inj-01")), "interview")
    families = (
        "style.",
        "emotion.",
        "memory.",
        "social.putoff",
        "social.confess",
        "social.hesitate",
        "again",
    )
    for key, variants in phrases().items():
        if key.startswith(families):
            for text in variants:
                verdict = VERIFIER.verify(text.format(x="x"), grounded, NoiseProfile())
                assert verdict.overall == "pass", (key, text, verdict.feedback)


def test_answers_are_quick() -> None:
    someone = patient("cir-01", disfluency=1.0, memory_recall=2)
    ask(someone, *QUESTIONS)
    spent = []
    for question in QUESTIONS:
        start = time.perf_counter()
        someone.draft(question, [], 0, "")
        spent.append(time.perf_counter() - start)
    assert sorted(spent)[len(spent) // 2] < 0.002


def test_what_is_asked_of_the_timing_is_told() -> None:
    patient = next(case for case in load_cases("open") if case.id == "gen-12")
    said = InterviewPatient(ground(patient, "interview"), Persona(), 3, 0.0).draft(
        "Have you had anything like this before?", [], 0, ""
    )
    assert "constant" not in said.lower()
    assert {"no", "not", "never"} & set(re.findall("[a-z]+", said.lower()))


def test_the_amount_is_told_with_the_drug() -> None:
    patient = next(case for case in load_cases("open") if case.id == "cir-01")
    told = InterviewPatient(ground(patient, "interview"), Persona(), 4, 0.0)
    assert "10 mg" in told.draft("What medicines do you take, and how much?", [], 0, "")
