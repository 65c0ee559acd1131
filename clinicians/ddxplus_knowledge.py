"""What DDXPlus teaches a doctor: the release's own profiles, sharpened by its training patients.

Only rows that are not marked as test are learned from. A condition without such rows is known by its profile
alone: the evidences that the release lists for it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np

from bedside.cases.ddxplus import Evidence, condition_profiles, evidences, facts_of, training_rows, values
from bedside.cases.fact import AnyFact, Symptom
from bedside.clinicians.diagnosis_model import Feature, Knowledge

__all__ = ["ddxplus_knowledge"]

_LISTED, _UNLISTED = 0.5, 0.01
"""Chance of an evidence that the profile lists, and of one that it does not, before any patient was seen."""

_STRENGTH = 2.0
"""How many patients the profile is worth (the weight of the smoothing)."""

_MOST_VALUES = 0.3
_NO_VALUE = frozenset({"V_10", "V_11", "V_123", "0"})
_SCALES = frozenset({"E_56", "E_134"})  # how bad it is says little about what it is, and is answered in many ways
_SENSITIVE = frozenset({"alcohol", "drugs", "sexual"})
_SENSITIVE_CODES = frozenset({"E_2", "E_27", "E_163"})
_NOT_ASKED = frozenset({"E_150"})
_SEPARATOR = "_@_"


@lru_cache(maxsize=4)
def ddxplus_knowledge(directory: Path) -> Knowledge:
    """Learn from a directory of the release.

    Args:
        directory: Holds ``release_conditions.json`` and patient files.

    Raises:
        CaseError: A file cannot be read.
    """
    profiles = condition_profiles(directory)
    seen: Counter[str] = Counter()
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    worded: dict[str, str] = {}
    for condition, codes in training_rows(directory):
        seen[condition] += 1
        counts[condition].update({key for code in codes if (key := _key(code, worded))})
    features = tuple(_features(worded))
    names = tuple(sorted(profiles))
    chance = np.array(
        [[_chance(f, profiles[name], counts[name], seen[name]) for f in features] for name in names],
        dtype=np.float64,
    )
    # Nothing says how common the conditions are among those who come; how many rows a sample holds does not.
    prior = np.full(len(names), 1.0 / len(names))
    return Knowledge(names, prior, features, chance)


def _key(code: str, worded: dict[str, str]) -> str:
    """Return the feature that a code stands for; values with the same words are one feature."""
    evidence, _, value = code.partition(_SEPARATOR)
    if not value:
        return evidence
    words = values().get(code) or values().get(value)
    if value in _NO_VALUE or evidence in _SCALES or words is None:
        return ""
    key = f"{evidence}={words[0]}"
    worded.setdefault(key, code)
    return key


def _chance(feature: Feature, profile: frozenset[str], counts: Counter[str], seen: int) -> float:
    code = feature.key.partition("=")[0]
    before = _LISTED if code in profile else _UNLISTED
    if feature.group and code in profile:
        before = _MOST_VALUES / 3
    return (counts[feature.key] + _STRENGTH * before) / (seen + _STRENGTH)


def _features(worded: dict[str, str]) -> Iterator[Feature]:
    for code, evidence in evidences().items():
        if evidence.kind == "attribute" or "{value}" in evidence.text or code in _NOT_ASKED:
            continue
        yield Feature(
            key=code,
            fact=facts_of((code,))[0],
            question=evidence.question,
            reworded=_reworded(evidence),
            sensitive=evidence.detail in _SENSITIVE or code in _SENSITIVE_CODES,
        )
    for key, code in sorted(worded.items()):
        evidence = evidences()[key.partition("=")[0]]
        yield Feature(
            key=key,
            fact=_value_fact(code),
            question=evidence.question,
            reworded=f"I mean this: {evidence.question[0].lower()}{evidence.question[1:]}",
            group=f"{evidence.code}:{next(iter(evidence.attributes), 'value')}",
            parent=evidence.parent,
        )


def _value_fact(code: str) -> AnyFact:
    """Return a detail as a finding of its own, so that its words are heard."""
    text, lay = values().get(code) or values()[code.partition(_SEPARATOR)[2]]
    return Symptom(id=code, text=text, lay=(lay,))


def _reworded(evidence: Evidence) -> str:
    thing = evidence.lay[0] if evidence.lay else evidence.text
    thing = thing.replace(" my ", " your ").replace("myself", "yourself")
    return f"Let me ask in another way. Have you had {thing}?"
