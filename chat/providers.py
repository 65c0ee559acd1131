"""Model strings: ``provider/model``."""

from collections.abc import Callable

from bedside.chat.model import ChatModel

__all__ = ["PROVIDERS", "chat_model"]


def _openai(model: str) -> ChatModel:
    # Imported where used: the client takes half a second to load, and most runs need no model.
    from bedside.chat.openai_api import OpenAIModel

    return OpenAIModel(model)


PROVIDERS: dict[str, Callable[[str], ChatModel]] = {"openai": _openai}
"""Providers by the first part of a model string."""


def chat_model(name: str) -> ChatModel:
    """Return the model that a string such as ``openai/gpt-4.1-mini`` names.

    Raises:
        ValueError: The string has no provider that is known.
    """
    provider, _, model = name.partition("/")
    if provider not in PROVIDERS or not model:
        raise ValueError(f"unknown model {name!r}; write {' or '.join(f'{p}/MODEL' for p in PROVIDERS)}")
    return PROVIDERS[provider](model)
