"""Is what a sentence names recommended to the patient, or barred, warned of and merely mentioned?

The words for a danger are without number, those by which a thing is approved or barred are few: one table
(``data/advice_words.tsv``) holds them for all dangers. Without a word of approval, nothing is recommended.
"""

import csv
import re
from functools import lru_cache
from pathlib import Path

from bedside.verifier.language.pattern import Pattern
from bedside.verifier.teaching.phrases import FREELY
from bedside.verifier.teaching.verdicts import verdict

__all__ = ["recommended"]

_TABLE = Path(__file__).parent / "data" / "advice_words.tsv"


def _words(kind: str) -> str:
    with _TABLE.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return "|".join(row["pattern"] for row in rows if row["kind"] == kind)


_HARMLESS = Pattern(rf"(?:\b|(?=n't))(?:{FREELY}|{_words('harmless')})\b", re.IGNORECASE)
_APPROVES = Pattern(rf"(?:\b|(?=[,;:]))(?:{_words('approves')})\b", re.IGNORECASE)
_BARS = Pattern(rf"\b(?:{verdict('barred')}|{_words('bars')})\b", re.IGNORECASE)
_NEGATION = Pattern(r"\b(?:not|no|never|none|neither|nor|cannot|without)\b|n't\b", re.IGNORECASE)
# After the thing, a negation bars it only if it denies approval: "isn't in the same league" denies none.
_DENIED_AFTER = Pattern(
    r"(?:\b(?:not|never|no|cannot)|n't)(?: \w+){0,2} (?:safe|okay|ok|fine|good|allowed|right|an? (?:good|smart|option|"
    r"choice)|for you|take|use|have|mix|go|help|chew|crush|open|an? answer|an? substitute|work|belong)\b",
    re.IGNORECASE,
)
_CLAUSE_EDGE = re.compile(r"[;:]\s|,? \b(?:but|although|though|however|whereas|yet)\b|\s[-–—]+\s", re.IGNORECASE)
_CONDITION_FIRST = re.compile(
    r"^\W*(?:(?:and|but|so|then|even|or|well),? )?(?:if|when|whenever|unless|before|after|until|in case|should|while|"
    r"because|since|now that|once|as soon as|as for|for)\b[^,]*(?:,|$)",
    re.IGNORECASE,
)
# "Once you are home you may": where no comma ends it, what comes true is no case that is only considered.
_COME_TRUE = re.compile(
    r"\W*(?:(?:and|but|so|then),? )?(?:once|now that|as soon as|after|since|because)\b", re.IGNORECASE
)
# "Call us if you took ibuprofen", "better than ibuprofen": the thing is what is compared with or asked about.
_NOT_THE_ADVICE = re.compile(
    r"\b(?:if|unless|whether|until|before|than|instead of|rather than|in place of|because of|due to|caused by|from|"
    r"allergic to|block\w*|lower\w*|against|prevent\w*)\b[^,]{0,30}$|\b(?:less|fewer|low|lower)\W(?:\w+ )?$",
    re.IGNORECASE,
)
_NEW_SUBJECT = re.compile(
    r"(?:,|\b(?:so|and|then)\b) ?(?:(?:so|and|then) )?(?:you|it|she|he|they|that|just|there)\b[^,]*$", re.IGNORECASE
)
_MARK = " fine "


@lru_cache(maxsize=16384)
def recommended(text: str, start: int, end: int) -> bool:
    """True when a sentence recommends, or permits, what it names between two places.

    Args:
        text: The sentence; no question and no report of what others say.
        start: Where the thing begins.
        end: Where it ends.
    """
    first = max((edge.end() for edge in _CLAUSE_EDGE.finditer(text, 0, start)), default=0)
    last = next((edge.start() for edge in _CLAUSE_EDGE.finditer(text, end)), len(text))
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
    if _barred(before, after):
        return False
    return free or bool(_APPROVES.search(before + thing + after))


def _barred(before: str, after: str) -> bool:
    if _BARS.search(f"{before} {after}") or _DENIED_AFTER.search(after):
        return True
    return any(not _NEW_SUBJECT.search(before[negation.end() :]) for negation in _NEGATION.finditer(before))
