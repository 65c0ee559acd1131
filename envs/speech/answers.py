"""From intents to an utterance plan: what this record answers to what was asked, and nothing more.

The record is a closed world. What it lists is affirmed, what it does not list is denied, and a detail that
it leaves open is not known.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from bedside.cases.fact import Allergy, AnyFact, Condition, FamilyHistory, Medication, SocialHistory, Symptom
from bedside.envs.intents import ATTRIBUTES, HABITS, Intent
from bedside.envs.speech.denial import deniable
from bedside.envs.speech.grammar import listed, with_article
from bedside.envs.speech.plan import Plan, Say
from bedside.envs.speech.record import Record
from bedside.envs.speech.state import State
from bedside.verifier.language.text import content_stems

__all__ = ["answer"]

MOST_NEW = 2
"""Facts that an open question brings out at once; a real patient names a few and waits."""

_GENERAL = ("sx:pain", "sx:discomfort", "sx:malaise", "sx:unwell")
_WORKING_AGE = 14
_YES_OR_NO = re.compile(
    r"(?:^|[.,;?!] ?(?:and |or |so )?)(?:do|does|did|are|is|was|were|have|has|any|would|ever)\b"
    r"(?!.*\b(?:how|what|who|where|which)\b)"
)
_HABITS_NOT = ("alcohol.none", "tobacco.none", "drugs.none.use")
_NOTS = ("alcohol.none", "tobacco.none", "drugs.none.use", "sexual.none", "deny.bare", "family.named.none")
_HOW_FAST = re.compile(r"\b(?:suddenly|sudden|abruptly|all at once)\b.*\b(?:slowly|gradually|gradual|over time)\b")
_SUDDEN = re.compile(r"\b(?:sudden(?:ly)?|all at once|abrupt(?:ly)?|acute(?:ly)?|without warning|no warning)\b")
_SLOW = re.compile(
    r"\b(?:gradual(?:ly)?|slow(?:ly)?|progressive(?:ly)?|little by little|insidious(?:ly)?|"
    r"over (?:the )?(?:past |last )?(?:\w+ )?(?:weeks|months|years?))\b"
)
_STEADY = re.compile(r"(?:nearly )?constant|comes? and go|comes in|getting worse")
_BEFORE = re.compile(
    r"\b(?:anything (?:like|similar)|"
    r"(?:had|felt|happened|got|experienced|something) .{0,30}\b(?:before|in the past|previously)|"
    r"(?:the )?first (?:time|one|episode)|something new|one-off|new for you)\b"
)
_AGAIN = re.compile(
    r"\b(?:earlier|previous|prior|before|first|again|recurr\w*|attacks?|episodes?|years|a (?:month|year))\b"
)
_MORE = re.compile(r"\b(?:more|else|further|go on|carry on|keep going|what happened (?:next|then))\b")
_HOUR = re.compile(r"\b(?:at night|night-?time|mornings?|evenings?|afternoons?|time of (?:the )?day)\b")
_HOURS = re.compile(
    r"\b(?:nights?|mornings?|evenings?|afternoons?|noon|midnight|dawn|days?|daytime|sleep\w*|bed\w*|wak\w+|dark|meals?|"
    r"constant\w*|continuous\w*|steady|always|all the time|hours?)\b"
)
_HOW_IT_BEGAN = ("doing", "happen", "trigger", "brought", "leading", "were you")


class _Asking(NamedTuple):
    """One intent with all that its answer may depend on; ``heard`` is in lower case."""

    intent: Intent
    record: Record
    state: State
    heard: str


def answer(intents: tuple[Intent, ...], record: Record, state: State, heard: str) -> Plan:
    """Plan an answer.

    Args:
        intents: What was understood.
        record: What there is to tell.
        state: Where the talk stands.
        heard: The doctor's words, lower case.

    Returns:
        Things to say, in the order of the questions; questions come before what was only remarked.
    """
    plan: list[Say] = []
    denied: list[Intent] = []
    asked = [i for i in intents if i.asked] or intents
    for intent in asked:
        ask = _Asking(intent, record, state, heard)
        if intent.name == "symptom_presence" or (intent.name == "past_conditions" and intent.concept):
            said = _presence(ask)
            if not said:
                denied.append(intent)
            elif len(asked) > 1:
                # A bare "yes" would leave open to what.
                said = [s._replace(words="named") if s.move == "affirm" else s for s in said]
        else:
            said = _ANSWERS.get(intent.name, _talk)(ask)
        plan += [say for say in said if say not in plan]
    if denied:
        plan.append(_denial(denied, record, after=bool(plan)))
    return tuple(_smoothed(plan))


def _smoothed(plan: list[Say]) -> list[Say]:
    """Mend what several questions at once would make clumsy or unclear."""
    if any(say.attribute == "drugs.none" for say in plan):
        # Who takes nothing need not say so twice when asked for the dose too.
        plan = [say for say in plan if say.attribute != "dose.nodrug"]
    if len(plan) > 1 and any(say.fact is not None or say.attribute.startswith("deny") for say in plan):
        # "Do you have asthma, or did you ever need a puffer?" is one question, and gets one answer.
        plan = [s for s in plan if s.attribute not in ("drug.no", "drugs.none")] or plan
    if len(plan) > 1:
        # A bare "yes" would leave open to what; what is not comes last.
        plan = [s._replace(words="") if s.move == "social" else s for s in plan]
        plan.sort(key=lambda s: s.attribute in _NOTS)
    nots = [s for s in plan if s.attribute in _NOTS]
    if len(nots) > 1:
        plan = [s for s in plan if s not in nots[1:] or s.attribute in _HABITS_NOT]
        if len([s for s in plan if s in nots]) == 1:
            plan = [
                s._replace(attribute="deny.rest" if len(plan) > 1 else "deny.bare") if s in nots else s for s in plan
            ]
    if len(plan) > 1:
        plan = [s._replace(attribute=f"{s.attribute}.named") if s.attribute in _HABITS_NOT else s for s in plan]
    if plan and plan[0].attribute == "deny.but":
        plan[0] = plan[0]._replace(attribute="deny")
    if any(say.move == "relative" for say in plan):
        plan = [s._replace(attribute="deny.rest") if s.attribute == "family.named.none" else s for s in plan]
    if len(plan) > 1:
        # A bare "yes" would leave open to what.
        plan = [s._replace(words="named") if s.move == "affirm" and not s.words else s for s in plan]
        plan = [s._replace(attribute="condition") if s.attribute == "condition.yes" else s for s in plan]
    return plan


def _denial(denied: list[Intent], record: Record, *, after: bool) -> Say:
    """Deny by name what was asked along with what is there; alone, a bare "no" will often do."""
    names = list(dict.fromkeys(filter(None, (deniable(i, record.grounded) for i in denied))))
    if len(names) < len(set(denied)):
        return Say("phrase", attribute="deny.rest" if after else "deny.bare")
    return Say("phrase", attribute="deny.but" if after else "deny", words=listed(names, "or"))


def _presence(ask: _Asking) -> list[Say]:
    concept = ask.intent.concept
    facts = ask.record.named(concept, Symptom, Condition) if concept else ()
    # Words that no table knows may still be those of a fact: "is your immune system weakened?"
    facts = facts or ask.record.sharing(ask.heard, least=2 if concept else 1)
    if not facts:
        return []
    if isinstance(facts[0], Condition):
        return [Say("condition", facts[0], "condition.yes")]
    return [Say("affirm", facts[0], words="" if concept else "named")]


def _discussed(ask: _Asking) -> Symptom | None:
    """The symptom that a question without a name is about: the last one told that has such a detail."""
    name, record = ask.intent.name, ask.record
    focus = next((s for s in record.symptoms if s.id == ask.state.focus), record.main)
    if focus is None or _has(focus, name):
        return focus
    known = [s for s in record.symptoms if s.id in ask.state.told and _has(s, name)]
    main = [record.main] if record.main and _has(record.main, name) else []
    return (known or main or [focus])[0]


def _has(fact: Symptom, name: str) -> bool:
    if name in ("onset", "duration"):
        return bool(fact.onset or fact.duration)
    return getattr(fact, name) not in (None, ())


def _detail(ask: _Asking) -> list[Say]:
    concept = ask.intent.concept
    if concept and concept not in _GENERAL:
        facts = ask.record.named(concept, Symptom, Condition)
        if not facts:
            return [_denial([ask.intent], ask.record, after=False)]
        if isinstance(facts[0], Condition):
            return [Say("condition", facts[0], "condition.yes", words="since")]
        fact = facts[0]
    else:
        fact = _discussed(ask)  # type: ignore[assignment]
    name = ask.intent.name
    if not isinstance(fact, Symptom):
        return [Say("phrase", attribute=f"none.{name}")]
    return _detail_of(fact, name, ask)


def _detail_of(fact: Symptom, name: str, ask: _Asking) -> list[Say]:
    if name == "onset" and (manner := _manner(fact, ask.heard)):
        return [manner]
    if name == "onset" and fact.setting and any(words in ask.heard for words in _HOW_IT_BEGAN):
        return [Say("detail", fact, "setting")]
    if name == "timing" and (timed := _timed(fact, ask)):
        return [timed]
    if not _has(fact, name):
        modifiers = ask.record.modifiers(name)
        return [Say("affirm", modifiers[0], "affirm.general") if modifiers else Say("phrase", fact, f"none.{name}")]
    if name == "onset" and not fact.onset:
        return [Say("detail", fact, "duration")]
    episode = name == "duration" and fact.duration and "last" in ask.heard
    return [Say("detail", fact, name, words="episode" if episode else "")]


def _timed(fact: Symptom, ask: _Asking) -> Say | None:
    """The answer to "have you had this before?" and "and at night?", for which not every timing is one."""
    if _BEFORE.search(ask.heard):
        # "Anything like this" is what brought the patient.
        fact = fact if ask.intent.concept else ask.record.main or fact
        if fact.timing and _AGAIN.search(fact.timing):
            return Say("detail", fact, "timing")
        earlier = next((s for s in ask.record.symptoms if _AGAIN.match(s.text)), None)
        return Say("affirm", earlier, "affirm.general") if earlier else Say("phrase", fact, "none.before")
    if fact.timing and _HOUR.search(ask.heard) and not _HOURS.search(fact.timing):
        return Say("phrase", fact, "none.timing")
    return None


def _manner(fact: Symptom, heard: str) -> Say | None:
    """The answer to "suddenly or slowly?"; nothing where something else was asked."""
    if not _HOW_FAST.search(heard):
        return None
    known = " ".join(filter(None, (fact.text, fact.onset, fact.timing, fact.character, fact.setting))).lower()
    sudden, slow = bool(_SUDDEN.search(known)), bool(_SLOW.search(known))
    if sudden == slow:
        return Say("phrase", fact, "none.manner")
    return Say("detail", fact, "onset", words="suddenly" if sudden else "slowly")


def _complaint(ask: _Asking) -> list[Say]:
    main = ask.record.main
    if main is None:
        return [Say("complain", words=ask.record.case.chief_complaint)]
    if main.id in ask.state.told:
        new = _new(ask)[:1]
        if new:
            return [Say("affirm", new[0], "more")]
        return [
            Say("phrase", attribute="more.none") if _MORE.search(ask.heard) else Say("affirm", main, "affirm.general")
        ]
    # Asked openly, people tell when it began, what it is like, and one thing more.
    others = [s for s in ask.record.unmentioned if s is not main][:1]
    steady = main.timing and _STEADY.match(main.timing)
    like = "character" if _has(main, "character") and not _said(main, ask) else "timing" if steady else None
    return [
        Say("complain", main, words=ask.record.case.chief_complaint),
        *([Say("detail", main, "onset", words="full")] if main.onset else []),
        *([Say("detail", main, like, core=False)] if like else []),
        *(Say("affirm", s, "complain.also", words="volunteered", core=False) for s in others),
    ]


def _said(main: Symptom, ask: _Asking) -> bool:
    """True when the complaint's own words say what it is like: "it hurts like being crushed" needs no "crushing"."""
    complaint = content_stems(f"{ask.record.case.chief_complaint} {main.text}")
    return any(word in complaint for word in content_stems(main.character or ""))


def _new(ask: _Asking) -> list[Symptom]:
    return [s for s in ask.record.symptoms if s.id not in ask.state.told]


def _associated(ask: _Asking) -> list[Say]:
    return [Say("affirm", s, "more") for s in _new(ask)[:MOST_NEW]] or [Say("phrase", attribute="more.none")]


def _anything(ask: _Asking) -> list[Say]:
    return [Say("affirm", s, "more") for s in _new(ask)[:1]] or [Say("phrase", attribute="more.none")]


def _medications(ask: _Asking) -> list[Say]:
    if ask.intent.concept:
        facts = ask.record.named(ask.intent.concept, Medication)
        return [
            Say("drug", facts[0], "drug.yes", _safe_name(facts[0], ask))
            if facts
            else Say("phrase", attribute="drug.no")
        ]
    taken = [Say("drugs", f, "drugs.list", _safe_name(f, ask)) for f in ask.record.medications]
    return taken or [Say("phrase", attribute="drugs.none")]


def _safe_name(drug: AnyFact, ask: _Asking) -> str:
    """The clinical name of a drug whose lay name would tell what the doctor is to find; else nothing."""
    return drug.text if any(ask.record.gives_away(form) for form in drug.lay[:1]) else ""


def _dose(ask: _Asking) -> list[Say]:
    named = ask.intent.concept
    facts: tuple[AnyFact, ...] = ask.record.named(named, Medication) if named else ask.record.medications
    if not facts:
        return [Say("phrase", attribute="drug.no" if named else "dose.nodrug")]
    return [Say("dose", f, words=_safe_name(f, ask)) for f in facts[:3]]


def _allergies(ask: _Asking) -> list[Say]:
    named = ask.intent.concept
    facts: tuple[AnyFact, ...] = ask.record.named(named, Allergy) if named else ask.record.allergies
    if not facts and not named:
        prone = [c for c in ask.record.conditions if "allerg" in c.text.lower()]
        if prone:
            return [Say("condition", c) for c in prone[:MOST_NEW]]
    reaction = "reaction" if any(words in ask.heard for words in ("reaction", "happen", "what does")) else ""
    return [Say("allergy", f, words=reaction) for f in facts[:2]] or [Say("phrase", attribute="allergy.none")]


def _conditions(ask: _Asking) -> list[Say]:
    new = [c for c in ask.record.conditions if c.id not in ask.state.told] or list(ask.record.conditions)
    return [Say("condition", f) for f in new[:MOST_NEW]] or [Say("phrase", attribute="condition.none")]


def _procedures(ask: _Asking) -> list[Say]:
    facts: tuple[AnyFact, ...] = ask.record.procedures
    if ask.intent.concept:
        facts = ask.record.named(ask.intent.concept, *{type(p) for p in facts})
    return [Say("procedure", f) for f in facts[:MOST_NEW]] or [Say("phrase", attribute="procedure.none")]


def _family(ask: _Asking) -> list[Say]:
    if ask.intent.concept:
        facts = ask.record.named(ask.intent.concept, FamilyHistory)
        return [Say("relative", f) for f in facts[:1]] or [Say("phrase", attribute="family.named.none")]
    return [Say("relative", f) for f in ask.record.family[:3]] or [Say("phrase", attribute="family.none")]


def _habit(ask: _Asking) -> list[Say]:
    name, who = ask.intent.name, ask.record.case.demographics
    if facts := ask.record.social_about(name):
        return [_circumstance(f, ask) for f in facts[:2]]
    if name in ("occupation", "living") and _YES_OR_NO.search(ask.heard):
        return [Say("phrase", attribute="deny.bare")]
    if name == "occupation" and who.occupation:
        return [Say("say", words=f"I'm {with_article(who.occupation, always=True)}")]
    if name == "occupation" and who.age is not None and who.age < _WORKING_AGE:
        return [Say("phrase", attribute="occupation.child")]
    return [Say("phrase", attribute="drugs.none.use" if name == "drugs" else f"{name}.none")]


def _circumstance(fact: SocialHistory, ask: _Asking) -> Say:
    """A circumstance told, or just confirmed where the question already named it."""
    named = _YES_OR_NO.search(ask.heard) and ask.record.shares(ask.heard, fact) and not ask.record.abstains(fact)
    return Say("social", fact, words="yes" if named and len(ask.heard.split()) > 2 else "")


def _age(ask: _Asking) -> list[Say]:
    age = ask.record.case.demographics.age
    if age is None:
        return [Say("phrase", attribute="age.unsaid")]
    return [Say("phrase", attribute="age", words=str(age)) if age else Say("phrase", attribute="age.infant")]


def _other(ask: _Asking) -> list[Say]:
    topic = (ask.intent.concept or "").removeprefix("topic:")
    if topic and (facts := ask.record.social_about(topic)):
        return [_circumstance(f, ask) for f in facts[:2]]
    if topic in ("exam", "ideas", "fears"):
        return [Say("phrase", attribute=topic)]
    if ask.intent.asked and (shared := ask.record.sharing(ask.heard, 1 if topic else 2, habits=True)):
        return [
            _circumstance(f, ask) if isinstance(f, SocialHistory) else Say("affirm", f, words="named") for f in shared
        ]
    if topic:
        return [Say("phrase", attribute="other.none")]
    return [Say("phrase", attribute="other.open" if ask.intent.asked else "explanation", core=False)]


def _talk(ask: _Asking) -> list[Say]:
    return [Say("phrase", attribute=ask.intent.name, core=False)]


_ANSWERS: dict[str, Callable[[_Asking], list[Say]]] = {
    "chief_complaint": _complaint,
    **dict.fromkeys(ATTRIBUTES, _detail),
    "associated": _associated,
    "anything_else": _anything,
    "medications": _medications,
    "dose": _dose,
    "allergies": _allergies,
    "past_conditions": _conditions,
    "procedures": _procedures,
    "family_history": _family,
    **dict.fromkeys(HABITS, _habit),
    "age": _age,
    "other": _other,
}
