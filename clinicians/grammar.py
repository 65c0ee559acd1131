"""English for plans: articles, purposes, reasons and warnings as parts of a sentence.

A plan holds noun phrases and imperatives ("preventing a stroke", "Can cause bleeding."). Said aloud they need
an article, an infinitive or a subject. The tables are closed lists: what they do not know is left as the plan
has it, which is always understandable if sometimes stiff.
"""

import re
from functools import lru_cache

from bedside.clinicians.word_lists import COUNTABLE, DETERMINERS, VERB_OF
from bedside.verifier.language.lexicon import core
from bedside.verifier.language.text import plain, tokenize

__all__ = [
    "aim",
    "as_clause",
    "capitalised",
    "effect",
    "is_action",
    "is_clause",
    "lowered",
    "mentions_drug",
    "reason",
    "warning",
    "with_article",
]

_CUT = re.compile(
    r",|\(|;|\b(?:of|in|into|from|with|without|for|by|to|due|after|that|which|who|on|at|between|down|under|around|"
    r"through|while|when|and|or|caused|called|inside|back|near|stuck|jammed)\b"
)
_COUNTABLE_ENDING = re.compile(r"(?:ectomy|otomy|oscopy|ostomy|plasty|gram|scope|section|traction)$")
_UNCOUNTABLE = ("hay fever", "reduced blood flow")
_ACTION = re.compile(r"\w+ing (?:the|a|an|of|out|up|back|together|labor)\b", re.IGNORECASE)
_ORDINAL = re.compile(r"(?:first|second|third|fourth|next|last)\b", re.IGNORECASE)
_AN_INITIALS = "AEFHILMNORSX"
_SOUNDS_LIKE_YOU = re.compile(r"(?:uni(?!n|m)|use|ur[aeio]|eu|one\b|once\b|MRSA)", re.IGNORECASE)

_DONE_BY_THE_PATIENT = frozenset(("quit", "cope", "get", "stay", "walk", "bathe", "bend"))
_GERUND = re.compile(rf"\b({'|'.join(VERB_OF)})\b")
_JOINED_GERUND = re.compile(rf"\b(and|or) ({'|'.join(VERB_OF)})\b")
_CLAUSE = re.compile(
    r"\b(?:is|are|was|were|can|cannot|has|have|had|may|might|will|does|do|makes?|raises?|adds|contains|keeps|"
    r"causes?|injured|lowers|slows|strains|worsens|harms|drives)\b|^(?:it|they|this|you)\b|"
    r"\bof it\b|\b(?:closed|opened) the\b"
)
_SAYS_OF_IT = re.compile(r"^(?:Can|Could|May|Might|Causes?|Adds|Raises|Lowers|Makes|Contains|Does|Is|Will)\b")
_BARE_START = re.compile(r"^(?:Full effect)\b")


def capitalised(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def lowered(text: str) -> str:
    """Return a text with a small first letter, unless it starts with a name or an abbreviation."""
    first = text.split(" ", 1)[0]
    keep = len(first) > 1 and (not first[1:].islower() or first in ("Crohn's", "Lyme", "Graves", "Addison"))
    return text if keep else text[:1].lower() + text[1:]


def _an(word: str) -> str:
    if _SOUNDS_LIKE_YOU.match(word):
        return "a"
    if (word.isupper() and len(word) > 1) or re.match(r"[A-Z]-", word):
        return "an" if word[0] in _AN_INITIALS else "a"
    return "an" if word[:1].lower() in "aeiou" else "a"


def _countable(word: str) -> bool:
    return word in COUNTABLE or bool(_COUNTABLE_ENDING.search(word))


def with_article(phrase: str) -> str:
    """Put "a", "an" or "the" before a noun phrase that needs one.

    Args:
        phrase: As a plan has it: "heart attack", "iron deficiency anemia", "third cycle of chemotherapy".

    Returns:
        "a heart attack", "iron deficiency anemia", "the third cycle of chemotherapy".
    """
    words = phrase.split()
    if not words or words[0].lower().strip("'") in DETERMINERS or words[0].endswith("'s") or is_action(phrase):
        return phrase
    if _ORDINAL.match(phrase):
        return f"the {phrase}"
    cut = _CUT.search(phrase)
    head = phrase[: cut.start() if cut else None].lower().split()
    # "injection and carbohydrate teaching" has one head for both.
    if not head or (cut and cut.group() in ("and", "or")) or phrase.lower() in _UNCOUNTABLE:
        return phrase
    if len(head) > 1 and head[-1].endswith("ed") and _countable(head[-2]):
        head.pop()  # "bad tooth pulled"
    return f"{_an(words[0])} {phrase}" if _countable(head[-1]) else phrase


def is_action(phrase: str) -> bool:
    """True for "closing the hole", which cannot follow "You had"."""
    return bool(_ACTION.match(phrase))


def is_clause(text: str) -> bool:
    """True when a text has a verb of its own: "it can bleed again", but not "poor iron absorption"."""
    return bool(_CLAUSE.search(text.lower()))


def aim(purpose: str) -> str:
    """Say what something is for: "to prevent a stroke", "for pain", "to make urination easier"."""
    match = _GERUND.match(purpose)
    # "walking and balance training" is training, not an activity with an object.
    if match and not re.match(r" (?:and|or) (?!\w+ing )", purpose[match.end() :]):
        rest = _JOINED_GERUND.sub(lambda m: f"{m[1]} {VERB_OF[m[2]]}", purpose[match.end() :])
        return f"to {VERB_OF[match[1]]}{rest}"
    if purpose.startswith("easier "):
        return f"to make {purpose.removeprefix('easier ')} easier"
    return "for " + _JOINED_GERUND.sub(lambda m: f"{m[1]} to {VERB_OF[m[2]]}", with_article(purpose))


def effect(purpose: str) -> str:
    """Say what a drug does, after "it": "helps prevent a stroke", "is for high blood pressure"."""
    what = aim(purpose)
    if not what.startswith("to "):
        return f"is {what}"
    verb = what.removeprefix("to ")
    return f"helps you {verb}" if verb.split()[0] in _DONE_BY_THE_PATIENT else f"helps {verb}"


def reason(purpose: str) -> str:
    """Say why a drug was stopped, after "We stopped it": "because it can cause bleeding"."""
    if purpose.startswith(("no longer ", "not ")):
        return f"because it is {purpose}"
    if is_clause(purpose):
        return f"because {purpose}"
    if match := re.match(r"(more .+?) when taken (.+)", purpose):
        return f"because there is {match[1]} when it is taken {match[2]}"
    return f"because of {'the ' if re.match(r'(?:bleeding )?risk', purpose) else ''}{purpose}"


def warning(precaution: str) -> str:
    """Turn a precaution into one sentence: "It can cause dizziness, so stand up slowly."."""
    text = precaution.strip().rstrip(".")
    if text.startswith("Report "):
        return f"Tell your doctor if you have {text.removeprefix('Report ')} while you take it."
    first, _, second = text.partition("; ")
    if first == "Safe":
        return f"It is safe and {second}." if second.startswith("only") else f"It is safe, and the {second}."
    if _SAYS_OF_IT.match(first):
        first = f"It {lowered(first)}"
    elif _BARE_START.match(first):
        first = f"The {lowered(first)}"
    return f"{as_clause(first, second)}."


def as_clause(first: str, second: str) -> str:
    """Join the two halves of a note with a semicolon into one spoken sentence."""
    if not second:
        return first
    if second.startswith(("it ", "smoking ", "hand gel ")):
        return f"{first}, because {second}"
    if second.startswith("stop if"):
        return f"{first}, but {second}"
    return f"{first}, {'so' if first.startswith('It ') else 'and'} {second}"


@lru_cache(maxsize=4096)
def mentions_drug(text: str) -> bool:
    """True when a text names any drug or class of drugs."""
    lexicon = core()
    return any(
        lexicon[concept].kind in ("medication", "drug_class")
        for mention in lexicon.find(tokenize(plain(text)))
        for concept in mention.concepts
    )
