"""What a noise profile lets a patient bend, in words for a model that judges.

The rules work with the tables of :mod:`bedside.verifier.judgment.tolerance`; a model is told the same limits, so
that two engines do not hold a patient to different laws.
"""

from bedside.cases.noise import NoiseProfile
from bedside.verifier.judgment.tolerance import AMOUNT_FACTOR, AMPLIFIED, YEARS_OFF

__all__ = ["allowances"]

_TIMES = (
    "times and durations must agree with the record, apart from rounding",
    "hedged or approximate times and durations may be off by a little",
    "vague times and durations may be off by weeks where the record counts weeks",
    "times and durations may be badly confused, but not by decades",
    "times and durations may be quite wrong, but not by decades",
)
_WORDING = "health literacy, communication style and cognitive processing change wording and order, never a fact"


def allowances(noise: NoiseProfile) -> list[str]:
    """Return what is permitted and what is not, one sentence each.

    Args:
        noise: The patient's levels.
    """
    memory = noise.memory_recall
    return [
        f"memory: {_TIMES[memory]}; {_years(memory)}; amounts of drink and cigarettes by a factor of "
        f"{AMOUNT_FACTOR[memory]:g} at most; nothing may be invented for want of memory",
        f"emotion: {_severity(noise.emotional_state)}; a symptom that is not recorded stays invented",
        f"shame: {_hiding(noise.social_cultural)}",
        _WORDING,
    ]


def _years(level: int) -> str:
    return f"years may be off by {YEARS_OFF[level]}" if YEARS_OFF[level] else "years must be right"


def _severity(level: int) -> str:
    if not level:
        return "severity must agree with the record, give or take one point of ten"
    return f"the severity of a recorded symptom may be told up to {AMPLIFIED[level]} points of ten too high"


def _hiding(level: int) -> str:
    if not level:
        return "no recorded fact may be denied"
    return (
        "recorded facts about alcohol, tobacco, drugs, sexual and reproductive health, mental health and self-harm, "
        "continence, violence at home, money, housing and law may be denied, played down or kept back (unverifiable); "
        "to deny any other recorded fact, or to invent something in its place, is fabricated"
    )
