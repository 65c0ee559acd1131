"""What of a generated answer the patient says aloud.

Models write "Patient:" before their words, gestures between them and the doctor's next question after them, and talk
on and on. What is no speech is taken away, and counted; what is wrong in the words is left for the verifier. Every
engine's candidates go this way before they are verified, so that what was checked is what is heard. The embedded
patient needs none of it.
"""

import re

from bedside.envs.audible import tidied, unwrapped
from bedside.envs.episode import Repair

__all__ = ["complete_sentences", "spoken"]

_CLINICIANS = r"doctor|dr\.?|physician|clinician|nurse|educator|interviewer|assistant|system|user|human"
# At the very beginning it would be the whole answer: a patient who plays the doctor, which is not for repair.
_OTHER_SPEAKER = re.compile(
    rf"(?:\n\s*|(?<=[.!?\")*])\s+)\**(?:{_CLINICIANS})(?: [A-Z]\w+)?\**\s*:.*\Z", re.IGNORECASE | re.DOTALL
)
_OWN_LABEL = re.compile(
    r"(?:\A|(?<=\n))\s*\**(?:patient|me|response|answer|reply)\b(?: \(?\w+\)?){0,2}\**:\**\s*", re.IGNORECASE
)
_MANNER = (
    r"(?:softly|quietly|nervously|anxiously|worriedly|tearfully|hesitantly|slowly|visibly|sheepishly|angrily|calmly|"
    r"long|short|deep|in an? \w+ (?:voice|tone))"
)
_ACTS = (
    r"(?:sigh|pause|laugh|chuckle|smile|grin|frown|nod|shrug|wince|grimace|groan|moan|cough|cry|crie|sob|sniff|"
    r"whisper|mutter|mumble|look|glance|stare|gaze|point|gesture|rub|touch|hold|clutch|lean|shift|fidget|tremble|"
    r"shake|breathe|inhale|exhale|hesitate|clear|swallow|stammer|speak|think|avoid|wipe|cross|wring|tap|blink|squirm|"
    r"tear|take(?=s a |ing a ))"
)
# A gesture speaks of the patient from outside; with "I" in it, it is something said in brackets.
_GESTURE = rf"(?:{_MANNER},? )?(?:{_ACTS}(?:s|ing)\b(?![^)*\n]*\bI\b)[^)*\n]{{0,80}}|pause|sigh|silence|beat)|{_MANNER}"
_DIRECTION = re.compile(
    rf"\((?:{_GESTURE})\)|(?<!\*)\*(?:{_GESTURE})\*(?!\*)|(?<!_)_(?:{_GESTURE})_(?!_)|\[[A-Za-z][^\]\n]{{0,80}}\]",
    re.IGNORECASE,
)
_BULLET = r"(?:[-•*]|\d{1,2}[.)])\s+"
_FIRST_BULLET = re.compile(rf"\A\s*{_BULLET}")
_NEXT_BULLET = re.compile(rf"(?:[;,.]|(?<!\s))(?:[^\S\n]*+\n)++[^\S\n]*+{_BULLET}")
_QUOTED = re.compile(r"\A\s*[\"“]([^\"“”]+)[\"”]\s*\Z")
_SENTENCE_END = re.compile(r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)(?<!\b[ap]\.m)[.!?…]+[\"”')]*(?=\s|\Z)")
# "No. No." is insisting; the same sentence three times on end is a model that goes round in circles.
_LOOP = re.compile(
    r"(?:\A|(?<=\s))(?P<said>[^.!?]+[.!?]+)(?:\s+(?P=said)){2,}|\b(?P<words>(?:[\w']+,?\s+){1,4}?)(?P=words){3,}",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[,;:—–](?=\s)")
# What no plain answer holds; the embedded patient's candidates are through after this look.
_SUSPECT = re.compile(r"[<\[(*_`#\n:•]|\A[\s\"“]|\s\Z|\s\s")


def spoken(text: str, most_words: int | None = None) -> tuple[str, tuple[Repair, ...]]:
    """Reduce a candidate to what is said.

    Args:
        text: As a generator gave it.
        most_words: How many may be said at once; None for no limit.

    Returns:
        One line, cut at the end of a sentence where there is one; and what was repaired.
    """
    repairs: list[Repair] = []
    if _SUSPECT.search(text) or not text.isprintable():
        text = _bare(text, repairs)
    if _LOOP.search(text):
        text = _unlooped(text)
        repairs.append("loop")
    if most_words is not None and len(text.split()) > most_words:
        text = _cut(text, most_words)
        repairs.append("cut")
    return text, tuple(repairs)


def complete_sentences(text: str) -> str:
    """Return a text that broke off without its unfinished last sentence, unless there is no other."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    return text[: ends[-1]] if ends else text


def _bare(text: str, repairs: list[Repair]) -> str:
    def apply(repair: Repair, repaired: str) -> str:
        if repaired.split() != text.split():
            repairs.append(repair)
        return repaired

    text = apply("markup", unwrapped(text))
    text = apply("other_speaker", _OTHER_SPEAKER.sub("", text))
    text = apply("label", _QUOTED.sub(r"\1", _OWN_LABEL.sub("", text)))
    text = apply("stage_direction", _DIRECTION.sub(" ", text))
    text = apply("markup", " ".join(tidied(_NEXT_BULLET.sub("; ", _FIRST_BULLET.sub("", text))).split()))
    return re.sub(r" +(?=[.,!?;])", "", text)


def _unlooped(text: str) -> str:
    """Let a sentence, or a few words, that are said over and over be said once."""
    return _LOOP.sub(lambda match: match["said"] or match["words"], text)


def _cut(text: str, most_words: int) -> str:
    start = " ".join(text.split()[:most_words])
    if ends := [match.end() for match in _SENTENCE_END.finditer(start)]:
        return start[: ends[-1]]
    # One endless sentence: better to end it where a breath would be.
    clauses = [match.start() for match in _CLAUSE_END.finditer(start)]
    return (start[: clauses[-1]] if clauses else start).rstrip(" ,;:—–") + "."
