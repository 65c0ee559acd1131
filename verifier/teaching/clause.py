"""How a sentence is built: what stands before its main clause, who its subject is, in what mood its verb.

No grammar of English, only as much as tells who is to do what: the closed classes (pronouns, auxiliaries, modals,
subordinators) and the deeds that a plan asks of a patient mark where a clause begins and where its verb stands.
"""

import re
from typing import NamedTuple

__all__ = [
    "ADVERBS",
    "DEEDS",
    "DETERMINERS",
    "MODALS",
    "NEGATIONS",
    "REPORTS",
    "Clause",
    "may_begin",
    "read_clause",
    "words_of",
]

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+(?:[.,]\d+)*|[,:\"()]|--")
_SHORT = (
    (re.compile(r"\bcan't\b|\bcannot\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"'d (?=better\b)"), " had "),
    (re.compile(r"'d\b"), " would"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"\bi'm\b"), "i am"),
    (re.compile(r"\blet's\b"), "let us"),
    (re.compile(r"\b(it|that|there|here|what|who|he|she|this|where|how)'s\b"), r"\1 is"),
)

MODALS = frozenset("can could may might must shall should will would ought".split())
NEGATIONS = frozenset("not never no hardly rarely seldom barely neither nor nothing nobody none".split())
ADVERBS = frozenset(
    """also always never ever not just only even still then now really simply please kindly already soon usually often
    sometimes hardly rarely seldom definitely certainly absolutely probably all both each again today tonight tomorrow
    normally generally actually gently slowly carefully quickly too so instead yourself very first""".split()
)
_AUXILIARIES = frozenset("am is are was were be been being has have had having do does did need needs needed".split())
_BEING = frozenset("am is are was were be been being".split())
_GROUP = MODALS | ADVERBS | _AUXILIARIES
_PRONOUNS = frozenset("you we i it they he she there this that these those who".split())
_JOINS = frozenset("and or of with who".split())
_MARKS = frozenset((",", ":", '"', "(", ")", "--"))
_SUBORDINATORS = frozenset(
    """if when whenever once after before until till while as since because although though unless whether whatever
    whichever wherever except like even""".split()
)
_FRONTED = _SUBORDINATORS | frozenset(
    """in on at by for from with without to of under over during through per within between about according against
    besides beyond upon starting beginning based depending given had were should today tonight tomorrow yesterday
    every each twice later some only""".split()
)
"""What begins something that a comma parts from the main clause."""

_OPENERS = frozenset(
    """so and but now well okay ok then also yes yeah please great good right next finally again lastly plus or oh ah
    alright otherwise instead still first second third fourth fifth kindly simply just another what all sure
    remember important number 1 2 3 4 5 6 7 8 9 one two three""".split()
)

DEEDS = frozenset(
    """take use inject inhale swallow apply give put see visit stop start call come go return know drink eat avoid check
    weigh walk keep do have finish rest wear wash measure continue raise stay report get limit seek hold skip follow
    watch lift drive shake change clean elevate rinse chew sit sleep stand tell ask let leave write carry look shower
    count empty cover brush set turn bend bring throw lie bathe cut lay sip practice roll lock open run show tape
    stretch remove wrap restart pause cook pull prop cough breathe exercise soak dry pat touch bite smoke spray rub
    remind help learn read finger-stick test meet treat tuck make feed switch taper reduce cancel refill store pick
    attend record track note""".split()
)
"""What a plan asks of a patient, as bare verbs."""

_TRYING = frozenset("try remember plan aim learn continue prepare agree promise".split())
"""Orders that another follows with "to"."""

REPORTS = frozenset(
    """say says said tell tells told want wants wanted ask asks asked think thinks thought recommend recommends
    recommended advise advises advised expect expects expected hope hopes hoped suggest suggests suggested prefer
    prefers agree agrees agreed know knows knew believe believes believed claim claims claimed decide decided
    remind reminds reminded stress mean means show shows showed heard writes wrote insist insists insisted swear swears
    swore""".split()
)
"""Verbs of saying, thinking and wanting, under which a clause can stand."""

DETERMINERS = frozenset("the a an my your our his her their this that these those some any every each no".split())
_DONE = {
    "taking": "take",
    "takes": "take",
    "took": "take",
    "uses": "use",
    "injects": "inject",
    "swallows": "swallow",
    "gets": "get",
    "got": "get",
    "knows": "know",
    "sees": "see",
    "goes": "go",
    "went": "go",
    "comes": "come",
}


_OTHER_ORDERS = frozenset(
    """crush stir pinch blow scratch pop peel squeeze double triple halve split break swap hang plug flush drain push
    dip pour save combine borrow share toss mix drop grind dissolve dab pick try ride tough carry ignore reuse trade
    crack massage press dig order grab reach switch start quit""".split()
)
"""Bare verbs that plans do not ask for, and that are said to patients all the same."""

_BEGINS = (
    DEEDS
    | _OTHER_ORDERS
    | MODALS
    | ADVERBS
    | (_PRONOUNS - {"that", "who"})
    | frozenset("the your my our his her their a an any no do be make try let what people".split())
)
"""What a main clause can begin with."""


class Clause(NamedTuple):
    """The main clause of a sentence, in lower-case words without contractions.

    Attributes:
        opening: What stands before it: "if you get a fever", "in the morning".
        subject: Whose clause it is; empty for an order or a fragment.
        group: Auxiliaries, modals, negation and adverbs before the verb.
        verb: What they lead to: a verb, or the adjective or noun after "is" and "have".
        rest: What follows.
    """

    opening: tuple[str, ...]
    subject: tuple[str, ...]
    group: tuple[str, ...]
    verb: str
    rest: tuple[str, ...]

    @property
    def is_deed(self) -> bool:
        """True when its subject does, or is to do, something that plans ask for."""
        return self.verb in DEEDS and (self.group[-1:] == ("to",) or _BEING.isdisjoint(self.group))


def words_of(sentence: str) -> tuple[str, ...]:
    """Return a sentence as lower-case words and the marks that part its clauses, contractions written out."""
    low = sentence.lower().replace("heads-up", "warning")  # one word, and no verb
    if "'" in low:
        for short, full in _SHORT:
            low = short.sub(full, low)
    return tuple(_WORD.findall(low))


def read_clause(words: tuple[str, ...]) -> Clause:
    """Find the main clause of a sentence.

    Args:
        words: From :func:`words_of`.
    """
    start = _main_start(words)
    main = words[start:]
    end = at = _predicate_at(main)
    while at > 1 and main[at - 1] in ADVERBS:
        at -= 1  # "you hardly need": the adverb is the verb's
    while end < len(main) - 1 and (main[end] in _GROUP or (main[end] == "to" and end > at)):
        end += 1
    verb = main[end] if main else ""
    return Clause(words[:start], main[:at], main[at:end], _DONE.get(verb, verb), main[end + 1 :])


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith("ss")


def may_begin(word: str) -> bool:
    """True for a word that a main clause can begin with."""
    return word in _BEGINS


def _main_start(words: tuple[str, ...]) -> int:
    """Return where the main clause begins, past openers and what a comma parts off in front."""
    at = _openers(words, 0)
    if at < len(words) and (words[at] in _FRONTED or words[at : at + 2] == ("no", "matter")):
        for number in range(at + 1, len(words) - 1):
            if words[number] == "," and words[beyond := _openers(words, number + 1)] in _BEGINS:
                return beyond
        return _unparted(words, at)
    return at


def _unparted(words: tuple[str, ...], at: int) -> int:
    """Return where the main clause begins after words in front that no comma parts off: "on Mars you take"."""
    own = 2 if words[at] in _SUBORDINATORS and words[at + 1 : at + 2] == ("you",) else 1
    for number in range(at + 1, len(words) - 1):
        if words[number - 1] == "that" and number - 1 > at + 1:
            return at  # "on the chance that you"; but "for that you can have"
        if words[number] == "you" and (words[number + 1] in MODALS or words[number + 1] in DEEDS):
            own -= 1
            if not own:
                return number
        elif words[number] == "you":
            own -= own > 1
    return at


def _openers(words: tuple[str, ...], at: int) -> int:
    """Return the first place from ``at`` on that is no opener; the last word is never one."""
    while at < len(words) - 1 and (words[at] in _OPENERS or words[at] in _MARKS):
        if words[at] in ("remember", "important") and words[at + 1] == "to":
            return at  # "remember to take it" has its verb there
        at += 1
    return at


def _predicate_at(main: tuple[str, ...]) -> int:
    """Return where the predicate begins; 0 for an order or a fragment."""
    if main and main[0] in ("only", "even", "just") and main[1:] and main[1] not in DEEDS:
        return 1 + _predicate_at(main[1:])
    if main[1:2] == ("to",) and main[0] in _TRYING:
        return 0  # "try to stop taking it"
    if not main or main[0] in _GROUP or (main[0] in DEEDS and not (len(main) > 1 and main[1] in MODALS | _AUXILIARIES)):
        return 0
    for at, word in enumerate(main[1:12], 1):
        before = main[at - 1]
        if word in MODALS or word in _AUXILIARIES or word in _DONE or (word in REPORTS and before not in DETERMINERS):
            return at
        if word in _MARKS or word in _SUBORDINATORS or word == "that":
            return 0
        if word == "and" and before in ("it", "them"):
            return 0  # "swish it and then swallow": an object, so what stands before it is an order
        if before in _PRONOUNS and word not in _PRONOUNS and word not in ADVERBS and word not in _JOINS:
            return at
        if word in DEEDS and "'" not in before and (before in ADVERBS or before in _PRONOUNS or _is_plural(before)):
            return at
    return 0
