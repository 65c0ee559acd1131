"""Text from cases and models in a prompt: one block of data that nothing within it can close.

A request carries a code that its answer has to copy. JSON that a patient or a clinician speaks can therefore never pass
for the answer, even if the model repeats it.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

__all__ = ["check_key", "data_block", "request_key"]


def request_key(purpose: str, *parts: str) -> str:
    """Return the code of a request: the same for the same request, unknown to whoever is judged.

    Args:
        purpose: What is asked.
        parts: Everything that makes the request.
    """
    return hashlib.sha256(json.dumps([purpose, *parts]).encode()).hexdigest()[:8]


def check_key(found: str, key: str) -> None:
    """Check that an answer belongs to the request.

    Raises:
        ValueError: It does not.
    """
    if found.strip() != key:
        raise ValueError('"key" is not the code that stands in the data.')


def data_block(data: Mapping[str, Any]) -> str:
    """Return values as JSON between ``<data>`` and ``</data>``; within, every angle bracket is escaped.

    An item a line: as easy to read as full indentation, at half the tokens.

    Args:
        data: Values by name, as JSON can hold them.
    """
    text = "{\n" + ",\n".join(f"{json.dumps(name)}: {_lines(value)}" for name, value in data.items()) + "\n}"
    text = text.replace("<", "\\u003c").replace(">", "\\u003e")
    return f"<data>\n{text}\n</data>"


def _lines(value: Any) -> str:
    if not isinstance(value, list) or not value:
        return json.dumps(value, ensure_ascii=False)
    return "[\n" + ",\n".join(f" {json.dumps(item, ensure_ascii=False)}" for item in value) + "\n]"
