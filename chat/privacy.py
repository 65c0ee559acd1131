"""One rule for whatever sends a case to a language model: credentialed texts stay on this machine.

Clinicians, patients, verifiers and judges may all be models. The rule stands here, so that none of them has its own.
"""

from collections.abc import Iterable
from typing import Protocol

from bedside.chat.model import ChatModel

__all__ = ["Licensed", "keep_local"]


class Licensed(Protocol):
    """What the rule has to know of a case."""

    @property
    def id(self) -> str:
        """Names it to the user."""

    @property
    def credentialed(self) -> bool:
        """True for texts that may not leave the machine (MIMIC)."""


def keep_local(model: ChatModel, cases: Iterable[Licensed]) -> None:
    """Check that a model may see some cases.

    Args:
        model: Who would get them.
        cases: What it would get.

    Raises:
        ValueError: One of them is credentialed and the model is not on this machine.
    """
    if model.local:
        return
    held = next((case.id for case in cases if case.credentialed), None)
    if held is not None:
        raise ValueError(
            f"case {held!r} is credentialed and may not be sent to {model.name}, which is not on this machine; "
            "serve a model here and point OPENAI_BASE_URL at it"
        )
