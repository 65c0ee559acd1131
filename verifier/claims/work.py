"""What a patient works, or used to: lines of work by the many words for them."""

import re
from collections.abc import Iterator
from functools import lru_cache

from bedside.verifier.claim import Claim
from bedside.verifier.claims.focus import Focus
from bedside.verifier.claims.mentions import claim_of
from bedside.verifier.language.context import context_of
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence

__all__ = ["job_words", "work_of"]

_JOBS = {
    "teach": r"teach(?:er|es|ing)?\b(?! me| him| her)|school ?teacher",
    "nurse": r"nurs(?:e|ing)\b(?! home)",
    "drive": r"(?:truck|bus|"
    r"delivery|taxi|cab|forklift|long-haul|uber) (?:driver|operator)|truckers?|dri(?:ve|ves|ving|ven|"
    r"ver|vers) (?:a |the )?(?:big rig|truck|bus|taxi|cab|forklift|delivery|school bus)|driver\b|drove "
    r"a (?:truck|bus|taxi|cab|school bus)",
    "plumb": r"plumb\w+",
    "electric": r"electricians?",
    "cook": r"chef|line cook|cook\b(?= (?:in|at|for a)|"
    r"\W*$)|cooks in",
    "waitress": r"waitress|waiter|"
    r"wait(?:ing)? tables|server\b",
    "barista": r"barista|make coffee|coffee shop",
    "account": r"account(?:ant|ing)|bookkeep\w+",
    "farm": r"farm(?:er|ing|hand)|dairy",
    "law": r"lawyer|attorney|paralegal",
    "engineer": r"engineer\w*",
    "student": r"student|grad school|in college|stud(?:y|ies|ying)\b(?! showed)|sophomore|freshman",
    "principal": r"principal|run a "
    r"school\b(?! cafeteria| bus| kitchen)|head of (?:a|the) school",
    "library": r"librarian|library\b(?! (?:closed|was|card|book|opens))",
    "mail": r"mail ?(?:carrier|man)|postal",
    "carpenter": r"carpent\w+|woodwork\w*",
    "mechanic": r"mechanic",
    "roof": r"roof(?:er|ing)\b",
    "estate": r"real estate|realtor",
    "design": r"designer",
    "machinist": r"machinist",
    "flor": r"florist|flower shop|flowers for a living",
    "software": r"programmer|software|coder|developer",
    "hair": r"hair(?:dresser|stylist)|barber",
    "sew": r"seamstress|tailor",
    "coach": r"coach\b",
    "clean": r"cleaner|janitor|housekeeper",
    "police": r"police(?:man| officer)?|cop\b",
    "fire": r"fire(?:fighter|man)",
    "doctor": r"physician|surgeon|dentist",
    "hygien": r"hygienist",
    "sales": r"salesman|"
    r"salesperson|sales rep|cashier",
    "construct": r"construction|welder|bricklayer|builder",
    "restaurant": r"restaurant owner|own a restaurant",
    "manager": r"manager|supervisor",
    "secret": r"secretary|receptionist|clerk",
    "soldier": r"soldier|marine\b|in the army",
    "pilot": r"pilot|flight attendant",
    "bank": r"banker",
    "musician": r"musician|actor|artist\b",
    "unemployed": r"unemployed|out of work|lost my job|between jobs",
}
_JOB = Pattern("|".join(f"(?P<{name}>\\b(?:{pattern}))" for name, pattern in _JOBS.items()), re.IGNORECASE)
_SAYS_JOB = Pattern(
    r"\b(?:i'm (?:just |currently |now )?(?:a|an|the|in|unemployed|retired|between|out of|laid)\b|i am (?:a|an|"
    r"the)\b|i(?:'ve)? (?:was|been) an?\b|i work|i "
    r"worked|work(?:s|ing|ed)? (?:as|for|in|at)|i teach|i drive|i drove a|i farm|i run|i make|i cook|i "
    r"study|i do\b|retired|"
    r"for a living|my job|used to (?:be|work)|i own|grad student)",
    re.IGNORECASE,
)
_NO_JOB = Pattern(
    r"\b(?:like an?|not an?|remind\w*|see an?|saw an?|my (?:wife|husband|mother|father|mom|dad|son|daughter|brother|"
    r"sister|friend|neighbor|roommate)|feel like|as if|called|doctor here|the nurse|no (?:doctor|"
    r"nurse)|my (?:doctor|nurse)|married|(?:the|a|that) \w+ (?:says?|said|told|fixed|came|was))\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def job_words(text: str) -> frozenset[str]:
    """Return the lines of work that a text names."""
    return frozenset(str(m.lastgroup) for m in _JOB.finditer(text))


def work_of(sentence: Sentence, focus: Focus) -> Iterator[Claim]:
    """Find a claim about one's work."""
    body = sentence.text
    asked = "job" in focus.topics and sentence.number == 0
    if not (asked or _SAYS_JOB.search(body)) or _NO_JOB.search(body):
        return
    jobs = job_words(body)
    if not jobs:
        return
    match = _JOB.search(body)
    if match:
        context = context_of(body, *match.span())._replace(time="present")
        yield claim_of(
            "work",
            "demographic:work",
            sentence,
            match.span(),
            context,
            {"jobs": " ".join(sorted(jobs)), "occupation": match.group().lower()},
        )
