"""From one thing to say to a sentence.

Each move has its function; wordings live in ``data/phrases.tsv``. Words for facts are the record's own lay forms,
the clinical text only where there are none or where the patient is precise.
"""

from collections.abc import Callable

from bedside.cases.fact import Allergy, AnyFact, Condition, FamilyHistory, Medication, SocialHistory, Symptom
from bedside.envs.speech.grammar import clause, first_person, form_of, lower_first, sentence
from bedside.envs.speech.plan import Say
from bedside.envs.speech.times import since, span, when, words
from bedside.envs.speech.voice import Voice

__all__ = ["name_of", "realise"]


def realise(say: Say, voice: Voice) -> str:
    """Word one thing.

    Args:
        say: What to say.
        voice: Whose words.

    Returns:
        One or two sentences.
    """
    return sentence(_MOVES[say.move](say, voice))


def name_of(fact: AnyFact, voice: Voice, plain: int = 1) -> str:
    """Return the patient's words for a fact, one of its lay forms; the first, most usual one half of the time."""
    if plain == 0 and fact.kind != "symptom":
        return lower_first(fact.text)
    forms = [first_person(f) for f in fact.lay] or [lower_first(first_person(fact.text))]
    return forms[0] if len(forms) == 1 or voice.chance(0.5) else voice.rng.choice(forms[1:])


def _affirm(say: Say, voice: Voice) -> str:
    assert say.fact is not None
    name = name_of(say.fact, voice, say.plain)
    return voice.pick(f"{say.attribute or 'affirm'}.{form_of(name)}", x=name)


def _words(say: Say, voice: Voice) -> str:
    return say.words or voice.pick(say.attribute)


def _phrase(say: Say, voice: Voice) -> str:
    return voice.pick(say.attribute, x=say.words)


def _detail(say: Say, voice: Voice) -> str:
    assert isinstance(say.fact, Symptom)
    return _DETAILS[say.attribute](say, say.fact, voice)


def _onset(say: Say, fact: Symptom, voice: Voice) -> str:
    assert fact.onset
    kind, told = when(fact.onset, say.vague)
    if kind == "when" and say.words:
        return voice.pick("onset.when.named", x=told, y=say.words)
    return voice.pick(f"onset.{kind}" if kind != "bare" else "onset.manner", x=told)


def _duration(say: Say, fact: Symptom, voice: Voice) -> str:
    if say.words == "episode" and fact.duration:
        return voice.pick("duration.episode", x=span(fact.duration, say.vague))
    if fact.onset and (told := since(fact.onset, say.vague)):
        return sentence(f"It's been going on {told}") if told.startswith("since") else voice.pick("duration", x=told)
    if fact.onset:
        return _onset(say._replace(words=""), fact, voice)
    assert fact.duration
    return voice.pick("duration", x=span(fact.duration, say.vague))


def _site(say: Say, fact: Symptom, voice: Voice) -> str:
    assert fact.site
    site = first_person(fact.site)
    bare = site.startswith(("the ", "my ", "both ", "all ", "on ", "in ", "under ", "behind ", "between ", "around ", "one ", "from "))
    return voice.pick("site.bare" if bare or "," in site else "site", x=site)


def _character(say: Say, fact: Symptom, voice: Voice) -> str:
    assert fact.character
    told = words(first_person(lower_first(fact.character)))
    return voice.pick("character" if len(told.split()) <= 2 else "character.plain", x=told)


def _severity(say: Say, fact: Symptom, voice: Voice) -> str:
    assert fact.severity is not None
    if say.plain >= 3:
        degree = "mild" if fact.severity <= 3 else "medium" if fact.severity <= 6 else "strong"
        return voice.pick(f"severity.{degree}")
    return voice.pick("severity.number", x=words(str(fact.severity)))


def _radiation(say: Say, fact: Symptom, voice: Voice) -> str:
    assert fact.radiation
    told = first_person(lower_first(fact.radiation))
    bare = told.startswith(("to ", "into ", "down ", "up ", "the ", "through ", "around ", "from ", "my ", "toward", "along"))
    return voice.pick("radiation.bare" if bare else "radiation", x=told)


def _factors(say: Say, fact: Symptom, voice: Voice) -> str:
    factors = [first_person(lower_first(f)) for f in getattr(fact, say.attribute)]
    told = " and ".join(factors[:2])
    text = voice.pick(say.attribute, x=told)
    return text.replace(" makes it", " make it").replace(" helps", " help") if len(factors) > 1 and text.startswith(told) else text


def _timing(say: Say, fact: Symptom, voice: Voice) -> str:
    assert fact.timing
    told = words(first_person(lower_first(fact.timing)))
    return voice.pick("timing" if told.split()[0] in ("constant", "intermittent", "worse", "worst") else "timing.bare", x=told)


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
    "setting": lambda say, fact, voice: voice.pick("onset.setting", x=first_person(lower_first(fact.setting or ""))),
}


def _drug(say: Say, voice: Voice) -> str:
    return voice.pick(say.attribute or "drugs.list", x=say.words)


def _dose(say: Say, voice: Voice) -> str:
    assert isinstance(say.fact, Medication)
    parts = [p for p in (say.fact.dose, say.fact.frequency) if p]
    if not parts or say.vague >= 3:
        return voice.pick("dose.unknown")
    return f"{sentence(say.fact.text + ', ' + ', '.join(parts))}"


def _allergy(say: Say, voice: Voice) -> str:
    assert isinstance(say.fact, Allergy)
    told = voice.pick("allergy", x=name_of(say.fact, voice))
    if say.fact.reaction and voice.chance(0.6):
        told = f"{told} {voice.pick('allergy.reaction', x=lower_first(say.fact.reaction))}"
    return told


def _condition(say: Say, voice: Voice) -> str:
    assert isinstance(say.fact, Condition)
    name = name_of(say.fact, voice)
    if form_of(name) == "doing":
        return voice.pick("affirm.doing", x=name)
    return voice.pick(say.attribute or "condition", x=name)


def _relative(say: Say, voice: Voice) -> str:
    assert isinstance(say.fact, FamilyHistory)
    name = lower_first(say.fact.text)
    who = (say.fact.relative or "").lower()
    if not who or "family" in who or "relative" in who or "patient" in who:
        return voice.pick("family.any", x=name)
    return voice.pick("family", x=name, y=who)


def _social(say: Say, voice: Voice) -> str:
    assert isinstance(say.fact, SocialHistory)
    return voice.pick("social", x=clause(say.fact.text))


_MOVES: dict[str, Callable[[Say, Voice], str]] = {
    "affirm": _affirm,
    "say": _words,
    "phrase": _phrase,
    "detail": _detail,
    "drug": _drug,
    "dose": _dose,
    "allergy": _allergy,
    "condition": _condition,
    "procedure": lambda say, voice: voice.pick(say.attribute or "procedure", x=say.words or name_of(say.fact, voice)),  # type: ignore[arg-type]
    "relative": _relative,
    "social": _social,
}
