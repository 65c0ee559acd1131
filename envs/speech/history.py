"""What the record answers about the past and the life around the illness: drugs, illnesses, family, habits, home."""

import re
from collections.abc import Callable

from bedside.cases.fact import Allergy, AnyFact, Condition, FamilyHistory, Medication, SocialHistory
from bedside.envs.intents import HABITS
from bedside.envs.speech.asking import MOST_NEW, YES_OR_NO, Asking
from bedside.envs.speech.grammar import with_article
from bedside.envs.speech.plan import Say
from bedside.verifier.language.text import content_stems

__all__ = ["HISTORY", "lists_examples"]

_WORKING_AGE = 14
_TAKES_THEM = re.compile(
    r"\b(?:manage to|remember to|actually|really|always|regularly|as prescribed|every day|each day|miss(?:ed|ing)?|"
    r"skip\w*|forget\w*|keep up with|stick to)\b"
)
_HEADING = re.compile(
    r"\b(?:(?:medical|health|other|chronic|long[- ]?term|serious|past|ongoing|underlying|existing) )+"
    r"(?:\w+ )?(?:problems?|conditions?|illness\w*|issues?|histor\w+|diagnos\w+|diseases?|background|concerns)\b"
    r"(?! (?:with|of|in) (?:your|the|a|an)\b)|\banything like that\b|\bdiagnosed with anything\b"
)
_COPES = re.compile(r"\b(?:getting by|manag\w+|coping|cope|(?:okay|ok|alright|all right|fine) (?:with|at|by|on))\b")
_PERSON = re.compile(
    r"\b(?:any(?:one|body)|some(?:one|body)|others?|people|famil\w+|friends?|colleagues?|coworkers?|contacts?)\b"
)


def lists_examples(heard: str) -> bool:
    """True for "any health problems, heart, lungs, diabetes, anything like that?", which asks for all there are."""
    heading = _HEADING.search(heard)
    return bool(heading and ("anything like" in heard or heard[heading.end() :].lstrip(" a-z")[:1] in (",", ":", "-")))


def _medications(ask: Asking) -> list[Say]:
    if ask.intent.concept:
        facts = ask.record.named(ask.intent.concept, Medication)
        if not facts and (habits := [f for f in ask.record.social_about("drugs") if ask.record.touches(ask.heard, f)]):
            return [_circumstance(f, ask) for f in habits]
        return [
            Say("drug", facts[0], "drug.yes", _safe_name(facts[0], ask))
            if facts
            else Say("phrase", attribute="drug.no")
        ]
    taken = [Say("drugs", f, "drugs.list", _safe_name(f, ask)) for f in ask.record.medications]
    return taken or [Say("phrase", attribute="drugs.none")]


def _safe_name(drug: AnyFact, ask: Asking) -> str:
    """The clinical name of a drug whose lay name would tell what the doctor is to find; else nothing."""
    return drug.text if any(ask.record.gives_away(form) for form in drug.lay[:1]) else ""


def _dose(ask: Asking) -> list[Say]:
    named = ask.intent.concept
    facts: tuple[AnyFact, ...] = ask.record.named(named, Medication) if named else ask.record.medications
    if facts and not named and _TAKES_THEM.search(ask.heard) and "how" not in ask.heard.split():
        return [Say("phrase", attribute="drugs.taken")]
    if not facts:
        return [Say("phrase", attribute="drug.no" if named else "dose.nodrug")]
    return [Say("dose", f, words=_safe_name(f, ask)) for f in facts[:3]]


def _allergies(ask: Asking) -> list[Say]:
    named = ask.intent.concept
    facts: tuple[AnyFact, ...] = ask.record.named(named, Allergy) if named else ask.record.allergies
    if not facts and not named:
        prone = [c for c in ask.record.conditions if "allerg" in c.text.lower()]
        if prone:
            return [Say("condition", c) for c in prone[:MOST_NEW]]
    reaction = "reaction" if any(words in ask.heard for words in ("reaction", "happen", "what does")) else ""
    return [Say("allergy", f, words=reaction) for f in facts[:2]] or [Say("phrase", attribute="allergy.none")]


def _conditions(ask: Asking) -> list[Say]:
    if YES_OR_NO.search(ask.heard) and not _HEADING.search(ask.heard) and _specific(ask.heard):
        facts = ask.record.sharing(ask.heard)
        return [Say("condition" if isinstance(f, Condition) else "affirm", f, words="named") for f in facts] or [
            Say("phrase", attribute="deny.bare")
        ]
    new = [c for c in ask.record.conditions if c.id not in ask.state.told] or list(ask.record.conditions)
    return [Say("condition", f) for f in new[:MOST_NEW]] or [Say("phrase", attribute="condition.none")]


def _specific(heard: str) -> bool:
    """True where a question about illness says which, in words that no table may know: "any defect of your heart?"."""
    return any(stem not in _ANY_ILLNESS and len(stem) > 2 for stem in content_stems(heard))


_ANY_ILLNESS = frozenset(
    content_stems(
        "medical health problem condition illness disease disorder history diagnosis diagnosed doctor told "
        "tell treated treatment ever have had been before past previous long chronic serious major ongoing "
        "current other anything something else suffer suffered issue know should aware general generally "
        "healthy well sick ill hospital hospitalized admitted admission stay stayed time years see seeing "
        "seen specialist any childhood child kid growing significant underlying existing known preexisting "
        "medically okay alright right now today otherwise usually normally regular regularly take care "
        "checkup need needed really very long-term longstanding"
    )
)


def _procedures(ask: Asking) -> list[Say]:
    facts: tuple[AnyFact, ...] = ask.record.procedures
    if ask.intent.concept:
        facts = ask.record.named(ask.intent.concept, *{type(p) for p in facts})
    return [Say("procedure", f) for f in facts[:MOST_NEW]] or [Say("phrase", attribute="procedure.none")]


def _family(ask: Asking) -> list[Say]:
    if ask.intent.concept:
        facts = ask.record.named(ask.intent.concept, FamilyHistory)
        return [Say("relative", f) for f in facts[:1]] or [Say("phrase", attribute="family.named.none")]
    return [Say("relative", f) for f in ask.record.family[:3]] or [Say("phrase", attribute="family.none")]


def _habit(ask: Asking) -> list[Say]:
    name, who = ask.intent.name, ask.record.case.demographics
    if facts := ask.record.social_about(name):
        return [_circumstance(f, ask) for f in facts[:2]]
    if name == "living" and _COPES.search(ask.heard):
        return [_circumstance(f, ask) for f in facts[:1]] or [Say("phrase", attribute="well")]
    if name in ("occupation", "living") and YES_OR_NO.search(ask.heard):
        shared = ask.record.sharing(ask.heard, habits=True)
        return [_told_of(f, ask) for f in shared] or [Say("phrase", attribute="deny.bare")]
    if name == "occupation" and who.occupation:
        return [Say("say", words=f"I'm {with_article(who.occupation, always=True)}")]
    if name == "occupation" and who.age is not None and who.age < _WORKING_AGE:
        return [Say("phrase", attribute="occupation.child")]
    return [Say("phrase", attribute="drugs.none.use" if name == "drugs" else f"{name}.none")]


def _circumstance(fact: SocialHistory, ask: Asking) -> Say:
    """A circumstance told, or just confirmed where the question already named it."""
    named = YES_OR_NO.search(ask.heard) and ask.record.shares(ask.heard, fact) and not ask.record.abstains(fact)
    return Say("social", fact, words="yes" if named and len(ask.heard.split()) > 2 else "")


def _told_of(fact: AnyFact, ask: Asking) -> Say:
    return _circumstance(fact, ask) if isinstance(fact, SocialHistory) else Say("affirm", fact, words="named")


_WITH_OTHERS = re.compile(
    r"\b(?:contact|someone|somebody|others?|people|children|coworkers?|partner|sick|ill|fever|near)\b"
)


def _age(ask: Asking) -> list[Say]:
    age = ask.record.case.demographics.age
    if age is None:
        return [Say("phrase", attribute="age.unsaid")]
    return [Say("phrase", attribute="age", words=str(age)) if age else Say("phrase", attribute="age.infant")]


def _other(ask: Asking) -> list[Say]:
    topic = (ask.intent.concept or "").removeprefix("topic:")
    if topic == "pregnancy" and (known := [f for f in ask.record.conditions if "pregnan" in f.text]):
        return [Say("condition", known[0], "condition.yes", words="named")]
    if topic and (facts := ask.record.social_about(topic)):
        if topic == "exposure" and _PERSON.search(ask.heard):
            # Who attends a daycare has not said that anybody there is ill.
            facts = tuple(f for f in facts if _WITH_OTHERS.search(f.text) and ask.record.touches(ask.heard, f))
        return [_circumstance(f, ask) for f in facts[:2]] or [Say("phrase", attribute="deny.bare")]
    if topic in ("exam", "ideas", "fears"):
        return [Say("phrase", attribute=topic)]
    if ask.intent.asked and (shared := ask.record.sharing(ask.heard, 1 if topic else 2, habits=True)):
        return [_told_of(f, ask) for f in shared]
    if topic:
        return [Say("phrase", attribute="other.none")]
    return [Say("phrase", attribute="other.open" if ask.intent.asked else "explanation", core=False)]


HISTORY: dict[str, Callable[[Asking], list[Say]]] = {
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
"""By intent."""
