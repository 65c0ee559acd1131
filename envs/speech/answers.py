"""From intents to an utterance plan: what this record answers to what was asked, and nothing more.

The record is a closed world. What it lists is affirmed, what it does not list is denied, and a detail that
it leaves open is not known.
"""

import re
from collections.abc import Callable

from bedside.cases.fact import Condition, Symptom
from bedside.envs.intents import ATTRIBUTES, Intent
from bedside.envs.speech.asking import MOST_NEW, Asking
from bedside.envs.speech.denial import deniable
from bedside.envs.speech.grammar import listed
from bedside.envs.speech.history import HISTORY, lists_examples
from bedside.envs.speech.plan import Plan, Say
from bedside.envs.speech.record import Record
from bedside.envs.speech.state import State
from bedside.verifier.language.text import content_stems

__all__ = ["answer"]

_GENERAL = ("sx:pain", "sx:discomfort", "sx:malaise", "sx:unwell")
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
_DOING_THEN = ("you were doing", "were you doing", "you doing when", "up to when")
_ON_A_SCALE = re.compile(
    r"\b(?:scale|rate|number|zero|ten|\d+|out of|how (?:bad|severe|strong|intense|painful|much)|worst)\b"
)
_WELL = re.compile(
    r"\b(?:alright|all right|okay|ok|fine|well|good|normal(?:ly)?|properly|regular(?:ly)?|as usual)"
    r"(?=[\s,]*(?:\?|$|(?:then|for you|lately|at the moment|these days|with (?:you|that))\b))"
)
_ILL = re.compile(r"\b(?:trouble|problems?|difficult\w*|issues?|any|pain|hard|changes?|not|n't)\b|n't\b")


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
        ask = Asking(intent, record, state, heard)
        named = intent.name == "past_conditions" and intent.concept and not lists_examples(heard)
        if intent.name == "symptom_presence" or named:
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


def _presence(ask: Asking) -> list[Say]:
    concept = ask.intent.concept
    if _WELL.search(ask.heard) and not _ILL.search(ask.heard):
        return _whether_well(ask)
    facts = ask.record.named(concept, Symptom, Condition) if concept else ()
    # Words that no table knows may still be those of a fact: "is your immune system weakened?"
    facts = facts or ask.record.sharing(ask.heard, least=2 if concept else 1)
    if not facts:
        return []
    if isinstance(facts[0], Condition):
        return [Say("condition", facts[0], "condition.yes")]
    return [Say("affirm", facts[0], words="" if concept else "named")]


def _whether_well(ask: Asking) -> list[Say]:
    """Answer "sleeping alright?", where yes means that there is no such symptom."""
    concept = ask.intent.concept
    facts = ask.record.named(concept, Symptom) if concept else ask.record.sharing(ask.heard)
    return [Say("affirm", f, "affirm.general") for f in facts[:1]] or [Say("phrase", attribute="well")]


def _discussed(ask: Asking) -> Symptom | None:
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


def _detail(ask: Asking) -> list[Say]:
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


def _detail_of(fact: Symptom, name: str, ask: Asking) -> list[Say]:
    if name == "onset" and (manner := _manner(fact, ask.heard)):
        return [manner]
    if name == "onset" and fact.setting and any(words in ask.heard for words in _HOW_IT_BEGAN):
        return [Say("detail", fact, "setting")]
    if name == "onset" and any(words in ask.heard for words in _DOING_THEN):
        return [Say("phrase", fact, "none.setting")]
    if name == "timing" and (timed := _timed(fact, ask)):
        return [timed]
    if not _has(fact, name):
        modifiers = ask.record.modifiers(name)
        return [Say("affirm", modifiers[0], "affirm.general") if modifiers else Say("phrase", fact, f"none.{name}")]
    if name == "onset" and not fact.onset:
        return [Say("detail", fact, "duration", words="when" if "when" in ask.heard else "")]
    if name == "onset" and ("when" in ask.heard or "how long" in ask.heard):
        return [Say("detail", fact, name, words="when")]
    episode = name == "duration" and fact.duration and "last" in ask.heard
    effect = name == "severity" and not _ON_A_SCALE.search(ask.heard)
    return [Say("detail", fact, name, words="episode" if episode else "effect" if effect else "")]


def _timed(fact: Symptom, ask: Asking) -> Say | None:
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


def _complaint(ask: Asking) -> list[Say]:
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


def _said(main: Symptom, ask: Asking) -> bool:
    """True when the complaint's own words say what it is like: "it hurts like being crushed" needs no "crushing"."""
    complaint = content_stems(f"{ask.record.case.chief_complaint} {main.text}")
    return any(word in complaint for word in content_stems(main.character or ""))


def _new(ask: Asking) -> list[Symptom]:
    return [s for s in ask.record.symptoms if s.id not in ask.state.told]


def _associated(ask: Asking) -> list[Say]:
    return [Say("affirm", s, "more") for s in _new(ask)[:MOST_NEW]] or [Say("phrase", attribute="more.none")]


def _anything(ask: Asking) -> list[Say]:
    return [Say("affirm", s, "more") for s in _new(ask)[:1]] or [Say("phrase", attribute="more.none")]


def _talk(ask: Asking) -> list[Say]:
    return [Say("phrase", attribute=ask.intent.name, core=False)]


_ANSWERS: dict[str, Callable[[Asking], list[Say]]] = {
    "chief_complaint": _complaint,
    **dict.fromkeys(ATTRIBUTES, _detail),
    "associated": _associated,
    "anything_else": _anything,
    **HISTORY,
}
