"""Is what a sentence says put to this patient as so?

A sentence teaches when its content stands in a main clause that is about the patient, the plan or its parts, or in one
that somebody who speaks for the plan sets under a verb of telling or wanting. "The moon whispered that you", "nobody
needs to", "you would be crazy to", "whether you should is", "lyrics:" hold the same words and tell no one anything.
What such a sentence says wrongly still counts, for "there is no need to call" is heard as said.

The rule is not a list of such frames. It asks of each clause who its subject is, in what mood and with what polarity
it stands, and which words license the clause below it; a frame that none of these words licenses fails unseen.
"""

import re
from functools import lru_cache
from itertools import pairwise

from bedside.verifier.language.lexicon import core
from bedside.verifier.language.text import tokenize
from bedside.verifier.teaching.amounts import is_labelled
from bedside.verifier.teaching.clause import (
    DEEDS,
    MODALS,
    NEGATIONS,
    REPORTS,
    Clause,
    may_begin,
    read_clause,
    words_of,
)
from bedside.verifier.teaching.discourse import disowns_itself, is_void_heading, remark_on
from bedside.verifier.teaching.subject import (
    CARERS,
    OF_THE_PLAN,
    befalls,
    ends_in_medicine,
    is_of_plan,
    subject_of,
)
from bedside.verifier.teaching.subordination import LANGUAGE, UNSAID, clause_below, is_licensed
from bedside.verifier.teaching.unreality import HEDGES, is_elsewhere, is_impossible_condition, is_mocked

__all__ = ["concerns_listener", "continues_another", "is_asserted", "is_of_another"]

_FOR_THE_PATIENT = frozenset(
    """drive help give watch bring stay remind learn know call come check keep make tell take pick let look get
    see""".split()
)
"""Deeds of other people that are care of the patient, if they are done to or for one."""

_HAVING = frozenset(
    """has have had need needs take use get inject swallow inhale apply go put given started prescribed treated
    on""".split()
)
"""How somebody comes to a drug or an illness of their own."""

_TO_THE_LISTENER = frozenset("you your yours yourself we us i please".split())
_THEIRS = frozenset("he she him her his hers".split())
_POINTING = frozenset("it this that these those they".split())
_HEADS = frozenset(
    """first second third fourth next then also please watch when if how what why new stopped changed one two three so
    and now here about for we you your daily this again come take stop go do keep use showed too fever it important
    remember call return eat drink danger finally second ready clear more last enough following these those yes
    okay""".split()
)
"""What may stand before a colon, beside what belongs to the plan."""
_OF_LANGUAGE = frozenset(
    """sentence sentences phrase typing writing spelling singing pronouncing lyric lyrics clue slogan caption quote
    microphone tongue-twister poem rhyme""".split()
)
"""What is before a colon when the words after it are only words."""
_AMISS = frozenset("wrong bad worst terrible poor silly stupid foolish dumb crazy false mistaken".split())
_NOTIONS = frozenset("thing idea move plan choice advice way decision".split())
_GOOD = frozenset(
    """best better good great important helpful helps help works work easier easy safe safer safest smart wise fine okay
    ok happy glad heal recover well stronger faster sooner less lower ideal perfect wonderful love like need matters
    appreciate counts key enough works common normal possible""".split()
)
"""What speaks for a deed that stands under "if you" and "when you"."""
_SELDOM = frozenset("hardly rarely seldom barely neither".split())
_AS_SAID = frozenset("or so at least that is what as like".split())
_ADJOINING = frozenset("if when because that until while".split())
_JOINERS = frozenset("but and so just now then".split())
_SEEKING = frozenset("call come go return phone".split())
_OPEN = frozenset("for if when with had have did got given".split())
"""Last words before a colon that want an object: what follows is that, and its own colon leads over to more."""
_COLON = re.compile(r":(?=\s)")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_QUOTED = re.compile(r"\"[^\"]{18,}\"")
_BYSTANDERS = frozenset(
    """roommate neighbor neighbour neighbors coworker colleague landlord boss friend friends cousin dog cat pet horse
    parrot fish nurse students""".split()
)
"""For whom no part of this patient's plan is."""
_FRAGMENT = 12
"""Words of a fragment at most."""


@lru_cache(maxsize=16384)
def is_asserted(sentence: str) -> bool:
    """False for what is only possible, needless, for others, elsewhere, or said by someone who has no say.

    Args:
        sentence: One sentence of an educator.
    """
    if _QUOTED.search(sentence) or disowns_itself(sentence):
        return False
    head, colon, rest = _parted(sentence)
    if colon:
        if not _OPEN.isdisjoint(words_of(head)[-1:]):
            rest = _COLON.split(rest, maxsplit=1)[0]  # "come back for: a sign: call 911" has said it before the act
        return not is_void_heading(head) and _heads(head, rest) and is_asserted(rest)
    words = words_of(sentence)
    if not words:
        return True
    if _is_spurned(words):
        return False
    if words[0] == "unless" and "to" in words[:6]:
        return False  # "unless you want to take it": what stands in the condition is not asked for
    if _is_inverted(words) or _is_of_old(words):
        return False
    if words[0] in HEDGES or words[0] in _SELDOM or is_impossible_condition(words) or _attributed_to_a_stranger(words):
        return False
    clauses = [read_clause(part) for part in _coordinated(words)]
    telling = [clause for clause in clauses if clause.is_deed or clause_below(clause)] or clauses
    return any(_stands(clause) for clause in telling)


@lru_cache(maxsize=8192)
def is_of_another(sentence: str) -> bool:
    """True for "your neighbor should take it", "my uncle is on it": what is to be done or had is someone else's."""
    clause = read_clause(words_of(sentence))
    if subject_of(clause.subject) not in ("person", "stranger"):
        return False
    return not _stands(clause) or _has_own_medicine(clause)


@lru_cache(maxsize=8192)
def concerns_listener(sentence: str) -> bool:
    """True when what somebody else does, or is to do, has to do with whom one speaks to.

    Args:
        sentence: One of somebody else.
    """
    return not _TO_THE_LISTENER.isdisjoint(_predicate(read_clause(words_of(sentence))))


def _predicate(clause: Clause) -> tuple[str, ...]:
    return (*clause.group, clause.verb, *clause.rest)


def _has_own_medicine(clause: Clause) -> bool:
    """True for "needs apixaban", "was put on it": an illness or a drug that the subject has, and gives nobody."""
    predicate = _predicate(clause)
    if not _TO_THE_LISTENER.isdisjoint(predicate) or _HAVING.isdisjoint((*clause.group, clause.verb)):
        return False
    named = (c for mention in core().find(tokenize(" ".join(predicate))) for c in mention.concepts)
    return any(concept.startswith(("drug:", "class:", "cond:")) for concept in named)


@lru_cache(maxsize=8192)
def continues_another(sentence: str) -> bool:
    """True for what goes on about the person last spoken of: it has no subject, and its main clause no "you".

    Args:
        sentence: One that follows a sentence of somebody else.
    """
    words = words_of(sentence)
    clause = read_clause(words)
    main = (*clause.subject, *clause.group, clause.verb, *_main_part(clause.rest))
    if not _TO_THE_LISTENER.isdisjoint(main):
        return False
    if not _THEIRS.isdisjoint(main):
        return True
    # An order that names its own drug is heard as one to the listener, and so is any other clause that does.
    if any(c.startswith("drug:") for m in core().find(tokenize(" ".join(main))) for c in m.concepts):
        return bool(clause.group) and not clause.subject and not clause.is_deed
    if clause.subject:
        return clause.subject[0] in _POINTING or (len(clause.subject) <= 2 and clause.subject[-1] in OF_THE_PLAN)
    return clause.is_deed or bool(clause.group) or len(words) <= _FRAGMENT


def _main_part(rest: tuple[str, ...]) -> tuple[str, ...]:
    end = next((at for at, word in enumerate(rest) if word in _ADJOINING), None)
    return rest[:end]


def _parted(sentence: str) -> tuple[str, str, str]:
    """Return what stands before a colon, the colon if there is one, and what follows."""
    match = _COLON.search(sentence)
    if match is None or match.start() > 80:
        return "", "", sentence
    return sentence[: match.start()], ":", sentence[match.end() :]


def _heads(head: str, rest: str) -> bool:
    """True for words before a colon that lead over to the plan: "at home", "the next step is", not "lyrics"."""
    words = words_of(_IN_BRACKETS.sub(" ", head))
    clause = read_clause(words)
    if is_labelled(f"{head}:") or remark_on(head).back == "point":
        return True  # "dose: 5 mg"; "scratch that: take 5 mg"
    if not _OF_LANGUAGE.isdisjoint(words) or _is_of_a_stranger(words):
        return False
    if words[:1] == ("for",) and not _BYSTANDERS.isdisjoint(words[1:4]):
        return False
    if not words or words[0] in ("about", "with", "for"):
        return True
    if _seeks_help(rest) and core().find(tokenize(head)):
        return True  # "vomiting that does not stop: come to the emergency room"
    if clause.verb in ("is", "are"):
        return _leads_over(clause.subject or words)
    if clause.verb in REPORTS and subject_of(clause.subject) in ("stranger", "person", "nobody"):
        return False
    if clause.subject or clause.verb in DEEDS:
        return (clause.verb not in LANGUAGE or "down" in words) and _stands(clause)
    if clause.verb in LANGUAGE:
        return clause.verb == "forget" and "not" in clause.group
    if not (UNSAID.isdisjoint(words) and {"self", "myself"}.isdisjoint(words)):
        return False
    return any(_leads_over(_head_phrase(part)) for part in _between_commas(words))


def _is_of_a_stranger(words: tuple[str, ...]) -> bool:
    """True for "the label of my shampoo reads": what is the speaker's own, and no part of a plan."""
    mine = [words[at + 1] for at, word in enumerate(words[:-1]) if word in ("my", "his", "her", "their")]
    return any(not is_of_plan(word) and word not in _HEADS for word in mine)


def _seeks_help(order: str) -> bool:
    clause = read_clause(words_of(order))
    return not clause.subject and clause.verb in _SEEKING


def _leads_over(phrase: tuple[str, ...]) -> bool:
    noun = phrase[-1]
    return noun in OF_THE_PLAN or noun in _HEADS or noun in CARERS or noun[0].isdigit() or ends_in_medicine(phrase)


def _between_commas(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    cuts = [-1, *(at for at, word in enumerate(words) if word == ","), len(words)]
    return [words[start + 1 : end] for start, end in pairwise(cuts) if end > start + 1]


def _head_phrase(words: tuple[str, ...]) -> tuple[str, ...]:
    end = next(
        (at for at, word in enumerate(words) if at and word in ("of", "to", "on", "in", "from", "with", "for")), None
    )
    return words[:end]


def _is_spurned(words: tuple[str, ...]) -> bool:
    """True for "rather than take it", "I would rather die than take it"; "walk rather than drive" asks for a walk."""
    than = next((at for at, word in enumerate(words[:-1]) if word == "than" and words[at + 1] in DEEDS), None)
    if than is None or "," in words[than:] or "rather" not in words[:than]:
        return False
    return than < 3 or words[0] in ("i", "we")


def _is_inverted(words: tuple[str, ...]) -> bool:
    """True for "over my dead body will you take it": who turns verb and subject round, and does not ask, denies."""
    at = next((at for at, word in enumerate(words[:-1]) if word in MODALS and words[at + 1] == "you"), 0)
    return at > 1 and words[at] != "should" and "," not in words[:at] and "and" not in words[:at]


def _is_of_old(words: tuple[str, ...]) -> bool:
    """True for "they used to make people take it"."""
    at = next((at for at in range(1, len(words) - 1) if words[at : at + 2] == ("used", "to")), 0)
    return bool(at) and "you" not in words[:at] and words[at - 1] not in ("is", "are", "get", "getting", "be", "been")


def _coordinated(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Cut a sentence where a comma and "but", "and", "so" begin another main clause."""
    cuts = [0]
    for at in range(1, len(words) - 2):
        if words[at - 1] == "," and words[at] in _JOINERS and may_begin(words[at + 1]):
            cuts.append(at)
    return [words[start:end] for start, end in zip(cuts, [*cuts[1:], len(words)], strict=True)]


def _stands(clause: Clause, depth: int = 0) -> bool:
    """True when a clause puts its content to the patient as so, through every clause above it."""
    if is_elsewhere(clause.opening) or clause.subject[:1] == ("whether",):
        return False
    if _of_the_past(clause):
        return False
    below = clause_below(clause)
    if below is None or depth > 4:
        return _is_told(clause)
    return is_licensed(clause, below) and _stands(read_clause(below.words), depth + 1)


def _of_the_past(clause: Clause) -> bool:
    """True for "before you were born you take": a deed without a modal, of a time that is over."""
    if clause.is_deed and len(clause.subject) > 1 and clause.subject[0] in ("last", "yesterday"):
        return True  # "last week you should take it"
    if any(clause.rest[at : at + 3] == ("you", "had", "to") for at in range(len(clause.rest))) and not clause.opening:
        return True
    then = clause.opening[:1] in (("before",), ("when",), ("while",)) and not {"was", "were"}.isdisjoint(clause.opening)
    return then and clause.is_deed and bool(clause.subject) and MODALS.isdisjoint(clause.group)


def _is_told(clause: Clause) -> bool:
    """True for a clause with nothing below it that is the patient's to know or do."""
    group, subject = frozenset(clause.group), subject_of(clause.subject)
    if not HEDGES.isdisjoint((clause.verb, *clause.group, *clause.subject)) or "having" in clause.rest[:4]:
        return False
    if is_mocked(clause.subject):
        return False
    if clause.verb == "better" and clause.rest[:1] == ("not",):
        return False
    if subject == "nobody":
        return not (clause.is_deed or group & MODALS)
    if subject in ("person", "stranger"):
        if clause.is_deed and clause.verb not in ("get", "have") and "else" not in clause.subject:
            return clause.verb in _FOR_THE_PATIENT and not {"you", "your"}.isdisjoint(clause.rest[:8])
        return subject == "person" or not _conditional_deed(clause.rest)
    if _is_warned_of(clause):
        return False
    if not clause.is_deed:
        return not _conditional_deed(clause.rest, whole=bool(clause.subject or clause.group)) or _speaks_for(clause)
    forbidden = clause.group[-2:] == ("not", "to") and clause.group[0] in ("is", "are", "am")
    if "to" in group and ("had" in group or not (forbidden or group.isdisjoint(NEGATIONS))):
        return False  # "you do not need to take", "you had to take", but not "you are not to take"
    if "need" in group and "not" in group:
        return False
    possible = not (befalls(clause.verb, clause.rest) or group.isdisjoint(("could", "might", "would")))
    return not possible or "if" in clause.rest or "have" in group


def _conditional_deed(rest: tuple[str, ...], *, whole: bool = True) -> bool:
    """True for "does not pay if you take": what stands under the condition is asked of nobody.

    Args:
        rest: What follows a verb.
        whole: False for a fragment ("upright, if you eat"), which a condition may end.
    """
    return any(
        ((word == "if" and whole) or rest[max(at - 1, 0) : at + 1] == ("it", "when"))
        and rest[at + 1 : at + 2] == ("you",)
        and rest[at + 2 : at + 3]
        and rest[at + 2] in DEEDS
        for at, word in enumerate(rest)
    )


def _speaks_for(clause: Clause) -> bool:
    """True for "it helps if you take", "you can get sleepy if you take": a reason for the deed, or against it."""
    end = next(at for at, word in enumerate(clause.rest) if word in ("if", "when"))
    main = (*clause.group, clause.verb, *clause.rest[:end])
    return not (_GOOD | NEGATIONS).isdisjoint(main) or any(
        concept.startswith(("sx:", "cond:"))
        for mention in core().find(tokenize(" ".join(main)))
        for concept in mention.concepts
    )


def _is_warned_of(clause: Clause) -> bool:
    """True for "the last thing you should do is take it", "a wrong idea is to take it"."""
    if clause.subject[:3] == ("the", "last", "thing") and "you" in clause.subject:
        return True
    return not (_AMISS.isdisjoint(clause.subject) or _NOTIONS.isdisjoint(clause.subject))


def _attributed_to_a_stranger(words: tuple[str, ...]) -> bool:
    """True for ", or so they say" and ", according to a stranger": the last words name who holds it."""
    comma = next((at for at in range(len(words) - 1, 0, -1) if words[at] == ","), None)
    if comma is None:
        return False
    tail = words[comma + 1 :]
    if tail[:1] == ("according",):
        return subject_of(tail[2:]) not in ("care", "patient", "thing")
    if tail[:1] == ("said",) and len(tail) > 1:
        return subject_of(tail[1:]) not in ("care", "patient")  # "you take it, said the parrot"
    said = next((at for at, word in enumerate(tail) if word in REPORTS and at > 0), None)
    if said is not None and tail[said + 1 :] in (("him",), ("her",), ("them",)):
        return True  # "you take it at night, I told him"
    if said is None or said < len(tail) - 1 or "to" in tail:
        return False
    who = tuple(word for word in tail[:said] if word not in _AS_SAID)
    if who == ("they",):
        return tail[0] in _AS_SAID  # "a mild heart attack, they said" is what the team said
    return bool(who) and not (subject_of(who) in ("care", "patient") or not OF_THE_PLAN.isdisjoint(who))
