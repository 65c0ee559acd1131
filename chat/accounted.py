"""What every model gets around it: the cache before it, the meter behind it, a price on its answers."""

import logging
from collections.abc import Sequence

from bedside.chat.cache import ResponseCache
from bedside.chat.meter import Meter
from bedside.chat.model import ChatError, ChatModel, Completion, EmptyAnswerError, Message, Sampling

__all__ = ["AccountedModel", "Price"]

_LOG = logging.getLogger(__name__)

Price = tuple[float, float]
"""For a million tokens in and a million tokens out."""


class AccountedModel:
    """A model whose answers are counted, priced and, if there is a cache, kept.

    Args:
        model: May have an ``identity``: what decides its answers besides the request, such as endpoint or weights.
        meter: Counts.
        price: Of its tokens.
        cache: Where answers are kept.
    """

    def __init__(
        self, model: ChatModel, meter: Meter, price: Price = (0.0, 0.0), cache: ResponseCache | None = None
    ) -> None:
        self.name = model.name
        self._model = model
        self._meter = meter
        self._price = price
        self._cache = cache

    @property
    def local(self) -> bool:
        """See :class:`~bedside.chat.model.ChatModel`."""
        return self._model.local

    def complete(self, messages: Sequence[Message], sampling: Sampling) -> Completion:
        """Answer a chat; see :class:`~bedside.chat.model.ChatModel`."""
        key, known = self._look_up(messages, sampling)
        if known is not None:
            return known
        try:
            return self._keep(key, self._model.complete(messages, sampling))
        except ChatError as error:
            self._fail(error)
            raise

    async def acomplete(self, messages: Sequence[Message], sampling: Sampling) -> Completion:
        """Answer a chat; see :class:`~bedside.chat.model.ChatModel`."""
        key, known = self._look_up(messages, sampling)
        if known is not None:
            return known
        try:
            return self._keep(key, await self._model.acomplete(messages, sampling))
        except ChatError as error:
            self._fail(error)
            raise

    def _look_up(self, messages: Sequence[Message], sampling: Sampling) -> tuple[str, Completion | None]:
        if self._cache is None:
            return "", None
        key = self._cache.key(getattr(self._model, "identity", self.name), messages, sampling)
        known = self._cache.get(key)
        if known is None:
            return key, None
        self._meter.cached()
        return key, self._priced(known)

    def _keep(self, key: str, completion: Completion) -> Completion:
        completion = self._priced(completion)
        self._meter.answered(completion)
        if self._cache is not None:
            try:
                self._cache.put(key, completion)
            except OSError as error:
                _LOG.warning("an answer could not be kept in the cache: %s", error.strerror)
        return completion

    def _fail(self, error: ChatError) -> None:
        if isinstance(error, EmptyAnswerError):
            error.completion = self._priced(error.completion)
        self._meter.failed(error)

    def _priced(self, completion: Completion) -> Completion:
        tokens = (completion.prompt_tokens, completion.completion_tokens)
        cost = sum(price * count for price, count in zip(self._price, tokens, strict=True)) / 1e6
        return completion.model_copy(update={"cost": cost}) if cost else completion
