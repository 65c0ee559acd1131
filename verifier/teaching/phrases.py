"""Does a sentence say what a phrase says, in other words?

Plan instructions, return signs and precautions are free text. They are compared by their meaning-bearing stems, with
everyday paraphrases folded together, by medical concept, by their numbers and by whether they forbid or ask.
"""

import csv
import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from bedside.verifier.language.lexicon import Lexicon, core
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import digits
from bedside.verifier.language.text import STOPWORDS, Token, plain, stem, tokenize
from bedside.verifier.teaching.verdicts import verdict

__all__ = [
    "FREELY",
    "LIGHT",
    "Bag",
    "Phrase",
    "bag_of",
    "coverage",
    "limit_broken",
    "number_clash",
    "opposed",
    "phrase_of",
]

_PARAPHRASES = Path(__file__).parent.parent / "data" / "core" / "paraphrases.tsv"
_PHRASES = _PARAPHRASES.parent / "plain_phrases.tsv"
_NEGATIVE = Pattern(
    rf"\b(?:{verdict('barred')}|"
    r"not|never|avoid|no|don't|doesn't|won't|shouldn't|can't|didn't|mustn't|aren't|isn't|stop|without|stay away|"
    r"keep away|refrain|nothing|skip|instead of|stay off|stay out|quit|give up)\b",
    re.IGNORECASE,
)
_PERMISSIVE = Pattern(
    # "It can cause drowsiness", "the hepatitis can flare": what may happen is no leave to do it.
    r"\b(?:(?:you|we|one)(?: \w+)? can|can you|^\W*can|fine to|okay to|ok to|safe to|free to|go ahead|feel free|no "
    r"need|don't have to|don't need|no problem)\b",
    re.IGNORECASE,
)
_A_SPAN = re.compile(r"(?<=\bfor )an? (?=(?:hour|day|week|month)\b)")
_CANNOT = Pattern(r"can't|cannot")
# "Don't forget to", "no later than": a negation that forbids nothing.
_STILL_ASKS = Pattern(
    r"\b(?:do not|don't|never) (?:forget|skip|miss|stop)\b|\bwithout\b|\bno (?:matter|later|longer)\b|"
    r"\bnot (?:only|just)\b|\b(?:can't|cannot|can not) (?:stress|emphasize|say|repeat) (?:\w+ ){0,2}enough\b",
    re.IGNORECASE,
)
_NUMBER = Pattern(r"(\d+(?:\.\d+)?)(?: ?(?:-|to) ?(\d+(?:\.\d+)?))?[ -]?([A-Za-z%]+)?")
LIGHT = frozenset(
    stem(w)
    for w in """call tell doctor day time new any use take get go come help feel sign start follow cause after
    before while during
    until every each week month year hour patient hospital home problem change still lot little many other
    right away now
    today work also medicine care center good bad big small give want try put set""".split()
)


_MEASURE = frozenset("f fahrenheit degree degrees above".split())
"""What "a fever above 101 degrees F" and "a fever over 101" do not differ in."""

_FORBIDDEN = 0.6
"""Share of a forbidden thing that must stand after a negation to be forbidden by it."""

_POLARITY = frozenset(("not", "no", "never"))
"""Compared by :func:`opposed`, not as words: "don't drink any alcohol" holds all of "do not drink alcohol"."""

_WITHOUT_MEANING = STOPWORDS | _POLARITY | _MEASURE
_NO_UNIT = STOPWORDS | _MEASURE


@lru_cache(maxsize=1)
def _groups() -> dict[str, str]:
    found: dict[str, str] = {}
    with _PARAPHRASES.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            words = row["words"].split("|")
            for word in words:
                found.setdefault(stem(word), words[0])
    return found


@lru_cache(maxsize=1)
def _plain_phrases() -> tuple[tuple[Pattern, tuple[str, ...]], ...]:
    """Return phrases of several words and the stems of what they mean: "passed out" is to faint."""
    with _PHRASES.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return tuple(
            (
                Pattern(
                    rf"\b(?:{row['said']})\b" if not row["said"].endswith(")") else rf"\b(?:{row['said']})",
                    re.IGNORECASE,
                ),
                tuple(_groups().get(stem(word), stem(word)) for word in row["meant"].split()),
            )
            for row in rows
        )


@lru_cache(maxsize=1)
def _any_phrase() -> Pattern:
    return Pattern("|".join(f"(?:{said.expression})" for said, _ in _plain_phrases()), re.IGNORECASE)


class Bag(NamedTuple):
    """A sentence as a set of canonical stems, concepts (with their broader ones) and numbers with units."""

    text: str
    stems: frozenset[str]
    concepts: frozenset[str]
    numbers: frozenset[tuple[str, str]]

    def joined(self, other: "Bag") -> "Bag":
        """Return this sentence with what another one holds beside it."""
        return Bag(self.text, self.stems | other.stems, self.concepts | other.concepts, self.numbers | other.numbers)


class Phrase(NamedTuple):
    """A phrase to be found again; weights sum to 1."""

    text: str
    weights: tuple[tuple[str, float], ...]
    concepts: tuple[tuple[str, frozenset[str]], ...]
    numbers: frozenset[tuple[str, str]]
    negative: bool


def _canonical(tokens: tuple[Token, ...]) -> list[str]:
    groups = _groups()
    return [
        groups.get(t.stem, t.stem) for t in tokens if t.text.lower() not in _WITHOUT_MEANING and not t.text[0].isdigit()
    ]


def _numbers(text: str) -> frozenset[tuple[str, str]]:
    found = set()
    if "a " in text:
        text = _A_SPAN.sub("1 ", text)
    for low, high, unit in _NUMBER.findall(text):
        name = stem(unit) if unit and unit.lower() not in _NO_UNIT else ""
        name = _groups().get(name, name) if name not in ("pound", "lb", "kilogram", "minut", "hour") else name
        found.add((f"{float(low):g}", name))
        if high:
            found.add((f"{float(high):g}", name))
    return frozenset(found)


def bag_of(text: str, tokens: tuple[Token, ...], concepts: frozenset[str]) -> Bag:
    """Describe a sentence; ``text`` holds its numbers as digits, ``concepts`` what it mentions with broader ones."""
    stems = _canonical(tokens)
    if _any_phrase().search(text):
        stems += [word for said, meant in _plain_phrases() if said.search(text) for word in meant]
    return Bag(text, frozenset(stems), concepts, _numbers(text))


@lru_cache(maxsize=65536)
def phrase_of(text: str) -> Phrase:
    """Prepare a phrase of a plan for comparison."""
    text = digits(plain(text))
    tokens = tokenize(text)
    lexicon = core()
    concepts = tuple(
        (mention_concept, frozenset(_canonical(tokens[m.first : m.last + 1])))
        for m in lexicon.find(tokens)
        for mention_concept in m.concepts[:1]
        if _meaningful(lexicon, mention_concept)
    )
    raw = {s: (0.4 if s in LIGHT or stem(s) in LIGHT else 1.0) for s in _canonical(tokens)}
    numbers = _numbers(text)
    total = sum(raw.values()) + 0.8 * len(numbers) or 1.0
    weights = tuple((s, w / total) for s, w in raw.items())
    return Phrase(text, weights, concepts, numbers, bool(_NEGATIVE.search(text)))


def _meaningful(lexicon: Lexicon, concept: str) -> bool:
    return lexicon[concept].kind in (
        "symptom",
        "condition",
        "medication",
        "drug_class",
        "procedure",
        "substance",
    )


def coverage(phrase: Phrase, bag: Bag) -> float:
    """Return the share of a phrase's meaning that a sentence holds, from 0 to 1.

    Args:
        phrase: From the plan.
        bag: The sentence.

    Returns:
        Weighted share of stems found, a matched concept counting for all its words, numbers included.
    """
    stems = bag.stems
    weight = 0.0
    for word, share in phrase.weights:
        if word in stems:
            weight += share
    for concept, words in phrase.concepts:
        if concept in bag.concepts:
            weight += sum(share for word, share in phrase.weights if word in words and word not in stems)
    if phrase.numbers:
        each = (1.0 - sum(w for _, w in phrase.weights)) / len(phrase.numbers)
        weight += each * len(phrase.numbers & bag.numbers)
        values = {v for v, _ in bag.numbers}
        weight += each * sum(1 for v, u in phrase.numbers - bag.numbers if v in values and not u)
    return weight


def number_clash(phrase: Phrase, bag: Bag) -> str:
    """Return a number of the sentence that has a unit of the phrase but another value, as text; empty if none."""
    for value, unit in phrase.numbers - bag.numbers:
        for other, its_unit in bag.numbers - phrase.numbers:
            if unit and unit == its_unit and other != value:
                return f"{other} {its_unit}"
    return ""


_LIMIT = Pattern(
    r"\b(?:no|not|never)\b[^.;]{0,30}?\b(?:more|heavier|longer|over|above|"
    r"exceed\w*)\b(?: than)? (\d+(?:\.\d+)?) ?(\w+)",
    re.IGNORECASE,
)
_WITHIN = Pattern(r"\b(?:no|not|never|don't|can't|shouldn't|avoid|less|under|below|at most)\b", re.IGNORECASE)


_HEAVY = Pattern(
    r"\b(?:toddlers?|kids?|child(?:ren)?|grand(?:son|daughter|child|children|kids?)|suitcases?|furniture|couch|boxes|"
    r"heavy|heavier|weights|mattress|(?:fire)?wood|logs?|groceries|laundry|luggage|cart|vacuum|bucket|wheelbarrow|patients|"
    r"bags? of (?:cement|soil|dog food|salt))\b",
    re.IGNORECASE,
)
_IN_MINUTES = {"minut": 1.0, "hour": 60.0, "day": 1440.0}


def limit_broken(phrase: Phrase, bag: Bag) -> str:
    """Return an amount that goes beyond the limit of a phrase; "lift up to 50 pounds" against "no more than 5"."""
    limit = _LIMIT.search(phrase.text)
    if limit is None or _WITHIN.search(_FREELY.sub(" ", bag.text)):
        return ""
    unit = next((u for value, u in phrase.numbers if value == limit[1] and u), "")
    deeds = {s for s, _ in phrase.weights} - LIGHT
    if not unit or deeds.isdisjoint(bag.stems):
        return ""
    over = [value for value, its_unit in bag.numbers if _exceeds(float(value), its_unit, float(limit[1]), unit)]
    if over:
        return f"{over[0]} {unit}"
    heavy = _HEAVY.search(bag.text) if unit in ("pound", "lb", "kilogram") and not bag.numbers else None
    return heavy[0] if heavy and "lift" in bag.stems else ""


def _exceeds(value: float, unit: str, limit: float, its_unit: str) -> bool:
    if unit == its_unit:
        return value > limit
    times = _IN_MINUTES.get(unit), _IN_MINUTES.get(its_unit)
    return None not in times and value * (times[0] or 0.0) > limit * (times[1] or 0.0)


# Permission that is put as a negation: "won't do any harm", "no problem".
FREELY = (
    r"(?:(?:is|are|was|'s) )?(?:no|not an?) (?:\w+ )?(?:problem|issue|concern|big deal|trouble|risk|danger|harm|"
    r"worries)|no (?:reason not|need to avoid)|"
    r"(?:won't|will not|doesn't|does not|don't|do not|can't|shouldn't|(?:is not|isn't|aren't|are not) going to)"
    r" (?:\w+ )?(?:hurt|harm|matter|count|be (?:a|an|any) (?:problem|issue|trouble)|make (?:a|any) difference|"
    r"make (?:\w+ ){1,3}(?:any )?worse|do (?:you )?(?:any|much) (?:harm|damage))|"
    r"no longer (?:a problem|off limits|forbidden)"
)
_FREELY = Pattern(rf"\b(?:{FREELY})\b", re.IGNORECASE)


def _permits(text: str) -> bool:
    return bool(_PERMISSIVE.search(text)) and not _CANNOT.search(text)


def _forbids_after_all(phrase: Phrase, text: str) -> bool:
    """True for "go ahead and walk, but do no hard exercise": what is forbidden stands after a negation."""
    return any(
        coverage(phrase, bag_of(rest, tokenize(rest), frozenset())) >= _FORBIDDEN
        for rest in (text[match.end() :] for match in _NEGATIVE.finditer(text))
    )


def opposed(phrase: Phrase, bag: Bag) -> bool:
    """True when one forbids what the other asks or allows."""
    negative = bool(_NEGATIVE.search(_FREELY.sub(" ", bag.text)))
    if phrase.negative:
        return not negative or (_permits(bag.text) and not _forbids_after_all(phrase, bag.text))
    return negative and not _STILL_ASKS.search(bag.text)
