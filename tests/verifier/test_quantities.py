import pytest
from hypothesis import given
from hypothesis import strategies as st

from bedside.verifier.language.quantities import (
    canonical_dose,
    canonical_frequency,
    canonical_route,
    days,
    digits,
    find_quantities,
)


@pytest.mark.parametrize(
    ("said", "dose"),
    [
        ("40 mg", "40 mg"),
        ("forty milligrams", "40 mg"),
        ("one hundred and twenty-five micrograms", "125 mcg"),
        ("1,000 mg", "1000 mg"),
        ("1 g", "1000 mg"),
        ("2 puffs", "2 puffs"),
        ("half a tablet", "0.5 pills"),
        ("one and a half tablets", "1.5 pills"),
        ("2.5-5 mg", "2.5-5 mg"),
        ("ten units", "10 units"),
        ("two 20 mg tablets", "40 mg"),
        ("some of it", None),
    ],
)
def test_one_dose_has_one_form(said, dose):
    assert canonical_dose(said) == dose


@pytest.mark.parametrize(
    ("said", "frequency"),
    [
        ("twice a day", "2/day"),
        ("two times daily", "2/day"),
        ("BID", "2/day"),
        ("every 12 hours", "2/day"),
        ("q12h", "2/day"),
        ("in the morning and at bedtime", "2/day"),
        ("once daily at bedtime", "1/day"),
        ("every morning", "1/day"),
        ("nightly", "1/day"),
        ("three times a day", "3/day"),
        ("every eight hours", "3/day"),
        ("every 6 hours as needed", "4/day as needed"),
        ("once a week", "0.143/day"),
        ("weekly", "0.143/day"),
        ("every other day", "0.5/day"),
        ("as needed", "as needed"),
    ],
)
def test_one_frequency_has_one_form(said, frequency):
    assert canonical_frequency(said) == frequency


@pytest.mark.parametrize(
    ("said", "route"),
    [
        ("by mouth", "oral"),
        ("PO", "oral"),
        ("swallow it whole", "oral"),
        ("under the skin", "subcutaneous"),
        ("inject it in your belly", "injected"),
        ("under your tongue", "sublingual"),
        ("two puffs", "inhaled"),
        ("breathe in 3 liters of oxygen", "inhaled"),
        ("one drop in your right eye", "ophthalmic"),
        ("on the skin", "topical"),
        ("into a vein", "intravenous"),
        ("with a smile", None),
        ("it hurts when you breathe in", None),
    ],
)
def test_routes_are_heard_in_plain_words(said, route):
    assert canonical_route(said) == route


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("in 2 weeks", 14),
        ("three days", 3),
        ("for a month", 30),
        ("2 hours ago", 2 / 24),
        ("1-2 weeks", 7),
        ("soon", None),
    ],
)
def test_spans_are_counted_in_days(said, expected):
    assert days(said) == (None if expected is None else pytest.approx(expected))


@given(st.integers(0, 999))
def test_number_words_and_digits_agree(number):
    ones = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ]
    tens = ["_", "_", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]

    def spell(n):
        if n < 20:
            return ones[n]
        if n < 100:
            return tens[n // 10] + ("" if n % 10 == 0 else f"-{ones[n % 10]}")
        rest = "" if n % 100 == 0 else f" and {spell(n % 100)}"
        return f"{ones[n // 100]} hundred{rest}"

    assert digits(f"take {spell(number)} milligrams") == f"take {number} milligrams"


@given(st.text(max_size=300))
def test_any_text_can_be_measured(text):
    for quantity in find_quantities(digits(text)):
        assert 0 <= quantity.start < quantity.end
