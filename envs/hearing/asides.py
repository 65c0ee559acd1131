"""What a doctor says between two questions and wants no answer to: "That helps.", "In other words, ...".

Read as questions, these words are about what eases the pain, or about other symptoms.
"""

import re
from functools import lru_cache

from bedside.envs.hearing.cues import alternatives
from bedside.verifier.language.pattern import Pattern

__all__ = ["without_asides"]

_SENTENCE = re.compile(r"[^.!?\n]*[.!?\n]*\s*")
_LED = r"^\W*(?:(?:and|so|well|okay|ok|right|sorry|now|no|or|but|great|good|thanks|thank you)\b\W*)*"


def without_asides(utterance: str) -> str:
    """Take out receipts of an answer and notices of another wording; a question that these words are stays.

    Args:
        utterance: What the patient heard.

    Returns:
        The rest; empty if there is none.
    """
    kept: list[str] = []
    for match in _SENTENCE.finditer(utterance):
        sentence = match.group()
        low = sentence.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
        asks = "?" in low
        if not asks and _whole().match(low):
            continue
        # Only before a question: "in other words, your heart is weak" explains.
        lead = _leading().match(low) if asks else None
        begun = _mended(sentence, low) if asks else 0
        kept.append(_MEANT.sub(r"\1", sentence[max(begun, lead.end() if lead else 0) :]) if begun or lead else sentence)
    return "".join(kept)


# "Do you have a cough, sorry, a fever I meant?"
_REPAIR = Pattern(
    r"(?:,|\.\.\.|-|;)\s*(?:(?:no|sorry|oh|well|er|um),?\s+)*"
    r"(?:(?:no|wait|hang on|hold on|scratch that|strike that|sorry)(?=,)|no,? (?:wait|hang on|hold on|sorry)|"
    r"(?:i|what i) mean(?:t)?(?! (?:to|of|in|with|for|like|any)\b)|or rather|correction|"
    r"let me (?:start|try|ask|say)(?: that| it)? again)[,:]*\s+"
)
_MEANT = re.compile(r",? i mean(?:t)?(?: to (?:say|ask))?(\W*)$", re.IGNORECASE)


def _mended(sentence: str, low: str) -> int:
    """Return where the words begin that a doctor put in place of others; 0 if none were."""
    found = [match.end() for match in _REPAIR.finditer(low)]
    return found[-1] if found and sentence[found[-1] :].strip(" ?.!") else 0


@lru_cache(maxsize=1)
def _whole() -> Pattern:
    return Pattern(rf"{_LED}(?:{alternatives('aside', 'receipt')}|{alternatives('aside', 'rewording')})\W*$")


@lru_cache(maxsize=1)
def _leading() -> Pattern:
    return Pattern(rf"{_LED}{alternatives('aside', 'rewording')}\s*[,:;-]+\s*")
