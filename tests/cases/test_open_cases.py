"""The open case set obeys its own rules, and the checker finds what it is for."""

import importlib.util
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from bedside.cases.case import CHAPTERS
from bedside.cases.jsonl import write_cases

SCRIPT = Path(__file__).parents[2] / "scripts" / "check_cases.py"


@pytest.fixture(scope="module")
def check():
    spec = importlib.util.spec_from_file_location("check_cases", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.problems


def test_three_cases_a_chapter_and_no_diagnosis_twice(open_cases):
    assert Counter(case.chapter for case in open_cases) == dict.fromkeys(CHAPTERS, 3)
    assert len({case.diagnosis.icd10 for case in open_cases}) == len(open_cases)


def test_ids_do_not_tell_the_diagnosis(open_cases):
    assert all(case.id == f"{case.chapter.lower()}-0{case.id[-1]}" for case in open_cases)


def test_no_open_case_has_a_problem(open_cases, check):
    assert [(case.id, *problem) for case in open_cases for problem in check(case)] == []


def altered(case, **changes):
    return type(case).model_validate(case.model_dump(mode="json") | changes)


def test_planted_problems_are_found(case_of, check):
    case = case_of("cir-01")
    plan = [fact.model_dump(mode="json") for fact in case.plan]
    no_home_drug = [f for f in plan if f["text"] != "lisinopril"]
    kept = [q.model_dump(mode="json") for q in case.questions if not any("lisinopril" in i for i in q.about)]
    fields = {field for field, _ in check(altered(case, plan=no_home_drug, questions=kept))}
    assert any(field.startswith("record.") for field in fields)
    wrong_dose = [f | ({"dose": "83 mg"} if f["text"] == "aspirin" else {}) for f in plan]
    assert "plan.aspirin.dose" in {field for field, _ in check(altered(case, plan=wrong_dose))}
    assert "diagnosis.icd10" in {field for field, _ in check(altered(case, chapter="RES"))}


def test_the_script_names_file_case_and_field(case_of, tmp_path):
    path = tmp_path / "mine.jsonl"
    write_cases([altered(case_of("cir-01"), chapter="RES")], path)
    done = subprocess.run([sys.executable, SCRIPT, path], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "mine.jsonl: cir-01: diagnosis.icd10: I21.4 is not in chapter RES" in done.stderr
