"""Discharge notes are read as a clinician would read them, in every form in which hospitals write them."""

import random
import re

import pytest
from note_corpus import against_plans, corpus, scores

from bedside.cases.discharge_note import plan_of, read_note, record_of_note
from bedside.cases.drugs import read_drug
from bedside.cases.medication_comparison import compared
from bedside.cases.medication_list import read_medications
from bedside.cases.note_sections import read_sections


@pytest.mark.parametrize(
    ("half", "number"), [("dev", 20), ("test", 20), ("habits_dev", 8), ("habits_test", 8), ("habits_unseen", 6)]
)
def test_notes_are_read_field_by_field(half, number):
    assert len(corpus(half)) == number
    found, wrong = scores(half)
    assert found["medications"] >= 0.95, wrong
    assert found["other"] >= 0.93, wrong


def test_the_open_notes_tell_the_plans_of_their_cases():
    found, wrong = against_plans("open:dev")
    assert found["drug"] >= 0.98, wrong
    assert found["change"] >= 0.98, wrong
    assert found["dose"] >= 0.93, wrong
    assert found["route"] >= 0.97, wrong
    assert found["visit"] >= 0.95, wrong


def test_a_redaction_is_unknown_and_never_part_of_a_fact():
    for note in corpus("dev") + corpus("test"):
        plan = plan_of(read_note(note.text), set())
        assert not [fact for fact in plan if re.search(r"___|\[\*\*", fact.model_dump_json())], note.name


@pytest.mark.parametrize(
    ("line", "dose", "route", "frequency"),
    [
        ("Acetaminophen 650 mg PO Q6H:PRN Pain - Mild", "650 mg", "by mouth", "every 6 hours as needed"),
        (
            "DrugX 25 mg Tablet Sig: Two (2) Tablet PO TID (3 times a day).",
            "2 tablets of 25 mg",
            "by mouth",
            "three times daily",
        ),
        ("DrugX 25 mg Tablet Sig: 0.5 Tablet PO BID", "0.5 tablet of 25 mg", "by mouth", "twice daily"),
        ("DrugX 50 mg/5 mL Liquid Sig: Ten (10) mL PO BID (2 times a day).", "10 mL", "by mouth", "twice daily"),
        (
            "Insulin DrugX 100 unit/mL Solution Sig: Twenty (20) units Subcutaneous at bedtime.",
            "20 units",
            "under the skin",
            "once daily at bedtime",
        ),
        (
            "DrugX 5 %(700 mg/patch) Adhesive Patch Sig: One (1) Adhesive Patch Topical DAILY",
            "1 patch",
            "on the skin",
            "once daily",
        ),
        (
            "DrugX-DrugY (5mg-325mg) 1-2 TAB PO Q4H:PRN pain",
            "1-2 tablets of 5 mg-325 mg",
            "by mouth",
            "every 4 hours as needed",
        ),
        ("DrugX NASAL 2 SPRY NU DAILY", "2 sprays", "in the nose", "once daily"),
        ("DrugX 15 mg PO 1X/WEEK (SA)", "15 mg", "by mouth", "once a week on Saturday"),
        ("DrugX 50 mg PO DAILY Hold for SBP<100", "50 mg", "by mouth", "once daily"),
        ("DrugX 500 mg PO Q6H; do not exceed 4 g a day", "500 mg", "by mouth", "every 6 hours"),
        ("DrugX 650 mg PO Q6H for pain. Do not take more than 3 grams a day.", "650 mg", "by mouth", "every 6 hours"),
        ("DrugX powder a thin layer on the skin BID", "a thin layer", "on the skin", "twice daily"),
        ("DrugX Ophth. Soln. 1 drop in the left eye QHS", "1 drop", "in the left eye", "once daily at bedtime"),
        (
            "DrugX 5 mg Tablet Sig: One (1) Tablet PO BID (2 times a day) with meals.",
            "5 mg",
            "by mouth",
            "twice daily with meals",
        ),
        ("DrugX 40 mg PO QAM and QPM", "40 mg", "by mouth", "twice daily, in the morning and in the evening"),
        ("DrugX 10,000 UNIT SC BID", "10000 units", "under the skin", "twice daily"),
        ("DrugX Patch 25 mcg/h TD Q72H", "25 mcg/hour", "on the skin", "every 72 hours"),
        ("DrugX ___ mg PO Q6H", None, "by mouth", "every 6 hours"),
        ("DrugX 5-___ mg PO DAILY", None, "by mouth", "once daily"),
        ("DrugX 10 mg PO Q___H", "10 mg", "by mouth", None),
        ("DrugX 10 mg Tablet Sig: ___ Tablet PO BID", None, "by mouth", "twice daily"),
    ],
)
def test_a_line_of_a_list(line, dose, route, frequency):
    drug = read_drug(line)
    assert drug.name.startswith(("drugx", "acetaminophen", "insulin drugx"))
    assert (drug.dose, drug.route, drug.frequency) == (dose, route, frequency)


def changes(home, discharge):
    return {c.drug.name: (c.change, c.previous) for c in compared(read_medications(home), read_medications(discharge))}


def test_what_changed_is_told_by_comparing_the_lists():
    home = "1. Lasix 40 mg PO DAILY\n2. DrugA 5 mg PO BID\n3. DrugB 10 mg PO DAILY\n4. Metoprolol Tartrate 25 mg PO BID"
    discharge = "1. Furosemide 80 mg PO DAILY\n2. DrugA 5 mg PO Q12H\n"
    discharge += "3. Metoprolol Succinate XL 50 mg PO DAILY\n4. DrugC 1 mg PO DAILY"
    assert changes(home, discharge) == {
        "furosemide": ("changed", "40 mg"),
        "druga": ("continued", None),
        "metoprolol succinate XL": ("changed", "metoprolol tartrate 25 mg twice daily"),
        "drugc": ("new", None),
        "drugb": ("stopped", None),
    }


@pytest.mark.parametrize("home", [None, "___", "unable to obtain"])
def test_nothing_is_new_where_the_admission_list_is_not_known(home):
    assert changes(home, "1. DrugX 5 mg PO DAILY") == {"drugx": ("continued", None)}


def test_a_hidden_name_on_a_list_forbids_conclusions_from_absence():
    assert changes("1. DrugX 5 mg PO DAILY", "1. ___ 10 mg PO DAILY") == {}
    assert changes("1. ___ 10 mg PO DAILY", "1. DrugX 5 mg PO DAILY") == {"drugx": ("continued", None)}


def test_the_same_amount_in_other_pieces_is_no_change():
    home = "1. DrugX 50 mg PO DAILY"
    assert changes(home, "1. DrugX 25 mg Tablet Sig: Two (2) Tablet PO once a day.") == {"drugx": ("continued", None)}


def test_none_is_a_list_and_a_walker_is_no_drug():
    assert read_medications("None").complete
    assert not read_medications("___").stated
    found = read_medications("1. DrugX 5 mg PO DAILY\n2. Rolling walker\nDisp:*1 walker* Refills:*0*\n3. test strips")
    assert [drug.name for drug in found.drugs] == ["drugx"]
    assert len(found.other) == 2


def test_problems_are_no_headings_and_medications_are_whose_they_are():
    note = (
        "Past Medical History:\nAtrial fibrillation: rate controlled\n# CHF: stable\nMedications on "
        "Admission:\nDrugA 5 mg PO DAILY\n"
        "Brief Hospital Course:\n# Diagnosis: unclear\nMedications: unchanged\nDischarge Medications:\nDrugB 5 mg "
        "PO DAILY\n"
        "Discharge Diagnosis:\nPneumonia\n"
    )
    sections = read_sections(note)
    assert sections["past"] == "Atrial fibrillation: rate controlled\n# CHF: stable"
    assert sections["course"] == "# Diagnosis: unclear\nMedications: unchanged"
    assert sections["home_medications"] == "DrugA 5 mg PO DAILY"
    assert sections["discharge_medications"] == "DrugB 5 mg PO DAILY"
    assert sections["diagnosis"] == "Pneumonia"


def test_a_damaged_note_is_read_or_dropped_and_never_an_error():
    rng = random.Random(5)
    texts = [note.text for note in corpus("dev") + corpus("test")]
    for number in range(120):
        text = rng.choice(texts)
        damage = number % 4
        if damage == 0:
            text = text[: rng.randrange(len(text))]
        elif damage == 1:
            lines = text.splitlines()
            rng.shuffle(lines)
            text = "\n".join(lines)
        elif damage == 2:
            text = "".join(c if rng.random() > 0.03 else rng.choice(["___", "\n", "(", ")", "½", "\x00"]) for c in text)
        else:
            text = text.replace("\n", " ").upper()
        note = read_note(text)
        facts = (*plan_of(note, set()), *record_of_note(note, ""))
        assert all(fact.text.strip() for fact in facts)


def test_a_taper_has_no_single_dose():
    drug = read_drug(
        "DrugX 5 mg Tablet Sig: 4 tabs daily for 3 days then 2 tabs daily for 3 days Tablets PO once a day."
    )
    assert (drug.dose, drug.duration, drug.route) == (None, None, "by mouth")


def listed(text):
    return {
        drug.name: (drug.dose, drug.route, drug.frequency, change) for drug, change in read_medications(text).listed
    }


def test_a_list_may_say_itself_what_was_done_to_a_drug():
    sheet = (
        "START taking these medications\ndruga 40 MG tablet\nCommonly known as: BRAND\n"
        "Take 1 tablet (40 mg total) by mouth daily.\nQuantity: 30 tablet\n\n"
        "CHANGE how you take these medications\ndrugb 50 MG tablet\nTake 2 tablets (100 mg total) by mouth daily.\n\n"
        "STOP taking these medications\ndrugc 10 MG tablet"
    )
    assert listed(sheet) == {
        "druga": ("40 mg", "by mouth", "once daily", "new"),
        "drugb": ("2 tablets of 50 mg", "by mouth", "once daily", "changed"),
        "drugc": ("10 mg", None, None, "stopped"),
    }


def test_an_insulin_has_an_entry_a_meal_and_mixtures_keep_their_parts():
    text = "1.  NPH 20 Units Breakfast\nNPH 15 Units Bedtime\nInsulin SC Sliding Scale using REG Insulin\n"
    text += "2. DrugX 5 mg PO DAILY"
    drugs = read_medications(text).drugs
    assert [(drug.name, drug.dose, drug.frequency) for drug in drugs] == [
        ("NPH", "20 units", "with breakfast"),
        ("NPH", "15 units", "once daily at bedtime"),
        ("insulin", None, "by the sliding scale"),
        ("drugx", "5 mg", "once daily"),
    ]
    assert read_drug("Humalog 75/25 20 units before breakfast")[:2] == ("humalog 75/25", "20 units")


def test_a_table_is_read_by_its_header():
    table = "| Drug | Frequency | Dose | Route | Status |\n|---|---|---|---|---|\n"
    table += "| DrugX | twice daily | 5 mg | oral | NEW |"
    assert listed(table) == {"drugx": ("5 mg", "by mouth", "twice daily", "new")}
    fields = "Medication: DrugX\nDose: 5 mg\nRoute: oral\nFrequency: twice daily\n\nMedication: DrugY\nDose: 1 g"
    assert listed(fields) == {"drugx": ("5 mg", "by mouth", "twice daily", None), "drugy": ("1 g", None, None, None)}


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        (
            "He will continue drugx 5 mg twice a day and drugy 75 mcg every morning.",
            {"drugx": "continued", "drugy": "continued"},
        ),
        ("DrugX was stopped because it worsened his confusion. DrugY 5 mg daily.", {"drugx": "stopped", "drugy": None}),
        ("The patient was instructed not to take drugx or drugy any longer.", {"drugx": "stopped", "drugy": "stopped"}),
        ("STOP: drugx, drugy", {"drugx": "stopped", "drugy": "stopped"}),
        (
            "1) drugx 5 mg po bid (increased from 2.5)\n2) drugy 5 mg po qd - no change",
            {"drugx": "changed", "drugy": "continued"},
        ),
        (
            "[x] CONTINUE drugx 5 mg PO daily\n[x] HOLD drugy 20 mg PO daily until seen",
            {"drugx": "continued", "drugy": "stopped"},
        ),
        (
            "DrugX 5 mg PO daily Hold for SBP < 100\nDrugY 5 mg PO daily, start on Monday",
            {"drugx": None, "drugy": None},
        ),
    ],
)
def test_sentences_and_marks_tell_what_was_done(text, changes):
    assert {name: change for name, (*_, change) in listed(text).items()} == changes


@pytest.mark.parametrize(
    ("line", "name", "dose"),
    [
        ("lasix 40 po bid", "lasix", "40 mg"),
        ("Atenolol 50'", "atenolol", "50 mg"),
        ("levothyroxine 75 daily", "levothyroxine", "75 mcg"),
        ("drugx 40 po bid", "drugx", None),
    ],
)
def test_a_number_without_unit_is_a_dose_where_the_drug_has_one_unit(line, name, dose):
    drug = read_drug(line)
    assert (drug.name, drug.dose) == (name, dose)


def test_a_list_in_small_letters_is_no_broken_sentence():
    note = "Procedures:\nballoon in the womb\ntransfusion of 3 units of blood\n"
    note += "Discharge Diagnosis: major depressive disorder, recurrent, severe"
    assert read_note(note).procedures == ("balloon in the womb", "transfusion of 3 units of blood")
    assert read_note(note).diagnoses == ("major depressive disorder, recurrent, severe",)


def test_visits_stand_among_transitional_issues_where_the_note_has_no_others():
    issues = "Transitional Issues:\n[ ] Sleep clinic in 4 weeks: help with the mask\n[ ] Drugx was stopped\n"
    issues += "[ ] BMP in 3 days\n"
    note = read_note(f"{issues}Followup Instructions:\n___")
    assert [(fact.text, fact.when) for fact in plan_of(note, set())] == [("sleep clinic", "in 4 weeks")]
    other = read_note(f"{issues}Followup Instructions:\nCardiology in 1 week")
    assert [fact.text for fact in plan_of(other, set())] == ["cardiology"]


def test_a_letter_has_a_part_on_medications_that_is_no_list():
    note = read_note(
        "Discharge Instructions:\nACTIVITY:\n- Weight bearing as tolerated\nMEDICATIONS:\n"
        "1) Take Tylenol ___ every 6 hours.\n2) Do not stop the Tylenol.\nDANGER SIGNS:\n"
        "Please call your surgeon's office if you experience any of the following:\n"
        "- Persistent or increasing numbness\n- Fever > 101.4\n- Any other medical concerns\n"
        "Followup Instructions:\nOrthopaedic Trauma Clinic in 2 weeks"
    )
    assert not note.home.stated
    assert not note.discharge.stated
    assert [(fact.kind, fact.text) for fact in plan_of(note, set())] == [
        ("instruction", "Weight bearing as tolerated."),
        ("return_sign", "increasing numbness"),
        ("return_sign", "fever > 101.4"),
        ("follow_up", "orthopaedic trauma clinic"),
    ]


def test_what_a_patient_may_feel_is_no_permission_and_letters_are_bullets_too():
    letter = (
        "Discharge Instructions:\nACTIVITY:\n"
        "o Do not drive until you have stopped taking pain medicine and feel that you\n"
        "could respond in an emergency.\no You may climb stairs.\nHOW YOU MAY FEEL:\n"
        "o You may feel weak for a couple of weeks.\no You may have a sore throat.\n"
        "o If you go 48 hours without a bowel movement, call your surgeon."
    )
    assert [fact.text for fact in plan_of(read_note(letter), set())] == [
        "Do not drive until you have stopped taking pain medicine and feel that you could respond in an emergency.",
        "You may climb stairs.",
        "go 48 hours without a bowel movement",
    ]


def test_two_visits_to_one_clinic_are_two():
    note = read_note("Followup Instructions:\nWound clinic in 2 weeks\nWound clinic in 3 months")
    assert [fact.when for fact in plan_of(note, set())] == ["in 2 weeks", "in 3 months"]


def test_an_item_of_a_list_of_orders_needs_no_known_verb():
    letter = "Discharge Instructions:\nAt home:\n- Gargle warm salt water\n- No stairs for a week\n"
    letter += "- Your stitches will dissolve\nWhen should I call?\n- a fever\n\n"
    letter += "Please follow up with the wound clinic in 10 days."
    facts = plan_of(read_note(letter), set())
    assert [(fact.kind, fact.text) for fact in facts] == [
        ("instruction", "Gargle warm salt water."),
        ("instruction", "No stairs for a week."),
        ("return_sign", "fever"),
        ("follow_up", "wound clinic"),
    ]


@pytest.mark.parametrize("blank", " \n")
def test_a_note_full_of_blanks_holds_nobody_up(within, blank):
    wide = blank * 20_000
    drugs = f"1. aspirin 81 mg PO daily{wide}\n2. metoprolol 25 mg{wide}"
    note = f"Allergies:\nPenicillin{wide}\nDischarge Medications:\n{drugs}"
    with within(1.0):
        read = read_note(note)
    assert [drug.text for drug in plan_of(read, set())] == ["aspirin", "metoprolol"]
