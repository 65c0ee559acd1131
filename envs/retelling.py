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
    r"must|may|might|would|could|never|once|were|"
    r"are|notice|become|miss|lose|lost|throw|keep|urinate|pass|sleep|move|lift|gain)\b)",
    re.IGNORECASE,
)
# After these a clause begins, whatever its verb: "until you try for a baby", but "tell people around you".
_CLAUSE = re.compile(
    r"\b(if|when|whenever|while|until|before|after|once|as|because|since|unless|that|what|where|how|whether|which|so|than|time|day)"
    r" you(?= [a-z])(?! (?:from|to|and|or|at|in|on|out|with|for|the|a|an|of|by|again|too|now)\b)",
    re.IGNORECASE,
)
_OBJECT = re.compile(r"\byou\b", re.IGNORECASE)
_HOUSE = {"we": "you", "we've": "you've", "we're": "you're", "us": "you", "our": "your"}
_OF_HOUSE = re.compile(r"\b(?:we've|we're|we|us|our)\b")


def to_first_person(text: str) -> str:
    """Turn "until your doctor clears you" into "until my doctor clears me", and "call us" into "call you"."""
    text = re.sub(r"\byou are\b", "I am", text, flags=re.IGNORECASE)
    text = re.sub(r"\byou were\b", "I was", text, flags=re.IGNORECASE)
    text = re.sub(r"\b(helps?|makes?|lets?|for) you\b", r"\1 me", text, flags=re.IGNORECASE)
    text = _CLAUSE.sub(r"\1 I", _SWAP.sub(lambda m: _SWAPS[m.group().lower()], text))
    text = _OBJECT.sub("me", _SUBJECT.sub("I", text))
    return _OF_HOUSE.sub(lambda m: _HOUSE[m.group()], text)


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
    return to_first_person(rng.choice(fact.lay) if fact.lay and rng.random() < 0.5 else fact.text)


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
    said = _dosed(name, [to_first_person(str(detail)) for detail in details.values() if detail], fact.id in known)
    said = _choose(rng, "I take {}", "there's {}", "I have to take {}").format(said)
    if purpose:
        said += _choose(rng, " for {}", ", that's for {}").format(to_first_person(purpose))
    return said + (_caution(cautions[0], rng) if cautions else "")


def _dosed(name: str, details: list[str], named: bool) -> str:
    """A drug with what is known of taking it: "lanolin, a thin layer on the skin", but "aspirin 81 mg by mouth"."""
    if not details or (named and not _PORTION.match(details[0])):
        return " ".join((name, *details))
    return f"{name}, {' '.join(details)}"


_PORTION = re.compile(
    r"(?:an?|half|one|the)\b|"
    r"[\d./]+ (?:tablets?|capsules?|puffs?|sprays?|drops?|patch(?:es)?|pills?|packets?|strips?)\b"
)


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
    said, *more = text.split("; ")
    if _commands(said):
        told = f", and {_duty(said, rng)}"
    else:
        told = f", and it {said}" if _OF_THE_DRUG.match(said) else f", and {said}"
    return told + "".join(f", and {_duty(part, rng)}" if _commands(part) else f"; {part}" for part in more)


def _commands(text: str) -> bool:
    """True for something to do: "mix it in water", but not for "traces pass into the milk"."""
    return text.partition(" ")[0] in (*_IMPERATIVES, "never") or bool(_COMMAND.match(text))


_COMMAND = re.compile(
    r"(?!(?:a|an|the|it|this|that|only|not|no|is|was|can|may|for|if|when|with|do)\b)[a-z]+(?<!s)(?<!ed)(?<!ing) "
    r"(?:it|them|the|my|an?|for|off|out)\b"
)


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
    did = "they gave me {}" if given else "they put in {}" if _DEVICE.search(name) else "they did {}"
    said = _choose(rng, "I had {}", did).format(_one(name))
    return said + (f" and {_found(result, several=_several(name))}" if result else "")


_DEVICE = re.compile(
    r"^[^,]*?\b(?:line|catheter|tube|drain|stent|port|pacemaker|shunt|filter)(?= (?:in|into|to|through|for)\b|$)"
)


def _one(name: str) -> str:
    """A thing that was done with its article: "a CT scan", "the third round", "blood tests"."""
    named = with_article(name)
    plain = _UNCOUNTED.search(name) or _DETERMINED.match(name) or _DOING.match(name)
    bare = named == name and not _several(name) and not plain
    return f"the {name}" if bare else named


_UNCOUNTED = re.compile(
    r"\b(?:therapy|surgery|care|monitoring|chemotherapy|rest|fluids?|oxygen|water|medicine|iron|magnesium|steroids|"
    r"insulin|thiamine|nutrition|exercise|ventilation|support)\b"
)
_DOING = re.compile(r"\w+ing (?:flat|still|up|down|in|on|out|with|without)\b")
_DETERMINED = re.compile(
    r"(?:an?|the|my|some|one|each|both|two|three|four|\d+|high-dose|intravenous|IV)\b", re.IGNORECASE
)


def _several(name: str) -> bool:
    head = re.split(r" (?:of|in|for|to|from|through|on|with|under)\b", name, maxsplit=1)[0]
    return bool(re.search(r"[a-z]s$", head)) and not re.search(r"(?:ss|us|is)$", head)


def _found(result: str, *, several: bool = False, who: str = "") -> str:
    """Say "it showed a clot", but "they were normal" and "the stones came out"."""
    if _SAYS_ITSELF.match(result):
        return result
    state = re.match(
        r"(?:(?:\w+ly|all|both|not|very|much|far|near|back to) )?"
        r"(?:raised|normal|high|low|higher|lower|positive|negative|clear|"
        r"down|up|mild|clean|fine|good|abnormal)"
        r"(?:$|[,;]| (?:\w+ times|twice|so far|from|for|again|the|in|on|at|with|but|and|back|now|than|by|to|all)\b)",
        result,
    )
    # "Potassium 3.1" is how it is written; said, it is "potassium at 3.1".
    result = _READING.sub(r"\1 at \2", result)
    it, be = ("they", "were") if several else ("it", "was")
    if _TURNED_OUT.match(result):
        return f"{who or it} {result}"
    return f"{who or it} {be if state else 'showed'} {result}"


_SAYS_ITSELF = re.compile(
    r"(?!\d)(?:(?!when\b|that\b|which\b|who\b|where\b)[\w-]+ ){1,6}(?:was|were|fell|came|had|went|closed)\b|"
    r"(?:it|they|this|both|all) (?:is|are|has|have)\b"
)
_TURNED_OUT = re.compile(r"(?:grew|fell|rose|dropped|confirmed|falls|rises|drops) ")
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
            # "Do not lift things, and give up sports": the second is to be done.
            shunned, comma, done = duty[len(negative) :].partition(", and ")
            if comma and not _commands(done):
                shunned, done = duty[len(negative) :], ""
            said = _choose(rng, "I shouldn't {}", "I'm not supposed to {}", "I must not {}").format(shunned)
            return f"{said}, and I should {done}" if done else said
    return _choose(rng, "I should {}", "I'm supposed to {}", "I need to {}").format(duty)


_IN_CASE = re.compile(r"((?:for|if|when|after|before|until|once|while|with|on|at)\b[^,]*), (.+)")


def _alarm(fact: ReturnSign, rng: Random) -> str:
    act = {
        "911": ("call 911", "call 911 right away"),
        "emergency": ("come back to the hospital", "go to the emergency room", "come right back"),
        "clinic": ("call the clinic", "call the office"),
    }[fact.urgency]
    when = rng.choice(("if I have", "if I get", "if there's"))
    sign = to_first_person(_lowered(fact.text))
    if _STATE.match(sign):
        when, sign = "if I'm", sign.removeprefix("being ")
    return f"I {rng.choice(act)} {when} {sign}"


# "Being hard to wake", "not waking up", "soaking a pad an hour" are what one is or does, not what one has.
_STATE = re.compile(
    r"being |not \w+ing\b|(?:soaking|throwing|coughing|passing|losing|bleeding) (?:a|an|the|my|up|through|\d)"
)


def _visit(fact: FollowUp, known: Set[str], rng: Random) -> str:
    when = fact.when if f"{fact.id}.when" in known else None
    purpose = fact.purpose if f"{fact.id}.purpose" in known else None
    if fact.id not in known and not when:
        return ""
    whom = to_first_person(fact.text) if fact.id in known else _choose(rng, "somebody", "some doctor")
    if not whom.startswith(("my ", "some", "the ")) and not _NO_ARTICLE.search(whom):
        whom = f"the {whom}"
    if fact.id in known and not _SEEN.search(whom):
        said = _choose(rng, "I have {}", "there's {}", "I go to {}").format(whom)
    else:
        said = _choose(rng, "I see {}", "I have an appointment with {}", "I'm going to see {}").format(whom)
    said += f" {when}" if when else ""
    if purpose and _TO_LEARN.match(purpose):
        return f"{said} to find out {to_first_person(purpose)}"
    return said + (f" for {to_first_person(purpose)}" if purpose else "")


_TO_LEARN = re.compile(r"(?:how|whether|what|when|which|if|why)\b")
_NO_ARTICLE = re.compile(
    r"\b(?:therapy|physiotherapy|radiology|imaging|health|dialysis|rehabilitation|rehab|counseling|counselling|hospice)$"
)
_SEEN = re.compile(
    r"\b(?:doctor|clinic|nurse|dentist|specialist|surgeon|counselor|therapist|team|office|somebody|\w+ologist)\b"
)


def joined(clauses: Iterable[str], rng: Random) -> str:
    """Make sentences of clauses, the way people list things while thinking."""
    said = [c for c in clauses if c]
    sentences = []
    for number, clause in enumerate(map(_varied, said, ("", *said))):
        lead = "" if number == 0 else _choose(rng, "", "", "And ", "Then ", "And ")
        text = lead + (clause if lead else clause[0].upper() + clause[1:])
        sentences.append(text + ".")
    return " ".join(sentences)


def _varied(clause: str, before: str) -> str:
    """Name a second illness without saying again that this is its name."""
    named, earlier = _CALLED.match(clause), _CALLED.match(before)
    return f"they also found {clause[named.end() :]}" if named and earlier else clause


_CALLED = re.compile(r"(?:they called it|what I had is called|the name for it is) ")
