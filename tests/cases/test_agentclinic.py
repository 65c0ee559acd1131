import json
from pathlib import Path

import pytest
from brief import DATA, brief

from bedside.cases.agentclinic import read_agentclinic
from bedside.cases.drugs import read_drug
from bedside.cases.freetext import age_in, find_time, is_absence, sex_in
from bedside.cases.jsonl import CaseError
from bedside.cases.sources import load_cases


def test_agentclinic_facts():
    cases = {case.id: case for case in load_cases(f"agentclinic:{DATA}/agentclinic/osce.jsonl")}
    assert list(cases) == ["agentclinic-osce-1", "agentclinic-osce-3", "agentclinic-osce-4"]
    one, three, four = cases.values()
    assert one.demographics.model_dump() == {
        "age": 61,
        "sex": "female",
        "race": "Asian",
        "occupation": "bus driver",
    }
    assert one.chief_complaint == "dry cough"
    assert one.licence == "MIT"
    assert not one.credentialed
    assert one.diagnosis.model_dump() == {
        "text": "Congestive heart failure (CHF)",
        "icd10": None,
        "synonyms": ("Congestive heart failure", "CHF"),
    }
    assert brief(one.record) == {
        ("symptom", "dry cough"): {"duration": "3 weeks", "aggravating": ("night",)},
        ("symptom", "ankle swelling"): {"onset": "2 days ago"},
        ("condition", "easy bruising"): {},
        ("condition", "hypertension"): {"since": "5 years ago"},
        ("medication", "enalapril"): {"purpose": "hypertension"},
        ("procedure", "appendectomy at age 12"): {},
        ("allergy", "penicillin"): {"reaction": "hives"},
        ("social", "does not smoke"): {"aspect": "tobacco"},
        ("social", "drinks wine on weekends"): {"aspect": "alcohol"},
        ("social", "works as a bus driver in the city"): {"aspect": "occupation"},
        ("symptom", "poor sleep"): {},
        ("family", "heart failure"): {"relative": "mother"},
        ("medication", "furosemide"): {"duration": "for the past month"},
    }
    assert brief(three.record) == {
        ("symptom", "flank pain"): {"onset": "sudden"},
        ("symptom", "nausea"): {},
        ("condition", "gout"): {},
        ("condition", "kidney stones"): {"since": "3 years ago"},
        ("medication", "allopurinol"): {},
        ("medication", "ibuprofen"): {"frequency": "as needed"},
        ("social", "does not smoke"): {"aspect": "tobacco"},
        ("social", "does not drink alcohol"): {"aspect": "alcohol"},
        ("social", "does not use drugs"): {"aspect": "drugs"},
        ("family", "gout"): {"relative": "father"},
    }
    assert three.diagnosis.synonyms == ("Ureteric stone",)
    assert (four.demographics.age, four.demographics.sex) == (0, "male")


def osce(tmp_path: Path, name: str = "x.jsonl", **actor: object) -> Path:
    who = {"Demographics": "50-year-old man", "History": "", "Symptoms": {"Primary_Symptom": "Cough"}} | actor
    path = tmp_path / name
    path.write_text(json.dumps({"OSCE_Examination": {"Patient_Actor": who, "Correct_Diagnosis": "Bronchitis"}}))
    return path


@pytest.mark.parametrize(
    ("section", "value", "expected"),
    [
        ("Past_Medical_History", "No significant past medical history.", []),
        ("Past_Medical_History", "Information not provided", []),
        ("Past_Medical_History", None, []),
        (
            "Past_Medical_History",
            "Unremarkable except for recurrent bronchitis.",
            [("condition", "recurrent bronchitis")],
        ),
        (
            "Past_Medical_History",
            "Depression, treated with sertraline",
            [("condition", "depression"), ("medication", "sertraline")],
        ),
        (
            "Past_Medical_History",
            "Medications: Enalapril, Metformin.",
            [("medication", "enalapril"), ("medication", "metformin")],
        ),
        ("Past_Medical_History", "Family history of gout in his father.", [("family", "gout")]),
        ("Past_Medical_History", "No known drug allergies.", []),
        ("Past_Medical_History", "Underwent hip replacement 2 years ago", [("procedure", "hip replacement")]),
        ("Social_History", "N/A", []),
        (
            "Social_History",
            "No use of tobacco, alcohol, or illicit drugs reported.",
            [
                ("social", "does not smoke"),
                ("social", "does not drink alcohol"),
                ("social", "does not use drugs"),
            ],
        ),
        (
            "Social_History",
            "Retired school teacher. Married.",
            [("social", "is a retired school teacher"), ("social", "is married")],
        ),
        (
            "Social_History",
            "Smokes 1 pack per day and consumes 5 beers a day.",
            [("social", "smokes 1 pack per day"), ("social", "consumes 5 beers a day")],
        ),
        (
            "Social_History",
            "Currently smokes a pipe; no exposure to dust.",
            [("social", "currently smokes a pipe"), ("social", "has no exposure to dust")],
        ),
        ("Review_of_Systems", "Denies fever, chills, or cough.", []),
        (
            "Review_of_Systems",
            "Positive for fever, rash, and joint pain. Denies chills.",
            [("symptom", "fever"), ("symptom", "rash"), ("symptom", "joint pain")],
        ),
        ("Review_of_Systems", {"Skin": "Reports itching but denies pain."}, [("symptom", "itching")]),
        ("Review_of_Systems", "Reports a resolved rash.", []),
        ("Allergies", ["Penicillin", "None known"], [("allergy", "penicillin")]),
        (
            "Drug_History",
            "Recently started captopril, stopped taking meloxicam 2 weeks ago.",
            [("medication", "captopril")],
        ),
        ("History", "He has a history of gout and asthma.", [("condition", "gout"), ("condition", "asthma")]),
        ("History", "His mother reports that he eats badly.", []),
    ],
)
def test_sections(section, value, expected, tmp_path):
    (case,) = read_agentclinic(osce(tmp_path, **{section: value}))
    assert list(brief(case.record)) == [("symptom", "cough"), *expected]


@pytest.mark.parametrize(
    ("primary", "secondary", "expected"),
    [
        ("Fatigue, flank pain, and fever", [], ["fatigue", "flank pain", "fever"]),
        ("Pain and swelling in the left knee", [], ["pain and swelling in the left knee"]),
        ("Persistent, forceful vomiting", ["No fever", "Without rash"], ["persistent, forceful vomiting"]),
        ("Cough", "Not oriented to time", ["cough", "not oriented to time"]),
        ("Rash", ["No relief with ibuprofen", "Lesions are painless"], ["rash", "no relief with ibuprofen"]),
    ],
)
def test_symptoms(primary, secondary, expected, tmp_path):
    symptoms = {"Primary_Symptom": primary, "Secondary_Symptoms": secondary}
    (case,) = read_agentclinic(osce(tmp_path, Symptoms=symptoms))
    assert [fact.text for fact in case.record] == expected


def test_who_the_patient_is(tmp_path):
    (child,) = read_agentclinic(osce(tmp_path, Demographics="Newborn at 31 weeks' gestation"))
    assert (child.demographics.age, child.demographics.sex) == (0, None)
    (student,) = read_agentclinic(osce(tmp_path, Demographics="23-year-old student", History="She has a cough."))
    assert student.demographics.sex == "female"
    (unknown,) = read_agentclinic(osce(tmp_path, Demographics="student"))
    assert (unknown.demographics.age, unknown.demographics.sex) == (None, None)


def test_mimic_derived_osce_is_credentialed(tmp_path):
    (case,) = read_agentclinic(osce(tmp_path, name="agentclinic_mimiciv.jsonl"))
    assert case.credentialed
    assert case.id == "agentclinic-mimiciv-1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", r"x\.jsonl, line 2: not JSON"),
        ('{"question": "?"}', r"line 2, field OSCE_Examination: no such object"),
        (
            '{"OSCE_Examination": {"Correct_Diagnosis": "Gout"}}',
            r"line 2, field Patient_Actor: no such "
            r"object",
        ),
        (
            '{"OSCE_Examination": {"Patient_Actor": {"Demographics": "50-year-old man"}}}',
            r"line 2, field "
            r"Patient_Actor.Symptoms",
        ),
        (
            '{"OSCE_Examination": {"Patient_Actor": {"Demographics": "boy, 9 years", "Symptoms": "Cough"}}}',
            r"line 2, field Correct_Diagnosis: no diagnosis",
        ),
    ],
)
def test_damaged_osce(text, message, tmp_path):
    (tmp_path / "x.jsonl").write_text("\n" + text)
    with pytest.raises(CaseError, match=message):
        load_cases(f"agentclinic:{tmp_path}/x.jsonl")


@pytest.mark.parametrize(
    ("text", "age", "sex"),
    [
        ("35-year-old woman", 35, "female"),
        ("18-month-old boy", 1, "male"),
        ("2-week-old girl", 0, "female"),
        ("Newborn, 3050-g male", 0, "male"),
        ("45 y/o M", 45, "male"),
        ("Age: 34, Gender: F", 34, "female"),
        ("A 70 year old lady", 70, "female"),
        ("nobody", None, None),
    ],
)
def test_age_and_sex(text, age, sex):
    assert (age_in(text), sex_in(text, "")) == (age, sex)


def test_times_and_absence():
    assert find_time("a 2-month history of pain")[:2] == ("duration", "2 months")
    assert find_time("pain for the past year")[:2] == ("duration", "the past year")
    assert find_time("pain for the past 3 weeks")[:2] == ("duration", "3 weeks")
    assert find_time("began 3 days ago")[:2] == ("onset", "3 days ago")
    assert find_time("started yesterday")[:2] == ("onset", "yesterday")
    assert find_time("born in 1960") is None
    assert is_absence("denies fever")
    assert is_absence("The patient denies fever")
    assert not is_absence("notes fever")
    assert not is_absence("no recollection of the event")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Apixaban 5 mg PO BID", ("apixaban", "5 mg", "by mouth", "twice daily", None)),
        (
            "DrugX 50 mg Tablet Sig: One (1) Tablet PO Q6H PRN pain",
            ("drugx", "50 mg", "by mouth", "every 6 hours as needed", "pain"),
        ),
        ("oral contraceptive", ("oral contraceptive", None, None, None, None)),
        (
            "Albuterol 2 PUFF IH every 4 hours for wheezing",
            ("albuterol", "2 puffs", "inhaled", "every 4 hours", "wheezing"),
        ),
        ("___ 5 mg daily", ("", "5 mg", None, "once daily", None)),
    ],
)
def test_read_drug(line, expected):
    assert read_drug(line)[:5] == expected
