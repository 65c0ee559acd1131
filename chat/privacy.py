"""One rule for whatever sends a case to a language model: credentialed texts stay on this machine.

Clinicians, patients, orchestrators, verifiers and judges may all be models. The rule stands here, so that none of them
has its own. A user whose data use agreement and endpoint permit it can lift it for one run.
"""

from collections.abc import Iterable
from typing import Protocol

from bedside.chat.model import ChatModel

__all__ = ["FLAG", "Licensed", "keep_local"]

FLAG = "--allow-remote-credentialed"
"""What lifts the rule on every command line; in code, ``configure(ChatSettings(allow_remote_credentialed=True))``."""


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
        ValueError: One of them is credentialed, the model is not on this machine, and the user has not allowed it.
    """
    if model.local or getattr(model, "cleared", False):
        return
    held = next((case.id for case in cases if case.credentialed), None)
    if held is not None:
        raise ValueError(
            f"case {held!r} is credentialed and may not be sent to {model.name}, which is not on this machine: its "
            "data use agreement forbids passing it on. Serve a model here and point OPENAI_BASE_URL at it; or, if the "
            f"agreement permits this endpoint, say {FLAG}"
        )
