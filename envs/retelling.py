"""How a patient says in their own words what they have learned: one plan fact, as far as it is remembered."""

import re
from collections.abc import Iterable, Set
from random import Random

from bedside.cases.case import Case
from bedside.cases.fact import (
    AnyFact,
    Condition,
    FollowUp,
    Instruction,
    Medication,
    Procedure,
    ReturnSign,
    Test,
    Topic,
    Treatment,
)

__all__ = ["RECALL_AREAS", "areas_of", "joined", "retell", "to_first_person"]

RECALL_AREAS: dict[str, tuple[Topic, ...]] = {
    "diagnosis": (Topic.DIAGNOSIS,),
    "treatments": (Topic.TREATMENTS,),
    "post_discharge": (Topic.POST_DISCHARGE,),
    "follow_up": (Topic.FOLLOW_UP,),
    "return_signs": (Topic.RETURN_SIGNS,),
    "medications": (Topic.MEDICATION,),
}
"""The six recall questions of DischargeBench (table 6) and the topics they ask for."""

_SWAPS = {"yourself": "myself", "your": "my", "yours": "mine", "you're": "I'm", "you've": "I've", "you'll": "I'll"}
_SWAP = re.compile(r"\b(yourself|yours|your|you're|you've|you'll)\b", re.IGNORECASE)
# "You" before a verb speaks of who acts; elsewhere of who is acted on.
_SUBJECT = re.compile(
    r"\byou(?= (?:have|had|can|could|feel|felt|see|saw|need|take|took|get|got|do|did|start|stop|go|know|want|use|drink|"
    r"eat|walk|stand|cough|breathe|lie|sit|wake|bleed|vomit|run|finish|leave|return|think|cannot|can't|will|should|"
    r"must|were|"
    r"are|notice|become|miss|lose|lost|throw|keep|urinate|pass|sleep|move|lift|gain)\b)",
    re.IGNORECASE,
)
_OBJECT = re.compile(r"\byou\b", re.IGNORECASE)


def to_first_person(text: str) -> str:
    """Turn "until your doctor clears you" into "until my doctor clears me"."""
    text = re.sub(r"\byou are\b", "I am", text, flags=re.IGNORECASE)
    text = re.sub(r"\byou were\b", "I was", text, flags=re.IGNORECASE)
    text = re.sub(r"\b(helps?|makes?|lets?|for) you\b", r"\1 me", text, flags=re.IGNORECASE)
    return _OBJECT.sub("me", _SUBJECT.sub("I", _SWAP.sub(lambda m: _SWAPS[m.group().lower()], text)))


def _lowered(text: str) -> str:
    text = text.strip().rstrip(".")
    return text[0].lower() + text[1:] if len(text) > 1 and not text[1].isupper() else text


def areas_of(case: Case) -> tuple[str, ...]:
    """Return the recall areas that apply to a case."""
    topics = {item.topic for item in case.plan_items.values()}
    return tuple(area for area, wanted in RECALL_AREAS.items() if topics & set(wanted))


def retell(fact: AnyFact, known: Set[str], rng: Random) -> str:
    """Say what is remembered of a fact.

    Args:
        fact: Of the plan.
        known: Ids of the plan items that are remembered.
        rng: Chooses among wordings.

    Returns:
        A clause without final punctuation; empty when nothing of it is remembered.
    """
    match fact:
        case Medication():
            return _medication(fact, known, rng)
        case Condition():
            return (
                _choose(rng, "they called it {}", "what I had is called {}", "the name for it is {}").format(
                    _name(fact, rng)
                )
                if fact.id in known
                else ""
            )
        case Test() | Procedure():
            return _done(fact, known, rng)
        case Treatment():
            return _treated(fact, known, rng)
        case Instruction():
            return _duty(fact.text, rng) if fact.id in known else ""
        case ReturnSign():
            return _alarm(fact, rng) if fact.id in known else ""
        case FollowUp():
            return _visit(fact, known, rng)
    return ""


def _choose(rng: Random, *wordings: str) -> str:
    return rng.choice(wordings)


def _name(fact: AnyFact, rng: Random) -> str:
    return rng.choice(fact.lay) if fact.lay and rng.random() < 0.5 else fact.text


def _medication(fact: Medication, known: Set[str], rng: Random) -> str:
    details = {a: getattr(fact, a) for a in ("dose", "route", "frequency", "duration") if f"{fact.id}.{a}" in known}
    purpose = fact.purpose if f"{fact.id}.purpose" in known else None
    if fact.change == "stopped":
        if fact.id not in known:
            return ""
        why = f" because {to_first_person(purpose)}" if purpose else ""
        return (
            _choose(
                rng,
                "I don't take {} anymore",
                "I stop taking {}",
                "{} is stopped, so I don't take it anymore",
            ).format(fact.text)
            + why
        )
    cautions = [
        to_first_person(_lowered(text))
        for n, text in enumerate(fact.precautions, 1)
        if f"{fact.id}.precaution{n}" in known
    ]
    if fact.id not in known and not (details or purpose):
        return ""
    name = fact.text if fact.id in known else _choose(rng, "one of the pills", "that other medicine", "one medicine")
    if details.get("duration") and not str(details["duration"]).startswith("for"):
        details["duration"] = f"for {details['duration']}"
    said = " ".join(filter(None, (name, *details.values())))
    said = _choose(rng, "I take {}", "there's {}", "I have to take {}").format(said)
    if purpose:
        said += f" for {to_first_person(purpose)}"
    return said + (_caution(cautions[0], rng) if cautions else "")


def _caution(text: str, rng: Random) -> str:
    if text.startswith(("can ", "may ", "might ", "slows ", "causes ", "helps ")):
        return f", and it {text}"
    return f", and {_duty(text, rng)}"


def _done(fact: Test | Procedure, known: Set[str], rng: Random) -> str:
    result = fact.result if f"{fact.id}.result" in known else None
    if fact.id not in known:
        return f"one test {_found(result)}" if result else ""
    said = _choose(rng, "I had the {}", "they did the {}", "they did that {}").format(_name(fact, rng))
    return said + (f" and it {_found(result)}" if result else "")


def _found(result: str) -> str:
    """Say "showed a clot", but "was normal"."""
    state = re.match(
        r"(?:\w+ly )?(?:raised|normal|high|low|positive|negative|clear|very|much|down|up|near|far|mild|back|not)\b",
        result,
    )
    return f"was {result}" if state else f"showed {result}"


def _treated(fact: Treatment, known: Set[str], rng: Random) -> str:
    if fact.id not in known:
        return ""
    said = _choose(rng, "I got {}", "they gave me {}", "they treated me with {}").format(_name(fact, rng))
    return said + (f" for {to_first_person(fact.purpose)}" if fact.purpose and f"{fact.id}.purpose" in known else "")


def _duty(text: str, rng: Random) -> str:
    duty = to_first_person(_lowered(text))
    for negative in ("do not ", "don't ", "never "):
        if duty.startswith(negative):
            return _choose(rng, "I shouldn't {}", "I'm not supposed to {}", "I must not {}").format(
                duty[len(negative) :]
            )
    return _choose(rng, "I should {}", "I'm supposed to {}", "I need to {}").format(duty)


def _alarm(fact: ReturnSign, rng: Random) -> str:
    act = {
        "911": ("call 911", "call 911 right away"),
        "emergency": ("come back to the hospital", "go to the emergency room", "come right back"),
        "clinic": ("call the clinic", "call the office"),
    }[fact.urgency]
    return f"I {rng.choice(act)} if I have {to_first_person(_lowered(fact.text))}"


def _visit(fact: FollowUp, known: Set[str], rng: Random) -> str:
    when = fact.when if f"{fact.id}.when" in known else None
    purpose = fact.purpose if f"{fact.id}.purpose" in known else None
    if fact.id not in known and not when:
        return ""
    whom = to_first_person(fact.text) if fact.id in known else _choose(rng, "somebody", "some doctor")
    if not whom.startswith(("my ", "some", "the ")):
        whom = f"the {whom}"
    said = _choose(rng, "I see {}", "I have an appointment with {}", "I go and see {}").format(whom)
    return said + (f" {when}" if when else "") + (f" for {to_first_person(purpose)}" if purpose else "")


def joined(clauses: Iterable[str], rng: Random) -> str:
    """Make sentences of clauses, the way people list things while thinking."""
    said = [c for c in clauses if c]
    sentences = []
    for number, clause in enumerate(said):
        lead = "" if number == 0 else _choose(rng, "", "", "And ", "Then ", "And ")
        text = lead + (clause if lead else clause[0].upper() + clause[1:])
        sentences.append(text + ".")
    return " ".join(sentences)
