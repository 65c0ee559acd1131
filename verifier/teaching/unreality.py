"""What takes a clause out of this patient's life: a time, a place or a condition that cannot be.

"In a dream you take", "if I were a pirate", "when you turn 150", "the day the sun rises in the west": what stands
before a clause, or under "if" and "when", can be about the plan, the body, the people around and the house. What has no
part in any of these, or is on no calendar, takes the order with it.
"""

from bedside.verifier.language.text import stem
from bedside.verifier.teaching.clause import ADVERBS, DEEDS, DETERMINERS
from bedside.verifier.teaching.subject import (
    OF_THE_PLAN,
    PEOPLE,
    is_of_plan,
    medical_stems,
    mentions_medicine,
    subject_of,
)

__all__ = ["HEDGES", "is_elsewhere", "is_impossible_condition", "is_mocked"]

_ELSEWHERE = frozenset(
    """universe world planet dream dreams story movie film book novel game song poem mars moon heaven theory fiction
    myth childhood television tv joke play century centuries
    drama sitcom opera cartoon musical advertisement commercial afterlife""".split()
)
_DREAMT = frozenset("child kid baby boy girl nobody".split())
HEDGES = frozenset("maybe perhaps possibly allegedly supposedly theoretically hypothetically".split())
_CONDITIONS = frozenset("if when once whenever unless".split())
_CASES = _CONDITIONS | {"after", "until"}
_ENDED = frozenset("die dead died buried".split())
_LIVED = frozenset(map(stem, DEEDS)) | frozenset(
    map(
        stem,
        """forget miss need want feel run wake sleep travel worry wonder notice hear think happen work help change begin
        end lose gain hurt ache itch swell faint fall climb fly shave shop phone reach arrive move live crush
        switch refill rain snow pay cost afford bother trouble hard unsure ready able sure possible alone well better
        worse good bad okay sick ill tired sore hot cold dry wet thirsty hungry full empty clear cloudy dark high low
        less more everything fade understand like seem look pass ease settle calm worsen improve stay grow
        heal close open burn leak break is are was has have had do does did can could will would should may
        must be""".split(),
    )
)
"""What happens in the days after a hospital stay, and how somebody is then."""
_DATES = frozenset("day moment minute hour night year".split())
"""What stands for "when", as in "the day the sun rises in the west"."""

_EVERYDAY = frozenset(
    """bottle box package mail card bag alarm clock phone weather heat cold summer winter holiday holidays weekend trip
    flight plane travel power water store pharmacy school shop work job bus car truck driver house room bathroom toilet
    bed chair stairs shower bath kitchen fridge door light lights street air season roads scale cuff meter thermometer
    monitor machine battery needle pen strip strips line mark clinic hospital insurance money cost price answer question
    others other rest same last first next second new old one two three whole""".split()
)
"""What else a condition of daily life can be about."""

_AGE = 120
_YEARS = range(1950, 2200)
_AGING = frozenset("turn turns turned reach live are be".split())
_SUPPOSED = frozenset("i you we it they there only".split())
_AFTER_CONDITION = frozenset(
    """needed possible necessary so any anything anyone someone something nothing not only and or to at in on the a an
    your my our his her their this that these those you we i it they he she there able both all either two one every
    each more asked told possible in awake alone more swelling at by for with taken""".split()
)


def is_elsewhere(opening: tuple[str, ...]) -> bool:
    """True for what stands before a clause and takes it out of this patient's life: "by no means", "in a dream"."""
    if not opening:
        return False
    held = frozenset(opening)
    if not held.isdisjoint(HEDGES) or not held.isdisjoint(_ELSEWHERE):
        return True
    if opening[0] in ("had", "were") or opening[:2] == ("some", "other") or _is_no_case(opening):
        return True
    if not held.isdisjoint(("by", "on", "at", "under", "no")) and not held.isdisjoint(("no", "not", "never")):
        return held.isdisjoint(("matter", "later", "longer", "less", "more", "doubt", "if", "when", "because", "since"))
    if opening[0] == "as" and not held.isdisjoint(_DREAMT):
        return True
    if opening[0] == "like" and len(opening) > 1:
        return not any(is_of_plan(word) or word in _AFTER_CONDITION | _EVERYDAY | ADVERBS for word in opening[1:])
    if opening[0] == "according":
        return subject_of(tuple(word for word in opening[2:] if word != ",")) not in ("care", "patient", "thing")
    return False


def _is_no_case(opening: tuple[str, ...]) -> bool:
    """True for "if you win the lottery,": nothing in the condition is of the plan, the body or the days to come."""
    first = 1 if opening[0] == "only" else 0
    if opening[first : first + 1] == () or opening[first] not in _CASES:
        return False
    case = opening[first + 1 : opening.index(",") if "," in opening[first:] else None]
    if not _ENDED.isdisjoint(case):
        return True
    return len(case) > 1 and not (_is_near(case) or any(stem(word) in _LIVED for word in case))


def is_impossible_condition(words: tuple[str, ...]) -> bool:
    """True for "if I were", "once hell freezes": contrary to fact, or of things that have no part in the plan."""
    if words[:2] == ("were", "you") or _is_on_no_calendar(words):
        return True
    if words[:1] == ("the",) and words[1:2] and words[1] in _DATES and words[2:3] and words[2] in DETERMINERS:
        return not (_is_near(words[3:6]) or mentions_medicine(" ".join(words[3:6])))
    for at, word in enumerate(words[:-2]):
        if word not in _CONDITIONS:
            continue
        after, then = words[at + 1], words[at + 2]
        if word == "once" and at and words[at - 1] != ",":
            continue  # "once a day"
        if word == "if" and (
            (after in _SUPPOSED and then in ("were", "had", "was", "you"))
            or not {"could", "were"}.isdisjoint(words[at + 2 : at + 4])
        ):
            return True
        if not (after in ADVERBS or after.endswith(("ing", "ed", "ly")) or _may_happen(after, then)):
            return True
        if after in ("the", "a", "an") and not (
            _is_near(words[at + 2 : at + 6]) or any(stem(noun) in medical_stems() for noun in words[at + 2 : at + 5])
        ):
            return True
        if after == "you" and _becomes_a_stranger(words[at + 2 :]):
            return True
    return False


def is_mocked(subject: tuple[str, ...]) -> bool:
    """True for "my foot you should", "the hell you need": what stands before "you" has no part in the plan."""
    lead = subject[: subject.index("you")] if "you" in subject else ()
    if lead[:1] == ("my",):
        return OF_THE_PLAN.isdisjoint(lead)
    return lead[:1] in (("the",), ("a",)) and not _is_near(lead[1:])


def _is_on_no_calendar(words: tuple[str, ...]) -> bool:
    """True for "when you turn 150", "in the year 3000", "on the 31st of February"."""
    numbers = [(at, int(word)) for at, word in enumerate(words) if word.isdigit() and len(word) < 6]
    if "february" in words and any(number in (30, 31) for _, number in numbers):
        return True
    return any(
        (words[at - 1] == "year" and number not in _YEARS)
        or (number > _AGE and not _AGING.isdisjoint(words[max(at - 3, 0) : at]) and words[at - 1] in (*_AGING, "to"))
        for at, number in numbers
        if at
    ) and not {"you", "your"}.isdisjoint(words)


def _is_near(words: tuple[str, ...]) -> bool:
    """True when one of these words is of the plan, of the body, or of the people and things around a patient."""
    return any(
        word in _EVERYDAY or word in PEOPLE or word in DEEDS or word in ADVERBS or word[0].isdigit() or is_of_plan(word)
        for word in words
    )


def _becomes_a_stranger(words: tuple[str, ...]) -> bool:
    """True for "become the pope": what no patient of ours will be."""
    for at, word in enumerate(words[:3]):
        if word in ("become", "became") and words[at + 1 : at + 2] and words[at + 1] in DETERMINERS:
            return not _is_near(words[at + 2 : at + 4])
    return False


def _may_happen(word: str, then: str) -> bool:
    """True for what a condition of the plan can be about."""
    return (
        word in _AFTER_CONDITION
        or word in DEEDS
        or word in OF_THE_PLAN
        or not word.isalpha()
        or stem(word) in medical_stems()
        or mentions_medicine(f"{word} {then}")
    )
