"""Does an answer let be what the patient brought up?

"Can I have a beer?" - "You've earned one", "it was the eight a day that got you here", "everybody does": leave is given
in more words than any table holds. What takes it away is said in few: a no, a word that bars, help that is sent for,
somebody to ask first, a warning. An answer about the thing that has none of these lets it be.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from bedside.verifier.language.context import is_question
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import STOPWORDS, Sentence, plain, sentences, tokenize
from bedside.verifier.teaching.answering import leans, recites
from bedside.verifier.teaching.approval import allows, withholds
from bedside.verifier.teaching.framing import spoken
from bedside.verifier.teaching.permission import dismisses
from bedside.verifier.teaching.verdicts import verdict

__all__ = ["answer_in", "brought_up", "let_be", "letting", "stems_of"]

_HEARD = 3
"""Sentences at the head of a turn that answer."""

_BRIEF = 2
"""Sentences of a turn that says nothing but its answer."""

_LAST = 3
"""Sentences at the end of a patient's line that are answered."""

# Words for a feeling answer no question.
_FELT = Pattern(rf"^\W*(?:(?:oh|well|yes|and|but|okay|ah|wow)\W+)*(?:{verdict('felt')})", re.IGNORECASE)
_FAVORS = Pattern(rf"\b(?:{verdict('favored')})\b", re.IGNORECASE)
# What the patient asks, plans, feels now or is offered; not what was.
_ASKS = Pattern(
    r"\b(?:if i|can i|could i|may i|should i|do i|i'd like|i would like|i want|i (?:still )?have|i've got|i got|"
    r"i'm (?:going|planning|thinking|due|using|taking)|we(?:'re| are) (?:going|planning)|"
    r"i (?:like|love|miss|use|take|drink|eat|smoke|keep|sleep|sit|carry|live on|sometimes|usually|still)|"
    r"(?:my|a|our) [\w ]{2,30}(?:gives?|gave|says?|said|sells?|wants?|uses?|takes?|swears|puts?|told|thinks|makes?|"
    r"offered|left|has|does|did|cooks?)|goes in)\b",
    re.IGNORECASE,
)
_RHETORICAL = re.compile(r"[^?]*\bwhy (?:not|throw|waste|bother|wait|pay|stop|change|suffer)\b", re.IGNORECASE)
# "When can I drive?" wants a time, and gets one.
_OPEN_QUESTION = Pattern(
    r"^\W*(?:(?:so|and|but|then|okay|well|um|uh|er|hm)\W+)*(?:when|how|what|where|why|which|who)\b(?!\W+(?:if|about)\b)",
    re.IGNORECASE,
)
# "Now we come to what helps you at home" answers nothing.
_GOES_ON = Pattern(
    r"^\W*(?:(?:okay|good|great|right|now|next|so|well|then|all right)\W+)*(?:we|we'll|let's|let us|let me|i'd like to|"
    r"i want to) (?:now )?(?:come|move|go (?:on|over|to)|talk|turn|look|start|begin|continue)\b",
    re.IGNORECASE,
)
_DENIES = Pattern(r"\b(?:not|no|never|quit|stopped)\b|n't\b", re.IGNORECASE)
_OVER = Pattern(
    r"^(?!.*\b(?:today|yesterday|last night|this morning|just now)\b).*\b(?:was|were|had|used to|didn't)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=8192)
def brought_up(line: str, *, sign: bool = False) -> str:
    """Return what of a patient's line asks for a verdict: "my buddy has some Vicodin left", not "that was hard".

    Args:
        line: What the patient said.
        sign: What it names is a sign of illness, of which one need not ask.

    Returns:
        The same as said to the patient, without question marks; empty if it asks for nothing.
    """
    said = sentences(plain(line))[-_LAST:]
    asked = [s.text for s in said if _asks(s.text) or (sign and not (_OVER.search(s.text) or recites(s.text)))]
    return spoken(" ".join(text.strip().rstrip("?").rstrip() + "." for text in asked), as_you=True)


def _asks(text: str) -> bool:
    if (_OPEN_QUESTION.match(text) and text.rstrip().endswith("?")) or recites(text):
        return False
    return text.rstrip().endswith("?") or bool(_ASKS.search(text) and not _DENIES.search(text))


def let_be(turn: Sequence[Sentence]) -> bool:
    """True when a turn begins with an answer that withholds nothing."""
    said = _said(turn)
    return bool(said) and not any(withholds(sentence.text) for sentence in said)


def _said(turn: Sequence[Sentence]) -> list[Sentence]:
    return [
        s
        for s in turn[: _HEARD + 1]
        if not (
            (is_question(s.text) and not _RHETORICAL.match(s.text)) or _FELT.search(s.text) or _GOES_ON.match(s.text)
        )
    ][:_HEARD]


def answer_in(turn: Sequence[Sentence]) -> str:
    """Return the words at the head of a turn that answer."""
    return " ".join(sentence.text.strip() for sentence in _said(turn))


@lru_cache(maxsize=8192)
def stems_of(text: str) -> frozenset[str]:
    """Return the stems of the words that carry meaning."""
    return frozenset(token.stem for token in tokenize(text) if token.text.lower() not in STOPWORDS)


def letting(turn: Sequence[Sentence], words: frozenset[str]) -> Sentence | None:
    """Return the sentence at the head of a turn that lets be what the patient brought up before it.

    Args:
        turn: Its sentences.
        words: Stems of what was brought up; an answer leans on it, or names it again.

    Returns:
        None when the turn withholds it, or answers with a feeling or a question, or goes on to something else.
    """
    said = _said(turn)
    if not let_be(turn):
        return None
    if len(turn) <= _BRIEF:
        words = words.union(token.stem for s in said for token in s.tokens)  # nothing else is answered
    about = [s for s in said if leans(s) or not words.isdisjoint(t.stem for t in s.tokens)]
    if not any(_favors(s.text) for s in said):
        return None
    return next((s for s in about if _favors(s.text)), about[0] if about else None)


def _favors(text: str) -> bool:
    """True for a sentence that allows, makes light of, or finds something good in what it speaks of."""
    return allows(text) or dismisses(text) or bool(_FAVORS.search(text))
