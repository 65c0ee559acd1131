"""What a doctor knows who has seen the case set itself: an upper bound, not a fair player.

For sources without training data the cases' own records serve as the profiles of their diagnoses. The doctor
then chooses among just the diagnoses that can occur, each described by the very patient that may sit there.
What it fails at cannot be asked out of the patient; what it reaches says nothing about medical knowledge.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from bedside.cases.case import Case
from bedside.cases.fact import (
    AnyFact,
    Condition,
    FamilyHistory,
    Medication,
    Procedure,
    SocialHistory,
    Symptom,
)
from bedside.clinicians.diagnosis_model import Feature, Knowledge
from bedside.clinicians.grammar import lowered, with_article
from bedside.verifier.language.lexicon import core, form_key

__all__ = ["case_knowledge"]

_HAS, _LACKS = 0.95, 0.02
_DENIES = re.compile(r"\b(?:no|not|never|denies|does not|doesn't|non-?smoker|without|none)\b", re.IGNORECASE)
_HABITS = {
    "alcohol": (
        "drinks alcohol",
        "Do you drink alcohol?",
        "Do you have a drink now and then, such as beer or wine?",
    ),
    "tobacco": ("smokes cigarettes", "Do you smoke?", "Do you use cigarettes or other tobacco?"),
    "drugs": (
        "uses street drugs",
        "Do you use any recreational drugs?",
        "Do you use anything such as marijuana or cocaine?",
    ),
    "sexual": ("is sexually active", "Are you sexually active?", "Do you have sex with anyone at present?"),
}
_WORDS_OF_HABIT = {
    "alcohol": ("alcohol", "beer", "wine", "whiskey", "drinks", "drinking"),
    "tobacco": ("smoking", "cigarettes", "a pack a day", "tobacco"),
    "drugs": ("marijuana", "cocaine", "street drugs"),
    "sexual": ("sexually active", "a partner"),
}


def case_knowledge(cases: Sequence[Case]) -> Knowledge:
    """Turn cases into knowledge; cases with the same diagnosis are one hypothesis.

    Args:
        cases: With records; at least one.

    Raises:
        ValueError: There is no case.
    """
    if not cases:
        raise ValueError("a doctor needs cases to know diagnoses: give at least one case")
    found: dict[str, list[AnyFact]] = {}
    profiles: dict[str, set[str]] = {}
    for case in cases:
        profile = profiles.setdefault(case.diagnosis.text, set())
        for key, fact in _keyed(case.record):
            found.setdefault(key, []).append(fact)
            profile.add(key)
    features = tuple(_feature(key, facts) for key, facts in sorted(found.items()))
    names = tuple(sorted(profiles))
    chance = np.array(
        [[_HAS if f.key in profiles[name] else _LACKS for f in features] for name in names], dtype=np.float64
    )
    counts = np.array([sum(case.diagnosis.text == name for case in cases) for name in names], dtype=np.float64)
    return Knowledge(names, counts / counts.sum(), features, chance)


def _keyed(record: Iterable[AnyFact]) -> Iterator[tuple[str, AnyFact]]:
    """Name facts so that the same finding in two cases has the same name."""
    for fact in record:
        match fact:
            case SocialHistory():
                if fact.aspect in _HABITS and not _DENIES.search(fact.text):
                    yield f"social:{fact.aspect}", fact
            case Symptom() | Condition() | Medication() | Procedure() | FamilyHistory():
                kind = fact.kind
                named = core().named(fact.text)
                yield f"{kind}:{named[0] if named else form_key(fact.text).strip()}", fact


def _feature(key: str, facts: Sequence[AnyFact]) -> Feature:
    first = facts[0]
    if isinstance(first, SocialHistory):
        text, question, reworded = _HABITS[first.aspect]
        fact: AnyFact = first.model_copy(update={"text": text, "lay": _WORDS_OF_HABIT[first.aspect]})
        return Feature(key, fact, question, reworded, sensitive=first.aspect != "tobacco")
    lay = tuple(dict.fromkeys(word for fact in facts for word in (fact.text, *fact.lay) if word != first.text))
    question, reworded = _question(first, lay)
    return Feature(key, first.model_copy(update={"lay": lay}), question, reworded)


def _question(fact: AnyFact, lay: Sequence[str]) -> tuple[str, str]:
    plain = _to_you(lay[0]) if lay else lowered(fact.text)
    other = lowered(fact.text)
    match fact:
        case Symptom():
            return (
                f"Have you had {_some(plain)}?",
                f"Let me say it differently. Have you noticed {_some(other)}?",
            )
        case Condition():
            return (
                f"Were you ever told that you have {with_article(other)}?",
                f"In other words, have you had {with_article(plain)}?",
            )
        case Medication():
            return f"Do you take {other}?", f"Is {plain} among the medicines that you take?"
        case Procedure():
            return (
                f"Have you ever had {with_article(other)}?",
                f"In other words, have you had {with_article(plain)}?",
            )
        case _:
            return f"Has anyone in your family had {other}?", f"Did a parent, brother or sister have {plain}?"


def _some(thing: str) -> str:
    return thing if re.match(r"(?:a|an|the|your|any|some|no|not|less|more|\w+ing)\b", thing) else f"any {thing}"


def _to_you(text: str) -> str:
    return re.sub(r"\bmyself\b", "yourself", re.sub(r"\bmy\b", "your", re.sub(r"\b(?:I|me)\b", "you", text)))
