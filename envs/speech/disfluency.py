"""The untidiness of real speech: fillers, false starts, hedges, small words.

How often follows 57 recorded consultations: a filler in 45 % of turns, a repeated word in 20 %, a hedge in 16
%, "like" in 16 %, "just" in 12 %, "you know" in 4.5 %. Nothing is put inside a noun phrase, so that what is
said stays readable for the verifier.
"""

import re

from bedside.cases.persona import Persona
from bedside.envs.speech.grammar import lower_first
from bedside.envs.speech.voice import Voice

__all__ = ["disturbed"]

_FILLERS = ("Um", "Uh", "Er", "Hmm", "Well, um", "Uh, well", "Um", "Uh")
_INNER = ("um", "uh", "er")
_STARTS = re.compile(r"^(I|I've|It|It's|The|My|There's|No|Yes|Yeah|That|We|And|Not|Just)\b(?!-)")
_PAUSE = re.compile(r"(?<=[a-z]),? (?=(?:and|but|so|because|maybe|when|with|mostly|since|for|at) \w)")
# Places where a small word may slip in without parting what belongs together.
_SLOT = re.compile(
    r"\b(It's|It feels|It was|I've been|I was|I'm|It started|It began|It came on)(?= (?!not\b|no\b|"
    r"sure|certain|convinced|positive|telling|so |a \w+ out of|\d|an? (?:man|woman)|allergic))"
)
_SMALL = ("just", "like,", "just", "like,", "kind of", "sort of", "like,")
_TAILS = (", you know", ", I think", ", I guess", ", I suppose", ", sort of")
_YES = ("Yeah", "Yes", "Yeah", "Yeah, well", "Yeah, so", "Okay, so", "Right", "Okay", "I mean")
_DENIES = re.compile(
    r"^(?:no|not|none|nope|nothing|never|i don't|i haven't|i'm not|i couldn't|it doesn't|there's no|"
    r"nobody|what|sorry|i'm \d|\d|yes|yeah|i do|i have,|mhm|like i|as i)\b",
    re.IGNORECASE,
)
_KEPT = ("Um", "Uh", "Er", "Hm", "Well", "Oh", "Hi", "Hello", "Hey", "Let", "Please")


def disturbed(text: str, voice: Voice, persona: Persona, rate: float) -> str:
    """Return a text as somebody would really say it.

    Args:
        text: One or more sentences.
        voice: Source of dice.
        persona: The educated stumble less, the worried more.
        rate: 1 for the rates of recorded talk, 0 for none.
    """
    if rate <= 0:
        return text
    rate *= {1: 1.1, 2: 1.0, 3: 0.85}[persona.education] * (1.15 if persona.noise.emotional_state >= 2 else 1.0)
    words = len(text.split())
    if words > 3:
        text = _slipped(text, voice, rate)
    if not _DENIES.match(text) and "?" not in text and voice.chance(0.22 * rate):
        text = f"{voice.rng.choice(_YES)}, {lower_first(text)}"
        words = 0 if words <= 3 else words
    if voice.chance((0.12 if words <= 3 else 0.34) * rate):
        text = _STARTS.sub(_twice, text, count=1)
    if voice.chance((0.28 if words <= 3 else 0.46) * rate):
        text = _filled(text, voice)
    return text


def _twice(match: re.Match[str]) -> str:
    word = match[1]
    return f"{word}, {word if word.startswith('I') and not word.startswith('It') else word.lower()}"


def _slipped(text: str, voice: Voice, rate: float) -> str:
    """Let small words slip in, a pause open, the end trail."""
    if voice.chance(0.75 * rate):
        text = _SLOT.sub(lambda m: f"{m[1]} {voice.rng.choice(_SMALL)}", text, count=1)
    if voice.chance(0.3 * rate):
        text = _PAUSE.sub(f", {voice.rng.choice(_INNER)}, ", text, count=1)
    if voice.chance(0.2 * rate) and text.endswith(".") and "," not in text[-12:]:
        text = f"{text[:-1]}{voice.rng.choice(_TAILS)}."
    return text


def _filled(text: str, voice: Voice) -> str:
    if text.startswith(_KEPT):
        return text
    joint = ", " if voice.chance(0.7) else "... "
    return f"{voice.rng.choice(_FILLERS)}{joint}{lower_first(text)}"
