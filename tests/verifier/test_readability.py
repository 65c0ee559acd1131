import pytest

from bedside.verifier.language.readability import grade_level, jargon, syllables


@pytest.mark.parametrize(
    ("word", "count"),
    [
        ("cat", 1),
        ("table", 2),
        ("medication", 4),
        ("area", 3),
        ("walked", 1),
        ("bleeding", 2),
        ("hospital", 3),
        ("breathe", 1),
    ],
)
def test_syllables(word, count):
    assert syllables(word) == count


def test_grades_of_published_examples():
    # Widely printed worked examples of the formula.
    assert grade_level("The cat sat on the mat.") == pytest.approx(-1.45, abs=0.01)
    long = "The Australian platypus is seemingly a hybrid of a mammal and reptilian creature."
    assert grade_level(long) == pytest.approx(11.3, abs=0.6)


def test_text_without_words_has_no_grade():
    assert grade_level("... 12 !") is None


def test_jargon_is_excused_by_its_explanation():
    assert "hypertension" in jargon("You have hypertension.")
    assert jargon("You have hypertension, which means high blood pressure.") == ()
    assert "BID" in jargon("Take it BID.")
