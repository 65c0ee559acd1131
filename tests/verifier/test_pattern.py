"""Patterns that skip a text must never skip one that they would match."""

import csv
import gc
import re
from pathlib import Path

import pytest

from bedside.cases.sources import load_cases
from bedside.rewards import hazards
from bedside.verifier import verifier
from bedside.verifier.language.pattern import Pattern

DATA = Path(__file__).parent.parent / "data"


def made() -> list[Pattern]:
    """Every pattern of the verifier and of the rewards."""
    assert verifier, hazards
    gc.unfreeze()  # a command that ran in this process may have hidden its tables from the collector
    return [found for found in gc.get_objects() if type(found) is Pattern]


def spoken() -> list[str]:
    """Utterances of doctors, and the words of the open cases."""
    with (DATA / "doctor_utterances.tsv").open(encoding="utf-8", newline="") as file:
        said = [cell for row in csv.reader(file, delimiter="\t") for cell in row]
    told = [
        text for case in load_cases("open") for fact in (*case.record, *case.plan) for text in (fact.text, *fact.lay)
    ]
    return list(dict.fromkeys(said + told))


def test_no_pattern_of_the_rules_skips_what_it_matches():
    texts = spoken()
    assert len(made()) > 150
    assert len(texts) > 1000
    for pattern in made():
        plain = re.compile(pattern.expression, pattern.flags)
        for text in texts:
            assert bool(plain.search(text)) == bool(pattern.search(text)), (pattern.expression, text)


@pytest.mark.parametrize(
    ("expression", "matched", "skipped"),
    [
        (r"\b(?:never|caus\w+)\b", "it causes pain", "because of pain"),
        (r"\bn't\b|n't", "you don't", "you do"),
        (r"in (?:your|a) (?:dreams?|story)", "in a story", "in a room"),
        (r"\d+ ?mg", "take 10mg", "take a pill"),
        (r"(?:please )?stop it", "stop it", "please go on"),
        (r"^\W*wrong:", "-- wrong: no", "that is right: no"),
        (r"(?<=un)safe(?! for)", "unsafe", "sound"),
        (r"a{2,}rgh", "aaargh", "ah"),
        (r"(?:no )*pain", "no no pain", "no strain"),
        (r"colou?r", "COLOR", "collar"),
        (r"half[ -]way", "half-way", "halfway"),
        (r"\W*+(?:stop|halt)++ now", "- stop now", "- go now"),
        (r"(?>stop|halt) it", "halt it", "start it"),
        (r"(?:please )?+stop it", "stop it", "please go on"),
    ],
)
def test_a_pattern_finds_what_its_expression_finds(expression, matched, skipped):
    pattern, plain = Pattern(expression, re.IGNORECASE), re.compile(expression, re.IGNORECASE)
    for text in (matched, skipped, matched.upper(), f"{skipped}. {matched}"):
        spans = [match.span() for match in plain.finditer(text)]
        assert [match.span() for match in pattern.finditer(text)] == spans
        assert pattern.findall(text) == plain.findall(text)
        assert pattern.split(text) == plain.split(text)
        assert pattern.sub("-", text) == plain.sub("-", text)
        assert bool(pattern.match(text)) == bool(plain.match(text))
    assert pattern.search(matched)
    assert not pattern.search(skipped)


@pytest.mark.parametrize("text", ["the ri\u017fk", "\u212aidney ri\u017fk"])
def test_letters_that_fold_to_others_are_not_skipped(text):
    assert Pattern("risk", re.IGNORECASE).search(text)


def test_a_word_without_end_is_searched_all_the_same():
    assert Pattern(r"\w{50}needle", re.IGNORECASE).search("x" * 60_000 + "needle")


def test_a_pattern_that_needs_no_word_is_always_tried():
    assert Pattern(r"[^\w\s]{2}|^$").search("so?!")
    assert Pattern(r"x*").search("")


def test_an_invalid_expression_is_told_at_once():
    with pytest.raises(re.error, match="unterminated"):
        Pattern("(never")
