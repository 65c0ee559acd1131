"""How far each level of noise may bend the truth, in one place.

Memory may blur times and emotion may raise a severity, each by no more than its level; nothing may invent.
"""

import re

from bedside.cases.fact import AnyFact, Medication, SocialHistory
from bedside.cases.noise import NoiseProfile
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.times import recorded_days

__all__ = [
    "AMOUNT_FACTOR",
    "AMPLIFIED",
    "COUNT_FACTOR",
    "OFTEN_FACTOR",
    "PLAYED_DOWN",
    "RATE_FACTOR",
    "YEARS_OFF",
    "near",
    "stigmatised",
    "times_of",
    "year_of",
]

STIGMATISED_ASPECTS = frozenset(("alcohol", "tobacco", "drugs", "sexual"))
# By how much a remembered time may differ from the true one, as a factor, by level of memory noise. Ordinary
# rounding needs no noise.
_TIME_FACTOR = (1.2, 2.0, 4.0, 8.0, 15.0)
# "Yesterday" and "last night" name no count, so they agree with whatever a day more or less could be.
_VAGUE_FACTOR = 2.3
_DECADE = 10 * 365.0
YEARS_OFF = (0, 1, 2, 4, 8)
# Points on a scale of ten by which emotion may raise a recorded severity.
AMPLIFIED = (1, 2, 4, 10, 10)
# And those by which somebody may make less of it; people do, even without noise.
PLAYED_DOWN = (3, 4, 5, 6, 6)
# Of drinks and cigarettes, by level of memory noise.
AMOUNT_FACTOR = (1.7, 2.0, 2.5, 3.0, 4.0)
# Of the days on which somebody drinks or smokes: weekends for Sundays pass, most nights for Fridays do not.
OFTEN_FACTOR = (2.5, 3.5, 5.0, 7.0, 15.0)
# Of counts, by level of memory noise: five for four passes, ten does not.
COUNT_FACTOR = (1.35, 1.7, 2.5, 4.0, 6.0)
# Of how often a complaint comes.
RATE_FACTOR = (1.5, 2.0, 3.0, 5.0, 8.0)
_SHAMEFUL = Pattern(
    r"\b(?:incontinen\w*|leak\w* urine|urin\w+ leak\w*|bed-?wetting|soiling|"
    r"accidents|gaining weight|binge\w*|purg\w*|laxative\w*|herpes|gonorrh\w*|chlamydia|syphilis|hiv|aids|"
    r"sexual\w*|erectile\w*|impoten\w*|abortion|vasectomy|infertil\w*|"
    r"depress\w*|anxiety|bipolar|schizo\w*|suicid\w*|self-harm|bulimi\w*|anorexia nervosa|panic|ptsd|"
    r"addict\w*|dependence|withdrawal|alcohol\w*|"
    r"opioid use|abus\w*|genital\w*|vaginal\w*|menstrua\w*)\b"
)
_HARDSHIP = Pattern(
    r"\b(?:homeless|shelter|evict\w*|behind on rent|rent|debt|jail|prison|parole|probation|abus\w*|hits|"
    r"violen\w*|undocumented)\b"
)


def near(stated: float, true: float, noise: NoiseProfile, *, vague: bool = False) -> bool:
    """True when a stated time may pass for the true one, both in days."""
    factor = max(_TIME_FACTOR[noise.memory_recall], _VAGUE_FACTOR if vague else 0.0)
    low, high = sorted((max(stated, 1e-4), max(true, 1e-4)))
    return high / low <= factor + 1e-9 and high - low < _DECADE


def times_of(fact: AnyFact) -> tuple[float, ...]:
    """Return the times that an entry names, in days: "4 months ago, worse for 2 weeks" names two."""
    values = vars(fact)
    told = [values.get(name) for name in ("onset", "duration", "timing", "setting", "since", "when")]
    if isinstance(fact, Medication):
        told.append(fact.purpose)  # "birth control, begun 10 weeks ago"
    if isinstance(fact, SocialHistory):
        told.append(fact.text)  # "ran out of pills 5 days ago"
    return tuple(t for text in told if text for t in recorded_days(text))


def year_of(fact: AnyFact) -> int | None:
    """Return the year of a condition or procedure."""
    values = vars(fact)
    match = re.search(r"\b(?:19|20)\d\d\b", str(values.get("since") or values.get("when") or ""))
    return int(match.group()) if match else None


def stigmatised(fact: AnyFact, grounded: GroundedCase) -> bool:
    """True for facts that people hide for shame."""
    if isinstance(fact, SocialHistory):
        return fact.aspect in STIGMATISED_ASPECTS or bool(_HARDSHIP.search(fact.text.lower()))
    if fact.kind in ("condition", "symptom", "procedure") and _SHAMEFUL.search(fact.text.lower()):
        return True
    concept = grounded.facts[fact.id].concept
    return concept in grounded.lexicon and bool(grounded.lexicon[concept].relations.get("stigma"))
