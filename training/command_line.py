"""What the command lines of the trainers share: settings from YAML and options, and errors of one line."""

import os
import sys
from typing import Any, NoReturn

__all__ = ["complain", "read_settings"]


def read_settings(*kinds: type) -> tuple[Any, ...]:
    """Read settings from ``--config FILE.yaml`` and from options, which win.

    Args:
        *kinds: Dataclasses; each option belongs to one of them.

    Returns:
        One object of each.
    """
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
    if not os.environ.get("WANDB_API_KEY"):
        os.environ.setdefault("WANDB_MODE", "offline")
    from trl import TrlParser

    return tuple(TrlParser(list(kinds)).parse_args_and_config())


def complain(error: Exception) -> NoReturn:
    """Say in one line what is wrong, and leave."""
    sys.exit(f"error: {error}")
