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

_FILLERS = ("Um", "Uh", "Er", "Hmm", "Uh, well", "Well, um", "Um", "Uh")
_INNER = ("um", "uh", "er")
_STARTS = re.compile(r"^(I|I've|It|It's|The|My|There's|That|We|And)\b(?!-)")
_PAUSE = re.compile(r"(?<=[a-z]),? (?=(?:and|but|so|because|maybe|when|with|mostly|since|for) \w)")
# Places where a small word may slip in without parting what belongs together.
_SLOT = re.compile(
    r"\b(It's|It feels|It was|I've(?= been)|It started|It began|It came on)(?= (?!not\b|no\b|just|never|have (?:no|a)|"
    r"do\b|did\b|don't|didn't|haven't|can't|couldn't|wasn't|isn't|doesn't|'|"
    r"sure|certain|convinced|positive|telling|so |a \w+ out of|\d|an? (?:man|woman)|allergic|"
    r"smoke|drink|take|live|had a |also|think|guess|wish|forget|really|been (?:to|a)|got (?:a |an )?\w+ allerg))"
)
_SMALL = ("just", "just", "kind of", "sort of")
_LIKE = re.compile(
    r"(?:(?<=feels)|(?<=hurts)|(?<=started)|(?<=been)|(?<=going on)|(?<=having)|(?<=getting)|(?<=worse)|(?<=better)|"
    r"(?<=noticed)|(?<=It's)|(?<=it's)|(?<=there's)|(?<=There's)|(?<=I've got)|(?<=I've had)|(?<=I get)|(?<=goes)) "
    r"(?=(?!no\b|not\b|any\b|never\b|to\b|just|kind|sort|so\b)[a-z])"
)
_TAILS = (", you know", ", I think", ", I guess", ", you know")
_YES = ("Yeah", "Yeah", "Yeah, well", "Yeah, so", "Okay, so", "Right", "Yes", "I mean", "So")
_REPLIES = re.compile(r"^(?:It|I|The|My|There|That|In|On|Right|Mostly|About|Since|Maybe|Probably|A |An )")
_DENIES = re.compile(
    r"^(?:no|not|none|nope|nah|uh-uh|nothing|never|i don't|i haven't|i'm not|i couldn't|it doesn't|"
    r"there's (?:been )?no|"
    r"nobody|what|sorry|i'm \d|\d|yes|yeah|i do|i have,|mhm|like i|as i)\b",
    re.IGNORECASE,
)
_KEPT = (
    "Um",
    "Uh",
    "Er",
    "Hm",
    "Well",
    "Oh",
    "Hi",
    "Hello",
    "Hey",
    "Let",
    "Please",
    "You know",
    "Funny",
    "Speaking",
    "Hang",
)


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
    if words > 2 and _REPLIES.match(text) and not _DENIES.match(text) and "?" not in text and voice.chance(0.55 * rate):
        text = f"{voice.rng.choice(_YES)}, {lower_first(text)}"
    elif voice.chance((0.08 if words <= 3 else 0.4) * rate):
        text = _STARTS.sub(_twice, text, count=1)
    if voice.chance((0.18 if words <= 3 else 0.55) * rate):
        text = _filled(text, voice)
    return text


def _twice(match: re.Match[str]) -> str:
    word = match[1]
    return f"{word}, {word if word.startswith('I') and not word.startswith('It') else word.lower()}"


def _slipped(text: str, voice: Voice, rate: float) -> str:
    """Let small words slip in, a pause open, the end trail."""
    if voice.chance(0.55 * rate):
        text = _SLOT.sub(lambda m: f"{m[1]} {voice.rng.choice(_SMALL)}", text, count=1)
    elif voice.chance(0.7 * rate):
        text = _LIKE.sub(", like, ", text, count=1)
    if voice.chance(0.3 * rate):
        text = _PAUSE.sub(f", {voice.rng.choice(_INNER)}, ", text, count=1)
    if voice.chance(0.15 * rate) and text.count(".") == 1 and not _DENIES.match(text) and _trails(text):
        text = f"{text[:-1]}{voice.rng.choice(_TAILS)}."
    return text


def _trails(text: str) -> bool:
    """True for a plain statement that may trail off."""
    return (
        text.endswith(".")
        and "?" not in text
        and "," not in text[-14:]
        and not re.search(r"\b(?:know|think|guess)\b", text)
    )


def _filled(text: str, voice: Voice) -> str:
    if text.startswith(_KEPT):
        return text
    joint = ", " if voice.chance(0.7) else "... "
    return f"{voice.rng.choice(_FILLERS)}{joint}{lower_first(text)}"
