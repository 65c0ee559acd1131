import pytest
from hypothesis import given
from hypothesis import strategies as st

from bedside.cases.case import Case
from bedside.cases.noise import NoiseProfile
from bedside.cases.sources import load_cases
from bedside.verifier.grounding import ground
from bedside.verifier.statements import judge_claims

CASE = Case.model_validate(
    {
        "id": "made-up",
        "source": "test",
        "licence": "CC0",
        "demographics": {"age": 61, "sex": "male", "occupation": "baker"},
        "chief_complaint": "My belly hurts",
        "record": [
            {
                "kind": "symptom",
                "id": "pain",
                "text": "abdominal pain",
                "site": "right lower abdomen",
                "onset": "2 days ago",
                "severity": 4,
                "aggravating": ["walking"],
                "relieving": ["lying still"],
                "character": "dull",
            },
            {"kind": "symptom", "id": "cough", "text": "cough", "onset": "3 weeks ago"},
            {"kind": "condition", "id": "gout", "text": "gout", "since": "2015"},
            {"kind": "condition", "id": "dep", "text": "depression", "since": "2012"},
            {
                "kind": "medication",
                "id": "allo",
                "text": "allopurinol",
                "dose": "300 mg",
                "frequency": "once daily",
            },
            {"kind": "procedure", "id": "hip", "text": "left hip replacement", "when": "2019"},
            {"kind": "allergy", "id": "pen", "text": "penicillin", "reaction": "rash"},
            {"kind": "family", "id": "fam", "text": "stroke", "relative": "mother"},
            {"kind": "social", "id": "tob", "text": "smokes half a pack a day", "aspect": "tobacco"},
            {"kind": "social", "id": "alc", "text": "drinks two beers on weekends", "aspect": "alcohol"},
            {"kind": "social", "id": "liv", "text": "lives with his wife", "aspect": "living"},
        ],
        "diagnosis": {
            "text": "acute appendicitis",
            "icd10": "K35.80",
            "synonyms": ["appendicitis", "inflamed appendix"],
        },
    }
)
GROUNDED = ground(CASE, "interview")
SUPPORTED, FABRICATED, UNVERIFIABLE = "supported", "fabricated", "unverifiable"


def label(text: str, **noise: int) -> str:
    return judge_claims([text], GROUNDED, NoiseProfile(**noise))[0].label


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("patient's belly hurts", SUPPORTED),
        ("patient takes Zyloprim", SUPPORTED),
        ("patient takes a gout pill", SUPPORTED),
        ("patient takes 300 mg of allopurinol", SUPPORTED),
        ("patient takes 100 mg of allopurinol", FABRICATED),
        ("patient takes allopurinol twice a day", FABRICATED),
        ("patient takes metformin", FABRICATED),
        ("patient used to take allopurinol", FABRICATED),
        ("patient does not take metformin", SUPPORTED),
        ("patient has had gout since 2015", SUPPORTED),
        ("patient has had gout since 2005", FABRICATED),
        ("patient has no fever", SUPPORTED),
        ("patient denies coughing", FABRICATED),
        ("patient is not without a cough", SUPPORTED),
        ("patient had his left hip replaced", SUPPORTED),
        ("patient had a right hip replacement", FABRICATED),
        ("the pain is on the left side", FABRICATED),
        ("walking makes the pain worse", SUPPORTED),
        ("coughing makes the pain worse", FABRICATED),
        ("walking makes the pain better", FABRICATED),
        ("the pain shoots into the shoulder", FABRICATED),
        ("the pain is stabbing", FABRICATED),
        ("patient coughs up green phlegm", FABRICATED),
        ("penicillin gives the patient a rash", SUPPORTED),
        ("penicillin makes the patient's throat swell", FABRICATED),
        ("patient is allergic to sulfa", FABRICATED),
        ("patient's mother had a stroke", SUPPORTED),
        ("patient's father had a stroke", FABRICATED),
        ("patient had a stroke", FABRICATED),
        ("patient's roommate has a cold", UNVERIFIABLE),
        ("patient smokes half a pack a day", SUPPORTED),
        ("patient smokes three packs a day", FABRICATED),
        ("patient does not smoke", FABRICATED),
        ("patient uses cocaine", FABRICATED),
        ("patient is 61 years old", SUPPORTED),
        ("patient is 45 years old", FABRICATED),
        ("patient works as a baker", SUPPORTED),
        ("patient works as a teacher", FABRICATED),
        ("patient is divorced", FABRICATED),
        ("patient lives with his wife", SUPPORTED),
        ("patient has appendicitis", FABRICATED),
        ("patient has an inflamed appendix", FABRICATED),
        ("patient's chart says K35.8", FABRICATED),
        ("patient fears it is appendicitis", UNVERIFIABLE),
        ("patient is worried about the bills", UNVERIFIABLE),
        ("patient's blood sugar was 400", FABRICATED),
        ("patient had a temperature of 103", FABRICATED),
        ("patient was hospitalized for the cough last year", FABRICATED),
        ("patient's wife says he turned blue", FABRICATED),
        ("patient would call if the pain came back", UNVERIFIABLE),
    ],
)
def test_labels(text, verdict):
    assert label(text) == verdict


@pytest.mark.parametrize(
    ("text", "noise", "verdict"),
    [
        ("patient has had gout since 2016", {}, FABRICATED),
        ("patient has had gout since 2016", {"memory_recall": 1}, SUPPORTED),
        ("patient has had gout since 1980", {"memory_recall": 4}, FABRICATED),
        ("the abdominal pain started 6 days ago", {}, FABRICATED),
        ("the abdominal pain started 6 days ago", {"memory_recall": 2}, SUPPORTED),
        ("the abdominal pain is ten out of ten", {}, FABRICATED),
        ("the abdominal pain is ten out of ten", {"emotional_state": 3}, SUPPORTED),
        ("patient does not smoke", {"social_cultural": 1}, UNVERIFIABLE),
        ("patient has never had depression", {"social_cultural": 1}, UNVERIFIABLE),
        ("patient has never had gout", {"social_cultural": 4}, FABRICATED),
        ("patient has never had depression", {"memory_recall": 4, "emotional_state": 4}, FABRICATED),
    ],
)
def test_noise_permits_what_its_level_allows(text, noise, verdict):
    assert label(text, **noise) == verdict


@pytest.mark.parametrize("text", ["patient has appendicitis", "patient takes metformin", "patient is 45 years old"])
def test_no_noise_permits_invention(text):
    levels = dict.fromkeys(NoiseProfile.model_fields, 4)
    assert label(text, **levels) == FABRICATED


def test_reason_and_evidence_name_the_record():
    (opinion,) = judge_claims(["patient takes 100 mg of allopurinol"], GROUNDED, NoiseProfile())
    assert opinion.reason == "the record says 300 mg"
    assert opinion.evidence == ("allo",)


def test_what_the_utterance_only_believes_is_no_fact_in_a_claim():
    believed = judge_claims(["patient has appendicitis"], GROUNDED, NoiseProfile(), "I read online it is appendicitis.")
    stated = judge_claims(["patient has appendicitis"], GROUNDED, NoiseProfile(), "It's appendicitis, they told me.")
    assert (believed[0].label, stated[0].label) == (UNVERIFIABLE, FABRICATED)


OPEN = load_cases("open")


@pytest.mark.parametrize("case", OPEN, ids=lambda case: case.id)
def test_records_bear_themselves_out(case):
    """Nearly everything a record says of symptoms, drugs and relatives is supported in its own words."""
    texts = []
    for fact in case.record:
        match fact.kind:
            case "symptom" | "condition":
                texts += [f"patient has {word}" for word in (fact.text, *fact.lay)]
            case "medication":
                texts += [
                    f"patient takes {fact.text} {fact.frequency or ''}",
                    f"patient takes {fact.dose or ''} {fact.text}",
                ]
            case "family":
                texts.append(f"patient's {fact.relative} had {fact.text}")
            case "allergy":
                texts.append(f"patient is allergic to {fact.text}")
    labels = [o.label for o in judge_claims(texts, ground(case, "interview"), NoiseProfile())]
    assert labels.count("fabricated") <= 0.05 * len(labels)


ABSENT = (
    "scabies",
    "malaria",
    "tuberculosis",
    "narcolepsy",
    "psoriasis",
    "schizophrenia",
    "sickle cell disease",
)


@given(st.sampled_from(OPEN), st.sampled_from(ABSENT))
def test_denying_what_is_absent_is_supported_and_claiming_it_is_not(case, illness):
    grounded = ground(case, "interview")
    denied, claimed = judge_claims(
        [f"patient does not have {illness}", f"patient has {illness}"], grounded, NoiseProfile()
    )
    assert (denied.label, claimed.label) == (SUPPORTED, FABRICATED)


def test_what_only_the_history_in_the_note_tells_is_no_invention():
    told = (
        "Chief Complaint: sore mouth\n\nHistory of Present Illness:\n"
        "Treated for thrush twice. Denies fever, cough or hives. Mother has asthma.\n\nPast Medical History:\nGout\n"
    )
    case = next(case for case in load_cases("open") if case.id == "skn-11").model_copy(update={"note": told})
    claims = ("I had thrush.", "I have gout.", "I have a cough.", "I have asthma.", "I have kidney stones.")
    opinions = judge_claims(claims, ground(case, "interview"), NoiseProfile())
    assert [opinion.label for opinion in opinions] == ["supported"] * 2 + ["fabricated"] * 3
