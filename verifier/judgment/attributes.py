"""Whether what is told of a complaint agrees with its entry: when, how long, how often, which side, how bad."""

import re
from collections.abc import Mapping

from bedside.cases.fact import AnyFact, Symptom
from bedside.cases.noise import NoiseProfile
from bedside.verifier.claim import Claim
from bedside.verifier.claims.details import side_in
from bedside.verifier.judgment.ruling import words_of
from bedside.verifier.judgment.tolerance import AMPLIFIED, COUNT_FACTOR, RATE_FACTOR, YEARS_OFF, near, times_of, year_of
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import canonical_frequency, digits

__all__ = ["wrong_detail", "wrong_side", "wrong_time"]

_ATTACK = Pattern(r"\b(?:attack|flare|episode|exacerbation|crisis|bout|hospital|admi)", re.IGNORECASE)
# Only a record that counts hours or minutes can tell how long "half an hour" is wrong.
_SHORT_SPELL = Pattern(r"\b(?:seconds?|minutes?|hours?)\b", re.IGNORECASE)
_DAILY = 1.0
_OFTEN = 0.7
_LATEST = 2030
"""No encounter is later than this, so what began 25 years before it began in 2005 at the latest."""
_HOURS = Pattern(r"\b(morning|afternoon|evening|night|waking)")
_ALL_DAY = Pattern(r"\b(?:constant|all day|day and night|all the time|not only|and)\b")
_SAME_HOUR = {
    "morning": {"morning", "waking"},
    "afternoon": {"afternoon", "evening"},
    "evening": {"evening", "night", "afternoon"},
    "night": {"night", "evening", "waking"},
}
_YEAR = 365.0


def wrong_detail(claim: Claim, fact: AnyFact, noise: NoiseProfile) -> str:
    """Say which stated detail disagrees with the fact; empty when none does."""
    details = claim.attributes
    true, allowed = year_of(fact), YEARS_OFF[noise.memory_recall]
    if "event" in details and not _ATTACK.search(words_of(fact)):
        return "the record tells of no such attack"
    if "year" in details and true is not None and abs(int(details["year"]) - true) > allowed:
        return f"the record says {true}, not {details['year']}"
    if true is not None and (problem := _wrong_years(details, true, allowed)):
        return problem
    if details.get("side") in ("left", "right") and (problem := wrong_side(details["side"], fact)):
        return problem
    if "ago" in details and (problem := wrong_time(float(details["ago"]), fact, noise, vague="vague" in details)):
        return problem
    if not isinstance(fact, Symptom):
        return ""
    lasts = float(details.get("duration", 0))
    if (lasts >= 1 or (lasts and _SHORT_SPELL.search(words_of(fact)))) and (problem := wrong_time(lasts, fact, noise)):
        return problem
    stated = details.get("severity") or (details.get("severity_word") if details.get("severity_word") == "9" else None)
    if (
        stated
        and fact.severity is not None
        and min(10.0, float(stated)) - fact.severity > AMPLIFIED[noise.emotional_state]
    ):
        return f"the record says {fact.severity} out of 10"
    return (
        _wrong_frequency(details.get("frequency"), fact, noise)
        or _wrong_count(details.get("count"), fact, noise)
        or _wrong_hour(details.get("hour"), fact)
    )


def _wrong_years(details: Mapping[str, str], true: int, allowed: int) -> str:
    """Say so when an illness cannot be as old as is said, whenever the encounter is."""
    stated = details.get("duration") or details.get("ago")
    if stated is None or float(stated) < _YEAR:
        return ""
    latest = _LATEST - float(stated) / _YEAR
    return f"the record says since {true}" if true > latest + allowed + 1 else ""


def wrong_side(side: str, fact: AnyFact) -> str:
    """Say which side the fact gives instead of the stated one; empty when they agree or it gives none."""
    words = " ".join(
        filter(
            None,
            (
                fact.text,
                *fact.lay,
                getattr(fact, "site", None),
                getattr(fact, "result", None),
                getattr(fact, "radiation", None),
            ),
        )
    )
    recorded = side_in(words)
    if recorded is None or recorded == side or side in words.lower().split():
        return ""
    return "" if recorded == "both" else f"the record says {recorded}"


def _wrong_frequency(stated: str | None, fact: Symptom, noise: NoiseProfile) -> str:
    if stated is None or "/" not in stated:
        return ""
    told = " | ".join(filter(None, (fact.timing, fact.character, fact.text, *fact.lay)))
    recorded = canonical_frequency(digits(told))
    rate = float(stated.split("/")[0])
    if recorded is None or "/" not in recorded:
        unsaid = rate != _DAILY and not fact.timing and recorded is None
        return "the record does not say how often" if unsaid else ""
    low, high = sorted((rate, float(recorded.split("/")[0])))
    factor = RATE_FACTOR[noise.memory_recall]
    # Once a day is said of whatever is there every day.
    daily = rate == _DAILY and float(recorded.split("/")[0]) >= _OFTEN
    return f"the record says {fact.timing or fact.text}" if not daily and low and high / low > factor else ""


def _wrong_count(stated: str | None, fact: Symptom, noise: NoiseProfile) -> str:
    if stated is None:
        return ""
    told = digits(" | ".join(filter(None, (fact.timing, fact.character, fact.duration, fact.text, *fact.lay))))
    counts = [float(m[1]) for m in re.finditer(r"\b(\d+) (?:times|spells|episodes|attacks|bouts)\b", told)]
    factor = COUNT_FACTOR[noise.memory_recall]
    if not counts or any(c / factor <= float(stated) <= c * factor for c in counts):
        return ""
    return f"the record says {fact.timing or fact.text}"


def _wrong_hour(stated: str | None, fact: Symptom) -> str:
    told = (fact.timing or "").lower()
    recorded = set(_HOURS.findall(told))
    if stated is None or not recorded or _ALL_DAY.search(told):
        return ""
    return "" if recorded & _SAME_HOUR.get(stated, {stated}) else f"the record says {fact.timing}"


def wrong_time(stated: float, fact: AnyFact, noise: NoiseProfile, *, vague: bool = False) -> str:
    """Say what the record gives instead of a stated time; empty when they agree or it gives none."""
    times = times_of(fact)
    if not times or any(near(stated, true, noise, vague=vague) for true in times):
        return ""
    told = (getattr(fact, name, None) for name in ("onset", "duration", "timing", "when", "since"))
    return f"the record says {next(filter(None, told), '')}"
