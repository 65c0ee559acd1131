"""The untidiness of real speech: fillers, repeated words, small words, ends that trail off.

How often follows 57 recorded consultations: a filler in 45 % of turns, a repeated word in 20 %, a hedge in 16
%, "like" in 16 %, "just" in 12 %, "you know" in 4.5 %; each patient has its own share of them. Nothing is put inside
a noun phrase, so that what is said stays readable for the verifier, and a lead never says yes to what was not asked.
"""

import re

from bedside.cases.persona import Persona
from bedside.envs.speech.grammar import lower_first
from bedside.envs.speech.voice import Voice

__all__ = ["disturbed"]

# Words that are said twice while the next one is looked for, at the start or after a pause.
_DOUBLED = re.compile(
    r"(?:^|(?<=[.,] ))(I|I've|I'm|It|It's|it's|The|the|My|my|There's|there's|That|and|but|So|so|We|In|in)(?= [a-z0-9])"
    r"(?! (?:think|guess|suppose|mean)\b)(?! [\w']+\?)"
)
# A pause opens before a new clause, never inside a list or a phrase.
_PAUSE = re.compile(r",? (?=(?:and|but|because|so) (?:I|I'm|I've|it|it's|my|now|then|there's|that|the|for)\b)")
# Where a small word may slip in: before what something is like, not before what it is.
_QUALITY = re.compile(
    r"\b((?:[Ii]t|[Tt]hat) (?:feels|hurts|gets|got)|I feel|I've felt) "
    r"(?=(?!not\b|no\b|just|never|kind|sort|so\b|like|to\b|worse than|better|"
    r"(?:by|in|on|at|or|and|when|if)\b)[a-z])"
)
_ACTING = re.compile(r"\b(I|It) (?=(?:keep|feel|started|began|came on|hurts|get|gets|stopped|can't|couldn't|want)\b)")
_AMOUNT = re.compile(
    r"\b(for|maybe|took|lasts|been) (?=(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+|half an?)"
    r"(?: (?:few|couple of))? (?:minute|hour|day|night|week|month|year|while)s?\b)"
)
_DENIES = re.compile(
    r"^(?:no|not|none|nope|nah|uh-uh|nothing|never|nowhere|nobody|neither|i don't|i haven't|i'm not|i couldn't|"
    r"i can't|it doesn't|there's (?:been )?no)\b",
    re.IGNORECASE,
)
_BEGUN = re.compile(
    r"^(?:Um|Uh|Er|Hmm?|Mm-hm|Mhm|Got it|Sure|Well|Oh|So|Okay|Alright|Right|Hi|Hello|Hey|Let me|Let's|Please|"
    r"You know|Yeah|Yes|Yep|I mean|Anyway|Sorry|Thank|Thanks|Speaking|Hang on|Honestly|Like I said|As I said|Same as)\b"
)
_TAILED = re.compile(
    r"\b(?:know|think|guess|suppose|maybe|probably|say|yeah|yes|no|honest|doctor|thanks?|bye|goodbye|care|okay|alright|fine|note[ds]?|list|notebook|down|coat|too|mostly|really|ago|sorry|again|back)\b"
)
_SHORT = 3
_RATES = {1: 1.1, 2: 1.0, 3: 0.85}
"""Factor by education: the educated stumble less."""


def disturbed(text: str, voice: Voice, persona: Persona, rate: float, *, narrates: bool = False) -> str:
    """Return a text as somebody would really say it.

    Args:
        text: One or more sentences.
        voice: Source of dice and habits.
        persona: The educated stumble less, the worried more.
        rate: 1 for the rates of recorded talk, 0 for none.
        narrates: True for the answer to an open question, which may begin with "okay, so".
    """
    if rate <= 0 or not text:
        return text
    rate *= _RATES[persona.education] * (1.15 if persona.noise.emotional_state >= 2 else 1.0)
    habits, short = voice.habits, len(text.split()) <= _SHORT
    if not short:
        text = _slipped(text, voice, rate * habits.hedging)
        text = _paused(text, voice, rate * habits.filling)
        if voice.chance(0.45 * rate * habits.stumbling):
            text = _doubled(text, voice)
    if voice.chance((0.3 if short else 0.62) * rate * habits.filling):
        text = _opened(text, voice, narrates=narrates)
    return text


def _slipped(text: str, voice: Voice, rate: float) -> str:
    """Let a small word slip in, and the end trail off."""
    small = voice.habits.small
    if voice.chance(0.3 * rate) and _AMOUNT.search(text):
        text = _AMOUNT.sub(r"\1 like ", text, count=1)
    elif voice.chance(0.4 * rate) and _ACTING.search(text) and "just" not in text and "?" not in text:
        text = _ACTING.sub(r"\1 just ", text, count=1)
    elif voice.chance(0.7 * rate):
        text = _QUALITY.sub(lambda m: f"{m[1]}, {small} " if small == "like," else f"{m[1]} {small} ", text, count=1)
    if voice.chance(0.16 * rate) and _trails(text):
        text = f"{text[:-1]}{', you know' if voice.chance(0.3) else voice.habits.hedge}."
    return text


def _trails(text: str) -> bool:
    """True for one plain statement that may trail off."""
    return text.endswith(".") and text.count(".") == 1 and not _DENIES.match(text) and not _TAILED.search(text)


def _paused(text: str, voice: Voice, rate: float) -> str:
    if not voice.chance(0.25 * rate):
        return text
    sound = next(f for f in (*voice.habits.fillers, "Um") if f != "Hmm")
    return _PAUSE.sub(f", {sound.lower()}, ", text, count=1)


def _doubled(text: str, voice: Voice) -> str:
    """Say one word twice, anywhere in the text."""
    places = list(_DOUBLED.finditer(text))
    if not places:
        return text
    chosen = voice.rng.choice(places)
    word = chosen[1]
    again = word if word.startswith("I") and not word.startswith(("It", "In")) else word.lower()
    return f"{text[: chosen.start(1)]}{word}, {again}{text[chosen.end(1) :]}"


def _opened(text: str, voice: Voice, *, narrates: bool) -> str:
    """Begin with a sound or, telling a story, with words that mean as little."""
    if _BEGUN.match(text):
        return text
    usual, other = voice.habits.fillers
    filler = usual if voice.chance(0.7) else other
    if narrates and voice.chance(0.5):
        return f"{voice.rng.choice((f'{filler}, so', 'Okay, so', 'So', 'Well', 'Yeah, so'))}, {lower_first(text)}"
    return f"{filler}{', ' if voice.chance(0.75) else '... '}{lower_first(text)}"
