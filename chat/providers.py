"""Model strings: ``provider/model``, with options as in a web address: ``hf/DIR?device=cpu&dtype=float32``.

A model is made once in a process and shared by all who ask for it, with its weights and its connections.
"""

import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qsl

from bedside.chat.accounted import AccountedModel, Price
from bedside.chat.cache import ResponseCache
from bedside.chat.meter import METER
from bedside.chat.model import ChatModel

__all__ = ["PROVIDERS", "ChatSettings", "chat_model", "configure", "names_model"]

Option = TypeVar("Option", str, int, float)

CACHE_VARIABLE = "BEDSIDE_CACHE"


@dataclass(frozen=True)
class ChatSettings:
    """What holds for all models of a process.

    Attributes:
        cache: Folder of kept answers; by default that of the environment variable ``BEDSIDE_CACHE``, none without it.
        concurrency: Most calls at once to one endpoint.
        prices: By model string, ``""`` for all others.
        allow_remote_credentialed: Whether models elsewhere may see credentialed cases; see
            :func:`~bedside.chat.privacy.keep_local`. Only the user can say so, for one run.
    """

    cache: Path | None = None
    concurrency: int = 64
    prices: Mapping[str, Price] = field(default_factory=dict)
    allow_remote_credentialed: bool = False

    def price_of(self, name: str) -> Price:
        """Return the price of a model; nothing if none was given."""
        return self.prices.get(name, self.prices.get("", (0.0, 0.0)))


class _Options:
    """The options of a model string; what nobody takes is a mistake."""

    def __init__(self, query: str) -> None:
        self.left = dict(parse_qsl(query, keep_blank_values=True))

    def take(self, name: str, default: Option) -> Option:
        """Return an option as the type of its default."""
        if (text := self.left.pop(name, None)) is None:
            return default
        try:
            return type(default)(text)
        except ValueError:
            raise ValueError(f"option {name}={text}: not a number") from None

    def done(self) -> None:
        """Raise ValueError if some are left."""
        if self.left:
            raise ValueError(f"unknown option {', '.join(self.left)}")


def _parsed(text: str) -> tuple[str, _Options]:
    model, _, query = text.partition("?")
    return model, _Options(query)


def _openai(text: str) -> ChatModel:
    # Imported where used, as are all of them: most runs need no model.
    from bedside.chat.backoff import Backoff
    from bedside.chat.openai_api import OpenAIModel

    model, options = _parsed(text)
    standard = Backoff()
    base_url, key_env = options.take("base_url", ""), options.take("key_env", "OPENAI_API_KEY")
    timeout_s, concurrency = options.take("timeout", 120.0), options.take("concurrency", _settings.concurrency)
    backoff = Backoff(options.take("retries", standard.retries), options.take("wait", standard.first_s))
    options.done()
    return OpenAIModel(
        model, base_url=base_url, key_env=key_env, timeout_s=timeout_s, concurrency=concurrency, backoff=backoff
    )


def _hf(text: str) -> ChatModel:
    from bedside.chat.transformers_model import TransformersModel

    model, options = _parsed(text)
    device, dtype, batch = options.take("device", "auto"), options.take("dtype", "auto"), options.take("batch", 16)
    options.done()
    return TransformersModel(model, device=device, dtype=dtype, batch=batch)


def _vllm(text: str) -> ChatModel:
    from bedside.chat.vllm_model import VLLMModel

    model, options = _parsed(text)
    batch = options.take("batch", 256)
    return VLLMModel(model, batch=batch, **{name: _typed(value) for name, value in options.left.items()})


def _gguf(text: str) -> ChatModel:
    from bedside.chat.llama_cpp import LlamaCppModel, packaged_smollm2

    model, options = _parsed(text)
    threads, parallel = options.take("threads", 0), options.take("parallel", 4)
    context = options.take("context", 4096)
    options.done()
    path = Path(model).expanduser() if model else packaged_smollm2()
    name = f"gguf/{model}" if model else "smollm2"
    return LlamaCppModel(path, name, threads=threads, parallel=parallel, context=context)


def _typed(text: str) -> str | int | float | bool:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


PROVIDERS: dict[str, Callable[[str], ChatModel]] = {
    "openai": _openai,
    "vllm": _vllm,
    "hf": _hf,
    "gguf": _gguf,
    "smollm2": _gguf,
}
"""Providers by the first part of a model string, each given the rest of it; add your own here."""

_ALONE = ("smollm2",)
_making = threading.RLock()
_made: dict[tuple[object, ...], ChatModel] = {}
_settings = ChatSettings()


def configure(settings: ChatSettings) -> None:
    """Set what holds for all models that this process makes from now on."""
    global _settings
    with _making:
        _settings = settings
        _made.clear()


def names_model(name: str) -> bool:
    """Return whether a string is meant to name a language model, whether or not it can be had."""
    return name.partition("?")[0].partition("/")[0] in PROVIDERS


def chat_model(name: str) -> ChatModel:
    """Return the model that a string such as ``openai/gpt-4.1-mini`` or ``smollm2`` names.

    Raises:
        ValueError: The string has no provider that is known, an option cannot be used, or something is not installed.
    """
    place, mark, query = name.partition("?")
    provider, _, model = place.partition("/")
    if provider not in PROVIDERS or bool(model) == (provider in _ALONE):
        known = ", ".join(p if p in _ALONE else f"{p}/MODEL" for p in PROVIDERS)
        raise ValueError(f"unknown model {name!r}; write one of {known}")
    build = PROVIDERS[provider]
    which = (name, build, os.environ.get("OPENAI_BASE_URL", ""), os.getpid())
    with _making:
        if which not in _made:
            try:
                built = build(f"{model}{mark}{query}")
            except ValueError as error:
                raise ValueError(f"model {name!r}: {error}") from None
            cleared = _settings.allow_remote_credentialed
            _made[which] = _SharedModel(name, cleared, built, METER, _settings.price_of(place), _cache())
        return _made[which]


class _SharedModel(AccountedModel):
    """One that another process, which gets a copy, looks up or makes for itself.

    Attributes:
        cleared: Whether the user allows it to see credentialed cases wherever it is.
    """

    def __init__(self, spec: str, cleared: bool, *args: Any) -> None:
        super().__init__(*args)
        self._spec = spec
        self.cleared = cleared

    def __reduce__(self) -> tuple[Any, ...]:
        return chat_model, (self._spec,)


def _cache() -> ResponseCache | None:
    folder = _settings.cache or os.environ.get(CACHE_VARIABLE)
    return ResponseCache(Path(folder)) if folder else None
