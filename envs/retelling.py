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
from bedside.envs.speech.grammar import with_article

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
    unnamed = "one of the pills" if "mouth" in (fact.route or "") else "one of the medicines"
    name = fact.text if fact.id in known else _choose(rng, unnamed, "that other medicine", "one medicine")
    if details.get("duration") and not str(details["duration"]).startswith("for"):
        details["duration"] = f"for {details['duration']}"
    if details.get("frequency"):
        details["frequency"] = re.sub(r"\b(once|twice|times) (daily|weekly)\b", _by_the_day, str(details["frequency"]))
    said = " ".join(filter(None, (name, *details.values())))
    said = _choose(rng, "I take {}", "there's {}", "I have to take {}").format(said)
    if purpose:
        said += _choose(rng, " for {}", ", that's for {}").format(to_first_person(purpose))
    return said + (_caution(cautions[0], rng) if cautions else "")


def _by_the_day(match: re.Match[str]) -> str:
    return f"{match[1]} a {'day' if match[2] == 'daily' else 'week'}"


_IMPERATIVES = frozenset(
    "apply ask avoid breathe bring brush call carry change check chew chill clean come count cut do don't double drink "
    "eat finish follow get give go have hold inject keep leave let lie limit look lower make measure move never pat "
    "pour prime protect put raise read remove replace report return rinse rotate see shake sit skip sleep space stand "
    "start stay stop store swallow swish take talk tell test throw try turn use wait walk wash watch wear "
    "weigh write".split()
)
_OF_THE_DRUG = re.compile(r"(?:can|may|might|could|will|should not|must not|is|has|works|takes|[a-z]{3,}s) ")


def _caution(text: str, rng: Random) -> str:
    """A precaution as it was said: something to do, what the drug does, or a remark of its own."""
    if text.partition(" ")[0] in _IMPERATIVES:
        return f", and {_duty(text, rng)}"
    return f", and it {text}" if _OF_THE_DRUG.match(text) else f", and {text}"


def _done(fact: Test | Procedure, known: Set[str], rng: Random) -> str:
    result = fact.result if f"{fact.id}.result" in known else None
    if fact.id not in known:
        return _found(result, who="one test") if result else ""
    name = _name(fact, rng)
    if re.match(r"\w+ing (?:the|a|an|out|and|of|labor|packing)\b", name):
        # "I had the closing the hole" is nobody's English.
        return _choose(rng, "part of it was {}", "what they did was {}").format(name) + (
            f", and {_found(result)}" if result else ""
        )
    given = isinstance(fact, Procedure) and "transfusion" in name
    said = _choose(rng, "I had {}", "they gave me {}" if given else "they did {}").format(_one(name))
    return said + (f" and {_found(result, several=_several(name))}" if result else "")


def _one(name: str) -> str:
    """A thing that was done with its article: "a CT scan", "the third round", "blood tests"."""
    named = with_article(name)
    bare = named == name and not _several(name) and not _UNCOUNTED.search(name) and not _DETERMINED.match(name)
    return f"the {name}" if bare else named


_UNCOUNTED = re.compile(
    r"\b(?:therapy|surgery|care|monitoring|chemotherapy|rest|fluids?|oxygen|water|medicine|iron|magnesium|steroids|"
    r"insulin|thiamine|nutrition|exercise|ventilation|support)\b"
)
_DETERMINED = re.compile(r"(?:an?|the|my|some|two|three|four|\d+|high-dose|intravenous|IV)\b", re.IGNORECASE)


def _several(name: str) -> bool:
    head = re.split(r" (?:of|in|for|to|from|through|on|with|under)\b", name, maxsplit=1)[0]
    return bool(re.search(r"[a-z]s$", head)) and not re.search(r"(?:ss|us|is)$", head)


def _found(result: str, *, several: bool = False, who: str = "") -> str:
    """Say "it showed a clot", but "they were normal" and "the stones came out"."""
    if re.match(r"(?:[\w-]+ ){1,6}(?:was|were|fell|came|had|went|closed)\b", result):
        return result
    state = re.match(
        r"(?:(?:\w+ly|not|very|much|far|near|back to) )?(?:raised|normal|high|low|higher|lower|positive|negative|clear|"
        r"down|up|mild|clean|fine|good|abnormal)"
        r"(?:$|[,;]| (?:from|for|again|the|in|on|at|with|but|and|back|now|than|by|to|all)\b)",
        result,
    )
    # "Potassium 3.1" is how it is written; said, it is "potassium at 3.1".
    result = _READING.sub(r"\1 at \2", result)
    it, be = ("they", "were") if several else ("it", "was")
    return f"{who or it} {be if state else 'showed'} {result}"


_READING = re.compile(
    r"^((?:[a-z-]+ )*(?!(?:of|at|to|from|about|around|over|under|below|above|by|than|only|nearly|almost|for|in|on|"
    r"with|and|was|were|until|after|all|least|most|stage|grade|type|class|level|day|every|the)\b)[a-z-]+[a-z]) (\d)"
)


def _treated(fact: Treatment, known: Set[str], rng: Random) -> str:
    if fact.id not in known:
        return ""
    said = _choose(rng, "I got {}", "they gave me {}", "they treated me with {}").format(_one(_name(fact, rng)))
    return said + (f" for {to_first_person(fact.purpose)}" if fact.purpose and f"{fact.id}.purpose" in known else "")


def _duty(text: str, rng: Random) -> str:
    duty = re.sub(r"\b(and|but) (?:do not|don't)\b", r"\1 not", to_first_person(_lowered(text)))
    if (case := _IN_CASE.match(duty)) and case[2].split()[0] in (*_IMPERATIVES, "never"):
        return f"{case[1]}, {_duty(case[2], rng)}"
    for negative in ("do not ", "don't ", "never "):
        if duty.startswith(negative):
            return _choose(rng, "I shouldn't {}", "I'm not supposed to {}", "I must not {}").format(
                duty[len(negative) :]
            )
    return _choose(rng, "I should {}", "I'm supposed to {}", "I need to {}").format(duty)


_IN_CASE = re.compile(r"((?:for|if|when|after|before|until|once|while|with|on|at)\b[^,]*), (.+)")


def _alarm(fact: ReturnSign, rng: Random) -> str:
    act = {
        "911": ("call 911", "call 911 right away"),
        "emergency": ("come back to the hospital", "go to the emergency room", "come right back"),
        "clinic": ("call the clinic", "call the office"),
    }[fact.urgency]
    when = rng.choice(("if I have", "if I get", "if there's"))
    return f"I {rng.choice(act)} {when} {to_first_person(_lowered(fact.text))}"


def _visit(fact: FollowUp, known: Set[str], rng: Random) -> str:
    when = fact.when if f"{fact.id}.when" in known else None
    purpose = fact.purpose if f"{fact.id}.purpose" in known else None
    if fact.id not in known and not when:
        return ""
    whom = to_first_person(fact.text) if fact.id in known else _choose(rng, "somebody", "some doctor")
    if not whom.startswith(("my ", "some", "the ")):
        whom = f"the {whom}"
    if fact.id in known and not _SEEN.search(whom):
        said = _choose(rng, "I have {}", "there's {}", "I go to {}").format(whom)
    else:
        said = _choose(rng, "I see {}", "I have an appointment with {}", "I'm going to see {}").format(whom)
    return said + (f" {when}" if when else "") + (f" for {to_first_person(purpose)}" if purpose else "")


_SEEN = re.compile(
    r"\b(?:doctor|clinic|nurse|dentist|specialist|surgeon|counselor|therapist|team|office|somebody|\w+ologist)\b"
)


def joined(clauses: Iterable[str], rng: Random) -> str:
    """Make sentences of clauses, the way people list things while thinking."""
    said = [c for c in clauses if c]
    sentences = []
    for number, clause in enumerate(said):
        lead = "" if number == 0 else _choose(rng, "", "", "And ", "Then ", "And ")
        text = lead + (clause if lead else clause[0].upper() + clause[1:])
        sentences.append(text + ".")
    return " ".join(sentences)
