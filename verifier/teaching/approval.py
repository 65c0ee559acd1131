"""Is what a sentence speaks of approved, barred, or merely mentioned?

The words for things are without number, those by which a thing is approved or barred are few: one table
(``data/core/verdicts.tsv``) holds them. They are read in two ways: :func:`allows` and :func:`withholds` take a sentence
as the answer about whatever it speaks of, :func:`recommended` asks of one thing at one place of it.
"""

import re
from functools import lru_cache

from bedside.verifier.language.pattern import Pattern
from bedside.verifier.teaching.phrases import FREELY
from bedside.verifier.teaching.verdicts import verdict

__all__ = ["allows", "clause_at", "recommended", "verdict_in", "withholds"]

_ALLOWS = Pattern(
    rf"\b(?:{verdict('allowed')}|{verdict('unharmed')}|{FREELY})\b"
    r"(?! (?:cause|raise|make|lower|help|irritate|upset|harm|hurt|lead|give|bring|turn|add|affect|trigger|worsen|"
    r"slow|dry|swell|happen|last|be(?! (?:taken|used))))|"
    rf"^\W*(?:(?:yes|sure|just|please|then|and|or|so)\W+)*(?:{verdict('ordered')})\b",
    re.IGNORECASE,
)
_RESERVED = Pattern(rf"\b(?:{verdict('barred')}|{verdict('reserved')})\b|n't\b", re.IGNORECASE)
# "Keep oxygen 10 feet from any flame", "leave out the pickles".
_APART = Pattern(
    r"\bkeep\b[^.;]{0,40}\b(?:from|off|out|away|apart)\b|\bleav\w+ (?:\w+ ){0,3}out\b|\b(?:feet|far|distance) from\b",
    re.IGNORECASE,
)
_CASE = re.compile(
    r"\W*(?:(?:so|and|but|well|then|now)\W+)*(?:if|when|in case|since|because|while|as long as) [^,;]*, *",
    re.IGNORECASE,
)
_WHO_SAYS = re.compile(r"\b(?:says?|said|agrees?|allows?|cleared|clears?|okays?|approves?)\b", re.IGNORECASE)
_SO = re.compile(
    r".*, so (?=i'd\b|i would\b|you (?:can|could|may|might)\b|go ahead|just\b|feel free|it's (?:fine|okay|all right)|"
    r"(?:take|use|inject|have|drink|eat|put|finish|keep)\b)",
    re.IGNORECASE,
)
_AIM = re.compile(
    r",? so (?:that )?(?:(?:you|he|she|it|they|nobody|no one|everyone|the \w+) \w|(?:there's )?no need)", re.IGNORECASE
)
_EXPLAINS = re.compile(r",? (?:because|that's|that is|they're|it's (?!not)|it is (?!not)) ?\w", re.IGNORECASE)
_LATER = Pattern(r"\b(?:until|only|after|once|when|before)\b", re.IGNORECASE)
_WITHHOLDS = Pattern(rf"\b(?:{verdict('barred')}|{verdict('withheld')}|{verdict('warned')})\b|n't\b", re.IGNORECASE)
_HELD_BACK = re.compile(r"\b(?:leave|let) (?:it|that|them|those) (?:alone|out|off|be|go)\b", re.IGNORECASE)
_LEAVE = Pattern(rf"\b(?:{FREELY}|{verdict('unharmed')}|{verdict('dismissed')}|{verdict('left')})\b", re.IGNORECASE)
_HARMLESS = Pattern(rf"(?:\b|(?=n't))(?:{FREELY}|{verdict('unharmed')}|{verdict('harmless')})\b", re.IGNORECASE)
_APPROVES = Pattern(
    rf"\b(?:{verdict('allowed')}|{verdict('praised')})\b|"
    r"(?:^\W*|[,;:.?!] |^\W*(?:for|at|in|on|with|every|each|whenever) [^,]{1,40}? "
    r"(?=(?:take|try|add|put|give|drink|eat)\b)|(?:best|want|like|free|way|idea|easiest|safest|fine|okay|good) to |"
    r"\b(?:and|or|so|then|just|simply|please|i'd|i would|she|he|you|they|you'd|go ahead and|sooner|let's|we|"
    r"have (?:him|her|them|somebody|someone|(?:your|a|the) \w+)|should|must|will|you'll|"
    r"(?:ought|need|have|got|want|going|try|sure|remember|you) to|"
    rf"rather|let (?:him|her|it|them)) )(?:\w+ly )?(?:{verdict('ordered')})\b",
    re.IGNORECASE,
)
_BARS = Pattern(rf"\b(?:{verdict('barred')}|{verdict('warned')}|{verdict('past')})\b", re.IGNORECASE)
_NEGATION = Pattern(r"\b(?:not|no|never|none|neither|nor|cannot|without)\b|n't\b", re.IGNORECASE)
# After the thing, a negation bars it only if it denies approval: "isn't in the same league" denies none.
_DENIED_AFTER = Pattern(
    r"(?:\b(?:not|never|no|cannot)|n't)(?: \w+){0,2} (?:safe|okay|ok|fine|good|allowed|right|an? (?:good|smart|option|"
    r"choice)|for you|take|use|have|mix|go|help|chew|crush|open|an? answer|an? substitute|work|belong)\b",
    re.IGNORECASE,
)
# "Apples are fine, potatoes and tomatoes aren't": the second thing has a verdict of its own.
_CLAUSE_EDGE = re.compile(
    r"[;:]\s|,? \b(?:but|although|though|however|whereas|yet|since|because)\b|, (?:just|only) (?!as\b)|\s[-–—]+\s|"
    r", (?=(?!(?:you|it|they|that|this|these|those|he|she|we|i|there|which|who|what|so|and|or|if|when|as|then)\b)"
    r"(?:[\w'-]+ ){1,5}?(?:is|are|isn't|aren't|stays?|has to|have to|can't|cannot)\b)",
    re.IGNORECASE,
)
_CONDITION_FIRST = re.compile(
    r"^\W*(?:(?:and|but|so|then|even|or|well),? )?(?:if|when|whenever|unless|before|after|until|in case|should|while|"
    r"because|since|now that|once|as soon as|as for|for)\b"
    r"(?:[^,]*?\w (?<!say )(?<!says )(?<!said )(?<!think )(?<!thinks )(?<!feel )(?<!so )(?<!sure )(?<!that )"
    r"(?:(?=you (?:can|may|could|might)\b)|(?<!you )(?<!to )(?<!and )(?<!or )(?<!not )(?<!n't )(?<!can )(?<!should )"
    r"(?<!must )(?<!they )(?<!we )(?=(?:take|try|use|put|just|go ahead)\b))|[^,]*(?:,|$))",
    re.IGNORECASE,
)
# "Once you are home you may": where no comma ends it, what comes true is no case that is only considered.
_COME_TRUE = re.compile(
    r"\W*(?:(?:and|but|so|then),? )?(?:once|now that|as soon as|after|since|because)\b", re.IGNORECASE
)
# "Call us if you took ibuprofen", "better than ibuprofen": the thing is what is compared with or asked about.
_NOT_THE_ADVICE = re.compile(
    r"\b(?:if|unless|whether|until|before|than|instead of|rather than|in place of|because of|due to|caused by|from|"
    r"(?:allergic|react\w*) to|block\w*|lower\w*|against|prevent\w*)\b[^,]{0,30}$|"
    r"\b(?:less|fewer|low|lower)\W(?:\w+ )?$",
    re.IGNORECASE,
)
_NEW_SUBJECT = re.compile(
    r"(?:,|\b(?:so|and|then)\b) ?(?:(?:so|and|then) )?(?:you|it|she|he|they|that|just|there)\b[^,]*$", re.IGNORECASE
)
# "Pop it to stop the pressure", "use salve so it doesn't get worse": what it is for, and when, bars nothing.
_PURPOSE = re.compile(
    r"\b(?:to (?:stop|prevent|avoid|keep|lower|limit|reduce) |so (?:that )?(?:it|they|the \w+) "
    r"(?:doesn't|don't|won't|can|stops?|stays?|keeps?)\b|before (?:it|they) (?:gets?|turns?|goes|spreads?)\b|"
    r"(?:that|which|it) (?:will )?(?:stops?|prevents?|keeps?|cuts?|limits?) (?:the|your|it|germs?|any)\b|"
    r"(?:if|when|whenever|where) (?:it|that|the \w+|your \w+|his|her) (?:\w+ )?"
    r"(?:hurts?|aches?|(?:gets?|is) (?:bad|worse)|bothers)\b)"
    r"[^,;]*",
    re.IGNORECASE,
)
_MARK = " fine "


@lru_cache(maxsize=16384)
def allows(text: str, *, until: bool = False) -> bool:
    """True when a sentence allows or orders something, without any reserve.

    Args:
        text: The sentence.
        until: The prohibition ends some time, so that a sentence about later times goes against nothing.
    """
    if not _ALLOWS.search(text) or _APART.search(text):
        return False
    return not _RESERVED.search(_ALLOWS.sub(" ", verdict_in(text))) and not (until and _LATER.search(text))


def verdict_in(text: str) -> str:
    """Return a sentence without what a negation may stand in and withhold nothing.

    "If the pill doesn't help, a beer is fine", "on the table, so that you don't forget it", "wood is fine, that's your
    legs, not your head": a case, an aim and an explanation are not what is thought of the thing.
    """
    if concluded := _SO.search(text):
        return text[concluded.end() :]
    case = _CASE.match(text)
    if case and not _WHO_SAYS.search(case[0]):
        text = text[case.end() :]
    for tail in (_AIM.search(text), _EXPLAINS.search(text)):
        if tail and _ALLOWS.search(text[: tail.start()]):
            text = text[: tail.start()]
    return text


@lru_cache(maxsize=16384)
def withholds(text: str) -> bool:
    """True when a sentence forbids, sends for help, warns, or puts off to those who know."""
    text = verdict_in(text)
    return bool(_HELD_BACK.search(text) or _WITHHOLDS.search(_LEAVE.sub(" ", text)))


def clause_at(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the part of a sentence begins and ends that passes one verdict, and holds a place."""
    first = max((edge.end() for edge in _CLAUSE_EDGE.finditer(text) if edge.end() <= start), default=0)
    return first, next((edge.start() for edge in _CLAUSE_EDGE.finditer(text, end)), len(text))


@lru_cache(maxsize=16384)
def recommended(text: str, start: int, end: int) -> bool:
    """True when a sentence recommends, or permits, what it names between two places.

    Args:
        text: The sentence; no question and no report of what others say.
        start: Where the thing begins.
        end: Where it ends.
    """
    first, last = clause_at(text, start, end)
    before, thing, after = text[first:start], text[start:end], text[end:last]
    condition = _CONDITION_FIRST.match(before + thing + after)
    if condition and condition.end() > len(before):
        if not _COME_TRUE.match(condition[0]) or condition[0].endswith(","):
            return False
        condition = None
    before = before[condition.end() if condition else 0 :]
    if _NOT_THE_ADVICE.search(before):
        return False
    free = bool(_HARMLESS.search(before + thing + after))
    before, after = _HARMLESS.sub(_MARK, before), _HARMLESS.sub(_MARK, after)
    if _barred(before, _PURPOSE.sub("", after)):
        return False
    return free or bool(_APPROVES.search(before + thing + after))


def _barred(before: str, after: str) -> bool:
    if _BARS.search(f"{before} {after}") or _DENIED_AFTER.search(after):
        return True
    return any(not _NEW_SUBJECT.search(before[negation.end() :]) for negation in _NEGATION.finditer(before))
