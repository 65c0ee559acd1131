import csv
import gzip
import re
import shutil
import zipfile
from pathlib import Path

import pytest
from brief import DATA, brief

from bedside.cases.case import CHAPTERS, Case
from bedside.cases.chapters import chapter_of
from bedside.cases.ddxplus import condition_profiles, conditions, evidences, facts_of, training_rows, values
from bedside.cases.jsonl import CaseError
from bedside.cases.sources import load_cases

ICD10 = re.compile(r"[A-Z][0-9][0-9A-Z](\.[0-9A-Z]{1,4})?")


def test_all_evidences_are_mapped():
    table = evidences()
    # The release numbers 228 evidences and leaves these out.
    assert set(table) == {f"E_{n}" for n in range(228)} - {"E_36", "E_68", "E_85", "E_117", "E_122"}
    assert len(table) == 223
    kinds = {item.kind for item in table.values()}
    assert kinds == {"symptom", "condition", "medication", "procedure", "family", "social", "attribute"}
    assert {item.code for item in table.values() if item.kind == "attribute"} == {
        *(f"E_{n}" for n in (54, 55, 56, 57, 58, 59)),
        *(f"E_{n}" for n in range(130, 137)),
        "E_152",
    }
    for item in table.values():
        assert item.question.endswith("?"), item
        assert item.lay, item
        assert all(item.lay), item
        assert bool(item.detail) == (item.kind in ("social", "family")), item
        assert not item.parent or table[item.parent].kind == "symptom", item


def test_every_evidence_becomes_a_fact():
    for item in evidences().values():
        if item.kind == "attribute":
            continue
        (fact,) = facts_of([item.code + ("_@_V_9" if "{value}" in item.text else "")])
        assert fact.id == fact.code == item.code
        assert fact.kind == item.kind
    texts = [(item.kind, item.text, item.detail) for item in evidences().values()]
    assert len(set(texts)) == len(texts)


def test_all_conditions_are_mapped():
    assert len(conditions()) == 49
    for item in conditions().values():
        assert ICD10.fullmatch(item.icd10), item
        assert chapter_of(item.icd10) in CHAPTERS
        assert item.synonyms, item
    assert conditions()["SLE"].icd10 == "M32"
    assert conditions()["Pneumonia"].icd10 == "J18"
    assert "lung cancer" in conditions()["Pulmonary neoplasm"].synonyms


def test_values_are_sane():
    assert len(values()) == 237
    for text, lay in values().values():
        assert text.strip() == text != ""
        assert lay.strip() == lay != ""
        assert "(R)" not in text + lay
        assert "(L)" not in text + lay
    words = {text for pair in values().values() for text in pair}
    assert not words & {"heartbreaking", "haunting", "tedious", "iliac wing(R)", "palace"}
    assert values()["V_109"] == ("left cheek", "left cheek")
    assert values()["V_71"][0] == "tearing"


def test_ddxplus_facts():
    cases = {case.id: case for case in load_cases(f"ddxplus:{DATA}/ddxplus")}
    assert list(cases) == ["ddxplus-test-1", "ddxplus-test-2", "ddxplus-test-3"]
    one, two, three = cases.values()
    assert one.demographics.model_dump(exclude_none=True) == {"age": 44, "sex": "female"}
    assert (one.source, one.licence, one.chapter, one.chief_complaint) == (
        "ddxplus",
        "CC-BY-4.0",
        "RES",
        "a fever",
    )
    assert brief(one.record) == {
        ("social", "lives with four or more people"): {"aspect": "living"},
        ("symptom", "pain"): {
            "site": "left cheek, right cheek, under the jaw",
            "onset": "sudden",
            "character": "tearing, shooting",
            "severity": 4,
        },
        ("symptom", "fever"): {},
    }
    assert one.record[1].lay[:3] == (
        "pain in the left cheek",
        "pain in the right cheek",
        "pain under the jaw",
    )
    assert one.diagnosis.text == "URTI"
    assert one.diagnosis.icd10 == "J06.9"
    assert two.demographics.race == "Asian"
    assert two.chief_complaint == "a rash on the nose"
    assert brief(two.record) == {
        ("social", "is of Asian descent"): {"aspect": "other"},
        ("symptom", "skin lesions"): {
            "site": "nose",
            "character": "red, peeling, slightly swollen, severely itchy",
        },
        ("social", "travelled to North Africa in the past four weeks"): {"aspect": "travel"},
    }
    assert two.diagnosis.icd10 == "M32"
    assert brief(three.record)["symptom", "pain"] == {"aggravating": ("deep breathing",)}
    assert brief(three.record)["procedure", "surgery"] == {"when": "within the past month"}
    assert brief(three.record)["family", "asthma"] == {"relative": "family member"}


def test_complaint_names_up_to_three_places(tmp_path):
    sites = [f"E_55_@_V_{n}" for n in (109, 163, 25, 89)]
    row = {
        "AGE": "5",
        "SEX": "M",
        "PATHOLOGY": "URTI",
        "EVIDENCES": str(["E_53", *sites]),
        "INITIAL_EVIDENCE": "E_53",
    }
    (case,) = ddxplus(tmp_path, row)
    assert case.chief_complaint == "pain in the left cheek, under the jaw and the back of the head"


def ddxplus(tmp_path: Path, *rows: dict[str, str], name: str = "release_test_patients.csv") -> list[Case]:
    with (tmp_path / name).open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return load_cases(f"ddxplus:{tmp_path}")


ROW = {"AGE": "40", "SEX": "F", "PATHOLOGY": "GERD", "EVIDENCES": "['E_173']", "INITIAL_EVIDENCE": "E_173"}


def test_nothing_is_said_by_negative_values():
    codes = ["E_55_@_V_123", "E_54_@_V_11", "E_56_@_0", "E_59_@_0", "E_131_@_V_10", "E_204_@_V_10"]
    assert facts_of(codes) == ()


def test_an_attribute_implies_its_symptom():
    (fact,) = facts_of(["E_152_@_V_34"])
    assert (fact.id, fact.site) == ("E_151", "right ankle")
    (rash,) = facts_of(["E_134_@_7", "E_135_@_V_12"])
    assert (rash.id, rash.severity, rash.character) == ("E_129", 7, "larger than 1 cm")


def test_the_test_split_is_preferred(tmp_path):
    text = (DATA / "ddxplus" / "pooled.txt").read_text()
    (tmp_path / "pooled.csv").write_text(text)
    (tmp_path / "notes.csv").write_text("a,b\n1,2\n")
    assert [case.id for case in load_cases(f"ddxplus:{tmp_path}")] == ["ddxplus-test-2"]
    assert list(training_rows(tmp_path)) == [("GERD", ["E_173"]), ("Anemia", ["E_89", "E_154"])]
    (tmp_path / "pooled.csv").write_text(text.replace("test,", "train,"))
    ids = [case.id for case in load_cases(f"ddxplus:{tmp_path}")]
    assert ids == ["ddxplus-train-1", "ddxplus-train-2", "ddxplus-validate-3"]
    (tmp_path / "pooled.csv").write_text("\n".join(line.split(",", 1)[1] for line in text.splitlines()))
    assert [case.id for case in load_cases(f"ddxplus:{tmp_path}")] == [f"ddxplus-row-{n}" for n in (1, 2, 3)]
    assert list(training_rows(tmp_path)) == []


@pytest.mark.parametrize("form", ["zip", "bare", "gz"])
def test_release_files_as_people_have_them(form, tmp_path):
    source = DATA / "ddxplus" / "release_test_patients.csv"
    if form == "zip":
        with zipfile.ZipFile(tmp_path / "release_test_patients.zip", "w") as archive:
            archive.write(source, "release_test_patients")
            archive.writestr("__MACOSX/._x", "")
    elif form == "gz":
        (tmp_path / "release_test_patients.csv.gz").write_bytes(gzip.compress(source.read_bytes()))
    else:
        shutil.copy(source, tmp_path / "release_test_patients")
    (tmp_path / "release_train_patients").write_text("AGE,SEX,PATHOLOGY,EVIDENCES\n30,F,GERD,\"['E_173']\"\n")
    assert load_cases(f"ddxplus:{tmp_path}") == load_cases(f"ddxplus:{DATA}/ddxplus")
    assert list(training_rows(tmp_path)) == [("GERD", ["E_173"])]


def test_condition_profiles(tmp_path):
    assert condition_profiles(DATA / "ddxplus") == {
        "GERD": frozenset({"E_173", "E_215", "E_70"}),
        "SLE": frozenset({"E_129"}),
    }
    with pytest.raises(CaseError, match=r"release_conditions\.json: No such file"):
        condition_profiles(tmp_path)
    (tmp_path / "release_conditions.json").write_text('{"GERD": 3}')
    with pytest.raises(CaseError, match="not the conditions of a DDXPlus release"):
        condition_profiles(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"AGE": "forty"}, r"release_test_patients\.csv, line 3, field AGE: 'forty' is not a whole number"),
        ({"AGE": "140"}, r"line 3, field AGE: '140'"),
        ({"SEX": "X"}, r"line 3, field SEX: 'X' is not F or M"),
        ({"PATHOLOGY": "Gicht"}, r"line 3, field PATHOLOGY: unknown condition 'Gicht'"),
        ({"EVIDENCES": "['E_173'"}, r"line 3, field EVIDENCES: not a Python list"),
        ({"EVIDENCES": "'E_173'"}, r"line 3, field EVIDENCES: not a Python list"),
        ({"EVIDENCES": "[1]"}, r"line 3, field EVIDENCES: not a Python list"),
        (
            {"EVIDENCES": "['E_173', 'douleurxx']"},
            r"field EVIDENCES: unknown evidence 'douleurxx' \(only the English",
        ),
        ({"EVIDENCES": "['E_173', 'E_55']"}, r"field EVIDENCES: evidence 'E_55' must have a value"),
        ({"EVIDENCES": "['E_173_@_V_1']"}, r"field EVIDENCES: evidence 'E_173_@_V_1' must not have a value"),
        ({"EVIDENCES": "['E_55_@_V_9999']"}, r"field EVIDENCES: unknown value in 'E_55_@_V_9999'"),
        ({"EVIDENCES": "['E_56_@_11']"}, r"field EVIDENCES: unknown value in 'E_56_@_11'"),
        ({"INITIAL_EVIDENCE": "E_91"}, r"line 3, field INITIAL_EVIDENCE: 'E_91' is not among the evidences"),
        ({"EVIDENCES": "['E_79']", "INITIAL_EVIDENCE": ""}, r"line 3, field EVIDENCES: no symptom"),
    ],
)
def test_damaged_ddxplus_rows(change, message, tmp_path):
    with pytest.raises(CaseError, match=message):
        ddxplus(tmp_path, ROW, ROW | change)


def test_damaged_ddxplus_files(tmp_path):
    path = tmp_path / "release_test_patients"
    path.write_text("AGE,SEX,PATHOLOGY,EVIDENCES\n30,F,GERD,\"['E_173']\",extra\n")
    with pytest.raises(CaseError, match="line 2: more or fewer cells"):
        load_cases(f"ddxplus:{tmp_path}")
    path.write_text("AGE,SEX,EVIDENCES\n30,F,[]\n")
    with pytest.raises(CaseError, match="line 1, field PATHOLOGY: no such column"):
        load_cases(f"ddxplus:{tmp_path}")
    path.write_bytes(b"AGE,SEX,PATHOLOGY,EVIDENCES\n\xff\xfe\n")
    with pytest.raises(CaseError, match="cannot be read as CSV"):
        load_cases(f"ddxplus:{tmp_path}")
    path.unlink()
    with pytest.raises(CaseError, match=r"no DDXPlus patients here; expected release_test_patients\.zip"):
        load_cases(f"ddxplus:{tmp_path}")
    (tmp_path / "release_test_patients.zip").write_bytes(b"no archive")
    with pytest.raises(CaseError, match="cannot be read as CSV"):
        load_cases(f"ddxplus:{tmp_path}")
