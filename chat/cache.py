"""Answers kept on disk, so that a run that is repeated or resumed pays for each of them once.

One small file an answer, named by the hash of everything that decides it. Files appear whole or not at all, and two
processes that write the same one write the same: no locks are needed. Failures are never kept.
"""

import os
import threading
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import orjson
from pydantic import ValidationError

from bedside.chat.model import Completion, Message, Sampling

__all__ = ["ResponseCache"]

_FORMAT = 1


class ResponseCache:
    """A folder of answers.

    Args:
        folder: Made when it is missing.

    Raises:
        ValueError: It cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ValueError(f"cannot use {folder} as a cache: {error.strerror}") from error
        if not os.access(folder, os.W_OK):
            raise ValueError(f"cannot use {folder} as a cache: it cannot be written")

    def key(self, identity: str, messages: Sequence[Message], sampling: Sampling) -> str:
        """Return the name of an answer.

        Args:
            identity: Model and endpoint, or model and weights.
            messages: The chat.
            sampling: All of it matters, the seed and the schema too.
        """
        said = [(m.role, m.content) for m in messages]
        everything = [_FORMAT, identity, said, sampling.model_dump()]
        return blake2b(orjson.dumps(everything, option=orjson.OPT_SORT_KEYS), digest_size=20).hexdigest()

    def get(self, key: str) -> Completion | None:
        """Return a kept answer; None if there is none that can be read."""
        try:
            return Completion.model_validate_json(self._path(key).read_bytes())
        except (OSError, ValidationError):
            return None

    def put(self, key: str, completion: Completion) -> None:
        """Keep an answer.

        Raises:
            OSError: The disk is full, or the folder is gone.
        """
        path = self._path(key)
        path.parent.mkdir(exist_ok=True)
        part = path.with_name(f"{key}.{os.getpid()}.{threading.get_ident()}.part")
        kept = completion.model_dump(exclude={"latency_s", "cost", "faults"})
        try:
            part.write_bytes(orjson.dumps(kept))
            part.replace(path)
        except OSError:
            part.unlink(missing_ok=True)
            raise

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"
