"""How much of a drug, by which way, how often and for how long: what a sentence states of these, against the plan."""

import re
from collections.abc import Iterator
from itertools import pairwise

from bedside.cases.fact import Medication
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import (
    Quantity,
    canonical_dose,
    canonical_frequency,
    canonical_route,
    days,
    find_quantities,
    same_route,
)
from bedside.verifier.teaching.cautions import VERBATIM
from bedside.verifier.teaching.moments import moment_missed
from bedside.verifier.teaching.phrases import Bag, coverage, phrase_of

__all__ = ["ENOUGH", "PAST_CARE", "read_details", "read_uncountable"]

PAST_CARE = Pattern(
    r"\b(?:given|gave you|received|got|was (?:given|started)|were (?:given|taking)|here|in the (?:ed|er|emergency|"
    r"hospital)|in ed|loading|on admission|before admission|home medications|used to|"
    r"before you came|were on|was on|p/w|presented|h/o|history of|advised|doses? of \d)\b",
    re.IGNORECASE,
)
"""Words of what was done in the past; a dose given in hospital is no instruction for home."""
# How often to measure, or when to be seen, is not how often to take.
_ELSEWHERE = Pattern(
    r"\b(?:check\w*|measur\w+|weigh\w*|test\w*|temperature|appointment|visit|follow[- ]?up|you(?:'ll| "
    r"will| are going to)? see|levels?|bowel movements?|stools?|photos?|photograph\w*|pictures?)\b",
    re.IGNORECASE,
)
_INTAKE = Pattern(
    r"\b(?:take|taking|use|using|inject|inhale|swallow|apply|give)\b(?! (?:your|his|her|the|a) (?:\w+ "
    r")?(?:temperature|pressure|pulse|weight|photo|picture))",
    re.IGNORECASE,
)
# A number that is a limit, a sum or the dose of old is no instruction to take that much.
_CEILING = Pattern(
    r"\b(?:more than|no more|maximum|max|(?<!go )(?<!goes )(?<!bump )(?<!move )up to|"
    r"as (?:much|many|high) as|at most|above|under(?! (?:the|your) (?:skin|tongue)\b)|below|"
    r"(?:goes|go|going|step(?:s|ped)?|reduced?|lower(?:ed)?|cut) (?:down )?by|"
    r"limit|ceiling|the (?:top|most)\b|exceed|in (?:a|24|one) (?:day|hours)|per 24|total|"
    r"from \d|instead of|went (?:up|down))\b",
    re.IGNORECASE,
)
_OF_OLD = Pattern(
    r"\b(?:used to|previous(?:ly)?|(?:it|dose|that) was|was \d|old dose|"
    r"(?<!hour )(?<!hours )(?<!minutes )before(?:,|:| it| that|\W*$)|you took|"
    r"you(?:'ve| have) been (?:taking|on))",
    re.IGNORECASE,
)
# "A week of it does the job", "every other day would be plenty".
ENOUGH = Pattern(
    r"\b(?:would|will|is|are|should|does|do)\b (?:\w+ )?(?:be )?(?:the (?:job|trick)|enough|plenty|do(?: it)?|fine|"
    r"sufficient|"
    r"all you need)\b|\b(?:after that|then) you(?:'re| are| will be) (?:done|finished|through)\b",
    re.IGNORECASE,
)
_SPELL = Pattern(r"\b(\d+|an?|the rest of the) ?(day|week|month|year)s?\b", re.IGNORECASE)
_ONCE_BY_WHEN = Pattern(
    r"\b(?:bedtime|at night|every night|in the morning|every morning|with breakfast|in the evening|before "
    r"bed|with dinner|with supper|before breakfast)\b",
    re.IGNORECASE,
)
# "On the skin", "in the ear": where a drug goes, but after "for the rash" where the trouble is.
_AT_A_PLACE = frozenset(("topical", "ophthalmic", "otic", "nasal"))
_PURPOSE_BEFORE = Pattern(r"\bfor (?!\d|about\b|at least\b|an? (?:day|week|month)\b)[^,.;:]{3,60}$", re.IGNORECASE)
_OR = Pattern(r"^\W*(?:a day|daily)?\W*(?:or|and/or|/)\W*(?:maybe|even|take|just)?\W*$", re.IGNORECASE)
_STAYS = Pattern(
    r"\b(?:stays?|remains?|still|unchanged|same dose|same as before|as before|like before|go(?:es)? back to|back to|"
    r"keep (?:taking|on|it|your)|continue)\b(?![^.;]*\b(?:from|now|instead)\b)",
    re.IGNORECASE,
)
_ONLY_WHEN_FELT = Pattern(
    r"\bonly (?:\w+ )?(?:for )?(?:when|if|on days (?:when|that)|as) (?:you(?:'re| are)? ?(?:get|have|feel|need|notice|"
    r"in|short|sick|hurting|dizzy|bleeding|want)|needed|it (?:hurts|bothers|flares|gets)|symptoms|the pain)\b",
    re.IGNORECASE,
)
_NOW_AND_THEN = Pattern(
    r"\b(?:save|reserve) (?:it|that 1|them|this 1|the \w+) ?for\b|\bonly (?:on|for) (?:the )?(?:bad|rough|tough|"
    r"weekends?|nights|"
    r"days|mornings)\b|\b(?:every )?now and (?:then|again)\b|\bonce in a while\b|\boff and on\b|"
    r"\bon (?:the )?(?:bad|rough|good) days\b|\bleave (?:it|them|that 1) out when(?:ever)? you (?:go|travel|drink|"
    r"party|feel (?:fine|good|ok))\b|"
    r"\bwhen(?:ever)? you (?:think of|remember|feel like) (?:it)?",
    re.IGNORECASE,
)
# "At least 5 mg", "5 mg or as much as you like": an amount without an upper end is no dose.
_FLOOR = re.compile(
    r"\b(?:at least|a minimum of|(?:no|not) less than|upwards of|as much as you like of)\W*$", re.IGNORECASE
)
_OPEN_END = re.compile(
    r"^\W*(?:(?:or|and) (?:more|up|above|so much more|however much|how ?(?:ever)? (?:much|many|often)|whatever|"
    r"as (?:much|many|often) as|when(?:ever)? you (?:like|want|please|feel like))\b|give or take|more or less|"
    r"(?:at a|as a) minimum|plus or minus)",
    re.IGNORECASE,
)
_NO_AMOUNT = "no fixed amount"
_SOME_TIMES = Pattern(r"\b(?:once|twice|\d+(?: times?)?) or (?:maybe |even )?(?:once|twice|\d+ times)\b", re.IGNORECASE)
# "Just the one pill, first thing in the morning" leaves no second one.
_ONLY_ONE = Pattern(
    r"\b(?:just|only)\W+(?:the |a )?(?:one|1|single)\b(?: (?:pill|tablet|capsule|dose|time|shot|puff|at|in))?",
    re.IGNORECASE,
)
_WHEN_NEEDED = Pattern(
    r"\b(?:as needed|prn|if needed|when (?:you|it(?:'s| is)) need\w*|if you need|only (?:if|when)|"
    r"when you (?:have|feel|get)|(?:if|when(?:ever)?) (?:you|your|the|it|there|something|anything)|"
    r"only for|for (?:the worst|severe|bad|really bad)|only when|when it's bad)\b",
    re.IGNORECASE,
)
_TAKES = re.compile(r"\b(?:tak(?:e|ing)|swallow|inject)\b", re.IGNORECASE)
_GOES_FURTHER = Pattern(
    r"\b(?:then|until|at least|first|after that|life|another|not|check\w*|weigh\w*|rest of)\b|n't\b", re.IGNORECASE
)
_BARE_NUMBER = re.compile(
    r"(?:,? (?:in between|also|too|then|for pain|for the \w+))?,? (?:is |at )?(\d+(?:\.\d+)?)"
    r"(?=[,;.]|$| (?:by|every|once|twice|\d times|each|at|in the|with|before|after|under|"
    r"daily|a day))"
)


def read_details(
    fact: Medication, part: str, text: str, quantities: tuple[Quantity, ...]
) -> Iterator[tuple[str, bool, str]]:
    """Read dose, route, rate and length of a drug.

    Args:
        fact: The drug.
        part: What of a sentence is about it.
        text: The sentence.
        quantities: Those that are of this drug.

    Yields:
        Item id, whether it agrees with the plan, and what was said if not.
    """
    past = bool(PAST_CARE.search(text))
    if fact.dose:
        yield from _read_dose(fact, fact.dose, part, text, (*quantities, *_counted(fact, part, quantities)))
    if fact.route and (true_route := canonical_route(fact.route)):
        yield from _compare(
            f"{fact.id}.route", true_route, _routes(true_route, text, quantities), set(), spoken_of=past
        )
    if fact.frequency and _is_open_ended(text, quantities, "frequency"):
        yield f"{fact.id}.frequency", False, _NO_AMOUNT
    elif fact.frequency and (true_frequency := canonical_frequency(fact.frequency)):
        yield from _read_frequency(fact, true_frequency, part, text, quantities)
    if ENOUGH.search(text) and (spell := _SPELL.search(part)) and not _values(quantities, "frequency"):
        if not fact.duration:
            yield fact.id, False, f"told to stop after {spell[0]}"
        elif (true_days := days(fact.duration)) and (said := days(spell[0])) and said < 0.9 * true_days:
            yield f"{fact.id}.duration", False, f"for {said:g} days"
    elif not fact.duration and not past and (cut := _cut_short(fact, part, quantities)):
        yield fact.id, False, f"told to stop after {cut:g} days"
    elif fact.duration and (true_days := days(fact.duration)):
        spans = [float(q.value) for q in quantities if q.kind == "duration"]
        if any(abs(s - true_days) < 0.1 * true_days for s in spans):
            yield f"{fact.id}.duration", True, ""
        elif spans and min(spans) >= 1 and not past and (_INTAKE.search(text) or not _ELSEWHERE.search(text)):
            yield f"{fact.id}.duration", False, f"for {spans[0]:g} days"


def _read_dose(
    fact: Medication, dose: str, part: str, text: str, quantities: tuple[Quantity, ...]
) -> Iterator[tuple[str, bool, str]]:
    item, true, bare = f"{fact.id}.dose", canonical_dose(dose), _bare_dose(fact, part)
    if _is_open_ended(text, quantities, "dose"):
        yield item, False, _NO_AMOUNT
    elif bare and (bare == true or not any(q.kind == "dose" for q in quantities)):
        yield item, bare == true, bare
    elif true:
        yield from _compare(
            item,
            true,
            _comparable_doses(true, quantities),
            _previous(fact, text),
            spoken_of=bool(PAST_CARE.search(text) or _CEILING.search(text) or _OF_OLD.search(text)),
            offered=_offered(text, quantities, "dose") if true in _values(quantities, "dose") else (),
        )


def _is_open_ended(text: str, quantities: tuple[Quantity, ...], kind: str) -> bool:
    """True when an amount is only where it begins, or may be anything: "at least 5 mg", "5 mg or as you like"."""
    return any(
        (kind == "dose" and _FLOOR.search(text[: q.start])) or _OPEN_END.match(text[q.end :])
        for q in quantities
        if q.kind == kind
    )


def _counted(fact: Medication, part: str, quantities: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
    """Return the amount of "one lidocaine patch", where the name of the drug stands within it."""
    if any(q.kind == "dose" for q in quantities):
        return ()
    low = part.lower()
    for name in (fact.text, *fact.lay):
        at = low.find(f" {name.lower()} ")
        if at > 0 and low[at - 1].isdigit():
            apart = low[:at] + low[at + len(name) + 1 :]
            return tuple(q for q in find_quantities(apart) if q.kind == "dose" and q.start < at < q.end)
    return ()


def _cut_short(fact: Medication, part: str, quantities: tuple[Quantity, ...]) -> float:
    """Return the days after which a sentence ends what the plan gives without an end; 0 if it does not."""
    spans = [float(q.value) for q in quantities if q.kind == "duration" and float(q.value) >= 1]
    clauses = (clause for clause in re.split(r"[,;:]", part) if _TAKES.search(clause))
    timed = any(q.kind == "duration" for clause in clauses for q in find_quantities(clause))
    if not (spans and timed) or "needed" in (fact.frequency or "") or _GOES_FURTHER.search(part):
        return 0.0
    return spans[0]


def _bare_dose(fact: Medication, part: str) -> str:
    """Return the dose of "furosemide 20, in the morning", in the plan's unit; empty if no number follows the name."""
    unit = (canonical_dose(fact.dose or "") or " ").rsplit(" ", 1)[1]
    if unit not in ("mg", "mcg"):
        return ""
    for name in (fact.text, *fact.lay):
        start = part.lower().find(name.lower())
        if start >= 0 and (number := _BARE_NUMBER.match(part[start + len(name) :])):
            return f"{float(number[1]):g} {unit}"
    return ""


def read_uncountable(fact: Medication, bag: Bag) -> Iterator[tuple[str, bool, str]]:
    """Details that no number holds: "a thin layer", "at the first sign of a severe reaction"."""
    for name, measure in (("dose", canonical_dose), ("frequency", canonical_frequency), ("duration", days)):
        detail = getattr(fact, name)
        if detail and measure(detail) is None and coverage(phrase_of(detail), bag) >= VERBATIM:
            yield f"{fact.id}.{name}", True, ""


def _values(quantities: tuple[Quantity, ...], kind: str) -> list[str]:
    return [q.value for q in quantities if q.kind == kind]


def _comparable_doses(true: str, quantities: tuple[Quantity, ...]) -> list[str]:
    unit = true.rsplit(" ", 1)[1]
    found = []
    for value in _values(quantities, "dose"):
        amount, its_unit = value.rsplit(" ", 1)
        if its_unit == unit:
            found.append(value)
        elif {unit, its_unit} == {"mg", "mcg"} and "-" not in amount:
            factor = 1000.0 if unit == "mcg" else 0.001
            found.append(f"{float(amount) * factor:g} {unit}")
        elif unit == "units" and its_unit in ("mg", "mcg", "ml"):
            found.append(value)  # insulin is counted in units only
    return found


def _routes(true: str, text: str, quantities: tuple[Quantity, ...]) -> list[str]:
    """Routes stated, those that agree with the plan's in its own word; "for the rash on the skin" is where it hurts."""
    told = [q for q in quantities if q.kind == "route"]
    own = [q.value for q in told if q.value not in _AT_A_PLACE or not _PURPOSE_BEFORE.search(text[: q.start])]
    return [true if same_route(v, true) else v for v in own]


def _offered(text: str, quantities: tuple[Quantity, ...], kind: str) -> tuple[str, ...]:
    """Return the values between which a sentence leaves the choice: "40 or 81 or 325 mg"."""
    own = [q for q in quantities if q.kind == kind]
    whole = [q for q in own if not any(o is not q and o.start <= q.start and q.end <= o.end for o in own)]
    found = [(one.value, other.value) for one, other in pairwise(whole) if _OR.match(text[one.end : other.start])]
    return tuple(value for pair in found for value in pair)


def _previous(fact: Medication, text: str) -> set[str]:
    """Return the doses of old, where a sentence may speak of them as such: "up from 5 mg", "it was 5 mg"."""
    if _STAYS.search(text):
        return set()
    return {q.value for q in find_quantities((fact.previous or "").lower()) if q.kind == "dose"}


def _compare(
    item: str, true: str, stated: list[str], excused: set[str], *, spoken_of: bool, offered: tuple[str, ...] = ()
) -> Iterator[tuple[str, bool, str]]:
    if true in offered and (other := next((value for value in offered if value != true), "")):
        yield item, False, other
    elif true in stated:
        yield item, True, ""
    elif not spoken_of and (wrong := [s for s in stated if s not in excused]):
        yield item, False, wrong[0]


def _read_frequency(
    fact: Medication, true: str, part: str, text: str, quantities: tuple[Quantity, ...]
) -> Iterator[tuple[str, bool, str]]:
    item = f"{fact.id}.frequency"
    stated = _values(quantities, "frequency")
    needed = " as needed" in f" {true}"
    rate = true.split("/day")[0] if "/day" in true else ""
    if not rate:
        if _WHEN_NEEDED.search(text):
            yield item, True, ""
        return
    past = bool(PAST_CARE.search(text) or _OF_OLD.search(text))
    if not (needed or past) and (_NOW_AND_THEN.search(part) or (not stated and _ONLY_WHEN_FELT.search(part))):
        yield item, False, "only as needed"
        return
    as_often = rate in [s.split("/day")[0] for s in stated] if stated else bool(_TAKES.search(part))
    if as_often and not (needed or past) and (moment := moment_missed(fact, part)):
        yield item, False, moment
        return
    if not stated:
        if not needed and _ONCE_BY_WHEN.search(part) and (rate == "1" or (_ONLY_ONE.search(part) and not past)):
            yield item, rate == "1", "" if rate == "1" else "1 times a day"
        return
    yield from _read_rate(fact, rate, text, quantities, stated, needed=needed, past=past)


def _read_rate(
    fact: Medication,
    rate: str,
    text: str,
    quantities: tuple[Quantity, ...],
    stated: list[str],
    *,
    needed: bool,
    past: bool,
) -> Iterator[tuple[str, bool, str]]:
    """Compare how many times a day a sentence gives a drug, and whether only as needed, with the plan."""
    item = f"{fact.id}.frequency"
    rates = [s.split("/day")[0] for s in stated]
    offered = [value.split("/day")[0] for value in _offered(text, quantities, "frequency")]
    if _SOME_TIMES.search(text) and not re.search(r"\bor\b", fact.frequency or ""):
        yield item, False, "whichever number of times"
    elif rate in offered and (other := next((value for value in offered if value != rate), "")):
        yield item, False, f"{other} times a day"
    elif rate in rates:
        # "Only when you need it" for a drug to be taken regularly is a wrong instruction.
        careless = not needed and all(s.endswith("as needed") for s in stated)
        if needed and not any(s.endswith("as needed") for s in stated) and not _WHEN_NEEDED.search(text):
            return
        if not (careless and past):
            yield item, not careless, "only as needed" if careless else ""
    elif not (past or _CEILING.search(text)) and (_INTAKE.search(text) or not _ELSEWHERE.search(text)):
        yield item, False, f"{rates[0]} times a day"
