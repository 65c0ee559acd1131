"""Claims about what was found and done: readings, results of tests, stays in hospital, devices.

A number or a result that the record does not hold is invented, however plausible it sounds.
"""

import re
from collections.abc import Iterator

from bedside.verifier.claim import Claim
from bedside.verifier.claims.extraction import claim_of
from bedside.verifier.claims.focus import Focus
from bedside.verifier.language.context import context_of, is_question
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence

__all__ = ["findings_of"]

_MEASURE = (
    r"(?:blood |heart )?(?:sugars?|glucose)|a1c|creatinine|psa|(?:blood )?pressure|temperature|temp|fever|"
    r"hemoglobin|potassium|sodium|cholesterol|heart rate|"
    r"pulse|oxygen|white (?:cell )?count|blood count|platelets|inr|troponin|peak flow|viral load|sed rate|esr|"
    r"crp|bmi|"
    r"(?:eye |lung )pressure|hematocrit|ferritin|tsh|it|mine|they"
)
_READING = Pattern(
    rf"\b({_MEASURE})\b(?:'s)? (?:\w+ ){{0,3}}?(?:was|is|were|(?<!out )of|got (?:up )?to|reached|"
    rf"came back(?: at)?|at|up to|hit|read|ran|running|over|usually|about|around)(?: about| around| like|"
    rf" at)? (\d+(?:\.\d+)?)(?: over (\d+))?\b(?! ?(?:mg|mcg|days?|weeks?|months?|years?|hours?|"
    rf"minutes?|times?|out of|/10|pills?|of them|or \d|to \d|:|am\b|pm\b|o'clock))",
    re.IGNORECASE,
)
_LEVEL = Pattern(
    r"\b(sugars?|glucose|a1c|cholesterol|thyroid|iron|potassium|sodium|kidney function|liver(?: tests| enzymes)?|"
    r"white count|count|"
    r"it|they|that) (?:was|were|is|are|came back|comes back|came|has been|had been|runs?|ran|running)(?: (?:a|"
    r"an|little|"
    r"bit|too|very|really|"
    r"slightly|kind of|all|always)){0,3} (high|low|abnormal|positive|elevated|irregular|off)\b",
    re.IGNORECASE,
)
_DEGREES = Pattern(
    r"(?<![\d.,/-])(9[5-9]|10[0-7])(?:\.(\d))?(?= ?(?:degrees|f\b|this morning|or so|last night|it got|at "
    r"home)|\W*$|[.,;]\s)(?! ?(?:mg|pounds|kg))",
    re.IGNORECASE,
)
_WEIGHT = Pattern(
    r"\b(?:lost|dropped|shed|down|gained|put on|loss of) (?:about |like |almost |maybe |another )?(\d+) "
    r"(?:pounds|lbs?|kilos?|kg)\b|\b(\d+) (?:pounds|lbs?|kilos?|kg)\b (?:gone|down|lighter|off|heavier|"
    r"less|of weight)",
    re.IGNORECASE,
)
_TIMES_A_NIGHT = Pattern(
    r"\b(?:up|wak\w+|pee\w*|urinat\w*|going|go)\b(?: \w+){0,4}? (\d+) times (?:a|per|each|every|at) night",
    re.IGNORECASE,
)
_HOT = Pattern(r"\b(?:fever|temp\w*|degrees|burning up)\b", re.IGNORECASE)
_TEST = (
    r"(?:chest |stress )?(?:x-?rays?|scans?|ct|cat scan|mri|ultrasound|ekg|ecg|echo|colonoscopy|endoscopy|"
    r"biopsy|scope|mammogram|pap smear|"
    r"(?:blood|urine|stress|lab|breathing) (?:tests?|work)|tests?|labs?|bloodwork|test results)"
)
_TESTED = Pattern(rf"\b(?:\w+ )?{_TEST}\b", re.IGNORECASE)
_SHOWED = Pattern(
    rf"\b({_TEST})\b(?: \w+){{0,4}}? (?:showed|shows|found|revealed|came back|was|were|is|picked up|"
    rf"turned up)(?: as| that)? (?!done|taken|last|in \d|on \d|there|\d{{4}})([a-z0-9 '-]{{3,60}})",
    re.IGNORECASE,
)
_FOUND = Pattern(
    r"\b(?:they|doctors?|he|she|it|the (?:doctor|clinic|lab)) (?:found|saw|picked up|discovered) (?!out|"
    r"me\b|it\b|that)((?:[a-z0-9'-]+ ?){1,8})",
    re.IGNORECASE,
)
_LONG = 20
_OF_SLEEP = Pattern(
    r"\b(?:sleep|sleeps|slept|sleeping)\b(?: \w+){0,5}?,? (\d+)(?: (?:or|to) (\d+))? hours\b|"
    r"\b(\d+) hours (?:of sleep|a night)\b",
    re.IGNORECASE,
)
_PREGNANT = Pattern(r"\b(\d{1,2}) weeks (?:pregnant|along)\b", re.IGNORECASE)
_FUTURE = Pattern(r"\b(?:will|going to|want|need|should|if|hope|whether|could|might|may)\b", re.IGNORECASE)
_HAVE = Pattern(
    r"\b(?:i have|i've got|i own|i use|i wear|i got|i carry|i used|have a|use a|wear a|with a|on a)\b",
    re.IGNORECASE,
)
_DEVICE = Pattern(
    r"\b(peak flow meters?|cpap|bipap|hearing aids?|walker|wheelchair|crutches|oxygen(?! (?:level|saturation|sensor))"
    r"(?: tank| machine| concentrator)?|insulin pump|"
    r"glucose meter|knee brace|back brace|epi-?pens?|nebulizer|catheter|pacemaker|stent|colostomy)\b",
    re.IGNORECASE,
)
_OWNS = Pattern(
    r"\b(?:i(?:'ve| have)?(?: got)?|i (?:use|wear|own|keep|carry)) (?:it|one|1|a machine|the machine|the mask|"
    r"mine)\b",
    re.IGNORECASE,
)
_VISIT = Pattern(
    r"\b((?:went|been|go(?:ne)?|rushed|taken|took me|brought me|sent me|landed|ended up|was|trips?|"
    r"visits?)(?: \w+){0,2} (?:to|in|at) (?:the |a )?(?:er\b|e\.r\.|emergency room|emergency "
    r"department|hospital|icu|intensive care|psych ward|urgent care)|"
    r"hospitali[sz]ed|admitted(?: to)?|in the (?:hospital|icu) (?:for|with|last|when|a|once|twice)|"
    r"ambulance|in the er\b|at the er\b)",
    re.IGNORECASE,
)
# "She nearly called the ambulance": nobody came.
_NEARLY = Pattern(
    r"\b(?:nearly|almost|about to|all set to|ready to|wanted (?:\w+ )?to|threatened to|offered to|"
    r"talk\w* (?:\w+ )?(?:out of|"
    r"into)|instead of|rather than|thought (?:about|of))\b[^,;]*$",
    re.IGNORECASE,
)
_TODAY = Pattern(r"\b(?:today|tonight|now|this morning|here|just now|right away|brought me in|so i)\b", re.IGNORECASE)


def findings_of(sentence: Sentence, focus: Focus) -> Iterator[Claim]:
    """Find claims about readings, results, stays in hospital and devices.

    Args:
        sentence: A sentence of the patient, numbers in digits.
        focus: What the question was about.

    Yields:
        Claims of kind ``reading``, ``result``, ``visit`` and ``device``.
    """
    body = sentence.text
    if is_question(body):
        return
    yield from _readings(sentence, focus)
    if not _FUTURE.search(body):
        shown = [
            (match, " ".join((*body[: match.start(1)].split()[-2:], match[1]))) for match in _SHOWED.finditer(body)
        ]
        for match, test in (*shown, *((match, "") for match in _FOUND.finditer(body))):
            found = match[match.lastindex or 0].strip()
            yield _claim("result", sentence, match.span(), {"found": found, "test": test})
        for level in _LEVEL.finditer(body):
            tests = [t.words for t in focus.named] + [m.group() for m in _TESTED.finditer(body[: level.start()])]
            pronoun = level[1].lower() in (*_PRONOUNS, "that")
            if not pronoun or tests:
                test = tests[-1] if pronoun else level[1]
                yield _claim("result", sentence, level.span(), {"found": level[2].lower(), "test": test})
        if (visit := _VISIT.search(body)) and not (_TODAY.search(body) or _NEARLY.search(body[: visit.start()])):
            yield _claim("visit", sentence, visit.span(), {})
    if (asked := _DEVICE.search(focus.spoken)) and sentence.number <= _ANSWERS and (own := _OWNS.search(body)):
        yield _claim("device", sentence, own.span(), {"device": asked[1].lower()})
    if _HAVE.search(body):
        for match in _DEVICE.finditer(body):
            yield _claim("device", sentence, match.span(), {"device": match[1].lower()})


def _claim(kind: str, sentence: Sentence, span: tuple[int, int], details: dict[str, str]) -> Claim:
    return claim_of(kind, kind, sentence, span, context_of(sentence.text, *span), details)


_PRONOUNS = ("it", "mine", "they")
_ANSWERS = 1
_POUNDS = Pattern(r"\b(\d+)(?: (?:more|whole|good))? (?:pounds?|lbs?|kilos?|kg)\b", re.IGNORECASE)
_CHANGED = Pattern(r"\b(?:down|lost|dropped|up|gained|put on) (?:about |like |maybe )?(\d+)\b", re.IGNORECASE)
_WEEKS = Pattern(r"^\W*(?:\w+ ){0,2}?(\d{1,2})\b(?! (?:months?|days?|years?))|\b(\d{1,2}) weeks\b", re.IGNORECASE)
_HOURS = Pattern(r"\b(\d+)(?: (?:or|to) (\d+))? hours?\b", re.IGNORECASE)


_TREATED = Pattern(r"\b(?:for|pills?|tablets?|medic\w+|meds?|take|taking)\b", re.IGNORECASE)
_ASKED_MEASURE = Pattern(
    r"\b(?:sugars?|glucose|a1c|creatinine|psa|blood pressure|hemoglobin|potassium|sodium|cholesterol|heart rate|"
    r"pulse|"
    r"oxygen level|saturation|platelets|inr|troponin|peak flow|viral load|bmi)\b",
    re.IGNORECASE,
)
# "Last month 380", "it was 2.4": no date, dose or length of time.
_VALUE = Pattern(
    r"(?<![\d.:/'-])(?!(?:19|20)\d\d\b)(\d+(?:\.\d+)?)(?: over (\d+))?\b"
    r"(?! ?(?:mg|mcg|units?|pills?|tablets?|times|x\b|days?|weeks?|months?|years?|hours?|minutes?|am\b|pm\b|o'clock|"
    r"of (?:them|those)))",
    re.IGNORECASE,
)


def _asked_readings(sentence: Sentence, focus: Focus) -> Iterator[Claim]:
    """Numbers whose measure stands in the question: "How far along are you?" "Thirty."."""
    if (
        not focus.topics & {"drugs", "when"}
        and not _TREATED.search(focus.spoken)
        and (measure := _ASKED_MEASURE.search(focus.spoken))
        and sentence.number == 0
        and (found := _VALUE.search(sentence.text))
    ):
        numbers = " ".join(g for g in found.groups() if g)
        yield _claim("reading", sentence, found.span(), {"numbers": numbers, "of": measure.group().lower()})
    for topic, pattern in (("weight", _POUNDS), ("weeks", _WEEKS), ("sleep", _HOURS)):
        if topic in focus.topics and (
            found := pattern.search(sentence.text) or (_CHANGED.search(sentence.text) if topic == "weight" else None)
        ):
            numbers = " ".join(g for g in found.groups() if g)
            yield _claim("reading", sentence, found.span(), {"numbers": numbers, "of": topic})


def _readings(sentence: Sentence, focus: Focus) -> Iterator[Claim]:
    body = sentence.text
    seen = False
    for match in _READING.finditer(body):
        bare = match[1].lower() in _PRONOUNS
        if bare and not focus.named and not focus.topics & {"fever"}:
            continue
        if (bare and float(match[2]) <= 10) or re.match(r"(?:19|20)\d\d$", match[2]):
            continue
        seen = True
        numbers = match[2] + (f" {match[3]}" if match[3] else "")
        yield _claim("reading", sentence, match.span(), {"numbers": numbers, "of": match[1].lower()})
    for pattern, of in (
        (_WEIGHT, "weight"), (_TIMES_A_NIGHT, "nights"), (_OF_SLEEP, "sleep"), (_PREGNANT, "weeks"),
    ):  # fmt: skip
        if found := pattern.search(body):
            number = next(g for g in found.groups() if g)
            yield _claim("reading", sentence, found.span(), {"numbers": number, "of": of})
    if sentence.number <= _ANSWERS:
        yield from _asked_readings(sentence, focus)
    hot = _HOT.search(body) or ("fever" in focus.topics and sentence.number == 0 and len(sentence.tokens) <= _LONG)
    if not seen and hot and (degrees := _DEGREES.search(body)):
        yield _claim("reading", sentence, degrees.span(), {"numbers": degrees.group(), "of": "temperature"})
