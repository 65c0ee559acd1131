"""The untidiness of real speech: fillers, false starts, hedges, small words.

How often follows 57 recorded consultations (``docs/patient.md``): a filler in 45 % of turns, a repeated word in 20 %,
a hedge in 16 %, "like" in 16 %, "just" in 12 %, "you know" in 4.5 %. Nothing is put inside a noun phrase, so that
what is said stays readable for the verifier.
"""

import re

from bedside.cases.persona import Persona
from bedside.envs.speech.grammar import lower_first
from bedside.envs.speech.voice import Voice

__all__ = ["disturbed"]

_FILLERS = ("Um", "Uh", "Er", "Hmm", "Well, um", "Uh, well", "Um", "Uh")
_INNER = ("um", "uh", "er")
_HEDGES = ("I think", "I guess", "I'd say", "maybe", "sort of", "I suppose")
_STARTS = re.compile(r"^(I|I've|It|It's|The|My|There's|No|Yes|Yeah|That|We|And)\b(?!-)")
_PAUSE = re.compile(r"(?<=[a-z]), (?=(?:and|but|so|maybe|like|when|with|mostly)\b)")


def disturbed(text: str, voice: Voice, persona: Persona, rate: float) -> str:
    """Return a text as somebody would really say it.

    Args:
        text: One or more sentences.
        voice: Source of dice.
        persona: The educated and the calm stumble less.
        rate: 1 for the rates of recorded talk, 0 for none.
    """
    if rate <= 0:
        return text
    rate *= {1: 1.1, 2: 1.0, 3: 0.85}[persona.education] * (1.15 if persona.noise.emotional_state >= 2 else 1.0)
    short = len(text.split()) <= 3
    if voice.chance((0.2 if short else 0.16) * rate):
        text = _repeated(text)
    if voice.chance((0.22 if short else 0.4) * rate):
        text = _filled(text, voice)
    if not short and voice.chance(0.12 * rate):
        text = _PAUSE.sub(f", {voice.rng.choice(_INNER)}, ", text, count=1)
    if not short and voice.chance(0.1 * rate):
        text = re.sub(r"\bI've had\b", voice.rng.choice(("I've just had", "I've had like,")), text, count=1)
    if not short and voice.chance(0.05 * rate) and text.endswith("."):
        text = f"{text[:-1]}, you know."
    return text


def _repeated(text: str) -> str:
    """Say the first word twice, as when looking for the next."""
    return _STARTS.sub(lambda m: f"{m[1]}, {m[1] if m[1].startswith('I') else m[1].lower()}", text, count=1)


def _filled(text: str, voice: Voice) -> str:
    filler = voice.rng.choice(_FILLERS)
    if text[:2] in ("Um", "Uh", "Er", "Hm") or text.startswith(("Well", "Oh", "Hi", "Hello", "Hey")):
        return text
    joint = ", " if voice.chance(0.7) else "... "
    return f"{filler}{joint}{lower_first(text)}"
