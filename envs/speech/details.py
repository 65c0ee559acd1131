"""The details of a symptom in words: when, where, what like, how bad, what changes it."""

import re
from collections.abc import Callable

from bedside.cases.fact import Symptom
from bedside.envs.speech.grammar import clause, first_person, listed, lower_first, sentence, with_article
from bedside.envs.speech.names import place
from bedside.envs.speech.plan import Say
from bedside.envs.speech.times import since, span, when, words
from bedside.envs.speech.voice import Voice

__all__ = ["detail"]

_PLACED = (
    "the ",
    "my ",
    "both ",
    "all ",
    "on ",
    "in ",
    "under ",
    "behind ",
    "between ",
    "around ",
    "one ",
    "from ",
    "across ",
    "below ",
    "above ",
    "over ",
    "inside ",
)
_GOING = (
    "to ",
    "into ",
    "down ",
    "up ",
    "the ",
    "through ",
    "around ",
    "from ",
    "my ",
    "toward",
    "along",
    "both ",
    "across",
    "straight ",
)
_STATES = (
    "constant",
    "nearly",
    "gone",
    "healed",
    "now",
    "intermittent",
    "worse",
    "worst",
    "getting",
    "steady",
    "continuous",
    "persistent",
)
_MOST_WORDS = 14
_PLACED_IN = re.compile(r"(?:pain|a rash|swelling|soreness) (?:(?:in|on|of) )?((?:the|under|both|my) .+)$")
_PLAINER = {
    "diffuse": "kind of spread out",
    "fairly well localized": "pretty much in one place",
    "well localized": "all in one place",
    "tender": "sore to the touch",
}
"""Words of records that nobody says of oneself."""

_VERB = re.compile(r"(?:comes?|came|goes|gets|starts?|started|began|stopped|wakes?|woke|soaks|spreads|follows|lasts)\b")
_OFTEN = re.compile(
    r"(?:every|most|all|day|on|at|in|three|two|several|once in|only|with|during|after|when|almost every)\b"
)
_TIMES = re.compile(r"(?:once|twice|one time|(?:two|three|four|five|six|\d+|several) times)\b(?! (?:a|an|per|every) )")
_THING = re.compile(
    r"\b(?:ache|aching|pain|pressure|needles|fluttering|fluid|blood|sputum|itching|burning|stool|feeling|weight|clots|"
    r"chill|chills|pounds|skin|cough|roller coaster)\b"
)
_SPAN = re.compile(r"(?:minutes?|hours?|days?|weeks?|months?|years?)$")
_CHANGED = re.compile(r"([a-z -]+) at first, (?:and )?(?:now|then) ([a-z -]+)$")
_ADJECTIVES = re.compile(r"[\w-]+(?:, [\w -]{1,24}){1,3}$")


def detail(say: Say, voice: Voice) -> str:
    """Word one recorded detail of a symptom."""
    assert isinstance(say.fact, Symptom)
    return _DETAILS[say.attribute](say, say.fact, voice)


def _worded(say: Say, voice: Voice, key: str, told: str) -> str:
    """Put a detail into a sentence, or just name it where that is all that was asked for."""
    return voice.answer(key, x=told) if say.core and say.words != "full" else voice.pick(key, x=told)


def _told(text: str) -> str:
    """A record's phrase as the patient would say it."""
    return words(first_person(lower_first(text.strip(" .;"))))


def _short(text: str) -> str:
    """Leave out what goes on too long: people stop after the main thing."""
    if len(text.split()) <= _MOST_WORDS:
        return text
    head = text.split(", ")[0].split("; ")[0]
    return head if len(head.split()) <= _MOST_WORDS + 6 else text


def _onset(say: Say, fact: Symptom, voice: Voice) -> str:
    assert fact.onset
    if say.words in ("suddenly", "slowly"):
        return _worded(say, voice, "onset.manner", say.words)
    kind, told = when(fact.onset, say.vague)
    if kind == "manner" and say.words == "when":
        return voice.pick("onset.manner.when", x=told)
    if kind == "when" and say.words == "full":
        return voice.pick("onset.full", x=told)
    key = {
        "when": "onset.when" if say.vague < 2 else "onset.vague",
        "manner": "onset.manner",
        "bare": "onset.bare",
    }[kind]
    return _worded(say, voice, key, told)


def _duration(say: Say, fact: Symptom, voice: Voice) -> str:
    if say.words == "episode" and fact.duration:
        return _worded(say, voice, "duration.episode", span(fact.duration, say.vague))
    told = since(fact.onset, say.vague) if fact.onset else ""
    if told.startswith("since"):
        return _worded(say, voice, "duration.since", told)
    if told:
        return _worded(say, voice, "duration", told)
    if fact.duration and say.words == "when" and _SPAN.search(fact.duration):
        return _worded(say, voice, "onset.when", f"{span(fact.duration, say.vague)} ago")
    if fact.duration:
        return _worded(say, voice, "duration", span(fact.duration, say.vague))
    return _onset(say._replace(words=""), fact, voice)


def _site(say: Say, fact: Symptom, voice: Voice) -> str:
    assert fact.site
    told = _short(place(_places(fact, say.plain), say.plain))
    if say.plain >= 3:
        told = re.sub(r"^(?:the|my) ", "", told)
        return voice.pick("site.pointing", x=re.sub(r"^all (?=\w+$)(?!\w+s$)", "whole ", told))
    if " of the " in told and not told.startswith(_PLACED):
        # "My left side of the tongue" is nobody's English.
        told = "the " + told.replace(" of the ", " of my ", 1)
    return _worded(say, voice, "site.bare" if told.startswith(_PLACED) or "," in told else "site", told)


def _places(fact: Symptom, plain: int) -> str:
    """The places in the words of the lay forms, where these hold one for each; three are as many as one names."""
    assert fact.site
    parts = fact.site.split(", ")
    if not plain:
        return fact.site
    lay = [m[1] for form in fact.lay[: len(parts)] if (m := _PLACED_IN.match(form))]
    told = lay if len(lay) == len(parts) else parts
    return listed(told[:3]) if len(told) > 1 and all(len(part.split()) < 6 for part in told) else ", ".join(told)


def _character(say: Say, fact: Symptom, voice: Voice) -> str:
    assert fact.character
    if say.plain >= 4:
        return voice.pick("character.wordless")
    told = _short(_qualities(_told(fact.character), say.plain))
    if changed := _CHANGED.match(told):
        return f"it was {changed[1]} at first, now it's {changed[2]}"
    if _VERB.match(told):
        return _worded(say, voice, "timing.verb", told)
    if _THING.search(told) or with_article(told) != told:
        return _worded(say, voice, "character.noun", with_article(told))
    return _worded(say, voice, "character.adjective" if len(told.split()) <= 4 else "character.plain", told)


def _qualities(text: str, plain: int) -> str:
    """A list of adjectives as one says it: two of them with "and", in plain words."""
    if not _ADJECTIVES.match(text):
        return text
    parts = text.split(", ")
    return listed([_PLAINER.get(part, part) if plain else part for part in (*parts[:1], *parts[-1:])])


def _severity(say: Say, fact: Symptom, voice: Voice) -> str:
    number = int(say.words) if say.words.isdigit() else fact.severity or 0
    if say.plain >= 3 or say.words == "effect":
        return voice.pick(f"severity.{'mild' if number <= 3 else 'medium' if number <= 6 else 'strong'}")
    told = words(str(number))
    return _worded(say, voice, "severity.number.an" if number == 8 else "severity.number", told)


def _radiation(say: Say, fact: Symptom, voice: Voice) -> str:
    assert fact.radiation
    parts = fact.radiation.split(", ")
    told = _short(place(listed(parts) if all(len(p.split()) < 5 for p in parts) else fact.radiation, min(say.plain, 2)))
    if told in ("nowhere", "none", "no radiation"):
        return voice.answer("none.radiation")
    return voice.pick(
        "radiation.bare" if told.startswith(_GOING) and not told.startswith(("the ", "my ", "both ")) else "radiation",
        x=told.removeprefix("the "),
    )


def _factors(say: Say, fact: Symptom, voice: Voice) -> str:
    factors = [_told(f) for f in getattr(fact, say.attribute)]
    told = (", " if any(" and " in f for f in factors[:2]) else " and ").join(factors[:2])
    several = len(factors) > 1
    return _worded(say, voice, f"{say.attribute}.many" if several else say.attribute, _short(told))


def _timing(say: Say, fact: Symptom, voice: Voice) -> str:
    assert fact.timing
    told = _short(_told(fact.timing))
    if _VERB.match(told):
        return _worded(say, voice, "timing.verb", told.replace("come and go", "comes and goes"))
    if _TIMES.match(told):
        return _worded(say, voice, "timing.times", told)
    if told.split()[0].strip(",") in _STATES:
        return _worded(say, voice, "timing", told)
    return _worded(say, voice, "timing.often" if _OFTEN.match(told) else "timing.bare", told)


def _setting(_: Say, fact: Symptom, voice: Voice) -> str:
    assert fact.setting
    told = _short(words(clause(fact.setting)))
    adverbial = told.startswith(
        ("while ", "when ", "after ", "at ", "during ", "in ", "on ", "before ", "right ", "just ", "as ")
    )
    return voice.pick("onset.setting" if adverbial else "setting.bare", x=told)


_DETAILS: dict[str, Callable[[Say, Symptom, Voice], str]] = {
    "onset": _onset,
    "duration": _duration,
    "site": _site,
    "character": _character,
    "severity": _severity,
    "radiation": _radiation,
    "aggravating": _factors,
    "relieving": _factors,
    "timing": _timing,
    "setting": _setting,
}


def bare(say: Say) -> str:
    """The record's own words for a detail, for an answer that must be beyond doubt."""
    value = getattr(say.fact, say.attribute, None)
    if say.attribute == "duration" and not value:
        value = getattr(say.fact, "onset", None)
    text = " and ".join(value) if isinstance(value, tuple) else str(value if value is not None else "")
    return sentence(f"{text} out of 10" if say.attribute == "severity" else first_person(text)) if text else ""
