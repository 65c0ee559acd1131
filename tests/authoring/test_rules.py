"""The rules for cases find what they are for, and only that; the open set obeys them."""

import re
import subprocess
import sys
import zlib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from bedside.authoring.balance import balance_findings, closest_pairs, drugs_of
from bedside.authoring.prescribing import prescribing
from bedside.authoring.rules import check_case
from bedside.authoring.safeguards import safeguards
from bedside.cases.case import CHAPTERS
from bedside.cases.formulary import formulary
from bedside.cases.jsonl import write_cases
from bedside.verifier.language.lexicon import core

SCRIPT = Path(__file__).parents[2] / "scripts" / "check_cases.py"


def altered(case, **changes):
    return type(case).model_validate(case.model_dump(mode="json") | changes)


def plan_of(case, **by_id):
    """The plan as JSON, with the facts of these ids changed."""
    return [f | by_id.get(f["id"], {}) for f in (fact.model_dump(mode="json") for fact in case.plan)]


def problems(case, **options):
    return {(found.field, found.message) for found in check_case(case, **options) if found.weight == "problem"}


def fields(case, **options):
    return {field for field, _ in problems(case, **options)}


def test_the_formulary_speaks_of_drugs_that_the_lexicon_knows():
    known = {concept.name for concept in core().concepts.values() if concept.kind == "medication"} | set(
        core().concepts
    )
    tables = formulary()
    named = set(tables.regimens)
    for rule in (*tables.contraindications, *tables.interactions, *tables.allergens, *tables.lessons):
        for subjects in (rule.drugs, getattr(rule, "others", rule.drugs)):
            named |= subjects.names | subjects.without
    assert named - known == set()
    datasheet = (Path(__file__).parents[2] / "docs" / "data.md").read_text(encoding="utf-8")
    assert f"({len(tables.regimens)} drugs)" in datasheet


@pytest.mark.parametrize(
    ("dose", "route", "frequency", "field"),
    [
        ("83 mg", "by mouth", "once daily", None),
        ("8.1 mg", "by mouth", "once daily", "plan.aspirin.dose"),
        ("8100 mg", "by mouth", "once daily", "plan.aspirin.dose"),
        ("81 mg", "into a vein", "once daily", "plan.aspirin.route"),
        ("81 mg", "by mouth", "every hour", "plan.aspirin.frequency"),
        ("1000 mg", "by mouth", "five times daily", "plan.aspirin.dose"),
        ("81 units", "by mouth", "once daily", "plan.aspirin.dose"),
    ],
)
def test_a_regimen_out_of_the_usual_range_is_found(case_of, dose, route, frequency, field):
    changed = {"dose": dose, "route": route, "frequency": frequency}
    case = altered(case_of("cir-01"), plan=plan_of(case_of("cir-01"), aspirin=changed))
    found = {f.field for f in prescribing(case) if f.weight == "problem"}
    assert found == ({field} if field else set())


def with_drug(case, **fact):
    drug = {"kind": "medication", "id": "extra", "dose": "1 tablet", "route": "by mouth", "frequency": "once daily"}
    return altered(case, plan=[*plan_of(case), drug | {"purpose": "pain", "change": "continued"} | fact])


@pytest.mark.parametrize(
    ("case_id", "drug", "says"),
    [
        ("cir-01", {"text": "ibuprofen", "dose": "400 mg"}, "recent myocardial infarction"),
        ("cir-01", {"text": "trimethoprim-sulfamethoxazole"}, "allergic to sulfa"),
        ("cir-01", {"text": "clopidogrel", "dose": "75 mg"}, "two P2Y12 inhibitors"),
        ("cir-02", {"text": "rivaroxaban", "dose": "20 mg"}, "two anticoagulants"),
        ("cir-01", {"text": "isosorbide mononitrate", "dose": "30 mg"}, None),
        ("cir-01", {"text": "methotrexate", "dose": "15 mg"}, "unusual"),
        ("cir-01", {"text": "methotrexate", "dose": "15 mg", "frequency": "once weekly"}, None),
        ("cir-01", {"text": "alendronate", "dose": "70 mg"}, "usual"),
        ("cir-01", {"text": "timolol", "dose": "1 drop", "route": "in the eye", "frequency": "twice daily"}, None),
    ],
)
def test_what_a_pharmacist_would_stop_is_found(case_of, case_id, drug, says):
    messages = [f.message for f in prescribing(with_drug(case_of(case_id), **drug)) if f.weight == "problem"]
    assert (not messages) if says is None else any(says in message for message in messages), messages


@pytest.mark.parametrize(("told", "found"), [("eGFR 24", True), ("eGFR 24 -> eGFR 71", False), ("CrCl = 28 mL", True)])
def test_the_clearance_that_the_note_states_last_counts(case_of, told, found):
    case = with_drug(case_of("cir-01"), text="metformin", dose="500 mg")
    case = case.model_copy(update={"note": f"{case.note}\n{told}"})
    assert any("lactic acidosis" in f.message for f in prescribing(case) if f.weight == "problem") is found


def test_a_new_opioid_needs_a_bowel_plan(case_of):
    opioid = {"text": "oxycodone", "dose": "5 mg", "frequency": "every 6 hours as needed", "change": "new"}
    bare = with_drug(case_of("cir-01"), **opioid, precautions=["Makes you sleepy; do not drive."])
    assert any("bowel plan" in f.message for f in prescribing(bare))
    told = with_drug(case_of("cir-01"), **opioid, precautions=["Makes you sleepy.", "Can cause constipation."])
    assert not any("bowel plan" in f.message for f in prescribing(told))


@pytest.mark.parametrize(
    ("drug", "says"),
    [
        ({"text": "acetaminophen", "dose": "650 mg", "frequency": "every 6 hours as needed",
          "precautions": ["Do not take more than 2 grams a day."]}, "2600 mg a day"),
        ({"text": "acetaminophen", "dose": "500 mg", "frequency": "every 6 hours as needed",
          "precautions": ["Do not take more than 2 grams a day."]}, None),
        ({"text": "loperamide", "dose": "4 mg", "frequency": "four times daily",
          "precautions": ["Never take more than 16 mg in a day."]}, None),
        ({"text": "morphine", "dose": "15 mg", "frequency": "every 6 hours as needed"}, "add naloxone"),
        ({"text": "oxycodone", "dose": "5 mg", "frequency": "every 6 hours as needed"}, None),
        ({"text": "oxycodone-acetaminophen", "dose": "10 mg-325 mg", "frequency": "every 6 hours"}, "add naloxone"),
        ({"text": "hydrocortisone", "dose": "10 mg", "frequency": "twice daily"}, "emergency injection"),
        ({"text": "sulfamethoxazole-trimethoprim"}, "several strengths"),
        ({"text": "multivitamin"}, None),
    ],
)  # fmt: skip
def test_what_must_stand_beside_a_drug_is_missed(case_of, drug, says):
    messages = [f.message for f in safeguards(with_drug(case_of("cir-01"), **drug)) if f.weight == "problem"]
    assert (not messages) if says is None else any(says in message for message in messages), messages


def test_a_strength_in_the_note_an_antidote_and_an_injection_suffice(case_of):
    case = with_drug(case_of("cir-01"), text="sulfamethoxazole-trimethoprim")
    noted = case.model_copy(update={"note": f"{case.note}\nSulfamethoxazole-trimethoprim DS 1 tablet PO daily"})
    assert list(safeguards(noted)) == []
    much = with_drug(case_of("cir-01"), text="morphine", dose="30 mg", frequency="twice daily")
    spray = {"text": "naloxone", "dose": "4 mg", "route": "in the nose", "frequency": "once as needed"}
    assert list(safeguards(with_drug(much, **spray, id="spray"))) == []
    replaced = with_drug(case_of("cir-01"), text="hydrocortisone", dose="10 mg", frequency="twice daily")
    shot = {"text": "hydrocortisone sodium succinate", "dose": "100 mg", "route": "into a muscle"}
    assert list(safeguards(with_drug(replaced, **shot, id="shot"))) == []


def test_a_bisphosphonate_needs_an_empty_stomach(case_of):
    weekly = {"text": "alendronate", "dose": "70 mg", "frequency": "once weekly", "change": "new"}
    bare = with_drug(case_of("cir-01"), **weekly, precautions=["Stay upright with it and drink water."])
    assert any("empty stomach" in f.message for f in prescribing(bare))
    told = with_drug(case_of("cir-01"), **weekly, precautions=["Take it before breakfast and stay upright."])
    assert not any("empty stomach" in f.message for f in prescribing(told))


def test_after_an_operation_a_return_sign_tells_of_infection(case_of):
    case = case_of("end-11")
    assert list(safeguards(case)) == []
    no_fever = altered(case, plan=[fact for fact in plan_of(case) if fact["id"] != "rs-fever"])
    assert [found.field for found in safeguards(no_fever)] == ["plan.surgery"]
    no_surgery = altered(no_fever, plan=plan_of(no_fever, surgery={"text": "upper endoscopy"}))
    assert list(safeguards(no_surgery)) == []


def test_an_insulin_that_is_no_longer_sold_is_found(case_of):
    case = with_drug(case_of("end-06"), text="insulin detemir", dose="16 units", route="under the skin")
    assert any("no longer sold" in f.message for f in prescribing(case) if f.weight == "problem")


def test_pregnancy_and_breastfeeding_count_when_the_record_tells_them(case_of):
    case = case_of("gen-01")
    social = {"kind": "social", "id": "social-preg", "text": "is 20 weeks pregnant", "aspect": "other"}
    record = [*(f.model_dump(mode="json") for f in case.record), social]
    pregnant = with_drug(altered(case, record=record), text="warfarin", dose="5 mg")
    assert any("in pregnancy" in f.message for f in prescribing(pregnant) if f.weight == "problem")


def test_structure_is_checked(case_of):
    case = case_of("cir-01")
    plan = plan_of(case)
    kept = [q.model_dump(mode="json") for q in case.questions if not any("lisinopril" in i for i in q.about)]
    no_home_drug = altered(case, plan=[f for f in plan if f["text"] != "lisinopril"], questions=kept)
    assert any(field.startswith("record.") for field in fields(no_home_drug))
    assert "diagnosis.icd10" in fields(altered(case, chapter="RES"))
    assert "note" in fields(altered(case, demographics={"age": 41, "sex": "male"}))
    assert "note" in fields(altered(case, demographics={"age": 58, "sex": "female"}))
    assert "plan.troponin" in fields(altered(case, plan=plan_of(case, troponin={"text": "skin biopsy", "lay": []})))
    assert "chief_complaint" in fields(altered(case, chief_complaint="I am having a heart attack"))
    assert "plan.aspirin.purpose" in fields(altered(case, plan=plan_of(case, aspirin={"purpose": "to thin the blood"})))
    assert "id" in fields(altered(case, id="nstemi-1"), open_set=True)


def test_an_answer_with_a_wrong_number_is_found(case_of):
    case = case_of("cir-01")
    questions = [q.model_dump(mode="json") for q in case.questions]
    questions[4]["answer"] = "25 mg"
    assert f"questions.{questions[4]['id']}.answer" in fields(altered(case, questions=questions))


class WordEncoder:
    """Notes with the same words are near; no model."""

    fingerprint = "words"

    def encode(self, texts):
        vectors = np.zeros((len(texts), 512), np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for word in text.lower().split():
                row[zlib.crc32(word.encode()) % 512] += 1
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_a_set_says_which_cases_come_too_often_and_which_are_alike(case_of):
    case = case_of("cir-01")
    same = [altered(case, id=f"cir-{number}") for number in range(10, 14)]
    assert [case.id for case, _ in balance_findings(same)] == ["cir-13"]
    nearest = closest_pairs([same[0], same[1], case_of("skn-01")], 1, WordEncoder())
    assert {nearest[0].first.id, nearest[0].second.id} == {"cir-10", "cir-11"}
    assert nearest[0].cosine > 0.99


def test_no_open_case_has_a_problem(open_cases):
    """Whether each plan can be taught is checked by the script; here for some, as each takes a tenth of a second."""
    taught = [case for number, case in enumerate(open_cases) if number % 8 == 0]
    assert [(case.id, *problem) for case in taught for problem in problems(case, open_set=True)] == []
    for rules in (prescribing, safeguards):
        assert [(case.id, f) for case in open_cases for f in rules(case) if f.weight == "problem"] == []


def test_the_open_set_is_even(open_cases):
    count = Counter(case.chapter for case in open_cases)
    assert set(count) == set(CHAPTERS)
    assert set(count.values()) == {20}
    assert list(balance_findings(open_cases)) == []
    assert [case.id for case in open_cases] == [
        f"{chapter.lower()}-{n:02}" for chapter in sorted(CHAPTERS) for n in range(1, 21)
    ]
    assert len(drugs_of(open_cases)) >= 250


def test_the_script_names_file_case_and_field(case_of, tmp_path):
    path = tmp_path / "mine.jsonl"
    write_cases([altered(case_of("cir-01"), chapter="RES")], path)
    done = subprocess.run([sys.executable, SCRIPT, path], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "mine.jsonl: cir-01: diagnosis.icd10: I21.4 is not in chapter RES" in done.stderr


def test_most_doses_wrong_by_a_factor_of_ten_are_found(open_cases):
    """Some tenfold errors are another usual dose (prednisone 4 and 40 mg); 97 in 100 are not."""
    found = []
    for case in open_cases[::4]:
        for fact in case.plan:
            number = re.match(r"[\d,.]+", getattr(fact, "dose", None) or "")
            for factor in (10, 0.1) if number else ():
                value = float(number[0].replace(",", "")) * factor
                wrong = {"dose": fact.dose.replace(number[0], f"{value:g}", 1)}
                changed = altered(case, plan=plan_of(case, **{fact.id: wrong}))
                found.append(any(f.weight == "problem" for f in prescribing(changed)))
    assert len(found) > 50
    assert sum(found) / len(found) > 0.97


def test_a_drug_that_goes_on_without_an_illness_is_to_be_looked_at(case_of):
    case = with_drug(case_of("skn-03"), text="levothyroxine", dose="50 mcg", purpose="an underactive thyroid")
    cautions = [f.message for f in prescribing(case) if f.weight == "caution"]
    assert any("levothyroxine goes on for an underactive thyroid" in message for message in cautions)
