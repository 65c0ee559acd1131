"""Reasoning models think aloud before they answer; nobody but they themselves should read that."""

import re

__all__ = ["strip_reasoning"]

# A block may lack its beginning, which some chat templates put into the prompt, or its end, when the tokens ran out.
_REASONING = re.compile(
    r"\A(?:(?!<(?:think|thinking|reasoning)>).)*?</(?:think|thinking|reasoning)>"
    r"|<(think|thinking|reasoning)>.*?(?:</\1>|\Z)",
    re.DOTALL | re.IGNORECASE,
)


def strip_reasoning(text: str) -> str:
    """Return a text without ``<think>``, ``<thinking>`` and ``<reasoning>`` blocks."""
    return _REASONING.sub("", text)
