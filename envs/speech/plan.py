"""The utterance plan: what is going to be said, before any words are chosen.

Noise works on plans. A thing that is only a row of data can be made vague, dropped, denied or moved; a
sentence can only be patched.
"""

from typing import NamedTuple

from bedside.cases.fact import AnyFact

__all__ = ["Plan", "Say"]


class Say(NamedTuple):
    """One thing to say.

    Attributes:
        move: What is done: ``affirm``, ``deny``, ``detail``, ``unsure``, ``complain``, ``recount``,
            ``worry``, …; :mod:`bedside.envs.speech.realise` knows them all.
        fact: The fact it is about.
        attribute: Which detail of it.
        words: What was asked, in the asker's words, or words ready to be said.
        vague: How imprecise it is to be, 0 to 4.
        plain: How plain the vocabulary is to be, 0 to 4.
        core: False for ornament, which goes first when less must be said.
    """

    move: str
    fact: AnyFact | None = None
    attribute: str = ""
    words: str = ""
    vague: int = 0
    plain: int = 1
    core: bool = True


Plan = tuple[Say, ...]
