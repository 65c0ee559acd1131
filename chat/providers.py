"""Model strings: ``provider/model``."""

from bedside.chat.model import ChatModel
from bedside.chat.openai_api import OpenAIModel

__all__ = ["PROVIDERS", "chat_model"]

PROVIDERS = {"openai": OpenAIModel}
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
