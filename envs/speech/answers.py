"""From intents to an utterance plan: what this record answers to what was asked, and nothing more.

The record is a closed world. What it lists is affirmed, what it does not list is denied, and a detail that it leaves
open is not known.
"""

from collections.abc import Callable

from bedside.cases.fact import Allergy, AnyFact, Condition, FamilyHistory, Medication, Symptom
from bedside.envs.intents import ATTRIBUTES, Intent
from bedside.envs.speech.denial import deniable
from bedside.envs.speech.grammar import listed
from bedside.envs.speech.plan import Plan, Say
from bedside.envs.speech.record import Record
from bedside.envs.speech.state import State

__all__ = ["answer"]

_GENERAL = ("sx:pain", "sx:discomfort", "sx:malaise", "sx:unwell")
MOST_NEW = 2
"""Facts that an open question brings out at once; a real patient names a few and waits."""


def answer(intents: tuple[Intent, ...], record: Record, state: State, heard: str) -> Plan:
    """Plan an answer.

    Args:
        intents: What was understood.
        record: What there is to tell.
        state: Where the talk stands.
        heard: The doctor's words, lower case.

    Returns:
        Things to say, in the order of the questions.
    """
    plan: list[Say] = []
    denied: list[Intent] = []
    asked = [i for i in intents if i.asked]
    for intent in asked or intents:
        if intent.name in ("symptom_presence", "past_conditions") and intent.concept:
            said = _presence(intent, record)
            if said:
                plan += [s for s in said if s not in plan]
            else:
                denied.append(intent)
            continue
        plan += [s for s in _ANSWERS.get(intent.name, _talk)(intent, record, state, heard) if s not in plan]
    if denied:
        plan.append(_denial(denied, record, after=bool(plan)))
    return tuple(plan)


def _denial(denied: list[Intent], record: Record, *, after: bool) -> Say:
    """Deny by name what was asked along with what is there; alone, a bare "no" will often do."""
    names = list(dict.fromkeys(filter(None, (deniable(i, record.grounded) for i in denied))))
    if len(names) < len(set(denied)):
        return Say("phrase", attribute="deny.rest" if after else "deny.bare")
    return Say("phrase", attribute="deny.but" if after else "deny", words=listed(names, "or"))


def _presence(intent: Intent, record: Record) -> list[Say]:
    facts = record.named(intent.concept or "", Symptom, Condition)
    if not facts:
        return []
    fact = facts[0]
    if isinstance(fact, Condition):
        return [Say("condition", fact, "condition.yes")]
    return [Say("affirm", fact)]


def _symptom(intent: Intent, record: Record, state: State, heard: str) -> tuple[Symptom | None, bool]:
    """The symptom that a question about a detail is about, and whether the record has it."""
    if intent.concept and intent.concept not in _GENERAL:
        facts = record.named(intent.concept, Symptom)
        return (facts[0], True) if facts and isinstance(facts[0], Symptom) else (None, False)
    focus = next((s for s in record.symptoms if s.id == state.focus), record.main)
    if focus is not None and not _has(focus, intent.name):
        known = [s for s in record.symptoms if s.id in state.told and _has(s, intent.name)]
        main = [record.main] if record.main and _has(record.main, intent.name) else []
        focus = (known or main or [focus])[0]
    return focus, True


def _has(fact: Symptom, name: str) -> bool:
    if name in ("onset", "duration"):
        return bool(fact.onset or fact.duration)
    return getattr(fact, name) not in (None, ())


def _detail(intent: Intent, record: Record, state: State, heard: str) -> list[Say]:
    fact, known = _symptom(intent, record, state, heard)
    if not known:
        return [_denial([intent], record, after=False)]
    name = intent.name
    if fact is None:
        return [Say("phrase", attribute=f"none.{name}")]
    if name == "onset":
        if not fact.onset:
            return [Say("detail", fact, "duration")] if fact.duration else [Say("phrase", fact, "none.onset")]
        if fact.setting and any(w in heard for w in ("doing", "happen", "trigger", "brought", "leading")):
            return [Say("detail", fact, "setting")]
        return [Say("detail", fact, "onset")]
    if name == "duration" and _has(fact, name):
        episode = "last" in heard and fact.duration
        return [Say("detail", fact, "duration", words="episode" if episode else "")]
    if _has(fact, name):
        return [Say("detail", fact, name)]
    if modifiers := record.modifiers(name):
        return [Say("affirm", modifiers[0], "affirm.general")]
    return [Say("phrase", fact, f"none.{name}")]


def _complaint(intent: Intent, record: Record, state: State, heard: str) -> list[Say]:
    main = record.main
    if main is None:
        return [Say("phrase", attribute="other.open")]
    if main.id not in state.told:
        return [Say("say", main, words=record.case.chief_complaint), *([Say("detail", main, "onset")] if main.onset else [])]
    if new := _new(record, state)[:1]:
        return [Say("affirm", new[0], "more")]
    return [Say("affirm", main, "affirm.general")]


def _new(record: Record, state: State) -> list[Symptom]:
    return [s for s in record.symptoms if s.id not in state.told]


def _associated(intent: Intent, record: Record, state: State, heard: str) -> list[Say]:
    new = _new(record, state)[:MOST_NEW]
    return [Say("affirm", s, "more") for s in new] or [Say("phrase", attribute="more.none")]


def _anything(intent: Intent, record: Record, state: State, heard: str) -> list[Say]:
    new = _new(record, state)[:1]
    return [Say("affirm", s, "more") for s in new] or [Say("phrase", attribute="more.none")]


def _medications(intent: Intent, record: Record, state: State, heard: str) -> list[Say]:
    if intent.concept:
        facts = record.named(intent.concept, Medication)
        if facts:
            return [Say("drug", facts[0], "drug.yes")]
        return [Say("phrase", attribute="drug.no")]
    if not record.medications:
        return [Say("phrase", attribute="drugs.none")]
    return [Say("drugs", f, "drugs.list") for f in record.medications]


def _dose(intent: Intent, record: Record, state: State, heard: str) -> list[Say]:
    facts = record.named(intent.concept, Medication) if intent.concept else record.medications
    if not facts:
        return [Say("phrase", attribute="dose.nodrug" if not intent.concept else "drug.no")]
    return [Say("dose", f) for f in facts[:3]]


def _allergies(intent: Intent, record: Record, state: State, heard: str) -> list[Say]:
    facts: tuple[AnyFact, ...] = record.allergies
    if intent.concept:
        facts = record.named(intent.concept, Allergy)
    return [Say("allergy", f) for f in facts[:2]] or [Say("phrase", attribute="allergy.none")]


def _conditions(intent: Intent, record: Record, state: State, heard: str) -> list[Say]:
    new = [c for c in record.conditions if c.id not in state.told] or list(record.conditions)
    return [Say("condition", f) for f in new[:2]] or [Say("phrase", attribute="condition.none")]


def _procedures(intent: Intent, record: Record, state: State, heard: str) -> list[Say]:
    facts = record.named(intent.concept, *{type(p) for p in record.procedures}) if intent.concept else record.procedures
    return [Say("procedure", f) for f in facts[:2]] or [Say("phrase", attribute="procedure.none")]


def _family(intent: Intent, record: Record, state: State, heard: str) -> list[Say]:
    if intent.concept:
        facts = record.named(intent.concept, FamilyHistory)
        return [Say("relative", f) for f in facts[:1]] or [Say("phrase", attribute="family.named.none")]
    return [Say("relative", f) for f in record.family[:3]] or [Say("phrase", attribute="family.none")]


def _habit(intent: Intent, record: Record, state: State, heard: str) -> list[Say]:
    facts = record.social_about(intent.name)
    if facts:
        return [Say("social", f) for f in facts[:2]]
    if intent.name == "occupation" and record.case.demographics.occupation:
        return [Say("say", words=f"I'm a {record.case.demographics.occupation}")]
    key = "drugs.none.use" if intent.name == "drugs" else f"{intent.name}.none"
    return [Say("phrase", attribute=key)]


def _age(intent: Intent, record: Record, state: State, heard: str) -> list[Say]:
    age = record.case.demographics.age
    return [Say("phrase", attribute="age", words=str(age))] if age else [Say("phrase", attribute="age.infant")]


def _other(intent: Intent, record: Record, state: State, heard: str) -> list[Say]:
    topic = (intent.concept or "").removeprefix("topic:")
    facts = record.social_about(topic) if topic else ()
    if facts:
        return [Say("social", f) for f in facts[:2]]
    if topic in ("exam", "ideas", "fears"):
        return [Say("phrase", attribute=topic)]
    return [Say("phrase", attribute="other.none" if topic else "other.open")]


def _talk(intent: Intent, record: Record, state: State, heard: str) -> list[Say]:
    return [Say("phrase", attribute=intent.name, core=False)]


_ANSWERS: dict[str, Callable[[Intent, Record, State, str], list[Say]]] = {
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
    **dict.fromkeys(("alcohol", "tobacco", "drugs", "sexual", "occupation", "living"), _habit),
    "age": _age,
    "other": _other,
}
