"""Judges by name, so that a command line, a configuration file and a record can say which one it was."""

from collections.abc import Iterable
from typing import Protocol

from bedside.cases.case import Case
from bedside.chat.privacy import Licensed, keep_local
from bedside.chat.structured import Tally
from bedside.envs.episode import Episode
from bedside.rewards.score import Score
from bedside.rewards.scoring import score_episode

__all__ = ["KNOWN", "EmbeddedJudge", "Judge", "make_judge"]

KNOWN = ("embedded", "PROVIDER/MODEL")
"""What :func:`make_judge` understands."""


class Judge(Protocol):
    """Scores encounters.

    Attributes:
        engine: What its scores name as their engine.
        usage: What models were asked for so far.
    """

    engine: str
    usage: Tally

    def score(self, episode: Episode, case: Case) -> dict[str, Score]:
        """Score an encounter.

        Args:
            episode: A finished encounter.
            case: The case it was played with.

        Returns:
            Scores by name. One that cannot be determined has value None and says why.

        Raises:
            ValueError: The episode belongs to another case, or the case may not be shown to this judge.
        """


class EmbeddedJudge:
    """The rules of this project: deterministic, offline, no model."""

    engine = "embedded"

    def __init__(self) -> None:
        self.usage = Tally()

    def score(self, episode: Episode, case: Case) -> dict[str, Score]:
        """Score an encounter; see :func:`~bedside.rewards.scoring.score_episode`."""
        return score_episode(episode, case)


def make_judge(spec: str, *, votes: int = 1, cases: Iterable[Licensed] = ()) -> Judge:
    """Build a judge.

    Args:
        spec: ``embedded``, or a language model as ``provider/model``, e.g. ``openai/gpt-4.1-mini``.
        votes: How often a model is asked for each judgment; an odd number, so that there is a majority.
        cases: What will be judged; see :func:`~bedside.chat.privacy.keep_local`.

    Raises:
        ValueError: There is no such judge, ``votes`` is even, or credentialed cases would leave this machine.
    """
    if votes < 1 or votes % 2 == 0:
        raise ValueError(f"votes must be an odd number, not {votes}: otherwise they can be split evenly")
    if spec == "embedded":
        if votes > 1:
            raise ValueError("the embedded judge gives the same answer every time: more votes need a language model")
        return EmbeddedJudge()
    # Models and their clients are loaded when a name asks for one.
    from bedside.chat.providers import chat_model, names_model

    if "/" not in spec and not names_model(spec):
        raise ValueError(f"unknown judge {spec!r}; known are {', '.join(KNOWN)}")
    from bedside.rewards.judges.language_model import LanguageModelJudge

    model = chat_model(spec)
    keep_local(model, cases)
    return LanguageModelJudge(model, votes=votes)
