"""From a plan to sentences.

Each move has its function; wordings live in ``data/phrases.tsv``. What belongs together is said together:
symptoms affirmed one after the other become one list.
"""

import re
from collections.abc import Callable, Iterator
from itertools import groupby

from bedside.cases.directions import find_frequency
from bedside.cases.fact import Allergy, AnyFact, Condition, FamilyHistory, Medication, Procedure, SocialHistory
from bedside.envs.speech.details import bare, detail
from bedside.envs.speech.grammar import (
    capital,
    clause,
    first_person,
    form_of,
    listed,
    lower_first,
    sentence,
    with_article,
)
from bedside.envs.speech.names import drug_name, name_of
from bedside.envs.speech.plan import Plan, Say
from bedside.envs.speech.times import words
from bedside.envs.speech.voice import Voice

__all__ = ["realise", "terse"]

_SILENT = ("omit",)
_OWN = re.compile(r"\b(?:[Mm]y|me)\b|^(?:There|It)\b")
_SENTENCE = 6
"""Words from which a complaint that speaks of oneself is said as it stands: "The room spun and my ear roars"."""

_SHORT_YES = 0.7
"""How often somebody asked whether they take a drug just says yes; few say its name again."""

_SPOKEN = re.compile(
    r"\b(?:I|I'm|I've|I'd|[Mm]y [\w ]+ (?:is|are|was|were|has|have|keeps?|hurts?|feels?|aches?|won't|went|"
    r"turned|\w+ed))\b|^(?:The|There|It|My)\b.* (?:is|are|was|hurts?|feels?|shoots?|woke|keeps?)\b"
)
_TOLD_SINCE = re.compile(r"(?:\d{4}|childhood|birth|infancy|adolescence)$")
_GONE_BY = re.compile(r"\b(?:before|in the past|this (?:past )?year|lately|recent|at birth|in the last \w+ \w+)\b")
_LACKING = re.compile(r"\b(?:no|not|without|never|less)\b|n't\b")
_OURS = re.compile(r"\b[Mm]y (both|all)\b(?: my)?")
_LISTED = ("affirm", "condition")
_VERBS = ("appears", "looks", "seems", "feels", "cannot", "has")
_FOR_SO_LONG = re.compile(
    r",? (?:for|over|since) (?:the )?(?:past |last )?(?:\d+|an?|one|two|three|four|five|six|several|few)?\s?"
    r"(?:minutes?|hours?|days?|weeks?|months?|years?|yesterday|this morning)$"
)


def realise(plan: Plan, voice: Voice) -> list[str]:
    """Word a plan.

    Args:
        plan: What to say.
        voice: Whose words.

    Returns:
        Its sentences, each with whether it is core in the plan's order.
    """
    told = [sentence(text) for text in _texts(plan, voice) if text.strip()]
    # "Not really. Not really." to "what makes it better or worse?"
    return [text for number, text in enumerate(told) if number == 0 or text != told[number - 1]]


def _texts(plan: Plan, voice: Voice) -> Iterator[str]:
    spoken = [say for say in plan if say.move not in _SILENT]
    first = next((number for number, say in enumerate(spoken) if say.core), None)
    if first is not None and spoken[first].attribute == "deny.but":
        # "But no cough" needs something before it that is there.
        spoken[first] = spoken[first]._replace(attribute="deny")
    for (move, attribute), run in groupby(spoken, key=lambda say: (say.move, say.attribute)):
        group = list(run)
        if move in _LISTED and len(group) > 1:
            yield from _together(group, attribute or move, voice)
        elif move == "drugs":
            if not any(_dosed(other) for other in spoken):
                yield _drugs(group, voice)
        elif move == "allergy" and len(group) > 1:
            yield from _allergies(group, voice)
        elif move == "dose":
            yield from dict.fromkeys(_dose(say, voice) for say in group)
        else:
            for say in group:
                yield _MOVES[say.move](say, voice)


def _together(group: list[Say], key: str, voice: Voice) -> Iterator[str]:
    """Things in one list, doings in a sentence each."""
    told = [_article_of(say.fact, name_of(say.fact, voice, say.plain)) for say in group if say.fact]
    names = [(name, form_of(name)) for name in told if not _being(name)]
    # "No strength and a cough" would deny the cough: what is lacking comes last.
    things = sorted(dict.fromkeys(name for name, form in names if form != "doing"), key=_lack)
    # "A cough and a cough with phlegm" says one thing twice.
    things = [t for t in things if not any(t != other and t in other for other in things)]
    if things:
        form = "thing" if len(things) > 1 else form_of(things[0])
        yield voice.pick(_key(key, form), x=listed(things))
    for name, form in names:
        if form == "doing":
            yield voice.pick("complain.also.doing" if things else _key(key, "doing"), x=name)
            things = things or [name]
    yield from filter(None, map(_being, told))


def _being(name: str) -> str:
    """State as one says it of oneself, "I am overweight" for "being overweight"; empty for what is no state."""
    if name.startswith("being "):
        return f"I'm {name.removeprefix('being ')}"
    if name.partition(" ")[0] in _VERBS:
        return clause(name)
    if name.startswith("not "):
        return f"I was {name}" if name.split()[1].endswith("ing") else f"I'm {name}"
    return ""


def _article_of(fact: AnyFact, name: str) -> str:
    """Illnesses come from records without the article that speech gives them; complaints have theirs."""
    return with_article(name) if isinstance(fact, Condition) else name


def _lack(name: str) -> int:
    found = _LACKING.search(name)
    return 0 if not found else 2 if found.start() == 0 else 1


def _key(key: str, form: str) -> str:
    return f"{key}.{form}" if not key.startswith("condition") else ("affirm.doing" if form == "doing" else key)


def _affirm(say: Say, voice: Voice) -> str:
    assert say.fact is not None
    if not say.attribute and not say.words and (voice.curt or voice.chance(0.75)):
        return voice.answer("affirm.short")
    name = _article_of(say.fact, name_of(say.fact, voice, say.plain))
    if own := _being(name):
        return own
    if isinstance(say.fact, Condition) and _GONE_BY.search(name):
        return voice.pick("condition.past", x=name)
    return voice.pick(_key(say.attribute or "affirm", form_of(name)), x=name)


def _complain(say: Say, voice: Voice) -> str:
    """The chief complaint as it stands if it is a sentence, else put into one."""
    named = say.fact is not None and not say.words
    told = name_of(say.fact, voice, say.plain) if say.fact and named else first_person(say.words)
    if not named and (_SPOKEN.search(told) or (_OWN.search(told) and len(told.split()) >= _SENTENCE)):
        return told
    told = lower_first(told.rstrip("."))
    if own := _being(told):
        return own
    if say.fact and getattr(say.fact, "onset", None):
        # When it began comes next.
        told = _FOR_SO_LONG.sub("", told) or told
    return voice.pick(f"complain.{form_of(told)}", x=told)


def _condition(say: Say, voice: Voice) -> str:
    assert isinstance(say.fact, Condition)
    if say.attribute == "condition.yes" and not say.words and (voice.curt or voice.chance(0.5)):
        return voice.answer("affirm.plain")
    told = _affirm(say._replace(attribute=say.attribute or "condition"), voice)
    since = say.fact.since
    if since and _TOLD_SINCE.match(since) and say.vague < 2 and (say.words == "since" or voice.chance(0.35)):
        told = f"{sentence(told)} {voice.pick('condition.since', x=_since(since, say.vague))}"
    return told


def _since(since: str, vague: int) -> str:
    told = lower_first(since)
    return f"about {told}" if vague and told.isdigit() else told


def _drugs(group: list[Say], voice: Voice) -> str:
    kept = group[:5]
    names = _counted([_drug_name(say, voice) for say in kept])
    vague = max(say.vague for say in group)
    if vague >= 2 and len(names) > 2:
        return voice.pick("drugs.forgotten", x=listed(names[:-1], "and"))
    return voice.pick("drugs.list", x=listed(names))


def _counted(names: list[str]) -> list[str]:
    """Two drugs that go by one name become "two for high blood pressure"."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(name.partition(" for ")[2] or name, []).append(name)
    return [f"two pills for {purpose}" if len(set(same)) > 1 else same[0] for purpose, same in found.items()]


def _drug(say: Say, voice: Voice) -> str:
    if say.attribute == "drug.yes" and voice.chance(_SHORT_YES):
        return voice.pick("drug.yes.short")
    return voice.pick(say.attribute, x=_drug_name(say, voice))


def _drug_name(say: Say, voice: Voice) -> str:
    assert isinstance(say.fact, Medication)
    return say.words or drug_name(say.fact, voice, say.plain)


def _dosed(say: Say) -> bool:
    """True when a dose is going to be told, with the drug's name."""
    return (
        isinstance(say.fact, Medication)
        and say.move == "dose"
        and say.vague < 2
        and bool(say.fact.dose or say.fact.frequency)
    )


def _dose(say: Say, voice: Voice) -> str:
    assert isinstance(say.fact, Medication)
    fact = say.fact
    dose = fact.dose if say.plain < 3 and say.vague < 2 else None
    parts = [words(lower_first(_spoken(p))) if n else _measured(p) for n, p in enumerate((dose, fact.frequency)) if p]
    if not parts or say.vague >= 3:
        return voice.same("dose.unknown")
    name = _drug_name(say, voice)
    told = f"{name}, {', '.join(parts)}"
    return voice.pick("dose.known", x=told) if dose or not fact.dose else f"{sentence(told)}"


def _spoken(frequency: str) -> str:
    """How often, in words: "twice daily" for BID."""
    found = find_frequency(frequency) if frequency.isupper() else None
    return found.words if found and found.words else frequency


def _measured(dose: str) -> str:
    """How much, as it is read aloud: "90 mcg a puff" for 90mcg/puff."""
    return re.sub(r"(?<=[a-z])/(?=[a-z])", " a ", re.sub(r"(?<=\d)(?=[a-zA-Z])", " ", dose))


def _allergies(group: list[Say], voice: Voice) -> Iterator[str]:
    """Several in one sentence, then what each does if that was asked."""
    yield voice.pick("allergy", x=listed([name_of(say.fact, voice) for say in group if say.fact]))
    for say in group:
        if isinstance(say.fact, Allergy) and say.fact.reaction and say.words == "reaction":
            yield f"{name_of(say.fact, voice)} gives me {with_article(lower_first(say.fact.reaction))}"


def _allergy(say: Say, voice: Voice) -> str:
    assert isinstance(say.fact, Allergy)
    told = voice.pick("allergy", x=name_of(say.fact, voice))
    if say.fact.reaction and (say.words == "reaction" or voice.chance(0.5)):
        reaction = with_article(lower_first(say.fact.reaction))
        told = f"{sentence(told)} {voice.pick('allergy.reaction', x=reaction)}"
    return told


def _procedure(say: Say, voice: Voice) -> str:
    assert say.fact is not None
    told = voice.pick("procedure", x=with_article(name_of(say.fact, voice, say.plain)))
    when = say.fact.when if isinstance(say.fact, Procedure) else None
    if when and say.vague < 2 and voice.chance(0.6):
        key = "procedure.when" if when[:4].isdigit() else "procedure.time"
        told = f"{sentence(told)} {capital(voice.pick(key, x=words(lower_first(when))))}"
    return told


_MANY = re.compile(r"^[^,]*?[a-rt-z]s(?: (?:of|in|with|from|before|at)\b.*)?$")
_DIED = re.compile(r"(?:death|died) (?:from|of) ", re.IGNORECASE)


def _relative(say: Say, voice: Voice) -> str:
    assert isinstance(say.fact, FamilyHistory)
    name = with_article(lower_first(say.fact.text))
    who = first_person((say.fact.relative or "").lower())
    if name.endswith("suicide") and who:
        return f"we lost my {who.removeprefix('my ')} to suicide"
    if who and (died := _DIED.match(say.fact.text)):
        return f"my {who.removeprefix('my ')} died of {lower_first(say.fact.text[died.end() :])}"
    if not who or any(word in who for word in ("family", "relative", "patient")):
        return voice.pick("family.any.many" if _MANY.search(name) else "family.any", x=name)
    told = voice.pick("family", x=name, y=who.removeprefix("my "))
    return _OURS.sub(r"\1 my", told)


def _social(say: Say, voice: Voice) -> str:
    assert isinstance(say.fact, SocialHistory)
    if say.words == "yes":
        return voice.pick("affirm.plain")
    return voice.pick("social", x=clause(say.fact.text))


def _phrase(say: Say, voice: Voice) -> str:
    if say.attribute == "deny":
        # Most people just say no, to one thing or to a list.
        several = " or " in say.words
        if voice.curt or voice.chance(0.75 if several else 0.85):
            return voice.answer("deny.list" if several else "deny.bare")
        return voice.pick("deny.named", x=say.words)
    return voice.answer(say.attribute) if say.core and not say.words else voice.pick(say.attribute, x=say.words)


_MOVES: dict[str, Callable[[Say, Voice], str]] = {
    "affirm": _affirm,
    "complain": _complain,
    "say": lambda say, voice: say.words,  # noqa: ARG005
    "phrase": _phrase,
    "confess": _phrase,
    "withhold": _phrase,
    "believe": _phrase,
    "evade": _phrase,
    "askback": lambda say, voice: voice.pick("askback", x=say.words),
    "detail": detail,
    "drug": _drug,
    "dose": _dose,
    "allergy": _allergy,
    "condition": _condition,
    "procedure": _procedure,
    "relative": _relative,
    "social": _social,
}


def terse(plan: Plan) -> str:
    """The shortest true answer, in the record's own words or a bare yes or no; for a last attempt."""
    for say in plan:
        if say.move in ("affirm", "condition", "drug"):
            return "Yes."
        if say.move == "detail":
            return bare(say) or "I'm not sure."
        if say.move == "phrase" and say.attribute.startswith("deny"):
            return "No."
        if say.move in ("phrase", "withhold", "askback"):
            return "I'm not sure."
    return "I'm not sure." if not plan else "Yes."
