import re

import pytest
from monologue import monologue, observe

from bedside.clinicians.plan import parse_plan
from bedside.clinicians.registry import POLICIES, make_clinician
from bedside.clinicians.script import words_in_pieces
from bedside.clinicians.sentences import lines_of
from bedside.envs.briefing import discharge_briefing
from bedside.rewards.checklist import score_checklist
from bedside.verifier.grounding import ground
from bedside.verifier.language.readability import grade_level, jargon
from bedside.verifier.teaching.conveyed import read_teaching


def educator(name):
    return make_clinician(name, cases=(), source="open")


def coverage(name, cases):
    """Share of all plan items that a policy conveys, and how many it contradicts, over cases."""
    items = conveyed = wrong = 0
    for case in cases:
        grounded = ground(case, "discharge")
        readings = [read_teaching(turn, grounded) for turn in monologue(educator(name), case)]
        items += len(case.plan_items)
        conveyed += len({item for reading in readings for item in reading.conveyed})
        wrong += sum(len(reading.contradicted) for reading in readings)
    return conveyed / items, wrong / items


@pytest.mark.parametrize("name", ["checklist", "teachback"])
def test_gold_transcripts_convey_the_whole_plan_and_contradict_none_of_it(name, open_cases):
    conveyed, wrong = coverage(name, open_cases)
    assert conveyed >= 0.965
    assert wrong <= 0.002


def test_jargon_is_complete_but_not_plain(some_cases):
    conveyed, _ = coverage("jargon", some_cases)
    assert conveyed >= 0.85
    case = some_cases[0]
    said = " ".join(monologue(educator("jargon"), case))
    assert len(jargon(said)) > 3 * len(jargon(" ".join(monologue(educator("teachback"), case))))


def test_silence_teaches_nothing_and_keywords_next_to_nothing(some_cases):
    assert coverage("silent", some_cases)[0] == 0
    assert coverage("keyword-spam", some_cases)[0] < 0.05


def test_the_note_is_read_aloud_whole_and_in_pieces(open_cases):
    case = open_cases[0]
    *pieces, _ = monologue(educator("note-dump"), case)
    assert "\n".join(pieces).split() == case.note.split()
    assert all(len(piece.split()) <= 250 for piece in pieces)


def test_pieces_keep_lines_and_do_not_lose_words():
    assert words_in_pieces("a b\nc d\n\ne", 4) == ["a b\nc d", "e"]
    assert words_in_pieces("", 4) == []


def test_plain_sentences_can_be_read_at_school(open_cases):
    grades = []
    for case in open_cases:
        facts = parse_plan(discharge_briefing(case)).facts
        grades.append(grade_level(" ".join(line.text for fact in facts for line in lines_of(fact, "plain"))))
    assert 4 <= sum(grades) / len(grades) <= 7


def test_sentences_have_no_seams(open_cases):
    """No doubled words, stray punctuation, unfilled places or missing capitals in what is said of a plan."""
    seam = re.compile(
        r"\b(\w+) \1\b|[{}|]| [,.]|\.\.|,,|\bNone\b|\ba [aeio]\w|(?<![A-Z])(?<!\b[ap]\.m)\. [a-z]|\bfor to\b"
    )
    for case in open_cases:
        for fact in parse_plan(discharge_briefing(case)).facts:
            for style in ("plain", "compact"):
                for line in lines_of(fact, style):
                    for text in (line.text, line.alone):
                        assert not seam.search(text), text
                        assert re.match(r"[A-Z0-9]", text), text
                        assert text.endswith("."), text


@pytest.mark.parametrize("name", POLICIES["discharge"])
def test_same_seed_same_words_also_after_another_encounter(name, open_cases):
    one = educator(name)
    first = monologue(one, open_cases[0], seed=7)
    monologue(one, open_cases[1], seed=8)
    assert monologue(one, open_cases[0], seed=7) == first == monologue(educator(name), open_cases[0], seed=7)


@pytest.mark.parametrize("name", POLICIES["discharge"])
def test_documents_are_written_when_asked_for(name, open_cases):
    case = open_cases[3]
    clinician = educator(name)
    monologue(clinician, case)
    summary = clinician.act(observe(case, "", "summary"))
    checklist = clinician.act(observe(case, "", "checklist"))
    assert summary
    assert checklist
    accuracy = score_checklist(checklist, case).value
    assert accuracy == (0 if name == "silent" else pytest.approx(1, abs=0.1))
