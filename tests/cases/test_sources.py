import json
from pathlib import Path

import pytest
from brief import DATA, brief

from bedside.cases import sources
from bedside.cases.case import CHAPTERS, NOT_GIVEN
from bedside.cases.chapters import chapter_of
from bedside.cases.jsonl import CaseError
from bedside.cases.sources import load_cases
from bedside.cases.verisim import noise_profiles


def save(cases, path):
    path.write_text("".join(case.model_dump_json() + "\n" for case in cases))


def test_own_file_and_open_set(tmp_path, monkeypatch):
    (case, *_) = load_cases(f"agentclinic:{DATA}/agentclinic/osce.jsonl")
    save([case], tmp_path / "b.jsonl")
    save([case.model_copy(update={"id": "other"})], tmp_path / "a.jsonl")
    assert load_cases(str(tmp_path / "b.jsonl")) == [case]
    monkeypatch.setattr(sources, "OPEN_CASES", tmp_path)
    assert [c.id for c in load_cases("open")] == ["other", case.id]


def test_open_set_with_one_id_in_two_files(tmp_path, monkeypatch):
    (case, *_) = load_cases(f"agentclinic:{DATA}/agentclinic/osce.jsonl")
    for name in ("a.jsonl", "b.jsonl"):
        save([case], tmp_path / name)
    monkeypatch.setattr(sources, "OPEN_CASES", tmp_path)
    with pytest.raises(CaseError, match="comes twice"):
        load_cases("open")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nonsense", r"nonsense: unknown source.*ddxplus:PLACE"),
        ("", r"unknown source"),
        ("mimic:here", r"unknown source.*verisim:PLACE"),
        ("ddxplus:", r"say where the data are, as in ddxplus:PLACE"),
        ("missing.jsonl", r"missing\.jsonl: No such file"),
        ("agentclinic:missing.jsonl", r"missing\.jsonl: No such file"),
        ("verisim:missing.json", r"missing\.json: No such file"),
        ("ddxplus:missing", r"missing: No such file"),
        ("dischargesim:missing", r"missing: No such file"),
    ],
)
def test_unusable_specs(spec, message):
    with pytest.raises(CaseError, match=message):
        load_cases(spec)


def test_empty_set(tmp_path):
    (tmp_path / "empty.jsonl").write_text("\n\n")
    with pytest.raises(CaseError, match="holds no case"):
        load_cases(str(tmp_path / "empty.jsonl"))
    (tmp_path / "none.json").write_text('{"patients": []}')
    with pytest.raises(CaseError, match="holds no case"):
        load_cases(f"verisim:{tmp_path}/none.json")


@pytest.mark.parametrize(
    "spec", ["ddxplus:ddxplus", "agentclinic:agentclinic/osce.jsonl", "verisim:verisim/patients.json"]
)
def test_cases_survive_a_round_trip(spec, tmp_path):
    name, place = spec.split(":")
    cases = load_cases(f"{name}:{DATA / place}")
    save(cases, tmp_path / "cases.jsonl")
    assert load_cases(str(tmp_path / "cases.jsonl")) == cases


@pytest.mark.parametrize(
    ("code", "chapter"),
    [
        ("A00", "INF"),
        ("B99.9", "INF"),
        ("C34.1", "NEO"),
        ("D49.9", "NEO"),
        ("D3A.00", "NEO"),
        ("D50", "BLD"),
        ("D86", "BLD"),
        ("E11.9", "END"),
        ("F41.0", "MEN"),
        ("G43", "NER"),
        ("H66.90", "NER"),
        ("I21", "CIR"),
        ("J18", "RES"),
        ("K40", "DIG"),
        ("L20", "SKN"),
        ("M32", "MUS"),
        ("N39.0", "GEN"),
        ("O80", "GEN"),
        ("P22", "CON"),
        ("Q21.1", "CON"),
        ("R60.0", "SYM"),
        ("S22.3", "INJ"),
        ("T78.0", "INJ"),
        ("U07.1", "INF"),
        ("V01", "INJ"),
        ("W19", "INJ"),
        ("X58", "INJ"),
        ("Y92", "INJ"),
        ("Z00", "FHS"),
        ("j06.9", "RES"),
        ("I2510", "CIR"),
        ("", None),
        (None, None),
        ("pneumonia", None),
        ("J", None),
        ("17", None),
    ],
)
def test_chapter_of(code, chapter):
    assert chapter_of(code) == chapter


def test_every_letter_has_a_chapter():
    assert {chapter_of(f"{chr(letter)}10") for letter in range(ord("A"), ord("Z") + 1)} <= set(CHAPTERS)


def test_verisim_facts():
    path = DATA / "verisim" / "patients.json"
    one, two = load_cases(f"verisim:{path}")
    assert (one.id, one.chapter, one.chief_complaint) == ("verisim-Q-7", "NER", "Dizziness since Monday")
    assert one.demographics.model_dump(exclude_none=True) == {
        "age": 66,
        "sex": "female",
        "occupation": "baker",
    }
    assert brief(one.record) == {
        ("symptom", "vertigo"): {"severity": 8, "onset": "Monday", "site": "head"},
        ("symptom", "nausea"): {},
        ("medication", "metformin"): {"dose": "500 mg", "frequency": "BID", "purpose": "diabetes"},
        ("condition", "type 2 diabetes"): {"since": "2011"},
        ("procedure", "cholecystectomy"): {"when": "1999"},
        ("allergy", "sulfa"): {"reaction": "hives"},
        ("family", "stroke"): {"relative": "father"},
        ("family", "glaucoma"): {},
        ("social", "smokes ten cigarettes a day"): {"aspect": "tobacco"},
        ("social", "lives alone"): {"aspect": "other"},
    }
    assert one.record[0].code == "C0042571"
    assert one.record[4].lay == ("cholecystectomy for gallstones",)
    assert two.diagnosis.text == "eczema"
    assert noise_profiles(path) == {
        "verisim-Q-7": {"memory_recall": 3, "social_cultural": 1},
        "verisim-Q8": {},
    }


PATIENT = {
    "patient_id": "P1",
    "demographics": {"age": 30, "sex": "F"},
    "chief_complaint": "Cough",
    "symptoms": [{"text": "cough", "severity": "mild"}],
}


def verisim(tmp_path: Path, content: object) -> str:
    (tmp_path / "p.json").write_text(json.dumps(content))
    return f"verisim:{tmp_path}/p.json"


@pytest.mark.parametrize("wrap", [lambda p: p, lambda p: [p], lambda p: {"patients": [p]}])
def test_verisim_shapes(wrap, tmp_path):
    (case,) = load_cases(verisim(tmp_path, wrap(PATIENT)))
    assert case.diagnosis.text == NOT_GIVEN
    assert case.record[0].severity == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"patient_id": None}, r"p\.json, field \[0\]\.patient_id: missing"),
        ({"demographics": {"age": 30}}, r"field \[0\]\.demographics\.sex"),
        ({"demographics": "30 F"}, r"field \[0\]\.demographics: must be an object"),
        ({"chief_complaint": None}, r"field \[0\]\.chief_complaint"),
        ({"symptoms": {"text": "cough"}}, r"field \[0\]\.symptoms: must be a list"),
        ({"symptoms": [{"cui": "C1"}]}, r"field \[0\]\.symptoms\[0\]: needs a text"),
        (
            {"symptoms": [{"text": "cough", "severity": "awful"}]},
            r"symptoms\[0\]: severity 'awful' is not none, mild",
        ),
        ({"social_history": [{"text": "smokes", "aspect": "habit"}]}, r"field \[0\]\.social_history\[0\]"),
        ({"diagnosis": {"text": "gout", "icd10": "gout"}}, r"field \[0\]\.diagnosis\.icd10"),
    ],
)
def test_damaged_verisim(change, message, tmp_path):
    with pytest.raises(CaseError, match=message):
        load_cases(verisim(tmp_path, PATIENT | change))


def test_verisim_files_that_are_something_else(tmp_path):
    (tmp_path / "p.json").write_text("[{")
    with pytest.raises(CaseError, match=r"p\.json.*not JSON"):
        load_cases(f"verisim:{tmp_path}/p.json")
    with pytest.raises(CaseError, match="expected a list of patients"):
        load_cases(verisim(tmp_path, 3))
    with pytest.raises(CaseError, match=r"field \[0\]: a patient must be an object"):
        load_cases(verisim(tmp_path, ["P1"]))
    with pytest.raises(CaseError, match=r"field \[1\]\.patient_id: .*comes twice"):
        load_cases(verisim(tmp_path, [PATIENT, PATIENT]))


@pytest.mark.parametrize(
    ("profile", "message"),
    [
        ([{"type": "volume", "level": 1}], r"field \[0\]\.noise_profile: unknown noise 'volume'; known: "),
        ([{"type": "memory_recall", "level": 5}], r"level 5 of memory_recall is not 0 to 4"),
        ([{"type": "memory_recall"}], r"level None"),
        (["memory_recall"], r"level None"),
    ],
)
def test_damaged_noise_profiles(profile, message, tmp_path):
    spec = verisim(tmp_path, PATIENT | {"noise_profile": profile})
    with pytest.raises(CaseError, match=message):
        noise_profiles(Path(spec.partition(":")[2]))


def test_dischargesim_facts():
    one, two = load_cases(f"dischargesim:{DATA}/dischargesim")
    assert one.credentialed
    assert two.credentialed
    assert (one.id, one.diagnosis.text) == ("dischargesim-1", "Deep vein thrombosis")
    assert (one.demographics.age, one.demographics.sex) == (None, "female")
    assert one.note.splitlines()[1] == "Service: MEDICINE"
    assert brief(one.record)["medication", "lisinopril"] == {
        "dose": "10 mg",
        "route": "by mouth",
        "frequency": "once daily",
    }
    assert brief(one.plan) == {
        ("condition", "deep vein thrombosis"): {},
        ("condition", "hypertension"): {},
        ("test", "Ultrasound Left Leg"): {"result": "Clot in the popliteal vein"},
        ("test", "Hemoglobin"): {"result": "12.1 g/dL"},
        ("treatment", "heparin infusion"): {},
        ("medication", "apixaban"): {"dose": "5 mg", "route": "by mouth", "frequency": "twice daily", "change": "new"},
        ("medication", "lisinopril"): {
            "dose": "10 mg",
            "route": "by mouth",
            "frequency": "once daily",
            "change": "continued",
        },
        ("medication", "acetaminophen"): {
            "dose": "500 mg",
            "route": "by mouth",
            "frequency": "every 6 hours as needed",
            "purpose": "pain",
            "change": "new",
        },
        ("return_sign", "chest pain"): {},
        ("return_sign", "coughing up blood"): {},
        ("return_sign", "heavy bleeding"): {},
        ("return_sign", "new bruises"): {"urgency": "clinic"},
        ("follow_up", "primary care doctor"): {"when": "in 1 week"},
        ("instruction", "Weigh yourself every morning."): {"area": "monitoring"},
        ("instruction", "Walk a little every day."): {"area": "activity"},
    }
    assert two.note == ""
    assert two.chief_complaint == "I don't feel well"
    assert brief(two.plan)["medication", "oxycodone"] == {
        "dose": "5 mg",
        "route": "by mouth",
        "frequency": "every 6 hours",
        "purpose": "pain",
        "change": "new",
    }


def test_damaged_dischargesim(tmp_path):
    with pytest.raises(CaseError, match=r"no OSCE-format\.jsonl here"):
        load_cases(f"dischargesim:{tmp_path}")
    (tmp_path / "OSCE-Format.JSONL").write_text('{"OSCE_Examination": {"Patient_Actor": {}}}')
    with pytest.raises(CaseError, match=r"OSCE-Format\.JSONL, line 1, field Correct_Diagnosis: no diagnosis"):
        load_cases(f"dischargesim:{tmp_path}")
    (tmp_path / "original-notes.txt").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(CaseError, match=r"original-notes\.txt: cannot be read"):
        load_cases(f"dischargesim:{tmp_path}")


def test_a_folder_stands_for_the_one_file_in_it(tmp_path):
    source = next((Path(__file__).parents[1] / "data" / "agentclinic").glob("*.jsonl"))
    (tmp_path / source.name).write_bytes(source.read_bytes())
    (tmp_path / "README.md").write_text("not data")
    assert load_cases(f"agentclinic:{tmp_path}") == load_cases(f"agentclinic:{tmp_path / source.name}")
    (tmp_path / "second.jsonl").write_bytes(source.read_bytes())
    with pytest.raises(CaseError, match=f"name one of the files: {source.name}, second.jsonl"):
        load_cases(f"agentclinic:{tmp_path}")
    with pytest.raises(CaseError, match=r"no \*\.json here"):
        load_cases(f"simple:{tmp_path}")
