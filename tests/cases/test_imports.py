"""Other people's data become cases: joined, counted, and never guessed at where they are damaged."""

import csv
import gzip
import json

import pytest
from note_corpus import corpus

from bedside.cases.case import Case
from bedside.cases.dropped import Dropped, Remark
from bedside.cases.icd9 import chapter_of_icd9, readings_of_icd9
from bedside.cases.jsonl import CaseError
from bedside.cases.mimic_tables import coded
from bedside.cases.sources import LOADERS

NOTES = {note.name[:3]: note.text for note in corpus("dev")}


def sorted_out(items):
    """Cases by id, reasons of what was dropped, what was remarked."""
    found = list(items)
    cases = {item.id: item for item in found if isinstance(item, Case)}
    return (
        cases,
        [item.why for item in found if isinstance(item, Dropped)],
        [item.what for item in found if isinstance(item, Remark)],
    )


def write(path, rows, *, zipped=False):
    path.parent.mkdir(parents=True, exist_ok=True)
    with (gzip.open if zipped else open)(path, "wt", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


@pytest.fixture
def mimic(tmp_path):
    """A folder as MIMIC has it: notes gzipped, columns in another order, hosp tables beside."""
    text = NOTES["d01"]
    notes = [
        ["hadm_id", "note_id", "text", "subject_id", "note_type", "note_seq", "charttime", "storetime"],
        [200, "1-DS-2", text, 1, "DS", 2, "2160-01-05", ""],
        [200, "1-DS-3", text, 1, "DS", 3, "2160-01-06", ""],
        [201, "2-DS-1", NOTES["d11"], 2, "DS", 1, "2160-01-05", ""],
        [202, "3-AD-1", text, 3, "AD", 1, "2160-01-05", ""],
        ["2.0E+7", "4-DS-1", text, 4, "DS", 1, "2160-01-05", ""],
        [204, "5-DS-1", text, 5, "DS", 1, "2160-01-05", ""],
        [205, "6-DS-1", "Discharge Medications: none", 6, "DS", 1, "2160-01-05", ""],
    ]
    write(tmp_path / "note" / "discharge.csv.gz", notes, zipped=True)
    write(
        tmp_path / "hosp" / "patients.csv",
        [["subject_id", "gender", "anchor_age", "anchor_year"], [1, "M", 60, 2158], [5, "M", 91, 2158]],
    )
    write(
        tmp_path / "hosp" / "admissions.csv",
        [
            ["subject_id", "hadm_id", "admittime", "deathtime", "race", "hospital_expire_flag"],
            [1, 200, "2160-01-01 10:00:00", "", "WHITE", 0],
            [5, 204, "2160-01-01 10:00:00", "", "UNKNOWN", 0],
        ],
    )
    write(
        tmp_path / "hosp" / "diagnoses_icd.csv",
        [
            ["subject_id", "hadm_id", "seq_num", "icd_code", "icd_version"],
            [1, 200, 1, "K264", 10],
            [5, 204, 1, "53240", 9],
            [5, 204, 2, "0088", 9],
        ],
    )
    return tmp_path


def test_mimic_notes_are_joined_to_the_hosp_tables(mimic):
    cases, dropped, remarks = sorted_out(LOADERS["mimic-note"](mimic))
    assert set(cases) == {"mimic-200", "mimic-204"}
    assert not remarks
    one, old = cases["mimic-200"], cases["mimic-204"]
    assert (one.demographics.age, one.demographics.sex, one.demographics.race) == (62, "male", "WHITE")
    assert (one.diagnosis.icd10, one.chapter, one.credentialed) == ("K26.4", "DIG", True)
    assert old.demographics.age is None, "91 stands for everybody above 89"
    assert (old.chapter, old.diagnosis.icd10, old.demographics.race) == ("DIG", "K26", None)
    assert sorted(dropped) == [
        "a note without a whole number as admission id",
        "a text too short to be a discharge note",
        "an addendum",
        "another note of an admission that has one",
        "the patient died",
    ]


def test_no_text_of_a_note_is_in_a_report(mimic):
    for item in LOADERS["mimic-note"](mimic):
        if isinstance(item, Dropped):
            assert "hospital" not in item.detail
            assert len(item.detail) < 60


def test_a_broken_file_is_refused_in_one_line(mimic):
    whole = (mimic / "note" / "discharge.csv.gz").read_bytes()
    (mimic / "note" / "discharge.csv.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CaseError, match=r"discharge\.csv\.gz: cannot be read to its end"):
        list(LOADERS["mimic-note"](mimic))
    write(mimic / "note" / "discharge.csv.gz", [["a", "b"], [1, 2]], zipped=True)
    with pytest.raises(CaseError, match=r"no column hadm_id, text; it has a, b"):
        list(LOADERS["mimic-note"](mimic))


def test_rows_of_the_wrong_length_are_skipped_and_named(tmp_path):
    write(tmp_path / "discharge.csv", [["hadm_id", "text"], [1, NOTES["d01"]], [2], [3, "a", "b"]])
    items = list(LOADERS["mimic-note"](tmp_path))
    assert [item.id for item in items if isinstance(item, Case)] == ["mimic-1"]
    lines = NOTES["d01"].count("\n") + 3
    assert [item.where for item in items if isinstance(item, Dropped)] == [
        f"discharge.csv, line {lines}",
        f"discharge.csv, line {lines + 1}",
    ]


def test_the_exam_of_a_note_asks_only_what_the_note_says(mimic):
    case = sorted_out(LOADERS["mimic-note"](mimic))[0]["mimic-200"]
    assert 8 <= len(case.questions) <= 10
    assert len({question.topic for question in case.questions}) >= 5
    for question in case.questions:
        (item,) = question.about
        assert question.answer.lower() == case.plan_items[item].value.lower()
        assert "___" not in question.model_dump_json()
    again = sorted_out(LOADERS["mimic-note"](mimic))[0]["mimic-200"]
    assert again == case


@pytest.mark.parametrize(
    ("code", "readings"),
    [
        ("0088", ["0088"]),
        ("88", ["0088"]),
        ("4019", ["4019"]),
        ("311", ["311", "0311"]),
        ("99999", []),
        ("V707", ["V707"]),
    ],
)
def test_lost_zeros_come_back_only_where_one_reading_is_possible(code, readings):
    assert readings_of_icd9(code) == readings
    understood = coded(code, "9", zeros_kept=False)
    assert (understood.chapter is None) == (len(readings) != 1)


def test_in_a_table_that_kept_its_zeros_every_code_is_itself():
    assert coded("311", "9", zeros_kept=True).chapter == "MEN"
    assert coded("88", "9", zeros_kept=True).chapter is None


@pytest.mark.parametrize(
    ("code", "chapter"),
    [
        ("0088", "INF"),
        ("1749", "NEO"),
        ("25000", "END"),
        ("2859", "BLD"),
        ("311", "MEN"),
        ("36610", "NER"),
        ("4019", "CIR"),
        ("486", "RES"),
        ("5770", "DIG"),
        ("5990", "GEN"),
        ("650", "GEN"),
        ("6826", "SKN"),
        ("71536", "MUS"),
        ("7455", "CON"),
        ("7802", "SYM"),
        ("82021", "INJ"),
        ("E8859", "INJ"),
        ("V5811", "FHS"),
        ("A10", None),
        ("", None),
    ],
)
def test_chapters_of_icd9(code, chapter):
    assert chapter_of_icd9(code) == chapter


def test_a_spreadsheet_that_cut_centuries_and_zeros_is_undone_and_reported(tmp_path):
    write(
        tmp_path / "patients.csv",
        [["subject_id", "gender", "anchor_age", "anchor_year"], [1, "F", 50, 2196], [2, "F", "old", ""]],
    )
    write(
        tmp_path / "admissions.csv",
        [["subject_id", "hadm_id", "admittime"], [1, 7, "2/24/98 14:38"], [1, 8, "yesterday"], ["#####", 9, "2/24/98"]],
    )
    write(
        tmp_path / "diagnoses_icd.csv",
        [["hadm_id", "seq_num", "icd_code", "icd_version"], [7, 1, "88", 9], [8, 1, "311", 9], [9, 1, "", 9]],
    )
    write(tmp_path / "discharge.csv", [["hadm_id", "text"], [7, NOTES["d05"]], [8, NOTES["d05"]]])
    cases, dropped, remarks = sorted_out(LOADERS["mimic-note"](tmp_path))
    assert (cases["mimic-7"].demographics.age, cases["mimic-7"].chapter) == (52, "INF")
    assert (cases["mimic-8"].demographics.age, cases["mimic-8"].chapter) == (None, None)
    assert len(dropped) == 3
    assert len(remarks) == 4


def test_emergency_visits(tmp_path):
    write(
        tmp_path / "edstays.csv.gz",
        [
            ["subject_id", "stay_id", "intime", "gender", "race", "disposition"],
            [1, 10, "2150-01-01", "F", "ASIAN", "HOME"],
            [2, 11, "2150-01-01", "M", "WHITE", "EXPIRED"],
            [3, 12, "2150-01-01", "M", "WHITE", "HOME"],
        ],
        zipped=True,
    )
    write(
        tmp_path / "triage.csv",
        [
            ["stay_id", "pain", "acuity", "chiefcomplaint"],
            [10, "7", "", "ABD PAIN, N/V"],
            [11, "UA", "1", "SOB"],
            [12, "", "", "___"],
        ],
    )
    write(
        tmp_path / "diagnosis.csv",
        [
            ["stay_id", "seq_num", "icd_code", "icd_version", "icd_title"],
            [10, 1, "K8500", 10, "ACUTE PANCREATITIS"],
            [10, 2, "I10", 10, "HYPERTENSION"],
            [11, 1, "J189", 10, "PNEUMONIA"],
            [12, 1, "J189", 10, "PNEUMONIA"],
        ],
    )
    write(tmp_path / "medrecon.csv", [["stay_id", "name"], [10, "lisinopril"], [10, "Lisinopril"], [10, "omeprazole"]])
    cases, dropped, _ = sorted_out(LOADERS["mimic-ed"](tmp_path))
    case = cases["mimic-ed-10"]
    assert [(fact.text, fact.severity) for fact in case.record if fact.kind == "symptom"] == [
        ("abdominal pain", 7),
        ("nausea", None),
        ("vomiting", None),
    ]
    assert [fact.text for fact in case.record if fact.kind == "medication"] == ["lisinopril", "omeprazole"]
    assert (case.diagnosis.text, case.diagnosis.icd10, case.chapter) == ("Acute pancreatitis", "K85.00", "DIG")
    assert case.credentialed
    assert sorted(dropped) == ["no chief complaint, or a redacted one", "the patient died"]


def test_simple_reports(tmp_path):
    path = tmp_path / "reports.json"
    row = {
        "patient_name": "Ann Example",
        "primary_diagnosis": "Nephrotic syndrome",
        "medications": ["Prednisone 60mg daily", "Discontinue NSAIDs"],
        "dietary_restrictions": "Low sodium (2g/day), fluid restriction",
        "follow_up": "Nephrology clinic in 2 weeks",
        "warning_signs": "Swelling, fever",
        "discharge_instructions": "Weigh yourself daily, rest adequately",
    }
    path.write_text(json.dumps([row, {"primary_diagnosis": ""}, 3]), encoding="utf-8")
    cases, dropped, _ = sorted_out(LOADERS["simple"](path))
    (case,) = cases.values()
    told = {(fact.kind, fact.text) for fact in case.plan}
    assert ("medication", "prednisone") in told
    assert ("instruction", "Weigh yourself daily.") in told
    assert ("return_sign", "swelling") in told
    assert ("follow_up", "nephrology clinic") in told
    assert {fact.text: fact.change for fact in case.plan if fact.kind == "medication"} == {
        "prednisone": "continued",
        "nsaids": "stopped",
    }
    assert "Ann" not in case.model_dump_json()
    assert len(dropped) == 2
    path.write_text('{"a": 1}', encoding="utf-8")
    with pytest.raises(CaseError, match="no patient has any of the fields"):
        list(LOADERS["simple"](path))


BUNDLE = {
    "resourceType": "Bundle",
    "entry": [
        {"resource": {"resourceType": "Patient", "id": "p1", "gender": "female", "birthDate": "1960-05-01"}},
        {"resource": {"resourceType": "Encounter", "id": "e1", "period": {"start": "2020-04-30T10:00:00Z"}}},
        {
            "resource": {
                "resourceType": "Condition",
                "subject": {"reference": "urn:uuid:p1"},
                "encounter": {"reference": "Encounter/e1"},
                "onsetDateTime": "2020-04-30",
                "code": {
                    "coding": [{"system": "http://hl7.org/fhir/sid/icd-10-cm", "code": "J18.9", "display": "Pneumonia"}]
                },
            }
        },
        {
            "resource": {
                "resourceType": "MedicationRequest",
                "status": "active",
                "subject": {"reference": "Patient/p1"},
                "encounter": {"reference": "Encounter/e1"},
                "medicationCodeableConcept": {"text": "Amoxicillin 500 MG Oral Capsule"},
                "dosageInstruction": [
                    {
                        "text": "one capsule by mouth three times a day",
                        "timing": {"repeat": {"frequency": 3, "period": 1, "periodUnit": "d"}},
                        "doseAndRate": [{"doseQuantity": {"value": 500, "unit": "mg"}}],
                    }
                ],
            }
        },
    ],
}


def test_fhir_bundles(tmp_path):
    (tmp_path / "one.json").write_text(json.dumps(BUNDLE), encoding="utf-8")
    (tmp_path / "two.json").write_text('{"resourceType": "Patient"}', encoding="utf-8")
    cases, dropped, _ = sorted_out(LOADERS["fhir"](tmp_path))
    encounter = dict(BUNDLE["entry"][1]["resource"], subject={"reference": "Patient/p1"})
    (case,) = cases.values()
    assert (case.chapter, case.diagnosis.icd10, case.demographics.sex) == ("RES", "J18.9", "female")
    drug = next(fact for fact in case.plan if fact.kind == "medication")
    assert (drug.text, drug.dose, drug.route, drug.frequency, drug.change) == (
        "amoxicillin",
        "500 mg",
        "by mouth",
        "three times daily",
        "new",
    )
    assert dropped == ["a file that is no Bundle"]
    lines = [
        json.dumps(entry["resource"]) for entry in BUNDLE["entry"] if entry["resource"]["resourceType"] != "Encounter"
    ]
    (tmp_path / "all.ndjson").write_text("\n".join([*lines, json.dumps(encounter)]), encoding="utf-8")
    assert next(iter(sorted_out(LOADERS["fhir"](tmp_path))[0].values())).demographics.age == 59


def test_synthea(tmp_path):
    write(
        tmp_path / "patients.csv",
        [["Id", "BIRTHDATE", "DEATHDATE", "RACE", "GENDER"], ["a", "1950-06-01", "", "white", "M"]],
    )
    write(
        tmp_path / "encounters.csv",
        [
            ["Id", "START", "STOP", "PATIENT", "ENCOUNTERCLASS"],
            ["e1-1", "2020-01-01T10:00:00Z", "2020-01-02", "a", "inpatient"],
            ["e2-2", "2020-02-01T10:00:00Z", "2020-02-01", "a", "wellness"],
        ],
    )
    header = ["START", "STOP", "PATIENT", "ENCOUNTER", "CODE", "DESCRIPTION"]
    write(
        tmp_path / "conditions.csv",
        [
            header,
            ["2020-01-01", "", "a", "e1-1", "1", "Pneumonia (disorder)"],
            ["2020-01-01", "", "a", "e1-1", "2", "Cough (finding)"],
            ["2010-01-01", "", "a", "old", "3", "Essential hypertension (disorder)"],
        ],
    )
    write(
        tmp_path / "medications.csv",
        [
            [*header, "REASONDESCRIPTION"],
            ["2020-01-01T11:00:00Z", "", "a", "e1-1", "4", "Amoxicillin 500 MG Oral Capsule", "Pneumonia (disorder)"],
            ["2011-01-01T11:00:00Z", "", "a", "old", "5", "lisinopril 10 MG Oral Tablet", ""],
        ],
    )
    cases, dropped, _ = sorted_out(LOADERS["synthea"](tmp_path))
    (case,) = cases.values()
    assert (case.demographics.age, case.chief_complaint, case.diagnosis.text) == (69, "Cough", "Pneumonia")
    assert {(f.kind, f.text) for f in case.record} == {
        ("symptom", "cough"),
        ("condition", "essential hypertension"),
        ("medication", "lisinopril"),
    }
    drug = next(fact for fact in case.plan if fact.kind == "medication")
    assert (drug.text, drug.change, drug.purpose, drug.dose) == ("amoxicillin", "new", "pneumonia", None)
    assert dropped == ["an encounter in which no disorder was found"]
