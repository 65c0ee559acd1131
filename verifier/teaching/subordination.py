"""The clause under another, and whether what stands above vouches for it.

"Your doctor wants you to take", "it is important that you", "what I need you to do is": some words license the clause
below them, said by somebody who speaks for the plan and not denied. Words that no table holds license nothing.
"""

from typing import NamedTuple

from bedside.verifier.teaching.clause import ADVERBS, DEEDS, DETERMINERS, MODALS, NEGATIONS, REPORTS, Clause
from bedside.verifier.teaching.subject import Subject, befalls, is_only_named, subject_of

__all__ = ["LANGUAGE", "PERSONAL", "UNSAID", "Below", "clause_below", "is_licensed"]

UNSAID = frozenset(
    """doubt doubts wonder wonders wish wishes pretend pretends joke joking kidding dream dreams dreamed dreamt imagine
    imagining picture suppose guess guessing deny denies refuse refuses refused decline declined forget forgot fear
    fears hesitate avoid refrain regret dare bet ignore quit stop stops lie lying untrue false wrong mistake worst silly
    stupid foolish crazy mad pointless useless shame pity illegal forbidden forbid optional opposite unlikely impossible
    rumor rumour nonsense too late sings sang hate whether insurance worrying lying fool business luck
    typo error misprint""".split()
)
"""Verbs and judgments under which nothing is said to be so, or asked for."""
_RAISED = frozenset("want wants think recommend advise believe expect like suggest mean".split())
"""What is not wanted is wanted not to be; the negation belongs to the clause below."""
_UNDONE = frozenset("forget fail hesitate skip neglect miss afraid enough emphasize overstate overemphasize".split())
"""Their denial affirms: "don't forget to", "I cannot stress enough that"."""
_WISHED = frozenset(
    """like love want need recommend suggest advise ask say encourage help prefer appreciate be have urge remind
    good best great better helpful important wise safer""".split()
)
"""What "would" only makes polite."""
_LICENSED: dict[Subject, frozenset[str]] = {
    "order": frozenset(
        """sure certain remember know note try learn plan continue careful ready habit ask tell remind help keep start
        begin aim agree forget hesitate afraid teach show important point goal time effort care allow have get
        need work please be expect understand promise prepare""".split()
    ),
    "patient": frozenset(
        """need needs needed want have had going supposed able allowed meant scheduled ready due about ought get try
        trying learn continue keep start started begin remember plan agree agreed prefer like manage promise promised
        know understand help sure careful told asked advised instructed encouraged expected required prescribed welcome
        free safe better best okay ok came come went go gone return returned wait stay admitted brought taken here
        important enough likely set found find see saw learned heard hear notice expect given""".split()
    ),
    "thing": frozenset(
        """important best better safe good great okay ok fine essential vital crucial critical helpful wise key time
        necessary easy easier smart worth normal common used meant needed given taken safer plan goal aim idea job step
        thing things rule way advice reason reasons point trick hope recommendation habit means mean help helps helped
        works why what where when shows show showed found says say here there recommended advised for request
        instruction priority message orders order reminder true possible clear part set made done allowed task tells
        told wants needs matters counts like looks seems think works critical fair tempting ask tip""".split()
    ),
}
_CARE = frozenset(
    """want wants wanted need needs needed like love ask asks asked asking tell tells told telling recommend recommends
    recommended recommending advise advises advised advising suggest suggests suggested prefer prefers expect
    expects expected hope hopes hoped have has having get getting let lets help helps helping teach remind
    reminding urge urging encourage encourages encouraging instruct instructed require requires plan plans
    planned planning agree agreed agrees decide decided ordered orders prescribed prescribes say says said think
    thinks thought believe believes know knows knew feel mean means make made making put set sure start started
    starting keep keeping continue switch schedule scheduled arrange arranged booked send sending give gave
    giving show showed showing going trying try glad happy able afraid counting count rely trust trusts trusting
    begging beg forget stress emphasize stop order explain explained explaining discuss discussed found find
    care call wrote write mention mentioned see learn learned work working use used add added pleased""".split()
)
"""What those who care for a patient do with a clause below it and vouch for it; any other verb of theirs does not."""
_ALMOST = frozenset("almost nearly formerly originally".split())
_OF_BEFORE = frozenset("previous former".split())
"""Which doctor it is whose word no longer counts."""
_SCANT = frozenset("little scant".split())
_CLAUSE_STARTS = frozenset("your in on at if when after before during the".split())
_JUDGMENTS = UNSAID | _LICENSED["thing"]
LANGUAGE = frozenset(
    """say repeat spell read complete finish fill translate write copy type recite sing mumble quote pronounce answer
    guess explain imagine picture pretend ignore forget recall""".split()
)
"""Orders to do something with words, not with what they mean."""
_DUTIES = frozenset((word,) for word in ("should", "must", "ought"))
PERSONAL = frozenset("you me us him her them anyone anybody everyone people someone patients".split())
_SHOWING = frozenset("mean means show shows showed".split())
_UNNAMED = DETERMINERS | {"someone", "somebody"}
_ADJOINED = frozenset("if when because until so before after while since although".split())


class Below(NamedTuple):
    """A clause under another: the words that lead to it, and its own."""

    governor: tuple[str, ...]
    words: tuple[str, ...]
    asked: bool = False


def clause_below(clause: Clause) -> Below | None:
    """Return the clause that the verb of another leads to, if any: that "you should", "to take", "whether to"."""
    tail = (clause.verb, *clause.rest)
    if _does(clause) and clause.verb not in _LICENSED["order"] and clause.verb not in LANGUAGE:
        return None
    for at, word in enumerate(tail[:-1]):
        after = tail[at + 1]
        if word in ("whether", "if") and _is_duty(tail[at + 1 :]) and tail[at - 1] not in ("for", "about", "on"):
            return Below(tail[:at], tail[at + 1 :], asked=True)
        if word == "whether" and after in PERSONAL and tail[at + 2 : at + 3] and tail[at + 2] in DEEDS - {"have"}:
            return Below(tail[:at], tail[at + 1 :], asked="or" not in tail[at:])
        if word in _ADJOINED:
            return None
        if word == "that" and "you" in tail[at : at + 7] and _leads(clause, tail, at):
            return Below(tail[:at], tail[at + 1 :])
        if word in ("who", "people") and any(w in DEEDS for w in tail[at + 1 : at + 4]):
            if befalls(after, tail[at + 2 :]):
                return None
            return Below(tail[:at], ("someone", *tail[at + 1 :]))
        if (
            at
            and word == "you"
            and (after in MODALS or after in DEEDS or after in ADVERBS)
            and _says(tail[at - 1], after)
        ):
            return Below(tail[:at], tail[at:])
        if word == "to" and _infinitive(tail, at) and _governs(clause, tail, at):
            return Below(tail[:at], tail[at + 1 :])
    return None


def _is_duty(words: tuple[str, ...]) -> bool:
    """True for "you should", "to": the question is what to do."""
    if words[:1] == ("to",):
        return True
    verb = words[1:2] if words[0] in PERSONAL else ()
    return verb in _DUTIES or (verb in (("need",), ("have",)) and words[2:3] == ("to",))


def _does(clause: Clause) -> bool:
    """True when somebody does something; "it takes" is no deed."""
    return clause.is_deed and clause.subject[:1] != ("it",)


def _tells(word: str) -> bool:
    return word in REPORTS or word in _LICENSED["order"]


def _says(before: str, after: str) -> bool:
    return _tells(before) or before in PERSONAL or after in ("should", "must")


def _leads(clause: Clause, tail: tuple[str, ...], at: int) -> bool:
    """True where "that you" is what is said, not which one is meant: it follows the verb, or no verb is known."""
    if tail[at + 1] not in PERSONAL | _CLAUSE_STARTS or "so" in (*clause.group, *tail[:at]):
        return False  # "vomiting that keeps you from", "so heavy that you"
    before = tail[at - 1]
    return at <= 2 or clause.verb in DETERMINERS or _tells(before) or before in PERSONAL or before in _JUDGMENTS


def _infinitive(tail: tuple[str, ...], at: int) -> bool:
    verb = next((word for word in tail[at + 1 :] if word not in ADVERBS and word not in NEGATIONS), "")
    return (verb in DEEDS and verb != "keep") or verb in REPORTS or verb == "try"


def _governs(clause: Clause, tail: tuple[str, ...], at: int) -> bool:
    """False where "to take" only tells what something is for: "we gave you tablets to stop the pain"."""
    before = tail[at - 1] if at else ""
    return before != "whether" and (
        at <= 1
        or before in PERSONAL
        or before in UNSAID
        or any(before in words for words in _LICENSED.values())
        or before.endswith("ing")
        or clause.verb in LANGUAGE
        or clause.subject[:1] in (("it",), ("there",))
        or "no" in tail[:at]
    )


def is_licensed(clause: Clause, below: Below) -> bool:
    """True when subject and verb of a clause vouch for the one below it."""
    # "The moon whispered that": a verb that no table knows leaves its subject among the words before "that".
    unnamed = not clause.subject and clause.verb in _UNNAMED
    subject = subject_of(below.governor if unnamed else clause.subject)
    if below.asked or subject in ("person", "nobody") or (subject == "stranger" and clause.verb != "means"):
        return False
    group = frozenset(clause.group)
    held = frozenset((*clause.subject, *clause.group, *below.governor))
    denied = not held.isdisjoint(NEGATIONS)
    denied |= not held.isdisjoint(_SCANT) or _is_undone(clause.verb)
    if clause.subject[:3] == ("the", "last", "thing") and "want" in clause.subject and "say" not in held:
        return False
    if not group.isdisjoint(_ALMOST) or (subject == "patient" and _is_left_behind(clause)):
        return False
    if denied and held.isdisjoint(_UNDONE) and held.isdisjoint(_RAISED):
        return False
    if not denied and not held.isdisjoint(UNSAID):
        return False
    if not group.isdisjoint(("could", "would", "might")) and ("have" in group or held.isdisjoint(_WISHED)):
        return False
    if ("had" in group and "to" in group) or ("should" in group and "have" in group):
        return False
    if subject == "thing" and is_only_named(clause.subject) and not held.isdisjoint(REPORTS - _SHOWING):
        return False  # "my cat told me": a thing of medicine, but none that speaks
    if not group.isdisjoint(("was", "were")) and not held.isdisjoint(("going", "about", "supposed", "meant")):
        return False
    if subject == "care":
        vouching = (clause.verb, *clause.subject) if "what" in clause.subject else (clause.verb,)
        if (_CARE | REPORTS | DETERMINERS | PERSONAL).isdisjoint(vouching) or not held.isdisjoint(_OF_BEFORE):
            return False
        return not (clause.subject[:1] == ("i",) and "am" in group and clause.verb.endswith("ed"))
    return subject == "stranger" or not held.isdisjoint(_LICENSED[subject])


def _is_undone(word: str) -> bool:
    """True for "unnecessary", "unwise": the opposite of what would license."""
    return word.startswith(("un", "in")) and word[2:] in _LICENSED["thing"]


def _is_left_behind(clause: Clause) -> bool:
    """True for "have outgrown", "have been excused": a participle that no table knows ends what stands below."""
    done = clause.verb.endswith(("ed", "own")) and not {"have", "has", "been", "are", "were"}.isdisjoint(clause.group)
    return done and clause.verb not in _LICENSED["patient"] and clause.verb not in DEEDS
