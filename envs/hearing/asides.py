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
    kept = []
    for match in _SENTENCE.finditer(utterance):
        sentence = match.group()
        low = sentence.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
        asks = "?" in low
        if not asks and _whole().match(low):
            continue
        # Only before a question: "in other words, your heart is weak" explains.
        lead = _leading().match(low) if asks else None
        kept.append(sentence[lead.end() :] if lead else sentence)
    return "".join(kept)


@lru_cache(maxsize=1)
def _whole() -> Pattern:
    return Pattern(rf"{_LED}(?:{alternatives('aside', 'receipt')}|{alternatives('aside', 'rewording')})\W*$")


@lru_cache(maxsize=1)
def _leading() -> Pattern:
    return Pattern(rf"{_LED}{alternatives('aside', 'rewording')}\s*[,:;-]+\s*")
