"""What a patient works, or used to: lines of work by the many words for them."""

import csv
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from bedside.verifier.claim import Claim
from bedside.verifier.claims.focus import Focus
from bedside.verifier.claims.mentions import claim_of
from bedside.verifier.language.context import clause_bounds, context_of
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence

__all__ = ["job_words", "work_of"]

_TABLE = Path(__file__).parent.parent / "data" / "core" / "jobs.tsv"


def _jobs() -> dict[str, str]:
    with _TABLE.open(encoding="utf-8", newline="") as file:
        return {row["work"]: row["said"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}


_JOBS = _jobs()
_WORKS = tuple(_JOBS)
_JOB = Pattern("|".join(f"(?P<w{i}>\\b(?:{_JOBS[name]}))" for i, name in enumerate(_WORKS)), re.IGNORECASE)
_SAYS_JOB = Pattern(
    r"\b(?:i'm (?:just |currently |now )?(?:a|an|the|in|unemployed|retired|between|out of|laid)\b|i am (?:a|an|"
    r"the)\b|i(?:'ve)? (?:was|been) an?\b|i work|i "
    r"worked|work(?:s|ing|ed)? (?:as|for|in|at)|i teach|i drive|i drove a|i farm|i run|i make|i cook|i "
    r"study|i do\b|(?<!the )(?<!a )(?<!an )retired|"
    r"for a living|my job|used to (?:be|work)|i own|grad student|i (?:led|lead)\b)",
    re.IGNORECASE,
)
_NO_JOB = Pattern(
    r"\b(?:like an?|not an?|remind\w*|see an?|saw an?|my (?:wife|husband|mother|father|mom|dad|son|daughter|brother|"
    r"sister|friend|neighbor|roommate)|feel like|as if|called|doctor here|the nurse|no (?:doctor|"
    r"nurse)|my (?:doctor|nurse)|married|(?:the|a|that) \w+ (?:says?|said|told|fixed|came|was))\b",
    re.IGNORECASE,
)


_EACH = {name: Pattern(rf"\b(?:{said})", re.IGNORECASE) for name, said in _JOBS.items()}
# "I also tend bar": said as what one does.
_I_DO = Pattern(
    r"\bi(?:'ve| have)?(?: (?:also|still|mostly|sometimes|used to|just|only|mainly|even|"
    r"always))* $",
    re.IGNORECASE,
)
_ONES_OWN = Pattern(r"\bi(?:'ve)?\b", re.IGNORECASE)
_FAR = 30


def _work(match: re.Match[str]) -> str:
    return _WORKS[int(str(match.lastgroup)[1:])]


@lru_cache(maxsize=4096)
def job_words(text: str) -> frozenset[str]:
    """Return the lines of work that a text names."""
    return frozenset(name for name, pattern in _EACH.items() if pattern.search(text))


def work_of(sentence: Sentence, focus: Focus) -> Iterator[Claim]:
    """Find claims about one's work, one for each line of work: a second one may be invented."""
    body = sentence.text
    asked = "job" in focus.topics and sentence.number == 0
    if not (asked or _SAYS_JOB.search(body) or _ONES_OWN.search(body)) or _NO_JOB.search(body):
        return
    for match in _JOB.finditer(body):
        first, _ = clause_bounds(body, match.start())
        said = any(match.start() - m.end() < _FAR for m in _SAYS_JOB.finditer(body[first : match.end()]))
        if asked or said or _I_DO.search(body[first : match.start()]):
            context = context_of(body, *match.span())._replace(time="present")
            details = {"jobs": _work(match), "occupation": match.group().lower()}
            yield claim_of("work", "demographic:work", sentence, match.span(), context, details)
